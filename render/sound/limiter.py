"""A limiter: a gain that falls before each peak and rises slowly after it, without clicks."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from render.sound.gains import FALL, RISE, between, eased_gain, peaks_of
from render.sound.sample_clock import RATE

__all__ = ["PIECE", "limiting_gains"]

_F32 = NDArray[np.float32]
_F64 = NDArray[np.float64]

PIECE = RATE // 1000
"""Samples for which one gain is asked; between them gains go straight."""


def limiting_gains(blocks: Iterator[_F32], ceiling: float) -> Iterator[tuple[_F32, _F32]]:
    """Each block, (n, 2) float32, with the gains (n,) float32 that keep every sample at or below
    `ceiling`. n is a multiple of PIECE; one block is looked ahead, so blocks must be longer than a
    gain takes to fall."""
    state = _Slopes()
    held: tuple[_F32, _F64] | None = None
    for block in blocks:
        asked = _asked(block, ceiling)
        if held is not None:
            yield held[0], state.gains(held[1], asked)
        held = block, asked
    if held is not None:
        yield held[0], state.gains(held[1], np.zeros(1))


def _asked(block: _F32, ceiling: float) -> _F64:
    """dB (<= 0) by which each piece of a block has to be lowered."""
    if not block.any():
        return np.zeros(len(block) // PIECE)
    peaks = peaks_of(block, PIECE).astype(np.float64)
    found: _F64 = np.minimum(0.0, 20 * np.log10(ceiling / np.maximum(peaks, 1e-9)))
    return found


class _Slopes:
    """The gains of blocks in order."""

    def __init__(self) -> None:
        self._last = 0.0
        """dB of the last piece of the block before."""

    def gains(self, asked: _F64, ahead: _F64) -> _F32:
        """(n,) float32 of a block whose pieces ask for such dB, before a block that asks for
        `ahead`."""
        if not (asked.any() or ahead.any() or self._last):
            return np.ones(len(asked) * PIECE, np.float32)
        eased = eased_gain(np.concatenate([[self._last], asked, ahead]), FALL, RISE)
        # A piece that begins and ends at the lower of its own and its neighbour's gain never
        # exceeds its own.
        nodes = np.minimum(eased[:-1], eased[1:])[: len(asked) + 1]
        self._last = float(eased[len(asked)])
        return between(10 ** (nodes / 20), PIECE)
