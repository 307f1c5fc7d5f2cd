"""Saves the shortest coding of a macroblock so far, while other modes are tried.

All modes write from the same position of the cursor, so a coding can be put back by copying its
bytes; coding the macroblock again would take many times as long.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undoku.h264.bits import BYTE, CURSOR
from undoku.h264.cavlc import NEIGHBOUR_BYTES
from undoku.h264.encoder_arrays import Pictures, Plan, SavedCoding
from undoku.h264.motion_vectors import BLOCK_VECTORS, MV_X, MV_Y, REF_IDX
from undoku.machine_code.jit import inner, lean

__all__ = ["MAX_CODING_BYTES", "empty_coding", "restore_coding", "save_coding"]

MAX_CODING_BYTES = 4096
"""More than the bytes of any macroblock: 384 levels of at most 28 bits, their tokens and zeros, and
16 vectors."""

_VECTORS = 16

_I32 = NDArray[np.int32]


def empty_coding() -> SavedCoding:
    """The arrays for one coding."""
    return SavedCoding(
        bytes=np.zeros(MAX_CODING_BYTES, np.uint8),
        samples=np.zeros(384, np.uint8),
        neighbours=np.zeros(NEIGHBOUR_BYTES, np.uint8),
        cursor=np.zeros(CURSOR, np.int64),
        motion=np.zeros(3 + _VECTORS, np.int32),
    )


@lean
def save_coding(mb: int, start: int, plan: Plan, pictures: Pictures, saved: SavedCoding) -> None:
    """Save what was written for `mb`, from byte `start` of the picture on, to `saved`."""
    rbsp, cursor, grid = pictures.rbsp, plan.registers, plan.grid
    for index in range(CURSOR):
        saved.cursor[index] = cursor[index]
    for index in range(int(cursor[BYTE]) - start):
        saved.bytes[index] = rbsp[start + index]
    current, neighbours = pictures.decoded.current[mb], pictures.neighbours[mb]
    for index in range(384):
        saved.samples[index] = current[index]
    for index in range(NEIGHBOUR_BYTES):
        saved.neighbours[index] = neighbours[index]
    motion = saved.motion
    motion[0], motion[1], motion[2] = grid[REF_IDX, mb], grid[MV_X, mb], grid[MV_Y, mb]
    for index in range(_VECTORS):
        motion[3 + index] = grid[BLOCK_VECTORS + index, mb]


@lean
def restore_coding(mb: int, start: int, plan: Plan, pictures: Pictures, saved: SavedCoding) -> None:
    """Put back what `save_coding` saved for `mb`."""
    rbsp, cursor, grid = pictures.rbsp, plan.registers, plan.grid
    for index in range(CURSOR):
        cursor[index] = saved.cursor[index]
    for index in range(int(cursor[BYTE]) - start):
        rbsp[start + index] = saved.bytes[index]
    current, neighbours = pictures.decoded.current[mb], pictures.neighbours[mb]
    for index in range(384):
        current[index] = saved.samples[index]
    for index in range(NEIGHBOUR_BYTES):
        neighbours[index] = saved.neighbours[index]
    _restore_motion(grid, mb, saved.motion)


@inner
def _restore_motion(grid: _I32, mb: int, motion: _I32) -> None:
    grid[REF_IDX, mb], grid[MV_X, mb], grid[MV_Y, mb] = motion[0], motion[1], motion[2]
    for index in range(_VECTORS):
        grid[BLOCK_VECTORS + index, mb] = motion[3 + index]
