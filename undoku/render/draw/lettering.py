"""Texts as masks with few levels of coverage, in the current typeface."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache, wraps
from math import ceil
from typing import TYPE_CHECKING, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from undoku.render.draw.emoji import Emoji, emoji
from undoku.render.draw.fonts import (
    DEFAULT,
    Face,
    FontFile,
    Typeface,
    can_shape,
    reading,
    sized,
)
from undoku.render.draw.text_runs import Run, runs
from undoku.render.draw.unicode_text import clusters, drawn_characters

if TYPE_CHECKING:
    from PIL import Image, ImageFont

P = ParamSpec("P")
T = TypeVar("T")

LEVELS = 8
"""Shades from the background to the colour of a text, both included. With few shades, all colours
of a film fit into one GIF palette; more than eight can't be distinguished."""

_LEVEL_OF = ((np.arange(256) * (LEVELS - 1) + 127) // 255).astype(np.uint8)
"""(256,) uint8: the level of each coverage."""

_HIGHEST = 8
"""The greatest height of a line, in em; those of fonts for Urdu have less than three."""

Mask = NDArray[np.uint8]
"""(height, width) uint8: the coverage of each pixel, 0..LEVELS - 1."""

_TYPEFACE: ContextVar[Typeface] = ContextVar("typeface", default=DEFAULT)


def set_typeface() -> Typeface:
    """The typeface in which texts are measured and drawn."""
    return _TYPEFACE.get()


@contextmanager
def set_in(typeface: Typeface) -> Iterator[None]:
    """A context in which texts are measured and drawn in this typeface. A generator must not yield
    within it, because its caller would continue in the context."""
    token = _TYPEFACE.set(typeface)
    try:
        yield
    finally:
        _TYPEFACE.reset(token)


def per_typeface(most: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Like `functools.lru_cache` for functions whose results also depend on the typeface."""

    def remembering(function: Callable[P, T]) -> Callable[P, T]:
        @lru_cache(maxsize=most)
        def kept(typeface: Typeface, *args: P.args, **kwargs: P.kwargs) -> T:
            return function(*args, **kwargs)

        @wraps(function)
        def found(*args: P.args, **kwargs: P.kwargs) -> T:
            return kept(_TYPEFACE.get(), *args, **kwargs)  # type: ignore[arg-type]  # hashable ones

        return found

    return remembering


def _font(run: Run, size: int) -> ImageFont.FreeTypeFont:
    return sized(run.font, size, shaped=run.shaped)


@per_typeface(256)
def _metrics(face: Face, size: int) -> tuple[int, int]:
    """The pixels above and below the baseline of a line in a face of the typeface. Raises
    SettingsError if its font is damaged."""
    font = _TYPEFACE.get().font(face)
    with reading(font):
        above, below = sized(font, size, shaped=False).getmetrics()
        if not 0 < above + below <= _HIGHEST * size:
            raise ValueError(f"its lines are {above + below} pixels high at {size} pixels per em")
        if not _has_widths(font):
            raise ValueError("its letters have no width")
    return above, below


@lru_cache(maxsize=64)
def _has_widths(font: FontFile) -> bool:
    """Whether some letter of a font advances; for letters that it lacks, its replacement does."""
    return sized(font, 32, shaped=False).getlength("Aa0") > 0


def _emoji(run: Run) -> Emoji | None:
    """The picture of a run of a coloured font."""
    return emoji(run.text, run.font) if run.font.coloured else None


def _spelled(run: Run) -> tuple[str, str | None]:
    """The text and the direction that Pillow receives for a run. Without a text engine it would
    draw a box for a character that needs no glyph."""
    if run.shaped and can_shape():
        return run.text, "rtl" if run.leftwards else "ltr"
    return drawn_characters(run.text), None


def run_width(run: Run, size: int) -> int:
    """The advance of a run in pixels, at `size` pixels per em."""
    if picture := _emoji(run):
        return ceil(picture.advance_at(size))
    text, direction = _spelled(run)
    with reading(run.font):
        return ceil(_font(run, size).getlength(text, direction=direction))


def _box(run: Run, size: int) -> tuple[float, float, float, float]:
    """(left, top, right, bottom) of a run in pixels from the beginning of its baseline."""
    if picture := _emoji(run):
        return picture.box_at(size)
    text, direction = _spelled(run)
    with reading(run.font):
        return _font(run, size).getbbox(text, direction=direction, anchor="ls")


@lru_cache(maxsize=1024)
def run_size(run: Run, size: int, above: int, below: int) -> int:
    """The size of a run, in pixels per em, in a line of `size` whose letters reach `above` pixels
    above the baseline and `below` pixels below it. It is smaller if the run's font exceeds
    these."""
    for smaller in range(size, max(1, size // 2), -1):
        _, top, _, bottom = _box(run, smaller)
        if -top <= above and bottom <= below:
            return smaller
    return max(1, size // 2)


@per_typeface(2048)
def set_runs(text: str, face: Face, size: int) -> tuple[tuple[Run, int], ...]:
    """The runs of a line from left to right, with the size of each in pixels per em."""
    own = _TYPEFACE.get().font(face)
    above, below = _metrics(face, size)
    return tuple(
        (run, size if run.font == own and not run.shaped else run_size(run, size, above, below))
        for run in runs(text, _TYPEFACE.get(), face)
    )


@per_typeface(8192)
def text_width(text: str, face: Face, size: int) -> int:
    """The advance of `text` in pixels, at `size` pixels per em."""
    return sum(run_width(run, pixels) for run, pixels in set_runs(text, face, size))


def line_height(face: Face, size: int) -> int:
    """Pixels from the top of the highest letter to the bottom of the lowest."""
    return sum(_metrics(face, size))


def ascent(face: Face, size: int) -> int:
    """Pixels from the top of the line to the baseline."""
    return _metrics(face, size)[0]


def quantised(coverage: NDArray[np.uint8]) -> Mask:
    """Coverage of 0..255 as levels."""
    return _LEVEL_OF.take(coverage)


@per_typeface(64)
def text_mask(text: str, face: Face, size: int) -> Mask:
    """`text` on one line, as wide as its advance and as high as the face's line; read-only."""
    from PIL import Image

    picture = Image.new("L", (max(1, text_width(text, face, size)), line_height(face, size)))
    x, foot = 0, ascent(face, size)
    for run, pixels in set_runs(text, face, size):
        _draw(run, pixels, picture, x, foot)
        x += run_width(run, pixels)
    mask = quantised(np.asarray(picture))
    mask.setflags(write=False)
    return mask


def _draw(run: Run, size: int, picture: Image.Image, x: int, y: int) -> None:
    """Draw a run into a picture of coverage, with its baseline from (x, y)."""
    from PIL import ImageDraw

    if found := _emoji(run):
        left, top, _, _ = found.box_at(size)
        picture.paste(255, (x + left, y + top), found.mask_at(size))
        return
    text, direction = _spelled(run)
    with reading(run.font):
        ImageDraw.Draw(picture).text(
            (x, y), text, fill=255, font=_font(run, size), direction=direction, anchor="ls"
        )


def run_mask(run: Run, size: int) -> tuple[NDArray[np.uint8], int, int]:
    """A single run: its coverage, 0..255, and the pixel (x, y) in it at which its baseline
    begins."""
    from PIL import Image

    left, top, right, bottom = map(int, _box(run, size))
    x, y = 1 - left, 1 - top
    picture = Image.new("L", (right + x + 1, bottom + y + 1))
    _draw(run, size, picture, x, y)
    return np.asarray(picture), x, y


@per_typeface(512)
def glyph_box(text: str, face: Face, size: int) -> tuple[int, int, int, int]:
    """(left, top, right, bottom) of the pixels in `text_mask` above 0; all 0 if there are none."""
    mask = text_mask(text, face, size)
    rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    if not len(rows):
        return 0, 0, 0, 0
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


def fitted_name(name: str, face: Face, size: int, width: int) -> str:
    """`name`, shortened in its middle if it is wider than `width` pixels: names of strategies often
    begin alike and differ at their end."""
    if text_width(name, face, size) <= width:
        return name
    marks = [*clusters(name)]
    for kept in range(len(marks) - 1, 3, -1):
        tail = kept // 2
        head, end = "".join(marks[: kept - tail]), "".join(marks[-tail:])
        shortened = f"{head.rstrip()}…{end.lstrip()}"
        if text_width(shortened, face, size) <= width:
            return shortened
    return fitted(name, face, size, width)


def fitted(text: str, face: Face, size: int, width: int) -> str:
    """`text`, shortened with an ellipsis until it is at most `width` pixels wide."""
    if text_width(text, face, size) <= width:
        return text
    marks = [*clusters(text)]

    def shortened(count: int) -> str:
        return "".join(marks[:count]).rstrip() + "…"

    counts = range(1, len(marks))
    fits = bisect(counts, width, key=lambda count: text_width(shortened(count), face, size))
    return shortened(fits) if fits else ""
