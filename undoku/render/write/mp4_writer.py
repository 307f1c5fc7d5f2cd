"""Writes an MP4 file: samples as they arrive, in chunks with packets of the sound between them, and
finally the index before them."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Sequence
from contextlib import nullcontext
from fractions import Fraction
from typing import BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.h264.loops import I64
from undoku.h264.parameters import StreamParameters
from undoku.render.write.further_tracks import NO_TRACKS
from undoku.render.write.mp4_boxes import ChapterBoxes, file_type, metadata, movie, sample_tables
from undoku.render.write.mp4_sound import SoundTrack, sound_boxes

_BUFFER = 1 << 20
_NO_BOXES = ChapterBoxes(NO_TRACKS, Fraction(1), 1)


class Chunks(NamedTuple):
    """The n chunks of a file, each array (n,) int64: chunk i has `counts` video samples of `video`
    bytes together, followed by `packets` of the sound of `heard` bytes together."""

    counts: I64
    video: I64
    packets: I64
    heard: I64

    @property
    def places(self) -> I64:
        """The offset of each chunk from the first."""
        sizes = self.video + self.heard
        places: I64 = np.cumsum(sizes) - sizes
        return places


def _divided(
    sizes: I64,
    tick: int,
    keys: NDArray[np.bool_],
    timescale: int,
    sound: SoundTrack | None,
) -> Chunks:
    """The chunks of video samples of `sizes` bytes, each of a `tick`, of which `keys` marks the key
    frames; both are (n,). A chunk starts at each key frame and, in a film with sound, at least once
    per second."""
    begun, cuts = np.arange(len(sizes)) * tick, keys.copy()
    if sound is not None:
        cuts[1:] |= np.diff(begun // timescale) > 0
    first = np.flatnonzero(cuts)
    counts, video = np.diff(first, append=len(sizes)), np.add.reduceat(sizes, first)
    if sound is None:
        return Chunks(counts, video, np.zeros_like(counts), np.zeros_like(counts))
    until = [sound.until(Fraction(time, timescale)) for time in begun[first[1:]].tolist()]
    until.append(len(sound.sizes))
    before = np.concatenate([[0], np.cumsum(sound.sizes)])[until]
    return Chunks(counts, video, np.diff(until, prepend=0), np.diff(before, prepend=0))


class Mp4Writer:
    """Writes samples of one track to a file opened for reading and writing ("w+b").

    In the finished file the tables come first, so that a browser can start before it has the whole
    file. They are known last, so samples are written from the start of the file, and `finish` moves
    them back. A sample takes five bytes of memory. Chunks begin at key frames; in a film with
    sound, whose packets are between chunks, also once per second. Raises OSError when the file
    does.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._buffer = bytearray()
        self._sizes = array("I")
        self._keys = bytearray()
        """1 for each key frame, 0 for each other sample."""
        self.bytes = 0
        """Bytes of all samples."""

    def add(self, units: memoryview, sizes: I64, keys: NDArray[np.bool_]) -> None:
        """Add samples: see undoku.render.write.film_encoder.SampleWriter."""
        self._buffer += units
        self._sizes.extend(sizes.tolist())
        self._keys += keys.tobytes()
        self.bytes += len(units)
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
        tick: int,
        about: Sequence[tuple[str, str]] = (),
        further: ChapterBoxes = _NO_BOXES,
        sound: SoundTrack | None = None,
    ) -> int:
        """Write the tables before the samples, and the `sound` between chunks, and flush; the file
        is complete then. Each sample lasts a `tick` of units of the file's clock. Returns the bytes
        of the file."""
        self._flush()
        head = file_type()
        described = metadata(about, further.list)
        texts = further.samples
        sizes, keys = np.array(self._sizes, np.int64), np.frombuffer(self._keys, np.bool_)
        length = len(sizes) * tick
        chunks = _divided(sizes, tick, keys, parameters.timescale, sound)
        heard = chunks.packets > 0
        media_bytes = len(texts) + self.bytes + int(chunks.heard.sum())
        long = media_bytes + 8 >= 1 << 32
        start = struct.pack(">I4s", 1 if long else media_bytes + 8, b"mdat")
        if long:
            start += struct.pack(">Q", media_bytes + 16)
        # The offsets depend on the size of the tables; the size doesn't depend on the offsets.
        wide = media_bytes >= (1 << 32) - (1 << 28)

        def index(offset: int) -> bytes:
            """The index of a file whose texts and samples begin at byte `offset`."""
            tracks = [*further.tracks(offset)]
            places = offset + len(texts) + chunks.places
            if sound is not None:
                number, following = 2 + len(tracks), (places + chunks.video)[heard]
                packets = chunks.packets[heard]
                tracks.append(sound_boxes(sound, number, length, packets, following, wide=wide))
            tables = sample_tables(
                sizes,
                np.full(len(sizes), tick),
                chunks.counts,
                places,
                keys=np.flatnonzero(keys) + 1,
                wide=wide,
            )
            return movie(
                parameters, length, tables, described, reference=further.reference, further=tracks
            )

        offset = len(head) + len(index(0)) + len(start)
        before = head + index(offset) + start + texts
        self._interleave(chunks, len(before), sound)
        self._file.seek(0)
        self._put(before)
        self._file.flush()
        return len(before) - len(texts) + media_bytes

    def _interleave(self, chunks: Chunks, by: int, sound: SoundTrack | None) -> None:
        """Move the chunks towards the end, the first by `by` bytes, starting with the last, and
        write the sound that follows each."""
        columns = (chunks.video, chunks.heard, chunks.places)
        ends = np.cumsum(chunks.video), np.cumsum(chunks.heard)
        with sound.path.open("rb") if sound else nullcontext() as source:
            for size, heard, place, end, read in np.stack([*columns, *ends], 1)[::-1].tolist():
                self._shift(end - size, end, by + place - (end - size))
                if sound and source:
                    source.seek(sound.start + read - heard)
                    self._file.seek(by + place + size)
                    self._put(source.read(heard))

    def _shift(self, first: int, end: int, by: int) -> None:
        """Move the bytes first..end-1 towards the end of the file by `by` bytes, starting with the
        last."""
        while end > first:
            start = max(first, end - _BUFFER)
            self._file.seek(start)
            part = self._file.read(end - start)
            self._file.seek(start + by)
            self._put(part)
            end = start
