"""Index of the blocks of 8x8 or 4x4 pixels in the previous picture, by their hashes.

A block's hash identifies its RGB bytes, as the content of a macroblock does; 0 means unknown.
Hashes are updated only when a macroblock has no exact match. They are computed from the canvas
while it still shows a content, and cached by the content for the time after.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from render.sinks.h264.content_index import BEFORE, NOW
from render.sinks.h264.deferred_drawing import DeferredCanvas, draw_macroblock
from render.sinks.h264.encoder_arrays import (
    COLUMNS,
    OUTDATED,
    STALE,
    VISIBLE_HEIGHT,
    VISIBLE_WIDTH,
    WIDTH,
    BlockIndex,
)
from render.sinks.h264.hashing import SEED, mix, number_of
from render.sinks.h264.macroblock_pixels import RGB_BYTES, copy_rgb
from solver.jit import inner, lean

__all__ = [
    "BLOCK",
    "BUCKET_SIZE",
    "FIRST_HASH",
    "bucket_of",
    "clear_index",
    "empty_index",
    "has_hash",
    "hash_at",
    "note_change",
    "refresh",
    "remember",
]

BUCKET_SIZE = 4
BLOCK = 0xFFFFFFFF
"""The bits of an entry of `positions` that are the number of the block."""

_CONTENT, _LISTED, FIRST_HASH = range(3)
"""In a row of `remembered`: the content, the macroblock at which its blocks were listed (-1: none),
and from FIRST_HASH on their hashes."""

_U8 = NDArray[np.uint8]
_I32 = NDArray[np.int32]
_I64 = NDArray[np.int64]


def empty_index(mbs: int, side: int) -> BlockIndex:
    """An empty index for blocks of `side` (8 or 4) pixels in pictures of `mbs` macroblocks."""
    each = (16 // side) ** 2
    return BlockIndex(
        hashes=np.zeros(each * mbs, np.int64),
        positions=np.full(1 << (each * mbs).bit_length(), -1, np.int64),
        changes=np.zeros((2, mbs + 1), np.int32),
        remembered=np.zeros((1 << (2 * mbs).bit_length(), FIRST_HASH + each), np.int64),
    )


def clear_index(known: BlockIndex) -> None:
    """Empty an index, as `empty_index` makes it."""
    known.hashes[:] = 0
    known.positions[:] = -1
    known.changes[:] = 0
    # Only rows in use: the system gives no memory to the others.
    known.remembered[known.remembered[:, _CONTENT] != 0, _CONTENT] = 0


@inner
def _a_row(known: BlockIndex) -> int:
    """The number of blocks in a row of a macroblock."""
    return 2 if known.remembered.shape[1] == FIRST_HASH + 4 else 4


@inner
def _word(rgb: _U8, number: int) -> np.uint64:
    """Four bytes, from number 4 * `number` on, as one word."""
    at = 4 * number
    return (
        np.uint64(rgb[at])
        | np.uint64(rgb[at + 1]) << np.uint64(8)
        | np.uint64(rgb[at + 2]) << np.uint64(16)
        | np.uint64(rgb[at + 3]) << np.uint64(24)
    )


@inner
def _block_hash(rgb: _U8, block: int, a_row: int) -> int:
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


@lean
def remember(
    canvas: DeferredCanvas, mb: int, content: int, registers: _I64, known: BlockIndex, rgb: _U8
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
        remembered[at, _CONTENT], remembered[at, _LISTED] = content, -1
        for block in range(a_row * a_row):
            remembered[at, FIRST_HASH + block] = _block_hash(rgb, block, a_row)
    return int(at)


@lean
def bucket_of(positions: _I64, number: int) -> int:
    """The index in `positions` at which the bucket of a hash begins."""
    return int((number >> 1 << 2) & (len(positions) - 1))


@inner
def _entry_of(at: int, number: int) -> int:
    """The entry of block `at` with hash `number`: the upper 31 bits of the hash, then the number of
    the block. Most other hashes differ in these bits, so that `hashes` is not read for them."""
    return (number >> 32) << 32 | at


@lean
def has_hash(entry: int, number: int) -> bool:
    """Whether an entry may be one of hash `number`."""
    return (entry ^ number) >> 32 == 0


@inner
def _note(hashes: _I64, positions: _I64, at: int, number: int) -> None:
    """Record that block `at` has hash `number`, which isn't 0. In a full bucket an outdated entry
    is replaced, or any entry if none is outdated."""
    hashes[at] = number
    bucket = bucket_of(positions, number)
    best = bucket + (at & 3)
    for place in range(bucket, bucket + BUCKET_SIZE):
        entry = int(positions[place])
        held = entry & BLOCK
        if entry < 0 or held == at or bucket_of(positions, int(hashes[held])) != bucket:
            best = place
            break
    positions[best] = _entry_of(at, number)


@lean
def note_change(changes: _I32, mb: int) -> None:
    """Record in `changes` (2, mbs + 1) that the hashes of a macroblock are outdated."""
    if changes[STALE, mb]:
        return
    last = changes.shape[1] - 1
    changes[STALE, mb] = 1
    changes[OUTDATED, changes[OUTDATED, last]] = mb
    changes[OUTDATED, last] += 1


@lean
def refresh(
    canvas: DeferredCanvas, registers: _I64, contents: _I64, known: BlockIndex, samples: _U8
) -> None:
    """Update all outdated hashes to the previous picture."""
    hashes, positions, changes, remembered = known
    last = changes.shape[1] - 1
    width, columns = int(registers[WIDTH]), registers[COLUMNS]
    each = remembered.shape[1] - FIRST_HASH
    rgb = samples[:RGB_BYTES]
    for index in range(changes[OUTDATED, last]):
        mb = int(changes[OUTDATED, index])
        changes[STALE, mb] = 0
        content = int(contents[BEFORE, mb])
        at = content >> 1 & (len(remembered) - 1)
        if content and mb % width < columns and contents[NOW, mb] == content:
            at = remember(canvas, mb, content, registers, known, rgb)
        matches = content != 0 and remembered[at, _CONTENT] == content
        listed = int(remembered[at, _LISTED]) if matches else mb
        # Blocks that can be found at another macroblock are not listed once more.
        elsewhere = listed >= 0 and listed != mb and contents[BEFORE, listed] == content
        if matches and not elsewhere:
            remembered[at, _LISTED] = mb
        for block in range(each * mb, each * mb + each):
            number = int(remembered[at, FIRST_HASH + block - each * mb]) if matches else 0
            if elsewhere or number == 0:
                hashes[block] = number
            elif listed != mb or hashes[block] != number:
                _note(hashes, positions, block, number)
    changes[OUTDATED, last] = 0


@lean
def hash_at(hashes: _I64, column: int, row: int, shift: int, width: int, height: int) -> int:
    """The hash of the block at (column, row), counted in blocks; 0 outside the picture. A row of a
    macroblock has 1 << `shift` blocks; `width` and `height` are in macroblocks."""
    if not (0 <= column < width << shift and 0 <= row < height << shift):
        return 0
    mb = (row >> shift) * width + (column >> shift)
    mask = (1 << shift) - 1
    within = (row & mask) << shift | column & mask
    return int(hashes[mb << 2 * shift | within])
