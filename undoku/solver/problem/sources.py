"""Reads puzzles from texts, standard input, files, positions in collections and links; writes them.

parse_puzzle(text)       one puzzle from a text in any format
as_puzzle(puzzle)        one puzzle from a puzzle, its text or its values
read(argument)           one puzzle from -, a file, file:17, a link, a name such as queens:8, or the
                         cells themselves
collection(path)         all puzzles of a file, one after the other
readings(path)           the same with the errors of invalid puzzles, which count in the numbering
is_literal(argument)     whether it is or names a puzzle itself, not a file
write(puzzles, format)   the text in one of the formats of FORMATS that are also written
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from io import StringIO, TextIOWrapper
from itertools import chain
from math import isqrt
from pathlib import Path
from typing import IO

from undoku.errors import Place, PuzzleError, SettingsError
from undoku.file_reading import read_errors, standard_input
from undoku.solver.problem.grid_formats import GRID, SDK, SIMPLE_SUDOKU
from undoku.solver.problem.line_formats import HODOKU, KAGGLE, LINES
from undoku.solver.problem.link_formats import FPUZZLES, SUDOKUPAD
from undoku.solver.problem.opensudoku import OPENSUDOKU
from undoku.solver.problem.problem_content import PROBLEM
from undoku.solver.problem.problem_kinds import is_named, named_problem
from undoku.solver.problem.puzzle import Puzzle, standard_geometry
from undoku.solver.problem.puzzle_format import Entry, PuzzleFormat, Writer
from undoku.solver.problem.puzzle_text import VALUES, bounded
from undoku.solver.problem.python_lists import PYTHON_LIST, values_of_lists

# Detection tries formats in this order: unmistakable ones come first, grids last.
FORMATS: Mapping[str, PuzzleFormat] = {
    known.name: known
    for known in (
        PROBLEM,
        OPENSUDOKU,
        SUDOKUPAD,
        FPUZZLES,
        HODOKU,
        KAGGLE,
        PYTHON_LIST,
        SIMPLE_SUDOKU,
        SDK,
        LINES,
        GRID,
    )
}
# These look alike, so the suffix of a file decides between them.
_PLAIN = (SDK, LINES)


def writer_of(name: str) -> Writer:
    """The writer of the format with a name ("sdm") or a suffix (".sdm", also at the end of a file
    name). Raises SettingsError for a format that is unknown or only read.
    """
    writers = {known: known.write for known in FORMATS.values() if known.write}
    for known, writer in writers.items():
        if name == known.name or name.lower().endswith(known.suffixes):
            return writer
    names = ", ".join(known.name for known in writers)
    raise SettingsError(f"puzzles can't be written as {name!r}", remedy=f"choose one of {names}")


def detect(head: str, name: str = "") -> PuzzleFormat:
    """The format of a text that begins with `head`, in a file called `name`."""
    for known in FORMATS.values():
        if known not in _PLAIN and known is not GRID and known.fits(head):
            return known
    for known in _PLAIN:
        if name.lower().endswith(known.suffixes):
            return known
    return next(known for known in (*_PLAIN, GRID) if known.fits(head))


_HEAD = 1 << 16  # characters by which a format is recognised
_PIECE = 1 << 14  # characters: a longer line comes in pieces
_LITERAL = 40  # characters: a shorter argument is a file's name, unless it is all cells
_MIN_CELLS = 9  # cells: a shorter word is a file's name
_NUMBERED = re.compile(r"(.+):(\d{1,15})", re.DOTALL)
_LINK = re.compile(r"https?://|[\w.-]*(f-puzzles\.com|sudokupad|crackingthecryptic)", re.IGNORECASE)


def parse_puzzle(text: str, *, source: str = "the puzzle") -> Puzzle:
    """Read the one puzzle that `text` holds, in any format, or names, as "queens:8" does; `source`
    names it in errors. Raises PuzzleError with the place and the remedy.

    >>> undoku.parse_puzzle("1.....3..4.....2").size, undoku.parse_puzzle("queens:8").size
    (4, 8)
    """
    if is_named(text):
        return named_problem(text)
    return _only(_entries(_pieces(StringIO(text, newline=None), source), source), source)


def as_puzzle(puzzle: Puzzle | str | Sequence[object]) -> Puzzle:
    """The puzzle given by a caller: a puzzle, its text in any format, or the values of a standard
    board, flat or as a list of rows; 0, None or a mark such as "." is an empty cell.

    Raises PuzzleError.
    """
    if isinstance(puzzle, Puzzle):
        return puzzle
    if isinstance(puzzle, str):
        return parse_puzzle(puzzle)
    if not isinstance(puzzle, Iterable):
        raise PuzzleError(
            f"{type(puzzle).__name__} is not a puzzle",
            remedy="give its text, or one whole number for each cell",
        )
    values = values_of_lists(puzzle)
    size = isqrt(len(values))
    geometry = standard_geometry(size) if size * size == len(values) else standard_geometry()
    return Puzzle(values, geometry)


def read(argument: str) -> Puzzle:
    """Read the puzzle that a command-line argument denotes. `-` is standard input, the name of an
    existing file is that file, `file:17` is the 17th puzzle of a collection, `file.col:3` a graph
    in three colours, a link contains its puzzle, "queens:8" names one, and anything else is the
    puzzle itself. Raises ReadError if a file can't be read, PuzzleError if its text is not a
    puzzle.
    """
    if not argument.strip():
        raise PuzzleError("the puzzle argument is empty", remedy="give 81 cells, a file, or -")
    if _is_text(argument):
        return parse_puzzle(argument, source="the puzzle argument")
    if re.search(r"\.col(:\d*)?$", argument):
        return named_problem(f"graph:{argument}")
    name, number = argument, 0
    found = _NUMBERED.fullmatch(argument)
    if found and not _is_there(argument) and (found[1] == "-" or _is_there(found[1])):
        name, number = found[1], int(found[2])
        if not number:
            raise PuzzleError("there is no puzzle 0", remedy="count the puzzles of a file from 1")
    elif not _is_there(argument) and _is_cells(argument):
        return parse_puzzle(argument, source="the puzzle argument")
    source = "standard input" if name == "-" else name
    with _opened(name) as entries:
        if not number:
            return _only(entries, source, name)
        count = 0
        for count, entry in enumerate(entries, 1):
            if count == number:
                return entry()
        raise PuzzleError(
            f"it holds {count} puzzle{'s' * (count != 1)}, so there is no number {number}",
            place=Place(source),
            remedy=f"name one from {name}:1 to {name}:{count}" if count else "give another file",
        )


def is_literal(argument: str) -> bool:
    """Whether an argument that is not the name of a file is a puzzle: cells, a link or a name such
    as "queens:8"."""
    return _is_text(argument) or _is_cells(argument)


def collection(path: str | Path, *, skip: bool = False) -> Iterator[Puzzle]:
    """All puzzles of a file (`-` is standard input), one after the other, in constant memory. An
    invalid puzzle ends the iteration with a PuzzleError that names its place; with `skip` it is
    skipped instead. Raises ReadError if the file can't be read.
    """
    for reading in readings(path):
        if isinstance(reading, Puzzle):
            yield reading
        elif not skip:
            raise reading


def readings(path: str | Path) -> Iterator[Puzzle | PuzzleError]:
    """All entries of a collection, numbered as in `file:17`: the puzzle of each, or the error that
    explains why it is invalid. Raises ReadError if the file can't be read, PuzzleError if it is not
    a collection."""
    with _opened(str(path)) as entries:
        for entry in entries:
            try:
                reading: Puzzle | PuzzleError = entry()
            except PuzzleError as error:
                reading = error
            yield reading


def _entries(pieces: Iterator[str], source: str) -> Iterator[Entry]:
    pieces = bounded(pieces, source, PuzzleError, comments="#;")
    head: list[str] = []
    length = 0
    for piece in pieces:
        head.append(piece)
        if length or not piece.isspace():
            length += len(piece)
        if length >= _HEAD:
            break
    text = "".join(head)
    if "\0" in text and text.startswith(("\udcff\udcfe", "\udcfe\udcff")):
        raise PuzzleError("it is text in UTF-16", place=Place(source), remedy="save it as UTF-8")
    if "\0" in text:
        raise PuzzleError(
            f"byte 0x00 at offset {text.index(chr(0))} is not text",
            place=Place(source),
            remedy="give a text file with 81 cells",
        )
    if not text.strip().strip("\ufeff"):
        raise PuzzleError(
            "it is empty", place=Place(source), remedy="give 81 cells, such as 53..7...."
        )
    head[0] = head[0].removeprefix("\ufeff")
    return detect(text.removeprefix("\ufeff"), source).read(chain(head, pieces), source)


def _only(entries: Iterator[Entry], source: str, name: str = "") -> Puzzle:
    """The only puzzle of a source. Raises PuzzleError if it contains none or more than one."""
    entry = next(entries, None)
    if entry is None:
        raise PuzzleError("it contains no puzzle", place=Place(source), remedy="give one puzzle")
    if next(entries, None) is not None:
        raise PuzzleError(
            "it contains more than one puzzle",
            place=Place(source),
            remedy=f"name one, such as {name}:1" if name else "give one puzzle",
        )
    return entry()


@contextmanager
def _opened(name: str) -> Iterator[Iterator[Entry]]:
    """The entries of a file. Bytes that are not UTF-8 are passed on unchanged: older
    Windows programs write them in names, and a remark is not a reason to refuse a puzzle. A problem
    has a name in place of a file."""
    if is_named(name):
        yield iter([partial(named_problem, name)])
        return
    if name == "-":
        text = _text_of(standard_input())
        try:
            yield _entries(_pieces(text, "standard input"), "standard input")
        finally:
            text.detach()  # else standard input would be closed along with it
        return
    with read_errors(name):
        file = Path(name).open("rb")  # noqa: SIM115  (an error in the block is another one)
    with _text_of(file) as text:
        yield _entries(_pieces(text, name), name)


def _text_of(file: IO[bytes]) -> TextIOWrapper:
    return TextIOWrapper(file, encoding="utf-8-sig", errors="surrogateescape")


def _pieces(text: TextIOWrapper | StringIO, source: str) -> Iterator[str]:
    with read_errors(source):
        while piece := text.readline(_PIECE):
            yield piece


def _is_there(name: str) -> bool:
    try:
        return Path(name).exists()
    except (OSError, ValueError):  # too long for a file name, or with a zero byte
        return False


def _is_text(argument: str) -> bool:
    """Whether an argument is a puzzle, even if a file of that name exists."""
    return "\n" in argument or _LINK.match(argument) is not None or is_named(argument)


def _is_cells(argument: str) -> bool:
    """Whether an argument that is not the name of an existing file was meant as cells."""
    if set(argument) <= VALUES.keys():  # letters alone are a word
        return len(argument) >= _MIN_CELLS and not argument.isalpha()
    if argument.lstrip().startswith(("{", ":", "<", "[")):
        return True
    return len(argument) >= _LITERAL and "/" not in argument and not Path(argument).suffix.isalpha()


def write(puzzles: Puzzle | Iterable[Puzzle], name: str) -> str:
    """The text of one or more puzzles in the format called `name` (a name or a suffix).

    For a collection too large for memory, iterate over `writer_of(name)(puzzles)`.

    Raises SettingsError for a format that is unknown or only read, and PuzzleError for a puzzle
    that it can't represent.
    """
    several = [puzzles] if isinstance(puzzles, Puzzle) else puzzles
    return "".join(writer_of(name)(several))
