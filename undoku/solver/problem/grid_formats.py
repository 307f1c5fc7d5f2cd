"""Formats with a row of cells on each line: grids with options for their board, `.sdk`, `.ss`.

Options may precede the grid, one on each line, in any order:

    title: An example
    box: 2x3                            the shape of a box, rows × columns; none: no boxes
    regions: AAABBB AAABBB …            a letter per cell, here or in the lines below
    extra: diagonals, windows           named sets of extra units
    unit ring: r1c1 r1c2 r2c1           an additional unit

Grids can represent every puzzle. `.sdk` is the format of SadMan Sudoku and SudoCue, with or without
`[Puzzle]`; `.ss` is what Simple Sudoku prints, nine rows in a frame of `*`, `|` and `-`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from io import StringIO
from math import isqrt
from typing import Any

from undoku.errors import Place, PuzzleError
from undoku.solver.problem.puzzle import (
    LARGEST,
    SMALLEST,
    Geometry,
    Puzzle,
    box_shape,
    standard_geometry,
)
from undoku.solver.problem.puzzle_format import Entry, PuzzleFormat, require_standard, single
from undoku.solver.problem.puzzle_text import (
    VALUES,
    SourceLine,
    foreign,
    numbered,
    one_line,
    placed,
    size_of,
    usual_geometry,
    whole,
)
from undoku.solver.problem.variants import geometry_of, geometry_options

__all__ = ["GRID", "SDK", "SIMPLE_SUDOKU", "content", "is_rule", "puzzle_of_rows"]

_FRAME = "|!¦│┃║"
_RULE = set("-+=─━═┼╋╬┌┐└┘├┤┬┴╔╗╚╝╠╣╦╩╪╫* |")
_DASHES = set("-=─━═")


@dataclass(frozen=True, slots=True)
class _PuzzleRow:
    """The cells of one line: their values and their columns (from 1)."""

    line: SourceLine
    values: tuple[int, ...]
    columns: tuple[int, ...]


def is_rule(content: str) -> bool:
    """Whether a line has no cells: it is empty, or a frame such as ---+---+---."""
    marks = set(content)
    return not content.strip() or (marks <= _RULE and bool(marks & _DASHES))


def puzzle_of_rows(
    lines: Sequence[SourceLine],
    source: str,
    board: Callable[[int], Geometry] | None = None,
    size: int = 0,
    title: str = "",
) -> Puzzle:
    """The puzzle whose cells are in `lines`, all on one line or one row on each. Cells are marks (1
    to 9, then letters), or numbers with white space between them. Spaces, frames and comments (`#`
    or `;` to the end of the line) are skipped. `board` returns the geometry of a size, by default
    the standard one; `size` is the expected size, 0 for any. Raises PuzzleError with the line and
    column of the first mistake.
    """
    lines = [line for line in lines if not is_rule(content(line))]
    read = _read_numbers if _are_numbers(lines) else _read_marks
    rows = [row for line in lines if (row := read(line)).values]
    if not rows:
        raise PuzzleError(
            "it holds no cells", place=Place(source), remedy="give 81 cells, such as 53..7...."
        )
    if len(rows) > 1:
        size = _check_rows(rows, size)
    end = rows[-1].line.place(rows[-1].columns[-1])
    size = size_of(sum(len(row.values) for row in rows), end, size)
    geometry = board(size) if board else usual_geometry(size, end)
    cells = [row.line.place(column) for row in rows for column in row.columns]
    values = tuple(value for row in rows for value in row.values)
    return placed(values, geometry, cells.__getitem__, title)


def _check_rows(rows: list[_PuzzleRow], size: int) -> int:
    """The size of a grid: its number of lines, which equals the number of cells in each. The first
    line of another length is the mistake."""
    if not size:
        usual, _ = Counter(len(row.values) for row in rows).most_common(1)[0]
        size = usual if usual > 1 else len(rows)
    remedy = f"write all {size * size} cells on one line, or {_word(size)} lines of {_word(size)}"
    for row in rows:
        if len(row.values) != size:
            raise PuzzleError(
                f"{len(row.values)} cells in this line where {size} are needed",
                place=row.line.place(row.columns[-1]),
                remedy=remedy,
            )
    if len(rows) != size:
        last = rows[min(len(rows), size + 1) - 1]
        raise PuzzleError(
            f"{len(rows)} lines of cells where {size} are needed",
            place=last.line.place(last.columns[0]),
            remedy=remedy,
        )
    return size


def _word(count: int) -> str:
    return {4: "four", 6: "six", 8: "eight", 9: "nine", 10: "ten", 12: "twelve"}.get(
        count, str(count)
    )


def content(line: SourceLine) -> str:
    """A line without its comment."""
    return line.text.split("#", 1)[0].split(";", 1)[0]


def _tokens(line: SourceLine) -> list[re.Match[str]]:
    return list(re.finditer(rf"[^\s{_FRAME}]+", content(line)))


def _are_numbers(lines: Sequence[SourceLine]) -> bool:
    """Whether cells are numbers with white space between them, rather than single marks.

    A grid has as many lines as cells in each, so the interpretation that is closer to this is
    chosen. On a single line, short words are numbers if they are the cells of a whole board.
    """
    words = [[token[0] for token in _tokens(line)] for line in lines]
    longest = max((len(word) for row in words for word in row), default=0)
    if longest != 2:
        return False
    by_words, _ = Counter(map(len, words)).most_common(1)[0]
    by_marks, _ = Counter(sum(map(len, row)) for row in words).most_common(1)[0]
    if len(lines) == 1:
        return by_words >= SMALLEST**2 and isqrt(by_words) ** 2 == by_words
    return abs(by_words - len(lines)) <= abs(by_marks - len(lines))


def _read_marks(line: SourceLine) -> _PuzzleRow:
    values: list[int] = []
    columns: list[int] = []
    for column, mark in enumerate(content(line), 1):
        if mark.isspace() or mark in _FRAME:
            continue
        if mark not in VALUES:
            raise _foreign(foreign(mark), line, column)
        values.append(VALUES[mark])
        columns.append(column)
    return _PuzzleRow(line, tuple(values), tuple(columns))


def _read_numbers(line: SourceLine) -> _PuzzleRow:
    values: list[int] = []
    columns: list[int] = []
    for token in _tokens(line):
        word, column = token[0], token.start() + 1
        if word in VALUES:
            values.append(VALUES[word])
        elif word.isascii() and word.isdecimal():
            values.append(int(word))
        else:
            raise _foreign(f"{word!r} is neither a value nor an empty cell", line, column)
        columns.append(column)
    return _PuzzleRow(line, tuple(values), tuple(columns))


def _foreign(message: str, line: SourceLine, column: int) -> PuzzleError:
    return PuzzleError(
        message,
        place=line.place(column),
        remedy="use 1 to 9 (then A, B, …) for givens and . or 0 for empty cells",
    )


_NAME = re.compile(r"[a-z][\w -]{0,60}")
_SHAPE = re.compile(r"(\d{1,2}) ?[x×] ?(\d{1,2})", re.ASCII)
_CELL_NAME = re.compile(r"r(\d{1,2})c(\d{1,2})", re.ASCII | re.IGNORECASE)
_SPACE = re.compile(r"[\s,]+")


def _read_grids(pieces: Iterable[str], source: str) -> Iterator[Entry]:
    lines = list(numbered(StringIO(whole(pieces, source)), source))
    yield lambda: _grid_of(lines, source)


def _grid_of(lines: list[SourceLine], source: str) -> Puzzle:
    options: dict[str, Any] = {}
    first: SourceLine | None = None
    cells: list[SourceLine] = []
    rest = iter(lines)
    for line in rest:
        head, colon, value = content(line).partition(":")
        name = " ".join(head.lower().split())
        if not colon or not _NAME.fullmatch(name):
            cells.append(line)
            continue
        if name == "title":
            options["title"] = one_line(line.text.partition(":")[2])
            continue
        first = first or line
        try:
            if name == "regions":
                options["regions"] = "".join((value.strip() or _block(rest)).split())
            else:
                _read_option(name, value.strip(), options)
        except PuzzleError as error:
            raise PuzzleError(error.message, place=line.place(1), remedy=error.remedy) from None
    title = options.pop("title", "")
    if first is None:
        return puzzle_of_rows(cells, source, title=title)
    try:
        size = _size(options)
    except PuzzleError as error:
        raise PuzzleError(error.message, place=first.place(1), remedy=error.remedy) from None
    return puzzle_of_rows(cells, source, partial(_geometry, options, first), size, title)


def _block(rest: Iterator[SourceLine]) -> str:
    """The lines of letters after `regions:`, as many as the first one has letters."""
    rows: list[str] = []
    for line in rest:
        row = "".join(content(line).replace("|", " ").split())
        if row and not is_rule(row):
            rows.append(row)
        if rows and len(rows) >= min(len(rows[0]), LARGEST):
            break
    return "".join(rows)


def _read_option(name: str, value: str, options: dict[str, Any]) -> None:
    word, _, rest = name.partition(" ")
    if name == "size" and value.isascii() and value.isdecimal():
        options["size"] = int(value[:9])
    elif name == "box" and value.lower() == "none":
        options["box"] = "none"
    elif name == "box" and (shape := _SHAPE.fullmatch(value)):
        options["box"] = [int(shape[1]), int(shape[2])]
    elif name == "extra":
        options["extra"] = _SPACE.sub(" ", value.lower()).split()
    elif word == "unit" and rest:
        names = [_CELL_NAME.fullmatch(cell) for cell in _SPACE.sub(" ", value).split()]
        if not all(names):
            raise PuzzleError("a unit is a list of cells", remedy="write them as r1c1 r1c2 …")
        # Cell numbers depend on the size, so rows and columns are stored until it is known.
        pairs = [(int(cell[1]), int(cell[2])) for cell in names if cell]
        options.setdefault("units", []).append({"name": rest, "cells": pairs})
    else:
        raise PuzzleError(
            f"there is no option {(name + ': ' + value)[:60]!r}",
            remedy="the options are title, size, box, regions, extra and unit; "
            "begin other lines with #",
        )


def _size(options: dict[str, Any]) -> int:
    """The number of values of the board according to the options, 0 if they do not state it."""
    if isinstance(options.get("box"), list) and "size" not in options:
        options["size"] = options["box"][0] * options["box"][1]
    if "regions" not in options and "size" not in options:
        return 0
    plain = {name: value for name, value in options.items() if name in ("size", "box", "regions")}
    return geometry_of(plain).size


def _geometry(options: dict[str, Any], first: SourceLine, size: int) -> Geometry:
    try:
        units = []
        for unit in options.get("units", ()):
            outside = [pair for pair in unit["cells"] if not all(1 <= k <= size for k in pair)]
            if outside:
                raise PuzzleError(
                    f"there is no cell r{outside[0][0]}c{outside[0][1]} on a {size}×{size} board",
                    remedy=f"rows and columns go from 1 to {size}",
                )
            cells = [(row - 1) * size + column - 1 for row, column in unit["cells"]]
            units.append({"name": unit["name"], "cells": cells})
        sized = {} if "regions" in options else {"size": size}
        return geometry_of(options | sized | {"units": units})
    except PuzzleError as error:
        raise PuzzleError(error.message, place=first.place(1), remedy=error.remedy) from None


def _write_grid(puzzles: Iterable[Puzzle]) -> Iterator[str]:
    puzzle = single(puzzles, "grid")
    geometry, size = puzzle.geometry, puzzle.size
    if title := one_line(puzzle.title):
        yield f"title: {title}\n"
    options = geometry_options(geometry)
    if "regions" in options:
        yield "regions:\n"
        for row in range(size):
            yield "    " + options["regions"][row * size : row * size + size] + "\n"
    elif not _is_usual(geometry):
        yield f"size: {size}\n" if geometry.box else ""
        yield "box: " + ("x".join(map(str, geometry.box)) if geometry.box else "none") + "\n"
    if "extra" in options:
        yield "extra: " + ", ".join(options["extra"]) + "\n"
    for unit in options.get("units", ()):
        yield f"unit {unit['name']}: " + " ".join(map(geometry.cell_name, unit["cells"])) + "\n"
    cells = str(puzzle)
    height, width = geometry.box or (size, size)
    bars = range(0, size, width)
    for row in range(size):
        if row and row % height == 0:
            yield "+".join("-" * (2 * width + (0 < bar < size - width)) for bar in bars) + "\n"
        marks = cells[row * size : row * size + size]
        yield " | ".join(" ".join(marks[bar : bar + width]) for bar in bars) + "\n"


def _is_usual(geometry: Geometry) -> bool:
    try:
        shape = box_shape(geometry.size)
    except PuzzleError:
        return False
    return geometry.box == standard_geometry(geometry.size, shape).box


GRID = PuzzleFormat(
    name="grid",
    suffixes=(".txt",),
    sentence="rows of cells, with or without frames, and options for the board; can represent "
    "every puzzle",
    source="undoku",
    fits=lambda text: True,
    read=_read_grids,
    write=_write_grid,
)


_SECTION = re.compile(r"\s*\[(\w+)\]")
_REMARK = re.compile(r"^#[ADCBSLU]\S", re.MULTILINE)  # author, description, comment, date, …


def _read_sdk(pieces: Iterable[str], source: str) -> Iterator[Entry]:
    lines = list(numbered(StringIO(whole(pieces, source)), source))
    yield lambda: _sdk_of(lines, source)


def _sdk_of(lines: list[SourceLine], source: str) -> Puzzle:
    cells: list[SourceLine] = []
    title, section = "", "puzzle"
    for line in lines:
        if found := _SECTION.match(line.text):
            section = found[1].lower()
        elif line.text.startswith("#D"):
            title = title or one_line(line.text[2:])
        elif section == "puzzle":  # [State] and other sections contain the progress of a player
            cells.append(line)
    return puzzle_of_rows(cells, source, title=title)


def _write_sdk(puzzles: Iterable[Puzzle]) -> Iterator[str]:
    puzzle = require_standard(single(puzzles, "sdk"), "sdk")
    if title := one_line(puzzle.title):
        yield f"#D{title}\n"
    yield "[Puzzle]\n"
    cells = str(puzzle)
    for start in range(0, len(cells), puzzle.size):
        yield cells[start : start + puzzle.size] + "\n"


SDK = PuzzleFormat(
    name="sdk",
    suffixes=(".sdk",),
    sentence="nine rows, with or without [Puzzle], after remarks such as #D (description)",
    source="SadMan Sudoku; SudoCue, file formats",
    fits=lambda text: bool(
        re.search(r"^[ \t]*\[puzzle\]", text, re.IGNORECASE | re.MULTILINE) or _REMARK.match(text)
    ),
    read=_read_sdk,
    write=_write_sdk,
)


_EDGE = re.compile(r"^[ \t]*\*-+\*[ \t]*$", re.MULTILINE)


def _read_ss(pieces: Iterable[str], source: str) -> Iterator[Entry]:
    lines = list(numbered(StringIO(whole(pieces, source)), source))
    yield lambda: _ss_of(lines, source)


def _ss_of(lines: list[SourceLine], source: str) -> Puzzle:
    edges = [k for k, line in enumerate(lines) if _EDGE.match(line.text)]
    # The program's name and version follow the frame; older files have neither.
    framed = lines[edges[0] + 1 : edges[1]] if len(edges) > 1 else lines
    return puzzle_of_rows(framed, source)


def _write_ss(puzzles: Iterable[Puzzle]) -> Iterator[str]:
    cells = str(require_standard(single(puzzles, "ss"), "ss"))
    yield " *-----------*\n"
    for start in range(0, 81, 9):
        if start in (27, 54):
            yield " |---+---+---|\n"
        yield " |" + "|".join(cells[start + bar : start + bar + 3] for bar in (0, 3, 6)) + "|\n"
    yield " *-----------*\n"


SIMPLE_SUDOKU = PuzzleFormat(
    name="ss",
    suffixes=(".ss",),
    sentence="nine rows in a frame of *, | and -",
    source="Simple Sudoku 4.2; Sudopedia, clipboard and file formats",
    fits=lambda text: _EDGE.search(text) is not None,
    read=_read_ss,
    write=_write_ss,
)
