"""Codes key frames. If a macroblock and its neighbours are the same as in the previous key frame,
its bits are copied from there."""

from __future__ import annotations

from undoku.h264.bits import put, written
from undoku.h264.canvas import DeferredCanvas
from undoku.h264.cavlc import NEIGHBOUR_BYTES
from undoku.h264.encoder_arrays import (
    BITS,
    BYTE,
    COLUMNS,
    HEIGHT,
    KEPT_QP,
    PCM,
    QP,
    WIDTH,
    Pictures,
    Plan,
    Scratch,
)
from undoku.h264.loops import I64, I64_2D, U8, inner
from undoku.h264.mode_decision import code_macroblock
from undoku.h264.previous_picture import NOW, mark_coded
from undoku.h264.quantiser_control import note_error

_START, _CONTENT, _SAME = range(3)
KEPT_ROWS = 3

_HIDDEN = 1
"""The content of the atlas in a key frame, which repeats the last column of the visible picture."""


@inner
def code_key_macroblocks(
    canvas: DeferredCanvas, plan: Plan, pictures: Pictures, scratch: Scratch
) -> None:
    """Code all macroblocks of a key frame, after its slice header.

    `pictures.kept` (KEPT_ROWS, macroblocks + 1) int64 describes the previous key frame, and after
    the call this one: START, the first bit of each macroblock; CONTENT, its content, 0 if its bits
    can't be copied; SAME, scratch: whether it is unchanged. `kept_bits`, `kept_samples` and
    `kept_neighbours` hold its bytes, its decoded samples and its rows of `neighbours`.
    """
    registers, contents = plan.registers, plan.contents
    kept, kept_bits = pictures.kept, pictures.kept_bits
    decoded, neighbours = pictures.decoded, pictures.neighbours
    current = decoded.current
    width = int(registers[WIDTH])
    count = width * int(registers[HEIGHT])
    columns = int(registers[COLUMNS])
    alike = registers[KEPT_QP] == registers[QP]
    for mb in range(count):
        content = int(contents[NOW, mb]) if mb % width < columns else _HIDDEN
        start = written(registers)
        first, length = int(kept[_START, mb]), int(kept[_START, mb + 1] - kept[_START, mb])
        same = alike and content != 0 and kept[_CONTENT, mb] == content
        if same and _surroundings_same(kept, mb, width):
            _copy_bits(kept_bits, first, length, pictures.rbsp, registers)
            mark_coded(decoded, mb)
            current[mb] = pictures.kept_samples[mb]
            neighbours[mb] = pictures.kept_neighbours[mb]
            decoded.coded_errors[mb] = pictures.kept_errors[mb]
            note_error(int(decoded.coded_errors[mb]), registers)
        else:
            raw = int(registers[PCM])
            code_macroblock(canvas, mb, True, plan, pictures, scratch)
            same = same and _unchanged(mb, pictures)
            if registers[PCM] != raw:
                content, same = 0, False  # I_PCM samples are aligned to bytes
        kept[_START, mb] = start
        kept[_CONTENT, mb] = content
        kept[_SAME, mb] = same
    kept[_START, count] = written(registers)
    for mb in range(count):
        pictures.kept_samples[mb] = current[mb]
        pictures.kept_neighbours[mb] = neighbours[mb]
        pictures.kept_errors[mb] = decoded.coded_errors[mb]
    registers[KEPT_QP] = registers[QP]
    kept_bits[: registers[BYTE]] = pictures.rbsp[: registers[BYTE]]
    # The bits that don't fill a byte yet.
    kept_bits[registers[BYTE]] = registers[0] << (8 - registers[BITS])


@inner
def _surroundings_same(kept: I64_2D, mb: int, width: int) -> bool:
    """Whether all neighbours that a macroblock is predicted from are unchanged."""
    column = mb % width
    if column and kept[_SAME, mb - 1] == 0:
        return False
    if mb < width:
        return True
    if kept[_SAME, mb - width] == 0 or (column and kept[_SAME, mb - width - 1] == 0):
        return False
    return bool(column == width - 1 or kept[_SAME, mb - width + 1])


@inner
def _unchanged(mb: int, pictures: Pictures) -> bool:
    """Whether a macroblock that was coded again equals that of the previous key frame."""
    for index in range(384):
        if pictures.decoded.current[mb, index] != pictures.kept_samples[mb, index]:
            return False
    for index in range(NEIGHBOUR_BYTES):
        if pictures.neighbours[mb, index] != pictures.kept_neighbours[mb, index]:
            return False
    return True


@inner
def _copy_bits(held: U8, first: int, length: int, rbsp: U8, cursor: I64) -> None:
    """Write `length` bits of `held` from bit `first` on."""
    while length > 0:
        within = first & 7
        count = min(length, 8 - within)
        value = int(held[first >> 3]) >> (8 - within - count) & ((1 << count) - 1)
        put(rbsp, cursor, value, count)
        first += count
        length -= count
