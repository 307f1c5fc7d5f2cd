"""The axes of a chart: each counts something else of the same searches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from render.playback.recorders.candidate_counts import Choices
from render.playback.recorders.history import History
from render.style.theme import Colour, Theme
from solver.trace import Outcome, Tally

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "COLUMNS",
    "Account",
    "Style",
    "draw_branching",
    "draw_choices",
    "draw_depths",
    "draw_nodes",
    "draw_totals",
    "hex_of",
]

COLUMNS = 1200
"""Times at which the depth chart shows what the search did since the last."""

_ORIGIN = 0.7
"""Where a log axis of counts begins, so that 1 is a bar and 0 is none."""

_ROOMY = 3
"""Searches whose totals have room for larger numbers."""

_FEW = 12
"""Points of a line that are marked, so that one alone is seen."""


@dataclass(frozen=True)
class Account:
    """A search as the figure needs it."""

    name: str
    tally: Tally
    history: History
    choices: Choices
    colour: str
    dash: Any
    """A name or a pattern of dashes, as matplotlib takes them."""


@dataclass(frozen=True)
class Style:
    """The theme's colours, and how many times its usual size everything has."""

    theme: Theme
    scale: float

    @property
    def text(self) -> str:
        return hex_of(self.theme.text)

    @property
    def muted(self) -> str:
        return hex_of(self.theme.muted)


def hex_of(colour: Colour) -> str:
    """The colour as matplotlib takes it, "#1b202b"."""
    return "#{:02x}{:02x}{:02x}".format(*colour)


def _dress(axes: Axes, style: Style, title: str, across: str, up: str) -> None:
    """The theme's colours, a title, and what the axes count."""
    theme, scale = style.theme, style.scale
    axes.set_facecolor(hex_of(theme.cell))
    axes.set_title(title, color=style.text, fontsize=11 * scale, loc="left")
    axes.set_xlabel(across, color=style.muted, fontsize=9 * scale)
    axes.set_ylabel(up, color=style.muted, fontsize=9 * scale)
    axes.tick_params(colors=style.muted, labelsize=9 * scale, length=3.5 * scale)
    axes.tick_params(which="minor", length=0)
    axes.grid(visible=True, color=hex_of(theme.line), linewidth=0.6 * scale)
    axes.set_axisbelow(True)
    for side, spine in axes.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(hex_of(theme.strong_line))
        spine.set_linewidth(0.8 * scale)


def _count_by_ones(axes: Axes, last: int) -> None:
    """Across from 0 to `last`, with marks at whole numbers."""
    from matplotlib.ticker import MaxNLocator

    axes.set_xlim(0, max(1, last))
    axes.xaxis.set_major_locator(MaxNLocator(9, steps=[1, 2, 2.5, 5, 10], integer=True))


def draw_depths(axes: Axes, accounts: Sequence[Account], style: Style) -> None:
    """The band from the least depth to the greatest, at each of COLUMNS times."""
    from matplotlib.ticker import MaxNLocator

    for account in reversed(accounts):
        history = account.history
        steps = np.arange(history.reached) * history.total / COLUMNS
        low, high = history.low[: history.reached], history.high[: history.reached]
        axes.fill_between(steps, low, high, color=account.colour, alpha=0.45, linewidth=0)
        axes.plot(steps, high, color=account.colour, linewidth=0.9 * style.scale)
    _count_by_ones(axes, max(account.tally.steps for account in accounts))
    axes.set_ylim(bottom=0)
    axes.yaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10], integer=True))
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    _dress(axes, style, "Depth over time", "steps", "depth")


def draw_nodes(axes: Axes, accounts: Sequence[Account], style: Style) -> None:
    for account in accounts:
        nodes = account.history.nodes[: account.tally.max_depth + 1]
        axes.step(
            np.arange(len(nodes)), nodes, where="mid", color=account.colour,
            linestyle=account.dash, linewidth=1.5 * style.scale, **_marks(len(nodes), style),
        )  # fmt: skip
    axes.set_yscale("log")
    axes.set_ylim(bottom=_ORIGIN)
    _count_by_ones(axes, max(account.tally.max_depth for account in accounts))
    _dress(axes, style, "Nodes per depth", "depth", "nodes (log)")


def _marks(points: int, style: Style) -> dict[str, Any]:
    """Dots on a line of few points."""
    size = 4 * style.scale
    return {"marker": "o", "markersize": size, "clip_on": False} if points <= _FEW else {}


def draw_branching(axes: Axes, accounts: Sequence[Account], style: Style) -> None:
    """Children per node, at each depth: above 1 a tree grows, below it dies back."""
    for account in accounts:
        nodes = account.history.nodes[: account.tally.max_depth + 1].astype(float)
        axes.plot(
            np.arange(len(nodes) - 1), nodes[1:] / np.maximum(1, nodes[:-1]),
            color=account.colour, linestyle=account.dash, linewidth=1.5 * style.scale,
            **_marks(len(nodes) - 1, style),
        )  # fmt: skip
    axes.axhline(1, color=hex_of(style.theme.strong_line), linewidth=0.8 * style.scale)
    _count_by_ones(axes, max(account.tally.max_depth for account in accounts))
    axes.set_ylim(bottom=0)
    _dress(axes, style, "Branching", "depth", "children per node")


def draw_choices(axes: Axes, accounts: Sequence[Account], style: Style) -> None:
    """The share of nodes whose chosen cell had so many candidates; the bars of each number in the
    order of the legend."""
    width = 0.8 / len(accounts)
    most = 1
    for number, account in enumerate(accounts):
        counts = account.choices.counts
        share = 100 * counts / max(1, counts.sum())
        most = max(most, int(np.flatnonzero(counts).max(initial=1)))
        places = np.arange(len(counts)) + (number - (len(accounts) - 1) / 2) * width
        axes.bar(places, share, width, color=account.colour)
    axes.set_xlim(0.5, most + 0.5)
    axes.set_xticks(range(1, most + 1))
    axes.set_ylim(0, 104)
    _dress(axes, style, "Candidates of the chosen cell", "candidates", "% of choices")


def draw_totals(axes: Axes, accounts: Sequence[Account], style: Style) -> None:
    """Steps, nodes and backtracks as bars on a log axis, each with its number, in the order of the
    legend."""
    kinds = ("steps", "nodes", "backtracks")
    height = 0.84 / len(accounts)
    size = (8 if len(accounts) <= _ROOMY else 7) * style.scale
    for number, account in enumerate(accounts):
        totals = [getattr(account.tally, kind) for kind in kinds]
        places = np.arange(len(kinds)) + (number - (len(accounts) - 1) / 2) * height
        axes.barh(places, [max(total, _ORIGIN) for total in totals], height, color=account.colour)
        capped = " (capped)" if account.tally.outcome is Outcome.CAPPED else ""
        for place, total in zip(places, totals, strict=True):
            axes.annotate(
                f"{total:,}{capped}", (max(total, _ORIGIN), place), xytext=(4 * style.scale, 0),
                textcoords="offset points", va="center", fontsize=size,
                color=style.text,
            )  # fmt: skip
    axes.set_xscale("log")
    largest = max(account.tally.steps for account in accounts)
    # The numbers stand behind the bars and need a third of the room.
    axes.set_xlim(_ORIGIN, _ORIGIN * (max(2, largest) / _ORIGIN) ** 1.5)
    axes.set_yticks(range(len(kinds)), kinds)
    axes.set_ylim(len(kinds) - 0.5, -0.5)
    _dress(axes, style, "Totals", "count (log)", "")
