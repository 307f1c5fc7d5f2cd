"""Letters as masks: DejaVu Sans from matplotlib's own files, with few levels of coverage."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from PIL import ImageFont

__all__ = [
    "LEVELS",
    "Face",
    "Mask",
    "ascent",
    "fitted",
    "fitted_name",
    "font_file",
    "line_height",
    "quantised",
    "text_mask",
    "text_width",
    "wrapped",
]

LEVELS = 8
"""Shades between ground and ink, both included. A film whose letters have few shades has few
colours, so that all of them fit one GIF palette; more than eight the eye doesn't tell apart."""

Mask = NDArray[np.uint8]
"""(height, width) uint8: the coverage of each pixel, 0..LEVELS - 1."""


class Face(StrEnum):
    """The cuts of the typeface, by their file names."""

    REGULAR = "DejaVuSans"
    BOLD = "DejaVuSans-Bold"
    OBLIQUE = "DejaVuSans-Oblique"


@lru_cache(maxsize=1)
def _shipped_fonts() -> dict[str, Path]:
    """The font files that came with matplotlib, by their names without suffix: empty where its
    installer kept no list of files. Reading the list takes 7 ms, importing matplotlib 200."""
    files = metadata.files("matplotlib") or ()
    return {file.stem: Path(str(file.locate())) for file in files if file.suffix == ".ttf"}


def font_file(face: Face) -> Path:
    """The typeface's file, which matplotlib ships."""
    shipped = _shipped_fonts().get(face)
    if shipped is not None and shipped.exists():
        return shipped
    from matplotlib.font_manager import FontProperties, findfont

    wanted = FontProperties(
        family="DejaVu Sans",
        style="oblique" if face is Face.OBLIQUE else "normal",
        weight="bold" if face is Face.BOLD else "normal",
    )
    return Path(findfont(wanted, fallback_to_default=False))


@lru_cache(maxsize=64)
def _font(face: Face, size: int) -> ImageFont.FreeTypeFont:
    from PIL import ImageFont

    # The basic layout engine gives the same glyph positions on every machine.
    return ImageFont.truetype(str(font_file(face)), size, layout_engine=ImageFont.Layout.BASIC)


def text_width(text: str, face: Face, size: int) -> int:
    """The advance of `text` in pixels, at `size` pixels per em."""
    return -int(-_font(face, size).getlength(text) // 1)


def line_height(face: Face, size: int) -> int:
    """Pixels from the top of the highest letter to the bottom of the lowest."""
    ascent, descent = _font(face, size).getmetrics()
    return ascent + descent


def ascent(face: Face, size: int) -> int:
    """Pixels from the top of the line to the line that letters stand on."""
    return int(_font(face, size).getmetrics()[0])


def quantised(coverage: NDArray[np.uint8]) -> Mask:
    """Coverage of 0..255 as levels."""
    return ((coverage.astype(np.uint16) * (LEVELS - 1) + 127) // 255).astype(np.uint8)


@lru_cache(maxsize=1024)
def text_mask(text: str, face: Face, size: int) -> Mask:
    """`text` on one line, as wide as its advance and as high as the face's line; read-only."""
    from PIL import Image, ImageDraw

    font = _font(face, size)
    picture = Image.new("L", (max(1, text_width(text, face, size)), line_height(face, size)))
    ImageDraw.Draw(picture).text((0, 0), text, fill=255, font=font)
    mask = quantised(np.asarray(picture))
    mask.setflags(write=False)
    return mask


@lru_cache(maxsize=512)
def glyph_box(text: str, face: Face, size: int) -> tuple[int, int, int, int]:
    """(left, top, right, bottom) of the inked pixels in `text_mask`; all 0 where nothing is."""
    mask = text_mask(text, face, size)
    rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    if not len(rows):
        return 0, 0, 0, 0
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


def fitted_name(name: str, face: Face, size: int, width: int) -> str:
    """`name`, shortened in its middle: names of strategies begin alike and differ at their end."""
    if text_width(name, face, size) <= width:
        return name
    for kept in range(len(name) - 1, 3, -1):
        tail = kept // 2
        shortened = f"{name[: kept - tail].rstrip()}…{name[-tail:].lstrip()}"
        if text_width(shortened, face, size) <= width:
            return shortened
    return fitted(name, face, size, width)


def wrapped(text: str, face: Face, size: int, width: int) -> list[str]:
    """`text` on as many lines as it needs to be at most `width` pixels wide, broken between words.
    A word that is wider stands alone."""
    lines: list[str] = []
    for word in text.split():
        joined = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(joined, face, size) <= width:
            lines[-1] = joined
        else:
            lines.append(word)
    return lines


def fitted(text: str, face: Face, size: int, width: int) -> str:
    """`text`, shortened with an ellipsis until it is at most `width` pixels wide."""
    if text_width(text, face, size) <= width:
        return text
    fits, cut = 0, len(text)
    while cut - fits > 1:  # how many letters fit is found by halving: titles can be long
        middle = (fits + cut) // 2
        if text_width(text[:middle].rstrip() + "…", face, size) <= width:
            fits = middle
        else:
            cut = middle
    return text[:fits].rstrip() + "…" if fits else ""
