"""Makes the samples of a film from its frames: which are key frames, how long each stands."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Protocol

import numpy as np

from render.canvas import Frame
from render.sinks.contract import FilmShape
from render.sinks.h264.coder import Coder, Tally
from render.sinks.h264.levels import Load, coded_size, level_for
from render.sinks.h264.parameters import picture_parameters, sequence_parameters
from render.sinks.muxboxes import Picture
from render.sinks.quality import quality
from solver.errors import EncoderError

__all__ = ["Muxer", "Reel"]

_QP = {"draft": 19, "standard": 18, "archive": 12}
"""A draft saves by its few key frames: what lies between is copied, and costs the same for any
step of quantisation."""
_FINEST = min(_QP.values())
_USUAL = 3600  # macroblocks of 1280x720
_KEY_SECONDS = {"draft": 120, "standard": 10, "archive": 10}
_TICKS_A_SECOND = 10_000  # an MP4 clock below this is rare enough for players to get wrong


def _step_of(name: str, macroblocks: int) -> int:
    """The step of quantisation of a quality. The smaller a picture, the more of it is the edges of
    letters and lines, and the finer the step must be for the same error."""
    finer = math.ceil(1.25 * math.log2(max(1, _USUAL / macroblocks)))
    return max(_FINEST, _QP[name] - finer)


class Muxer(Protocol):
    """What takes the samples."""

    def add(self, unit: bytes | memoryview, ticks: int, *, key: bool) -> None: ...


class Reel:
    """Codes frames into samples. A frame that changes nothing makes the one before stand longer.

    `shape.quality` gives the step of quantisation and, unless `shape.key_interval` does, how far
    apart key frames are at most. Raises
    SettingsError for an unknown quality, odd sides, or more than H.264 allows.
    """

    def __init__(self, shape: FilmShape) -> None:
        self.shape = shape
        name = quality(shape.quality).name
        self._size = coded_size(shape.width, shape.height, shape.fps)
        self._qp = _step_of(name, self._size[0] * self._size[2])
        self._coder = Coder(self._size, (shape.width, shape.height), self._qp)
        # The file's clock counts `_unit` for each tick of the frame rate.
        self._unit = shape.fps.denominator * -(-_TICKS_A_SECOND // shape.fps.numerator)
        self.timescale = shape.fps.numerator * (self._unit // shape.fps.denominator)
        seconds = _KEY_SECONDS[name] if shape.key_interval is None else shape.key_interval
        self.key_interval = int(seconds * shape.fps) or 1
        self._since_key = self.key_interval
        self._many = self._size[0] * self._size[2] // 2
        self._waiting: tuple[bytes, bool] | None = None
        self._stands = 0
        self._largest = 0
        self._second, self._in_second, self._before, self._busiest = 0, 0, 0, 0
        self.samples = 0
        self.keys = 0
        self.ticks = 0

    @property
    def tally(self) -> Tally:
        return self._coder.tally()

    def write(self, frame: Frame, muxer: Muxer) -> None:
        """Code a frame. Raises EncoderError when its size isn't the film's."""
        shape = self.shape
        if frame.pixels.shape != (shape.height, shape.width, 3) or frame.pixels.dtype != np.uint8:
            raise EncoderError(
                f"a frame of shape {frame.pixels.shape} and {frame.pixels.dtype} doesn't fit "
                f"a film of {shape.width}x{shape.height}",
                remedy=f"give ({shape.height}, {shape.width}, 3) uint8",
            )
        changed, lost = self._coder.survey(frame.pixels, frame.changes)
        if changed or self._waiting is None:
            self.flush(muxer)
            key = self._since_key >= self.key_interval or lost > self._many
            unit = self._coder.key() if key else self._coder.delta()
            self._waiting = bytes(unit), key
            self._count(len(unit) + 4)
            if key:
                self._since_key = 0
        self._stands += frame.ticks
        self._since_key += frame.ticks
        self.ticks += frame.ticks

    def flush(self, muxer: Muxer) -> None:
        """Hand over the sample that waits to know how long it stands."""
        if self._waiting is None:
            return
        unit, key = self._waiting
        self._waiting = None
        muxer.add(unit, self._stands * self._unit, key=key)
        self._stands = 0
        self.samples += 1
        self.keys += key

    def _count(self, size: int) -> None:
        """Note what the level depends on."""
        self._largest = max(self._largest, size)
        second = self.ticks * self.shape.fps.denominator // self.shape.fps.numerator
        if second != self._second:
            self._before = self._in_second if second == self._second + 1 else 0
            self._second, self._in_second = second, 0
        self._in_second += size
        self._busiest = max(self._busiest, self._before + self._in_second)

    def picture(self) -> Picture:
        """What the file says of its track: the level is the least for what was written so far."""
        shape, (_, width, height) = self.shape, self._size
        fps = Fraction(shape.fps)
        level = level_for(Load(width, height, fps, self._largest, self._busiest))
        sequence = sequence_parameters(level, (width, height), (shape.width, shape.height), fps)
        return Picture(
            shape.width, shape.height, self.timescale, sequence, picture_parameters(self._qp)
        )
