"""A figure of one or more searches, for a post or a paper, drawn by matplotlib.

It begins with the reason for a difference, how many digits of each search had no alternative. Then
it shows the number of steps of each search, as bars from zero, or dots if they differ too much, and
a row of small charts for each, all on common scales. Letters are as large as the shape of the
figure allows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from undoku.errors import SettingsError
from undoku.render.draw.colour_space import hex_of
from undoku.render.draw.theme import load_theme
from undoku.render.draw.typesetting import Typesetting
from undoku.render.figures.chart_panels import (
    COLUMNS,
    FOOT,
    PANELS,
    Scales,
    SearchResult,
    draw_panel,
)
from undoku.render.figures.figure_file import figure_of
from undoku.render.figures.figure_page import (
    LINE,
    SMALL,
    Item,
    Page,
    PageBox,
    text_item,
    text_wide,
    wrapped_text,
)
from undoku.render.figures.scales import count_text, log_range, share_text, ticks_of
from undoku.render.film.search_labels import labelled
from undoku.render.playback.choices import Choices
from undoku.render.playback.history import Depths
from undoku.solver.trace.steps import fold
from undoku.solver.trace.trace import Header, Outcome, Tally, Trace
from undoku.texts import wording as say

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from undoku.render.figures.matplotlib_parts import ShownFigure

MAX_SEARCHES = 6
"""The maximum number of searches in one figure."""

_ROW = 4.2  # ems of a row of small charts
_GAP = 1.4
_BREAK = 0.9  # between two searches


def figure(
    traces: Sequence[Trace],
    theme: str = "light",
    *,
    title: str = "",
    size: tuple[float, float] | None = None,
    labels: Sequence[str] = (),
    texts: str = "",
    font: str = "",
) -> ShownFigure:
    """The matplotlib figure of one to six traces: their steps side by side, and for each depth
    over time, nodes per depth, children per node and options at choice. `size` is in inches; by
    default 10 across and as high as the charts need for letters that can be read on a phone.
    `labels` are the names of the first traces, `texts` the language and `font` the typeface, as a
    film has them. Each trace is read once, or twice when its steps are not known yet.

    Raises SettingsError for too many traces, more labels than traces, or an unknown theme, language
    or font.
    """
    if not 1 <= len(traces) <= MAX_SEARCHES:
        raise SettingsError(
            f"a chart can't show {len(traces)} searches", remedy=f"give 1 to {MAX_SEARCHES}"
        )
    colours = load_theme(theme)
    typesetting = Typesetting.of(texts, font)
    with typesetting.about(traces[0].header.puzzle.problem).within():
        headers = labelled((trace.header for trace in traces), labels)
        results = [
            search_result(trace, header, hex_of(colours.search_colour(number)))
            for number, (trace, header) in enumerate(zip(traces, headers, strict=True))
        ]
        scales = Scales.of(results)

        def items_of(width: float) -> tuple[list[Item], list[Item]]:
            header = [text_item(title, width, 0.7, size=1.3)] if title.strip() else []
            return header, _items(results, scales, width)

        return figure_of(items_of, colours, size)


def _items(results: Sequence[SearchResult], scales: Scales, width: float) -> list[Item]:
    """The digits without alternative and the steps of all searches, then the charts of each; those
    of a single search are arranged two by two."""
    items = [_alternatives_item(results, width)]
    if len(results) > 1:
        items.append(_totals_item(results, width))
    across = len(PANELS) if len(results) > 1 else 2
    for number, result in enumerate(results, 1):
        items.append(_name_item(result, width, number, alone=len(results) == 1))
        for first in range(0, len(PANELS), across):
            items.append(_panels_item(result, scales, first, across, number, width))
    return items


def alternatives_text(tally: Tally) -> str:
    """How many digits of a search had no alternative, with their share."""
    share = share_text(tally.forced / max(1, tally.places), 0)
    places, guessed = tally.places, tally.guessed
    return say.WITHOUT_ALTERNATIVE(forced=tally.forced, places=places, share=share, count=guessed)


def _alternatives_item(results: Sequence[SearchResult], width: float) -> Item:
    """A sentence for each search; that of one of several begins with its name."""
    lines: list[str] = []
    for result in results:
        text = alternatives_text(result.tally)
        if len(results) > 1:
            text = say.LABELLED(label=result.header.label, sentence=text)
        lines += wrapped_text(text, width)

    def draw(page: Page, box: PageBox, headed: bool) -> None:
        page.write_lines(box.x, box.y, lines)

    return Item(len(lines) * LINE + _GAP, draw)


def _name_item(result: SearchResult, width: float, group: int, *, alone: bool) -> Item:
    """A square in the colour of a search, its name, and its counts."""
    tally, header = result.tally, result.header
    names = wrapped_text(header.label, width - 1.2, most=2, bold=True)
    counted = steps_text(result) if alone else ""
    for count in (
        say.NODES(count=tally.nodes),
        say.BACKTRACKS(count=tally.backtracks),
        *([say.CAPPED()] if tally.outcome is Outcome.CAPPED and not alone else []),
    ):
        counted = say.LIST_MIDDLE(first=counted, rest=count) if counted else count
    if header.strategy not in ("", header.label):
        counted = say.LABELLED(label=header.strategy, sentence=counted)
    counts = wrapped_text(counted, width, most=2)

    def draw(page: Page, box: PageBox, headed: bool) -> None:
        y = page.write_name(box.x, box.y + _BREAK, names, result.colour)
        page.write_lines(box.x, y, counts, muted=True)

    return Item(_BREAK + (len(names) + len(counts)) * LINE + 0.3, draw, group=group)


def _panels_item(
    result: SearchResult, scales: Scales, first: int, across: int, group: int, width: float
) -> Item:
    """Charts side by side; the first of a column, and those of a single search, have titles."""
    shown = PANELS[first : first + across]
    alone = across < len(PANELS)
    wide = (width - (across - 1) * _GAP) / across
    titles = [wrapped_text(panel.title(), wide + _GAP / 2, size=SMALL) for panel in shown]
    head = max(map(len, titles)) * LINE * SMALL + 0.4

    def draw(page: Page, box: PageBox, headed: bool) -> None:
        wide = (box.width - (across - 1) * _GAP) / across
        above = head if headed or alone else 0.4
        for number, panel in enumerate(shown):
            x = box.x + number * (wide + _GAP)
            if headed or alone:
                page.write_lines(x, box.y, titles[number], size=SMALL, muted=True)
            place = PageBox(x, box.y + above, wide, box.height - above)
            draw_panel(page, place, panel, result, scales)

    tall = (1.5 if alone else 1.0) * _ROW + FOOT
    if alone:
        return Item(head + tall + 0.4, draw, flex=1, group=group)
    return Item(0.4 + tall, draw, flex=1, group=group, head=head - 0.4)


def search_result(trace: Trace, header: Header, colour: str) -> SearchResult:
    tally = trace.tally()
    depths = Depths(trace.header.puzzle, COLUMNS, tally.steps)
    choices = Choices(trace.header.puzzle)
    fold(trace, (depths, choices))
    return SearchResult(header, tally, depths, choices, colour)


MAX_LINEAR = 1000
"""If the steps differ by a larger factor, they are dots on a log scale, because the shortest bar
would be less than a pixel."""

_BAR = 1.1  # ems, with its number
_AFTER = 0.7
_MIN_LENGTH = 0.12  # the least length of a bar


def steps_text(result: SearchResult) -> str:
    """ "534 steps", with a note for a capped search."""
    steps = say.STEPS(count=result.tally.steps)
    if result.tally.outcome is not Outcome.CAPPED:
        return steps
    return say.LIST_MIDDLE(first=say.AT_LEAST(number=steps), rest=say.CAPPED())


def _totals_item(results: Sequence[SearchResult], width: float) -> Item:
    """One row for each search, `width` ems wide: its name, and below a bar with its number."""
    names = [wrapped_text(one.header.label, width - 1, most=2, bold=True) for one in results]
    steps = [max(1, result.tally.steps) for result in results]
    largest = max(steps)
    log = largest > MAX_LINEAR * min(steps)
    rows = [len(lines) * LINE + _BAR + _AFTER for lines in names]
    foot = LINE * SMALL + 0.7 if log else 0.0
    heading = wrapped_text((say.STEPS_BY_TENS if log else say.STEPS_HEADING)(), width, bold=True)
    texts = [steps_text(result) for result in results]
    head = (len(heading) + 0.1) * LINE + 0.3

    def draw(page: Page, box: PageBox, headed: bool) -> None:
        page.write_lines(box.x, box.y, heading, bold=True, muted=True)
        top = box.y + head
        plot = PageBox(box.x, top, box.width - max(map(text_wide, texts)) - 1.2, sum(rows))
        axes = page.axes(plot)
        axes.patch.set_visible(False)
        axes.spines[["left", "bottom"]].set_visible(False)
        axes.grid(visible=False)
        axes.set_ylim(plot.height, 0)
        if log:
            low, high = log_range(1, largest)
            axes.set_xscale("log")
            axes.set_xlim(low, high)
            axes.xaxis.set_inverted(page.leftwards)
            named = ticks_of(
                axes.xaxis, plot.width, lambda tick: text_wide(count_text(tick), size=SMALL) + 0.5
            )
            powers = [10.0**power for power in range(round(math.log10(high)) + 1)]
            labels = [count_text(power) if power in named else "" for power in powers]
            page.name_ticks(axes.xaxis, powers, labels)
        else:
            axes.set_xlim(0, largest)
            axes.xaxis.set_inverted(page.leftwards)
            axes.set_xticks([])
        axes.set_yticks([])
        y = 0.0
        for result, lines, text, row in zip(results, names, texts, rows, strict=True):
            page.write_lines(box.x, top + y, lines, bold=True)
            middle = y + len(lines) * LINE + _BAR / 2
            if log:
                end = _draw_dot(page, axes, result, middle, plot, text_wide(text))
            else:
                end = _draw_bar(axes, result, middle, plot, largest)
            page.write(plot.x + end + 0.5, top + middle - LINE / 2, text)
            y += row

    return Item(head + sum(rows) + foot, draw, group=0)


def _draw_bar(
    axes: Axes, result: SearchResult, middle: float, plot: PageBox, largest: int
) -> float:
    """Draw the bar of a search; returns its end in ems."""
    steps = result.tally.steps
    shown = max(steps, _MIN_LENGTH / plot.width * largest if steps else 0)
    axes.barh(middle, shown, _BAR * 0.8, color=result.colour)
    return plot.width * shown / largest


def _draw_dot(
    page: Page, axes: Axes, result: SearchResult, middle: float, plot: PageBox, label: float
) -> float:
    """Draw the dot of a search and the marks that leave room for its `label`, in ems; returns its
    end in ems."""
    steps = result.tally.steps
    low, high = sorted(axes.get_xlim())
    per_power = plot.width / math.log10(high)
    end = per_power * math.log10(steps) + 0.4 if steps else 0.0
    powers = [
        10.0**power
        for power in range(round(math.log10(high)) + 1)
        if not end < per_power * power < end + 1 + label
    ]
    line, thin = hex_of(page.theme.line), 0.06 * page.em
    axes.vlines(powers, middle - _BAR / 2, middle + _BAR / 2, color=line, linewidth=thin)
    if steps:
        axes.hlines(middle, low, steps, color=line, linewidth=thin)
        axes.plot(
            [steps], [middle], "o", markersize=0.8 * page.em, color=result.colour,
            clip_on=False, zorder=3,
        )  # fmt: skip
    return end
