"""The steps of searches side by side: bars from zero, or dots if they differ too much."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from undoku.render.figures.axes import Account
from undoku.render.figures.figure_page import (
    LINE,
    SMALL,
    Item,
    Page,
    PageBox,
    hex_of,
    text_wide,
    wrapped_text,
)
from undoku.render.figures.scales import count_text, log_range, log_ticks
from undoku.solver.trace.trace import Outcome
from undoku.texts import figure_texts as say
from undoku.texts import wording as film_say

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["MAX_LINEAR", "steps_text", "totals_item"]

MAX_LINEAR = 1000
"""If the steps differ by a larger factor, they are dots on a log scale, because the shortest bar
would be less than a pixel."""

_BAR = 1.1  # ems, with its number
_AFTER = 0.7
_MIN_LENGTH = 0.12  # the least length of a bar


def steps_text(account: Account) -> str:
    """ "534 steps", with a note for a capped search."""
    steps = film_say.STEPS(count=account.tally.steps)
    if account.tally.outcome is not Outcome.CAPPED:
        return steps
    return film_say.LIST_MIDDLE(first=say.AT_LEAST(number=steps), rest=film_say.CAPPED())


def totals_item(accounts: Sequence[Account], width: float, group: int) -> Item:
    """One row for each search, `width` ems wide: its name, and below a bar with its number."""
    names = [wrapped_text(one.header.label, width - 1, most=2, bold=True) for one in accounts]
    log = _is_log(accounts)
    rows = [len(lines) * LINE + _BAR + _AFTER for lines in names]
    foot = LINE * SMALL + 0.7 if log else 0.0
    heading = wrapped_text((say.STEPS_BY_TENS if log else say.STEPS_HEADING)(), width, bold=True)

    def draw(page: Page, box: PageBox, headed: bool) -> None:
        _draw(page, box, accounts, heading, names, rows, log=log)

    return Item((len(heading) + 0.1) * LINE + 0.3 + sum(rows) + foot, draw, group=group)


def _is_log(accounts: Sequence[Account]) -> bool:
    steps = [max(1, account.tally.steps) for account in accounts]
    return max(steps) > MAX_LINEAR * min(steps)


def _draw(
    page: Page,
    box: PageBox,
    accounts: Sequence[Account],
    heading: Sequence[str],
    names: Sequence[Sequence[str]],
    rows: Sequence[float],
    *,
    log: bool,
) -> None:
    texts = [steps_text(account) for account in accounts]
    for number, line in enumerate(heading):
        page.write(box.x, box.y + number * LINE, line, bold=True, muted=True)
    top = box.y + (len(heading) + 0.1) * LINE + 0.3
    plot = PageBox(box.x, top, box.width - max(map(text_wide, texts)) - 1.2, sum(rows))
    axes = page.axes(plot)
    axes.patch.set_visible(False)
    axes.spines[["left", "bottom"]].set_visible(False)
    axes.grid(visible=False)
    axes.set_ylim(plot.height, 0)
    largest = max(1, *(account.tally.steps for account in accounts))
    if log:
        low, high = log_range(1, largest)
        axes.set_xscale("log")
        axes.set_xlim(low, high)
        axes.xaxis.set_inverted(page.leftwards)
        _mark_powers(page, axes, low, high, plot.width)
    else:
        axes.set_xlim(0, largest)
        axes.xaxis.set_inverted(page.leftwards)
        axes.set_xticks([])
    axes.set_yticks([])
    y = 0.0
    for account, lines, text, row in zip(accounts, names, texts, rows, strict=True):
        for number, line in enumerate(lines):
            page.write(box.x, top + y + number * LINE, line, bold=True)
        middle = y + len(lines) * LINE + _BAR / 2
        if log:
            end = _draw_dot(page, axes, account, middle, plot, text_wide(text))
        else:
            end = _draw_bar(axes, account, middle, plot, largest)
        page.write(plot.x + end + 0.5, top + middle - LINE / 2, text)
        y += row


def _mark_powers(page: Page, axes: Axes, low: float, high: float, width: float) -> None:
    named = log_ticks(low, high, width, lambda tick: text_wide(count_text(tick), size=SMALL) + 0.5)
    powers = [10.0**power for power in range(round(math.log10(high)) + 1)]
    page.name_ticks(
        axes.xaxis, powers, [count_text(power) if power in named else "" for power in powers]
    )


def _draw_bar(axes: Axes, account: Account, middle: float, plot: PageBox, largest: int) -> float:
    """Draw the bar of a search; returns its end in ems."""
    steps = account.tally.steps
    shown = max(steps, _MIN_LENGTH / plot.width * largest if steps else 0)
    axes.barh(middle, shown, _BAR * 0.8, color=account.colour)
    return plot.width * shown / largest


def _draw_dot(
    page: Page, axes: Axes, account: Account, middle: float, plot: PageBox, label: float
) -> float:
    """Draw the dot of a search and the marks that leave room for its `label`, in ems; returns its
    end in ems."""
    steps = account.tally.steps
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
            [steps], [middle], "o", markersize=0.8 * page.em, color=account.colour,
            clip_on=False, zorder=3,
        )  # fmt: skip
    return end
