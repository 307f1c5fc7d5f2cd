"""The figure of a study: the distribution of the nodes of each strategy.

Each strategy has its own row on a common axis. Its puzzles are dots, each exactly at its number;
for a large collection a dot represents one hundredth of the puzzles. Dots that depend on capped
searches are hollow.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.errors import SettingsError
from undoku.render.draw.colour_space import hex_of
from undoku.render.draw.theme import load_theme
from undoku.render.figures.figure_file import figure_of, save_figure
from undoku.render.figures.figure_page import (
    LINE,
    SMALL,
    Item,
    Page,
    PageBox,
    space_item,
    text_item,
    text_wide,
    wrapped_text,
)
from undoku.render.figures.scales import (
    count_text,
    digits_text,
    log_range,
    ratio_text,
    share_text,
    ticks_of,
)
from undoku.solver.study.journal import OUTCOMES, Journal
from undoku.solver.study.summary import QUANTILES, StrategySummary, Summary
from undoku.solver.trace.trace import Outcome
from undoku.texts import wording as say
from undoku.texts.language import decimal

MAX_DOTS = 100
"""The maximum number of dots in a row. With more puzzles, each dot represents 1 % of them."""

_ROW = 3.0  # ems of a row of dots
_DOT = 0.5  # ems across a dot
_BREAK = 0.7
_INSET = 1.3  # beside a row, for half of a number at its end


class _Dots(NamedTuple):
    """A row of dots: their positions, ascending, the level of each in its stack, from 0, and which
    are hollow."""

    values: NDArray[np.float64]
    levels: NDArray[np.int64]
    hollow: NDArray[np.bool_]


class _StrategyRow(NamedTuple):
    """The row of a strategy: its name and its caption; a line at `middle`, and a band from `low` to
    `high` if there is an interval."""

    number: int
    name: str
    caption: str
    values: NDArray[Any]
    hollow: NDArray[np.bool_]
    middle: float
    low: float | None = None
    high: float | None = None


class _Section(NamedTuple):
    """Rows on one axis, and a value that has a line across all of them."""

    heading: str
    rows: Sequence[_StrategyRow]
    line: float | None = None


def draw_study(journal: Journal, summary: Summary, path: Path, suffix: str) -> None:
    """Draw a row for each strategy into `path`: its puzzles by nodes; and for each but the first
    another one: its puzzles by the ratio to the first strategy. The strategies go by the names
    that they have in the summary. `suffix` is one of FIGURES.

    Raises SettingsError for a study of no puzzle; OSError.
    """
    if not summary.puzzles:
        raise SettingsError("a figure needs at least one puzzle", remedy="give a puzzle")
    sections = _sections(journal, summary)

    def items_of(width: float) -> tuple[list[Item], list[Item]]:
        items = [
            item for group, section in enumerate(sections) for item in _items(section, width, group)
        ]
        return _header(summary, width), items

    save_figure(figure_of(items_of, load_theme("light")), path, suffix)


def _sections(journal: Journal, summary: Summary) -> list[_Section]:
    nodes = journal.column("nodes")
    capped = journal.column("outcome") == OUTCOMES.index(Outcome.CAPPED)
    rows = [
        _StrategyRow(
            number, one.name, _spread_text(one), nodes[:, number], capped[:, number], one.median
        )
        for number, one in enumerate(summary.strategies)
    ]
    sections = [_Section(say.STUDY_NODES(), rows)]
    if len(rows) > 1:
        first = summary.strategies[0].name
        ratios = []
        for number, one in enumerate(summary.strategies[1:], 1):
            bound = capped[:, number] | capped[:, 0]
            caption = _ratio_text(one, float(bound.mean()))
            values = nodes[:, number] / nodes[:, 0]
            ratios.append(
                _StrategyRow(number, one.name, caption, values, bound, one.ratio, one.low, one.high)
            )
        sections.append(_Section(say.STUDY_RATIOS(strategy=first), ratios, 1.0))
    if journal.timed:
        seconds = journal.column("nanoseconds") / 1e9
        timed = []
        for number, one in enumerate(summary.strategies):
            middle = float(np.median(seconds[:, number]))
            caption = _with_capped(say.MEDIAN(nodes=digits_text(middle, 3)), one.capped)
            values = seconds[:, number]
            timed.append(_StrategyRow(number, one.name, caption, values, capped[:, number], middle))
        sections.append(_Section(say.STUDY_SECONDS(), timed))
    return sections


def _spread_text(one: StrategySummary) -> str:
    median = decimal(one.median)
    if QUANTILES.index(0.5) >= one.exact:
        median = say.AT_LEAST(number=median)
    return _with_capped(say.MEDIAN(nodes=median), one.capped)


def _ratio_text(one: StrategySummary, bound: float) -> str:
    caption = say.GEOMETRIC_MEAN(ratio=ratio_text(one.ratio))
    if one.low is not None and one.high is not None:
        caption = say.WITH_INTERVAL(
            mean=caption, low=ratio_text(one.low), high=ratio_text(one.high)
        )
    return _with_capped(caption, bound)


def _with_capped(caption: str, share: float) -> str:
    if not share:
        return caption
    return say.LIST_MIDDLE(first=caption, rest=say.CAPPED_SHARE(share=share_text(share)))


def searched_text(searches: int, seeds: int) -> str:
    """What each strategy has searched: "1 puzzle with 1,000 seeds"."""
    puzzles = say.PUZZLES(count=searches // seeds)
    return puzzles if seeds == 1 else say.WITH_SEEDS(puzzles=puzzles, seeds=seeds)


def _header(summary: Summary, width: float) -> list[Item]:
    searched = searched_text(summary.puzzles, summary.seeds)
    caption = (say.DOT_IS_PUZZLE if summary.seeds == 1 else say.DOT_IS_SEARCH)(searched=searched)
    if summary.puzzles > MAX_DOTS:
        caption = say.DOT_IS_ONE_IN(searched=searched, number=MAX_DOTS)
    return [text_item(caption, width, 0.6, size=1.15)]


def _items(section: _Section, width: float, group: int) -> list[Item]:
    """The heading, the rows, and the numbers of their axis."""
    low, high = _range_of(section)
    rows = [_stacked(row, low, high, width) for row in section.rows]
    last = len(rows) - 1
    items = [text_item(section.heading, width, 0, muted=True, group=group)]
    for number, (row, dots) in enumerate(zip(section.rows, rows, strict=True)):
        items.append(_row_item(section, row, dots, (low, high), width, group, named=number == last))
    return [*items, space_item(0.8, group)]


def _range_of(section: _Section) -> tuple[float, float]:
    """The powers of ten around all values of a section, with room for half a dot."""
    ends = [float(end) for row in section.rows for end in (row.values.min(), row.values.max())]
    ends += [row.low for row in section.rows if row.low is not None]
    ends += [row.high for row in section.rows if row.high is not None]
    ends += [section.line] if section.line else []
    return log_range(min(ends), max(ends), least=2)


def _stacked(row: _StrategyRow, low: float, high: float, width: float) -> _Dots:
    """The dots of a row `width` ems wide. Dots that would cover each other are stacked."""
    order = np.lexsort((row.hollow, row.values))
    if len(order) > MAX_DOTS:
        order = order[((np.arange(MAX_DOTS) + 0.5) / MAX_DOTS * len(order)).astype(np.int64)]
    values = row.values[order].astype(np.float64)
    ems = (width - 2 * _INSET) / np.log10(high / low)
    levels = np.zeros(len(values), np.int64)
    base = -np.inf
    for number, place in enumerate(np.log10(values) * ems):
        if place - base < _DOT:
            levels[number] = levels[number - 1] + 1
        else:
            base = place
    return _Dots(values, levels, row.hollow[order])


def _row_item(
    section: _Section,
    row: _StrategyRow,
    dots: _Dots,
    span: tuple[float, float],
    width: float,
    group: int,
    *,
    named: bool,
) -> Item:
    names = wrapped_text(row.name, width - 1.2, most=2, bold=True)
    caption = wrapped_text(row.caption, width, most=2)
    head = _BREAK + (len(names) + len(caption)) * LINE + 0.2

    def draw(page: Page, box: PageBox, headed: bool) -> None:
        colour = hex_of(page.theme.search_colour(row.number))
        y = page.write_name(box.x, box.y + _BREAK, names, colour)
        page.write_lines(box.x, y, caption, muted=True)
        plot = PageBox(box.x + _INSET, box.y + head, box.width - 2 * _INSET, _ROW)
        _draw_dots(page, plot, section, row, dots, colour, span, named=named)

    return Item(head + _ROW + (0.7 + LINE * SMALL if named else 0.0), draw, group=group)


def _draw_dots(
    page: Page,
    plot: PageBox,
    section: _Section,
    row: _StrategyRow,
    dots: _Dots,
    colour: str,
    span: tuple[float, float],
    *,
    named: bool,
) -> None:
    axes = page.axes(plot)
    axes.set_xscale("log")
    axes.set_xlim(*span)
    # Dots of stacks that are too high for the row overlap.
    unit = min(_DOT, (_ROW - _DOT) / (int(dots.levels.max()) + 1))
    axes.set_ylim(0, _ROW)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    ticks = ticks_of(
        axes.xaxis, plot.width, lambda tick: text_wide(count_text(tick), size=SMALL) + 0.5
    )
    page.name_ticks(axes.xaxis, ticks, [count_text(tick) if named else "" for tick in ticks])
    ink, thin = page.text_colour, 0.08 * page.em
    if section.line:
        axes.axvline(section.line, color=hex_of(page.theme.muted), linewidth=thin, linestyle=":")
    if row.low is not None and row.high is not None:
        axes.axvspan(row.low, row.high, color=colour, alpha=0.25, linewidth=0)
    axes.axvline(row.middle, color=ink, linewidth=1.5 * thin)
    up = dots.levels * unit + _DOT / 2
    for hollow in (False, True):
        chosen = dots.hollow == hollow
        if chosen.any():
            axes.plot(
                dots.values[chosen], up[chosen], "o", color=colour, clip_on=False,
                markersize=_DOT * page.em * 0.9, linestyle="none",
                markeredgewidth=0.09 * page.em if hollow else 0,
                markerfacecolor=hex_of(page.theme.cell) if hollow else colour,
                markeredgecolor=colour,
            )  # fmt: skip
