"""A figure as a page: items one below the other, in one or more columns, with one size of letters.

Lengths are in ems, the size of the letters. A page of WIDE ems is legible on a phone: scaled to 360
pixels its letters are ten pixels high. If the items are taller than the page, letters are smaller;
if they are less tall, charts are taller.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from undoku.render.draw.colour_space import hex_of
from undoku.render.draw.theme import Theme
from undoku.render.draw.unicode_text import clusters
from undoku.render.figures.scales import axis_share, ticks_of
from undoku.texts.language import spoken

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

WIDE = 36.0
"""The ems of the width of a page with one column."""

LINE = 1.3
"""Of a line of text."""

SMALL = 0.85
"""Letters at ticks."""

_MARGIN = 1.0
_GAP = 1.6  # between columns
_BASE = 0.98  # from the top of a line to its baseline
_MAX_COLUMNS = 3

_SPACE = 0.4
"""The minimum distance in ems between two labels of an axis."""

_TICK = 0.2
"""Of the mark at a tick."""

_BELOW, _ASIDE = 0.4 + 0.75 * SMALL, 0.15
"""From the mark to the line that its label stands on, and to the end of its label."""


class PageBox(NamedTuple):
    """A place on the page: ems from the left and from the top."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Item:
    """`height` is the least height; `flex` its share of the remaining room. Items with the same
    `group` stay in one column. The first item of a column with a `head`, such as the titles of
    charts, is taller by that height, and drawn with `headed`: draw(page, box, headed)."""

    height: float
    draw: Callable[[Page, PageBox, bool], None]
    flex: float = 0.0
    group: int = 0
    head: float = 0.0


