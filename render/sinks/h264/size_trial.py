"""Tells whether a film should be written directly, from a stretch of its frames."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from render.drawing.canvas import Frame
from render.sinks.contract import FilmShape
from render.sinks.h264.film_encoder import Reel
from render.sinks.h264.quality import quality

__all__ = ["Forecast", "Trial", "direct_trial"]

_LEAST, _EACH = 150, 450 / (1280 * 720)
"""Bytes a frame, and for each pixel of it, that x264 takes for such films at quality "standard"
(530 at 1280x720, measured on two boards with counters), and a little more for being slower."""

_TIMES = {"draft": 2.2, "standard": 1.0, "archive": 1.9}
"""What x264 takes at each quality, measured on the same films."""


class Forecast(NamedTuple):
    """Bytes a frame of a whole film: written directly, and about what x264 would take."""

    direct: float
    encoded: float

    @property
    def pays(self) -> bool:
        """Whether the film is hardly larger than by x264 when written directly."""
        return self.direct <= self.encoded


@dataclass(frozen=True, slots=True)
class Trial:
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

    def of_film(self, frames: int, moving: int, fresh: int) -> Forecast:
        """What a film of so many frames (in ticks) would take, `moving` of which are like those of
        the trial. The others stand still, and take nothing but `fresh` pictures, which are new as
        a whole as its first one is: about as much either way."""
        still = fresh * self.key_bytes
        direct = moving * self.bytes / max(1, self.frames)
        direct += moving // self.key_interval * self.key_bytes
        encoded = moving * (_LEAST + _EACH * self.pixels) * _TIMES[self.quality]
        return Forecast((still + direct) / frames, (still + encoded) / frames)


class _Scale:
    """A muxer that only weighs: key frames by the largest, and all samples since it was emptied."""

    def __init__(self) -> None:
        self.taken = self.key = 0

    def add(self, unit: bytes | memoryview, ticks: int, *, key: bool) -> None:
        del ticks
        if key:
            self.key = max(self.key, len(unit) + 4)
        self.taken += len(unit) + 4


def direct_trial(shape: FilmShape, frames: Iterable[Frame], firsts: Container[int] = (0,)) -> Trial:
    """Code some hundred frames of a film, in its order, and keep nothing. `firsts` are the numbers
    among them of those that begin a stretch, whose change from the frame before tells nothing.

    Raises SettingsError for a shape that can't be written directly.
    """
    reel, scale = Reel(shape), _Scale()
    ticks = size = coded = 0
    for number, frame in enumerate(frames):
        before = reel.tally.coded
        reel.write(frame, scale)
        reel.flush(scale)  # so that the frame's size is known now
        if number not in firsts:
            ticks += frame.ticks
            size += scale.taken
            coded += reel.tally.coded - before
        scale.taken = 0
    return Trial(
        frames=ticks,
        bytes=size,
        key_bytes=scale.key,
        coded=coded,
        key_interval=reel.key_interval,
        pixels=shape.width * shape.height,
        quality=quality(shape.quality).name,
    )
