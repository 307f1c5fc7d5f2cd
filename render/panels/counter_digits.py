"""A search's numbers as the characters that counters show: compiled loops over arrays.

A search has NUMBERS numbers, in the order of render.layout.blocks.COUNTERS; the last one,
branching, is in hundredths. Each of the first `fields` of them is shown in a field, a row of slots
with a character each, right-aligned. A character is a mark, an index into MARKS.

Arrays (slots = the most characters of a number):
    registers  as in solver.state
    numbers    (NUMBERS,) int64   of one search
    told       (NUMBERS,) int64   those whose characters are shown; -1 before
    sizes      (3,) int64         the widths of a digit, of a separator or point, of a letter
    rooms      (fields,) int64    the width that each field has
    lengths    (fields,) int64    how many slots each field has
    advances   (fields, slots) int64   the width that the character of each slot needs
    shown      (fields, slots) uint8   the mark in each slot
    marks      (slots,) uint8          working space
    turned     (fields * slots, 3) int32   receives what changed: field, slot, mark
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.jit import inner, lean
from solver.ops import OP_UNDO
from solver.state import BACKTRACKS, DEAD_ENDS, DEPTH, GUESSES, LAST_OP, STEPS

__all__ = [
    "BLANK",
    "MARKS",
    "MARK_BITS",
    "NUMBERS",
    "SLOTS",
    "count_on",
    "field_to_grow",
    "read_numbers",
    "spell",
    "turn",
]

MARKS = "0123456789,.kMGT "
MARK_BITS = 5
NUMBERS = 5
SLOTS = 28
"""An int64 with its separators, and one to spare."""

BLANK = MARKS.index(" ")
_COMMA, _POINT, _LETTER = map(MARKS.index, ",.k")
_LETTERS = 4
_BRANCHING = NUMBERS - 1


@lean
def read_numbers(registers: NDArray[np.int64], numbers: NDArray[np.int64]) -> None:
    """Fill in the numbers of a search as it stands."""
    numbers[0] = registers[STEPS]
    numbers[1] = registers[BACKTRACKS]
    numbers[2] = registers[DEPTH]
    numbers[3] = registers[DEAD_ENDS]
    # Children per node that has any: a guess is the child of one that is no leaf, and the node
    # that the search has just reached is one, too.
    leaves = int(registers[DEAD_ENDS])
    if registers[STEPS] == 0 or registers[LAST_OP] != OP_UNDO:
        leaves += 1
    guesses = int(registers[GUESSES])
    parents = max(1, guesses + 1 - leaves)
    numbers[4] = min(999, (200 * guesses + parents) // (2 * parents))


@inner
def _width_of(mark: int, sizes: NDArray[np.int64]) -> int:
    """The width that a mark needs."""
    if mark < _COMMA:
        return int(sizes[0])
    return int(sizes[1]) if mark < _LETTER else int(sizes[2])


@inner
def _width(length: int, marks: NDArray[np.uint8], sizes: NDArray[np.int64]) -> int:
    """The width that the first `length` marks need."""
    width = 0
    for at in range(length):
        width += _width_of(int(np.int64(marks[at])), sizes)
    return width


@inner
def _spell_groups(number: int, marks: NDArray[np.uint8]) -> int:
    """Write a number with separators; returns its length."""
    digits, power = 1, 1
    while number // power >= 10:
        power *= 10
        digits += 1
    length = 0
    for place in range(digits - 1, -1, -1):
        marks[length] = number // power % 10
        power //= 10
        length += 1
        if place % 3 == 0 and place:
            marks[length] = _COMMA
            length += 1
    return length


@lean
def spell(
    field: int, number: int, room: int, sizes: NDArray[np.int64], marks: NDArray[np.uint8]
) -> int:
    """Write number (>= 0) of a field in the fullest form that has `room` pixels; returns its
    length, 0 where none has. Shorter forms are cut and not rounded, so that none says more than
    was counted: 17.5k and 17k for 17,536."""
    if field == _BRANCHING:
        marks[0] = number // 100
        marks[1] = _POINT
        marks[2] = number // 10 % 10
        marks[3] = number % 10
        return 4 if _width(4, marks, sizes) <= room else 0
    length = _spell_groups(number, marks)
    if _width(length, marks, sizes) <= room:
        return length
    groups, head = 0, number
    while head >= 1000 and groups < _LETTERS:
        head //= 1000
        groups += 1
    if groups == 0:
        return 0
    letter = _LETTER + groups - 1
    whole = _spell_groups(head, marks)
    if whole < 3:
        # Three digits in all, as many of them as are left behind a point.
        scale = 1000 ** (groups - 1)
        rest = number // scale % 1000
        length = whole + 1
        marks[whole] = _POINT
        marks[length] = rest // 100
        length += 1
        if whole == 1:
            marks[length] = rest // 10 % 10
            length += 1
        marks[length] = letter
        if _width(length + 1, marks, sizes) <= room:
            return length + 1
    marks[whole] = letter
    return whole + 1 if _width(whole + 1, marks, sizes) <= room else 0


@inner
def _has_slots(
    length: int,
    slots: int,
    marks: NDArray[np.uint8],
    advances: NDArray[np.int64],
    sizes: NDArray[np.int64],
) -> bool:
    """Whether the last of a field's `slots` are as wide as the marks need."""
    if length > slots:
        return False
    for at in range(length):
        if advances[slots - length + at] != _width_of(int(np.int64(marks[at])), sizes):
            return False
    return True


