"""The layout of a picture: panels placed for any even size and one to six searches.

Everything snaps to a grid of 16 pixels (a macroblock of H.264), or of 8 or 4 in small pictures, so
that changes cover few macroblocks."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from undoku.errors import SettingsError
from undoku.render.draw.canvas import Rect
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import line_height
from undoku.render.layout.block_measures import USUAL_COUNTERS, TextSizes, text_sizes
from undoku.render.layout.blocks import Block, blocks_in
from undoku.render.layout.panel_kind import PanelKind
from undoku.texts.counter_kinds import CounterKind

MIN_SIDE = 160
MAX_SIDE = 8192

RING = 4
"""The maximum width in pixels of the frame around the board of a search that has ended."""

_SMALL = 240
"""Pictures of at most this height in pixels have neither title nor footer."""

_TEXT_SHARES = (1, 0.85, 0.76, 0.68)
"""The size of texts in pictures of many boards, as shares of their usual size."""

_MIN_BOARD_SHARE = 0.7
"""The minimum share of the height of such a picture for boards, if possible."""


class Layout(NamedTuple):
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
    """The box of the sentences of a story or of cues. It takes the place of the title."""
    laps: Rect | None = None
    """The box of a large number with a line below it, while one search goes on alone."""

    @property
    def needs_histories(self) -> bool:
        """Whether a panel is shown whose scale depends on the whole search."""
        return self.legend is not None or any(kind.whole_history for kind in self.panels)

    def regions(self) -> list[Rect]:
        """All regions in which something is drawn; they do not overlap."""
        lines = self.title, self.sentence, self.progress, self.footer
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
    counters: Sequence[CounterKind] = USUAL_COUNTERS,
    margins: Sequence[Fraction] = (),
) -> Layout:
    """Lay out a picture of `width` × `height` pixels (both even) for `searches` boards of
    `size` × `size` cells, with those of `panels` for which there is room; a board is always shown.
    Texts are large enough to be read on a phone, but smaller if boards would otherwise lose much.
    With `sentence`, the title shares its place with sentences. `margins` stay empty: left, top,
    right and bottom, in percent of the width and the height, 0 for none.

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
    high = line_height(Face.REGULAR, text.footer)
    footer = None if small else Rect(low.x, low.bottom - high, low.width, high)
    progress, legend_box, bottom = _above_footer(footer, low, gap, grid, text if legend else None)
    least = -int(-_MIN_BOARD_SHARE * height // size) if small else 0
    area = Rect(room.x, top, room.width, bottom - top)
    texts = [text_sizes(scale * share, area.width, searches, text) for share in _TEXT_SHARES]
    found = blocks_in(area, searches, size, texts, gap, grid, panels, counters, least)
    if found is None:
        raise too_small(width, height, searches, size)
    form, blocks = found
    return Layout(
        width,
        height,
        grid,
        title_box,
        blocks,
        form.extras,
        progress,
        footer,
        form.text,
        safe,
        room,
        legend_box,
        tuple(counters),
        sentence=sentence_box,
    )


_SENTENCE_SHARE = 0.8
"""The size of the letters of a sentence, relative to the title."""

_MIN_SENTENCE_WIDTH = 40
"""The width, in sizes of its letters, below which a sentence has two lines."""


def _for_sentence(title: Rect, text: TextSizes) -> Rect:
    """The box of the sentences in place of the box of a `title`: two lines high
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


def too_small(
    width: int, height: int, boards: int, size: int, fewer: str = "searches"
) -> SettingsError:
    """The error for a picture without room for so many boards."""
    return SettingsError(
        f"{width}×{height} is too small for {boards} board{'s' * (boards != 1)} of size {size}",
        remedy=f"use a larger picture or fewer {fewer}",
    )


def grid_of(width: int, height: int) -> int:
    """The grid of a picture in pixels."""
    short = min(width, height)
    return 16 if short >= 640 else 8 if short >= 320 else 4


def rounded_up(pixels: float, grid: int) -> int:
    return -int(-pixels // grid) * grid


def _above_footer(
    footer: Rect | None, room: Rect, gap: int, grid: int, text: TextSizes | None
) -> tuple[Rect, Rect | None, int]:
    """The progress bar above the footer, or at the bottom of `room`; above it the legend of
    backgrounds, if there is to be one with letters of the sizes `text`; and the bottom of the
    blocks."""
    low = footer.y - gap // 2 if footer else room.bottom
    bar = max(2, grid // 4)
    progress = Rect(room.x, (low - bar) // 2 * 2, room.width, bar)
    bottom = progress.y - gap
    if text is None:
        return progress, None, bottom
    line = line_height(Face.REGULAR, text.label) + 4
    legend = Rect(room.x, bottom - line, room.width, line)
    return progress, legend, legend.y - gap
