"""Emoji from fonts whose glyphs are bitmaps in colours, for drawing in one colour.

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

from undoku.render.draw.fonts import FontFile, can_shape, sized
from undoku.render.draw.unicode_text import drawn_characters

if TYPE_CHECKING:
    from PIL import Image

_TONES = 32
"""Steps of lightness among which the main tone is found."""

_DIFFERENT = 90
"""The difference in lightness, 0..255, from the main tone at which the coverage is least."""

_LEAST = 0.25
"""The coverage of tones that differ most, as a share of that of the main tone."""


class Emoji(NamedTuple):
    """A glyph at the size at which its font has it."""

    coverage: NDArray[np.uint8]
    """(height, width) uint8, 0..255."""
    x: int
    """The pixel in it at which the baseline begins."""
    y: int
    advance: float
    em: int
    """Pixels per em."""

    def advance_at(self, size: int) -> float:
        """The advance in pixels at `size` pixels per em."""
        return self.advance * size / self.em

    def box_at(self, size: int) -> tuple[int, int, int, int]:
        """(left, top, right, bottom) in pixels from the beginning of the baseline, at `size` pixels
        per em."""
        height, width = self.coverage.shape
        left, top, wide, high = (
            round(length * size / self.em) for length in (-self.x, -self.y, width, height)
        )
        return left, top, left + max(1, wide), top + max(1, high)

    def mask_at(self, size: int) -> Image.Image:
        """The coverage in `box_at` as a picture, 0..255."""
        from PIL import Image

        left, top, right, bottom = self.box_at(size)
        large = Image.fromarray(self.coverage)
        return large.resize((right - left, bottom - top), Image.Resampling.LANCZOS)


@lru_cache(maxsize=256)
def emoji(cluster: str, font: FontFile) -> Emoji | None:
    """A cluster of characters in a font with bitmaps; None if the font is damaged or has none for
    it."""
    from PIL import Image, ImageDraw

    text = cluster if can_shape() else drawn_characters(cluster)
    try:
        em = max(_bitmap_sizes(font))
        large = sized(font, em, shaped=True)
        left, top, right, bottom = (round(edge) for edge in large.getbbox(text, anchor="ls"))
        picture = Image.new("RGBA", (right - left, bottom - top))
        ImageDraw.Draw(picture).text(
            (-left, -top), text, "white", large, anchor="ls", embedded_color=True
        )
    except Exception:  # fontTools and FreeType raise errors of many kinds
        return None
    box = picture.getbbox()
    if box is None:
        return None
    coverage = _coverage(picture.crop(box))
    return Emoji(coverage, -left - box[0], -top - box[1], large.getlength(text), em)


def _bitmap_sizes(font: FontFile) -> list[int]:
    """The pixels per em of the coloured bitmaps of a font (OpenType's tables CBLC and sbix);
    FreeType loads them at these sizes only. FontTools would read all bitmaps, which are 180 MB in
    one common font."""
    from fontTools.ttLib import TTFont

    with Path(font.path).open("rb") as file:
        tables = TTFont(file, fontNumber=font.index, lazy=True).reader.tables

        def number(offset: int, form: str) -> int:
            file.seek(offset)
            (value,) = unpack(form, file.read(calcsize(form)))
            return int(value)

        start = tables["CBLC" if "CBLC" in tables else "sbix"].offset
        strikes = range(number(start + 4, ">L"))
        if "CBLC" in tables:
            return [number(start + 8 + 48 * strike + 45, ">B") for strike in strikes]
        offsets = [number(start + 8 + 4 * strike, ">L") for strike in strikes]
        return [number(start + offset, ">H") for offset in offsets]


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
