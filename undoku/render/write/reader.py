"""Reads the index of an MP4 file, to verify a file that was just written.

Box layouts: ISO/IEC 14496-12 (container), 14496-15 (the `avcC` box of H.264).
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from undoku.render.write.chapter_reader import chapter_list, track_chapters
from undoku.render.write.further_tracks import InMp4, StoredTrack

__all__ = [
    "Mp4Film",
    "clock",
    "index_of",
    "read_mp4",
    "sample_places",
    "sample_sizes",
    "tracks_of",
]

_CONTAINERS = {b"moov", b"mdia", b"minf", b"stbl", b"udta", b"ilst", b"edts"}
_VISUAL_ENTRY = 78  # bytes of a visual sample entry before the boxes inside


@dataclass(frozen=True, slots=True)
class Mp4Film:
    """The video track of an MP4 file. `boxes` are the top-level boxes in order; `durations` are
    runs of (frames, ticks of 1/timescale s); `movie_duration` is in seconds; `colour` is
    (primaries, transfer, matrix, full range) as in ISO/IEC 23091-2, or None when untagged;
    `profile` and `level` are those of H.264. `chapters` are (seconds, title) of the text track,
    `listed_chapters` (units of 10^-7 s, title) of the chapter list: files contain both, since
    players support either."""

    boxes: tuple[str, ...]
    codec: str
    width: int
    height: int
    frames: int
    timescale: int
    durations: tuple[tuple[int, int], ...]
    movie_duration: Fraction
    profile: int
    level: int
    colour: tuple[int, int, int, bool] | None
    key_frames: tuple[int, ...]
    """Numbered from 0."""
    sizes: NDArray[np.int64] = field(compare=False)
    """(frames,) int64: the size of each sample in bytes."""
    places: NDArray[np.int64] = field(compare=False)
    """(frames,) int64: the offset of each sample in the file."""
    texts: dict[str, str]
    chapters: tuple[tuple[Fraction, str], ...]
    listed_chapters: tuple[tuple[int, str], ...]
    sound: StoredTrack | None = None

    @property
    def tracks(self) -> InMp4:
        """The file's chapters and sound."""
        return InMp4(self.chapters, self.listed_chapters, self.sound)

    @property
    def sample_bytes(self) -> int:
        return int(self.sizes.sum())

    @property
    def duration(self) -> Fraction:
        """Seconds of the track, including the last frame."""
        return Fraction(sum(count * ticks for count, ticks in self.durations), self.timescale)

    @property
    def index_first(self) -> bool:
        """Whether the index precedes the pictures, so that a browser can start before it has the
        whole file."""
        return self.boxes.index("moov") < self.boxes.index("mdat")


def read_mp4(path: Path) -> Mp4Film:
    """Read the index of an MP4 file, without decoding pictures.

    Raises ValueError when it is not a complete MP4 file with a video track, OSError when it can't
    be read.
    """
    try:
        with path.open("rb") as file:
            return _read(file)
    except (struct.error, KeyError, IndexError, OverflowError) as error:
        raise ValueError(f"its index is damaged ({error!r})") from None


def _read(file: BinaryIO) -> Mp4Film:
    boxes, moov, media_bytes = index_of(file)
    film = _film(boxes, moov, file)
    if film.sample_bytes > media_bytes:
        raise ValueError("its index names more bytes than it holds")
    return film


def index_of(file: BinaryIO) -> tuple[tuple[str, ...], bytes, int]:
    """The names of the top-level boxes of an MP4 file, the content of moov, and the bytes of all
    samples. Raises ValueError for an incomplete file."""
    end = os.fstat(file.fileno()).st_size
    boxes: list[str] = []
    moov, at, media_bytes = b"", 0, 0
    while at < end:
        file.seek(at)
        length, kind = struct.unpack(">I4s", file.read(8))
        head = 8
        if length == 1:
            (length,) = struct.unpack(">Q", file.read(8))
            head = 16
        if length < head or at + length > end:
            raise ValueError(f"its {kind.decode('latin-1')!r} box runs past the end of the file")
        boxes.append(kind.decode("latin-1"))
        if kind == b"moov":
            moov = file.read(length - head)
        elif kind == b"mdat":
            media_bytes += length - head
        at += length
    if not moov or "mdat" not in boxes:
        raise ValueError("it has no index or no pictures")
    return tuple(boxes), moov, media_bytes


