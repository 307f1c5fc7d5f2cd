"""The sound of an MP4 film: read from an MP4 file that has only sound, written as a track.

An AAC encoder outputs some priming samples before the sound. An edit list (14496-12, clause 8.6.6)
skips them, and ends the sound with the film.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import BinaryIO

import numpy as np

from undoku.h264.loops import I64
from undoku.render.write.mp4_boxes import box, full_box, media, sample_tables, track


@dataclass(frozen=True)
class SoundTrack:
    """A sound as packets in the file `path`, one after the other from byte `start`. `entry` is
    their sample entry box, `rate` the samples per second, `packet` the samples per packet, `delay`
    the priming samples, and `sizes` (n,) int64 are bytes."""

    path: Path
    entry: bytes
    rate: int
    packet: int
    delay: int
    start: int
    sizes: I64 = field(compare=False)

    def until(self, seconds: Fraction) -> int:
        """The number of packets that begin before this time of the film."""
        samples = seconds * self.rate + self.delay
        return min(len(self.sizes), max(0, -int(-samples // self.packet)))


def read_sound_track(path: Path) -> SoundTrack:
    """Read the index of an MP4 file that ffmpeg wrote, with a sound track alone. Raises ValueError
    for an incomplete file or one without sound, OSError when it can't be read."""
    try:
        with path.open("rb") as file:
            track = _inner(_index(file), b"trak")
        header = _inner(track, b"mdia", b"mdhd")
        tables = _inner(track, b"mdia", b"minf", b"stbl")
        entry = _inner(tables, b"stsd")[8:]
        sizes = _sample_sizes(_inner(tables, b"stsz"))
        edits = _inner(track, b"edts", b"elst")
        # The duration of the last packet may be given as shorter than it is.
        (packet,) = struct.unpack_from(">I", _inner(tables, b"stts"), 12)
        (rate,) = struct.unpack_from(">I", header, 20 if header[0] else 12)
        (delay,) = (
            struct.unpack_from(">q", edits, 16) if edits[0] else struct.unpack_from(">i", edits, 12)
        )
        (start,) = struct.unpack_from(">I", _inner(tables, b"stco"), 8)
        return SoundTrack(path, entry, rate, packet, max(0, delay), start, sizes)
    except (struct.error, KeyError, IndexError) as error:
        raise ValueError(f"its index is damaged ({error!r})") from None


def _index(file: BinaryIO) -> bytes:
    """The content of the box moov. Raises struct.error at the end of the file."""
    at = 0
    while True:
        file.seek(at)
        length, kind = struct.unpack(">I4s", file.read(8))
        if kind == b"moov":
            return file.read(length - 8)
        at += max(length, 8)


def _inner(body: bytes, *path: bytes) -> bytes:
    """The content of the first box at a path of boxes within boxes. Raises KeyError."""
    for wanted in path:
        at = 0
        while at + 8 <= len(body):
            length, kind = struct.unpack_from(">I4s", body, at)
            if kind == wanted:
                break
            at += max(length, 8)
        else:
            raise KeyError(wanted)
        body = body[at + 8 : at + length]
    return body


def _sample_sizes(table: bytes) -> I64:
    """(n,) int64: the bytes of each sample: stsz of 14496-12, clause 8.7.3."""
    fixed, count = struct.unpack_from(">II", table, 4)
    if fixed:
        return np.full(count, fixed, np.int64)
    return np.frombuffer(table, ">u4", count, 12).astype(np.int64)


def sound_boxes(
    sound: SoundTrack, number: int, duration: int, counts: I64, offsets: I64, *, wide: bool
) -> bytes:
    """trak of a sound, as track `number` of a film of `duration` units of the film's clock.
    `counts` are the packets of its chunks, none of them 0, and `offsets` their places in the file;
    `wide` selects 64-bit offsets."""
    packets = len(sound.sizes)
    tables = sample_tables(sound.sizes, np.full(packets, sound.packet), counts, offsets, wide=wide)
    # Each packet needs the one before to be decoded: clause 10.1.
    tables += full_box("sgpd", 1, 0, b"roll", struct.pack(">IIh", 2, 1, -1))
    tables += full_box("sbgp", 0, 0, b"roll", struct.pack(">III", 1, packets, 1))
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
