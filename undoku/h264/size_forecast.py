"""Forecasts the bytes of a film, written directly and encoded by x264, from the part of it that was
written directly."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.h264.quality import quality
from undoku.render.write.sink import Encoded

__all__ = ["SampleCounter", "SizeForecast", "forecast"]

_OF_CODED = 0.55
"""x264's bytes for newly coded content, relative to those of this writer: it allows a larger
error."""

_OF_COPY = 10
"""x264's bytes for each vector of a copy."""

_OF_FRAME = 70
"""x264's bytes for each frame, including its unchanged parts."""

_VECTOR = 3
"""Bytes of a directly written vector, including the macroblocks that are predicted from it."""


class SizeForecast(NamedTuple):
    """Bytes of a whole film: written directly, and an estimate for x264."""

    direct: float
    encoded: float


def forecast(film: Encoded, frames: int, quality_name: str) -> SizeForecast:
    """The forecast for a film of `frames` ticks, whose beginning, at least one tick, is encoded.
    The estimate for x264 was fitted to eleven films at quality "standard", listed in
    docs/direct-h264.md, for which it is accurate to 27 %. Raises SettingsError for an unknown
    quality."""
    coded = max(0, film.bytes - _VECTOR * film.copied)
    encoded = _OF_CODED * coded + _OF_COPY * film.copied + _OF_FRAME * film.ticks
    scale = frames / film.ticks
    return SizeForecast(scale * film.bytes, scale * encoded * quality(quality_name).relative_size)


class SampleCounter:
    """A SampleWriter that discards the samples."""

    def add(self, unit: bytes | memoryview, ticks: int, *, key: bool) -> None:
        """Discard a sample."""

    def add_many(
        self,
        units: memoryview,
        sizes: NDArray[np.int64],
        durations: NDArray[np.int64],
        keys: NDArray[np.bool_],
    ) -> None:
        """Discard several samples."""
