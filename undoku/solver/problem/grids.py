"""A puzzle as a grid, with options for its board: the format that can represent every puzzle.

Options may precede the grid, one on each line, in any order:

    title: An example
    box: 2x3                            the shape of a box, rows × columns; none: no boxes
    regions: AAABBB AAABBB …            a letter per cell, here or in the lines below
    extra: diagonals, windows           named sets of extra units
    unit ring: r1c1 r1c2 r2c1           an additional unit
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial
from io import StringIO
from typing import Any

from undoku.errors import PuzzleError
from undoku.solver.problem.puzzle import LARGEST, Geometry, Puzzle, box_shape, standard_geometry
from undoku.solver.problem.puzzle_format import Entry, PuzzleFormat, single
from undoku.solver.problem.rows import content, is_rule, puzzle_of_rows
from undoku.solver.problem.text import SourceLine, numbered, one_line, whole
from undoku.solver.problem.variants import geometry_of, geometry_options

__all__ = ["GRID"]

_NAME = re.compile(r"[a-z][\w -]{0,60}")
_SHAPE = re.compile(r"(\d{1,2}) ?[x×] ?(\d{1,2})", re.ASCII)
_CELL = re.compile(r"r(\d{1,2})c(\d{1,2})", re.ASCII | re.IGNORECASE)
_SPACE = re.compile(r"[\s,]+")


def _read(pieces: Iterable[str], source: str) -> Iterator[Entry]:
    lines = list(numbered(StringIO(whole(pieces, source)), source))
    yield lambda: _read_grid(lines, source)


def _read_grid(lines: list[SourceLine], source: str) -> Puzzle:
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
        names = [_CELL.fullmatch(cell) for cell in _SPACE.sub(" ", value).split()]
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


def _write(puzzles: Iterable[Puzzle]) -> Iterator[str]:
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
    read=_read,
    write=_write,
)
