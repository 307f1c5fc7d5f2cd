"""The sound of an MP4 film: read from an MP4 file that has only sound, written as a track.

An AAC encoder outputs some priming samples before the sound. An edit list (14496-12, clause 8.6.6)
skips them, and ends the sound with the film.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from undoku.render.write.boxes import box, full_box, media, track
from undoku.render.write.reader import clock, index_of, sample_places, sample_sizes, tracks_of

__all__ = ["SoundTrack", "read_sound_track", "sound_boxes"]

_I64 = NDArray[np.int64]


@dataclass(frozen=True)
class SoundTrack:
    """A sound as packets in the file `path`. `entry` is their sample entry box, `rate` the samples
    per second, `packet` the samples per packet, `delay` the priming samples. `sizes` (n,) int64 are
    bytes, `places` (n,) int64 offsets in the file."""

    path: Path
    codec: str
    entry: bytes
    rate: int
    packet: int
    delay: int
    sizes: _I64 = field(compare=False)
    places: _I64 = field(compare=False)

    def until(self, seconds: Fraction) -> int:
        """The number of packets that begin before this time of the film."""
        samples = seconds * self.rate + self.delay
        return min(len(self.sizes), max(0, -int(-samples // self.packet)))


def read_sound_track(path: Path) -> SoundTrack:
    """Read the index of an MP4 file with a sound track. Raises ValueError for an incomplete file or
    one without sound, OSError when it can't be read."""
    try:
        with path.open("rb") as file:
            found = tracks_of(index_of(file)[1])[b"soun"]
        rate, _ = clock(found[b"mdhd"])
        entry = found[b"stsd"][8:]
        sizes = sample_sizes(found)
        runs = np.frombuffer(found[b"stts"], ">u4", offset=8).reshape(-1, 2)
        # The duration of the last packet may be given as shorter than it is.
        return SoundTrack(
            path,
            entry[4:8].decode("latin-1"),
            entry,
            rate,
            int(runs[0, 1]),
            _delay(found.get(b"elst", b"")),
            sizes,
            sample_places(found, sizes),
        )
    except (struct.error, KeyError, IndexError, OverflowError) as error:
        raise ValueError(f"its index is damaged ({error!r})") from None


def _delay(body: bytes) -> int:
    """The samples that an edit list skips at the start."""
    if not body:
        return 0
    if body[0] == 1:
        return max(0, int(struct.unpack_from(">q", body, 16)[0]))
    return max(0, int(struct.unpack_from(">i", body, 12)[0]))


def sound_boxes(
    sound: SoundTrack, number: int, duration: int, chunks: Sequence[tuple[int, int]], *, wide: bool
) -> bytes:
    """trak of a sound, as track `number` of a film of `duration` units of the film's clock.
    `chunks` are (offset in the file, packets), none of them empty; `wide` selects 64-bit
    offsets."""
    runs: list[tuple[int, int, int]] = []
    for at, (_, count) in enumerate(chunks, 1):
        if not runs or runs[-1][1] != count:
            runs.append((at, count, 1))
    packets = len(sound.sizes)
    sizes = array("I", sound.sizes.tolist())
    kind = ">Q" if wide else ">I"
    tables = b"".join(
        (
            full_box("stts", 0, 0, struct.pack(">III", 1, packets, sound.packet)),
            full_box(
                "stsc", 0, 0, struct.pack(">I", len(runs)), *(struct.pack(">III", *r) for r in runs)
            ),
            full_box("stsz", 0, 0, struct.pack(f">II{packets}I", 0, packets, *sizes)),
            full_box(
                "co64" if wide else "stco", 0, 0, struct.pack(">I", len(chunks)),
                *(struct.pack(kind, place) for place, _ in chunks),
            ),
            # Each packet needs the one before to be decoded: clause 10.1.
            full_box("sgpd", 1, 0, b"roll", struct.pack(">IIh", 2, 1, -1)),
            full_box("sbgp", 0, 0, b"roll", struct.pack(">III", 1, packets, 1)),
        )
    )  # fmt: skip
    head = full_box("smhd", 0, 0, bytes(4))
    inside = media(
        "soun", "SoundHandler", sound.rate, packets * sound.packet, head, sound.entry, tables
    )
    long = duration >= 1 << 32
    edit = full_box(
        "elst", int(long), 0,
        struct.pack(">Iqqi" if long else ">IIii", 1, duration, sound.delay, 1 << 16),
    )  # fmt: skip
    return track(number, 3, duration, (0, 0), box("edts", edit) + inside, volume=1)
