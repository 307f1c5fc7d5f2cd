"""Concatenates segments of a directly written film, and computes the level of the whole."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from undoku.h264.parameters import StreamParameters
from undoku.render.write.film_samples import SampleLoad, SampleWriter
from undoku.render.write.quality import KEY_FRAMES, encoder_settings, level_errors
from undoku.render.write.sink import FilmShape

__all__ = ["SEGMENT", "Splice", "SplicingWriter"]

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
        self._settings = encoder_settings(shape)
        self._load = SampleLoad(2 * timescale)
        self._identity = -1
        """idr_pic_id of the previous sample; -1 if it was not a key frame."""

    def spliced(self, unit: bytes | memoryview, ticks: int, *, key: bool) -> bytes | memoryview:
        """The sample as it is stored in the whole film."""
        identity = -1
        if key:
            identity = _identity(unit)
            if identity == self._identity:
                identity = 3 - identity
                unit = _with_identity(unit, identity)
        self._identity = identity
        self._load.add(len(unit) + 4, ticks)
        return unit

    def record_between(self, sizes: _I64, durations: _I64) -> None:
        """Record n samples that are stored unchanged, none of them a key frame. `sizes` (n,) are
        bytes including the length field, `durations` (n,) ticks."""
        self._identity = -1
        self._load.add_many(sizes, durations)

    @level_errors()
    def parameters(self, parameters: StreamParameters) -> StreamParameters:
        """The parameters of the whole film's track, from those of one segment."""
        level = self._settings.stream_level(self._load.largest, self._load.busiest)
        sequence = bytearray(parameters.sequence)
        sequence[_LEVEL] = level.number
        return replace(parameters, sequence=bytes(sequence))


class SplicingWriter:
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
