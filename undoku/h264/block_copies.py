"""Copies blocks of macroblocks, such as whole sprites, with a common motion vector.

If all macroblocks of a block are copied with the same vector, only the first one needs bits for the
vector. Therefore blocks are kept in slots of the atlas: see atlas_slots.py.
"""

from __future__ import annotations

import numpy as np

from undoku.h264.atlas_slots import (
    AFAR,
    QUEUE,
    USE,
    corner_of,
    fill_slot,
    free_slot,
    note_uses,
    slot_beside,
    slot_of,
    use_slot,
    uses_of,
)
from undoku.h264.bits import signed_length
from undoku.h264.canvas import SEED, mix, number_of
from undoku.h264.encoder_arrays import (
    BLOCK_HIGH,
    BLOCK_WIDE,
    COLUMNS,
    LIST,
    MOVES,
    PICTURE,
    SOURCE,
    TAKEN_AWAY,
    TODO,
    UNKNOWN,
    WIDTH,
    Plan,
)
from undoku.h264.loops import inner
from undoku.h264.previous_picture import (
    BEFORE,
    NEXT,
    NOW,
    exchangeable,
    link,
    note_coded,
    reachable,
    unlink,
)

_PATIENCE = 64  # members of a list that are examined
_CANDIDATES = 4
_OFTEN = 4  # uses from another row after which a block gets a slot in that row, too


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
def _stands_at(source: int, corner: int, plan: Plan) -> bool:
    """Whether the previous picture has at `source` all contents that change in the block at
    `corner`."""
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
            new = contents[NEXT, corner + step]
            if grid[TODO, corner + step] and contents[BEFORE, source + step] != new:
                return False
    return True


@inner
def _elsewhere(corner: int, plan: Plan) -> int:
    """The corner of the nearest block of the previous picture that has the contents that change in
    the block at `corner`; -1 for none."""
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
        fits = fits and at % width < registers[COLUMNS]
        if fits and _stands_at(source, corner, plan):
            found += 1
            length = signed_length(source % width - corner % width)
            length += signed_length(source // width - corner // width)
            if length < least:
                least, best = length, source
        at = int(grid[0, at])
    return best


@inner
def match_block(corner: int, plan: Plan) -> None:
    """Plan the copy of what changes in the block at `corner`, if there is an exact match, and
    record the block that it replaces. `find_changes` must have recorded the changes first."""
    registers, grid, returned, slots = plan.registers, plan.grid, plan.returned, plan.slots
    width = int(registers[WIDTH])
    wide, high = int(registers[BLOCK_WIDE]), int(registers[BLOCK_HIGH])
    row = corner // width
    some = False
    for line in range(corner, corner + high * width, width):
        for mb in range(line, line + wide):
            if grid[TODO, mb]:
                if grid[SOURCE, mb] != UNKNOWN:
                    return  # drawn twice in this picture
                some = True
    if not some:
        return
    if registers[TAKEN_AWAY] < slots.shape[1]:
        slots[QUEUE, registers[TAKEN_AWAY]] = corner
        registers[TAKEN_AWAY] += 1
    wanted = _block_hash(corner, NEXT, plan)
    # A slot whose block is shown elsewhere, too, is not needed, and need not be used.
    source = _elsewhere(corner, plan) if wanted else -1
    slot = slot_of(wanted, corner, plan) if wanted and source < 0 else -1
    if slot >= 0 and _stands_at(corner_of(slot, registers), corner, plan):
        source = corner_of(slot, registers)
        use_slot(slot, plan)
        slots[AFAR, slot] += source // width != row
    if source < 0:
        if wanted:
            picture = int(registers[PICTURE])
            note_coded(returned, wanted)
            note_uses(plan.uses, wanted, USE + uses_of(plan.uses, wanted, picture), picture)
        return
    for line in range(0, high * width, width):
        for step in range(line, line + wide):
            mb = corner + step
            if grid[TODO, mb]:
                grid[TODO, mb] = MOVES
                grid[SOURCE, mb] = source + step


@inner
def _remains(corner: int, plan: Plan) -> bool:
    """Whether the picture being coded has elsewhere the block that it replaces at `corner`: that
    need not be kept before it is replaced there, too."""
    registers, contents, grid, buckets = plan.registers, plan.contents, plan.grid, plan.buckets
    width = int(registers[WIDTH])
    wide, high = int(registers[BLOCK_WIDE]), int(registers[BLOCK_HIGH])
    centre = high // 2 * width + wide // 2
    content = contents[BEFORE, corner + centre]
    at = int(buckets[content >> 1 & (len(buckets) - 1)])
    for _ in range(_PATIENCE):
        if at < 0:
            break
        other = at - centre
        inside = other >= 0 and other % width <= at % width < other % width + wide
        inside = inside and other + (high - 1) * width + wide <= contents.shape[1]
        if inside and contents[NOW, at] == content and exchangeable(other, corner, width):
            equal = True
            for line in range(0, high * width, width):
                for step in range(line, line + wide):
                    same = contents[NOW, other + step] == contents[BEFORE, corner + step]
                    equal = equal and same
            if equal:
                return True
        at = int(grid[0, at])
    return False


@inner
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
        corner = int(slots[QUEUE, index])
        number = _block_hash(corner, BEFORE, plan)
        if number == 0:
            continue
        slot = slot_of(number, corner, plan)
        if slot >= 0:
            # It is kept, but a slot in its own row would give shorter vectors.
            far = corner_of(slot, registers) // width != corner // width
            if not far or slots[AFAR, slot] < _OFTEN:
                continue
            slots[AFAR, slot] = 0
            slot = slot_beside(corner, plan)
        elif _remains(corner, plan):
            continue
        else:
            slot = free_slot(number, corner, plan)
        if slot < 0:
            continue
        fill_slot(slot, number, plan)
        to = corner_of(slot, registers)
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
