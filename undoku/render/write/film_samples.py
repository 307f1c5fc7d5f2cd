"""The samples of a film in order: their durations, their counts, and the parameters of the track
that follow from them."""

from __future__ import annotations

from fractions import Fraction
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from undoku.h264.gop_encoder import EncodedPart
from undoku.h264.parameters import StreamParameters
from undoku.h264.picture_encoder import MacroblockCounts
from undoku.render.settings.fields import SettingFields
from undoku.render.write.quality import encoder_settings, key_ticks, level_errors, quality

__all__ = ["FilmSamples", "SampleLoad", "SampleWriter"]

_I64 = NDArray[np.int64]

_TICKS_A_SECOND = 10_000  # some players handle slower MP4 clocks wrongly, since they are rare

_LARGE, _WEIGHT_OF_LARGE = 20_000, Fraction(3, 2)
"""In pictures of more macroblocks, such as 3840x2160, each takes longer to decode, as measured."""

_MAX_ADDED = 1 << 12
"""Samples that are added up in one step."""


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


class SampleLoad:
    """The largest of all samples, and the most bytes of the samples that begin within any `window`
    units of time."""

    def __init__(self, window: int) -> None:
        self._window = window
        self._largest = self._busiest = 0
        self._added: list[tuple[int, int]] = []
        """(bytes, duration) of single samples that were not added up yet."""
        self._sizes = np.empty(0, np.int64)
        self._starts = np.empty(0, np.int64)
        """Bytes and times of the samples within the last window."""
        self._end = 0

    def add(self, size: int, duration: int) -> None:
        """Add a sample of `size` bytes, with its length field, that lasts `duration`."""
        self._added.append((size, duration))
        if len(self._added) == _MAX_ADDED:
            self._settle()

    def add_many(self, sizes: _I64, durations: _I64) -> None:
        """Add n samples, as `add` does; both are (n,) int64."""
        self._settle()
        self._sum(sizes, durations)

    @property
    def largest(self) -> int:
        """Bytes of the largest sample."""
        self._settle()
        return self._largest

    @property
    def busiest(self) -> int:
        """The most bytes within a window."""
        self._settle()
        return self._busiest

    def _settle(self) -> None:
        if self._added:
            sizes, durations = np.array(self._added, np.int64).T
            self._added.clear()
            self._sum(sizes, durations)

    def _sum(self, sizes: _I64, durations: _I64) -> None:
        if not len(sizes):
            return
        known = len(self._sizes)
        ends = self._end + np.cumsum(durations)
        starts = np.concatenate((self._starts, ends - durations))
        sizes = np.concatenate((self._sizes, sizes))
        until = np.concatenate((np.zeros(1, np.int64), np.cumsum(sizes)))
        first = np.searchsorted(starts, starts[known:] - self._window, "right")
        within = until[known + 1 :] - until[first]
        self._largest = max(self._largest, int(sizes[known:].max()))
        self._busiest = max(self._busiest, int(within.max()))
        self._end = int(ends[-1])
        self._starts, self._sizes = starts[first[-1] :], sizes[first[-1] :]


class FilmSamples:
    """Writes the samples of a film to `writer` and counts them. The last one is withheld until the
    next one, because its duration may still grow.

    Raises SettingsError for an unknown quality, odd sides, or a size and frame rate beyond the
    levels of H.264.
    """

    def __init__(self, settings: SettingFields) -> None:
        self.settings = encoder_settings(settings)
        # A tick of the frame rate is `_unit` units of the file's clock.
        self._unit = settings.fps.denominator * -(-_TICKS_A_SECOND // settings.fps.numerator)
        self.timescale = settings.fps.numerator * (self._unit // settings.fps.denominator)
        chosen = quality(settings.quality)
        macroblocks = self.settings.size.width * self.settings.size.height
        weight = _WEIGHT_OF_LARGE if macroblocks > _LARGE else 1
        second = weight * macroblocks * settings.fps
        sought = Fraction(chosen.direct_key_macroblocks) / second
        self.key_interval = key_ticks(settings, min(Fraction(chosen.direct_key_seconds), sought))
        """The longest distance of key frames in ticks: `settings.key_interval`, or that of the
        quality."""
        self._pending: tuple[bytes, bool] | None = None
        """The last sample, whose duration may still grow, and whether it is a key frame."""
        self._lasting = 0
        """The duration of the pending sample."""
        self._load = SampleLoad(2 * self.timescale)
        self.ticks = 0
        self.samples = 0
        self.keys = 0
        self.bytes = 0
        """Bytes of all samples so far, with their length fields."""
        self.counts = MacroblockCounts(0, 0, 0)

    @property
    def copied(self) -> int:
        return self.counts.copied

    def take(self, encoded: EncodedPart, writer: SampleWriter) -> None:
        """Write all new samples except the last, whose duration may still grow."""
        samples = encoded.samples
        self.ticks += encoded.held + int(samples.durations.sum())
        self._lasting += encoded.held
        self.counts = MacroblockCounts(*map(sum, zip(self.counts, encoded.counts, strict=True)))
        if not len(samples.sizes):
            return
        self.flush(writer)
        self.bytes += len(samples.bytes)
        units, sizes, last = samples.bytes.data, samples.sizes, int(samples.sizes[-1])
        keys = samples.keys.astype(np.bool_)
        if len(sizes) > 1:
            durations = samples.durations[:-1] * self._unit
            writer.add_many(units[:-last], sizes[:-1], durations, keys[:-1])
            self._load.add_many(sizes[:-1], durations)
            self.samples += len(sizes) - 1
            self.keys += int(keys[:-1].sum())
        self._pending = bytes(units[len(units) - last + 4 :]), bool(keys[-1])
        self._lasting = int(samples.durations[-1])

    def flush(self, writer: SampleWriter) -> None:
        """Write the last sample, whose duration is final now."""
        if self._pending is None:
            return
        unit, key = self._pending
        self._pending = None
        writer.add(unit, self._lasting * self._unit, key=key)
        self._load.add(len(unit) + 4, self._lasting * self._unit)
        self._lasting = 0
        self.samples += 1
        self.keys += key

    @level_errors()
    def parameters(self) -> StreamParameters:
        """The parameters of the track; the level is the lowest that allows what was written so
        far."""
        load = self._load
        return self.settings.stream_parameters(self.timescale, load.largest, load.busiest)
