"""Samples: their rate, the one at which each frame begins, and interpolation between some."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

RATE = 48_000
"""Samples per second of all sound."""


def sample_of(frame: int, fps: Fraction) -> int:
    """The sample nearest to the beginning of a frame: the error is at most half a sample."""
    return (2 * frame * RATE * fps.denominator + fps.numerator) // (2 * fps.numerator)


def samples_of(first: int, frames: int, fps: Fraction) -> NDArray[np.int64]:
    """(frames,) int64: `sample_of` for `frames` frames from number `first` on."""
    numbers = np.arange(first, first + frames, dtype=np.int64)
    samples: NDArray[np.int64] = (2 * RATE * fps.denominator * numbers + fps.numerator) // (
        2 * fps.numerator
    )
    return samples


def between(nodes: NDArray[np.float64], samples: int) -> NDArray[np.float32]:
    """Linear interpolation between consecutive `nodes`, `samples` samples for each pair."""
    part = np.arange(samples) / samples
    values = nodes[:-1, None] + np.diff(nodes)[:, None] * part
    return values.astype(np.float32).ravel()
