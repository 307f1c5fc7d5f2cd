"""Font files, the typeface of a film, and the fonts of this machine."""

from __future__ import annotations

import hashlib
import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache, lru_cache
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from undoku.errors import ReadError, SettingsError

if TYPE_CHECKING:
    from fontTools.ttLib import TTFont

__all__ = [
    "DEFAULT",
    "Face",
    "FontFile",
    "Typeface",
    "characters",
    "code_points",
    "installed_fonts",
    "is_font_file",
    "load_typeface",
    "opened",
]

T = TypeVar("T")

# Without a handler Python prints what fontTools says about odd fonts, also about those that only
# happen to be installed.
logging.getLogger("fontTools").addHandler(logging.NullHandler())

_SUFFIXES = (".ttf", ".otf", ".ttc", ".otc")


class Face(StrEnum):
    """The faces of a typeface; the values are the file names of the default one."""

    REGULAR = "DejaVuSans"
    BOLD = "DejaVuSans-Bold"
    OBLIQUE = "DejaVuSans-Oblique"


@dataclass(frozen=True, slots=True)
class FontFile:
    """A font: a file, and the index of the font in it, from 0 (collections contain several). If
    `coloured`, its glyphs are its pictures in colours instead of its outlines."""

    path: str
    index: int = 0
    coloured: bool = False


@dataclass(frozen=True, slots=True)
class Typeface:
    """The fonts of a film's texts, one for each face. Without fonts it is the default typeface.
    `coloured` has further characters, in colours."""

    name: str
    fonts: tuple[tuple[Face, FontFile], ...] = ()
    coloured: FontFile | None = None

    def font(self, face: Face) -> FontFile:
        """The font of a face."""
        return dict(self.fonts).get(face) or shipped_font(face)

    @property
    def digest(self) -> str:
        """A digest of its font files, which differs from that of other files with the same names;
        "" for the default typeface."""
        fonts = [font for _, font in self.fonts] + ([self.coloured] if self.coloured else [])
        files = sorted({font.path for font in fonts})
        found = hashlib.sha256()
        for file in files:
            found.update(Path(file).read_bytes())
        return found.hexdigest() if files else ""


DEFAULT = Typeface("")
"""DejaVu Sans, which comes with matplotlib."""


@lru_cache(maxsize=1)
def _shipped_fonts() -> dict[str, Path]:
    """The font files of matplotlib by their names without suffix; empty if they are not in its
    folder. Matplotlib is not imported, which would take 200 ms."""
    found = find_spec("matplotlib")
    folders = (found and found.submodule_search_locations) or ()
    return {
        file.stem: file
        for folder in folders
        for file in Path(folder, "mpl-data", "fonts", "ttf").glob("*.ttf")
    }


@cache
def shipped_font(face: Face) -> FontFile:
    """The font of the default typeface for a face."""
    shipped = _shipped_fonts().get(face)
    if shipped is not None and shipped.exists():
        return FontFile(str(shipped))
    from matplotlib.font_manager import FontProperties, findfont

    wanted = FontProperties(
        family="DejaVu Sans",
        style="oblique" if face is Face.OBLIQUE else "normal",
        weight="bold" if face is Face.BOLD else "normal",
    )
    return FontFile(str(findfont(wanted, fallback_to_default=False)))


@lru_cache(maxsize=64)
def opened(font: FontFile) -> TTFont:
    """The tables of a font, each read on demand. Raises the errors of fontTools for a file that is
    not a font."""
    from fontTools.ttLib import TTFont

    return TTFont(BytesIO(Path(font.path).read_bytes()), fontNumber=font.index, lazy=True)


def characters(font: FontFile) -> frozenset[int]:
    """The code points for which a font has outlines, or pictures if it is `coloured`: none for
    unreadable files."""
    outlined, coloured = code_points(font.path, font.index)
    return coloured if font.coloured else outlined


@lru_cache(maxsize=4096)
def code_points(path: str, index: int) -> tuple[frozenset[int], frozenset[int]]:
    """The code points for which the font with this index in a file has outlines, and those for
    which it has pictures: bitmaps or coloured layers."""
    none: frozenset[int] = frozenset()
    return _read(FontFile(path, index), _code_points, (none, none))


def _code_points(tables: TTFont) -> tuple[frozenset[int], frozenset[int]]:
    none: frozenset[int] = frozenset()
    names: dict[int, str] = tables.getBestCmap() or {}
    present = set(tables.keys())
    every = frozenset(names)
    outlined = every if {"glyf", "CFF ", "CFF2"} & present else none
    if "sbix" in present:
        return none, every  # the outlines beside its bitmaps are empty
    if "CBDT" in present:
        return outlined, every
    if "COLR" not in present:
        return outlined, none
    if "glyf" not in present:
        return (none if tables["COLR"].version else outlined), none
    if tables["COLR"].version:
        return none, every  # the outlines are those of layers
    layers, ends = tables["COLR"].ColorLayers, tables["loca"]
    layered = {mark: tables.getGlyphID(names[mark]) for mark in names if names[mark] in layers}
    empty = {mark for mark, glyph in layered.items() if ends[glyph] == ends[glyph + 1]}
    return outlined - empty, frozenset(layered)


def _read(font: FontFile, read: Callable[[TTFont], T], otherwise: T) -> T:
    """The result of `read` for the tables of a font; `otherwise` if the file is not a font or is
    damaged."""
    from fontTools.ttLib import TTFont

    try:
        # The file is not read as a whole: of hundreds of fonts only the character tables are
        # needed.
        with Path(font.path).open("rb") as file:
            return read(TTFont(file, fontNumber=font.index, lazy=True))
    except Exception:  # fontTools raises errors of many kinds
        return otherwise


