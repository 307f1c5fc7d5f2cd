"""The header of a recorded trace: a JSON object that describes the search."""

from __future__ import annotations

import json
import re
from typing import Any
from unicodedata import category

from undoku.errors import Place, PuzzleError, TraceError
from undoku.solver.problem.appearance import SYMBOLS
from undoku.solver.problem.problem_content import problem_of, problem_options
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.problem.variants import geometry_of
from undoku.solver.trace.trace import Header
from undoku.toml_reading import shown
from undoku.visible_text import is_blank

VERSION = 3
"""The latest version of the format. A reader refuses later ones, because a new number means that
old readers would misread the trace. A trace has the lowest version that includes all of its
events."""

OTHER_PROBLEMS = 3
"""The version from which on a header may describe other problems than boards of sudoku."""

MAX_LINE_BYTES = 1 << 16
"""The maximum number of bytes of one line; no event and no header needs more."""

MAX_TEXT = 5000
"""The maximum number of characters of a text, which a film or a chart has to fit in its lines."""

_BOARD = ("rows", "columns", "values", "variable", "value", "texts")
"""The members that describe a board of a header, as in the file of a problem."""

_REMEDY = 'begin with {"undoku":1,"size":9,"givens":"…"}'


def remedy_of(line: str, usual: str) -> str:
    """The remedy for a line that is not JSON: a list or dict printed by Python is written with
    `json.dumps`."""
    if re.match(r"\s*[\[{(]\s*'", line):
        return "print lists and dicts of Python with json.dumps"
    return usual


def header_object(header: Header) -> dict[str, Any]:
    """The header as an object for JSON, which `parse_header` reads back. Raises PuzzleError for a
    board whose units `undoku.solver.problem.variants` can't express.
    """
    board = problem_options(header.puzzle.problem)
    version = max(header.version, OTHER_PROBLEMS if "problem" in board else 1)
    told = {
        "strategy": header.strategy,
        "title": header.title,
        "label": header.given_label,
        "exhaustive": header.exhaustive,
    }
    content: dict[str, Any] = {"undoku": version} | board | {"givens": str(header.puzzle)}
    return content | {key: value for key, value in told.items() if value}


def parse_header(line: str, source: str) -> Header:
    """The header in the first line of a trace; `source` names the trace in errors. Unknown members
    are ignored, so that a solver can add its own; a text without a visible character counts as
    missing. Raises TraceError.
    """
    place = Place(source, 1)
    try:
        content = json.loads(line)
    except (ValueError, RecursionError) as error:
        column = error.colno if isinstance(error, json.JSONDecodeError) else 0
        raise TraceError(
            "the header is not a JSON object" if line.strip() else "the header is missing",
            place=Place(source, 1, column, line.rstrip("\r\n")),
            remedy=remedy_of(line, _REMEDY),
        ) from None
    if not isinstance(content, dict):
        raise TraceError("the header is not a JSON object", place=place, remedy=_REMEDY)
    version = content.get("undoku")
    if type(version) is int and version > VERSION:
        raise TraceError(
            f"this is version {version} of the trace format, and this program reads {VERSION}",
            place=place,
            remedy="upgrade undoku",
        )
    if type(version) is not int or version < 1:
        raise TraceError('the header lacks "undoku": 1', place=place, remedy=_REMEDY)
    try:
        puzzle = _puzzle(content, other=version >= OTHER_PROBLEMS)
        texts = {key: content.get(key, "") for key in ("strategy", "title", "label")}
        for key, text in texts.items():
            if not _is_text(text):
                raise TraceError(
                    f"{key} {shown(text)} is not text of at most {MAX_TEXT:,} printable characters"
                )
            if is_blank(text):
                texts[key] = ""  # names that cannot be seen would leave a search without one
        exhaustive = content.get("exhaustive", False)
        if not isinstance(exhaustive, bool):
            raise TraceError(f"exhaustive {shown(exhaustive)} is neither true nor false")
    except (PuzzleError, TraceError) as error:
        raise TraceError(error.message, place=place, remedy=error.remedy) from None
    return Header(
        puzzle,
        texts["strategy"],
        texts["title"],
        exhaustive,
        texts["label"],
        version,
    )


def _puzzle(content: dict[str, Any], *, other: bool) -> Puzzle:
    """The puzzle of a header, which may be about any problem if it is `other`. Raises PuzzleError,
    TraceError."""
    if other and ("rows" in content or "columns" in content):
        described = {key: content[key] for key in _BOARD if key in content}
        content = content | {"problem": {"values": 1} | described}
    elif not (other and "problem" in content):
        return Puzzle(_givens(content.get("givens")), geometry_of(content))
    problem = problem_of(content)
    return Puzzle(_givens(content.get("givens", "." * problem.cells)), problem)


def _givens(givens: object) -> tuple[int, ...]:
    if not isinstance(givens, str):
        raise TraceError('the header has no text "givens"')
    values = {symbol: value for value, symbol in enumerate(SYMBOLS, 1)} | dict.fromkeys(".0", 0)
    # Letters may be small; converting to capitals would accept "ı" as "I".
    values |= {symbol.lower(): value for symbol, value in values.items()}
    foreign = next((mark for mark in givens if mark not in values), None)
    if foreign is not None:
        raise TraceError(f"givens hold {foreign!r}, which is not a value")
    return tuple(values[mark] for mark in givens)


def _is_text(value: object) -> bool:
    """Whether a value is text that can be drawn and written, not too long, and without control
    characters and unpaired surrogates."""
    return (
        isinstance(value, str)
        and len(value) <= MAX_TEXT
        and not any(category(mark) in ("Cc", "Cs") for mark in value)
    )
