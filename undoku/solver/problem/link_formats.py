"""Links that contain their puzzle: f-puzzles and SudokuPad.

f-puzzles is JSON, bare or packed into `f-puzzles.com/?load=…`. A SudokuPad link ends in the puzzle:
`classic` and a code, `fpuzzles` and an f-puzzles text, or compressed JSON whose `p` is a code. The
older code writes a value as itself and 1 to 69 empty cells as one of 70 marks; the newer code
writes a cell and up to five empty cells after it as one of 60 marks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from math import isqrt
from typing import Any

from undoku.errors import Place, PuzzleError
from undoku.solver.problem.line_formats import read_cells
from undoku.solver.problem.lzstring import decompress
from undoku.solver.problem.problem import Unit
from undoku.solver.problem.puzzle import (
    LARGEST,
    SMALLEST,
    Geometry,
    Puzzle,
    standard_geometry,
    usual_box,
)
from undoku.solver.problem.puzzle_format import PuzzleFormat
from undoku.solver.problem.puzzle_text import SourceLine, one_line, placed, placed_at, single_puzzle
from undoku.solver.problem.variants import (
    jigsaw_geometry,
    latin_geometry,
    with_diagonals,
    with_groups,
    with_units,
    with_windows,
)

_LOAD = re.compile(r"[?&#]load=([^&#\s]*)")
_CELL = re.compile(r"[Rr](\d{1,2})[Cc](\d{1,2})", re.ASCII)
# Members that are not rules of the puzzle: drawings and settings.
_NO_RULES = {
    *("size", "grid", "title", "author", "ruleset", "solution", "successMessage"),
    *("line", "rectangle", "circle", "text", "cage"),
    *("highlightConflicts", "disabledlogic", "truecandidatesoptions"),
    *("diagonal+", "diagonal-", "disjointgroups", "extraregion"),
}
_EXPORT_AGAIN = "open it in f-puzzles and export it again"
_TRACE = '{"undoku":'


def _read_text(text: str, source: str) -> Puzzle:
    from urllib.parse import unquote  # takes longer to import than to parse most puzzles

    text = text.strip()
    with placed_at(Place, source):
        if text[:40].replace(" ", "").startswith(_TRACE):
            raise PuzzleError(
                "it is a recorded trace, not a puzzle",
                remedy="give it to undoku render or undoku stats",
            )
        if not text.startswith("{"):
            found = _LOAD.search(text)
            if not found and "/" in text[:20]:
                raise PuzzleError(
                    "the link does not contain its puzzle, and undoku does not access the network",
                    remedy="open it, and export it as an f-puzzles link or as cells",
                )
            text = decompress(unquote(found[1] if found else text).replace(" ", "+"))
        return puzzle_of_json(text)


def puzzle_of_json(text: str) -> Puzzle:
    """The puzzle in f-puzzles' JSON. Raises PuzzleError, also for rules other than cells that must
    differ, because dropping a rule would make another puzzle."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        raise _wrong("it is not a puzzle in JSON") from None
    if not isinstance(content, dict):
        raise _wrong("it is not a JSON object")
    for name, rule in content.items():
        if name not in _NO_RULES and (rule is True or (isinstance(rule, list) and rule)):
            raise PuzzleError(
                f"it has the rule {name[:40]!r}, which is not a set of cells that must differ",
                remedy="give a puzzle with rows, columns, regions and extra units only",
            )
    size, grid = content.get("size"), content.get("grid")
    if type(size) is not int or not SMALLEST <= size <= LARGEST:
        raise _wrong(f"its size is not {SMALLEST} to {LARGEST}")
    if not (
        isinstance(grid, list)
        and len(grid) == size
        and all(isinstance(row, list) and len(row) == size for row in grid)
        and all(isinstance(cell, dict) for row in grid for cell in row)
    ):
        raise _wrong(f"its grid is not {size} rows of {size} cells")
    cells = [cell for row in grid for cell in row]
    title = content.get("title")
    return placed(
        tuple(_given(cell, number, size) for number, cell in enumerate(cells)),
        _extended(_board(cells, size), content),
        lambda cell: Place(""),
        one_line(title) if isinstance(title, str) else "",
    )


def _wrong(message: str) -> PuzzleError:
    return PuzzleError(message, remedy=_EXPORT_AGAIN)


def _given(cell: Mapping[str, Any], number: int, size: int) -> int:
    """The value of a given; values that a player has entered are not givens."""
    value = cell.get("value")
    if value is None or cell.get("given") is not True:
        return 0
    if type(value) is not int or not 1 <= value <= size:
        name = f"r{number // size + 1}c{number % size + 1}"
        raise _wrong(f"{name} holds {str(value)[:20]!r}, but values go from 1 to {size}")
    return value


def _board(cells: list[dict[str, Any]], size: int) -> Geometry:
    """The regions: the region that a cell names, otherwise its usual box."""
    usual = standard_geometry(size) if usual_box(size) else latin_geometry(size)
    boxes = (unit for unit in usual.units if unit.kind == "box")
    box_of = {cell: k for k, unit in enumerate(boxes) for cell in unit.cells}
    regions = [cell.get("region", box_of.get(k)) for k, cell in enumerate(cells)]
    if all(region is None for region in regions):
        return latin_geometry(size)
    if not all(type(region) is int for region in regions):
        raise _wrong("some of its cells are in a region and some are not")
    return jigsaw_geometry(regions)


