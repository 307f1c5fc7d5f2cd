"""Writes fragmented MP4 to a stream without seeking: a movie without samples, then fragments."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from undoku.h264.parameters import StreamParameters
from undoku.render.write.mp4_boxes import box, file_type, full_box, metadata, movie

__all__ = ["FragmentWriter"]

_I64 = NDArray[np.int64]

_KEY, _OTHER = 0x02000000, 0x01010000
"""sample_flags, 14496-12 clause 8.8.3.1: a sample that depends on no other; one that depends on
others and is not a sync sample."""

_EMPTY = b"".join(
    full_box(kind, 0, 0, bytes(8 if kind == "stsz" else 4))
    for kind in ("stts", "stsc", "stsz", "stco")
)


class FragmentWriter:
    """Writes the samples of one track as fragments. A fragment starts at each key frame and after
    `most` ticks, which limits the delay until a sample is written.

    `chapters` is a chpl box (`ChapterBoxes.list`); a stream has no text track. Raises OSError when
    the stream does.
    """

    def __init__(
        self,
        stream: BinaryIO,
        parameters: StreamParameters,
        about: Sequence[tuple[str, str]],
        most: int,
        chapters: bytes = b"",
    ) -> None:
        self._stream = stream
        self._most = most
        self._samples = bytearray()
        self._runs = bytearray()
        self._held = 0
        """Ticks of the fragment that is not yet written."""
        self._fragments = 0
        self._count = 0
        self.ticks = 0
        self.bytes = 0
        """Bytes written to the stream."""
        extends = box("mvex", full_box("trex", 0, 0, struct.pack(">5I", 1, 1, 0, 0, 0)))
        self._write(
            file_type(fragmented=True)
            + movie(parameters, 0, _EMPTY, metadata(about, chapters), extends)
        )

    def __len__(self) -> int:
        return self._count

    def add(self, unit: bytes | memoryview, ticks: int, *, key: bool) -> None:
        """Add a sample of one NAL unit that lasts `ticks`."""
        if self._runs and (key or self._held >= self._most):
            self._flush()
        self._samples += len(unit).to_bytes(4)
        self._samples += unit
        self._runs += struct.pack(">III", ticks, len(unit) + 4, _KEY if key else _OTHER)
        self._held += ticks
        self._count += 1
        self.ticks += ticks

    def add_many(
        self, units: memoryview, sizes: _I64, durations: _I64, keys: NDArray[np.bool_]
    ) -> None:
        """Add n samples. `units` are their NAL units, each after four bytes with its length;
        `sizes` (n,) are bytes with these four, `durations` (n,) are ticks, `keys` (n,) marks key
        frames."""
        at = 0
        for size, ticks, key in zip(sizes.tolist(), durations.tolist(), keys.tolist(), strict=True):
            self.add(units[at + 4 : at + size], ticks, key=key)
            at += size

    def finish(self) -> None:
        """Write the last fragment."""
        if self._runs:
            self._flush()

    def _flush(self) -> None:
        """Write moof and mdat, clause 8.8: the track run has duration, size and flags of each
        sample."""
        self._fragments += 1
        count = len(self._runs) // 12

        def head(offset: int) -> bytes:
            return box(
                "moof",
                full_box("mfhd", 0, 0, struct.pack(">I", self._fragments)),
                box(
                    "traf",
                    full_box("tfhd", 0, 0x20000, struct.pack(">I", 1)),
                    full_box("tfdt", 1, 0, struct.pack(">Q", self.ticks - self._held)),
                    full_box(
                        "trun", 0, 0x701, struct.pack(">Ii", count, offset), bytes(self._runs)
                    ),
                ),
            )

        self._write(head(len(head(0)) + 8))
        self._write(struct.pack(">I4s", len(self._samples) + 8, b"mdat"))
        self._write(self._samples)
        self._stream.flush()
        self._samples.clear()
        self._runs.clear()
        self._held = 0

    def _write(self, content: bytes | bytearray) -> None:
        self._stream.write(content)
        self.bytes += len(content)
