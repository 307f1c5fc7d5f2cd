"""Tells what a film takes written directly, and about what x264 would take, from as much of it as
was written directly."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from render.sinks.contract import Encoded
from render.sinks.h264.quality import quality

__all__ = ["SampleScale", "SizeForecast", "forecast"]

_OF_CODED = 0.45
"""Of the bytes of what is coded anew, what x264 takes: it codes that with a larger error."""

_OF_COPY = 7
"""Bytes that x264 takes where a vector copies something."""

_OF_FRAME = 90
"""Bytes that x264 takes for any frame, what stands still in it included."""

_VECTOR = 3
"""Bytes of a vector written directly, the macroblocks that follow it included."""


class SizeForecast(NamedTuple):
    """Bytes of a whole film: written directly, and about what x264 would take."""

    direct: float
    encoded: float


def forecast(film: Encoded, frames: int, quality_name: str) -> SizeForecast:
    """What a film of so many `frames` (in ticks) takes whose beginning, one tick at least, is
    encoded. The figures of x264 were measured on films of all kinds at quality "standard"; a tenth
    more or less is as near as they come. Raises SettingsError for an unknown quality."""
    coded = max(0, film.bytes - _VECTOR * film.copied)
    encoded = _OF_CODED * coded + _OF_COPY * film.copied + _OF_FRAME * film.ticks
    scale = frames / film.ticks
    return SizeForecast(scale * film.bytes, scale * encoded * quality(quality_name).relative_size)


class SampleScale:
    """Takes samples and keeps nothing of them."""

    def add(self, unit: bytes | memoryview, ticks: int, *, key: bool) -> None:
        """A sample."""

    def add_many(
        self,
        units: memoryview,
        sizes: NDArray[np.int64],
        durations: NDArray[np.int64],
        keys: NDArray[np.bool_],
    ) -> None:
        """Several."""
