"""Writes an MP4 file: samples as they arrive, in chunks with packets of the sound between them, and
finally the index before them."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import BinaryIO, Self

import numpy as np
from numpy.typing import NDArray

from undoku.h264.parameters import StreamParameters
from undoku.render.write.further_tracks import NO_TRACKS
from undoku.render.write.mp4_boxes import ChapterBoxes, file_type, metadata, movie, sample_tables
from undoku.render.write.mp4_sound import SoundTrack, sound_boxes

__all__ = ["Chunks", "Mp4Writer"]

_I64 = NDArray[np.int64]

_BUFFER = 1 << 20
_NO_BOXES = ChapterBoxes(NO_TRACKS, Fraction(1), 1)


@dataclass(frozen=True)
class Chunks:
    """The n chunks of a file. Chunk i holds counts[i] video samples, the bytes starts[i] to before
    ends[i] of all samples; each of the three is (n,) int64. It is followed by the packets
    packets[i] to before packets[i + 1] of the sound, which follow sound_before[i] bytes of earlier
    packets; both are (n + 1,) int64."""

    counts: _I64
    starts: _I64
    ends: _I64
    packets: _I64
    sound_before: _I64
    sound: SoundTrack | None

    @classmethod
    def between(
        cls,
        sizes: _I64,
        durations: _I64,
        keys: NDArray[np.bool_],
        timescale: int,
        sound: SoundTrack | None,
    ) -> Self:
        """The chunks of video samples of `sizes` bytes and `durations`, of which `keys` marks the
        key frames; each is (n,). A chunk starts at each key frame and, in a film with sound, at
        least once per second."""
        begun = np.cumsum(durations) - durations
        cuts = keys.copy()
        if sound is not None:
            cuts[1:] |= np.diff(begun // timescale) > 0
        first = np.flatnonzero(cuts)
        after = np.append(first[1:], len(sizes))
        bounds = np.concatenate([[0], np.cumsum(sizes)])
        packets = np.zeros(len(first) + 1, np.int64)
        before = packets
        if sound is not None:
            times = begun[first[1:]].tolist()
            packets[1:-1] = [sound.until(Fraction(time, timescale)) for time in times]
            packets[-1] = len(sound.sizes)
            before = np.concatenate([[0], np.cumsum(sound.sizes)])[packets]
        return cls(after - first, bounds[first], bounds[after], packets, before, sound)

    @property
    def sound_bytes(self) -> int:
        return int(self.sound_before[-1])

    def places(self, offset: int) -> _I64:
        """(n,) int64: the offset of each chunk in the file; the first is at `offset`."""
        return offset + self.starts + self.sound_before[:-1]

    def sound_places(self, offset: int) -> tuple[_I64, _I64]:
        """Packets and offset in the file of each part of the sound that isn't empty; the first
        chunk is at `offset`."""
        counts = np.diff(self.packets)
        used = counts > 0
        return counts[used], (offset + self.ends + self.sound_before[:-1])[used]

    def sound_of(self, number: int, source: BinaryIO) -> bytes:
        """The packets that follow chunk `number`, read from `source`, the file of the sound."""
        assert self.sound is not None
        first, after = self.packets[number : number + 2].tolist()
        parts = []
        for place, size in zip(
            self.sound.places[first:after].tolist(),
            self.sound.sizes[first:after].tolist(),
            strict=True,
        ):
            source.seek(place)
            parts.append(source.read(size))
        return b"".join(parts)


class Mp4Writer:
    """Writes samples of one track to a file opened for reading and writing ("w+b").

    In the finished file the tables come first, so that a browser can start before it has the whole
    file. They are known last, so samples are written from the start of the file, and `finish` moves
    them back. A sample takes nine bytes of memory. Chunks begin at key frames; in a film with
    sound, whose packets are between chunks, also once per second. Raises OSError when the file
    does.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._buffer = bytearray()
        self._sizes, self._durations = array("I"), array("I")
        self._keys = bytearray()
        """1 for each key frame, 0 for each other sample."""
        self.bytes = 0
        """Bytes of all samples."""

    def add(self, units: memoryview, sizes: _I64, durations: _I64, keys: NDArray[np.bool_]) -> None:
        """Add samples: see undoku.render.write.film_encoder.SampleWriter."""
        self._buffer += units
        self._sizes.extend(sizes.tolist())
        self._durations.extend(durations.tolist())
        self._keys += keys.tobytes()
        self.bytes += len(units)
        if len(self._buffer) >= _BUFFER:
            self._flush()

    def extend(self, duration: int) -> None:
        """Let the last sample last longer."""
        self._durations[-1] += duration

    def load(self, window: int) -> tuple[int, int]:
        """Bytes of the largest sample, and the most bytes of the samples that begin within any
        `window` units of time. There must be a sample."""
        sizes, durations = self._columns()
        starts, until = np.cumsum(durations) - durations, np.cumsum(sizes)
        first = np.searchsorted(starts, starts - window, "right")
        return int(sizes.max()), int((until - until[first] + sizes[first]).max())

    def _columns(self) -> tuple[_I64, _I64]:
        """Sizes and durations of all samples."""
        sizes, durations = (np.array(one, np.int64) for one in (self._sizes, self._durations))
        return sizes, durations

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
        about: Sequence[tuple[str, str]] = (),
        further: ChapterBoxes = _NO_BOXES,
        sound: SoundTrack | None = None,
    ) -> int:
        """Write the tables before the samples, and the `sound` between chunks, and flush; the file
        is complete then. A tick is 1 / parameters.timescale seconds. Returns the bytes of the
        file."""
        self._flush()
        head = file_type()
        described = metadata(about, further.list)
        texts = further.samples
        sizes, durations = self._columns()
        keys, ticks = np.frombuffer(self._keys, np.bool_), int(durations.sum())
        chunks = Chunks.between(sizes, durations, keys, parameters.timescale, sound)
        media_bytes = len(texts) + self.bytes + chunks.sound_bytes
        long = media_bytes + 8 >= 1 << 32
        start = struct.pack(">I4s", 1 if long else media_bytes + 8, b"mdat")
        if long:
            start += struct.pack(">Q", media_bytes + 16)
        # The offsets depend on the size of the tables; the size doesn't depend on the offsets.
        wide = media_bytes >= (1 << 32) - (1 << 28)

        def index(offset: int) -> bytes:
            """The index of a file whose texts and samples begin at byte `offset`."""
            tracks = [*further.tracks(offset)]
            at = offset + len(texts)
            if sound is not None:
                number, places = 2 + len(tracks), chunks.sound_places(at)
                tracks.append(sound_boxes(sound, number, ticks, *places, wide=wide))
            tables = sample_tables(
                sizes,
                durations,
                chunks.counts,
                chunks.places(at),
                keys=np.flatnonzero(keys) + 1,
                wide=wide,
            )
            return movie(
                parameters, ticks, tables, described, reference=further.reference, further=tracks
            )

        offset = len(head) + len(index(0)) + len(start)
        before = head + index(offset) + start + texts
        self._interleave(chunks, len(before), sound)
        self._file.seek(0)
        self._put(before)
        self._file.flush()
        return len(before) + self.bytes + chunks.sound_bytes

    def _interleave(self, chunks: Chunks, by: int, sound: SoundTrack | None) -> None:
        """Move all samples towards the end by `by` bytes, starting with the last, and write each
        part of the sound after its chunk."""
        if sound is None:
            self._shift(0, self.bytes, by)
            return
        with sound.path.open("rb") as source:
            for number in reversed(range(len(chunks.starts))):
                start, end = int(chunks.starts[number]), int(chunks.ends[number])
                back = by + int(chunks.sound_before[number])
                self._shift(start, end, back)
                self._file.seek(end + back)
                self._put(chunks.sound_of(number, source))

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
