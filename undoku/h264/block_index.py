"""Index of the blocks of 8x8 or 4x4 pixels in the previous picture, by their hashes.

A block's hash identifies its RGB bytes, as the content of a macroblock does. The index lists the
blocks of contents, not of positions: where a content is, the content index tells. So a macroblock
that changes to a known content costs nothing more. Blocks are hashed and listed only when a
macroblock has no exact match, while the canvas still shows their content.
"""

from __future__ import annotations

import numpy as np

from undoku.h264.canvas import (
    RGB_BYTES,
    SEED,
    DeferredCanvas,
    copy_rgb,
    draw_macroblock,
    mix,
    number_of,
)
from undoku.h264.encoder_arrays import (
    COLUMNS,
    HEIGHT,
    OUTDATED,
    STALE,
    VISIBLE_HEIGHT,
    VISIBLE_WIDTH,
    WIDTH,
    BlockIndex,
    Plan,
)
from undoku.h264.loops import I32_2D, I64, U8, inner
from undoku.h264.previous_picture import BEFORE, NOW

BUCKET_SIZE = 4
BLOCK = 0xFFFFFFFF
"""The bits of an entry of `positions` that are the number of the block."""

_CONTENT, _PLACE, FIRST_HASH = range(3)
"""In a row of `remembered`: the content; a macroblock that showed it, -1 if the previous picture
did not show it when its blocks were looked for; and from FIRST_HASH on the hashes of its blocks."""

_ROWS = 1 << 16
"""The most rows of `remembered`, an eighth of those of `positions`: most macroblocks of a picture
of 3840x2160 are the same."""

_PATIENCE = 32  # members of a list of the content index that are examined


