"""Writes bits: fixed-length fields, Exp-Golomb codes, and the bytes of a NAL unit.

`rbsp` (n,) uint8 receives the bytes. `cursor` (4,) int64 holds the bits not yet written, their
number (0..7), the index of the next byte, and the quantiser of the last macroblock, from which the
next one's is a difference. `rewind` to an earlier position undoes later writes.
"""

from __future__ import annotations

from undoku.h264.encoder_arrays import BITS, BYTE, HELD, LAST_QP
from undoku.h264.loops import I64, U8, high_bit, inner

Position = tuple[int, int, int, int]
"""The values of a cursor."""


@inner
def position_of(cursor: I64) -> Position:
    """The present position, to which `rewind` returns."""
    return int(cursor[HELD]), int(cursor[BITS]), int(cursor[BYTE]), int(cursor[LAST_QP])


@inner
def rewind(cursor: I64, position: Position) -> None:
    """Undo everything written since this position."""
    cursor[HELD], cursor[BITS], cursor[BYTE], cursor[LAST_QP] = position


@inner
def put(rbsp: U8, cursor: I64, value: int, count: int) -> None:
    """u(n), clause 7.2: the `count` (0..32) low bits of `value`; its other bits must be 0."""
    held = cursor[HELD] << count | value
    bits = cursor[BITS] + count
    byte = cursor[BYTE]
    while bits >= 8:
        bits -= 8
        rbsp[byte] = held >> bits & 255
        byte += 1
    cursor[HELD] = held & ((1 << bits) - 1)
    cursor[BITS] = bits
    cursor[BYTE] = byte


@inner
def unsigned_length(value: int) -> int:
    """The bits that ue(v) takes for `value` >= 0."""
    return 2 * high_bit(value + 1) + 1


@inner
def put_unsigned(rbsp: U8, cursor: I64, value: int) -> None:
    """ue(v), clause 9.1: `value` + 1 in binary, after one zero for each bit but the first."""
    put(rbsp, cursor, value + 1, unsigned_length(value))


@inner
def signed_length(value: int) -> int:
    """The bits that se(v) takes for `value`."""
    return unsigned_length(2 * value - 1 if value > 0 else -2 * value)


@inner
def put_signed(rbsp: U8, cursor: I64, value: int) -> None:
    """se(v), clause 9.1.1: 0, 1, -1, 2, -2, ... are coded as ue(v) of 0, 1, 2, 3, 4, ..."""
    put_unsigned(rbsp, cursor, 2 * value - 1 if value > 0 else -2 * value)


@inner
def put_quantiser(rbsp: U8, cursor: I64, qp: int) -> None:
    """mb_qp_delta, clause 7.4.5: the quantiser of a macroblock, relative to the last one's."""
    put_signed(rbsp, cursor, qp - int(cursor[LAST_QP]))
    cursor[LAST_QP] = qp


@inner
def align(rbsp: U8, cursor: I64) -> None:
    """Write zeros up to the next byte."""
    put(rbsp, cursor, 0, (8 - cursor[BITS]) & 7)


@inner
def trail(rbsp: U8, cursor: I64) -> None:
    """rbsp_trailing_bits(), clause 7.3.2.11: a one, then zeros up to the next byte."""
    put(rbsp, cursor, 1, 1)
    align(rbsp, cursor)


@inner
def written(cursor: I64) -> int:
    """The number of bits written so far."""
    return int(8 * cursor[BYTE] + cursor[BITS])


@inner
def escape(rbsp: U8, count: int, nal_unit: U8, at: int) -> int:
    """Copy `count` bytes of an RBSP to nal_unit[at:] with emulation prevention, clause 7.4.1.1: a
    NAL unit may not contain 0, 0, 0..3, so a byte 3 is inserted before the third. Returns the index
    after the copy."""
    zeros = 0
    for index in range(count):
        byte = rbsp[index]
        if zeros >= 2 and byte <= 3:
            nal_unit[at] = 3
            at += 1
            zeros = 0
        nal_unit[at] = byte
        at += 1
        zeros = zeros + 1 if byte == 0 else 0
    return at
