"""The usual spelling of events as JSON Lines, which loops read and write.

`undoku.solver.trace.jsonl` reads lines in other spellings, and reports mistakes.
"""

from __future__ import annotations

import numpy as np

from undoku.h264.loops import I64, U8, U8_2D, U32, ReadU8, inner, loop
from undoku.solver.search.ops import OP_FORCED, OP_GUESS

_NAMES = ("place", "place", "undo", "eliminate", "restore", "restart", "learn", "probe")
_WORDS = (*(f'["{name}"' for name in _NAMES), "]", '"forced"]')
WORDS: U8_2D = np.array([list(word.ljust(16, "\0").encode()) for word in _WORDS], np.uint8)
LENGTHS: I64 = np.array([len(word) for word in _WORDS], np.int64)
"""The beginning of the lines of each operation, and their ends: the usual one, that of a forced
place."""

NUMBERS: I64 = np.array([2, 2, 1, 2, 2, 0, 1, 2], np.int64)
"""How many numbers, a cell and a value, an operation has."""

_END = 8  # the row of the usual end of a line
_NEWLINE, _RETURN, _SPACE, _COMMA, _ZERO, _NINE = 10, 13, 32, 44, 48, 57


MAX_LINE = 32
"""The maximum number of bytes of the line of an event."""


@inner
def _has_word(lines: U8, at: int, row: int) -> bool:
    """Whether a word is at `at`; stops at the first difference."""
    for index in range(LENGTHS[row]):  # noqa: SIM110 — the compiler knows no generators
        if lines[at + index] != WORDS[row, index]:
            return False
    return True


@inner
def _after_comma(lines: U8, at: int) -> int:
    """The position of the item after the comma at `at`."""
    at += 1
    while lines[at] == _SPACE:
        at += 1
    return at


@inner
def _number(lines: U8, at: int, most: int) -> tuple[int, int]:
    """(number, where it ends) of the number after a comma at `at`; (-1, …) if there is none, it is
    above `most`, or it is not a number in JSON."""
    if lines[at] != _COMMA:
        return -1, at
    at = _after_comma(lines, at)
    start, number = at, 0
    while lines[at] >= _ZERO and lines[at] <= _NINE and number <= most:
        number = number * 10 + int(lines[at]) - _ZERO
        at += 1
    if at == start or number > most or (lines[start] == _ZERO and at > start + 1):
        return -1, at
    return number, at


@loop
def scan(
    lines: ReadU8,
    position: int,
    events: U32,
    starts: I64,
) -> tuple[int, int]:
    """Read lines from `position` on into `events`, with where each line begins in `starts`.

    Stops at the end, when `events` is full, or before a line with an unusual spelling, whose
    validity the slow parser decides. `lines` ends with a line break, so that no comparison here can
    run past its end. An undo gets value 0. Returns (events read, where the next line begins).
    """
    filled = 0
    while filled < len(events) and position < len(lines):
        if lines[position] == _NEWLINE:  # a blank line
            position += 1
            continue
        op = 0
        while op < _END and not _has_word(lines, position, op):
            op += 1
        if op == _END:
            break
        at = position + LENGTHS[op]
        cell = value = 0
        if NUMBERS[op] > 0:
            cell, at = _number(lines, at, 0xFFFF)
        if NUMBERS[op] > 1 and cell >= 0:
            value, at = _number(lines, at, 0xFF)
        if cell < 0 or value < 0:
            break
        if op == OP_GUESS and lines[at] == _COMMA:
            op = OP_FORCED
            at = _after_comma(lines, at)
        end = _END + (op == OP_FORCED)
        if not _has_word(lines, at, end):
            break
        at += LENGTHS[end]
        if lines[at] == _RETURN:
            at += 1
        if lines[at] != _NEWLINE:
            break
        events[filled] = op | (value << 8) | (cell << 16)
        starts[filled] = position
        filled += 1
        position = at + 1
    return filled, position


@inner
def _write_word(row: int, text: U8, at: int) -> int:
    """Write a word at `at`; returns where it ends."""
    for index in range(LENGTHS[row]):
        text[at + index] = WORDS[row, index]
    return at + int(LENGTHS[row])


@inner
def _write_number(number: int, text: U8, at: int) -> int:
    """Write a comma and a number below 100000 at `at`; returns where it ends."""
    text[at] = _COMMA
    divisor = 1
    while number // divisor >= 10:
        divisor *= 10
    while divisor > 0:
        at += 1
        text[at] = _ZERO + (number // divisor) % 10
        divisor //= 10
    return at + 1


@loop
def spell(events: U32, text: U8) -> int:
    """Write the line of each event to `text`, of at least MAX_LINE bytes per event. Returns the
    number of bytes written.
    """
    at = 0
    for event in events:
        op = int(event & 0xFF)
        at = _write_word(op, text, at)
        if NUMBERS[op] > 0:
            at = _write_number(int(event >> 16), text, at)
        if NUMBERS[op] > 1:
            at = _write_number(int((event >> 8) & 0xFF), text, at)
        if op == OP_FORCED:
            text[at] = _COMMA
            at += 1
        at = _write_word(_END + (op == OP_FORCED), text, at)
        text[at] = _NEWLINE
        at += 1
    return at
