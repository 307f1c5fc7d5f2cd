"""Small emoji fonts made for tests, one of each kind. Each character is the same face: a yellow
disc, or square, with two dark eyes; a sequence joined to one glyph is a square."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

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
from fontTools.ttLib.tables.sbixGlyph import Glyph as SbixGlyph
from fontTools.ttLib.tables.sbixStrike import Strike as SbixStrike
from PIL import Image, ImageDraw

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


def _without_pictures(
    characters: Sequence[str], joined: str = "", *, outlines: bool = False
) -> FontBuilder:
    """A font without pictures; `joined` is one glyph more. With `outlines` it has empty ones."""
    names = [f"u{ord(mark):04X}" for mark in characters]
    order = [".notdef", "space", *names, *(["joined"] if joined else [])]
    builder = FontBuilder(EM, isTTF=True)
    builder.setupGlyphOrder(order)
    builder.setupCharacterMap({32: "space", **dict(zip(map(ord, characters), names, strict=True))})
    builder.setupHorizontalMetrics(dict.fromkeys(order, (ADVANCE, 0)))
    builder.setupHorizontalHeader(ascent=930, descent=-250)
    builder.setupNameTable({"familyName": "Faces Color Emoji", "styleName": "Regular"})
    builder.setupOS2(usWeightClass=400, fsSelection=0x40)
    builder.setupPost()
    if outlines:
        builder.setupGlyf({name: TTGlyphPen(None).glyph() for name in order})
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
    builder = _without_pictures(characters, joined)
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
    builder = _without_pictures(characters, outlines=True)
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
