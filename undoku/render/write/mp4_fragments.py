"""Writes fragmented MP4 to a stream without seeking: a movie without samples, then fragments."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from undoku.h264.loops import I64
from undoku.h264.parameters import StreamParameters
from undoku.render.write.mp4_boxes import box, file_type, full_box, metadata, movie, sample_tables

_KEY, _OTHER = 0x02000000, 0x01010000
"""sample_flags, 14496-12 clause 8.8.3.1: a sample that depends on no other; one that depends on
others and is not a sync sample."""

_NONE = np.empty(0, np.int64)


class FragmentWriter:
    """Writes the samples of one track as fragments. A fragment starts at each key frame and after a
    second, which limits the delay until a sample is written. Raises OSError when the stream does.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._second = 0
        """Units of the file's clock."""
        self._samples = bytearray()
        self._runs: list[tuple[int, int, int]] = []
        """Duration, size and flags of each sample of the fragment that is not yet written."""
        self._held = 0
        """The duration of that fragment."""
        self._begun = 0
        """The time at which it begins."""
        self._fragments = 0
        self.bytes = 0
        """Bytes written to the stream."""

    def begin(
        self, parameters: StreamParameters, about: Sequence[tuple[str, str]], chapters: bytes = b""
    ) -> None:
        """Write what comes before the first fragment. `chapters` is a chpl box
        (`ChapterBoxes.list`); a stream has no text track."""
        self._second = parameters.timescale
        extends = box("mvex", full_box("trex", 0, 0, struct.pack(">5I", 1, 1, 0, 0, 0)))
        tables = sample_tables(_NONE, _NONE, _NONE, _NONE)
        self._write(file_type(fragmented=True))
        self._write(movie(parameters, 0, tables, metadata(about, chapters), extends))

    def add(self, units: memoryview, sizes: I64, durations: I64, keys: NDArray[np.bool_]) -> None:
        """Add samples: see undoku.render.write.film_encoder.SampleWriter."""
        at = 0
        for size, ticks, key in zip(sizes.tolist(), durations.tolist(), keys.tolist(), strict=True):
            if self._runs and (key or self._held >= self._second):
                self._flush()
            self._samples += units[at : at + size]
            self._runs.append((ticks, size, _KEY if key else _OTHER))
            self._held += ticks
            at += size

    def extend(self, duration: int) -> None:
        """Let the last sample last longer."""
        ticks, size, flags = self._runs[-1]
        self._runs[-1] = ticks + duration, size, flags
        self._held += duration

    def finish(self) -> None:
        """Write the last fragment."""
        if self._runs:
            self._flush()

    def _flush(self) -> None:
        """Write moof and mdat, clause 8.8: the track run has duration, size and flags of each
        sample."""
        self._fragments += 1
        runs = np.array(self._runs, ">u4").tobytes()

        def head(offset: int) -> bytes:
            return box(
                "moof",
                full_box("mfhd", 0, 0, struct.pack(">I", self._fragments)),
                box(
                    "traf",
                    full_box("tfhd", 0, 0x20000, struct.pack(">I", 1)),
                    full_box("tfdt", 1, 0, struct.pack(">Q", self._begun)),
                    full_box("trun", 0, 0x701, struct.pack(">Ii", len(self._runs), offset), runs),
                ),
            )

        self._write(head(len(head(0)) + 8))
        self._write(struct.pack(">I4s", len(self._samples) + 8, b"mdat"))
        self._write(self._samples)
        self._stream.flush()
        self._samples.clear()
        self._runs.clear()
        self._begun += self._held
        self._held = 0

    def _write(self, content: bytes | bytearray) -> None:
        self._stream.write(content)
        self.bytes += len(content)
