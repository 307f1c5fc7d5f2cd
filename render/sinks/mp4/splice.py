"""Concatenates segments of a directly written film, and computes the level of the whole."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from render.drawing.canvas import Frame, whole
from render.drawing.sprite_run import SpriteRun
from render.sinks.contract import FilmShape
from render.sinks.h264.film_encoder import FilmEncoder, SampleWriter
from render.sinks.h264.levels import StreamLoad, coded_size, level_for
from render.sinks.h264.parameters import StreamParameters
from render.sinks.h264.quality import KEY_FRAMES

__all__ = ["SEGMENT", "SegmentedFilmEncoder", "Splice"]

_I64 = NDArray[np.int64]

SEGMENT = 20 * KEY_FRAMES
"""Ticks of a segment, which can be decoded without the segments before it. Longer than for x264:
direct films are written quickly, and each segment must code again what earlier ones contain."""

_LEVEL = 3
"""The byte of level_idc in the NAL unit of a sequence parameter set."""


class Splice:
    """Concatenates samples and records the load that they put on a decoder. Consecutive key frames
    get different values of idr_pic_id, as clause 7.4.3 requires."""

    def __init__(self, shape: FilmShape, timescale: int) -> None:
        self._shape = shape
        self._timescale = timescale
        self._largest = self._busiest = 0
        self._window: deque[tuple[int, int]] = deque()
        """(tick, bytes) of the samples of the last two seconds."""
        self._within = 0
        self._identity = -1
        """idr_pic_id of the previous sample; -1 if it was not a key frame."""
        self._ticks = 0

    def spliced(self, unit: bytes | memoryview, ticks: int, *, key: bool) -> bytes | memoryview:
        """The sample as it is stored in the whole film."""
        identity = -1
        if key:
            identity = _identity(unit)
            if identity == self._identity:
                identity = 3 - identity
                unit = _with_identity(unit, identity)
        self._identity = identity
        self._record(len(unit) + 4, ticks)
        return unit

    def record_between(self, sizes: _I64, durations: _I64) -> None:
        """Record n samples that are stored unchanged, none of them a key frame. `sizes` (n,) are
        bytes including the length field, `durations` (n,) ticks."""
        self._identity = -1
        for size, ticks in zip(sizes.tolist(), durations.tolist(), strict=True):
            self._record(size, ticks)

    def _record(self, size: int, ticks: int) -> None:
        self._largest = max(self._largest, size)
        self._window.append((self._ticks, size))
        self._within += size
        while self._ticks - self._window[0][0] >= 2 * self._timescale:
            self._within -= self._window.popleft()[1]
        self._busiest = max(self._busiest, self._within)
        self._ticks += ticks

    def parameters(self, parameters: StreamParameters) -> StreamParameters:
        """The parameters of the whole film's track, from those of one segment."""
        shape = self._shape
        size = coded_size(shape.width, shape.height, shape.fps, shape.level)
        load = StreamLoad(size.width, size.height, shape.fps, self._largest, self._busiest)
        level = level_for(load, (shape.width, shape.height), shape.level)
        sequence = bytearray(parameters.sequence)
        sequence[_LEVEL] = level.number
        return StreamParameters(
            parameters.width,
            parameters.height,
            parameters.timescale,
            bytes(sequence),
            parameters.picture,
        )


