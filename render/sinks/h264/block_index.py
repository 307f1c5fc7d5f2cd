"""Knows where blocks of 8x8 or 4x4 pixels stand in the picture before.

A block's number stands for its RGB bytes, like a macroblock's content does; 0 is unknown. The
numbers follow from the contents of macroblocks, and are only brought up to date when a macroblock
stands nowhere as a whole. They are taken from the canvas, where it still shows a content, and
remembered by the content, for where it does not.

`known` is (REMEMBERED + 1 + 4 or 16, n) int64, n a power of two and more than the blocks. NUMBER is
that of the block 4 (or 16) * mb + 0.., row by row. PLACES are blocks, -1 for none, in buckets of
four by their number; some of them show something else by now. CHANGED are the macroblocks whose
numbers are of an older picture, their count at its end, and STALE is 1 for these. REMEMBERED is a
content, and the rows after it are its blocks' numbers.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from render.sinks.h264.content_index import BEFORE, NOW
from render.sinks.h264.encoder_arrays import ACROSS, COLUMNS, LINES, WIDTH
from render.sinks.h264.macroblock_pixels import TILE_BYTES, gather
from solver.jit import inner, lean

__all__ = [
    "A_BUCKET",
    "NUMBER",
    "PLACES",
    "REMEMBERED",
    "blank",
    "bucket_of",
    "note_change",
    "number_at",
    "refresh",
    "remember",
]

NUMBER, PLACES, STALE, CHANGED, REMEMBERED = range(5)
A_BUCKET = 4

_U8 = NDArray[np.uint8]
_I64 = NDArray[np.int64]

_PRIME = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)
_ONE = np.uint64(1)


def blank(mbs: int, side: int) -> _I64:
    """What is known of the blocks, `side` 8 or 4 pixels wide and high, of a picture of `mbs`
    macroblocks before the first: nothing."""
    each = (16 // side) ** 2
    known = np.zeros((REMEMBERED + 1 + each, 1 << (each * mbs).bit_length()), np.int64)
    known[PLACES] = -1
    return known


@inner
def _a_row(known: _I64) -> int:
    """Blocks in a row of a macroblock."""
    return 2 if known.shape[0] == REMEMBERED + 5 else 4


@inner
def _word(taken: _U8, number: int) -> np.uint64:
    """Four bytes as one number."""
    at = 4 * number
    return (
        np.uint64(taken[at])
        | np.uint64(taken[at + 1]) << np.uint64(8)
        | np.uint64(taken[at + 2]) << np.uint64(16)
        | np.uint64(taken[at + 3]) << np.uint64(24)
    )


@inner
def _number(taken: _U8, block: int, a_row: int) -> int:
    """A number in 1..2^63-1 for a block of the bytes (768,) of a macroblock: three chains over
    words of four, each step of which is a bijection."""
    a, b, c = _PRIME, _PRIME * np.uint64(3), _PRIME * np.uint64(5)
    wide = 12 // a_row
    start = 192 // a_row * (block // a_row) + wide * (block % a_row)
    for line in range(start, start + 192 // a_row, 12):
        for at in range(line, line + wide, 3):
            a = (a ^ _word(taken, at)) * _PRIME
            a ^= a >> _HALF
            b = (b ^ _word(taken, at + 1)) * _PRIME
            b ^= b >> _HALF
            c = (c ^ _word(taken, at + 2)) * _PRIME
            c ^= c >> _HALF
    for word in (b, c):
        a = (a ^ word) * _PRIME
        a ^= a >> _HALF
    return int(np.int64(a >> _ONE)) | 1


@lean
def remember(pixels: _U8, mb: int, content: int, registers: _I64, known: _I64, taken: _U8) -> int:
    """Where the blocks' numbers of `content` are remembered, which the canvas shows at `mb`."""
    at = content >> 1 & (known.shape[1] - 1)
    if known[REMEMBERED, at] != content:
        column, row = mb % int(registers[WIDTH]), mb // int(registers[WIDTH])
        gather(pixels, int(registers[ACROSS]), int(registers[LINES]), column, row, taken)
        a_row = _a_row(known)
        known[REMEMBERED, at] = content
        for block in range(a_row * a_row):
            known[REMEMBERED + 1 + block, at] = _number(taken, block, a_row)
    return int(at)


@lean
def bucket_of(known: _I64, number: int) -> int:
    """Where in PLACES those of a number begin."""
    return int((number >> 1 << 2) & (known.shape[1] - 1))


@inner
def _note(known: _I64, at: int, number: int) -> None:
    """Note what a block shows. Where its bucket is full, a place that shows something else by now
    makes room, or else any."""
    known[NUMBER, at] = number
    if number == 0:
        return
    bucket = bucket_of(known, number)
    best = bucket + (at & 3)
    for place in range(bucket, bucket + A_BUCKET):
        held = known[PLACES, place]
        if held == at:
            return
        if held < 0 or bucket_of(known, int(known[NUMBER, held])) != bucket:
            best = place
            break
    known[PLACES, best] = at


@lean
def note_change(known: _I64, mb: int) -> None:
    """Note that the numbers of a macroblock's blocks must be found anew."""
    if known[STALE, mb]:
        return
    last = known.shape[1] - 1
    known[STALE, mb] = 1
    known[CHANGED, known[CHANGED, last]] = mb
    known[CHANGED, last] += 1


@lean
def refresh(pixels: _U8, registers: _I64, places: _I64, known: _I64, samples: _U8) -> None:
    """Bring the numbers up to the picture before. `pixels` are the canvas."""
    last = known.shape[1] - 1
    width, columns = int(registers[WIDTH]), registers[COLUMNS]
    each = _a_row(known) ** 2
    taken = samples[:TILE_BYTES]
    for index in range(known[CHANGED, last]):
        mb = int(known[CHANGED, index])
        known[STALE, mb] = 0
        content = int(places[BEFORE, mb])
        at = content >> 1 & last
        if content and mb % width < columns and places[NOW, mb] == content:
            at = remember(pixels, mb, content, registers, known, taken)
        told = content != 0 and known[REMEMBERED, at] == content
        for block in range(each):
            number = int(known[REMEMBERED + 1 + block, at]) if told else 0
            _note(known, each * mb + block, number)
    known[CHANGED, last] = 0


@lean
def number_at(known: _I64, column: int, row: int, shift: int, width: int, height: int) -> int:
    """The number of the block at a column and row of blocks, 1 << `shift` of which a macroblock has
    in a row; 0 outside. `width` and `height` are in macroblocks."""
    if not (0 <= column < width << shift and 0 <= row < height << shift):
        return 0
    mb = (row >> shift) * width + (column >> shift)
    mask = (1 << shift) - 1
    within = (row & mask) << shift | column & mask
    return int(known[NUMBER, mb << 2 * shift | within])
