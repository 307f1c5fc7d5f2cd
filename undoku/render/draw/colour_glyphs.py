"""Glyphs that are pictures in colours, as emoji fonts have them, for drawing in one colour.

Their coverage is derived from their transparency and lightness. The main tone of a glyph is covered
in full, and all that is lighter or darker less: eyes and outlines are gaps in a silhouette, on dark
and on light backgrounds.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from struct import calcsize, unpack
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.render.draw.clusters import drawn_characters
from undoku.render.draw.colour_layers import with_layers
from undoku.render.draw.font_files import FontFile
from undoku.render.draw.text_engine import can_shape, sized

if TYPE_CHECKING:
    from PIL import Image, ImageFont

__all__ = [
    "can_draw",
    "colour_advance",
    "colour_box",
    "colour_mask",
    "forget_colour_glyphs",
    "hatched",
]

_LAYERED = 128
"""Pixels per em at which fonts with coloured layers are drawn."""

_TONES = 32
"""Steps of lightness among which the main tone is found."""

_DIFFERENT = 90
"""The difference in lightness, 0..255, from the main tone at which the coverage is least."""

_LEAST = 0.25
"""The coverage of tones that differ most, as a share of that of the main tone."""


_HATCHING = 8
"""Rows from one line of a half tone to the next."""

_BLANK, _SOLID = 0.12, 0.8
"""The coverages below which and above which nothing is hatched."""


class _ColourGlyph(NamedTuple):
    """A glyph at the size at which its font has it."""

    coverage: NDArray[np.uint8]
    """(height, width) uint8, 0..255."""
    x: int
    """The pixel in it at which the baseline begins."""
    y: int
    advance: float
    em: int
    """Pixels per em."""


def can_draw(cluster: str, font: FontFile) -> bool:
    """Whether a coloured font can be read and has something to draw for a cluster."""
    return _picture(cluster, font) is not None


def colour_advance(cluster: str, font: FontFile, size: int) -> float:
    """The advance of a coloured glyph in pixels, at `size` pixels per em. As for the functions
    below, the font must be one that can draw it."""
    picture = _drawn(cluster, font)
    return picture.advance * size / picture.em


def colour_box(cluster: str, font: FontFile, size: int) -> tuple[int, int, int, int]:
    """(left, top, right, bottom) of a coloured glyph in pixels from the beginning of its baseline,
    at `size` pixels per em."""
    picture = _drawn(cluster, font)
    height, width = picture.coverage.shape
    left, top, wide, high = (
        round(length * size / picture.em) for length in (-picture.x, -picture.y, width, height)
    )
    return left, top, left + max(1, wide), top + max(1, high)


def colour_mask(cluster: str, font: FontFile, size: int) -> NDArray[np.uint8]:
    """The coverage, 0..255, of a coloured glyph in its `colour_box`."""
    from PIL import Image

    left, top, right, bottom = colour_box(cluster, font, size)
    large = Image.fromarray(_drawn(cluster, font).coverage)
    return np.asarray(large.resize((right - left, bottom - top), Image.Resampling.LANCZOS))


def hatched(coverage: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Coverage of 0..255 whose part above half has sharp edges: half tones are horizontal lines,
    the thicker the more is covered. Each line takes `_HATCHING` rows."""
    share = np.clip((coverage / 255 - _BLANK) / (_SOLID - _BLANK), 0, 1)
    # Neither end is reached, so that what is covered fully has no gaps, and what is not no lines.
    wave = np.interp(np.arange(len(coverage)) % _HATCHING, (0, _HATCHING / 2, _HATCHING), (0, 1, 0))
    threshold = 0.05 + 0.9 * wave[:, np.newaxis]
    lines: NDArray[np.float64] = 127.5 + 127.5 * (share - threshold)
    return lines


def forget_colour_glyphs() -> None:
    """Clear the cache of pictures, whose fonts may have changed."""
    _picture.cache_clear()


def _drawn(cluster: str, font: FontFile) -> _ColourGlyph:
    picture = _picture(cluster, font)
    assert picture is not None, (cluster, font)
    return picture


@lru_cache(maxsize=256)
def _picture(cluster: str, font: FontFile) -> _ColourGlyph | None:
    """A cluster in a coloured font; None if the font is damaged or draws nothing for it."""
    try:
        opened_font, em = _at_own_size(cluster, font)
        return _rendered(cluster, opened_font, em)
    except Exception:  # fontTools and FreeType raise errors of many kinds
        return None


def _at_own_size(cluster: str, font: FontFile) -> tuple[ImageFont.FreeTypeFont, int]:
    """The font at the pixels per em at which it has pictures: FreeType loads bitmaps at the sizes
    of the font only."""
    sizes = _bitmap_sizes(font)
    if sizes:
        return sized(font, max(sizes), joined=can_shape()), max(sizes)
    return with_layers(cluster, font, _LAYERED, joined=can_shape()), _LAYERED


def _bitmap_sizes(font: FontFile) -> list[int]:
    """The pixels per em of the coloured bitmaps of a font (OpenType's tables CBLC and sbix).
    FontTools would read all bitmaps, which are 180 MB in one common font."""
    from fontTools.ttLib import TTFont

    with Path(font.path).open("rb") as file:
        tables = TTFont(file, fontNumber=font.index, lazy=True).reader.tables

        def number(offset: int, form: str) -> int:
            file.seek(offset)
            (found,) = unpack(form, file.read(calcsize(form)))
            return int(found)

        if "CBLC" in tables:
            start = tables["CBLC"].offset
            return [number(start + 8 + 48 * at + 45, ">B") for at in range(number(start + 4, ">L"))]
        if "sbix" in tables:
            start = tables["sbix"].offset
            strikes = [number(start + 8 + 4 * at, ">L") for at in range(number(start + 4, ">L"))]
            return [number(start + strike, ">H") for strike in strikes]
        return []


def _rendered(cluster: str, font: ImageFont.FreeTypeFont, em: int) -> _ColourGlyph | None:
    from PIL import Image, ImageDraw

    text = cluster if can_shape() else drawn_characters(cluster)
    left, top, right, bottom = (round(edge) for edge in font.getbbox(text, anchor="ls"))
    if right <= left or bottom <= top:
        return None
    picture = Image.new("RGBA", (right - left, bottom - top))
    draw = ImageDraw.Draw(picture)
    draw.text((-left, -top), text, "white", font, anchor="ls", embedded_color=True)
    box = picture.getbbox()
    if box is None:
        return None
    coverage = _coverage(picture.crop(box))
    return _ColourGlyph(coverage, -left - box[0], -top - box[1], font.getlength(text), em)


def _coverage(picture: Image.Image) -> NDArray[np.uint8]:
    """The coverage, 0..255, of a picture in RGBA on black, with alpha multiplied."""
    alpha = np.asarray(picture.getchannel("A")).astype(np.float64) / 255
    lightness = np.asarray(picture.convert("RGB").convert("L")) / np.maximum(alpha, 1 / 255)
    tones, edges = np.histogram(lightness, _TONES, (0, 256), weights=alpha)
    # A tone that falls on the border of two steps is counted with both.
    near = np.convolve(tones, (1, 2, 1), "same")
    main = edges[near.argmax()] + 128 / _TONES
    off = np.minimum(np.abs(lightness - main) / _DIFFERENT, 1)
    coverage: NDArray[np.uint8] = np.rint(255 * alpha * (1 - (1 - _LEAST) * off)).astype(np.uint8)
    return coverage
