"""The numbers of a search as the characters of counters: compiled loops over arrays.

A search has NUMBERS numbers: those of undoku.texts.counter_kinds.COUNTERS, of which the last one,
branching, is in hundredths, and the number of its nodes. Some of them are shown, each in a field.
A character is a mark, an index into MARKS.
"""

from __future__ import annotations

from typing import NamedTuple

from undoku.h264.loops import I64, I64_2D, I64_3D, U8, group, inner, loop
from undoku.render.draw.run_draft import DraftArrays, put_sprite
from undoku.render.draw.sprite_index import sprite_number
from undoku.solver.trace.state import (
    BACKTRACKS,
    DEAD_ENDS,
    DECISIONS,
    DEPTH,
    GUESSED,
    LAST_OP,
    NOGOODS,
    PLACES,
    PROBES,
    RESTARTS,
    SOLUTIONS,
    STEPS,
    UNDO,
    UNDOS,
)

MARKS = "0123456789,.kMGT "
MARK_BITS = 5
BRANCHING, NODES, NUMBERS = 11, 12, 13
SLOTS = 28
"""The maximum number of characters of a number: an int64 with its separators, and one more."""

_COMMA, _POINT, _LETTER, BLANK = 10, 11, 12, 16
_LETTERS = 4


@group
class CounterArrays(NamedTuple):
    """Numbers of one search, each in a field.

    sizes    (3,) int64                the widths of a digit, of a separator or point, of a letter
    picks    (fields,) int64           the number that each field shows
    places   (fields, 3) int64         x, y and width of each field
    at_right                           whether numbers end at the right edge, not begin at the left
    shifts   (fields, SLOTS + 1) int64 by how much a number of so many characters that ends with two
                                       digits is further to the right
    written  (fields,) int64           the numbers whose characters are shown; -1 initially
    shown    (fields, SLOTS, 2) int64  the mark and x of each character
    ends     (fields, 2) int64         the left and the right edge of all characters
    marks    (SLOTS,) uint8            working memory
    numbers  (NUMBERS,) int64          the numbers of the search
    kind     the kind of the characters in the index of sprites, by mark | width << MARK_BITS
    """

    sizes: I64
    picks: I64
    places: I64_2D
    at_right: int
    shifts: I64_2D
    written: I64
    shown: I64_3D
    ends: I64_2D
    marks: U8
    numbers: I64
    kind: int


@inner
def read_numbers(registers: I64, numbers: I64) -> None:
    """Fill in the current numbers (NUMBERS,) of a search."""
    numbers[0] = registers[STEPS]
    numbers[1] = registers[UNDOS]
    numbers[2] = registers[PLACES] - registers[GUESSED]
    numbers[3] = registers[GUESSED]
    numbers[4] = registers[SOLUTIONS]
    numbers[5] = registers[DEPTH]
    numbers[6] = registers[DEAD_ENDS]
    numbers[7] = registers[BACKTRACKS]
    numbers[8] = registers[RESTARTS]
    numbers[9] = registers[NOGOODS]
    numbers[10] = registers[PROBES]
    # Children per node that has any: a decision is the child of one that is not a leaf, and the
    # node that the search has just reached is one, too.
    leaves = int(registers[DEAD_ENDS])
    if registers[STEPS] == 0 or registers[LAST_OP] != UNDO:
        leaves += 1
    decisions = int(registers[DECISIONS])
    numbers[NODES] = decisions + 1
    parents = max(1, decisions + 1 - leaves)
    numbers[BRANCHING] = min(999, (200 * decisions + parents) // (2 * parents))


@inner
def _width_of(mark: int, sizes: I64) -> int:
    """The width of a mark."""
    if mark < _COMMA:
        return int(sizes[0])
    return int(sizes[1]) if mark < _LETTER else int(sizes[2])


@inner
def _width(length: int, marks: U8, sizes: I64) -> int:
    """The width of the first `length` marks."""
    width = 0
    for at in range(length):
        width += _width_of(int(marks[at]), sizes)
    return width


@inner
def _spell_groups(number: int, marks: U8) -> int:
    """Write a number with separators; returns its length."""
    digits, power = 1, 1
    while number // power >= 10:
        power *= 10
        digits += 1
    length = 0
    for power_of_ten in range(digits - 1, -1, -1):
        marks[length] = number // power % 10
        power //= 10
        length += 1
        if power_of_ten % 3 == 0 and power_of_ten:
            marks[length] = _COMMA
            length += 1
    return length


@loop
def spell(pick: int, number: int, width: int, sizes: I64, marks: U8) -> int:
    """Write number (>= 0), which is number `pick` of a search, in the fullest form that fits
    `width` pixels; returns its length, 0 if none fits. Shorter forms are truncated, not rounded, so
    that none exceeds the count: 17.5k and 17k for 17,536."""
    if pick == BRANCHING:
        marks[0] = number // 100
        marks[1] = _POINT
        marks[2] = number // 10 % 10
        marks[3] = number % 10
        return 4 if _width(4, marks, sizes) <= width else 0
    length = _spell_groups(number, marks)
    if _width(length, marks, sizes) <= width:
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
        # Three digits in all, the remaining ones after a decimal point.
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
        if _width(length + 1, marks, sizes) <= width:
            return length + 1
    marks[whole] = letter
    return whole + 1 if _width(whole + 1, marks, sizes) <= width else 0


@inner
def _put_character(
    frame: int, mark: int, x: int, y: int, width: int, kind: int, draft: DraftArrays
) -> None:
    """Draw a character, or a gap between others."""
    if width > 0:
        sprite = sprite_number(mark | width << MARK_BITS, kind, draft.sprites)
        put_sprite(frame, sprite, x, y, draft)


@inner
def _put_number(
    frame: int, field: int, number: int, counters: CounterArrays, draft: DraftArrays
) -> None:
    """Draw the characters of a field that differ, and cover what is left of others beside them."""
    marks, sizes, kind = counters.marks, counters.sizes, counters.kind
    place, shown, ends = counters.places[field], counters.shown[field], counters.ends[field]
    x, y, room = int(place[0]), int(place[1]), int(place[2])
    length = spell(int(counters.picks[field]), number, room, sizes, marks)
    if counters.at_right:
        x += room - _width(length, marks, sizes)
    if length > 1 and marks[length - 1] < _COMMA and marks[length - 2] < _COMMA:
        x += int(counters.shifts[field, length])
    _put_character(frame, BLANK, int(ends[0]), y, x - int(ends[0]), kind, draft)
    ends[0] = x
    for slot in range(SLOTS):
        mark = int(marks[slot]) if slot < length else BLANK
        if mark != shown[slot, 0] or x != shown[slot, 1]:
            shown[slot, 0] = mark
            shown[slot, 1] = x
            if mark != BLANK:
                _put_character(frame, mark, x, y, _width_of(mark, sizes), kind, draft)
        if mark != BLANK:
            x += _width_of(mark, sizes)
    _put_character(frame, BLANK, x, y, int(ends[1]) - x, kind, draft)
    ends[1] = x


@loop
def put_numbers(registers: I64_2D, counters: CounterArrays, draft: DraftArrays) -> None:
    """Draw the characters that differ on each of these frames, after which a search has the
    registers (frames, REGISTERS)."""
    numbers = counters.numbers
    for frame in range(len(registers)):
        read_numbers(registers[frame], numbers)
        for field in range(len(counters.picks)):
            number = int(numbers[counters.picks[field]])
            if number != counters.written[field]:
                counters.written[field] = number
                _put_number(frame, field, number, counters, draft)
