"""Makes the samples of a film from its frames: which are key frames, how long each stands."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from render.drawing.canvas import Frame, Pixels
from render.drawing.sprite_run import SpriteRun
from render.sinks.contract import FilmShape
from render.sinks.h264.levels import Load, coded_size, level_for
from render.sinks.h264.parameters import picture_parameters, sequence_parameters
from render.sinks.h264.picture_encoder import Coder, Tally
from render.sinks.h264.quality import quality
from render.sinks.h264.run_encoder import (
    BUSIEST,
    KEY_INTERVAL,
    LARGEST,
    LEDGER,
    MANY,
    SECOND_OVER,
    SECOND_UNDER,
    SINCE_KEY,
    STOOD,
    TICKS,
    WAITS,
    count,
)
from render.sinks.mp4.boxes import Picture
from solver.errors import EncoderError

__all__ = ["Muxer", "Muxers", "Reel"]

_I64 = NDArray[np.int64]

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


class Muxers(Muxer, Protocol):
    """What also takes many samples at once."""

    def add_many(
        self, units: memoryview, sizes: _I64, durations: _I64, keys: NDArray[np.bool_]
    ) -> None: ...


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
        self._ledger = np.zeros(LEDGER, np.int64)
        self._ledger[[KEY_INTERVAL, MANY, SECOND_OVER, SECOND_UNDER]] = (
            self.key_interval,
            self._size[0] * self._size[2] // 2,
            shape.fps.numerator,
            shape.fps.denominator,
        )
        self._ledger[SINCE_KEY] = self.key_interval
        self._waiting: tuple[bytes, bool] | None = None
        self._stands = 0
        self.samples = 0
        self.keys = 0

    @property
    def ticks(self) -> int:
        return int(self._ledger[TICKS])

    @property
    def tally(self) -> Tally:
        return self._coder.tally()

    def write(self, frame: Frame, muxer: Muxer) -> None:
        """Code a frame. Raises EncoderError when its size isn't the film's."""
        self._check(frame.pixels)
        changed, lost = self._coder.survey(frame.pixels, frame.changes)
        ledger = self._ledger
        if changed or self._waiting is None:
            self.flush(muxer)
            key = bool(ledger[SINCE_KEY] >= self.key_interval or lost > ledger[MANY])
            unit = self._coder.key() if key else self._coder.delta()
            self._waiting = bytes(unit), key
            count(ledger, len(unit) + 4)
            if key:
                ledger[SINCE_KEY] = 0
        self._stands += frame.ticks
        ledger[SINCE_KEY] += frame.ticks
        ledger[TICKS] += frame.ticks

    def write_run(self, run: SpriteRun, muxer: Muxers) -> None:
        """Play a run and code its frames: the same samples as by writing them one by one. Raises
        EncoderError when their size isn't the film's."""
        self._check(run.pixels)
        ledger, frame = self._ledger, 0
        while frame < len(run):
            ledger[WAITS] = self._waiting is not None
            frame, samples = self._coder.run(run, frame, ledger)
            self._stands += int(ledger[STOOD])
            if not len(samples.sizes):
                continue
            self.flush(muxer)
            # The last one waits.
            units, sizes, last = samples.units.data, samples.sizes, int(samples.sizes[-1])
            keys = samples.keys.astype(np.bool_)
            if len(sizes) > 1:
                muxer.add_many(
                    units[:-last], sizes[:-1], samples.stands[:-1] * self._unit, keys[:-1]
                )
                self.samples += len(sizes) - 1
                self.keys += int(keys[:-1].sum())
            self._waiting = bytes(units[4 - last :]), bool(keys[-1])
            self._stands = int(samples.stands[-1])

    def _check(self, pixels: Pixels) -> None:
        shape = self.shape
        if pixels.shape != (shape.height, shape.width, 3) or pixels.dtype != np.uint8:
            raise EncoderError(
                f"a frame of shape {pixels.shape} and {pixels.dtype} doesn't fit "
                f"a film of {shape.width}x{shape.height}",
                remedy=f"give ({shape.height}, {shape.width}, 3) uint8",
            )

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

    def picture(self) -> Picture:
        """What the file says of its track: the level is the least for what was written so far."""
        shape, (_, width, height) = self.shape, self._size
        fps = Fraction(shape.fps)
        largest, busiest = int(self._ledger[LARGEST]), int(self._ledger[BUSIEST])
        asked = shape.width, shape.height
        level = level_for(Load(width, height, fps, largest, busiest), asked)
        sequence = sequence_parameters(level, (width, height), asked, fps)
        return Picture(
            shape.width, shape.height, self.timescale, sequence, picture_parameters(self._qp)
        )
