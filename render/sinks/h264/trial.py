"""Tells whether a film should be written directly, from a stretch of its frames."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from render.canvas import Frame
from render.sinks.contract import FilmShape
from render.sinks.h264.levels import coded_size
from render.sinks.h264.reel import Reel
from render.sinks.quality import quality
from solver.errors import SettingsError

__all__ = ["Trial", "direct_trial", "why_not_direct"]

_LEAST, _EACH = 150, 450 / (1280 * 720)
"""Bytes a frame, and for each pixel of it, that x264 takes for such films at quality "standard"
(530 at 1280x720, measured on two boards with counters), and a little more for being slower."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What a stretch of frames took when written directly: `frames` is in ticks, `key_bytes` those
    of the first picture, `coded` the macroblocks that could not be copied."""

    frames: int
    bytes: int
    key_bytes: int
    coded: int
    key_interval: int
    """Ticks between key frames at most."""
    pixels: int

    @property
    def frame_bytes(self) -> float:
        """Bytes a frame over a long film: its share of a key frame included."""
        between = (self.bytes - self.key_bytes) / max(1, self.frames)
        return between + self.key_bytes / self.key_interval

    @property
    def pays(self) -> bool:
        """Whether the film is hardly larger than by x264 when written directly."""
        return self.frame_bytes <= self.encoded_bytes

    @property
    def encoded_bytes(self) -> float:
        """Bytes a frame that x264 would be expected to take."""
        return _LEAST + _EACH * self.pixels


class _Scale:
    """A muxer that only weighs."""

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def add(self, unit: bytes | memoryview, ticks: int, *, key: bool) -> None:
        del ticks, key
        self.sizes.append(len(unit) + 4)


def why_not_direct(shape: FilmShape) -> str:
    """Why a film of this shape can't be written directly, as a sentence; "" when it can."""
    try:
        quality(shape.quality)
        coded_size(shape.width, shape.height, shape.fps)
    except SettingsError as error:
        return error.message
    return ""


def direct_trial(shape: FilmShape, frames: Iterable[Frame]) -> Trial:
    """Code some hundred frames that follow each other, the first of them whole, and keep nothing.

    Raises SettingsError for what `why_not_direct` names.
    """
    reel, scale = Reel(shape), _Scale()
    for frame in frames:
        reel.write(frame, scale)
    reel.flush(scale)
    return Trial(
        frames=reel.ticks,
        bytes=sum(scale.sizes),
        key_bytes=scale.sizes[0] if scale.sizes else 0,
        coded=reel.tally.coded,
        key_interval=reel.key_interval,
        pixels=shape.width * shape.height,
    )
