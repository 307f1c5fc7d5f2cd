"""Small emoji fonts made for tests, one of each kind. Each character is the same face: a yellow
disc, or square, with two dark eyes; a sequence joined to one glyph is a square."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from fontTools.feaLib.builder import addOpenTypeFeaturesFromString
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import newTable
from fontTools.ttLib.tables.BitmapGlyphMetrics import SmallGlyphMetrics
from fontTools.ttLib.tables.C_B_D_T_ import cbdt_bitmap_format_17
from fontTools.ttLib.tables.E_B_L_C_ import (
    BitmapSizeTable,
    SbitLineMetrics,
    Strike,
    eblc_index_sub_table_1,
)
from fontTools.ttLib.tables.otTables import PaintFormat
from fontTools.ttLib.tables.sbixGlyph import Glyph as SbixGlyph
from fontTools.ttLib.tables.sbixStrike import Strike as SbixStrike
from PIL import Image, ImageDraw

__all__ = [
    "ADVANCE",
    "STRIKE",
    "make_bitmap_font",
    "make_endless_font",
    "make_layered_font",
    "make_painted_font",
    "make_sbix_font",
]

EM = 1000

STRIKE = 109
"""Pixels per em of the bitmaps."""

ADVANCE = 1250
"""The advance of each glyph, of 1000 units per em."""

_SIDE, _ABOVE = 128, 101
"""The height and width of the bitmaps, and how much of them is above the line, in pixels."""


def _face() -> bytes:
    picture = Image.new("RGBA", (_SIDE, _SIDE))
    draw = ImageDraw.Draw(picture)
    draw.ellipse((2, 2, _SIDE - 3, _SIDE - 3), fill=(255, 200, 40, 255))
    for x in (40, 88):
        draw.ellipse((x - 12, 36, x + 12, 64), fill=(60, 40, 20, 255))
    return _png(picture)


def _square() -> bytes:
    return _png(Image.new("RGBA", (_SIDE, _SIDE), (40, 90, 200, 255)))


def _png(picture: Image.Image) -> bytes:
    file = BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()


def _begun(characters: Sequence[str], joined: str, outlines: dict[str, Any] | None) -> FontBuilder:
    """A font without pictures; `joined` is one glyph more. `outlines` are further glyphs."""
    names = [f"u{ord(mark):04X}" for mark in characters]
    order = [".notdef", "space", *names, *(["joined"] if joined else []), *(outlines or {})]
    builder = FontBuilder(EM, isTTF=True)
    builder.setupGlyphOrder(order)
    builder.setupCharacterMap({32: "space", **dict(zip(map(ord, characters), names, strict=True))})
    builder.setupHorizontalMetrics(dict.fromkeys(order, (ADVANCE, 0)))
    builder.setupHorizontalHeader(ascent=930, descent=-250)
    builder.setupNameTable({"familyName": "Faces Color Emoji", "styleName": "Regular"})
    builder.setupOS2(usWeightClass=400, fsSelection=0x40)
    builder.setupPost()
    if outlines is not None:
        empty = {name: TTGlyphPen(None).glyph() for name in order if name not in outlines}
        builder.setupGlyf(empty | outlines)
        starts = {name: getattr(builder.font["glyf"][name], "xMin", 0) for name in order}
        builder.setupHorizontalMetrics({name: (ADVANCE, starts[name]) for name in order})
    if joined:
        parts = " ".join(f"u{ord(mark):04X}" for mark in joined)
        feature = f"feature ccmp {{ sub {parts} by joined; }} ccmp;"
        addOpenTypeFeaturesFromString(builder.font, feature)
    return builder


def _pictures(characters: Sequence[str], joined: str, *, damaged: bool) -> dict[str, bytes]:
    found = {f"u{ord(mark):04X}": _face() for mark in characters}
    if joined:
        found["joined"] = _square()
    return {name: png[:60] for name, png in found.items()} if damaged else found


def make_bitmap_font(
    path: Path, characters: Sequence[str], *, joined: str = "", damaged: bool = False
) -> Path:
    """A font at `path` with bitmaps of one size and no outlines (tables CBDT and CBLC), as Noto
    Color Emoji. `joined` is a sequence of its characters that is one glyph. The bitmaps of
    `damaged` fonts are cut off."""
    builder = _begun(characters, joined, None)
    strike, size, index = Strike(), BitmapSizeTable(), eblc_index_sub_table_1(b"", None)
    size.colorRef, size.ppemX, size.ppemY, size.bitDepth, size.flags = 0, STRIKE, STRIKE, 32, 1
    for name in ("hori", "vert"):
        line = SbitLineMetrics()
        line.ascender, line.descender, line.widthMax = _ABOVE, _ABOVE - _SIDE, _SIDE
        for unused in ("caretSlopeNumerator", "caretSlopeDenominator", "caretOffset",
                       "minOriginSB", "minAdvanceSB", "maxBeforeBL", "minAfterBL",
                       "pad1", "pad2"):  # fmt: skip
            setattr(line, unused, 0)
        setattr(size, name, line)
    strike.bitmapSizeTable = size
    bitmaps = {}
    for name, png in _pictures(characters, joined, damaged=damaged).items():
        glyph = cbdt_bitmap_format_17(b"", None)
        glyph.metrics = SmallGlyphMetrics()
        glyph.metrics.height = glyph.metrics.width = _SIDE
        glyph.metrics.BearingX, glyph.metrics.BearingY = 4, _ABOVE
        glyph.metrics.Advance = round(ADVANCE * STRIKE / EM)
        glyph.imageData = png
        bitmaps[name] = glyph
    index.names, index.imageFormat, index.indexFormat = list(bitmaps), 17, 1
    strike.indexSubTables = [index]
    builder.font["CBLC"], builder.font["CBDT"] = newTable("CBLC"), newTable("CBDT")
    builder.font["CBLC"].version = builder.font["CBDT"].version = 3.0
    builder.font["CBLC"].strikes, builder.font["CBDT"].strikeData = [strike], [bitmaps]
    builder.save(path)
    return path


def make_sbix_font(path: Path, characters: Sequence[str], *, damaged: bool = False) -> Path:
    """A font at `path` with bitmaps of two sizes beside empty outlines (table sbix), as Apple Color
    Emoji. The bitmaps of `damaged` fonts are cut off."""
    builder = _begun(characters, "", {})
    table = newTable("sbix")
    table.version, table.flags, table.strikes = 1, 1, {}
    for ppem in (20, STRIKE):
        strike = SbixStrike(ppem=ppem, resolution=72)
        for name, png in _pictures(characters, "", damaged=damaged).items():
            strike.glyphs[name] = SbixGlyph(
                glyphName=name,
                graphicType="png ",
                imageData=png,
                originOffsetX=4,
                originOffsetY=_ABOVE - _SIDE,
            )
        table.strikes[ppem] = strike
    builder.font["sbix"] = table
    builder.save(path)
    return path


_YELLOW, _BROWN = 0, 1
_PALETTE = [(1.0, 0.8, 0.2, 1.0), (0.2, 0.15, 0.1, 1.0)]


def make_layered_font(path: Path, characters: Sequence[str], *, damaged: bool = False) -> Path:
    """A font at `path` with coloured layers above empty outlines (table COLR, version 0), as many
    web fonts of emoji. The layers of `damaged` fonts have no outlines."""
    head = _boxes((50, -200, 1200, 900))
    eyes = _boxes((300, 350, 500, 600), (750, 350, 950, 600))
    layers = {} if damaged else {"head": head, "eyes": eyes}
    builder = _begun(characters, "", layers)
    order = [(name, at) for at, name in enumerate(layers)] or [("space", _YELLOW)]
    builder.setupCOLR({f"u{ord(mark):04X}": order for mark in characters}, version=0)
    builder.setupCPAL([_PALETTE])
    builder.save(path)
    return path


def make_painted_font(path: Path, characters: Sequence[str], *, damaged: bool = False) -> Path:
    """A font at `path` with gradients and transformations (table COLR, version 1), as the newer
    files of Noto Color Emoji. Two eyes are one outline at two places. The layers of `damaged`
    fonts have no outlines."""
    outlines = {"head": _boxes((50, -200, 1200, 900)), "eye": _boxes((0, 0, 200, 250))}
    builder = _begun(characters, "", {} if damaged else outlines)

    def filled(name: str, fill: dict[str, Any]) -> dict[str, Any]:
        glyph = "space" if damaged else name
        return {"Format": PaintFormat.PaintGlyph, "Glyph": glyph, "Paint": fill}

    brown = {"Format": PaintFormat.PaintSolid, "PaletteIndex": _BROWN, "Alpha": 1.0}
    stops = [{"StopOffset": at, "PaletteIndex": _YELLOW, "Alpha": 1.0} for at in (0.0, 1.0)]
    gradient = {"Format": PaintFormat.PaintLinearGradient,
                "ColorLine": {"Extend": "pad", "ColorStop": stops},
                "x0": 0, "y0": 0, "x1": 0, "y1": 900, "x2": 900, "y2": 0}  # fmt: skip
    eyes = [
        {"Format": PaintFormat.PaintTranslate, "dx": x, "dy": 350, "Paint": filled("eye", brown)}
        for x in (300, 750)
    ]
    paint = {"Format": PaintFormat.PaintColrLayers, "Layers": [filled("head", gradient), *eyes]}
    builder.setupCOLR({f"u{ord(mark):04X}": paint for mark in characters}, version=1)
    builder.setupCPAL([_PALETTE])
    builder.save(path)
    return path


def make_endless_font(path: Path, character: str, levels: int, *, cyclic: bool = False) -> Path:
    """A font at `path` whose character has 2^`levels` layers (table COLR, version 1): each paint
    contains the one of the next level twice; the last one, if `cyclic`, the first."""
    names = [f"level{at}" for at in range(levels)]
    builder = _begun(character, "", {"head": _boxes((50, -200, 1200, 900)),
                                     **{name: _boxes() for name in names}})  # fmt: skip
    names[0] = f"u{ord(character):04X}"
    yellow = {"Format": PaintFormat.PaintSolid, "PaletteIndex": _YELLOW, "Alpha": 1.0}
    last = {"Format": PaintFormat.PaintGlyph, "Glyph": "head", "Paint": yellow}
    layers = {}
    for name, below in zip(names, [*names[1:], names[0] if cyclic else ""], strict=True):
        part = {"Format": PaintFormat.PaintColrGlyph, "Glyph": below} if below else last
        layers[name] = {"Format": PaintFormat.PaintComposite, "SourcePaint": part,
                        "CompositeMode": "src_over", "BackdropPaint": part}  # fmt: skip
    builder.setupCOLR(layers, version=1)
    builder.setupCPAL([_PALETTE])
    builder.save(path)
    return path


def _boxes(*edges: tuple[int, int, int, int]) -> Any:
    """A glyph of boxes with these left, bottom, right and top edges."""
    pen = TTGlyphPen(None)
    for left, bottom, right, top in edges:
        pen.moveTo((left, bottom))
        pen.lineTo((left, top))
        pen.lineTo((right, top))
        pen.lineTo((right, bottom))
        pen.closePath()
    return pen.glyph()
