"""A limiter: a gain that falls before each peak and rises slowly after it, without clicks."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from undoku.render.sound.gains import FALL, RISE, between, eased_gain, peaks_of
from undoku.render.sound.sample_clock import RATE

__all__ = ["PIECE", "limiting_gains"]

_F32 = NDArray[np.float32]
_F64 = NDArray[np.float64]

PIECE = RATE // 1000
"""The samples of a piece, which has one gain limit; gains are interpolated linearly."""


def limiting_gains(blocks: Iterator[_F32], ceiling: float) -> Iterator[tuple[_F32, _F32]]:
    """Each block, (n, 2) float32, with the gains (n,) float32 that keep every sample at or below
    `ceiling`. n is a multiple of PIECE. The look-ahead is one block, so blocks must be longer
    than the time that a gain takes to fall."""
    state = _Slopes()
    held: tuple[_F32, _F64] | None = None
    for block in blocks:
        limits = _limits(block, ceiling)
        if held is not None:
            yield held[0], state.gains(held[1], limits)
        held = block, limits
    if held is not None:
        yield held[0], state.gains(held[1], np.zeros(1))


def _limits(block: _F32, ceiling: float) -> _F64:
    """The gain limit of each piece of a block in dB, <= 0."""
    if not block.any():
        return np.zeros(len(block) // PIECE)
    peaks = peaks_of(block, PIECE).astype(np.float64)
    found: _F64 = np.minimum(0.0, 20 * np.log10(ceiling / np.maximum(peaks, 1e-9)))
    return found


class _Slopes:
    """The gains of blocks in order."""

    def __init__(self) -> None:
        self._last = 0.0
        """The gain of the last piece of the previous block in dB."""

    def gains(self, limits: _F64, ahead: _F64) -> _F32:
        """(n,) float32: the gains of a block whose pieces have these `limits` (dB), followed by a
        block with the limits `ahead`."""
        if not (limits.any() or ahead.any() or self._last):
            return np.ones(len(limits) * PIECE, np.float32)
        eased = eased_gain(np.concatenate([[self._last], limits, ahead]), FALL, RISE)
        # A piece that begins and ends at the lower of its own and its neighbour's gain never
        # exceeds its own.
        nodes = np.minimum(eased[:-1], eased[1:])[: len(limits) + 1]
        self._last = float(eased[len(limits)])
        return between(10 ** (nodes / 20), PIECE)