@dataclass(frozen=True)
class Page:
    """A figure with the size of its letters: `em` in points, the page in ems. What is placed on it
    begins where one begins to read: on the right in languages that run from right to left. Plots
    run from left to right in all of them."""

    figure: Figure
    theme: Theme
    em: float
    width: float
    height: float
    leftwards: bool = field(init=False)
    text_colour: str = field(init=False)
    muted: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "leftwards", spoken().right_to_left)
        object.__setattr__(self, "text_colour", hex_of(self.theme.text))
        object.__setattr__(self, "muted", hex_of(self.theme.muted))

    def write(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float = 1.0,
        bold: bool = False,
        muted: bool = False,
        to_end: bool = False,
    ) -> None:
        """A line of text; `y` is the top of the line, `x` where it begins, or, `to_end`, ends."""
        at = ((self.width - x if self.leftwards else x) / self.width,
              1 - (y + _BASE * size) / self.height)  # fmt: skip
        align = float(self.leftwards is not to_end)
        self._letter(text, at, size, align, bold=bold, muted=muted)

    def write_lines(
        self,
        x: float,
        y: float,
        lines: Sequence[str],
        *,
        size: float = 1.0,
        bold: bool = False,
        muted: bool = False,
    ) -> float:
        """Lines of text, the first as by `write`; returns the top of the line after the last."""
        for number, line in enumerate(lines):
            self.write(x, y + number * size * LINE, line, size=size, bold=bold, muted=muted)
        return y + len(lines) * size * LINE

    def _letter(
        self,
        text: str,
        at: tuple[float, float],
        size: float,
        align: float,
        *,
        shift: tuple[float, float] = (0.0, 0.0),
        bold: bool = False,
        muted: bool = False,
    ) -> None:
        from undoku.render.figures.matplotlib_parts import TextOutline

        self.figure.add_artist(
            TextOutline(
                text, size * self.em, at, self.figure,
                self.muted if muted else self.text_colour, bold=bold, align=align,
                shift=(shift[0] * self.em, shift[1] * self.em),
            )
        )  # fmt: skip

    def fill(self, box: PageBox, colour: str) -> None:
        """A rectangle of one colour."""
        from matplotlib.patches import Rectangle

        left, foot, width, height = self._shares(box)
        self.figure.add_artist(
            Rectangle(
                (left, foot),
                width,
                height,
                transform=self.figure.transFigure,
                facecolor=colour,
                edgecolor="none",
            )
        )

    def write_name(self, x: float, y: float, lines: Sequence[str], colour: str) -> float:
        """The name of a search in bold lines behind a square in its colour; returns the top of the
        line after the last."""
        self.fill(PageBox(x, y + 0.25, 0.8, 0.8), colour)
        return self.write_lines(x + 1.2, y, lines, bold=True)

    def _shares(
        self, box: PageBox, aside: float = 0.0, beside: float = 0.0
    ) -> tuple[float, float, float, float]:
        """Left, foot, width and height of a box without what is kept `aside` on its left and
        `beside` on its right, as shares of the figure."""
        left = self.width - box.x - box.width if self.leftwards else box.x
        return (
            (left + aside) / self.width,
            1 - (box.y + box.height) / self.height,
            (box.width - aside - beside) / self.width,
            box.height / self.height,
        )

    def axes(self, box: PageBox) -> Axes:
        """Axes that fill a box, in the theme's colours, without any tick."""
        axes = self.figure.add_axes(self._shares(box))
        axes.set_facecolor(hex_of(self.theme.cell))
        for side, spine in axes.spines.items():
            spine.set_visible(side in ("left", "bottom"))
            spine.set_color(hex_of(self.theme.strong_line))
            spine.set_linewidth(0.05 * self.em)
        axes.tick_params(
            which="both", length=_TICK * self.em, width=0.05 * self.em, colors=self.muted,
            labelbottom=False, labelleft=False,
        )  # fmt: skip
        axes.grid(visible=True, color=hex_of(self.theme.line), linewidth=0.04 * self.em)
        axes.set_axisbelow(True)
        return axes

    def name_axes(
        self,
        axes: Axes,
        box: PageBox,
        across: Callable[[float], str],
        up: Callable[[float], str],
        *,
        beyond: float,
        whole: bool = True,
    ) -> None:
        """Give `axes`, whose scales and ends are set, ticks with their labels, `across` and `up`.
        They get narrower, so that the labels beside them are within their `box`, and the last one
        below them is at most `beyond` ems outside; `whole` is for the vertical axis."""

        def wide(tick: float) -> float:
            return text_wide(across(tick), size=SMALL) + _SPACE

        ups = ticks_of(axes.yaxis, box.height, lambda tick: SMALL * LINE, whole=whole)
        aside = max(text_wide(up(tick), size=SMALL) for tick in ups) + 0.4
        last = ticks_of(axes.xaxis, box.width - aside, wide)[-1]
        after = (box.width - aside) * (1 - axis_share(axes.xaxis, last))
        beside = max(0.0, (wide(last) - _SPACE) / 2 - after - beyond)
        axes.set_position(self._shares(box, aside, beside))
        acrosses = ticks_of(axes.xaxis, box.width - aside - beside, wide)
        self.name_ticks(axes.yaxis, ups, [up(tick) for tick in ups])
        self.name_ticks(axes.xaxis, acrosses, [across(tick) for tick in acrosses])

    def name_ticks(self, axis: Axis, values: Sequence[float], labels: Sequence[str]) -> None:
        """Give an axis of `axes`, whose scale and ends are set, ticks at these values; "" is a tick
        without a label."""
        from matplotlib.axis import XAxis
        from matplotlib.ticker import FixedFormatter, FixedLocator, NullLocator

        axis.set_minor_locator(NullLocator())
        axis.set_major_locator(FixedLocator(list(values)))
        axis.set_major_formatter(FixedFormatter(list(labels)))
        below = isinstance(axis, XAxis)
        place = axis.axes.get_xaxis_transform() if below else axis.axes.get_yaxis_transform()
        shift = (0.0, -_TICK - _BELOW) if below else (-_TICK - _ASIDE, -0.35 * SMALL)
        for value, label in zip(values, labels, strict=True):
            if label:
                pixels = place.transform((value, 0.0) if below else (0.0, value))
                x, y = self.figure.transFigure.inverted().transform(pixels)
                align = 0.5 if below else 1.0
                self._letter(label, (x, y), SMALL, align, shift=shift, muted=True)


def text_wide(text: str, *, size: float = 1.0, bold: bool = False) -> float:
    """The width of a line of text in ems, with a small reserve."""
    from undoku.render.figures.matplotlib_parts import text_width_in_ems

    return text_width_in_ems(text, bold=bold) * size * 1.03