class SegmentedFilmEncoder:
    """A film encoder whose film can be cut every SEGMENT ticks: there a new encoder starts, which
    refers to nothing before."""

    def __init__(
        self, shape: FilmShape, fresh: Callable[[FilmShape], FilmEncoder] = FilmEncoder
    ) -> None:
        self._shape = shape
        self._fresh = fresh
        self._encoder = fresh(shape)
        self._splice = Splice(shape, self._encoder.timescale)
        self._samples = self._keys = self._ticks = self._bytes = self._copied = 0

    @property
    def bytes(self) -> int:
        return self._bytes + self._encoder.bytes

    @property
    def copied(self) -> int:
        return self._copied + self._encoder.copied

    @property
    def samples(self) -> int:
        return self._samples + self._encoder.samples

    @property
    def keys(self) -> int:
        return self._keys + self._encoder.keys

    @property
    def ticks(self) -> int:
        return self._ticks + self._encoder.ticks

    def write(self, frame: Frame, writer: SampleWriter) -> None:
        """Encode a frame; one that extends beyond a cut is divided there."""
        left, changes = frame.ticks, frame.changes
        while left:
            if self._encoder.ticks == SEGMENT:
                self.flush(writer)
                self._samples, self._keys, self._ticks = self.samples, self.keys, self.ticks
                self._bytes, self._copied = self.bytes, self.copied
                self._encoder = self._fresh(self._shape)
            if not self._encoder.ticks:
                changes = whole(frame.pixels)
            part = min(left, SEGMENT - self._encoder.ticks)
            self._encoder.write(
                Frame(frame.pixels, changes, part), _SplicingWriter(self._splice, writer)
            )
            changes, left = (), left - part

    def write_run(self, run: SpriteRun, writer: SampleWriter) -> None:
        """Play a run and encode its frames; the samples are the same as with one `write` per
        frame."""
        at = 0
        while at < len(run):
            if (
                not self._encoder.ticks or self._encoder.ticks == SEGMENT
            ):  # a frame that can't be divided
                for frame in run.part(at, at + 1).frames():
                    self.write(frame, writer)
                at += 1
                continue
            stop = min(len(run), at + SEGMENT - self._encoder.ticks)
            self._encoder.write_run(run.part(at, stop), _SplicingWriter(self._splice, writer))
            at = stop

    def flush(self, writer: SampleWriter) -> None:
        self._encoder.flush(_SplicingWriter(self._splice, writer))

    def parameters(self) -> StreamParameters:
        return self._splice.parameters(self._encoder.parameters())


class _SplicingWriter:
    """Writes each sample as the splice changes it."""

    def __init__(self, splice: Splice, writer: SampleWriter) -> None:
        self._splice, self._writer = splice, writer

    def add(self, unit: bytes | memoryview, ticks: int, *, key: bool) -> None:
        self._writer.add(self._splice.spliced(unit, ticks, key=key), ticks, key=key)

    def add_many(
        self, units: memoryview, sizes: _I64, durations: _I64, keys: NDArray[np.bool_]
    ) -> None:
        """Add samples: each key frame by itself, because its idr_pic_id may change, and the samples
        between them unchanged."""
        ends = np.cumsum(sizes).tolist()
        done = at = 0
        for key in (*np.flatnonzero(keys).tolist(), len(sizes)):
            if done < key:
                part, end = slice(done, key), ends[key - 1]
                self._splice.record_between(sizes[part], durations[part])
                self._writer.add_many(units[at:end], sizes[part], durations[part], keys[part])
                at = end
            if key < len(sizes):
                self.add(units[at + 4 : ends[key]], int(durations[key]), key=True)
                at = ends[key]
            done = key + 1


def _slice_bits(unit: bytes | memoryview) -> tuple[str, int]:
    """The bits of a slice after the NAL unit's header, and the index at which idr_pic_id begins:
    after first_mb_in_slice, slice_type, pic_parameter_set_id and four bits of frame_num."""
    payload = bytes(unit[1:]).replace(b"\0\0\3", b"\0\0")
    text = format(int.from_bytes(b"\1" + payload), "b")[1:]
    at = 0
    for _ in range(3):
        at = _end_of_code(text, at)
    return text, at + 4


def _end_of_code(text: str, at: int) -> int:
    """The index after the ue(v) that begins at bit `at`."""
    zeros = text.index("1", at) - at
    return at + 2 * zeros + 1


def _identity(unit: bytes | memoryview) -> int:
    text, at = _slice_bits(unit[:24])
    return int(text[at : _end_of_code(text, at)], 2) - 1


def _with_identity(unit: bytes | memoryview, identity: int) -> bytes:
    """The key frame's NAL unit with another idr_pic_id, whose code must be as long as the old one:
    I_PCM samples are aligned to bytes, so no bit may move."""
    text, at = _slice_bits(unit)
    end = _end_of_code(text, at)
    code = format(identity + 1, f"0{end - at}b")
    assert _end_of_code(code, 0) == end - at
    text = text[:at] + code + text[end:]
    found = bytearray(unit[:1])
    zeros = 0
    for byte in int("1" + text, 2).to_bytes(len(text) // 8 + 1)[1:]:
        if zeros == 2 and byte <= 3:
            found.append(3)
            zeros = 0
        found.append(byte)
        zeros = 0 if byte else zeros + 1
    return bytes(found)
