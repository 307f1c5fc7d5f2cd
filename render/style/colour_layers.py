"""Fonts with coloured layers (OpenType's COLR table), prepared for Pillow."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from render.style.flat_layers import flatten_layers
from render.style.font_files import FontFile

if TYPE_CHECKING:
    from fontTools.ttLib import TTFont
    from PIL import ImageFont

__all__ = ["with_layers"]

_KEPT = frozenset(
    ("COLR", "CPAL", "GDEF", "GSUB", "OS/2", "cmap", "glyf", "head", "hhea", "hmtx", "loca", "maxp",
     "post")
)  # fmt: skip


def with_layers(text: str, font: FontFile, size: int, *, joined: bool) -> ImageFont.FreeTypeFont:
    """A font for `text` alone at `size` pixels per em, whose layers Pillow draws. Pillow measures
    the outline of the glyph that has the layers, which most of these fonts leave empty. Raises the
    errors of fontTools and of Pillow for damaged files."""
    from fontTools.subset import Options, Subsetter
    from fontTools.ttLib import TTFont
    from PIL import ImageFont

    tables = TTFont(font.path, fontNumber=font.index, lazy=True)
    options = Options(layout_features=["*"], hinting=False, notdef_outline=True)
    options.drop_tables = [name for name in tables.keys() if name not in _KEPT]  # noqa: SIM118
    subset = Subsetter(options)
    subset.populate(text=text)
    subset.subset(tables)
    if tables["COLR"].version:
        flatten_layers(tables)
    _outline_layers(tables)
    file = BytesIO()
    tables.save(file)
    tables.close()
    engine = ImageFont.Layout.RAQM if joined else ImageFont.Layout.BASIC
    file.seek(0)
    return ImageFont.truetype(file, size, layout_engine=engine)


def _outline_layers(tables: TTFont) -> None:
    """Give each layered glyph the outlines of all of its layers."""
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    for name, layers in tables["COLR"].ColorLayers.items():
        if not layers:
            continue
        pen = TTGlyphPen(tables.getGlyphSet())
        for layer in layers:
            pen.addComponent(layer.name, (1, 0, 0, 1, 0, 0))
        glyph = pen.glyph()
        tables["glyf"][name] = glyph
        glyph.recalcBounds(tables["glyf"])
        # FreeType moves an outline until it begins at its left side bearing.
        tables["hmtx"][name] = (tables["hmtx"][name][0], getattr(glyph, "xMin", 0))
