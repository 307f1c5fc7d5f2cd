"""Fonts: files, what they have, the typeface of a film, and the fonts of this machine."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from importlib.util import find_spec
from io import SEEK_END, BytesIO
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple, TypeVar

from undoku.errors import SettingsError, UndokuError
from undoku.file_reading import opened as opened_file

if TYPE_CHECKING:
    from fontTools.ttLib import TTFont
    from PIL import ImageFont

T = TypeVar("T")

SUFFIXES = (".ttf", ".otf", ".ttc", ".otc")


class Face(StrEnum):
    """The faces of a typeface; the values are the file names of the default one."""

    REGULAR = "DejaVuSans"
    BOLD = "DejaVuSans-Bold"
    OBLIQUE = "DejaVuSans-Oblique"


@dataclass(frozen=True, slots=True)
class FontFile:
    """A font: a file, and the index of the font in it, from 0 (collections contain several). If
    `coloured`, its glyphs are its bitmaps in colours instead of its outlines."""

    path: str
    index: int = 0
    coloured: bool = False


class Typeface(NamedTuple):
    """The fonts of a film's texts, one for each face. Without fonts it is the default typeface.
    `coloured` has further characters, in colours."""

    name: str
    fonts: tuple[tuple[Face, FontFile], ...] = ()
    coloured: FontFile | None = None

    def font(self, face: Face) -> FontFile:
        """The font of a face."""
        return dict(self.fonts).get(face) or shipped_font(face)

    @property
    def files(self) -> list[str]:
        """The paths of its font files; none for the default typeface."""
        fonts = [font for _, font in self.fonts] + ([self.coloured] if self.coloured else [])
        return sorted({font.path for font in fonts})


DEFAULT = Typeface("")
"""DejaVu Sans, which comes with matplotlib."""


@cache
def shipped_font(face: Face) -> FontFile:
    """The font of the default typeface for a face. Matplotlib is not imported, which would take
    200 ms, unless its folder lacks the file."""
    found = find_spec("matplotlib")
    for folder in (found and found.submodule_search_locations) or ():
        file = Path(folder, "mpl-data", "fonts", "ttf", f"{face}.ttf")
        if file.exists():
            return FontFile(str(file))
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
    return _tables(BytesIO(Path(font.path).read_bytes()), font.index)


def _tables(file: IO[bytes], index: int) -> TTFont:
    """The tables of the font with this index in a file. Raises the errors of fontTools, and
    ValueError for a table that claims to be longer than the file, whose buffer would be made."""
    import logging

    from fontTools.ttLib import TTFont

    # Otherwise Python prints what fontTools says about odd fonts, also about those that only happen
    # to be installed; a damaged one may make it say something of each of 32,639 names.
    logging.getLogger("fontTools").setLevel(logging.CRITICAL)
    tables = TTFont(file, fontNumber=index, lazy=True)
    size = file.seek(0, SEEK_END)
    if any(entry.length > size for entry in tables.reader.tables.values()):
        raise ValueError("a table is longer than the file")
    return tables


def characters(font: FontFile) -> frozenset[int]:
    """The code points for which a font has outlines, or bitmaps in colours if it is `coloured`:
    none for unreadable files."""
    outlined, coloured = code_points(font.path, font.index)
    return coloured if font.coloured else outlined


@lru_cache(maxsize=4096)
def code_points(path: str, index: int) -> tuple[frozenset[int], frozenset[int]]:
    """The code points for which the font with this index in a file has outlines, and those for
    which it has bitmaps in colours."""
    none: frozenset[int] = frozenset()
    return read_tables(FontFile(path, index), _code_points, (none, none))


_MAX_NAMED = 1 << 21
"""The maximum number of code points that the groups of a font may name; Unicode has 1,114,112."""


def _check_groups(cmap: bytes) -> None:
    """Raise ValueError for a table of characters whose few bytes name so many code points that
    reading them would take minutes and gigabytes."""
    named = 0
    (count,) = struct.unpack_from(">H", cmap, 2)
    offsets = {struct.unpack_from(">4xI", cmap, 4 + 8 * number)[0] for number in range(count)}
    for at in offsets:
        if struct.unpack_from(">H", cmap, at)[0] in (8, 12, 13):
            head = at + (8204 if cmap[at + 1] == 8 else 12)
            (groups,) = struct.unpack_from(">I", cmap, head)
            whole = min(groups, (len(cmap) - head - 4) // 12)
            for start, end, _ in struct.iter_unpack(">III", cmap[head + 4 :][: 12 * whole]):
                named += max(0, end - start + 1)
    if named > _MAX_NAMED:
        raise ValueError(f"its groups name {named:,} characters")


def _code_points(tables: TTFont) -> tuple[frozenset[int], frozenset[int]]:
    none: frozenset[int] = frozenset()
    _check_groups(tables.reader["cmap"])
    names: dict[int, str] = tables.getBestCmap() or {}
    present = set(tables.keys())
    outlined = frozenset(names) if {"glyf", "CFF ", "CFF2"} & present else none
    if "sbix" in present:
        outlined = none  # the outlines beside its bitmaps are empty
    elif "COLR" in present and tables["COLR"].version:
        outlined = none  # the outlines are those of coloured layers
    elif "COLR" in present and "glyf" in present:
        ends = tables["loca"]
        glyphs = {mark: tables.getGlyphID(name) for mark, name in names.items()}
        outlined = frozenset(mark for mark, at in glyphs.items() if ends[at] < ends[at + 1])
    return outlined, frozenset(names) if {"sbix", "CBDT"} & present else none


def read_tables(font: FontFile, read: Callable[[TTFont], T], otherwise: T) -> T:
    """The result of `read` for the tables of a font; `otherwise` if the file is not a font or is
    damaged."""
    try:
        # The file is not read as a whole: of hundreds of fonts only the character tables are
        # needed.
        with opened_file(font.path) as file:
            return read(_tables(file, font.index))
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
        if path.lower().endswith(SUFFIXES)
        for index in range(_fonts_in(path))
    )


_UNUSUAL = re.compile(
    r"bold|black|heavy|light|thin|medium|italic|oblique|condensed|narrow|mono", re.IGNORECASE
)


def _rank(path: str) -> tuple[int, bool, str, str]:
    name = Path(path).stem
    return len(_UNUSUAL.findall(name)), "sans" not in name.lower(), name, path


def _fonts_in(path: str) -> int:
    """The number of fonts in a file; 0 for a damaged collection."""
    if not path.lower().endswith("c"):
        return 1
    return read_tables(FontFile(path), lambda tables: int(tables.reader.numFonts), 0)


@contextmanager
def reading(font: FontFile) -> Iterator[None]:
    """A context in which a font is read: the errors of FreeType and fontTools, which are of many
    kinds, are raised as SettingsError."""
    try:
        yield
    except (UndokuError, MemoryError):
        raise
    except Exception as error:
        with opened_file(font.path):  # which says why, if it can't be opened
            pass
        raise SettingsError(
            f"the font {font.path!r} is damaged: {error}", remedy="give another font"
        ) from error


@cache
def can_shape() -> bool:
    """Whether Pillow has the library that joins, stacks and orders letters."""
    from PIL import features

    return bool(features.check("raqm"))


@lru_cache(maxsize=16)
def sized(font: FontFile, size: int, *, shaped: bool) -> ImageFont.FreeTypeFont:
    """A font at one size in pixels per em. With `shaped`, and if Pillow can, letters are joined,
    stacked and ordered. Each takes 0.3 MB, and 0.1 ms to open again."""
    from PIL import ImageFont

    # The basic layout engine gives the same glyph positions on every machine.
    engine = ImageFont.Layout.RAQM if shaped and can_shape() else ImageFont.Layout.BASIC
    return ImageFont.truetype(font.path, size, index=font.index, layout_engine=engine)
