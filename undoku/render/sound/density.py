"""The density of steps: single tones for slow passages, a texture for fast ones."""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Density", "density_of"]

_I64 = NDArray[np.int64]
_F32 = NDArray[np.float32]

_SINGLE, _DENSE = 50.0, 75.0
"""Up to the first number of steps per second each step has a note, from the second on none has. In
between, notes fade into the texture."""

_WINDOW = Fraction(1, 10)
"""The seconds before and after a frame over which steps are counted."""


class Density(NamedTuple):
    """How the steps of each frame of the race sound, arrays (frames,) float32: the steps per second
    around the frame, the level of their notes, and the level of the texture, 0..1."""

    rates: _F32
    notes: _F32
    texture: _F32


def density_of(counts: _I64, fps: Fraction) -> Density:
    """The density of frames with `counts` (frames,) steps. The steps before and after a frame are
    counted separately, and the higher rate is used, so that a passage is dense from its first frame
    to its last. While there are no steps, there is no texture."""
    frames = len(counts)
    window = max(1, ceil(_WINDOW * fps))
    done = np.concatenate([[0], np.cumsum(counts)])
    number = np.arange(frames)
    low, high = np.maximum(0, number + 1 - window), np.minimum(frames, number + window)
    before = (done[number + 1] - done[low]) / (number + 1 - low)
    after = (done[high] - done[number]) / (high - number)
    rates = np.maximum(before, after) * float(fps)
    notes = np.clip((_DENSE - rates) / (_DENSE - _SINGLE), 0, 1)
    # Single steps on slow films have no density: a frame is as dense as the steps that it shows.
    moving = done[number + 1] > done[np.maximum(0, number + 1 - max(1, window // 2))]
    texture = np.sqrt(1 - notes**2) * moving
    return Density(rates.astype(np.float32), notes.astype(np.float32), texture.astype(np.float32))
