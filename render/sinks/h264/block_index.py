"""Finds blocks of 8x8 or 4x4 pixels in the picture before.

A block's hash stands for its RGB bytes, like a macroblock's content does; 0 is unknown. Hashes are
only brought up to date when a macroblock has no exact match. They are computed from the canvas,
where it still shows a content, and remembered by the content, for where it does not.

`known` is (REMEMBERED + 1 + 4 or 16, n) int64, n a power of two and more than the blocks. HASH is
that of the block 4 (or 16) * mb + 0.., row by row. POSITIONS are blocks, -1 for none, in buckets of
four by their hash; some of them show something else by now. CHANGED are the macroblocks whose
hashes are of an older picture, their count at its end, and STALE is 1 for these. REMEMBERED is a
content, and the rows after it are its blocks' hashes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from render.sinks.h264.content_index import BEFORE, NOW
from render.sinks.h264.encoder_arrays import COLUMNS, VISIBLE_HEIGHT, VISIBLE_WIDTH, WIDTH
from render.sinks.h264.hashing import SEED, mix, number_of
from render.sinks.h264.macroblock_pixels import RGB_BYTES, copy_rgb
from solver.jit import inner, lean

__all__ = [
    "BUCKET_SIZE",
    "HASH",
    "POSITIONS",
    "REMEMBERED",
    "bucket_of",
    "empty_index",
    "hash_at",
    "note_change",
    "refresh",
    "remember",
]

HASH, POSITIONS, STALE, CHANGED, REMEMBERED = range(5)
BUCKET_SIZE = 4

_U8 = NDArray[np.uint8]
_I64 = NDArray[np.int64]


def empty_index(mbs: int, side: int) -> _I64:
    """The index for blocks of `side` 8 or 4 pixels in pictures of `mbs` macroblocks, in which no
    block is known yet."""
    each = (16 // side) ** 2
    known = np.zeros((REMEMBERED + 1 + each, 1 << (each * mbs).bit_length()), np.int64)
    known[POSITIONS] = -1
    return known


@inner
def _a_row(known: _I64) -> int:
    """Blocks in a row of a macroblock."""
    return 2 if known.shape[0] == REMEMBERED + 5 else 4


@inner
def _word(rgb: _U8, number: int) -> np.uint64:
    """Four bytes as one number."""
    at = 4 * number
    return (
        np.uint64(rgb[at])
        | np.uint64(rgb[at + 1]) << np.uint64(8)
        | np.uint64(rgb[at + 2]) << np.uint64(16)
        | np.uint64(rgb[at + 3]) << np.uint64(24)
    )


@inner
def _block_hash(rgb: _U8, block: int, a_row: int) -> int:
    """The hash, 1..2^63-1, of a block of the bytes (768,) of a macroblock: three chains over
    words of four, each step of which is a bijection."""
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
def remember(pixels: _U8, mb: int, content: int, registers: _I64, known: _I64, rgb: _U8) -> int:
    """The column where the block hashes of `content` are remembered, which the canvas shows at
    `mb`."""
    at = content >> 1 & (known.shape[1] - 1)
    if known[REMEMBERED, at] != content:
        column, row = mb % int(registers[WIDTH]), mb // int(registers[WIDTH])
        copy_rgb(
            pixels, int(registers[VISIBLE_WIDTH]), int(registers[VISIBLE_HEIGHT]), column, row, rgb
        )
        a_row = _a_row(known)
        known[REMEMBERED, at] = content
        for block in range(a_row * a_row):
            known[REMEMBERED + 1 + block, at] = _block_hash(rgb, block, a_row)
    return int(at)


@lean
def bucket_of(known: _I64, number: int) -> int:
    """Where in POSITIONS those of a hash begin."""
    return int((number >> 1 << 2) & (known.shape[1] - 1))


@inner
def _note(known: _I64, at: int, number: int) -> None:
    """Note what a block shows. Where its bucket is full, a place that shows something else by now
    makes room, or else any."""
    known[HASH, at] = number
    if number == 0:
        return
    bucket = bucket_of(known, number)
    best = bucket + (at & 3)
    for place in range(bucket, bucket + BUCKET_SIZE):
        held = known[POSITIONS, place]
        if held == at:
            return
        if held < 0 or bucket_of(known, int(known[HASH, held])) != bucket:
            best = place
            break
    known[POSITIONS, best] = at


@lean
def note_change(known: _I64, mb: int) -> None:
    """Note that a macroblock's blocks must be hashed again."""
    if known[STALE, mb]:
        return
    last = known.shape[1] - 1
    known[STALE, mb] = 1
    known[CHANGED, known[CHANGED, last]] = mb
    known[CHANGED, last] += 1


@lean
def refresh(pixels: _U8, registers: _I64, contents: _I64, known: _I64, samples: _U8) -> None:
    """Bring the hashes up to the picture before. `pixels` are the canvas."""
    last = known.shape[1] - 1
    width, columns = int(registers[WIDTH]), registers[COLUMNS]
    each = _a_row(known) ** 2
    rgb = samples[:RGB_BYTES]
    for index in range(known[CHANGED, last]):
        mb = int(known[CHANGED, index])
        known[STALE, mb] = 0
        content = int(contents[BEFORE, mb])
        at = content >> 1 & last
        if content and mb % width < columns and contents[NOW, mb] == content:
            at = remember(pixels, mb, content, registers, known, rgb)
        told = content != 0 and known[REMEMBERED, at] == content
        for block in range(each):
            number = int(known[REMEMBERED + 1 + block, at]) if told else 0
            _note(known, each * mb + block, number)
    known[CHANGED, last] = 0


@lean
def hash_at(known: _I64, column: int, row: int, shift: int, width: int, height: int) -> int:
    """The hash of the block at a column and row of blocks, 1 << `shift` of which a macroblock has
    in a row; 0 outside. `width` and `height` are in macroblocks."""
    if not (0 <= column < width << shift and 0 <= row < height << shift):
        return 0
    mb = (row >> shift) * width + (column >> shift)
    mask = (1 << shift) - 1
    within = (row & mask) << shift | column & mask
    return int(known[HASH, mb << 2 * shift | within])
