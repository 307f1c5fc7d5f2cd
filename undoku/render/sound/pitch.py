"""The pitch of a depth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

__all__ = ["SCALES", "Pitch"]

SCALES: Mapping[str, tuple[int, ...]] = {
    "free": (),
    "chromatic": tuple(range(12)),
    "major": (0, 2, 4, 5, 7, 9, 11),
    "minor": (0, 2, 3, 5, 7, 8, 10),
    "pentatonic": (0, 2, 4, 7, 9),
    "whole-tone": (0, 2, 4, 6, 8, 10),
}
"""The semitones above the root in each scale; "free" has all pitches."""


@dataclass(frozen=True)
class Pitch:
    """Hertz of depths: `low` for an empty board, `high` for a full one, and between them
    low + (high - low) * x², as the program Sound of Sorting maps the values that it sorts (120 to
    1320 Hz). `scale` names one of SCALES: each frequency is replaced by the nearest pitch of that
    scale on `root` (Hz).
    """

    low: float = 120.0
    high: float = 1320.0
    scale: str = "free"
    root: float = 220.0

    def hertz(self, depth: NDArray[np.float64]) -> NDArray[np.float64]:
        """The frequencies in Hz of depths 0..1, an array of any shape."""
        free: NDArray[np.float64] = self.low + (self.high - self.low) * depth * depth
        if not SCALES[self.scale]:
            return free
        octave, within = np.divmod(12 * np.log2(free / self.root), 12)
        nearest = np.searchsorted(self._borders, within, "right")
        found: NDArray[np.float64] = self.root * 2 ** (octave + self._tones[nearest] / 12)
        return found

    @cached_property
    def _tones(self) -> NDArray[np.float64]:
        """The semitones of the scale in one octave, and the root of the next octave."""
        return np.array([*SCALES[self.scale], 12], np.float64)

    @cached_property
    def _borders(self) -> NDArray[np.float64]:
        """The semitones from which on the next tone is nearer."""
        return (self._tones[1:] + self._tones[:-1]) / 2
