"""The chunks of an MP4 file: groups of video samples with packets of the sound between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import BinaryIO, Self

import numpy as np
from numpy.typing import NDArray

from undoku.render.write.sound_track import SoundTrack

__all__ = ["Chunks"]

_I64 = NDArray[np.int64]


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
