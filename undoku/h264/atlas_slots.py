"""The slots of the atlas, which hold blocks of macroblocks, and which of them is overwritten.

The atlas has a few columns for single macroblocks, and right of them slots for whole blocks. All
blocks have one size, that of the film's cells: registers BLOCK_WIDE and BLOCK_HIGH, in macroblocks,
0 until the size is known. BLOCK_TOP is the row of the first slots, SLOTS their number.

`slots` is (5, n) int64: KEY, the hash of the block that a slot holds (0: none); SINCE, the last
picture that used the slot; USES, its uses until then, which are in `uses` for
blocks without a slot; AFAR, how many times blocks of another row used it; QUEUE, the upper left
macroblocks of the TAKEN_AWAY blocks that the picture replaces and that may be kept.

How often and how recently blocks were used decides what the atlas keeps. Each use counts USE and
decays to a half in _HALF pictures, as in LRFU: D. Lee and others, "LRFU: a spectrum of policies
that subsumes the least recently used and least frequently used policies", IEEE Transactions on
Computers 50 (2001).
"""

from __future__ import annotations

import numpy as np

from undoku.h264.encoder_arrays import (
    BLOCK_HIGH,
    BLOCK_TOP,
    BLOCK_WIDE,
    COLUMNS,
    HEIGHT,
    PICTURE,
    SLOTS,
    TAKEN_AWAY,
    WIDTH,
    Plan,
)
from undoku.h264.loops import I64, I64_2D, inner, loop
from undoku.h264.previous_picture import (
    REACH_ACROSS,
    REACH_DOWN,
    USED,
    exchangeable,
    has_returned,
    reachable,
    unlink,
)

USE = 1 << 20
_HALF = 300  # pictures

_LISTED, _COUNT, _UNTIL = range(3)
_ROWS = 1 << 13


def empty_uses() -> I64:
    """A table (a power of two, 4): hashes of blocks, their uses, and the pictures for which these
    are. Of two blocks with the same row, the last one is remembered."""
    return np.zeros((_ROWS, 4), np.int64)


