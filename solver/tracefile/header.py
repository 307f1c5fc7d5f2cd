"""The header of a recorded trace: a JSON object that says what the trace is about."""

from __future__ import annotations

import json
from typing import Any
from unicodedata import category

from solver.errors import Place, PuzzleError, TraceError
from solver.puzzle import SYMBOLS, Geometry, Puzzle, Unit, standard_geometry
from solver.trace import Header

__all__ = ["LONGEST", "VERSION", "header_object", "parse_header"]

VERSION = 1
"""Of the format. A reader refuses any other: a new number means that old readers would misread."""

LONGEST = 1 << 16
"""Bytes of one line; no event and no header needs more."""

_REMEDY = 'begin with {"undoku":1,"size":9,"givens":"…"}'
_LARGEST = len(SYMBOLS)


def header_object(header: Header) -> dict[str, Any]:
    """What `parse_header` reads back, ready for JSON.

    A board with other units than rows, columns and rectangular boxes lists all of them.
    """
    geometry = header.puzzle.geometry
    content: dict[str, Any] = {"undoku": VERSION, "size": geometry.size}
    if geometry.box:
        content["box"] = list(geometry.box)
    if not geometry.box or geometry != standard_geometry(geometry.size, geometry.box):
        content["units"] = [
            {"kind": unit.kind, "index": unit.index, "cells": list(unit.cells)}
            for unit in geometry.units
        ]
    content["givens"] = str(header.puzzle)
    if header.strategy:
        content["strategy"] = header.strategy
    if header.title:
        content["title"] = header.title
    if header.exhaustive:
        content["exhaustive"] = True
    return content


def parse_header(line: str, source: str) -> Header:
    """The header that the first line of a trace holds; `source` names the trace in errors.

    Members it doesn't know are left alone, so that a solver can add its own. Raises TraceError.
    """
    place = Place(source, 1)
    try:
        content = json.loads(line)
    except (ValueError, RecursionError) as error:
        column = error.colno if isinstance(error, json.JSONDecodeError) else 0
        raise TraceError(
            "the header is no JSON object" if line.strip() else "the header is missing",
            place=Place(source, 1, column, line.rstrip("\r\n")),
            remedy=_REMEDY,
        ) from None
    if not isinstance(content, dict):
        raise TraceError("the header is no JSON object", place=place, remedy=_REMEDY)
    version = content.get("undoku")
    if type(version) is int and version > VERSION:
        raise TraceError(
            f"this is version {version} of the trace format, and this program reads {VERSION}",
            place=place,
            remedy="upgrade undoku",
        )
    if type(version) is not int or version != VERSION:
        raise TraceError(f'the header does not say "undoku":{VERSION}', place=place, remedy=_REMEDY)
    try:
        puzzle = Puzzle(_givens(content), _geometry(content))
        texts = {key: content.get(key, "") for key in ("strategy", "title")}
        for key, text in texts.items():
            if not _is_text(text):
                raise TraceError(f"{key} {_shown(text)} is no text of printable characters")
        exhaustive = content.get("exhaustive", False)
        if not isinstance(exhaustive, bool):
            raise TraceError(f"exhaustive {_shown(exhaustive)} is neither true nor false")
    except (PuzzleError, TraceError) as error:
        raise TraceError(error.message, place=place, remedy=error.remedy) from None
    return Header(puzzle, texts["strategy"], texts["title"], exhaustive)


def _geometry(content: dict[str, Any]) -> Geometry:
    size, box, units = content.get("size", 9), content.get("box"), content.get("units")
    if type(size) is not int or not 4 <= size <= _LARGEST:
        raise TraceError(f"size {_shown(size)} is not a number from 4 to {_LARGEST}")
    if box is not None and not (
        isinstance(box, list) and len(box) == 2 and all(type(s) is int and s > 0 for s in box)
    ):
        raise TraceError(f"box {_shown(box)} is not [rows, columns]")
    shape = (box[0], box[1]) if box else None
    if units is None:
        return standard_geometry(size, shape)
    if shape and shape[0] * shape[1] != size:
        raise TraceError(f"boxes of {shape[0]}×{shape[1]} cells don't fit a board of size {size}")
    if not isinstance(units, list) or not all(isinstance(unit, dict) for unit in units):
        raise TraceError('units is no list of objects with "kind", "index" and "cells"')
    read = tuple(_unit(unit, number, size) for number, unit in enumerate(units, 1))
    if lone := set(range(size * size)).difference(*(unit.cells for unit in read)):
        raise TraceError(f"cell {min(lone)} is in no unit")
    return Geometry(size, read, shape)


def _unit(content: dict[str, Any], number: int, size: int) -> Unit:
    kind, index = content.get("kind", "unit"), content.get("index", number)
    cells = content.get("cells")
    if not _is_text(kind) or not kind or type(index) is not int:
        raise TraceError(f"unit {number} has no text as its kind, or no number as its index")
    if not isinstance(cells, list) or not all(type(cell) is int for cell in cells):
        raise TraceError(f"unit {number} has no list of cell numbers")
    foreign = next((cell for cell in cells if not 0 <= cell < size * size), None)
    if foreign is not None:
        raise TraceError(f"unit {number} names cell {foreign}, which is not on the board")
    if not 1 <= len(cells) <= size or len(set(cells)) < len(cells):
        raise TraceError(f"unit {number} does not hold 1 to {size} different cells")
    return Unit(kind, index, tuple(cells))


def _givens(content: dict[str, Any]) -> tuple[int, ...]:
    givens = content.get("givens")
    if not isinstance(givens, str):
        raise TraceError('the header has no text "givens"')
    values = {symbol: value for value, symbol in enumerate(SYMBOLS, 1)} | dict.fromkeys(".0", 0)
    # Letters may be small; a lookup of the capital alone would take "ı" for "I".
    values |= {symbol.lower(): value for symbol, value in values.items()}
    foreign = next((mark for mark in givens if mark not in values), None)
    if foreign is not None:
        raise TraceError(f"givens hold {foreign!r}, which is no value")
    return tuple(values[mark] for mark in givens)


def _is_text(value: object) -> bool:
    """Whether a value is text that can be drawn and written: no control character, no half of a
    surrogate pair."""
    return isinstance(value, str) and not any(category(mark) in ("Cc", "Cs") for mark in value)


def _shown(value: object) -> str:
    return repr(value)[:60]
