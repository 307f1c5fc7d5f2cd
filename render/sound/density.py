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
"""Steps a second up to which each has a note, and from which on none has: between them notes fade
into the texture."""

_WINDOW = Fraction(1, 10)
"""Seconds over which steps are counted, before a frame and after it."""


class Density(NamedTuple):
    """How the steps of each frame of the race are heard, arrays of (frames,) float32: steps a
    second around the frame, how loud their notes are, and how loud the texture is, 0..1."""

    rates: _F32
    notes: _F32
    texture: _F32


def density_of(counts: _I64, fps: Fraction) -> Density:
    """The density of frames with `counts` steps each. What is before a frame is counted apart from
    what follows it, and the larger rate is taken: a passage is dense from its first frame to its
    last. Where the steps pause the texture does, too."""
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
