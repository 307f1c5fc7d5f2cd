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
from functools import partial
from math import isqrt
from typing import Any

from undoku.errors import Place, PuzzleError
from undoku.solver.problem.puzzle import (
    LARGEST,
    SMALLEST,
    Geometry,
    Puzzle,
    usual_box,
)
from undoku.solver.problem.puzzle_format import PuzzleFormat, board_of, single
from undoku.solver.problem.puzzle_text import (
    VALUES,
    Cell,
    SourceLine,
    check_rows,
    foreign,
    lines_of,
    one_line,
    placed_at,
    puzzle_of_cells,
    single_puzzle,
)
from undoku.solver.problem.variants import geometry_of, geometry_options

_FRAME = "|!¦│┃║"
_WORD = re.compile(rf"[^\s{_FRAME}]+")
_MARK = re.compile(rf"[^\s{_FRAME}]")
_RULE = set("-+=─━═┼╋╬┌┐└┘├┤┬┴╔╗╚╝╠╣╦╩╪╫* |")
_DASHES = set("-=─━═")


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
    pattern = _WORD if _are_numbers(lines) else _MARK
    cells = [
        Cell(_value(token, line), line, token.start() + 1, line.number)
        for line in lines
        for token in pattern.finditer(content(line))
    ]
    if not cells:
        raise PuzzleError(
            "it holds no cells", place=Place(source), remedy="give 81 cells, such as 53..7...."
        )
    if cells[0].line is not cells[-1].line:
        size = check_rows(cells, "line", size)
    return puzzle_of_cells(cells, board, size, title)


def content(line: SourceLine) -> str:
    """A line without its comment."""
    return line.text.split("#", 1)[0].split(";", 1)[0]


def _are_numbers(lines: Sequence[SourceLine]) -> bool:
    """Whether cells are numbers with white space between them, rather than single marks.

    A grid has as many lines as cells in each, so the interpretation that is closer to this is
    chosen. On a single line, short words are numbers if they are the cells of a whole board.
    """
    words = [_WORD.findall(content(line)) for line in lines]
    longest = max((len(word) for row in words for word in row), default=0)
    if longest != 2:
        return False
    by_words, _ = Counter(map(len, words)).most_common(1)[0]
    by_marks, _ = Counter(sum(map(len, row)) for row in words).most_common(1)[0]
    if len(lines) == 1:
        return by_words >= SMALLEST**2 and isqrt(by_words) ** 2 == by_words
    return abs(by_words - len(lines)) <= abs(by_marks - len(lines))


def _value(token: re.Match[str], line: SourceLine) -> int:
    """The value of a mark or a number. Raises PuzzleError for anything else."""
    word = token[0]
    if word in VALUES:
        return VALUES[word]
    if len(word) > 1 and word.isascii() and word.isdecimal():
        return int(word)
    raise PuzzleError(
        foreign(word) if len(word) == 1 else f"{word!r} is neither a value nor an empty cell",
        place=line.place(token.start() + 1),
        remedy="use 1 to 9 (then A, B, …) for givens and . or 0 for empty cells",
    )


_NAME = re.compile(r"[a-z][\w -]{0,60}")
_SIZE = re.compile(r"\d{1,100}", re.ASCII)
_SHAPE = re.compile(r"(\d{1,2}) ?[x×] ?(\d{1,2})", re.ASCII)
_CELL_NAME = re.compile(r"r(\d{1,2})c(\d{1,2})", re.ASCII | re.IGNORECASE)
_SPACE = re.compile(r"[\s,]+")


def _grid_of(text: str, source: str) -> Puzzle:
    options: dict[str, Any] = {}
    first: SourceLine | None = None
    cells: list[SourceLine] = []
    rest = iter(lines_of(text, source))
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
        with placed_at(line.place, 1):
            if name == "regions":
                options["regions"] = "".join((value.strip() or _block(rest)).split())
            else:
                _read_option(name, value.strip(), options)
    title = options.pop("title", "")
    if first is None:
        return puzzle_of_rows(cells, source, title=title)
    with placed_at(first.place, 1):
        size = _size(options)
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
    if name == "size" and _SIZE.fullmatch(value):
        options["size"] = int(value)
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
    with placed_at(first.place, 1):
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


def _write_grid(puzzles: Iterable[Puzzle]) -> Iterator[str]:
    puzzle = single(puzzles, "grid")
    geometry, size = board_of(puzzle, "grid"), puzzle.size
    if title := one_line(puzzle.title):
        yield f"title: {title}\n"
    options = geometry_options(geometry)
    if "regions" in options:
        yield "regions:\n"
        for row in range(size):
            yield "    " + options["regions"][row * size : row * size + size] + "\n"
    elif geometry.box is None or geometry.box != usual_box(size):
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


GRID = PuzzleFormat(
    name="grid",
    suffixes=(".txt",),
    sentence="rows of cells, with or without frames, and options for the board; can represent "
    "every puzzle",
    source="undoku",
    fits=lambda text: True,
    read=single_puzzle(_grid_of),
    write=_write_grid,
)


_SECTION = re.compile(r"\s*\[(\w+)\]")
_REMARK = re.compile(r"^#[ADCBSLU]\S", re.MULTILINE)  # author, description, comment, date, …


def _sdk_of(text: str, source: str) -> Puzzle:
    cells: list[SourceLine] = []
    title, section = "", "puzzle"
    for line in lines_of(text, source):
        if found := _SECTION.match(line.text):
            section = found[1].lower()
        elif line.text.startswith("#D"):
            title = title or one_line(line.text[2:])
        elif section == "puzzle":  # [State] and other sections contain the progress of a player
            cells.append(line)
    return puzzle_of_rows(cells, source, title=title)


SDK = PuzzleFormat(
    name="sdk",
    suffixes=(".sdk",),
    sentence="nine rows, with or without [Puzzle], after remarks such as #D (description)",
    source="SadMan Sudoku; SudoCue, file formats",
    fits=lambda text: bool(
        re.search(r"^[ \t]*\[puzzle\]", text, re.IGNORECASE | re.MULTILINE) or _REMARK.match(text)
    ),
    read=single_puzzle(_sdk_of),
)


_EDGE = re.compile(r"^[ \t]*\*-+\*[ \t]*$", re.MULTILINE)


def _ss_of(text: str, source: str) -> Puzzle:
    lines = lines_of(text, source)
    edges = [k for k, line in enumerate(lines) if _EDGE.match(line.text)]
    # The program's name and version follow the frame; older files have neither.
    framed = lines[edges[0] + 1 : edges[1]] if len(edges) > 1 else lines
    return puzzle_of_rows(framed, source)


SIMPLE_SUDOKU = PuzzleFormat(
    name="ss",
    suffixes=(".ss",),
    sentence="nine rows in a frame of *, | and -",
    source="Simple Sudoku 4.2; Sudopedia, clipboard and file formats",
    fits=lambda text: _EDGE.search(text) is not None,
    read=single_puzzle(_ss_of),
)
