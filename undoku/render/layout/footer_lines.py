"""The lines at the bottom of a picture: the footer and the legend of the boards, and above them the
progress bar and the legend of backgrounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from undoku.render.draw.canvas import Rect
from undoku.render.draw.lettering import Face, line_height, text_width
from undoku.render.draw.theme import TINTS
from undoku.render.layout.block_measures import TextSizes

__all__ = ["FooterLines", "above_lines", "lines_below"]

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
