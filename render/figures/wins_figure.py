"""The figure of who wins where: the share of puzzles solved within so many nodes, what is left of
them, the wins by givens and by backtracks of the plain search, and the strategies in pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from render.figures.figure_page import (
    LINE,
    SMALL,
    WIDE,
    Item,
    Page,
    PageBox,
    fill_page,
    hex_of,
    natural_height,
    text_wide,
    wrapped_text,
)
from render.figures.scales import count_text, log_range, log_ticks
from render.figures.study_figure import check_figure
from render.style.theme import load_theme
from solver.errors import SettingsError
from solver.study.journal import OUTCOMES, Journal
from solver.study.summary import searched_text
from solver.study.wins import GroupWins, PairWins, WinSummary, solved_within
from solver.trace import Outcome

__all__ = ["draw_wins"]

_INCHES, _DPI = 10.0, 144
_CURVES = 9.0  # ems of the charts of curves
_BAR = 1.2
_ROOM = 0.55  # between rows
_SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)


def draw_wins(journal: Journal, wins: WinSummary, path: Path, suffix: str) -> None:
    """Draw who wins where into `path`. `suffix` is one of `render.figures.study_figure.FIGURES`.

    Raises SettingsError for another suffix and for a study of one strategy or no puzzle; OSError.
    """
    check_figure(suffix)
    if not wins.by_givens:
        raise SettingsError("a study of no puzzle has no figure", remedy="give a puzzle")
    if len(wins.strategies) < 2:
        raise SettingsError("a comparison of wins needs two strategies", remedy="name at least two")
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    theme = load_theme("light")
    nodes = journal.column("nodes")
    ended = journal.column("outcome") != OUTCOMES.index(Outcome.CAPPED)
    what = "puzzles" if wins.seeds == 1 else "searches"

    def items_of(width: float) -> tuple[list[Item], list[Item]]:
        items = [
            *_curves(f"Share of the {what} solved within so many nodes", nodes, ended, 0),
            *_curves(
                "Share not solved yet, both scales logarithmic (a heavy tail is a straight line)",
                nodes, ended, 1, left_over=True,
            ),
            *_bars("Wins by givens", wins.by_givens, 2, what),
            *_bars(f"Wins by backtracks of {wins.plain}", wins.by_backtracks, 3, what),
            *_pairs(wins, width, 4),
        ]  # fmt: skip
        return _header(wins, len(nodes), width), items

    header, items = items_of(WIDE - 2)
    metadata: dict[str, Any] = {".png": {"Software": None}, ".svg": {"Date": None}}.get(
        suffix, {"CreationDate": None}
    )
    with mpl.rc_context({"svg.hashsalt": "undoku"}):
        size = (_INCHES, _INCHES * natural_height(items, header) / WIDE)
        figure = Figure(figsize=size, dpi=_DPI, facecolor=hex_of(theme.ground))
        FigureCanvasAgg(figure)
        fill_page(figure, theme, items_of)
        figure.savefig(path, format=suffix[1:], metadata=metadata)


def _header(wins: WinSummary, count: int, width: float) -> list[Item]:
    lines = wrapped_text(
        f"{searched_text(count, wins.seeds)}: who needs the fewest nodes",
        width,
        size=1.15,
        bold=True,
    )
    names = [wrapped_text(name, width - 1.2, most=2, bold=True) for name in wins.strategies]

    def draw(page: Page, box: PageBox, headed: bool) -> None:
        y = box.y
        for line in lines:
            page.write(box.x, y, line, size=1.15, bold=True)
            y += 1.15 * LINE
        y += 0.3
        for number, parts in enumerate(names):
            page.fill(PageBox(box.x, y + 0.25, 0.8, 0.8), hex_of(page.theme.search_colour(number)))
            for part in parts:
                page.write(box.x + 1.2, y, part, bold=True)
                y += LINE

    return [Item(len(lines) * 1.15 * LINE + sum(map(len, names)) * LINE + 0.9, draw)]


def _heading(text: str, group: int) -> Item:
    lines = wrapped_text(text, WIDE - 2, bold=True)

    def draw(page: Page, box: PageBox, headed: bool) -> None:
        for number, line in enumerate(lines):
            page.write(box.x, box.y + number * LINE, line, bold=True, muted=True)

    return Item(len(lines) * LINE + 0.3, draw, group=group)


def _space(group: int) -> Item:
    return Item(1.0, lambda page, box, headed: None, group=group)


def _curves(
    heading: str,
    nodes: NDArray[np.int64],
    ended: NDArray[np.bool_],
    group: int,
    *,
    left_over: bool = False,
) -> list[Item]:
    """A curve for each strategy: the share solved within so many nodes, or what is left over."""
    low, high = log_range(1, float(nodes.max()), least=2)
    least = 10.0 ** np.floor(np.log10(1 / len(nodes)))
    inset = 3.4

    def draw(page: Page, box: PageBox, headed: bool) -> None:
        plot = PageBox(box.x + inset, box.y, box.width - inset - 1.3, _CURVES)
        axes = page.axes(plot)
        axes.set_xscale("log")
        axes.set_xlim(low, high)
        if left_over:
            axes.set_yscale("log")
            axes.set_ylim(least, 1)
            powers = range(round(np.log10(least)), 1)
            ticks = [10.0**power for power in powers]
        else:
            axes.set_ylim(0, 1)
            ticks = list(_SHARES)
        _name_ticks(axes.yaxis, ticks, [f"{100 * tick:.12g}%" for tick in ticks])
        places = log_ticks(low, high, plot.width, lambda text: text_wide(text, size=SMALL) + 0.5)
        _name_ticks(axes.xaxis, places, [count_text(place) for place in places])
        for number in range(nodes.shape[1]):
            steps, shares = solved_within(nodes[:, number], ended[:, number])
            xs = np.concatenate([[low], steps, [high]])
            ys = np.concatenate([[0.0], shares, shares[-1:] if len(shares) else [0.0]])
            if left_over:
                # What is below one puzzle is zero, which has no place on this scale.
                ys = np.where(1 - ys < 0.5 / len(nodes), np.nan, 1 - ys)
            axes.plot(
                xs, ys, drawstyle="steps-post", linewidth=0.14 * page.em,
                color=hex_of(page.theme.search_colour(number)),
            )  # fmt: skip

    return [
        _heading(heading, group),
        Item(_CURVES + 0.7 + LINE * SMALL, draw, group=group),
        _space(group),
    ]


def _name_ticks(axis: Any, places: Sequence[float], texts: Sequence[str]) -> None:
    from matplotlib.ticker import FixedFormatter, FixedLocator, NullLocator

    axis.set_minor_locator(NullLocator())
    axis.set_major_locator(FixedLocator(list(places)))
    axis.set_major_formatter(FixedFormatter(list(texts)))


def _bars(heading: str, groups: Sequence[GroupWins], group: int, what: str) -> list[Item]:
    """A bar for each group of puzzles or searches (`what`), in shares of the strategies' wins. What
    nobody wins alone is left grey at its end."""
    names = [f"{each.name} ({each.puzzles:,})" for each in groups]
    left = max(text_wide(name) for name in names) + 0.8
    height = len(groups) * (_BAR + _ROOM)

    def draw(page: Page, box: PageBox, headed: bool) -> None:
        width = box.width - left
        for row, each in enumerate(groups):
            y = box.y + row * (_BAR + _ROOM)
            page.write(box.x + left - 0.8, y - 0.05, names[row], align="right")
            x = box.x + left
            page.fill(PageBox(x, y, width, _BAR), hex_of(page.theme.line))
            for number, won in enumerate(each.wins):
                share = width * won / each.puzzles
                if won:
                    colour = hex_of(page.theme.search_colour(number))
                    page.fill(PageBox(x, y, share, _BAR), colour)
                x += share

    return [
        _heading(f"{heading} ({what} in brackets; grey: ties)", group),
        Item(height, draw, group=group),
        _space(group),
    ]


def _pairs(wins: WinSummary, width: float, group: int) -> list[Item]:
    """A row for each pair: how often the first needs fewer nodes, with the interval."""
    items = [_heading("In pairs: how often the first needs fewer nodes (ties left out)", group)]
    last = len(wins.pairs) - 1
    for number, pair in enumerate(wins.pairs):
        items.append(_pair_item(wins, pair, width, group, named=number == last))
    return items


def _pair_item(wins: WinSummary, pair: PairWins, width: float, group: int, *, named: bool) -> Item:
    named_pair = f"{wins.strategies[pair.first]} against {wins.strategies[pair.second]}"
    said = "all ties"
    if pair.rate is not None and pair.low is not None and pair.high is not None:
        said = f"{pair.rate:.1%} ({pair.low:.1%} to {pair.high:.1%}), {pair.ties:,} ties"
    lines = [*wrapped_text(named_pair, width, most=2), said]
    plot_height = 0.9

    def draw(page: Page, box: PageBox, headed: bool) -> None:
        for number, line in enumerate(lines):
            page.write(box.x, box.y + number * LINE, line, muted=number == len(lines) - 1)
        plot = PageBox(box.x + 1.5, box.y + len(lines) * LINE + 0.2, box.width - 3, plot_height)
        axes = page.axes(plot)
        axes.set_xlim(0, 1)
        axes.set_ylim(0, 1)
        axes.set_yticks([])
        axes.spines["left"].set_visible(False)
        _name_ticks(axes.xaxis, _SHARES, [f"{share:.0%}" if named else "" for share in _SHARES])
        axes.axvline(0.5, color=page.muted, linewidth=0.08 * page.em, linestyle=":")
        if pair.rate is None or pair.low is None or pair.high is None:
            return
        ahead = pair.first if pair.rate >= 0.5 else pair.second
        colour = hex_of(page.theme.search_colour(ahead))
        axes.plot([pair.low, pair.high], [0.5, 0.5], color=colour, linewidth=0.25 * page.em)
        axes.plot([pair.rate], [0.5], "o", color=colour, markersize=0.6 * page.em, clip_on=False)

    below = 0.7 + LINE * SMALL if named else 0.4
    return Item(len(lines) * LINE + 0.2 + plot_height + below, draw, group=group)
