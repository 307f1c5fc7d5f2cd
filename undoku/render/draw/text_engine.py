"""Pillow's text engines."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from undoku.errors import SettingsError, UndokuError
from undoku.render.draw.font_files import FontFile

if TYPE_CHECKING:
    from PIL import ImageFont

__all__ = ["can_shape", "reading", "sized"]


@contextmanager
def reading(font: FontFile) -> Iterator[None]:
    """A context in which a font is read: the errors of FreeType and fontTools, which are of many
    kinds, are raised as SettingsError."""
    try:
        yield
    except (UndokuError, MemoryError):
        raise
    except Exception as error:
        raise SettingsError(
            f"the font {font.path!r} is damaged: {error}", remedy="give another font"
        ) from error


@cache
def can_shape() -> bool:
    """Whether Pillow has the library that joins and stacks letters."""
    from PIL import features

    return bool(features.check("raqm"))


@lru_cache(maxsize=16)
def sized(font: FontFile, size: int, *, joined: bool) -> ImageFont.FreeTypeFont:
    """A font at one size in pixels per em. With `joined`, which needs `can_shape`, letters are
    joined and stacked. Each takes 0.3 MB, and 0.1 ms to open again."""
    from PIL import ImageFont

    # The basic layout engine gives the same glyph positions on every machine.
    engine = ImageFont.Layout.RAQM if joined else ImageFont.Layout.BASIC
    return ImageFont.truetype(font.path, size, index=font.index, layout_engine=engine)
