"""SudokuPad links that contain a classic puzzle: two short codes for the cells, or f-puzzles data.

A link ends in the puzzle: `classic` and a code, `fpuzzles` and an f-puzzles text, or compressed
JSON whose `p` is a code. The older code writes a value as itself and 1 to 69 empty cells as one of
70 marks; the newer code writes a cell and up to five empty cells after it as one of 60 marks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain
from math import isqrt

from undoku.errors import Place, PuzzleError
from undoku.solver.problem.fpuzzles import puzzle_of_json
from undoku.solver.problem.line_collections import read_cells
from undoku.solver.problem.lzstring import decompress
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.problem.puzzle_format import Entry, PuzzleFormat, require_standard, single
from undoku.solver.problem.text import SourceLine, one_line, whole

__all__ = ["SUDOKUPAD"]

_SITES = ("sudokupad.app", "sudokupad.svencodes.com", "crackingthecryptic.com")
_RUNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz()[]-.~:@!$&'*,;=_"
_PAIRS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwx"
_MAX_MARKS = 625  # marks: the largest board, without abbreviation
_MAX_EMPTY = 5  # empty cells that follow a cell in one mark of the newer code
_REMEDY = "export the puzzle as an f-puzzles link, or give its cells"


def _read(pieces: Iterable[str], source: str) -> Iterator[Entry]:
    yield partial(_read_link, whole(pieces, source).strip(), source)


def _read_link(link: str, source: str) -> Puzzle:
    try:
        return _puzzle_of(_content(link))
    except PuzzleError as error:
        raise PuzzleError(error.message, place=Place(source), remedy=error.remedy) from None


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
    except PuzzleError:
        return _puzzle_of_code(content, "")
    try:
        wrapper = json.loads(text)
    except (ValueError, RecursionError):
        return _puzzle_of_code(content, "")
    if isinstance(wrapper, dict) and isinstance(wrapper.get("p"), str):
        title = wrapper.get("n")
        return _puzzle_of_code(wrapper["p"], title if isinstance(title, str) else "")
    return puzzle_of_json(text)


def _puzzle_of_code(code: str, title: str) -> Puzzle:
    """The codes share most of their marks; the code that gives a 9×9 board, or at least a square
    one, is the right one."""
    if len(code) > _MAX_MARKS:
        raise PuzzleError(f"its code is {len(code)} marks long", remedy=_REMEDY)
    newer = "".join(map(_pair, code)) if set(code) <= set(_PAIRS) else ""
    older = "".join(map(_run, code)) if set(code) <= set(_RUNS + "123456789") else ""
    cells = max(filter(None, (newer, older)), key=_likelihood, default="")
    if not cells:
        raise PuzzleError("its code is not a classic puzzle", remedy=_REMEDY)
    try:
        return read_cells(cells, SourceLine("", 1, cells), 0, one_line(title))
    except PuzzleError as error:
        raise PuzzleError(error.message, remedy=error.remedy) from None


def _likelihood(cells: str) -> tuple[bool, bool]:
    return len(cells) == 81, isqrt(len(cells)) ** 2 == len(cells)


def _pair(mark: str) -> str:
    after, value = divmod(_PAIRS.index(mark), 10)
    return f"{value or '.'}" + "." * after


def _run(mark: str) -> str:
    return mark if mark.isdecimal() else "." * _RUNS.index(mark)


def _write(puzzles: Iterable[Puzzle]) -> Iterator[str]:
    givens = require_standard(single(puzzles, "sudokupad"), "sudokupad").givens
    code: list[int] = []
    first, after = givens[0], 0
    for value in chain(givens[1:], [-1]):
        if value == 0 and after < _MAX_EMPTY:
            after += 1
        else:
            code.append(10 * after + first)
            first, after = value, 0
    yield f"https://sudokupad.app/classic{''.join(_PAIRS[mark] for mark in code)}\n"


SUDOKUPAD = PuzzleFormat(
    name="sudokupad",
    suffixes=(),
    sentence="a SudokuPad link that contains a classic puzzle (sudokupad.app/classic…), or "
    "f-puzzles data",
    source="SudokuPad, puzzle tools",
    fits=lambda text: any(site in text[:200].lower() for site in _SITES),
    read=_read,
    write=_write,
)