@inner
def decayed(uses: int, pictures: int) -> int:
    """What is left of `uses` after a number of pictures >= 0: linear between powers of two."""
    halved = uses >> min(pictures // _HALF, 62)
    return halved - halved * (pictures % _HALF) // (2 * _HALF)


@inner
def uses_of(table: I64_2D, block: int, picture: int) -> int:
    """The uses of the block with this hash, decayed until `picture`."""
    row = table[block >> 1 & (len(table) - 1)]
    return decayed(int(row[_COUNT]), picture - int(row[_UNTIL])) if row[_LISTED] == block else 0


@inner
def note_uses(table: I64_2D, block: int, uses: int, picture: int) -> None:
    """Record that a block has these uses at `picture`."""
    row = table[block >> 1 & (len(table) - 1)]
    row[_LISTED], row[_COUNT], row[_UNTIL] = block, uses, picture


MAX_SLOTS = 1024


_KEY, _SINCE, _USES, AFAR, QUEUE = range(5)

_SINGLES = 11  # columns of the atlas that hold single macroblocks, where it has slots
_SHORT, _LONG = 300, 1500
"""Pictures without use after which a slot may be given to a block that has never returned (_SHORT),
or is preferred for a block of its row although other slots have fewer uses (_LONG)."""
_NEVER = -(1 << 40)
_SMALL = 16  # columns
_RECENT = 40  # pictures for which a small atlas keeps what was used


@inner
def singles_end(registers: I64) -> int:
    """The first column after those for single macroblocks."""
    if registers[BLOCK_WIDE]:
        return int(min(registers[COLUMNS] + _SINGLES, registers[WIDTH]))
    return int(registers[WIDTH])


@inner
def free_place(mb: int, wide: int, high: int, plan: Plan) -> int:
    """The upper left of `wide` × `high` single macroblocks of the atlas that the one at `mb` can be
    copied to and from: the least recently used ones, of these the nearest; -1 if there are none or
    all are in use in this picture."""
    registers, contents = plan.registers, plan.contents
    width, height = int(registers[WIDTH]), int(registers[HEIGHT])
    columns, end = int(registers[COLUMNS]), singles_end(registers)
    # A small atlas would be overwritten before its contents return.
    oldest = registers[PICTURE] - (_RECENT if width - columns < _SMALL else 0)
    best, row, column = -1, mb // width, mb % width
    # One vector copies to the atlas, a later one back: REACH_DOWN is the shorter range of both.
    first, last = max(columns, column - REACH_ACROSS), min(end - wide, column + REACH_ACROSS)
    # From the nearest row outwards, since a shorter vector takes fewer bits.
    for turn in range(2 * REACH_DOWN + 1):
        line = row + (turn + 1) // 2 if turn & 1 else row - turn // 2
        if line < 0 or line + high > height:
            continue
        for at in range(line * width + first, line * width + last + 1):
            used = contents[USED, at]
            if used < oldest:
                for corner in range(at, at + high * width, width):
                    for place in range(corner, corner + wide):
                        used = max(used, contents[USED, place])
                if used < oldest:
                    oldest, best = used, at
    return best


@inner
def divide_atlas(wide: int, high: int, row: int, plan: Plan) -> None:
    """Divide the atlas into slots for blocks of `wide` × `high` macroblocks; slots start at row
    `row` modulo `high`."""
    registers, contents, grid, buckets = plan.registers, plan.contents, plan.grid, plan.buckets
    width, height = int(registers[WIDTH]), int(registers[HEIGHT])
    registers[BLOCK_WIDE], registers[BLOCK_HIGH] = wide, high
    registers[BLOCK_TOP] = row % high
    left = singles_end(registers)
    across, down = (width - left) // wide, (height - row % high) // high
    registers[SLOTS] = min(MAX_SLOTS, across * down)
    for mb in range(width * height):
        if mb % width >= left:
            unlink(contents, buckets, grid, mb)


@loop
def clear_slots(plan: Plan) -> None:
    """Mark all slots as empty."""
    registers, slots = plan.registers, plan.slots
    registers[TAKEN_AWAY] = 0
    for slot in range(slots.shape[1]):
        slots[_KEY, slot] = 0
        slots[_SINCE, slot] = _NEVER
        slots[_USES, slot] = 0


@inner
def corner_of(slot: int, registers: I64) -> int:
    """The upper left macroblock of a slot."""
    left = singles_end(registers)
    across = (int(registers[WIDTH]) - left) // int(registers[BLOCK_WIDE])
    row = int(registers[BLOCK_TOP]) + slot // across * int(registers[BLOCK_HIGH])
    return row * int(registers[WIDTH]) + left + slot % across * int(registers[BLOCK_WIDE])


@inner
def slot_of(number: int, corner: int, plan: Plan) -> int:
    """A slot from which the block at `corner` can be copied, preferably in its row, which makes the
    vector short; -1 for none."""
    registers, slots = plan.registers, plan.slots
    found, width = -1, int(registers[WIDTH])
    for slot in range(registers[SLOTS]):
        if slots[_KEY, slot] == number:
            at = corner_of(slot, registers)
            if reachable(at, corner, width):
                found = slot
                if at // width == corner // width:
                    break
    return found


@inner
def slot_beside(corner: int, plan: Plan) -> int:
    """The least recently used slot in the row of a block, if it was unused for long enough; else
    -1."""
    registers, slots = plan.registers, plan.slots
    width = int(registers[WIDTH])
    oldest, best = registers[PICTURE] - _LONG, -1
    for slot in range(registers[SLOTS]):
        if slots[_SINCE, slot] < oldest:
            at = corner_of(slot, registers)
            if at // width == corner // width and exchangeable(at, corner, width):
                oldest, best = slots[_SINCE, slot], slot
    return best


@inner
def free_slot(number: int, corner: int, plan: Plan) -> int:
    """The slot for a replaced block: one that was not used for a long time in the row of the block,
    or the one with the fewest uses, if the block has half as many more: otherwise blocks that take
    turns would overwrite each other; -1 for none."""
    registers, returned, slots = plan.registers, plan.returned, plan.slots
    slot = slot_beside(corner, plan)
    if slot >= 0:
        return slot
    picture, width = int(registers[PICTURE]), int(registers[WIDTH])
    fewest, best = uses_of(plan.uses, number, picture) * 2 // 3 + 1, -1
    for slot in range(registers[SLOTS]):
        age = picture - int(slots[_SINCE, slot])
        if age > 0:
            uses = decayed(int(slots[_USES, slot]), age)
            if uses < fewest and exchangeable(corner_of(slot, registers), corner, width):
                fewest, best = uses, slot
    # A block that has never come back is not worth more than one that was used recently.
    known = has_returned(returned, number)
    return best if best >= 0 and (known or slots[_SINCE, best] < picture - _SHORT) else -1


@inner
def use_slot(slot: int, plan: Plan) -> None:
    """Record that the picture uses a slot."""
    slots, picture = plan.slots, int(plan.registers[PICTURE])
    uses = decayed(int(slots[_USES, slot]), picture - int(slots[_SINCE, slot]))
    slots[_USES, slot] = USE + uses
    slots[_SINCE, slot] = picture


@inner
def fill_slot(slot: int, number: int, plan: Plan) -> None:
    """Give a slot to the block with this hash."""
    slots, picture = plan.slots, int(plan.registers[PICTURE])
    if slots[_KEY, slot]:
        left, uses = int(slots[_KEY, slot]), int(slots[_USES, slot])
        note_uses(plan.uses, left, uses, int(slots[_SINCE, slot]))
    slots[_KEY, slot] = number
    slots[_USES, slot] = uses_of(plan.uses, number, picture)
    slots[_SINCE, slot] = picture
    slots[AFAR, slot] = 0