def _children(body: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 0
    while at + 8 <= len(body):
        length, kind = struct.unpack_from(">I4s", body, at)
        if length < 8:
            return
        yield kind, body[at + 8 : at + length]
        at += length


def _flatten(body: bytes, found: dict[bytes, bytes]) -> dict[bytes, bytes]:
    for kind, inner in _children(body):
        if kind in _CONTAINERS:
            _flatten(inner, found)
        elif kind == b"meta":
            _flatten(inner[4:], found)
        elif kind != b"hdlr" or kind not in found:  # QuickTime files have a second hdlr in minf
            found[kind] = inner
    return found


def tracks_of(moov: bytes) -> dict[bytes, dict[bytes, bytes]]:
    """The boxes of each track, by its handler type, such as b"vide" or b"text"."""
    found: dict[bytes, dict[bytes, bytes]] = {}
    for kind, inner in _children(moov):
        if kind == b"trak":
            track = _flatten(inner, {})
            found[track[b"hdlr"][8:12]] = track
    return found


def sample_sizes(track: Mapping[bytes, bytes]) -> NDArray[np.int64]:
    """(n,) int64: the size of each sample of a track in bytes: stsz of 14496-12, clause 8.7.3."""
    fixed, count = struct.unpack_from(">II", track[b"stsz"], 4)
    sizes = np.full(count, fixed, np.int64)
    if not fixed:
        sizes[:] = np.frombuffer(track[b"stsz"], ">u4", count, 12)
    return sizes


def sample_places(track: Mapping[bytes, bytes], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """(n,) int64: the offset of each sample in the file: stsc, stco and co64 of 14496-12, clause
    8.7. Raises ValueError when they are missing or damaged."""
    name, kind = (b"co64", ">u8") if b"co64" in track else (b"stco", ">u4")
    chunks = np.frombuffer(track[name], kind, offset=8).astype(np.int64)
    table = np.frombuffer(track[b"stsc"], ">u4", offset=8).reshape(-1, 3).astype(np.int64)
    lasting = np.diff(np.append(table[:, 0], len(chunks) + 1))
    if (lasting < 1).any() or int((lasting * table[:, 1]).sum()) != len(sizes):
        raise ValueError("its samples have no places")
    counts = np.repeat(table[:, 1], lasting)
    before = np.cumsum(sizes) - sizes
    firsts = np.cumsum(counts) - counts
    found: NDArray[np.int64] = np.repeat(chunks - before[firsts], counts) + before
    return found


def _film(boxes: tuple[str, ...], moov: bytes, file: BinaryIO) -> Mp4Film:
    tracks = tracks_of(moov)
    found = {**_flatten(moov, {}), **tracks[b"vide"]}
    text, sound = tracks.get(b"text"), tracks.get(b"soun")
    timescale, _ = clock(found[b"mdhd"])
    movie_timescale, movie_length = clock(found[b"mvhd"])
    entry = found[b"stsd"][8:]
    _, codec = struct.unpack_from(">I4s", entry)
    width, height = struct.unpack_from(">HH", entry, 32)
    inside = dict(_children(entry[8 + _VISUAL_ENTRY :]))
    codec_setup = inside.get(b"avcC", bytes(4))
    colour = None
    if inside.get(b"colr", b"")[:4] == b"nclx":
        *tags, span = struct.unpack_from(">HHHB", inside[b"colr"], 4)
        colour = (tags[0], tags[1], tags[2], bool(span & 0x80))
    elif inside.get(b"colr", b"")[:4] == b"nclc":  # QuickTime's, without a range
        colour = (*struct.unpack_from(">HHH", inside[b"colr"], 4), False)
    sizes = sample_sizes(found)
    frames = len(sizes)
    runs = np.frombuffer(found[b"stts"], ">u4", offset=8).reshape(-1, 2)
    keys = (
        np.frombuffer(found[b"stss"], ">u4", offset=8) - 1
        if b"stss" in found
        else np.arange(frames)
    )
    return Mp4Film(
        boxes=boxes,
        codec=codec.decode("latin-1"),
        width=width,
        height=height,
        frames=frames,
        timescale=timescale,
        durations=tuple((int(count), int(ticks)) for count, ticks in runs),
        movie_duration=Fraction(movie_length, movie_timescale),
        profile=codec_setup[1],
        level=codec_setup[3],
        colour=colour,
        key_frames=tuple(int(key) for key in keys),
        sizes=sizes,
        places=sample_places(tracks[b"vide"], sizes),
        texts={
            name: _text_value(found[kind])
            for kind, name in ((b"\xa9nam", "title"), (b"\xa9cmt", "comment"))
            if kind in found
        },
        chapters=track_chapters(file, text, clock(text[b"mdhd"])[0]) if text else (),
        listed_chapters=chapter_list(found[b"chpl"]) if b"chpl" in found else (),
        sound=_stored(sound) if sound else None,
    )


def _text_value(body: bytes) -> str:
    """A metadata text. In QuickTime files it begins with its length and language; in MP4 files it
    is a box."""
    inside = dict(_children(body))
    return (inside[b"data"][8:] if b"data" in inside else body[4:]).decode("utf-8", "replace")


def _stored(track: Mapping[bytes, bytes]) -> StoredTrack:
    codec = track[b"stsd"][12:16].decode("latin-1")
    return StoredTrack(codec, len(sample_sizes(track)))


def clock(body: bytes) -> tuple[int, int]:
    """Units per second and duration in units, from an `mvhd` or `mdhd` box."""
    if body[0] == 1:
        timescale, length = struct.unpack_from(">IQ", body, 20)
    else:
        timescale, length = struct.unpack_from(">II", body, 12)
    return timescale, length
