"""Fonts with coloured layers (OpenType's COLR table), prepared for Pillow."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from typing import TYPE_CHECKING, Any

from undoku.render.draw.flat_layers import flatten_layers
from undoku.render.draw.font_files import FontFile

if TYPE_CHECKING:
    from fontTools.ttLib import TTFont
    from PIL import ImageFont

__all__ = ["with_layers"]

_KEPT = frozenset(
    ("COLR", "CPAL", "GDEF", "GSUB", "OS/2", "cmap", "glyf", "head", "hhea", "hmtx", "loca", "maxp",
     "post")
)  # fmt: skip

_MOST_PAINTS = 10_000
"""The maximum number of paints of the glyphs of a text; those of common fonts have some hundred."""


def with_layers(text: str, font: FontFile, size: int, *, joined: bool) -> ImageFont.FreeTypeFont:
    """A font for `text` alone at `size` pixels per em, whose layers Pillow draws. Pillow measures
    the outline of the glyph that has the layers, which most of these fonts leave empty. Raises the
    errors of fontTools and of Pillow for damaged files, ValueError for paints without an end."""
    from fontTools.subset import Options, Subsetter
    from fontTools.ttLib import TTFont
    from PIL import ImageFont

    file = BytesIO()
    with TTFont(font.path, fontNumber=font.index, lazy=True) as tables:
        options = Options(layout_features=["*"], hinting=False, notdef_outline=True)
        options.drop_tables = [name for name in tables.keys() if name not in _KEPT]  # noqa: SIM118
        subset = Subsetter(options)
        subset.populate(text=text)
        if tables["COLR"].version:
            _check_before_closure(tables["COLR"])
        subset.subset(tables)
        if tables["COLR"].version:
            flatten_layers(tables)
        _outline_layers(tables)
        tables.save(file)
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


def _check_before_closure(colours: Any) -> None:
    """Have the subsetter call `_check_paints` for the glyphs that it has found, before it follows
    their paints (in the method that it calls of the table COLR)."""
    follow = colours.closure_glyphs

    def checked(subset: Any) -> None:
        _check_paints(colours.table, subset.glyphs)
        follow(subset)

    colours.closure_glyphs = checked


def _check_paints(table: Any, glyphs: Iterable[str]) -> None:
    """Raise ValueError if glyphs have too many paints. Paints that contain themselves, or others
    twice at each of many levels, would be followed without an end."""
    bases = {record.BaseGlyph: record.Paint for record in table.BaseGlyphList.BaseGlyphPaintRecord}
    waiting, found, paints = list(glyphs), set[str](), 0
    while waiting:
        name = waiting.pop()
        if name in found or name not in bases:
            continue
        found.add(name)
        open_paints = [bases[name]]
        while open_paints:
            paint = open_paints.pop()
            paints += 1
            if paints > _MOST_PAINTS:
                raise ValueError(f"more than {_MOST_PAINTS} paints")
            if hasattr(paint, "Glyph"):
                waiting.append(paint.Glyph)
            open_paints += paint.getChildren(table)
