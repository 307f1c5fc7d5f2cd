"""Encodes the frames of a film as samples; decides on key frames and on the samples' durations."""

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
_TICKS_A_SECOND = 10_000  # some players handle slower MP4 clocks wrongly, since they are rare
_HOLD = 1 << 12  # ticks of an unchanged picture that are encoded in one call


def _quantiser(qp: int, macroblocks: int) -> int:
    """The quantiser for a picture of `macroblocks` macroblocks; `qp` is that of 1280x720. In
    smaller pictures a larger share of the pixels belongs to edges, so the same error needs a finer
    quantiser, and in larger pictures a coarser one."""
    finer = math.ceil(1.25 * math.log2(_USUAL / macroblocks))
    return max(_FINEST, qp - finer)


def check_pixels(pixels: Pixels, shape: FilmShape) -> None:
    """Raises EncoderError for a canvas whose shape or dtype doesn't fit the film."""
    if pixels.shape != (shape.height, shape.width, 3) or pixels.dtype != np.uint8:
        raise EncoderError(
            f"a frame of shape {pixels.shape} and {pixels.dtype} doesn't fit "
            f"a film of {shape.width}x{shape.height}",
            remedy=f"give ({shape.height}, {shape.width}, 3) uint8",
        )


class SampleWriter(Protocol):
    """Receives the samples of a film."""

    def add(self, unit: bytes | memoryview, ticks: int, *, key: bool) -> None:
        """Add a sample of one NAL unit that lasts `ticks`."""

    def add_many(
        self, units: memoryview, sizes: _I64, durations: _I64, keys: NDArray[np.bool_]
    ) -> None:
        """Add n samples. `units` are their NAL units, each after four bytes with its length;
        `sizes` (n,) are bytes with these four, `durations` (n,) are ticks, `keys` (n,) marks key
        frames."""


class FilmEncoder:
    """Encodes frames as samples. At a constant rate there is one sample per tick; a frame without
    a change is a picture of skipped macroblocks. With `shape.variable_rate` there is one sample for
    each frame that differs from the previous one; other frames extend the last sample.

    `shape.quality` determines the quantiser, and the longest distance of key frames unless
    `shape.key_interval` is set. Raises SettingsError for an unknown quality, odd sides, or a size
    and frame rate beyond the levels of H.264.
    """

    def __init__(self, shape: FilmShape) -> None:
        self.shape = shape
        chosen = quality(shape.quality)
        self._size = coded_size(shape.width, shape.height, shape.fps, shape.level)
        seen = self._size.columns * self._size.height
        self._qp = _quantiser(chosen.direct_qp, seen)
        self._pictures = PictureEncoder(self._size, (shape.width, shape.height), self._qp)
        # A tick of the frame rate is `_unit` units of the file's clock.
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
        """The last sample, whose duration may still grow, and whether it is a key frame."""
        self._ticks = 0
        """The duration of the pending sample."""
        self._sheet = Sheet()
        self.samples = 0
        self.keys = 0
        self.bytes = 0
        """Bytes of all samples so far, with their length fields."""

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
        """Encode a frame. Raises EncoderError when it doesn't fit the film's shape."""
        check_pixels(frame.pixels, self.shape)
        counters = self._counters
        counters[PENDING] = self._pending is not None
        ticks = frame.ticks if self.shape.variable_rate else 1
        self._take(self._pictures.frame(frame.pixels, frame.changes, ticks, counters), writer)
        held = frame.ticks - ticks
        while held:  # frames without a change
            first = np.zeros(min(held, _HOLD) + 1, np.int64)
            hold = SpriteRun(frame.pixels, self._sheet, first, np.empty((0, 3), np.int32))
            self.write_run(hold, writer)
            held -= len(hold)

    def write_run(self, run: SpriteRun, writer: SampleWriter) -> None:
        """Play a run and encode its frames; the samples are the same as with one `write` per frame.
        Raises EncoderError when they don't fit the film's shape."""
        check_pixels(run.pixels, self.shape)
        frame = 0
        while frame < len(run):
            self._counters[PENDING] = self._pending is not None
            frame, samples = self._pictures.run(run, frame, self._counters)
            self._take(samples, writer)

    def _take(self, samples: Samples, writer: SampleWriter) -> None:
        """Write all samples except the last, whose duration may still grow."""
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
        """Write the last sample, whose duration is final now."""
        if self._pending is None:
            return
        unit, key = self._pending
        self._pending = None
        writer.add(unit, self._ticks * self._unit, key=key)
        self._ticks = 0
        self.samples += 1
        self.keys += key

    def parameters(self) -> StreamParameters:
        """The parameters of the track; the level is the lowest that allows what was written so
        far."""
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
