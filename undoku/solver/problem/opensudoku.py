"""OpenSudoku files (`.opensudoku`): games as XML, versions 1 to 3, a collection each.

The file is read as a stream by expat. A document type is refused, so that no entity can be
declared, and a tag of over 262,144 bytes is refused, so that memory stays bounded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from undoku.errors import Place, PuzzleError
from undoku.solver.problem.line_formats import read_cells
from undoku.solver.problem.puzzle import Puzzle, standard_geometry
from undoku.solver.problem.puzzle_format import Entry, PuzzleFormat
from undoku.solver.problem.puzzle_text import SourceLine, one_line, placed

_MAX_TAG_BYTES = 1 << 18  # bytes
_MAX_DEPTH = 16  # tags in tags; a game is the third
_PROGRESS = re.compile(r"version:\s*(\d)\s+(.*)", re.DOTALL)
_FIELDS = {"1": 3, "2": 3, "3": 3, "4": 4, "5": 5}  # of a cell: value, notes …, editable
_VERSIONS = ("1", "2", "3")


def _read(pieces: Iterable[str], source: str) -> Iterator[Entry]:
    from xml.parsers import expat

    found: list[Entry] = []
    parser = expat.ParserCreate(
        "utf-8"
    )  # regardless of the declaration: the text is decoded already
    open_tags: list[str] = []

    def begin(tag: str, attributes: dict[str, str]) -> None:
        place = Place(source, parser.CurrentLineNumber, parser.CurrentColumnNumber + 1)
        open_tags.append(tag)
        if len(open_tags) > _MAX_DEPTH:
            raise PuzzleError(
                f"it has tags in tags, {len(open_tags)} deep, which puzzle files never do",
                place=place,
                remedy="give a file that OpenSudoku exported",
            )
        if len(open_tags) == 1:
            if tag != "opensudoku":
                raise PuzzleError(
                    f"its root is <{tag[:40]}>, not <opensudoku>",
                    place=place,
                    remedy="give a file that OpenSudoku exported",
                )
            if attributes.get("version", "1") not in _VERSIONS:
                raise PuzzleError(
                    f"version {attributes['version'][:20]!r} of OpenSudoku's files is not known",
                    place=place,
                    remedy="export it as version 1, 2 or 3",
                )
        elif tag == "game":
            found.append(partial(_read_game, attributes, place))

    def refuse_doctype(*_: object) -> None:
        raise PuzzleError(
            "it declares a document type, which puzzle files never do",
            place=Place(source, parser.CurrentLineNumber),
            remedy="remove the <!DOCTYPE …>",
        )

    parser.StartElementHandler = begin
    parser.EndElementHandler = lambda tag: open_tags.pop()
    parser.StartDoctypeDeclHandler = refuse_doctype
    fed = 0
    for piece in pieces:
        raw = piece.encode("utf-8", "replace")
        fed += len(raw)
        _feed(parser.Parse, raw, False, source)
        if fed - max(parser.CurrentByteIndex, 0) > _MAX_TAG_BYTES:
            raise PuzzleError(
                f"it has a tag of over {_MAX_TAG_BYTES:,} bytes, which is not a puzzle",
                place=Place(source, parser.CurrentLineNumber),
                remedy="give a file that OpenSudoku exported",
            )
        yield from found
        found.clear()
    _feed(parser.Parse, b"", True, source)
    yield from found


def _feed(parse: Callable[[bytes, bool], int], raw: bytes, last: bool, source: str) -> None:
    from xml.parsers import expat

    try:
        parse(raw, last)
    except expat.ExpatError as error:
        raise PuzzleError(
            f"it is not well-formed XML: {expat.ErrorString(error.code)}",
            place=Place(source, error.lineno, error.offset + 1),
            remedy="give a file that OpenSudoku exported",
        ) from None


def _read_game(attributes: dict[str, str], place: Place) -> Puzzle:
    cells = attributes.get("cells_data", attributes.get("data", ""))
    if not cells.strip():
        raise PuzzleError("this game has no cells", place=place, remedy="give it data of 81 digits")
    title = one_line(attributes.get("user_note", attributes.get("note", "")))
    try:
        if progress := _PROGRESS.match(cells):
            return _read_progress(progress[1], progress[2], title)
        return read_cells(cells.strip(), SourceLine("", 1, cells), 0, title)
    except PuzzleError as error:
        # The text of the attribute differs from the text of the line: only its place is known.
        message = f"in this game, {error.message}"
        raise PuzzleError(message, place=place, remedy=error.remedy) from None


def _read_progress(version: str, text: str, title: str) -> Puzzle:
    """A game in progress: editable cells are not givens."""
    words = [word for word in text.split("|") if word.strip()]
    width = _FIELDS.get(version, 0)
    geometry = standard_geometry()
    if not width or len(words) != width * geometry.cells:
        raise PuzzleError(
            f"the cells of version {version} are not {geometry.cells} groups of {width or 'known'} "
            "fields",
            remedy="export the game again",
        )
    values = []
    for start in range(0, len(words), width):
        value, editable = words[start].strip(), words[start + width - 1].strip()
        if not re.fullmatch("[0-9]", value) or editable not in ("0", "1"):
            raise PuzzleError(
                f"cell {start // width + 1} holds {value[:20]!r}", remedy="export the game again"
            )
        values.append(int(value) if editable == "0" else 0)
    return placed(tuple(values), geometry, lambda cell: Place("", 1), title)


OPENSUDOKU = PuzzleFormat(
    name="opensudoku",
    suffixes=(".opensudoku", ".xml"),
    sentence="games as XML, versions 1 to 3",
    source="OpenSudoku, import and export of files",
    fits=lambda text: "<opensudoku" in text or text.lstrip().startswith(("<?xml", "<!DOCTYPE")),
    read=_read,
    several=True,
)
