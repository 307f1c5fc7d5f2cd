"""Reads the chapters of an MP4 file, from its text track and from its chapter list.

The text track is that of QuickTime (QuickTime File Format, "Chapter Lists"), the list is Nero's
`chpl` box; players support either of them.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import BinaryIO

__all__ = ["chapter_list", "track_chapters"]

_MAX_CHAPTERS = 10_000
"""The maximum number of chapters that are read; a damaged table may contain any number."""


def track_chapters(
    file: BinaryIO, track: Mapping[bytes, bytes], timescale: int
) -> tuple[tuple[Fraction, str], ...]:
    """(start in seconds, title) of each chapter in the text track whose boxes are given. Its clock
    counts `timescale` units per second. Raises struct.error, KeyError, IndexError or ValueError for
    a damaged track."""
    same, count = struct.unpack_from(">II", track[b"stsz"], 4)
    sizes = (same,) * min(count, _MAX_CHAPTERS) if same else _numbers(track[b"stsz"], 12)
    found = []
    start = 0
    for ticks, place in zip(_lengths(track), _places(track, sizes), strict=False):
        file.seek(place)
        (length,) = struct.unpack(">H", file.read(2))
        found.append((Fraction(start, timescale), file.read(length).decode("utf-8", "replace")))
        start += ticks
    if len(found) != len(sizes):
        raise ValueError("its chapters have no places or no times")
    return tuple(found)


def _numbers(box: bytes, at: int) -> tuple[int, ...]:
    """The 32-bit numbers of a table, from byte `at` on."""
    return struct.unpack_from(f">{(len(box) - at) // 4}I", box, at)


def _lengths(track: Mapping[bytes, bytes]) -> Iterator[int]:
    """The duration of each sample: stts of 14496-12, clause 8.6.1.2."""
    runs = _numbers(track[b"stts"], 8)
    for count, ticks in zip(runs[::2], runs[1::2], strict=False):
        for _ in range(count):
            yield ticks


def _places(track: Mapping[bytes, bytes], sizes: tuple[int, ...]) -> Iterator[int]:
    """The offset of each sample in the file: stsc, stco and co64 of 14496-12, clause 8.7."""
    if b"co64" in track:
        box = track[b"co64"]
        chunks = struct.unpack_from(f">{(len(box) - 8) // 8}Q", box, 8)
    else:
        chunks = _numbers(track[b"stco"], 8)
    table = _numbers(track[b"stsc"], 8)
    samples = dict(zip(table[::3], table[1::3], strict=False))
    count = done = 0
    for number, chunk in enumerate(chunks, 1):
        count = samples.get(number, count)
        place = chunk
        for _ in range(count):
            if done == len(sizes):
                return
            yield place
            place += sizes[done]
            done += 1


def chapter_list(box: bytes) -> tuple[tuple[int, str], ...]:
    """(start in units of 10^-7 s, title) of each chapter in the content of a `chpl` box. Raises
    struct.error or IndexError for a damaged box."""
    found = []
    at = 9
    for _ in range(box[8]):
        start, length = struct.unpack_from(">QB", box, at)
        at += 9
        found.append((start, box[at : at + length].decode("utf-8", "replace")))
        at += length
    return tuple(found)
