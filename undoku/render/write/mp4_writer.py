"""Writes an MP4 file: samples as they arrive, and finally the index before them."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Sequence
from fractions import Fraction
from typing import BinaryIO

import numpy as np

from undoku.h264.parameters import StreamParameters
from undoku.h264.picture_encoder import EncodedPart
from undoku.render.write.mp4_boxes import ChapterBoxes, file_type, metadata, movie, sample_tables

_BUFFER = 1 << 20


class Mp4Writer:
    """Writes samples of one track to a file opened for reading and writing ("w+b").

    In the finished file the tables come first, so that a browser can start before it has the whole
    file. They are known last, so samples are written from the start of the file, and `finish` moves
    them back. A sample takes four bytes of memory. Chunks begin at key frames. Raises OSError when
    the file does.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._buffer = bytearray()
        self._sizes = array("I")
        self._keys: list[int] = []
        """The numbers of the key frames, from 0."""
        self.bytes = 0
        """Bytes of all samples."""

    def add(self, part: EncodedPart) -> None:
        """Add samples: see undoku.render.write.film_encoder.SampleWriter."""
        if part.key:
            self._keys.append(len(self._sizes))
        self._buffer += part.bytes.data
        self._sizes.extend(part.sizes.tolist())
        self.bytes += len(part.bytes)
        if len(self._buffer) >= _BUFFER:
            self._flush()

    def load(self, count: int) -> tuple[int, int]:
        """Bytes of the largest sample, and the most bytes of any `count` consecutive ones. There
        must be a sample."""
        sizes = np.array(self._sizes, np.int64)
        until = np.cumsum(sizes)
        until[count:] -= until[:-count].copy()
        return int(sizes.max()), int(until.max())

    def _flush(self) -> None:
        self._put(self._buffer)
        self._buffer.clear()

    def _put(self, content: bytes | bytearray) -> None:
        """Write all of `content`. On a disk that is nearly full, an unbuffered file writes only a
        part, and raises when the rest is written."""
        done = 0
        with memoryview(content) as left:
            while done < len(left):
                done += self._file.write(left[done:])

    def finish(
        self,
        parameters: StreamParameters,
        fps: Fraction,
        about: Sequence[tuple[str, str]],
        further: ChapterBoxes,
    ) -> int:
        """Write the tables before the samples, and flush; the file is complete then. Each sample
        is a picture of `fps` a second. Returns the bytes of the file."""
        tick = int(parameters.timescale / fps)
        self._flush()
        head = file_type()
        described = metadata(about, further.list)
        texts = further.samples
        sizes, first = np.array(self._sizes, np.int64), np.array(self._keys)
        media_bytes = len(texts) + self.bytes
        long = media_bytes + 8 >= 1 << 32
        start = struct.pack(">I4s", 1 if long else media_bytes + 8, b"mdat")
        if long:
            start += struct.pack(">Q", media_bytes + 16)

        def index(offset: int) -> bytes:
            """The index of a file whose texts and samples begin at byte `offset`."""
            tables = sample_tables(
                sizes,
                np.full(len(sizes), tick),
                np.diff(first, append=len(sizes)),
                offset + len(texts) + (np.cumsum(sizes) - sizes)[first],
                keys=first + 1,
                # The size of the tables doesn't depend on the offsets, which depend on the size.
                wide=media_bytes >= (1 << 32) - (1 << 28),
            )
            return movie(
                parameters,
                len(sizes) * tick,
                tables,
                described,
                reference=further.reference,
                further=further.tracks(offset),
            )

        offset = len(head) + len(index(0)) + len(start)
        before = head + index(offset) + start + texts
        self._move(len(before))
        self._file.seek(0)
        self._put(before)
        self._file.flush()
        return len(before) + self.bytes

    def _move(self, by: int) -> None:
        """Move the samples towards the end of the file by `by` bytes, starting with the last."""
        end = self.bytes
        while end:
            start = max(0, end - _BUFFER)
            self._file.seek(start)
            part = self._file.read(end - start)
            self._file.seek(start + by)
            self._put(part)
            end = start
