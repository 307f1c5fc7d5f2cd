"""Copies blocks of macroblocks, such as whole sprites, with a common motion vector.

If all macroblocks of a block are copied with the same vector, only the first one needs bits for the
vector. Therefore the atlas has, right of a few columns for single macroblocks, slots for whole
blocks. All blocks have one size, that of the film's cells: registers BLOCK_WIDE and BLOCK_HIGH, in
macroblocks, 0 until the size is known. BLOCK_TOP is the row of the first slots, SLOTS their number.

`slots` is (4, n) int64: KEY, the hash of the block that a slot holds (0: none); SINCE, the last
picture that used the slot; AFAR, how many times blocks of another row used it; QUEUE, the upper
left macroblocks of the TAKEN_AWAY blocks that the picture replaces and that may be kept.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from render.sinks.h264.bits import signed_length
from render.sinks.h264.content_index import (
    BEFORE,
    NEXT,
    NOW,
    exchangeable,
    has_returned,
    link,
    note_coded,
    reachable,
    unlink,
)
from render.sinks.h264.encoder_arrays import (
    BLOCK_HIGH,
    BLOCK_TOP,
    BLOCK_WIDE,
    COLUMNS,
    HEIGHT,
    LIST,
    MOVES,
    PICTURE,
    SLOTS,
    SOURCE,
    TAKEN_AWAY,
    TODO,
    UNKNOWN,
    WIDTH,
    Plan,
)
from render.sinks.h264.hashing import SEED, mix, number_of
from solver.jit import inner, lean

__all__ = ["MAX_SLOTS", "clear_slots", "divide_atlas", "keep_blocks", "match_block", "singles_end"]

MAX_SLOTS = 1024

_I64 = NDArray[np.int64]

_KEY, _SINCE, _AFAR, _QUEUE = range(4)

_SINGLES = 11  # columns of the atlas that hold single macroblocks, where it has slots
_PATIENCE = 64  # members of a list that are examined
_CANDIDATES = 4
_SHORT, _LONG = 300, 1500
"""Pictures without use after which a slot may be given to any block (_LONG), or is preferred for a
block of its row although other slots were unused for longer (_SHORT)."""
_NEVER = -(1 << 40)
_OFTEN = 4  # uses from another row after which a block gets a slot in that row, too


@lean
def singles_end(registers: _I64) -> int:
    """The first column after those for single macroblocks."""
    if registers[BLOCK_WIDE]:
        return int(min(registers[COLUMNS] + _SINGLES, registers[WIDTH]))
    return int(registers[WIDTH])


@lean
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


@lean
def clear_slots(plan: Plan) -> None:
    """Mark all slots as empty."""
    registers, slots = plan.registers, plan.slots
    registers[TAKEN_AWAY] = 0
    for slot in range(slots.shape[1]):
        slots[_KEY, slot] = 0
        slots[_SINCE, slot] = _NEVER


@inner
def _corner(slot: int, registers: _I64) -> int:
    """The upper left macroblock of a slot."""
    left = singles_end(registers)
    across = (int(registers[WIDTH]) - left) // int(registers[BLOCK_WIDE])
    row = int(registers[BLOCK_TOP]) + slot // across * int(registers[BLOCK_HIGH])
    return row * int(registers[WIDTH]) + left + slot % across * int(registers[BLOCK_WIDE])


@inner
def _block_hash(corner: int, when: int, plan: Plan) -> int:
    """The hash of a block's contents: odd, or 0 where one of them is unknown. `when` is BEFORE for
    the previous picture, NEXT for the picture being coded."""
    registers, contents, grid = plan.registers, plan.contents, plan.grid
    width = int(registers[WIDTH])
    number = SEED
    for row in range(registers[BLOCK_HIGH]):
        for mb in range(corner + row * width, corner + row * width + registers[BLOCK_WIDE]):
            changed = when == NEXT and grid[TODO, mb] != 0
            content = contents[NEXT if changed else BEFORE, mb]
            if content == 0:
                return 0
            number = mix(number, np.uint64(content))
    return number_of(number)


@inner
def _slot_of(number: int, corner: int, plan: Plan) -> int:
    """A slot from which the block at `corner` can be copied, preferably in its row, which makes the
    vector short; -1 for none."""
    registers, slots = plan.registers, plan.slots
    found, width = -1, int(registers[WIDTH])
    for slot in range(registers[SLOTS]):
        if slots[_KEY, slot] == number:
            at = _corner(slot, registers)
            if reachable(at, corner, width):
                found = slot
                if at // width == corner // width:
                    break
    return found


@inner
def _stands_at(source: int, corner: int, plan: Plan) -> bool:
    """Whether the previous picture has at `source` the new contents of the block at `corner`."""
    registers, contents, grid = plan.registers, plan.contents, plan.grid
    width = int(registers[WIDTH])
    column = source % width
    last = source + (int(registers[BLOCK_HIGH]) - 1) * width
    if source < 0 or column + registers[BLOCK_WIDE] > width or last >= contents.shape[1]:
        return False
    if not reachable(source, corner, width):
        return False
    for row in range(registers[BLOCK_HIGH]):
        for step in range(row * width, row * width + registers[BLOCK_WIDE]):
            wanted = contents[NEXT if grid[TODO, corner + step] else BEFORE, corner + step]
            if contents[BEFORE, source + step] != wanted:
                return False
    return True


@inner
def _elsewhere(corner: int, plan: Plan) -> int:
    """The corner of the nearest block of the previous picture that has the new contents of the
    block at `corner`; -1 for none."""
    registers, contents, grid, buckets = plan.registers, plan.contents, plan.grid, plan.buckets
    width = int(registers[WIDTH])
    centre = int(registers[BLOCK_HIGH]) // 2 * width + int(registers[BLOCK_WIDE]) // 2
    content = contents[NEXT if grid[TODO, corner + centre] else BEFORE, corner + centre]
    best, least, found = -1, 1 << 30, 0
    at = int(buckets[content >> 1 & (len(buckets) - 1)])
    for _ in range(_PATIENCE):
        if at < 0 or found == _CANDIDATES:
            break
        source = at - centre
        fits = source != corner and source % width <= at % width and contents[NOW, at] == content
        if fits and _stands_at(source, corner, plan):
            found += 1
            length = signed_length(source % width - corner % width)
            length += signed_length(source // width - corner // width)
            if length < least:
                least, best = length, source
        at = int(grid[0, at])
    return best


@lean
def match_block(corner: int, changed: int, plan: Plan) -> int:
    """Plan the copy of the block at `corner`, if there is an exact match, and record the block that
    it replaces. `find_changes` must have recorded the changes first. grid[LIST] has `changed`
    macroblocks; returns their number after the call."""
    registers, contents, grid, returned, slots = (
        plan.registers,
        plan.contents,
        plan.grid,
        plan.returned,
        plan.slots,
    )
    width = int(registers[WIDTH])
    wide, high = int(registers[BLOCK_WIDE]), int(registers[BLOCK_HIGH])
    row = corner // width
    some = False
    for line in range(corner, corner + high * width, width):
        for mb in range(line, line + wide):
            if grid[TODO, mb]:
                if grid[SOURCE, mb] != UNKNOWN:
                    return changed  # drawn twice in this picture
                some = True
    if not some:
        return changed
    if registers[TAKEN_AWAY] < slots.shape[1]:
        slots[_QUEUE, registers[TAKEN_AWAY]] = corner
        registers[TAKEN_AWAY] += 1
    wanted = _block_hash(corner, NEXT, plan)
    slot = _slot_of(wanted, corner, plan) if wanted else -1
    source = -1
    if slot >= 0 and _stands_at(_corner(slot, registers), corner, plan):
        source = _corner(slot, registers)
        slots[_SINCE, slot] = registers[PICTURE]
        slots[_AFAR, slot] += source // width != row
    elif wanted:
        source = _elsewhere(corner, plan)
    if source < 0:
        if wanted:
            note_coded(returned, wanted)
        return changed
    for line in range(0, high * width, width):
        for step in range(line, line + wide):
            mb = corner + step
            if grid[TODO, mb] == 0:
                grid[LIST, changed] = mb
                changed += 1
                contents[NEXT, mb] = contents[BEFORE, mb]
            grid[TODO, mb] = MOVES
            grid[SOURCE, mb] = source + step
    return changed


@inner
def _slot_beside(corner: int, plan: Plan) -> int:
    """The least recently used slot in the row of a block, if it was unused for long enough; else
    -1."""
    registers, slots = plan.registers, plan.slots
    width = int(registers[WIDTH])
    oldest, best = registers[PICTURE] - _LONG, -1
    for slot in range(registers[SLOTS]):
        if slots[_SINCE, slot] < oldest:
            at = _corner(slot, registers)
            if at // width == corner // width and exchangeable(at, corner, width):
                oldest, best = slots[_SINCE, slot], slot
    return best


@inner
def _free_slot(number: int, corner: int, plan: Plan) -> int:
    """The slot for a replaced block: one that was not used for a long time, preferably in the row
    of the block; -1 for none."""
    registers, returned, slots = plan.registers, plan.returned, plan.slots
    slot = _slot_beside(corner, plan)
    if slot >= 0:
        return slot
    picture, width = registers[PICTURE], int(registers[WIDTH])
    oldest, best = picture, -1
    for slot in range(registers[SLOTS]):
        if slots[_SINCE, slot] < oldest and exchangeable(_corner(slot, registers), corner, width):
            oldest, best = slots[_SINCE, slot], slot
    # A block that has come back before is worth more than the oldest of those that are kept.
    known = has_returned(returned, number)
    return best if known or oldest < picture - _SHORT else -1


@lean
def keep_blocks(total: int, plan: Plan) -> int:
    """Plan copies to slots for the blocks that this picture replaces, after `index_changes`.
    grid[LIST] has `total` macroblocks; returns their number after the call."""
    registers, contents, grid, buckets, slots = (
        plan.registers,
        plan.contents,
        plan.grid,
        plan.buckets,
        plan.slots,
    )
    width = int(registers[WIDTH])
    for index in range(registers[TAKEN_AWAY]):
        corner = int(slots[_QUEUE, index])
        number = _block_hash(corner, BEFORE, plan)
        if number == 0:
            continue
        slot = _slot_of(number, corner, plan)
        if slot >= 0:
            # It is kept, but a slot in its own row would give shorter vectors.
            far = _corner(slot, registers) // width != corner // width
            if not far or slots[_AFAR, slot] < _OFTEN:
                continue
            slots[_AFAR, slot] = 0
            slot = _slot_beside(corner, plan)
        else:
            slot = _free_slot(number, corner, plan)
        if slot < 0:
            continue
        slots[_KEY, slot] = number
        slots[_SINCE, slot] = registers[PICTURE]
        slots[_AFAR, slot] = 0
        to = _corner(slot, registers)
        for row in range(registers[BLOCK_HIGH]):
            for step in range(row * width, row * width + registers[BLOCK_WIDE]):
                mb = to + step
                unlink(contents, buckets, grid, mb)
                link(contents, buckets, grid, mb, int(contents[BEFORE, corner + step]))
                grid[SOURCE, mb] = corner + step
                grid[TODO, mb] = MOVES
                grid[LIST, total] = mb
                total += 1
    registers[TAKEN_AWAY] = 0
    return total
