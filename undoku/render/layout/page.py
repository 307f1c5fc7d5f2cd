"""The layout of a picture: panels placed for any even size and one to six searches.

Everything snaps to a grid of 16 pixels (a macroblock of H.264), or of 8 or 4 in small pictures, so
that changes cover few macroblocks."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

from undoku.errors import SettingsError
from undoku.render.draw.canvas import Rect
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import line_height, text_width
from undoku.render.draw.theme import TINTS
from undoku.render.layout.block_measures import USUAL_COUNTERS, TextSizes
from undoku.render.layout.block_placement import cut_into_blocks
from undoku.render.layout.blocks import Block, Form
from undoku.render.layout.form_choice import form_with_largest_texts, text_sizes
from undoku.render.layout.panel_kind import PanelKind
from undoku.texts.counter_kinds import CounterKind

MIN_SIDE = 160
MAX_SIDE = 8192

RING = 4
"""The maximum width in pixels of the frame around the board of a search that has ended."""

_SMALL = 240
"""Pictures of at most this height in pixels have neither title nor footer."""

_MIN_BOARD_SHARE = 0.7
"""The minimum share of the height of such a picture for boards, if possible."""

_TWO_LINES_FROM = 640
"""The shorter side in pixels from which the legend of the boards may have a line of its own."""

_SENTENCE_SHARE = 0.8
"""The size of the letters of a sentence about all searches, relative to the title."""

_MIN_SENTENCE_WIDTH = 40
"""The width, in sizes of its letters, below which a sentence about all searches has two lines."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A picture's regions. `panels` are the kinds of panels that each block has besides its board
    and its counters. `title`, `progress`, `footer` and `legend`, the legend of the backgrounds of
    boards, are None if they are omitted. All regions are within `safe`, the part that an app that
    plays the film does not cover; `inside` is `safe` without the margin around everything."""

    width: int
    height: int
    grid: int
    title: Rect | None
    blocks: tuple[Block, ...]
    panels: tuple[PanelKind, ...]
    progress: Rect | None
    footer: Rect | None
    text: TextSizes
    safe: Rect
    inside: Rect
    legend: Rect | None = None
    counters: tuple[CounterKind, ...] = USUAL_COUNTERS
    """The counters that the first boxes of each block show."""
    chart: Rect | None = None
    """The box of the chart that all searches share, if the picture has one."""
    sentence: Rect | None = None
    """The box of the sentences about all searches, if blocks have no room for sentences. The title
    is there while nothing is said."""
    board_legend: Rect | None = None
    """The box of the legend of the boards, on the left of the footer or below it: the scale of the
    tints of guesses, and marks."""
    laps: Rect | None = None
    """The box of a large number with a line below it, while one search goes on alone."""

    @property
    def sentence_size(self) -> int:
        """Pixels per em of the sentences about all searches."""
        return max(self.text.name, round(self.text.title * _SENTENCE_SHARE))

    @property
    def card_text(self) -> TextSizes:
        """The sizes of the end card's texts, which the boards do not make smaller."""
        name = max(self.text.name, round(self.text.title * _SENTENCE_SHARE))
        return replace(self.text, name=name, label=max(self.text.label, name * 5 // 6))

    @property
    def needs_surveys(self) -> bool:
        """Whether a panel is shown whose scale depends on the whole search."""
        return self.legend is not None or any(kind.survey for kind in self.panels)

    def regions(self) -> list[Rect]:
        """All regions in which something is drawn; they do not overlap."""
        lines = self.title, self.sentence, self.progress, self.footer, self.board_legend
        found = [rect for rect in (*lines, self.legend, self.chart, self.laps) if rect]
        for block in self.blocks:
            found += block.regions()
        return found


def arrange(
    width: int,
    height: int,
    searches: int,
    size: int = 9,
    *,
    title: bool = True,
    panels: Sequence[PanelKind] = (),
    legend: bool = False,
    sentence: bool = False,
    legend_texts: Sequence[str] = (),
    counters: Sequence[CounterKind] = USUAL_COUNTERS,
    margins: Sequence[Fraction] = (),
) -> Layout:
    """Lay out a picture of `width` × `height` pixels (both even) for `searches` boards of
    `size` × `size` cells, with those of `panels` for which there is room; a board is always shown.
    Texts are large enough to be read on a phone, but smaller if boards would otherwise lose much.
    With `sentence`, the title shares its place with sentences about all searches. With
    `legend_texts`, those at both ends of the scale of guesses and those of marks of boards, a part
    of the footer is reserved for the legend of the boards, or a line below it. Both have room only
    if there is a footer. `margins` stay empty: left, top, right and bottom, in percent of the width
    and the height, 0 for none.

    Raises SettingsError for a size that is odd, too small for the boards, or too large.
    """
    check_size(width, height)
    short = min(width, height)
    grid = grid_of(width, height)
    scale = min((width * height) ** 0.5 / 960, short / 560)
    text = text_sizes(scale, width, searches)
    margin = rounded_up(short / 30, grid)
    gap = max(4, rounded_up(short / 60, grid) // 2)
    small = height <= _SMALL
    safe = safe_area(width, height, margins)
    room = inner_area(safe, width, height, margin, margin)
    # Boards are on the grid and have room for a ring around them.
    x = rounded_up(room.x + (RING if room.x == safe.x else 0), grid)
    right = room.right - (RING if room.right == safe.right else 0)
    room = room._replace(x=x, width=right - x)
    top = room.y + (RING if room.y == safe.y else 0)
    title_box = sentence_box = None
    if (title or sentence) and not small:
        above = max(safe.y, margin - gap // 2)
        heading = Rect(room.x, above, room.width, line_height(Face.BOLD, text.title))
        if sentence:
            heading = sentence_box = _for_sentence(heading, text)
        else:
            title_box = heading
        top = rounded_up(heading.bottom + gap, grid)
    low = room._replace(height=min(safe.bottom, height - margin // 4) - room.y)
    lines = FooterLines(None, None) if small else lines_below(low, legend_texts, text.footer)
    least = -int(-_MIN_BOARD_SHARE * height // size) if small else 0

    def placed(
        lines: FooterLines,
    ) -> tuple[Form, TextSizes, tuple[Block, ...], Rect, Rect | None]:
        progress, bar, bottom = above_lines(lines, low, gap, grid, text if legend else None)
        area = Rect(room.x, top, room.width, bottom - top)
        form, sizes = form_with_largest_texts(
            area, searches, size, scale, text, gap, panels, counters, least
        )
        if form is None:
            raise SettingsError(
                f"{width}×{height} is too small for {searches} boards of size {size}",
                remedy="use a larger picture or fewer searches",
            )
        blocks = cut_into_blocks(area, form, searches, sizes, gap, grid)
        return form, sizes, blocks, progress, bar

    form, sizes, blocks, progress, legend_box = placed(lines)
    if lines.shortened and short >= _TWO_LINES_FROM and width > height:
        # With a line of its own the legend names all marks, unless boards or names lose by it.
        apart = lines_below(low, legend_texts, text.footer, apart=True)
        with suppress(SettingsError):
            lower, lower_sizes, lower_blocks, bar, legend_above = placed(apart)
            alike = lower == replace(form, height=lower.height) and lower_sizes == sizes
            names = zip(lower_blocks, blocks, strict=True)
            if alike and all(one.name.height >= other.name.height for one, other in names):
                lines, blocks = apart, lower_blocks
                progress, legend_box = bar, legend_above
    return Layout(
        width,
        height,
        grid,
        title_box,
        blocks,
        form.contents.extras,
        progress,
        lines.footer,
        sizes,
        safe,
        room,
        legend_box,
        tuple(counters),
        sentence=sentence_box,
        board_legend=lines.board_legend,
    )


def _for_sentence(title: Rect, text: TextSizes) -> Rect:
    """The box of the sentences about all searches in place of the box of a `title`: two lines high
    if it is narrow."""
    size = max(text.name, round(text.title * _SENTENCE_SHARE))
    lines = 2 if title.width < _MIN_SENTENCE_WIDTH * size else 1
    return title._replace(height=max(title.height, lines * line_height(Face.BOLD, size)))


def safe_area(width: int, height: int, margins: Sequence[Fraction]) -> Rect:
    """The picture without its margins: left, top, right and bottom, in percent of the width and the
    height; () for none."""
    left, above, right, below = (margin / 100 for margin in margins or (Fraction(0),) * 4)
    x, y = round(width * left), round(height * above)
    return Rect(x, y, width - round(width * right) - x, height - round(height * below) - y)


def inner_area(safe: Rect, width: int, height: int, across: int, along: int) -> Rect:
    """The part of `safe` at least `across` pixels from the picture's sides and `along` from its
    upper and lower edge."""
    x, y = max(safe.x, across), max(safe.y, along)
    right, bottom = min(safe.right, width - across), min(safe.bottom, height - along)
    return Rect(x, y, max(1, right - x), max(1, bottom - y))


def check_size(width: int, height: int) -> None:
    """Raise SettingsError for a size that is odd, too small or too large."""
    if not (MIN_SIDE <= width <= MAX_SIDE and MIN_SIDE <= height <= MAX_SIDE):
        raise SettingsError(
            f"{width}×{height} is out of range",
            remedy=f"take {MIN_SIDE} to {MAX_SIDE} pixels a side",
        )
    if width % 2 or height % 2:
        raise SettingsError(
            f"{width}×{height} has an odd side, which H.264 players do not support",
            remedy=f"take {width + width % 2}×{height + height % 2}",
        )


def grid_of(width: int, height: int) -> int:
    """The grid of a picture in pixels."""
    short = min(width, height)
    return 16 if short >= 640 else 8 if short >= 320 else 4


def rounded_up(pixels: float, grid: int) -> int:
    return -int(-pixels // grid) * grid


_SCALE_WIDTH = 1 + TINTS
"""The width of the scale of guesses without its texts, in sizes of their letters."""

_PATCH_WIDTH = 5 / 2
"""The width of a mark beside its text and the space around them, in the same sizes."""

_MIN_FOOTER_WIDTH = 35 / 2
"""The minimum width of a footer beside that scale, in sizes of its letters."""


class FooterLines(NamedTuple):
    """The lines below the progress bar: the footer and the legend of the boards, None if they are
    omitted. `shortened` states whether the legend has no room for all of its texts."""

    footer: Rect | None
    board_legend: Rect | None
    shortened: bool = False


def lines_below(
    room: Rect, legend_texts: Sequence[str], size: int, *, apart: bool = False
) -> FooterLines:
    """The footer at the bottom of `room`, in letters of `size` pixels per em, and on its left, or
    if `apart` on a line below it, the legend with `legend_texts`, if there are any: two at the ends
    of the scale, and further ones, each beside a mark, as many as there is room for. There is no
    legend where the footer would be too narrow even beside the scale alone."""
    high = line_height(Face.REGULAR, size)
    footer = Rect(room.x, room.bottom - high, room.width, high)
    if apart:
        return FooterLines(footer._replace(y=footer.y - high), footer)
    for count in range(len(legend_texts), 1, -1):
        wide = sum(text_width(each, Face.REGULAR, size) for each in legend_texts[:count])
        wide += round((_SCALE_WIDTH + _PATCH_WIDTH * (count - 2)) * size)
        left = wide + size
        if footer.width - left >= _MIN_FOOTER_WIDTH * size:
            inner = footer._replace(x=footer.x + left, width=footer.width - left)
            return FooterLines(inner, footer._replace(width=wide), count < len(legend_texts))
    return FooterLines(footer, None)


def above_lines(
    lines: FooterLines, room: Rect, gap: int, grid: int, text: TextSizes | None
) -> tuple[Rect, Rect | None, int]:
    """The progress bar above the lines at the bottom of `room`, above it the legend of backgrounds,
    if there is to be one with letters of the sizes `text`, and the bottom of the blocks."""
    low = lines.footer.y - gap // 2 if lines.footer else room.bottom
    bar = max(2, grid // 4)
    progress = Rect(room.x, (low - bar) // 2 * 2, room.width, bar)
    bottom = progress.y - gap
    if text is None:
        return progress, None, bottom
    line = line_height(Face.REGULAR, text.label) + 4
    legend = Rect(room.x, bottom - line, room.width, line)
    return progress, legend, legend.y - gap
