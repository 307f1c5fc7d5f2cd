"""Knows where blocks of 8x8 or 4x4 pixels stand in the picture before.

A block's number stands for its RGB bytes, like a macroblock's content does; 0 is unknown. The
numbers follow from the contents of macroblocks, and are only brought up to date when a macroblock
stands nowhere as a whole. They are taken from the canvas, where it still shows a content, and
remembered by the content, for where it does not.

`known` is (REMEMBERED + 1 + 4 or 16, n) int64, n a power of two and more than the blocks. NUMBER,
AFTER and FORMER are of the block 4 (or 16) * mb + 0.., row by row: its number, the next one and the
one before in its list, -1 for none; HEAD is the first of each list. CONTENT is the macroblock's
content that these stand for, and at its end the picture that the lists were last brought up to.
REMEMBERED is a content, and the rows after it are its blocks' numbers.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from render.sinks.h264.places import BEFORE, NOW
from render.sinks.h264.state import ACROSS, COLUMNS, HEIGHT, LINES, PICTURE, WIDTH
from render.sinks.h264.tiles import TILE_BYTES, gather
from solver.compiled import lean

__all__ = ["NUMBER", "REMEMBERED", "blank", "first_of", "next_of", "refresh", "remember", "stands"]

NUMBER, AFTER, FORMER, HEAD, CONTENT, REMEMBERED = range(6)

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
    known[HEAD] = -1
    return known


@lean
def _a_row(known: _I64) -> int:
    """Blocks in a row of a macroblock."""
    return 2 if known.shape[0] == REMEMBERED + 5 else 4


@lean
def _number(words: NDArray[np.uint32], block: int, a_row: int) -> int:
    """A number in 1..2^63-1 for a block of the (192,) words of a macroblock: three chains, each
    step of which is a bijection."""
    a, b, c = _PRIME, _PRIME * np.uint64(3), _PRIME * np.uint64(5)
    wide = 12 // a_row
    start = 192 // a_row * (block // a_row) + wide * (block % a_row)
    for line in range(start, start + 192 // a_row, 12):
        for at in range(line, line + wide, 3):
            a = (a ^ np.uint64(words[at])) * _PRIME
            a ^= a >> _HALF
            b = (b ^ np.uint64(words[at + 1])) * _PRIME
            b ^= b >> _HALF
            c = (c ^ np.uint64(words[at + 2])) * _PRIME
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
        words = taken.view(np.uint32)
        a_row = _a_row(known)
        known[REMEMBERED, at] = content
        for block in range(a_row * a_row):
            known[REMEMBERED + 1 + block, at] = _number(words, block, a_row)
    return int(at)


@lean
def _unlink(known: _I64, at: int) -> None:
    number = known[NUMBER, at]
    if number == 0:
        return
    after, former = known[AFTER, at], known[FORMER, at]
    if former >= 0:
        known[AFTER, former] = after
    else:
        known[HEAD, number >> 1 & (known.shape[1] - 1)] = after
    if after >= 0:
        known[FORMER, after] = former


@lean
def _link(known: _I64, at: int, number: int) -> None:
    known[NUMBER, at] = number
    if number == 0:
        return
    bucket = number >> 1 & (known.shape[1] - 1)
    first = known[HEAD, bucket]
    known[AFTER, at] = first
    known[FORMER, at] = -1
    if first >= 0:
        known[FORMER, first] = at
    known[HEAD, bucket] = at


@lean
def refresh(pixels: _U8, registers: _I64, places: _I64, known: _I64, samples: _U8) -> None:
    """Bring the lists up to the picture before, once for each picture. `pixels` are the canvas."""
    last = known.shape[1] - 1
    if known[CONTENT, last] == registers[PICTURE]:
        return
    known[CONTENT, last] = registers[PICTURE]
    width, columns = int(registers[WIDTH]), registers[COLUMNS]
    each = _a_row(known) ** 2
    taken = samples[:TILE_BYTES]
    for mb in range(width * int(registers[HEIGHT])):
        content = int(places[BEFORE, mb])
        if known[CONTENT, mb] == content:
            continue
        known[CONTENT, mb] = content
        at = content >> 1 & last
        if content and mb % width < columns and places[NOW, mb] == content:
            at = remember(pixels, mb, content, registers, known, taken)
        told = content != 0 and known[REMEMBERED, at] == content
        for block in range(each):
            _unlink(known, each * mb + block)
            number = int(known[REMEMBERED + 1 + block, at]) if told else 0
            _link(known, each * mb + block, number)


@lean
def first_of(known: _I64, number: int) -> int:
    """The first block of the list in which those with `number` are; -1 for none."""
    return int(known[HEAD, number >> 1 & (known.shape[1] - 1)])


@lean
def next_of(known: _I64, at: int) -> int:
    return int(known[AFTER, at])


@lean
def stands(known: _I64, column: int, row: int, number: int, width: int, height: int) -> bool:
    """Whether `number` stands at a column and row of blocks, which may lie outside; `width` and
    `height` in macroblocks."""
    a_row = _a_row(known)
    if not (0 <= column < a_row * width and 0 <= row < a_row * height):
        return False
    mb = row // a_row * width + column // a_row
    return bool(known[NUMBER, a_row * (a_row * mb + row % a_row) + column % a_row] == number)
