"""The typeface of a film, from a font file or an installed family."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from undoku.errors import SettingsError
from undoku.file_reading import opened
from undoku.render.draw.fonts import (
    DEFAULT,
    SUFFIXES,
    Face,
    FontFile,
    Typeface,
    characters,
    installed_fonts,
    read_tables,
)

if TYPE_CHECKING:
    from fontTools.ttLib import TTFont


def is_font_file(name: str) -> bool:
    """Whether this is the path of a font file, not the name of a family."""
    return Path(name).suffix.lower() in SUFFIXES or "/" in name


def load_typeface(name: str) -> Typeface:
    """The typeface in the font file with this path, with its bold and oblique fonts if they are in
    the same folder, or the installed family of this name; "" is the default one. The upright font
    replaces missing faces.

    Raises SettingsError for an unknown name and for a file that is not a font, ReadError for a
    missing file.
    """
    if not name:
        return DEFAULT
    path = Path(name)
    if is_font_file(name):
        return _from_file(name, path)
    return _installed_family(name)


class FontFace(NamedTuple):
    """The description of a font in its file."""

    font: FontFile
    family: str
    slanted: bool
    width: int
    """1 to 9; 5 is normal."""
    weight: int


def _from_file(name: str, path: Path) -> Typeface:
    with opened(name):
        pass
    own = FontFile(str(path.resolve()))
    face, coloured = _described(own), _coloured(own)
    if face is not None and coloured and not _has_letters(own):
        return Typeface(name, coloured=coloured)
    if face is None or not characters(own):
        raise SettingsError(
            f"{name!r} is not a font with outlines",
            remedy="give a .ttf, .otf or .ttc file, or the name of an installed family",
        )
    # The files of one family share a part of their names; characters with a meaning in patterns
    # are left out.
    stem = re.split(r"[-_ \[*?]", path.stem)[0]
    beside = [
        other
        for file in sorted(path.resolve().parent.glob(f"{stem}*"))
        if file.suffix.lower() in SUFFIXES and (other := _described(FontFile(str(file))))
    ]
    family = [face, *(other for other in beside if other.family == face.family)]
    return Typeface(name, _best_faces(family, upright=face), coloured)


def _installed_family(name: str) -> Typeface:
    faces = [face for font in installed_fonts() if (face := _described(font))]
    family = [face for face in faces if face.family.casefold() == name.casefold()]
    if not family:
        import difflib

        near = difflib.get_close_matches(name, sorted({face.family for face in faces}), 3)
        hint = f"did you mean {' or '.join(near)}?" if near else "give the path of a font file"
        raise SettingsError(f"no installed font is called {name!r}", remedy=hint)
    coloured = next((font for face in family if (font := _coloured(face.font))), None)
    if not coloured and not any(characters(face.font) for face in family):
        raise SettingsError(
            f"the installed font {name!r} has no outlines", remedy="give the name of another one"
        )
    outlined = [face for face in family if _has_letters(face.font) or not coloured]
    return Typeface(name, _best_faces(outlined) if outlined else (), coloured)


def _has_letters(font: FontFile) -> bool:
    """Whether a font has outlines of letters: emoji fonts may have those of blanks and symbols."""
    return any(chr(mark).isalpha() for mark in characters(font))


def _coloured(font: FontFile) -> FontFile | None:
    """The same font for its bitmaps in colours; None if it has none."""
    coloured = replace(font, coloured=True)
    return coloured if characters(coloured) else None


def _best_faces(
    family: Sequence[FontFace], upright: FontFace | None = None
) -> tuple[tuple[Face, FontFile], ...]:
    """The best font for each face; `upright` is the regular one if it is known."""

    def best(weight: int, *, slanted: bool) -> FontFile:
        return min(
            family,
            key=lambda face: (
                face.slanted is not slanted,
                abs(face.weight - weight),
                abs(face.width - 5),
            ),
        ).font

    return (
        (Face.REGULAR, upright.font if upright else best(400, slanted=False)),
        (Face.BOLD, best(700, slanted=False)),
        (Face.OBLIQUE, best(400, slanted=True)),
    )


def _described(font: FontFile) -> FontFace | None:
    """The description of a font; None if the file is not a font."""

    def read(tables: TTFont) -> FontFace:
        names: Any = tables["name"]
        family = names.getDebugName(16) or names.getDebugName(1) or Path(font.path).stem
        style, about = tables["head"].macStyle, tables.get("OS/2")
        return FontFace(
            font,
            str(family),
            bool(style & 2) or bool(about and about.fsSelection & 0x201),
            about.usWidthClass if about else 5,
            about.usWeightClass if about else 700 if style & 1 else 400,
        )

    return read_tables(font, read, None)
