"""Writes bits: fixed-length fields, Exp-Golomb codes, and the bytes of a NAL unit.

The kernels share a pen: (3,) int64 that holds the bits not yet written, how many they are (0..7),
and the byte of the page that comes next. Saving and restoring it undoes whatever was written since.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.jit import lean

__all__ = [
    "BITS",
    "BYTE",
    "HELD",
    "PEN",
    "align",
    "escape",
    "put",
    "put_signed",
    "put_unsigned",
    "signed_length",
    "trail",
    "unsigned_length",
    "written",
]

HELD, BITS, BYTE = range(3)
PEN = 3

_U8 = NDArray[np.uint8]
_I64 = NDArray[np.int64]


@lean
def put(page: _U8, pen: _I64, value: int, count: int) -> None:
    """u(n), clause 7.2: the `count` (0..32) low bits of `value`, which has no others."""
    held = pen[HELD] << count | value
    bits = pen[BITS] + count
    byte = pen[BYTE]
    while bits >= 8:
        bits -= 8
        page[byte] = held >> bits & 255
        byte += 1
    pen[HELD] = held & ((1 << bits) - 1)
    pen[BITS] = bits
    pen[BYTE] = byte


@lean
def unsigned_length(value: int) -> int:
    """Bits of ue(v) for `value` >= 0."""
    bits = 0
    rest = value + 1
    while rest > 1:
        rest >>= 1
        bits += 1
    return 2 * bits + 1


@lean
def put_unsigned(page: _U8, pen: _I64, value: int) -> None:
    """ue(v), clause 9.1: `value` + 1 in binary, after as many zeros as it has further bits."""
    put(page, pen, value + 1, unsigned_length(value))


@lean
def signed_length(value: int) -> int:
    """Bits of se(v)."""
    return unsigned_length(2 * value - 1 if value > 0 else -2 * value)


@lean
def put_signed(page: _U8, pen: _I64, value: int) -> None:
    """se(v), clause 9.1.1: 0, 1, -1, 2, -2, ... are numbered 0, 1, 2, 3, 4, ..."""
    put_unsigned(page, pen, 2 * value - 1 if value > 0 else -2 * value)


@lean
def align(page: _U8, pen: _I64) -> None:
    """Zeros up to the next byte."""
    put(page, pen, 0, (8 - pen[BITS]) & 7)


@lean
def trail(page: _U8, pen: _I64) -> None:
    """rbsp_trailing_bits(), clause 7.3.2.11: a one, then zeros up to the next byte."""
    put(page, pen, 1, 1)
    align(page, pen)


@lean
def written(pen: _I64) -> int:
    """Bits written so far."""
    return int(8 * pen[BYTE] + pen[BITS])


@lean
def escape(page: _U8, count: int, unit: _U8, at: int) -> int:
    """Copy `count` bytes of an RBSP to unit[at:], as clause 7.4.1.1 asks: no three bytes of a NAL
    unit may read 0, 0, 0..3, so a 3 goes before the third. Returns where the copy ends."""
    zeros = 0
    for index in range(count):
        byte = page[index]
        if zeros >= 2 and byte <= 3:
            unit[at] = 3
            at += 1
            zeros = 0
        unit[at] = byte
        at += 1
        zeros = zeros + 1 if byte == 0 else 0
    return at