def empty_index(mbs: int, side: int) -> BlockIndex:
    """An empty index for blocks of `side` (8 or 4) pixels in pictures of `mbs` macroblocks."""
    each = (16 // side) ** 2
    return BlockIndex(
        positions=np.full(min(1 << (each * mbs).bit_length(), 8 * _ROWS), -1, np.int64),
        changes=np.zeros((2, mbs + 1), np.int32),
        remembered=np.zeros((min(1 << (2 * mbs).bit_length(), _ROWS), FIRST_HASH + each), np.int64),
    )


def clear_index(known: BlockIndex) -> None:
    """Empty an index, as `empty_index` makes it."""
    known.positions[:] = -1
    known.changes[:] = 0
    # Only rows in use: the system gives no memory to the others.
    known.remembered[known.remembered[:, _CONTENT] != 0, _CONTENT] = 0


@inner
def _a_row(known: BlockIndex) -> int:
    """The number of blocks in a row of a macroblock."""
    return 2 if known.remembered.shape[1] == FIRST_HASH + 4 else 4


@inner
def _word(rgb: U8, number: int) -> np.uint64:
    """Four bytes, from number 4 * `number` on, as one word."""
    at = 4 * number
    return (
        np.uint64(rgb[at])
        | np.uint64(rgb[at + 1]) << np.uint64(8)
        | np.uint64(rgb[at + 2]) << np.uint64(16)
        | np.uint64(rgb[at + 3]) << np.uint64(24)
    )


@inner
def _block_hash(rgb: U8, block: int, a_row: int) -> int:
    """The hash, 1..2^63-1, of a block of a macroblock's bytes (768,): three chains over words of
    four bytes; each step is a bijection."""
    a, b, c = SEED, SEED * np.uint64(3), SEED * np.uint64(5)
    wide = 12 // a_row
    start = 192 // a_row * (block // a_row) + wide * (block % a_row)
    for line in range(start, start + 192 // a_row, 12):
        for at in range(line, line + wide, 3):
            a = mix(a, _word(rgb, at))
            b = mix(b, _word(rgb, at + 1))
            c = mix(c, _word(rgb, at + 2))
    for word in (b, c):
        a = mix(a, word)
    return number_of(a)


@inner
def remember(
    canvas: DeferredCanvas, mb: int, content: int, registers: I64, known: BlockIndex, rgb: U8
) -> int:
    """The row of the cached block hashes of `content`, which the canvas shows at `mb`."""
    remembered = known.remembered
    at = content >> 1 & (len(remembered) - 1)
    if remembered[at, _CONTENT] != content:
        column, row = mb % int(registers[WIDTH]), mb // int(registers[WIDTH])
        draw_macroblock(mb, canvas, registers)
        across, lines = int(registers[VISIBLE_WIDTH]), int(registers[VISIBLE_HEIGHT])
        copy_rgb(canvas.pixels, across, lines, column, row, rgb)
        a_row = _a_row(known)
        remembered[at, _CONTENT], remembered[at, _PLACE] = content, -1
        for block in range(a_row * a_row):
            remembered[at, FIRST_HASH + block] = _block_hash(rgb, block, a_row)
    return int(at)


@inner
def bucket_of(positions: I64, number: int) -> int:
    """The index in `positions` at which the bucket of a hash begins."""
    return int((number >> 1 << 2) & (len(positions) - 1))


@inner
def _entry_of(at: int, number: int) -> int:
    """The entry of block `at` with hash `number`: the upper 31 bits of the hash, then the number of
    the block. Most other hashes differ in these bits, so that `remembered` is not read for them."""
    return (number >> 32) << 32 | at


@inner
def has_hash(entry: int, number: int) -> bool:
    """Whether an entry may be one of hash `number`."""
    return (entry ^ number) >> 32 == 0


@inner
def place_of(row: int, plan: Plan, known: BlockIndex) -> int:
    """A macroblock of the previous picture with the content of a row of `remembered`; -1 if none is
    found."""
    contents, grid, buckets, remembered = plan.contents, plan.grid, plan.buckets, known.remembered
    content, place = int(remembered[row, _CONTENT]), int(remembered[row, _PLACE])
    if place >= 0 and contents[BEFORE, place] == content:
        return place
    at = int(buckets[content >> 1 & (len(buckets) - 1)])
    for _ in range(_PATIENCE):
        if at < 0 or (contents[NOW, at] == content and contents[BEFORE, at] == content):
            break
        at = int(grid[0, at])
    else:
        at = -1
    remembered[row, _PLACE] = at
    return at


@inner
def _list(row: int, plan: Plan, known: BlockIndex) -> None:
    """List the blocks of a row of `remembered`. In a full bucket the entry of a content that the
    previous picture does not show is replaced, or any entry if there is none."""
    positions, remembered = known.positions, known.remembered
    each = remembered.shape[1] - FIRST_HASH
    for block in range(each):
        number = int(remembered[row, FIRST_HASH + block])
        bucket = bucket_of(positions, number)
        best = bucket + (block & 3)
        for place in range(bucket, bucket + BUCKET_SIZE):
            entry = int(positions[place])
            held = entry & BLOCK
            if (
                entry < 0
                or held == row * each + block
                or not has_hash(entry, int(remembered[held // each, FIRST_HASH + held % each]))
                or place_of(held // each, plan, known) < 0
            ):
                best = place
                break
        positions[best] = _entry_of(row * each + block, number)


@inner
def note_change(changes: I32_2D, mb: int) -> None:
    """Record in `changes` (2, mbs + 1) that the hashes of a macroblock are outdated."""
    if changes[STALE, mb]:
        return
    last = changes.shape[1] - 1
    changes[STALE, mb] = 1
    changes[OUTDATED, changes[OUTDATED, last]] = mb
    changes[OUTDATED, last] += 1


@inner
def refresh(canvas: DeferredCanvas, plan: Plan, known: BlockIndex, samples: U8) -> None:
    """Update the index to the previous picture: list new contents, and those that were not in it
    when they were looked for."""
    registers, contents, changes, remembered = (
        plan.registers,
        plan.contents,
        known.changes,
        known.remembered,
    )
    last = changes.shape[1] - 1
    width, columns = int(registers[WIDTH]), registers[COLUMNS]
    rgb = samples[:RGB_BYTES]
    for index in range(changes[OUTDATED, last]):
        mb = int(changes[OUTDATED, index])
        changes[STALE, mb] = 0
        content = int(contents[BEFORE, mb])
        if content == 0:
            continue
        at = content >> 1 & (len(remembered) - 1)
        if remembered[at, _CONTENT] != content:
            if mb % width >= columns or contents[NOW, mb] != content:
                continue
            at = remember(canvas, mb, content, registers, known, rgb)
        if remembered[at, _PLACE] < 0:
            remembered[at, _PLACE] = mb
            _list(at, plan, known)
    changes[OUTDATED, last] = 0


@inner
def equal_blocks(held: int, left: int, top: int, plan: Plan, known: BlockIndex) -> int:
    """The blocks of the content in row `held` of `remembered`, one bit each, row by row, that equal
    those of the previous picture if its upper left block is at (left, top), counted in blocks."""
    registers, contents, remembered = plan.registers, plan.contents, known.remembered
    width, height = int(registers[WIDTH]), int(registers[HEIGHT])
    shift = 1 if remembered.shape[1] == FIRST_HASH + 4 else 2
    a_row = 1 << shift
    found = 0
    for row in range(max(0, top >> shift), min(height, ((top + a_row - 1) >> shift) + 1)):
        for column in range(max(0, left >> shift), min(width, ((left + a_row - 1) >> shift) + 1)):
            content = int(contents[BEFORE, row * width + column])
            other = content >> 1 & (len(remembered) - 1)
            if content == 0 or remembered[other, _CONTENT] != content:
                continue
            down, right = top - (row << shift), left - (column << shift)
            for y in range(max(0, -down), min(a_row, a_row - down)):
                for x in range(max(0, -right), min(a_row, a_row - right)):
                    theirs = FIRST_HASH + ((y + down) << shift) + x + right
                    if remembered[held, FIRST_HASH + (y << shift) + x] == remembered[other, theirs]:
                        found |= 1 << ((y << shift) + x)
    return found