@cache
def installed_fonts() -> tuple[FontFile, ...]:
    """The fonts of this machine, in the order in which they are searched for a character: upright
    ones of regular weight first, sans-serif ones before others, then by name. Importing the library
    that finds them takes 0.2 s."""
    from matplotlib.font_manager import findSystemFonts

    paths = {str(Path(path)) for path in findSystemFonts()}
    return tuple(
        FontFile(path, index)
        for path in sorted(paths, key=_rank)
        if path.lower().endswith(_SUFFIXES)
        for index in range(_fonts_in(path))
    )


_UNUSUAL = re.compile(
    r"bold|black|heavy|light|thin|medium|italic|oblique|condensed|narrow|mono", re.IGNORECASE
)


def _rank(path: str) -> tuple[int, bool, str, str]:
    name = Path(path).stem
    return len(_UNUSUAL.findall(name)), "sans" not in name.lower(), name, path


def _fonts_in(path: str) -> int:
    """The number of fonts in a file."""
    if not path.lower().endswith(("c",)):
        return 1
    try:
        with Path(path).open("rb") as file:
            head = file.read(12)
    except OSError:
        return 0
    return int.from_bytes(head[8:12], "big") if head[:4] == b"ttcf" else 1


def is_font_file(name: str) -> bool:
    """Whether this is the path of a font file, not the name of a family."""
    return Path(name).suffix.lower() in _SUFFIXES or "/" in name


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
    if is_font_file(name) or path.is_file():
        return _from_file(name, path)
    return _installed_family(name)


@dataclass(frozen=True, slots=True)
class _Cut:
    """The description of a font in its file."""

    font: FontFile
    family: str
    slanted: bool
    width: int
    """1 to 9; 5 is normal."""
    weight: int


def _from_file(name: str, path: Path) -> Typeface:
    try:
        with path.open("rb"):
            pass
    except FileNotFoundError:
        raise ReadError(f"there is no font file {name!r}") from None
    except OSError as error:
        raise ReadError(f"the font file {name!r} can't be read: {error.strerror}") from None
    own = FontFile(str(path.resolve()))
    cut, coloured = _described(own), _coloured(own)
    if cut is not None and coloured and not _has_letters(own):
        return Typeface(name, coloured=coloured)
    if cut is None or not characters(own):
        raise SettingsError(
            f"{name!r} is not a font with outlines",
            remedy="give a .ttf, .otf or .ttc file, or the name of an installed family",
        )
    beside = sorted(path.resolve().parent.glob(f"{_stem(path)}*"))
    near = [
        found
        for file in beside
        if file.suffix.lower() in _SUFFIXES and (found := _described(FontFile(str(file))))
    ]
    family = [found for found in near if found.family == cut.family]
    return Typeface(name, _faces([cut, *family], upright=cut), coloured)


def _has_letters(font: FontFile) -> bool:
    """Whether a font has outlines of letters: emoji fonts may have those of blanks and symbols."""
    return any(chr(mark).isalpha() for mark in characters(font))


def _coloured(font: FontFile) -> FontFile | None:
    """The same font for its pictures; None if it has none."""
    coloured = replace(font, coloured=True)
    return coloured if characters(coloured) else None


def _stem(path: Path) -> str:
    """The part of a file name that the files of one family share, without characters that have a
    meaning in patterns."""
    return re.split(r"[-_ \[*?]", path.stem)[0]


def _installed_family(name: str) -> Typeface:
    wanted = name.casefold()
    cuts, others = [], set()
    for font in installed_fonts():
        cut = _described(font)
        if cut is None:
            continue
        if cut.family.casefold() == wanted:
            cuts.append(cut)
        others.add(cut.family)
    if not cuts:
        import difflib

        near = difflib.get_close_matches(name, sorted(others), 3)
        hint = f"did you mean {' or '.join(near)}?" if near else "give the path of a font file"
        raise SettingsError(f"no installed font is called {name!r}", remedy=hint)
    coloured = next((found for cut in cuts if (found := _coloured(cut.font))), None)
    outlined = [cut for cut in cuts if _has_letters(cut.font) or not coloured]
    if not coloured and not any(characters(cut.font) for cut in cuts):
        raise SettingsError(
            f"the installed font {name!r} has no outlines", remedy="give the name of another one"
        )
    return Typeface(name, _faces(outlined) if outlined else (), coloured)


def _faces(cuts: Sequence[_Cut], upright: _Cut | None = None) -> tuple[tuple[Face, FontFile], ...]:
    """The best font for each face; `upright` is the regular one if it is known."""

    def best(weight: int, *, slanted: bool) -> FontFile:
        return min(
            cuts,
            key=lambda cut: (cut.slanted is not slanted, abs(cut.weight - weight),
                             abs(cut.width - 5)),
        ).font  # fmt: skip

    return (
        (Face.REGULAR, upright.font if upright else best(400, slanted=False)),
        (Face.BOLD, best(700, slanted=False)),
        (Face.OBLIQUE, best(400, slanted=True)),
    )


def _described(font: FontFile) -> _Cut | None:
    """The description of a font; None if the file is not a font."""

    def read(tables: TTFont) -> _Cut:
        names: Any = tables["name"]
        family = names.getDebugName(16) or names.getDebugName(1) or Path(font.path).stem
        style, about = tables["head"].macStyle, tables.get("OS/2")
        return _Cut(
            font,
            str(family),
            bool(style & 2) or bool(about and about.fsSelection & 0x201),
            about.usWidthClass if about else 5,
            about.usWeightClass if about else 700 if style & 1 else 400,
        )

    return _read(font, read, None)
