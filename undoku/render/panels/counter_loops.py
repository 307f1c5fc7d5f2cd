"""The numbers of a search as the characters of counters: compiled loops over arrays.

A search has NUMBERS numbers, in the order of undoku.texts.counter_kinds.COUNTERS; the
last one, branching, is in hundredths. Some of them are shown, each in a field, a left-aligned row
of slots with one character each. A character is a mark, an index into MARKS.
"""

from __future__ import annotations

from typing import NamedTuple

from undoku.h264.loops import I32_3D, I64, I64_2D, U8, U8_2D, group, inner, loop
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
NUMBERS = 12
SLOTS = 28
"""The maximum number of characters of a number: an int64 with its separators, and one more."""

_COMMA, _POINT, _LETTER, BLANK = 10, 11, 12, 16
_LETTERS = 4
_BRANCHING = NUMBERS - 1


@group
class CounterArrays(NamedTuple):
    """The counters of one search; slots = the most characters of a number.

    sizes      (3,) int64         the widths of a digit, of a separator or point, of a letter
    picks      (fields,) int64    the number that each field shows
    widths     (fields,) int64    the width of each field
    written       (fields,) int64    the numbers whose characters are shown; -1 initially
    lengths    (fields,) int64    the number of slots of each field
    advances   (fields, slots) int64   the width that the character of each slot needs
    slots      (fields, slots, 3) int32  x, y, width of each slot
    shown      (fields, slots) uint8   the mark in each slot
    marks      (slots,) uint8          scratch
    numbers    (NUMBERS,) int64        scratch: the numbers of the search
    kind       the kind of the characters in the index of sprites, by mark | width << MARK_BITS
    """

    sizes: I64
    picks: I64
    widths: I64
    written: I64
    lengths: I64
    advances: I64_2D
    slots: I32_3D
    shown: U8_2D
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
    parents = max(1, decisions + 1 - leaves)
    numbers[_BRANCHING] = min(999, (200 * decisions + parents) // (2 * parents))


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
    if pick == _BRANCHING:
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
def _has_slots(field: int, length: int, counters: CounterArrays) -> bool:
    """Whether the first `length` slots of a field are wide enough for the marks."""
    if length > int(counters.lengths[field]):
        return False
    for at in range(length):
        needed = _width_of(int(counters.marks[at]), counters.sizes)
        if counters.advances[field, at] != needed:
            return False
    return True


@inner
def _as_long(number: int, other: int) -> bool:
    """Whether two numbers (>= 0) have as many digits."""
    power = 10
    while power <= number and power <= other:
        power *= 10
    return power > number and power > other


@loop
def field_to_grow(registers: I64, counters: CounterArrays) -> int:
    """The first field that has no slots for its number, or -1; the numbers are filled in from the
    registers of the search."""
    numbers = counters.numbers
    read_numbers(registers, numbers)
    for field in range(len(counters.widths)):
        pick = int(counters.picks[field])
        number, before = int(numbers[pick]), int(counters.written[field])
        if before >= 0 and (pick == _BRANCHING or _as_long(number, before)):
            continue
        width = int(counters.widths[field])
        length = spell(pick, number, width, counters.sizes, counters.marks)
        if not _has_slots(field, length, counters):
            return field
    return -1


@inner
def put_counters(frame: int, counters: CounterArrays, draft: DraftArrays) -> None:
    """Update the characters to the numbers, and draw those that differ. All fields must have enough
    slots."""
    written, shown, marks, slots = counters.written, counters.shown, counters.marks, counters.slots
    for field in range(len(counters.widths)):
        pick = int(counters.picks[field])
        number = int(counters.numbers[pick])
        if number == written[field]:
            continue
        written[field] = number
        length = spell(pick, number, int(counters.widths[field]), counters.sizes, marks)
        count = int(counters.lengths[field])
        for slot in range(count):
            mark = int(marks[slot]) if slot < length else BLANK
            if shown[field, slot] != mark:
                shown[field, slot] = mark
                key = mark | int(slots[field, slot, 2]) << MARK_BITS
                sprite = sprite_number(key, counters.kind, draft.sprites)
                put_sprite(
                    frame, sprite, int(slots[field, slot, 0]), int(slots[field, slot, 1]), draft
                )


@loop
def frames_with_room(registers: I64_2D, counters: CounterArrays) -> int:
    """The number of frames before the first one on which a field must grow. `registers` (frames,
    REGISTERS) are those of the search after each frame."""
    for frame in range(len(registers)):
        if field_to_grow(registers[frame], counters) >= 0:
            return frame
    return len(registers)


@loop
def put_all_counters(registers: I64_2D, counters: CounterArrays, draft: DraftArrays) -> None:
    """Draw the characters that differ on each of these frames; no field may have to grow."""
    for frame in range(len(registers)):
        read_numbers(registers[frame], counters.numbers)
        put_counters(frame, counters, draft)