def wrapped_text(
    text: str, width: float, *, most: int = 3, size: float = 1.0, bold: bool = False
) -> list[str]:
    """The text in lines of at most `width` ems, broken at blanks, else behind a + or /, else
    between any two letters. Of what is beyond `most` lines the middle is cut, for names begin alike
    and differ at their end."""
    lines: list[str] = []
    rest = [*clusters(" ".join(text.split()))]

    def fits(*parts: Sequence[str]) -> bool:
        line = "…".join("".join(part).strip() for part in parts)
        return text_wide(line, size=size, bold=bold) <= width

    while rest and len(lines) < most:
        end = len(rest)
        if not fits(rest):
            counts = range(2, len(rest))
            end = 1 + bisect_left(counts, True, key=lambda count: not fits(rest[:count]))
            if len(lines) == most - 1:
                while end > 1 and not fits(rest[: end - end // 2], rest[len(rest) - end // 2 :]):
                    end -= 1
                head, tail = rest[: end - end // 2], rest[len(rest) - end // 2 :]
                return [*lines, f"{''.join(head).rstrip()}…{''.join(tail).lstrip()}"]
            ends = [at + (rest[at] in "+/") for at in range(1, end) if rest[at] in " +/"]
            ends += [end] if rest[end] == " " else []
            end = max(ends, default=end)
        lines.append("".join(rest[:end]).rstrip())
        rest = rest[end:]
        while rest and rest[0] == " ":
            rest = rest[1:]
    return lines


def text_item(
    text: str, width: float, below: float, *, size: float = 1.0, muted: bool = False, group: int = 0
) -> Item:
    """A bold text in lines of at most `width` ems, with so many ems `below` it."""
    lines = wrapped_text(text, width, size=size, bold=True)

    def draw(page: Page, box: PageBox, headed: bool) -> None:
        page.write_lines(box.x, box.y, lines, size=size, bold=True, muted=muted)

    return Item(len(lines) * size * LINE + below, draw, group=group)


def space_item(height: float, group: int) -> Item:
    """Room between items."""
    return Item(height, lambda page, box, headed: None, group=group)


def natural_height(items: Sequence[Item], header: Sequence[Item] = ()) -> float:
    """The height in ems of the items in one column, margins included."""
    return _height((*header, *items)) + 2 * _MARGIN


ItemsOf = Callable[[float], tuple[list[Item], list[Item]]]
"""The header, which spans the page, and the items, for columns of a width in ems."""


def fill_page(figure: Figure, theme: Theme, items_of: ItemsOf) -> Page:
    """Draw the items on the whole figure, in as many columns as give the largest letters."""
    wide, high = (72 * inches for inches in figure.get_size_inches())
    best = (0.0, 1)
    for columns in range(1, _MAX_COLUMNS + 1):
        header, items = items_of(WIDE - 2 * _MARGIN)
        if columns > len({item.group for item in items}):
            break
        across = columns * (WIDE - 2 * _MARGIN) + (columns - 1) * _GAP + 2 * _MARGIN
        tall = natural_height((), header) + max(map(_height, _split(items, columns)))
        em = min(wide / across, high / tall)
        if em > best[0] * 1.02:
            best = (em, columns)
    em, columns = best
    page = Page(figure, theme, em, wide / em, high / em)
    width = (page.width - 2 * _MARGIN - (columns - 1) * _GAP) / columns
    header, items = items_of(width)
    y = _MARGIN
    for item in header:
        item.draw(page, PageBox(_MARGIN, y, page.width - 2 * _MARGIN, item.height), False)
        y += item.height
    for number, column in enumerate(_split(items, columns)):
        x = _MARGIN + number * (width + _GAP)
        _fill_column(page, column, PageBox(x, y, width, page.height - _MARGIN - y))
    return page


def _fill_column(page: Page, items: Sequence[Item], box: PageBox) -> None:
    spare = max(0.0, box.height - _height(items))
    shares = sum(item.flex for item in items)
    y = box.y
    headed = next((number for number, item in enumerate(items) if item.head), -1)
    for number, item in enumerate(items):
        height = item.height + (spare * item.flex / shares if shares else 0)
        height += item.head * (number == headed)
        item.draw(page, PageBox(box.x, y, box.width, height), number == headed)
        y += height


def _height(items: Sequence[Item]) -> float:
    head = next((item.head for item in items if item.head), 0.0)
    return sum(item.height for item in items) + head


def _split(items: Sequence[Item], columns: int) -> list[list[Item]]:
    """The items in a number of columns, in their order, with the least height of the tallest
    column."""
    groups: list[list[Item]] = []
    for item in items:
        if not groups or groups[-1][0].group != item.group:
            groups.append([])
        groups[-1].append(item)
    heights = [_height(group) for group in groups]

    def cut(most: float) -> list[list[Item]]:
        made: list[list[Item]] = [[]]
        filled = 0.0
        for group, height in zip(groups, heights, strict=True):
            if made[-1] and filled + height > most + 1e-9:
                made.append([])
                filled = 0.0
            made[-1] += group
            filled += height
        return made

    limits = sorted(
        {sum(heights[a:b]) for a in range(len(groups)) for b in range(a + 1, len(groups) + 1)}
    )
    return next((made for limit in limits if len(made := cut(limit)) <= columns), [list(items)])
