"""The figure of wins: the shares of puzzles solved and not solved within a number of nodes, the
wins by givens and by backtracks of the plain search, and the strategies in pairs.

Each strategy has charts of its own, with the curves of the others thin and grey behind its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.errors import SettingsError
from undoku.render.draw.colour_space import hex_of, mix
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
    log_range,
    percent_text,
    share_text,
)
from undoku.render.figures.study_figure import searched_text
from undoku.solver.study.journal import OUTCOMES, Journal
from undoku.solver.study.summary import GroupWins, PairWins, WinSummary, solved_within
from undoku.solver.trace.trace import Outcome
from undoku.texts import wording as say
from undoku.texts.language import number as number_text

_ACROSS = 3  # charts of curves side by side
_CURVES = 5.0  # ems of a chart of curves
_GAP = 1.2  # between two of them
_BAR = 1.2
_ROOM = 0.55  # between rows
_PALE = 0.45  # of the others' curves, between the background and muted texts
_SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)


def draw_wins(journal: Journal, wins: WinSummary, path: Path, suffix: str) -> None:
    """Draw the figure of wins to `path`. The strategies go by the names that they have in `wins`.
    `suffix` is one of `undoku.render.figures.figure_file.FIGURES`.

    Raises SettingsError for a study of one strategy or no puzzle; OSError.
    """
    if not wins.by_givens:
        raise SettingsError("a figure needs at least one puzzle", remedy="give a puzzle")
    if len(wins.strategies) < 2:
        raise SettingsError("a comparison of wins needs two strategies", remedy="name at least two")
    nodes = journal.column("nodes")
    ended = journal.column("outcome") != OUTCOMES.index(Outcome.CAPPED)
    once = wins.seeds == 1
    by_givens = say.WINS_BY_GIVENS if once else say.WINS_BY_GIVENS_SEEDS
    by_backtracks = say.WINS_BY_BACKTRACKS if once else say.WINS_BY_BACKTRACKS_SEEDS

    def items_of(width: float) -> tuple[list[Item], list[Item]]:
        items = [
            *_curves(say.SOLVED_WITHIN(), _solved(nodes, ended), wins, width, 0),
            *_curves(say.NOT_SOLVED_YET(), _left_over(nodes, ended), wins, width, 1),
            *_bars(by_givens(), wins.by_givens, width, 2),
            *_bars(by_backtracks(strategy=wins.plain), wins.by_backtracks, width, 3),
            *_pairs(wins, width, 4),
        ]
        return _header(wins, len(nodes), width), items

    save_figure(figure_of(items_of, load_theme("light")), path, suffix)


def _header(wins: WinSummary, count: int, width: float) -> list[Item]:
    caption = say.FEWEST_NODES(searched=searched_text(count, wins.seeds))
    lines = wrapped_text(caption, width, size=1.15, bold=True)
    names = [wrapped_text(name, width - 1.2, most=2, bold=True) for name in wins.strategies]

    def draw(page: Page, box: PageBox, headed: bool) -> None:
        y = page.write_lines(box.x, box.y, lines, size=1.15, bold=True) + 0.3
        for number, parts in enumerate(names):
            y = page.write_name(box.x, y, parts, hex_of(page.theme.search_colour(number)))

    return [Item(len(lines) * 1.15 * LINE + sum(map(len, names)) * LINE + 0.9, draw)]


def _heading(text: str, width: float, group: int) -> Item:
    return text_item(text, width, 0.3, muted=True, group=group)


class _Curves(NamedTuple):
    """A curve for each strategy, (xs, percent), the ends of the axis of nodes, and the lower end of
    the other one, which is `log`arithmic or not."""

    curves: Sequence[tuple[NDArray[np.float64], NDArray[np.float64]]]
    span: tuple[float, float]
    low: float
    log: bool


def _solved(nodes: NDArray[np.int64], ended: NDArray[np.bool_]) -> _Curves:
    """The percentage solved within so many nodes."""
    low, high = log_range(1, float(nodes.max()), least=2)
    curves = []
    for number in range(nodes.shape[1]):
        steps, shares = solved_within(nodes[:, number], ended[:, number])
        last = shares[-1:] if len(shares) else [0.0]
        percent = 100 * np.concatenate([[0], shares, last])
        curves.append((np.concatenate([[low], steps, [high]]), percent))
    return _Curves(curves, (low, high), 0.0, log=False)


def _left_over(nodes: NDArray[np.int64], ended: NDArray[np.bool_]) -> _Curves:
    """What is not solved yet after so many nodes, on a logarithmic scale."""
    solved = _solved(nodes, ended)
    # A single puzzle also needs an axis with two ends.
    single = 100 / len(nodes)
    least = min(10.0, log_range(single, 100)[0])
    # Shares below one puzzle are zero, which a log scale can't show.
    curves = [(xs, np.where(100 - ys < single / 2, np.nan, 100 - ys)) for xs, ys in solved.curves]
    return _Curves(curves, solved.span, least, log=True)


def _curves(heading: str, shown: _Curves, wins: WinSummary, width: float, group: int) -> list[Item]:
    """Rows of charts on common scales: one for each strategy, with the others behind it."""
    items = [_heading(heading, width, group)]
    count = len(shown.curves)
    across = min(_ACROSS, count)
    for first in range(0, count, across):
        numbers = range(first, min(first + across, count))
        items.append(_charts_item(shown, wins, numbers, across, width, group))
    return [*items, space_item(1.0, group)]


def _charts_item(
    shown: _Curves, wins: WinSummary, numbers: range, across: int, width: float, group: int
) -> Item:
    wide = (width - (across - 1) * _GAP) / across
    names = [wrapped_text(wins.strategies[number], wide, most=2, size=SMALL) for number in numbers]
    head = max(map(len, names)) * LINE * SMALL + 0.3

    def draw(page: Page, box: PageBox, headed: bool) -> None:
        wide = (box.width - (across - 1) * _GAP) / across
        for place, number in enumerate(numbers):
            x = box.x + place * (wide + _GAP)
            page.write_lines(x, box.y, names[place], size=SMALL)
            _draw_curves(page, PageBox(x, box.y + head, wide, _CURVES), shown, number)

    return Item(head + _CURVES + 0.9 + LINE * SMALL, draw, group=group)


def _draw_curves(page: Page, box: PageBox, shown: _Curves, number: int) -> None:
    axes = page.axes(box)
    axes.set_xscale("log")
    axes.set_xlim(*shown.span)
    axes.set_yscale("log" if shown.log else "linear")
    axes.set_ylim(shown.low, 100)
    page.name_axes(axes, box, count_text, percent_text, beyond=_GAP / 2)
    pale = mix(page.theme.cell, page.theme.muted, _PALE)
    others = [other for other in range(len(shown.curves)) if other != number]
    for other in (*others, number):
        own = other == number
        colour = page.theme.search_colour(number) if own else pale
        axes.plot(
            *shown.curves[other], drawstyle="steps-post", color=hex_of(colour),
            linewidth=(0.14 if own else 0.06) * page.em,
        )  # fmt: skip


def _bars(heading: str, groups: Sequence[GroupWins], width: float, group: int) -> list[Item]:
    """A bar for each group of puzzles or searches, in shares of the strategies' wins. What
    nobody wins alone is left grey at its end."""
    names = [_group_name(each) for each in groups]
    left = max(text_wide(name) for name in names) + 0.8
    height = len(groups) * (_BAR + _ROOM)

    def draw(page: Page, box: PageBox, headed: bool) -> None:
        width = box.width - left
        for row, each in enumerate(groups):
            y = box.y + row * (_BAR + _ROOM)
            page.write(box.x + left - 0.8, y - 0.05, names[row], to_end=True)
            x = box.x + left
            page.fill(PageBox(x, y, width, _BAR), hex_of(page.theme.line))
            for number, won in enumerate(each.wins):
                share = width * won / each.puzzles
                if won:
                    colour = hex_of(page.theme.search_colour(number))
                    page.fill(PageBox(x, y, share, _BAR), colour)
                x += share

    return [
        _heading(heading, width, group),
        Item(height, draw, group=group),
        space_item(1.0, group),
    ]


def _group_name(group: GroupWins) -> str:
    """ "100–999 (1,234)": the numbers of a group, and how many are in it."""
    least, most = map(number_text, (group.least, group.most))
    name = least if least == most else say.RANGE(least=least, most=most)
    return say.IN_BRACKETS(name=name, number=group.puzzles)


def _pairs(wins: WinSummary, width: float, group: int) -> list[Item]:
    """A row for each pair: how often the first strategy needs fewer nodes, with the interval."""
    items = [_heading(say.IN_PAIRS(), width, group)]
    last = len(wins.pairs) - 1
    for number, pair in enumerate(wins.pairs):
        items.append(_pair_item(wins, pair, width, group, named=number == last))
    return items


def _pair_item(wins: WinSummary, pair: PairWins, width: float, group: int, *, named: bool) -> Item:
    first, second = wins.strategies[pair.first], wins.strategies[pair.second]
    caption = say.ALL_TIES()
    if pair.rate is not None and pair.low is not None and pair.high is not None:
        rate, low, high = (share_text(share, 1) for share in (pair.rate, pair.low, pair.high))
        caption = say.WIN_RATE(share=rate, low=low, high=high, count=pair.ties)
    named_pair = wrapped_text(say.AGAINST(first=first, second=second), width, most=2)
    captions = wrapped_text(caption, width, most=2)
    lines = len(named_pair) + len(captions)
    plot_height = 0.9

    def draw(page: Page, box: PageBox, headed: bool) -> None:
        y = page.write_lines(box.x, box.y, named_pair)
        page.write_lines(box.x, y, captions, muted=True)
        plot = PageBox(box.x + 1.5, box.y + lines * LINE + 0.2, box.width - 3, plot_height)
        axes = page.axes(plot)
        axes.set_xlim(0, 1)
        axes.set_ylim(0, 1)
        axes.set_yticks([])
        axes.spines["left"].set_visible(False)
        labels = [percent_text(100 * share) if named else "" for share in _SHARES]
        page.name_ticks(axes.xaxis, _SHARES, labels)
        axes.axvline(0.5, color=page.muted, linewidth=0.08 * page.em, linestyle=":")
        if pair.rate is None or pair.low is None or pair.high is None:
            return
        ahead = pair.first if pair.rate >= 0.5 else pair.second
        colour = hex_of(page.theme.search_colour(ahead))
        axes.plot([pair.low, pair.high], [0.5, 0.5], color=colour, linewidth=0.25 * page.em)
        axes.plot([pair.rate], [0.5], "o", color=colour, markersize=0.6 * page.em, clip_on=False)

    below = 0.7 + LINE * SMALL if named else 0.4
    return Item(lines * LINE + 0.2 + plot_height + below, draw, group=group)