def _extended(geometry: Geometry, content: Mapping[str, Any]) -> Geometry:
    down, up = content.get("diagonal-") is True, content.get("diagonal+") is True
    geometry = with_diagonals(geometry, down=down, up=up)
    extra = content.get("extraregion") or []
    if not isinstance(extra, list):
        raise _wrong("its extra regions are not a list")
    units = [tuple(_cells(region, geometry.size)) for region in extra]
    if geometry.box:
        windowed = with_windows(geometry)
        windows = [unit.cells for unit in windowed.units if unit.kind == "window"]
        if set(windows) <= set(units):
            geometry = windowed
            units = [cells for cells in units if cells not in windows]
    if content.get("disjointgroups") is True:
        geometry = with_groups(geometry)
    return with_units(geometry, (Unit("extra", k, cells) for k, cells in enumerate(units, 1)))


def _cells(region: object, size: int) -> Iterator[int]:
    names = region.get("cells") if isinstance(region, dict) else None
    if not isinstance(names, list) or not names:
        raise _wrong("an extra region has no cells")
    for name in names:
        found = _CELL.fullmatch(name) if isinstance(name, str) else None
        row, column = (int(found[1]), int(found[2])) if found else (0, 0)
        if not (1 <= row <= size and 1 <= column <= size):
            raise _wrong(f"an extra region has the cell {str(name)[:20]!r}, which is not there")
        yield (row - 1) * size + column - 1


FPUZZLES = PuzzleFormat(
    name="f-puzzles",
    suffixes=(".fpuzzles", ".json"),
    sentence="a link f-puzzles.com/?load=…, or its JSON; regions, diagonals and extra units, "
    "no other rules",
    source="f-puzzles.com; lz-string",
    fits=lambda text: (
        text.lstrip().startswith("{")
        or text.lstrip().startswith(("http://", "https://"))
        or "f-puzzles.com" in text[:200].lower()
        or _LOAD.search(text[:200]) is not None
    ),
    read=single_puzzle(_read_text),
)


_SITES = ("sudokupad.app", "sudokupad.svencodes.com", "crackingthecryptic.com")
_RUNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz()[]-.~:@!$&'*,;=_"
_PAIRS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwx"
_MAX_MARKS = 625  # marks: the largest board, without abbreviation
_REMEDY = "export the puzzle as an f-puzzles link, or give its cells"


def _puzzle_of_link(link: str, source: str) -> Puzzle:
    with placed_at(Place, source):
        return _puzzle_of(_content(link.strip()))


def _content(link: str) -> str:
    """The encoded puzzle: the `puzzleid` of the query, or else the end of the path."""
    from urllib.parse import unquote  # takes longer to load than most puzzles to read

    named = re.search(r"[?&]puzzleid=([^&#\s]*)", link)
    if named:
        return unquote(named[1]).replace(" ", "+")
    path = link.partition("://")[2] or link
    return unquote(path.partition("/")[2].partition("?")[0].partition("#")[0])


def _puzzle_of(content: str) -> Puzzle:
    for folder in ("sudoku/", "puzzle/"):
        content = content.removeprefix(folder)
    for prefix in ("fpuzzles", "fpuz"):
        if content.startswith(prefix):
            return puzzle_of_json(decompress(content.removeprefix(prefix)))
    for prefix in ("scl", "scf", "ctc"):
        if content.startswith(prefix):
            raise PuzzleError(
                f"it is a link of SudokuPad's kind {prefix!r}, not a classic one", remedy=_REMEDY
            )
    if content.startswith("classic"):
        return _puzzle_of_code(content.removeprefix("classic"), "")
    if len(content) < 30:
        raise PuzzleError(
            "the link does not contain its puzzle, and undoku does not access the network",
            remedy=_REMEDY,
        )
    try:
        text = decompress(content)
        wrapper = json.loads(text)
    except (PuzzleError, ValueError, RecursionError):
        return _puzzle_of_code(content, "")
    if isinstance(wrapper, dict) and isinstance(wrapper.get("p"), str):
        title = wrapper.get("n")
        return _puzzle_of_code(wrapper["p"], title if isinstance(title, str) else "")
    return puzzle_of_json(text)


def _puzzle_of_code(code: str, title: str) -> Puzzle:
    """The codes share most of their marks; the code that gives a 9×9 board, or at least a square
    one, is the right one."""
    if len(code) > _MAX_MARKS:
        raise PuzzleError(f"its code has {len(code)} characters", remedy=_REMEDY)
    newer = "".join(map(_pair, code)) if set(code) <= set(_PAIRS) else ""
    older = "".join(map(_run, code)) if set(code) <= set(_RUNS + "123456789") else ""
    cells = max(
        filter(None, (newer, older)),
        key=lambda cells: (len(cells) == 81, isqrt(len(cells)) ** 2 == len(cells)),
        default="",
    )
    if not cells:
        raise PuzzleError("its code is not a classic puzzle", remedy=_REMEDY)
    try:
        return read_cells(cells, SourceLine("", 1, cells), 0, one_line(title))
    except PuzzleError as error:
        raise PuzzleError(error.message, remedy=error.remedy) from None


def _pair(mark: str) -> str:
    after, value = divmod(_PAIRS.index(mark), 10)
    return f"{value or '.'}" + "." * after


def _run(mark: str) -> str:
    return mark if mark.isdecimal() else "." * _RUNS.index(mark)


SUDOKUPAD = PuzzleFormat(
    name="sudokupad",
    suffixes=(),
    sentence="a SudokuPad link that contains a classic puzzle (sudokupad.app/classic…), or "
    "f-puzzles data",
    source="SudokuPad, puzzle tools",
    fits=lambda text: any(site in text[:200].lower() for site in _SITES),
    read=single_puzzle(_puzzle_of_link),
)
