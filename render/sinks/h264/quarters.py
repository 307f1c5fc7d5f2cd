"""Knows where 8x8 quarters of macroblocks stand in the picture before.

A quarter's number stands for its 192 RGB bytes, like a macroblock's content does; 0 is unknown. The
numbers follow from the contents of macroblocks, and are only brought up to date when a macroblock
stands nowhere as a whole. They are taken from the canvas, where it still shows a content, and
remembered by the content, for where it does not.

`quarters` is (ROWS, n) int64, n a power of two and at least four times the macroblocks. NUMBER,
AFTER and FORMER are of the quarter 4 * mb + 0..3, row by row: its number, the next one and the one
before in its list, -1 for none; HEAD is the first of each list. CONTENT is the macroblock's content
that these stand for. REMEMBERED is a content, and the four rows after it are its quarters' numbers.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from render.sinks.h264.places import BEFORE, NOW
from render.sinks.h264.state import ACROSS, COLUMNS, HEIGHT, INDEXED, LINES, PICTURE, WIDTH
from render.sinks.h264.tiles import TILE_BYTES, gather
from solver.compiled import lean

__all__ = ["NUMBER", "blank", "first_of", "next_of", "refresh", "remember", "stands"]

NUMBER, AFTER, FORMER, HEAD, CONTENT, REMEMBERED = range(6)
_ROWS = REMEMBERED + 5

_U8 = NDArray[np.uint8]
_I64 = NDArray[np.int64]

_PRIME = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)
_ONE = np.uint64(1)


def blank(mbs: int) -> _I64:
    """What is known of a picture of `mbs` macroblocks before the first: nothing."""
    quarters = np.zeros((_ROWS, 1 << (4 * mbs - 1).bit_length()), np.int64)
    quarters[HEAD] = -1
    return quarters


@lean
def _number(words: NDArray[np.uint64], quarter: int) -> int:
    """A number in 1..2^63-1 for a quarter of the (96,) words of a macroblock: three chains, each
    step of which is a bijection."""
    a, b, c = _PRIME, _PRIME * np.uint64(3), _PRIME * np.uint64(5)
    start = 48 * (quarter >> 1) + 3 * (quarter & 1)
    for at in range(start, start + 48, 6):
        a = (a ^ words[at]) * _PRIME
        a ^= a >> _HALF
        b = (b ^ words[at + 1]) * _PRIME
        b ^= b >> _HALF
        c = (c ^ words[at + 2]) * _PRIME
        c ^= c >> _HALF
    for word in (b, c):
        a = (a ^ word) * _PRIME
        a ^= a >> _HALF
    return int(np.int64(a >> _ONE)) | 1


@lean
def remember(
    pixels: _U8, mb: int, content: int, registers: _I64, quarters: _I64, taken: _U8
) -> int:
    """Where the quarters' numbers of `content` are remembered, which the canvas shows at `mb`."""
    at = content >> 1 & (quarters.shape[1] - 1)
    if quarters[REMEMBERED, at] != content:
        column, row = mb % int(registers[WIDTH]), mb // int(registers[WIDTH])
        gather(pixels, int(registers[ACROSS]), int(registers[LINES]), column, row, taken)
        words = taken.view(np.uint64)
        quarters[REMEMBERED, at] = content
        for quarter in range(4):
            quarters[REMEMBERED + 1 + quarter, at] = _number(words, quarter)
    return int(at)


@lean
def _unlink(quarters: _I64, at: int) -> None:
    number = quarters[NUMBER, at]
    if number == 0:
        return
    after, former = quarters[AFTER, at], quarters[FORMER, at]
    if former >= 0:
        quarters[AFTER, former] = after
    else:
        quarters[HEAD, number >> 1 & (quarters.shape[1] - 1)] = after
    if after >= 0:
        quarters[FORMER, after] = former


@lean
def _link(quarters: _I64, at: int, number: int) -> None:
    quarters[NUMBER, at] = number
    if number == 0:
        return
    bucket = number >> 1 & (quarters.shape[1] - 1)
    first = quarters[HEAD, bucket]
    quarters[AFTER, at] = first
    quarters[FORMER, at] = -1
    if first >= 0:
        quarters[FORMER, first] = at
    quarters[HEAD, bucket] = at


@lean
def refresh(pixels: _U8, registers: _I64, places: _I64, quarters: _I64, samples: _U8) -> None:
    """Bring the lists up to the picture before, once for each picture. `pixels` are the canvas."""
    if registers[INDEXED] == registers[PICTURE]:
        return
    registers[INDEXED] = registers[PICTURE]
    width, columns = int(registers[WIDTH]), registers[COLUMNS]
    taken = samples[:TILE_BYTES]
    for mb in range(width * int(registers[HEIGHT])):
        content = int(places[BEFORE, mb])
        if quarters[CONTENT, mb] == content:
            continue
        quarters[CONTENT, mb] = content
        at = content >> 1 & (quarters.shape[1] - 1)
        if content and mb % width < columns and places[NOW, mb] == content:
            at = remember(pixels, mb, content, registers, quarters, taken)
        known = content != 0 and quarters[REMEMBERED, at] == content
        for quarter in range(4):
            _unlink(quarters, 4 * mb + quarter)
            number = int(quarters[REMEMBERED + 1 + quarter, at]) if known else 0
            _link(quarters, 4 * mb + quarter, number)


@lean
def first_of(quarters: _I64, number: int) -> int:
    """The first quarter of the list in which those with `number` are; -1 for none."""
    return int(quarters[HEAD, number >> 1 & (quarters.shape[1] - 1)])


@lean
def next_of(quarters: _I64, at: int) -> int:
    return int(quarters[AFTER, at])


@lean
def stands(quarters: _I64, column: int, row: int, number: int, width: int, height: int) -> bool:
    """Whether `number` stands at a column and row of quarters, which may lie outside; `width` and
    `height` in macroblocks."""
    if not (0 <= column < 2 * width and 0 <= row < 2 * height):
        return False
    at = 4 * ((row >> 1) * width + (column >> 1)) + 2 * (row & 1) + (column & 1)
    return bool(quarters[NUMBER, at] == number)