@inner
def _as_long(number: int, other: int) -> bool:
    """Whether two numbers (>= 0) have as many digits."""
    power = 10
    while power <= number and power <= other:
        power *= 10
    return power > number and power > other


@lean
def field_to_grow(
    numbers: NDArray[np.int64],
    told: NDArray[np.int64],
    sizes: NDArray[np.int64],
    rooms: NDArray[np.int64],
    lengths: NDArray[np.int64],
    advances: NDArray[np.int64],
    marks: NDArray[np.uint8],
) -> int:
    """The first field that has no slots for its number, or -1."""
    for field in range(len(rooms)):
        number, before = int(numbers[field]), int(told[field])
        if before >= 0 and (field == _BRANCHING or _as_long(number, before)):
            continue
        length = spell(field, number, int(rooms[field]), sizes, marks)
        if not _has_slots(length, int(lengths[field]), marks, advances[field], sizes):
            return field
    return -1


@lean
def turn(
    numbers: NDArray[np.int64],
    told: NDArray[np.int64],
    sizes: NDArray[np.int64],
    rooms: NDArray[np.int64],
    lengths: NDArray[np.int64],
    shown: NDArray[np.uint8],
    marks: NDArray[np.uint8],
    turned: NDArray[np.int32],
) -> int:
    """Bring `shown` up to date, in fields that all have their slots; returns how many rows of
    `turned` say what changed."""
    count = 0
    for field in range(len(rooms)):
        number = int(numbers[field])
        if number == told[field]:
            continue
        told[field] = number
        length = spell(field, number, int(rooms[field]), sizes, marks)
        slots = int(lengths[field])
        for slot in range(slots):
            at = slot - slots + length
            mark = int(np.int64(marks[at])) if at >= 0 else BLANK
            if shown[field, slot] != mark:
                shown[field, slot] = mark
                turned[count, 0] = field
                turned[count, 1] = slot
                turned[count, 2] = mark
                count += 1
    return count


@lean
def count_on(
    registers: NDArray[np.int64],
    numbers: NDArray[np.int64],
    told: NDArray[np.int64],
    sizes: NDArray[np.int64],
    rooms: NDArray[np.int64],
    lengths: NDArray[np.int64],
    advances: NDArray[np.int64],
    shown: NDArray[np.uint8],
    marks: NDArray[np.uint8],
    turned: NDArray[np.int32],
) -> int:
    """Bring `shown` up to a search as it stands; returns how many rows of `turned` say what
    changed, or -1 - field where nothing was done because that field must grow first: its number is
    spelled in `marks`, and turned[0, 0] is the length."""
    read_numbers(registers, numbers)
    field = field_to_grow(numbers, told, sizes, rooms, lengths, advances, marks)
    if field >= 0:
        turned[0, 0] = spell(field, int(numbers[field]), int(rooms[field]), sizes, marks)
        return -1 - field
    return turn(numbers, told, sizes, rooms, lengths, shown, marks, turned)
