"""The charts of one search, each of another quantity, on scales that all searches share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from undoku.render.figures.figure_page import LINE, SMALL, Page, PageBox
from undoku.render.figures.scales import (
    count_text,
    log_range,
    percent_text,
)
from undoku.render.playback.choices import Choices
from undoku.render.playback.history import Depths
from undoku.solver.trace.trace import Header, Tally
from undoku.texts import wording as say

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLUMNS = 1200
"""The number of points of the depth chart, each for the steps since the previous one."""

_ALIKE = 20
"""If the steps of searches differ by a larger factor, each is drawn over the share of its own
steps: on a common axis of steps the shorter chart would be a line."""

_FEW = 12
"""Lines with at most this many points have markers, so that a single point is visible."""

_BESIDE = 0.6
"""Ems by which the last label of an axis may stand beyond its end."""


@dataclass(frozen=True)
class SearchResult:
    """The results of a search for the figure; `colour` is in matplotlib's form."""

    header: Header
    tally: Tally
    depths: Depths
    choices: Choices
    colour: str

    @property
    def nodes(self) -> NDArray[np.float64]:
        """Nodes at each depth, from 0 (the root) to the greatest."""
        return self.depths.nodes[: self.tally.max_depth + 1].astype(float)

    @property
    def branching(self) -> NDArray[np.float64]:
        """Children per node at each depth but the greatest."""
        nodes = self.nodes
        children: NDArray[np.float64] = nodes[1:] / np.maximum(1, nodes[:-1])
        return children

    @property
    def shares(self) -> NDArray[np.float64]:
        """Percent of choices that had 0, 1, 2, … candidates."""
        counts = self.choices.counts
        shares: NDArray[np.float64] = 100 * counts / max(1, counts.sum())
        return shares


@dataclass(frozen=True)
class Scales:
    """The ends of the axes, for all searches of a figure. `steps` is None if each search is drawn
    over the share of its own steps."""

    steps: float | None
    depth: float
    nodes: float
    branching: float
    candidates: int

    @classmethod
    def of(cls, results: Sequence[SearchResult]) -> Scales:
        steps = [max(1, result.tally.steps) for result in results]
        return cls(
            float(max(steps)) if max(steps) <= _ALIKE * min(steps) else None,
            float(max(1, *(result.tally.max_depth for result in results))),
            log_range(1, max(result.nodes.max() for result in results))[1],
            max(1.2, *(result.branching.max(initial=0) for result in results)),
            max(int(np.flatnonzero(result.shares).max(initial=1)) for result in results),
        )


def _depths(axes: Axes, result: SearchResult, scales: Scales, em: float) -> None:
    """The band from the least depth to the greatest, at each of COLUMNS times."""
    depths = result.depths
    end = scales.steps or 100.0
    own = depths.total if scales.steps else 100.0
    along = np.arange(depths.reached) * own / COLUMNS
    low, high = depths.low[: depths.reached], depths.high[: depths.reached]
    axes.fill_between(along, low, high, color=result.colour, alpha=0.45, linewidth=0)
    axes.plot(along, high, color=result.colour, linewidth=0.06 * em)
    axes.set_xlim(0, end)
    axes.set_ylim(0, scales.depth * 1.04)


def _nodes(axes: Axes, result: SearchResult, scales: Scales, em: float) -> None:
    nodes = result.nodes
    seen = np.where(nodes > 0, nodes, np.nan)
    _line(axes, np.arange(len(seen)), seen, result, em)
    axes.set_yscale("log")
    axes.set_xlim(0, scales.depth)
    axes.set_ylim(1, scales.nodes)


def _branching(axes: Axes, result: SearchResult, scales: Scales, em: float) -> None:
    """Children per node, at each depth: above 1 a tree grows, below it dies back."""
    axes.axhline(1, color=axes.spines["left"].get_edgecolor(), linewidth=0.05 * em)
    found = result.branching
    _line(axes, np.arange(len(found)), found, result, em)
    axes.set_xlim(0, scales.depth)
    axes.set_ylim(0, scales.branching * 1.04)


def _candidates(axes: Axes, result: SearchResult, scales: Scales, em: float) -> None:
    """The share of choices by the number of candidates of their cell."""
    shares = result.shares[: scales.candidates + 1]
    axes.bar(range(len(shares)), shares, 0.8, color=result.colour)
    axes.set_xlim(0.4, scales.candidates + 0.6)
    axes.set_ylim(0, 100)


def _line(axes: Axes, along: Any, up: Any, result: SearchResult, em: float) -> None:
    marks: dict[str, Any] = {}
    if len(along) <= _FEW:
        marks = {"marker": "o", "markersize": 0.3 * em}
    axes.plot(along, up, color=result.colour, linewidth=0.1 * em, clip_on=False, **marks)


@dataclass(frozen=True)
class ChartPanel:
    """One kind of chart: its title, which says what its axes count. The numbers of the vertical
    axis, whole ones unless `whole` is false, are written by `up`."""

    title: say.Text
    draw: Callable[[Axes, SearchResult, Scales, float], None]
    up: Callable[[float], str] = count_text
    whole: bool = True


PANELS = (
    ChartPanel(say.CHART_DEPTH, _depths),
    ChartPanel(say.CHART_NODES, _nodes),
    ChartPanel(say.CHART_BRANCHING, _branching, whole=False),
    ChartPanel(say.CHART_OPTIONS, _candidates, percent_text),
)

FOOT = 0.7 + LINE * SMALL
"""Ems below a chart, for the numbers at its ticks."""


def draw_panel(
    page: Page, box: PageBox, panel: ChartPanel, result: SearchResult, scales: Scales
) -> None:
    """Draw a chart into `box`, with the numbers beside and below it."""
    plot = box._replace(height=box.height - FOOT)
    axes = page.axes(plot)
    panel.draw(axes, result, scales, page.em)
    shares = panel.draw is _depths and not scales.steps
    across = percent_text if shares else count_text
    page.name_axes(axes, plot, across, panel.up, beyond=_BESIDE, whole=panel.whole)
