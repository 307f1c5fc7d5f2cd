"""Makes the samples of a film from its frames: which are key frames, how long each stands."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from render.drawing.canvas import Frame, Pixels
from render.drawing.sprite_run import Sheet, SpriteRun
from render.sinks.contract import FilmShape
from render.sinks.h264.levels import StreamLoad, coded_size, level_for
from render.sinks.h264.parameters import (
    StreamParameters,
    picture_parameters,
    sequence_parameters,
)
from render.sinks.h264.picture_encoder import MacroblockCounts, PictureEncoder, Samples
from render.sinks.h264.quality import QUALITIES, quality
from render.sinks.h264.run_encoder import (
    BUSIEST,
    CONSTANT,
    COUNTERS,
    FPS_DENOMINATOR,
    FPS_NUMERATOR,
    HELD_TICKS,
    KEY_INTERVAL,
    LARGEST,
    LOST_LIMIT,
    PENDING,
    SINCE_KEY,
    TICKS,
)
from solver.errors import EncoderError

__all__ = ["FilmEncoder", "SampleWriter", "check_pixels"]

_I64 = NDArray[np.int64]

_FINEST = min(one.direct_qp for one in QUALITIES.values())
_USUAL = 3600  # macroblocks of 1280x720
_TICKS_A_SECOND = 10_000  # an MP4 clock below this is rare enough for players to get wrong
_HOLD = 1 << 12  # ticks of a hold that are encoded in one call


def _quantiser(qp: int, macroblocks: int) -> int:
    """The quantiser for a picture of so many macroblocks, where 1280x720 has `qp`. The smaller a
    picture, the more of it is the edges of letters and lines, and the finer the step must be for
    the same error."""
    finer = math.ceil(1.25 * math.log2(max(1, _USUAL / macroblocks)))
    return max(_FINEST, qp - finer)


def check_pixels(pixels: Pixels, shape: FilmShape) -> None:
    """Raises EncoderError when a canvas isn't that of a film of this shape."""
    if pixels.shape != (shape.height, shape.width, 3) or pixels.dtype != np.uint8:
        raise EncoderError(
            f"a frame of shape {pixels.shape} and {pixels.dtype} doesn't fit "
            f"a film of {shape.width}x{shape.height}",
            remedy=f"give ({shape.height}, {shape.width}, 3) uint8",
        )


class SampleWriter(Protocol):
    """What takes the samples."""

    def add(self, unit: bytes | memoryview, ticks: int, *, key: bool) -> None:
        """A sample of one NAL unit, and how long it stands."""

    def add_many(
        self, units: memoryview, sizes: _I64, durations: _I64, keys: NDArray[np.bool_]
    ) -> None:
        """Samples as `units`, each after four bytes that say its length; how long each is with
        these, how many ticks it stands, and whether it is a key frame."""


