"""Collects candidate motion vectors for a macroblock without an exact match.

`candidates` (CANDIDATES,) int32 is scratch: VECTORS_X and VECTORS_Y, vectors in samples; EXACT, the
blocks of the macroblock that the vector predicts without error, one bit each, row by row; NEAR, the
blocks that it predicts best; COUNT, the number of vectors. SINGLE are the quarters (8x8, bits 0..3)
that one vector predicts without error, SPLIT those that four vectors do, one for each 4x4 block.
PICKED are the vectors of the chosen partitions (see partitions.py), as `packed` encodes them.
LEFT_OVER is the estimated cost of the other quarters: the distance of their prediction and the bits
of its vectors. WHOLE is the cost of the macroblock with one vector, whose index is WHOLE_AT.
SEARCHED is the state of motion_search.py.
"""

from __future__ import annotations

from undoku.h264.block_index import (
    BLOCK,
    BUCKET_SIZE,
    FIRST_HASH,
    bucket_of,
    equal_blocks,
    has_hash,
    place_of,
    refresh,
    remember,
)
from undoku.h264.canvas import RGB_BYTES, DeferredCanvas
from undoku.h264.encoder_arrays import MUCH_NEW, WIDTH, BlockIndex, Pictures, Plan
from undoku.h264.levels import HORIZONTAL_REACH, VERTICAL_REACH
from undoku.h264.loops import I32, U8, inner
from undoku.h264.motion_search import SEARCH
from undoku.h264.motion_vectors import MOVED, RECENT, STILL, predict_vector
from undoku.h264.previous_picture import NOW

_MAX_CANDIDATES = 48  # vectors
VECTORS_X, VECTORS_Y, EXACT, NEAR = range(0, 4 * _MAX_CANDIDATES, _MAX_CANDIDATES)
PICKED = 4 * _MAX_CANDIDATES
COUNT, SINGLE, SPLIT, LEFT_OVER, WHOLE, WHOLE_AT, SEARCHED = range(PICKED + 16, PICKED + 23)
CANDIDATES = SEARCHED + SEARCH

TOO_FAR = 1 << 29
"""In LEFT_OVER: there are no vectors for the other quarters."""

ALL_BLOCKS = 0xFFFF
"""Of a macroblock."""


@inner
def blocks_of(quarter: int) -> int:
    """The 4x4 blocks of a quarter, one bit each."""
    return 0x33 << (2 * (quarter & 1) + 8 * (quarter >> 1))


@inner
def add_vector(candidates: I32, across: int, down: int) -> int:
    """Add a vector and return its index; -1 if it is out of range or the table is full."""
    count = int(candidates[COUNT])
    for at in range(count):
        if candidates[VECTORS_X + at] == across and candidates[VECTORS_Y + at] == down:
            return at
    if count == _MAX_CANDIDATES or abs(across) >= HORIZONTAL_REACH or abs(down) >= VERTICAL_REACH:
        return -1
    candidates[VECTORS_X + count], candidates[VECTORS_Y + count] = across, down
    candidates[EXACT + count] = candidates[NEAR + count] = 0
    candidates[COUNT] = count + 1
    return count


