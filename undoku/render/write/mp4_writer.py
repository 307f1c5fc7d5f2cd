"""Writes an MP4 file: samples as they arrive, in chunks with packets of the sound between them, and
finally the index before them."""

from __future__ import annotations

import struct
import sys
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import BinaryIO, Self

import numpy as np
from numpy.typing import NDArray

from undoku.h264.parameters import StreamParameters
from undoku.render.write.further_tracks import NO_TRACKS
from undoku.render.write.mp4_boxes import ChapterBoxes, file_type, full_box, metadata, movie
from undoku.render.write.mp4_sound import SoundTrack, sound_boxes

__all__ = ["Chunks", "Mp4Writer", "stored"]

_I64 = NDArray[np.int64]

_BUFFER = 1 << 20
_NO_BOXES = ChapterBoxes(NO_TRACKS, Fraction(1), 1)


def stored(numbers: array[int]) -> bytes:
    """The numbers in the byte order of the file: big-endian."""
    if sys.byteorder == "little":
        numbers = array(numbers.typecode, numbers)
        numbers.byteswap()
    return numbers.tobytes()


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
        sizes: NDArray[np.uint32],
        durations: Sequence[Sequence[int]],
        keys: Sequence[int],
        timescale: int,
        sound: SoundTrack | None,
    ) -> Self:
        """The chunks of video samples. `sizes` are in bytes, `durations` are runs of [count,
        ticks], `keys` the numbers of the key frames, from 1. A chunk starts at each key frame and,
        in a film with sound, at least once per second."""
        cuts = {0, *(key - 1 for key in keys)}
        ticks = np.repeat(
            np.array([run[1] for run in durations], np.int64), [run[0] for run in durations]
        )
        begun = np.cumsum(ticks) - ticks
        if sound is not None:
            cuts.update((np.flatnonzero(np.diff(begun // timescale)) + 1).tolist())
        first = np.array(sorted(cuts), np.int64)
        after = np.append(first[1:], len(sizes))
        bounds = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
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

    def sound_places(self, offset: int) -> list[tuple[int, int]]:
        """(offset in the file, packets) of each part of the sound that isn't empty; the first chunk
        is at `offset`."""
        counts = np.diff(self.packets)
        at = offset + self.ends + self.sound_before[:-1]
        return [(int(at[number]), int(counts[number])) for number in np.flatnonzero(counts)]

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
    them back. A sample takes four bytes of memory. Chunks begin at key frames; in a film with
    sound, whose packets are between chunks, also once per second. Raises OSError when the file
    does.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._buffer = bytearray()
        self._sizes = array("I")
        self._durations: list[list[int]] = []
        """[count, ticks] runs."""
        self._keys = array("I")
        """The numbers of key frames, from 1."""
        self.ticks = 0
        self.bytes = 0
        """Bytes of all samples."""

    def __len__(self) -> int:
        return len(self._sizes)

    def add(self, unit: bytes | memoryview, ticks: int, *, key: bool) -> None:
        """Add a sample of one NAL unit that lasts `ticks`."""
        self._buffer += len(unit).to_bytes(4)
        self._buffer += unit
        size = len(unit) + 4
        self._sizes.append(size)
        if key:
            self._keys.append(len(self._sizes))
        self._add_durations(ticks, 1)
        self.bytes += size
        if len(self._buffer) >= _BUFFER:
            self._flush()

    def add_many(
        self, units: memoryview, sizes: _I64, durations: _I64, keys: NDArray[np.bool_]
    ) -> None:
        """Add n >= 1 samples. `units` are their NAL units, each after four bytes with its length;
        `sizes` (n,) are bytes with these four, `durations` (n,) are ticks, `keys` (n,) marks key
        frames."""
        self._buffer += units
        self._keys.extend((np.flatnonzero(keys) + len(self._sizes) + 1).tolist())
        self._sizes.extend(sizes.tolist())
        starts = [0, *(np.flatnonzero(np.diff(durations)) + 1).tolist(), len(durations)]
        for start, stop in pairwise(starts):
            self._add_durations(int(durations[start]), stop - start)
        self.bytes += len(units)
        if len(self._buffer) >= _BUFFER:
            self._flush()

    def _add_durations(self, ticks: int, count: int) -> None:
        """Record `count` samples of `ticks` each."""
        if self._durations and self._durations[-1][1] == ticks:
            self._durations[-1][0] += count
        else:
            self._durations.append([count, ticks])
        self.ticks += ticks * count

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
        chunks = Chunks.between(
            np.frombuffer(self._sizes, np.uint32),
            self._durations,
            self._keys,
            parameters.timescale,
            sound,
        )
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
                places = chunks.sound_places(at)
                tracks.append(sound_boxes(sound, 2 + len(tracks), self.ticks, places, wide=wide))
            return movie(
                parameters,
                self.ticks,
                self._tables(chunks, at, wide),
                described,
                reference=further.reference,
                further=tracks,
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

    def _tables(self, chunks: Chunks, offset: int, wide: bool) -> bytes:
        """stts, stss, stsc, stsz and stco or co64: 14496-12, clauses 8.6 and 8.7."""
        runs: list[tuple[int, int]] = []
        for number, count in enumerate(chunks.counts.tolist(), 1):
            if not runs or runs[-1][1] != count:
                runs.append((number, count))
        offsets = array("Q" if wide else "I", chunks.places(offset).tolist())
        return b"".join(
            (
                _table("stts", len(self._durations), (n for run in self._durations for n in run)),
                _table("stss", len(self._keys), self._keys),
                _table("stsc", len(runs), (n for first, count in runs for n in (first, count, 1))),
                full_box(
                    "stsz", 0, 0, struct.pack(">II", 0, len(self._sizes)), stored(self._sizes)
                ),
                full_box(
                    "co64" if wide else "stco",
                    0,
                    0,
                    struct.pack(">I", len(offsets)) + stored(offsets),
                ),
            )
        )


def _table(kind: str, entries: int, numbers: Iterable[int]) -> bytes:
    """A table: the number of its entries, then 32-bit numbers."""
    return full_box(kind, 0, 0, struct.pack(">I", entries) + stored(array("I", numbers)))
