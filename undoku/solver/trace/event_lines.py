"""The usual spelling of events as JSON Lines, which loops read and write.

`undoku.solver.trace.jsonl` reads lines in other spellings, and reports mistakes.
"""

from __future__ import annotations

import numpy as np

from undoku.h264.loops import I64, U8, U8_2D, U32, ReadU8, inner, loop
from undoku.solver.search.ops import (
    OP_ELIMINATE,
    OP_FORCED,
    OP_GUESS,
    OP_LEARN,
    OP_PROBE,
    OP_RESTART,
    OP_RESTORE,
    OP_UNDO,
)

# One row per operation: the bytes before the cell; and the length of each.
_NAMES = (b"place", b"place", b"undo", b"eliminate", b"restore", b"restart", b"learn", b"probe")


def _padded(words: tuple[bytes, ...]) -> U8_2D:
    """A row for each word, padded with zeros to 16 bytes."""
    return np.array([list(word.ljust(16, b"\0")) for word in words], np.uint8)


HEADS: U8_2D = _padded(tuple(b'["' + name + b'",' for name in _NAMES))
HEAD_LENGTHS: I64 = np.array([len(name) + 4 for name in _NAMES], np.int64)
FORCED_TAIL: U8 = np.frombuffer(b'"forced"]', np.uint8).copy()

_NEWLINE, _RETURN, _SPACE, _COMMA, _CLOSE = 10, 13, 32, 44, 93
_ZERO, _NINE, _E, _L, _O, _P, _R, _U = 48, 57, 101, 108, 111, 112, 114, 117


MAX_LINE = 32
"""The maximum number of bytes of the line of an event."""


@inner
def _starts_with(lines: U8, at: int, word: U8, length: int) -> bool:
    """Whether the first `length` bytes of `word` are at `at`; stops at the first difference."""
    for index in range(length):  # noqa: SIM110 — the compiler knows no generators
        if lines[at + index] != word[index]:
            return False
    return True


@inner
def _number(lines: U8, at: int) -> tuple[int, int]:
    """(number, where it ends) of up to five digits; (-1, …) if it is not a number in JSON."""
    first = int(lines[at])
    if first < _ZERO or first > _NINE:
        return -1, at
    number = first - _ZERO
    at += 1
    digits = 1
    while lines[at] >= _ZERO and lines[at] <= _NINE:
        number = number * 10 + int(lines[at]) - _ZERO
        at += 1
        digits += 1
        if digits > 5 or first == _ZERO:
            return -1, at
    return number, at


@inner
def _next(lines: U8, at: int) -> int:
    """The position of the item after a comma at `at`; -1 if there is no comma."""
    if lines[at] != _COMMA:
        return -1
    at += 1
    while lines[at] == _SPACE:
        at += 1
    return at


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
        at = position
        if lines[at] != HEADS[0, 0] or lines[at + 1] != HEADS[0, 1]:
            break
        first = lines[at + 2]
        if first == _P:
            op = OP_GUESS if lines[at + 3] == _L else OP_PROBE
        elif first == _U:
            op = OP_UNDO
        elif first == _E:
            op = OP_ELIMINATE
        elif first == _R:
            if not _starts_with(lines, at, HEADS[OP_RESTORE], 6):
                break
            op = OP_RESTORE if lines[at + 6] == _O else OP_RESTART
        elif first == _L:
            op = OP_LEARN
        else:
            break
        # The comma is left for _next, which also skips the spaces after it.
        length = HEAD_LENGTHS[op] - 1
        if not _starts_with(lines, at, HEADS[op], length):
            break
        at += length
        cell = value = 0
        if op != OP_RESTART:
            at = _next(lines, at)
            if at < 0:
                break
            cell, at = _number(lines, at)
            if cell < 0 or cell > 0xFFFF:
                break
        if op not in (OP_UNDO, OP_RESTART, OP_LEARN):
            at = _next(lines, at)
            if at < 0:
                break
            value, at = _number(lines, at)
            if value < 0 or value > 0xFF:
                break
        if op == OP_GUESS and lines[at] == _COMMA:
            at = _next(lines, at)
            if not _starts_with(lines, at, FORCED_TAIL, len(FORCED_TAIL)):
                break
            op = OP_FORCED
            at += len(FORCED_TAIL)
        elif lines[at] == _CLOSE:
            at += 1
        else:
            break
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
def _write_number(number: int, text: U8, at: int) -> int:
    """Write a number below 100000 at `at`; returns where it ends."""
    divisor = 1
    while number // divisor >= 10:
        divisor *= 10
    while divisor > 0:
        text[at] = _ZERO + (number // divisor) % 10
        at += 1
        divisor //= 10
    return at


@loop
def spell(events: U32, text: U8) -> int:
    """Write the line of each event to `text`, of at least MAX_LINE bytes per event. Returns the
    number of bytes written.
    """
    at = 0
    for event in events:
        op = int(event & 0xFF)
        for index in range(HEAD_LENGTHS[op]):
            text[at] = HEADS[op, index]
            at += 1
        if op == OP_RESTART:
            at -= 1  # the comma
        else:
            at = _write_number(int(event >> 16), text, at)
        if op not in (OP_UNDO, OP_RESTART, OP_LEARN):
            text[at] = _COMMA
            at = _write_number(int((event >> 8) & 0xFF), text, at + 1)
        if op == OP_FORCED:
            text[at] = _COMMA
            at += 1
            for index in range(len(FORCED_TAIL)):
                text[at] = FORCED_TAIL[index]
                at += 1
        else:
            text[at] = _CLOSE
            at += 1
        text[at] = _NEWLINE
        at += 1
    return at