@inner
def _add_all(
    mb: int, block: int, number: int, plan: Plan, known: BlockIndex, candidates: I32
) -> None:
    """Add the vectors to one position of each listed content with the hash `number`, that of block
    `block` of the macroblock."""
    positions, remembered = known.positions, known.remembered
    width, each = int(plan.registers[WIDTH]), remembered.shape[1] - FIRST_HASH
    a_row = 2 if each == 4 else 4
    bucket = bucket_of(positions, number)
    for place in range(bucket, bucket + BUCKET_SIZE):
        entry = int(positions[place])
        if not has_hash(entry, number):
            continue
        held, part = (entry & BLOCK) // each, (entry & BLOCK) % each
        if remembered[held, FIRST_HASH + part] != number:
            continue
        source = place_of(held, plan, known)
        if source >= 0:
            across = a_row * (source % width - mb % width) + part % a_row - block % a_row
            down = a_row * (source // width - mb // width) + part // a_row - block // a_row
            add_vector(candidates, across * (16 // a_row), down * (16 // a_row))


@inner
def begin_candidates(mb: int, plan: Plan, candidates: I32) -> None:
    """Begin the candidates of a macroblock: no movement, the predicted vectors, and where much is
    new the recent ones."""
    candidates[COUNT] = candidates[SINGLE] = candidates[SPLIT] = candidates[LEFT_OVER] = 0
    candidates[WHOLE] = TOO_FAR
    add_vector(candidates, 0, 0)
    for index in (MOVED, STILL):
        right, down = predict_vector(plan.grid, mb, int(plan.registers[WIDTH]), index)
        add_vector(candidates, right, down)
    if plan.registers[MUCH_NEW]:
        for at in range(RECENT):
            add_vector(candidates, int(plan.recent[0, at]), int(plan.recent[1, at]))


@inner
def collect_exact(
    canvas: DeferredCanvas, mb: int, plan: Plan, pictures: Pictures, samples: U8, candidates: I32
) -> None:
    """Add the quarters that have an exact match in the previous picture, after `begin_candidates`.
    The first 768 bytes of `samples` are scratch."""
    registers, contents = plan.registers, plan.contents
    blocks8, blocks4 = pictures.blocks8, pictures.blocks4
    width = int(registers[WIDTH])
    content, rgb = int(contents[NOW, mb]), samples[:RGB_BYTES]
    refresh(canvas, plan, blocks8, samples)
    held = remember(canvas, mb, content, registers, blocks8, rgb)
    for quarter in range(4):
        number = int(blocks8.remembered[held, FIRST_HASH + quarter])
        _add_all(mb, quarter, number, plan, blocks8, candidates)
    single = 0
    for at in range(candidates[COUNT]):
        across, down = int(candidates[VECTORS_X + at]), int(candidates[VECTORS_Y + at])
        if (across | down) & 7:
            continue
        left, top = 2 * (mb % width) + across // 8, 2 * (mb // width) + down // 8
        equal = equal_blocks(held, left, top, plan, blocks8)
        single |= equal
        for quarter in range(4):
            if equal >> quarter & 1:
                candidates[EXACT + at] |= blocks_of(quarter)
    candidates[SINGLE] = single
    if single != 15 and registers[MUCH_NEW] == 0:
        refresh(canvas, plan, blocks4, samples)
        held = remember(canvas, mb, content, registers, blocks4, rgb)
        _collect_4x4(mb, plan, blocks4, held, candidates)


@inner
def _collect_4x4(mb: int, plan: Plan, blocks4: BlockIndex, held: int, candidates: I32) -> None:
    """The part of `collect_exact` for the 4x4 blocks of quarters without an exact match."""
    width, single = int(plan.registers[WIDTH]), int(candidates[SINGLE])
    for block in range(16):
        if single >> (block >> 1 & 1 | block >> 2 & 2) & 1:
            continue
        number = int(blocks4.remembered[held, FIRST_HASH + block])
        # A block like its neighbour, as in a flat area, is not looked up: 0.1 % more bytes, but 5 %
        # less time.
        if block & 3 and number == blocks4.remembered[held, FIRST_HASH + block - 1]:
            continue
        if block > 3 and number == blocks4.remembered[held, FIRST_HASH + block - 4]:
            continue
        _add_all(mb, block, number, plan, blocks4, candidates)
    together = 0
    for at in range(candidates[COUNT]):
        exact = int(candidates[EXACT + at])
        across, low = int(candidates[VECTORS_X + at]), int(candidates[VECTORS_Y + at])
        if (across | low) & 3:
            continue
        left, top = 4 * (mb % width) + across // 4, 4 * (mb // width) + low // 4
        if exact != ALL_BLOCKS:
            exact |= equal_blocks(held, left, top, plan, blocks4)
        candidates[EXACT + at] = exact
        together |= exact
        for quarter in range(4):
            if exact & blocks_of(quarter) == blocks_of(quarter):
                single |= 1 << quarter
    candidates[SINGLE] = single
    for quarter in range(4):
        if single >> quarter & 1 == 0 and together & blocks_of(quarter) == blocks_of(quarter):
            candidates[SPLIT] |= 1 << quarter