class FilmEncoder:
    """Encodes frames into samples: at a constant rate one for each tick, where a frame that changes
    nothing is a picture of skipped macroblocks; with `shape.variable_rate` one for each frame that
    differs from the one before, which stands longer otherwise.

    `shape.quality` gives the quantiser and, unless `shape.key_interval` does, how far apart key
    frames are at most. Raises SettingsError for an unknown quality, odd sides, or more than H.264
    allows.
    """

    def __init__(self, shape: FilmShape) -> None:
        self.shape = shape
        chosen = quality(shape.quality)
        self._size = coded_size(shape.width, shape.height, shape.fps, shape.level)
        seen = self._size.columns * self._size.height
        self._qp = _quantiser(chosen.direct_qp, seen)
        self._pictures = PictureEncoder(self._size, (shape.width, shape.height), self._qp)
        # The file's clock counts `_unit` for each tick of the frame rate.
        self._unit = shape.fps.denominator * -(-_TICKS_A_SECOND // shape.fps.numerator)
        self.timescale = shape.fps.numerator * (self._unit // shape.fps.denominator)
        second = self._size.width * self._size.height * shape.fps
        sought = Fraction(chosen.direct_key_macroblocks) / second
        self.key_interval = shape.key_ticks(min(Fraction(chosen.direct_key_seconds), sought))
        self._counters = np.zeros(COUNTERS, np.int64)
        self._counters[[KEY_INTERVAL, LOST_LIMIT, CONSTANT, FPS_NUMERATOR, FPS_DENOMINATOR]] = (
            self.key_interval,
            seen // 2,
            not shape.variable_rate,
            shape.fps.numerator,
            shape.fps.denominator,
        )
        self._counters[SINCE_KEY] = self.key_interval
        self._pending: tuple[bytes, bool] | None = None
        """The last sample, which may stand on, and whether it is a key frame."""
        self._ticks = 0
        """Of the pending sample."""
        self._sheet = Sheet()
        self.samples = 0
        self.keys = 0
        self.bytes = 0
        """Of all samples so far, with their lengths."""

    @property
    def ticks(self) -> int:
        return int(self._counters[TICKS])

    @property
    def counts(self) -> MacroblockCounts:
        return self._pictures.counts()

    @property
    def copied(self) -> int:
        return self.counts.copied

    def write(self, frame: Frame, writer: SampleWriter) -> None:
        """Encode a frame. Raises EncoderError when its size isn't the film's."""
        check_pixels(frame.pixels, self.shape)
        counters = self._counters
        counters[PENDING] = self._pending is not None
        ticks = frame.ticks if self.shape.variable_rate else 1
        self._take(self._pictures.frame(frame.pixels, frame.changes, ticks, counters), writer)
        held = frame.ticks - ticks
        while held:  # a run of frames in which nothing is put anywhere
            first = np.zeros(min(held, _HOLD) + 1, np.int64)
            hold = SpriteRun(frame.pixels, self._sheet, first, np.empty((0, 3), np.int32))
            self.write_run(hold, writer)
            held -= len(hold)

    def write_run(self, run: SpriteRun, writer: SampleWriter) -> None:
        """Play a run and encode its frames: the same samples as by writing them one by one. Raises
        EncoderError when their size isn't the film's."""
        check_pixels(run.pixels, self.shape)
        frame = 0
        while frame < len(run):
            self._counters[PENDING] = self._pending is not None
            frame, samples = self._pictures.run(run, frame, self._counters)
            self._take(samples, writer)

    def _take(self, samples: Samples, writer: SampleWriter) -> None:
        """Hand over all samples but the last, which may stand longer."""
        self._ticks += int(self._counters[HELD_TICKS])
        if not len(samples.sizes):
            return
        self.flush(writer)
        self.bytes += len(samples.bytes)
        units, sizes, last = samples.bytes.data, samples.sizes, int(samples.sizes[-1])
        keys = samples.keys.astype(np.bool_)
        if len(sizes) > 1:
            durations = samples.durations[:-1] * self._unit
            writer.add_many(units[:-last], sizes[:-1], durations, keys[:-1])
            self.samples += len(sizes) - 1
            self.keys += int(keys[:-1].sum())
        self._pending = bytes(units[len(units) - last + 4 :]), bool(keys[-1])
        self._ticks = int(samples.durations[-1])

    def flush(self, writer: SampleWriter) -> None:
        """Hand over the last sample, once it is known how long it stands."""
        if self._pending is None:
            return
        unit, key = self._pending
        self._pending = None
        writer.add(unit, self._ticks * self._unit, key=key)
        self._ticks = 0
        self.samples += 1
        self.keys += key

    def parameters(self) -> StreamParameters:
        """What the file says of its track: the level is the least for what was written so far."""
        shape, size = self.shape, self._size
        largest, busiest = int(self._counters[LARGEST]), int(self._counters[BUSIEST])
        asked = shape.width, shape.height
        load = StreamLoad(size.width, size.height, shape.fps, largest, busiest)
        sequence = sequence_parameters(
            level_for(load, asked, shape.level),
            size,
            asked,
            shape.fps,
            constant=not shape.variable_rate,
        )
        return StreamParameters(*asked, self.timescale, sequence, picture_parameters(self._qp))
