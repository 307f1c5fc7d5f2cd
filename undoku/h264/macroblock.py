"""What the codings of one macroblock (intra_macroblock.py, inter_macroblock.py) share."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.h264.cavlc import MODES, NEIGHBOUR_BYTES
from undoku.h264.intra_prediction import DC
from undoku.machine_code.jit import inner, lean

__all__ = ["MacroblockArrays", "clear_neighbours", "copy_prediction"]

_U8 = NDArray[np.uint8]
_I32 = NDArray[np.int32]
_I64 = NDArray[np.int64]


class MacroblockArrays(NamedTuple):
    """The arrays from which and to which one macroblock is coded.

    rbsp, cursor  the bytes of the picture and the position of the next bit: see bits.py
    original      (384,) uint8: the samples to be coded
    current       (mbs, 384) uint8: the picture being coded, as a decoder has it
    neighbours    (mbs, 40) uint8: see cavlc.py
    levels        (27, 16) int32, scratch: see transform.py
    block         (16,) int32, scratch
    prediction    (384,) uint8, scratch: the predicted samples
    """

    rbsp: _U8
    cursor: _I64
    original: _U8
    current: _U8
    neighbours: _U8
    levels: _I32
    block: _I32
    prediction: _U8


@lean
def clear_neighbours(neighbours: _U8, mb: int) -> None:
    """Set the data for neighbours to those of a macroblock without coefficients and intra 4x4
    modes."""
    for index in range(NEIGHBOUR_BYTES):
        neighbours[mb, index] = DC if index >= MODES else 0


@inner
def copy_prediction(
    prediction: _U8, reconstructed: _U8, levels: _I32, index: int, base: int
) -> None:
    """Reconstruct a luma block without residual."""
    for at in range(16):
        levels[index, at] = 0
        place = base + 16 * (at >> 2) + (at & 3)
        reconstructed[place] = prediction[place]
