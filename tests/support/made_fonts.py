"""Fonts made for tests: each letter is a box of its own size, so that pictures tell them apart."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

EM = 1000


def make_font(
    path: Path,
    letters: Sequence[str],
    *,
    family: str = "Boxes",
    bold: bool = False,
    advance: int = 1000,
    top: int = 800,
) -> Path:
    """A TrueType font at `path` that has `letters`; each is a box from the line up to `top`, 100
    units narrower than its `advance`, of 1000 units per em."""
    names = [f"u{ord(letter):04X}" for letter in letters]
    glyphs = {".notdef": _box(advance, 100), "space": TTGlyphPen(None).glyph()}
    glyphs |= {name: _box(advance, top) for name in names}
    builder = FontBuilder(EM, isTTF=True)
    builder.setupGlyphOrder(list(glyphs))
    builder.setupCharacterMap({32: "space", **dict(zip(map(ord, letters), names, strict=True))})
    builder.setupGlyf(glyphs)
    builder.setupHorizontalMetrics(dict.fromkeys(glyphs, (advance, 50)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": family, "styleName": "Bold" if bold else "Regular"})
    builder.setupOS2(usWeightClass=700 if bold else 400, fsSelection=0x20 if bold else 0x40)
    builder.setupHead(unitsPerEm=EM, macStyle=int(bold))
    builder.setupPost()
    builder.save(path)
    return path


def overwrite_table(path: Path, table: str, pattern: bytes) -> None:
    """Overwrite a table of a font file by a repeated pattern."""
    entry = TTFont(path).reader.tables[table]
    content = bytearray(path.read_bytes())
    content[entry.offset : entry.offset + entry.length] = (pattern * entry.length)[: entry.length]
    path.write_bytes(content)


def _box(advance: int, top: int) -> object:
    pen = TTGlyphPen(None)
    pen.moveTo((50, 0))
    pen.lineTo((50, top))
    pen.lineTo((advance - 50, top))
    pen.lineTo((advance - 50, 0))
    pen.closePath()
    return pen.glyph()


def forget_fonts() -> None:
    """Clear the caches of the modules that draw letters: the machine's fonts have changed."""
    for name, module in list(sys.modules.items()):
        if name.startswith("undoku.render.draw."):
            for function in vars(module).values():
                cells = getattr(function, "__closure__", None) or ()
                for cached in (function, *(cell.cell_contents for cell in cells)):
                    if hasattr(cached, "cache_clear"):
                        cached.cache_clear()
