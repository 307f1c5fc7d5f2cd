"""Tells whether a film should be written directly, from a stretch of its frames."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from render.drawing.canvas import Frame
from render.sinks.contract import FilmShape
from render.sinks.h264.film_encoder import FilmEncoder
from render.sinks.h264.quality import encoded_bytes, quality

__all__ = ["SizeForecast", "SizeTrial", "direct_trial"]


class SizeForecast(NamedTuple):
    """Bytes a frame of a whole film: written directly, and about what x264 would take."""

    direct: float
    encoded: float

    @property
    def pays(self) -> bool:
        """Whether the film is hardly larger than by x264 when written directly."""
        return self.direct <= self.encoded


@dataclass(frozen=True, slots=True)
class SizeTrial:
    """What stretches of a film took when written directly: `frames` (in ticks) and `bytes` without
    the first of each stretch, `key_bytes` the largest key frame, `coded` the macroblocks that could
    not be copied."""

    frames: int
    bytes: int
    key_bytes: int
    coded: int
    key_interval: int
    """Ticks between key frames at most."""
    pixels: int
    quality: str = "standard"

    def of_film(self, frames: int, moving: int, fresh: int) -> SizeForecast:
        """What a film of so many frames (in ticks) would take, `moving` of which are like those of
        the trial. The others stand still, and take nothing but `fresh` pictures, which are new as
        a whole as its first one is: about as much either way."""
        still = fresh * self.key_bytes
        direct = moving * self.bytes / max(1, self.frames)
        direct += moving // self.key_interval * self.key_bytes
        encoded = moving * encoded_bytes(self.pixels, self.quality)
        return SizeForecast((still + direct) / frames, (still + encoded) / frames)


class _SampleScale:
    """Takes samples and only weighs them: the largest key frame, and all since `taken` was 0."""

    def __init__(self) -> None:
        self.taken = self.key = 0

    def add(self, unit: bytes | memoryview, ticks: int, *, key: bool) -> None:
        del ticks
        if key:
            self.key = max(self.key, len(unit) + 4)
        self.taken += len(unit) + 4

    def add_many(
        self,
        units: memoryview,
        sizes: NDArray[np.int64],
        durations: NDArray[np.int64],
        keys: NDArray[np.bool_],
    ) -> None:
        del durations
        self.taken += len(units)
        self.key = max(self.key, int(sizes[keys].max(initial=0)))


def direct_trial(
    shape: FilmShape, frames: Iterable[Frame], firsts: Container[int] = (0,)
) -> SizeTrial:
    """Code some hundred frames of a film, in its order, and keep nothing. `firsts` are the numbers
    among them of those that begin a stretch, whose change from the frame before tells nothing.

    Raises SettingsError for a shape that can't be written directly.
    """
    encoder, scale = FilmEncoder(shape), _SampleScale()
    ticks = size = coded = 0
    for number, frame in enumerate(frames):
        before = encoder.counts.coded
        encoder.write(frame, scale)
        encoder.flush(scale)  # so that the frame's size is known now
        if number not in firsts:
            ticks += frame.ticks
            size += scale.taken
            coded += encoder.counts.coded - before
        scale.taken = 0
    return SizeTrial(
        frames=ticks,
        bytes=size,
        key_bytes=scale.key,
        coded=coded,
        key_interval=encoder.key_interval,
        pixels=shape.width * shape.height,
        quality=quality(shape.quality).name,
    )
