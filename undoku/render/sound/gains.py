"""Peaks, and gains that follow them without a jump."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["FALL", "RISE", "between", "eased_gain", "peaks_of"]

_F32 = NDArray[np.float32]
_F64 = NDArray[np.float64]

FALL, RISE = 1.0, 0.1
"""The changes in dB per millisecond by which a gain falls before a peak and rises after it."""


def peaks_of(block: _F32, samples: int) -> _F32:
    """(n / samples,) float32: the largest absolute sample of both channels in each piece of
    `samples` samples of a block, (n, 2)."""
    level = np.abs(block)
    found: _F32 = np.maximum(level[:, 0], level[:, 1]).reshape(-1, samples).max(axis=1)
    return found


def eased_gain(limits: _F64, fall: float, rise: float) -> _F64:
    """The highest gains in dB, none above that of `limits`, that fall by at most `fall` dB and rise
    by at most `rise` dB from one to the next."""
    number = np.arange(len(limits))
    risen: _F64 = np.minimum.accumulate(limits - rise * number) + rise * number
    fallen: _F64 = np.minimum.accumulate((risen + fall * number)[::-1])[::-1] - fall * number
    return fallen


def between(nodes: _F64, samples: int) -> _F32:
    """Linear interpolation between consecutive `nodes`, `samples` samples for each pair."""
    part = np.arange(samples) / samples
    found = nodes[:-1, None] + np.diff(nodes)[:, None] * part
    return found.astype(np.float32).ravel()
