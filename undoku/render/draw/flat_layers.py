"""Coloured layers of version 1 (OpenType's COLR table) as layers of version 0, which Pillow draws.

Gradients become their mean colour. Transformations are applied to the outlines. Of composites only
those are exact that put one paint over another.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from fontTools.misc.transform import Transform
    from fontTools.ttLib import TTFont

__all__ = ["flatten_layers"]

_Rgba = tuple[float, float, float, float]
"""Red, green, blue and alpha, 0..1."""


class _FlatLayer(NamedTuple):
    outline: str
    """The name of the glyph that is filled."""
    transform: Transform
    fill: _Rgba


def flatten_layers(tables: TTFont) -> None:
    """Replace the layers of a font, of version 1, by layers of version 0. Raises the errors of
    fontTools for damaged fonts, KeyError for fonts without TrueType outlines."""
    from fontTools.colorLib.builder import buildCOLR, buildCPAL
    from fontTools.misc.transform import Identity
    from fontTools.pens.transformPen import TransformPen
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    paints = _Paints(tables)
    outlines = tables.getGlyphSet()
    palette: dict[_Rgba, int] = {}
    glyphs: dict[str, Any] = {}
    layers: dict[str, list[tuple[str, int]]] = {}
    for base, paint in paints.bases.items():
        layers[base] = []
        for layer in paints.layers(paint, Identity):
            pen = TTGlyphPen(outlines)
            outlines[layer.outline].draw(TransformPen(pen, layer.transform))
            name = f"{base}.layer{len(glyphs)}"
            glyphs[name] = pen.glyph()
            layers[base].append((name, palette.setdefault(layer.fill, len(palette))))
    tables.setGlyphOrder([*tables.getGlyphOrder(), *glyphs])
    for name, glyph in glyphs.items():
        tables["glyf"][name] = glyph
        glyph.recalcBounds(tables["glyf"])
        tables["hmtx"][name] = (0, getattr(glyph, "xMin", 0))
    tables["COLR"] = buildCOLR(layers, version=0, glyphMap=tables.getReverseGlyphMap(rebuild=True))
    tables["CPAL"] = buildCPAL([[*palette]])


class _Paints:
    """The paints of a font."""

    def __init__(self, tables: TTFont) -> None:
        colours = tables["COLR"].table
        self._list = colours.LayerList.Paint if colours.LayerList else []
        self._palette = tables["CPAL"].palettes[0]
        self.bases: dict[str, Any] = {
            record.BaseGlyph: record.Paint for record in colours.BaseGlyphList.BaseGlyphPaintRecord
        }
        """The paint of each coloured glyph by its name."""

    def layers(self, paint: Any, transform: Transform) -> Iterator[_FlatLayer]:
        """The layers of a paint, from the lowest to the highest."""
        from fontTools.ttLib.tables.otTables import PaintFormat

        kind = paint.Format
        if kind == PaintFormat.PaintColrLayers:
            for part in self._list[paint.FirstLayerIndex :][: paint.NumLayers]:
                yield from self.layers(part, transform)
        elif kind == PaintFormat.PaintColrGlyph:
            yield from self.layers(self.bases[paint.Glyph], transform)
        elif kind == PaintFormat.PaintGlyph:
            fill = self._fill(paint.Paint)
            if fill:
                yield _FlatLayer(paint.Glyph, transform, fill)
        elif kind == PaintFormat.PaintComposite:
            yield from self.layers(paint.BackdropPaint, transform)
            yield from self.layers(paint.SourcePaint, transform)
        elif hasattr(paint, "Paint"):
            yield from self.layers(paint.Paint, transform.transform(paint.getTransform()))

    def _fill(self, paint: Any) -> _Rgba | None:
        """The mean colour with which a paint fills an outline; None if it doesn't."""
        while hasattr(paint, "Paint"):
            paint = paint.Paint
        if hasattr(paint, "ColorLine"):
            stops = [self._colour(stop) for stop in paint.ColorLine.ColorStop]
            red, green, blue, alpha = (sum(part) / len(stops) for part in zip(*stops, strict=True))
            return red, green, blue, alpha
        return self._colour(paint) if hasattr(paint, "PaletteIndex") else None

    def _colour(self, stop: Any) -> _Rgba:
        if stop.PaletteIndex == 0xFFFF:  # the colour of the text
            return 1.0, 1.0, 1.0, float(stop.Alpha)
        colour = self._palette[stop.PaletteIndex]
        red, green, blue, alpha = (
            part / 255 for part in (colour.red, colour.green, colour.blue, colour.alpha)
        )
        return red, green, blue, alpha * float(stop.Alpha)
