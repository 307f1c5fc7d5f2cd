"""Reads the structure of a WebM file, to verify a file that was just written.

Elements and their IDs: RFC 8794 (EBML) and RFC 9559 (Matroska).
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import BinaryIO, NamedTuple

from undoku.render.write.further_tracks import InWebm, StoredTrack

__all__ = ["WebmFilm", "read_sound", "read_webm"]

_EBML, _SEGMENT, _INFO, _TRACKS, _CLUSTER = (
    0x1A45DFA3,
    0x18538067,
    0x1549A966,
    0x1654AE6B,
    0x1F43B675,
)
_BLOCK_GROUP, _BLOCK, _SIMPLE_BLOCK = 0xA0, 0xA1, 0xA3
_SCALE, _DURATION = 0x2AD7B1, 0x4489
_NUMBER, _TYPE = 0xD7, 0x83
_PICTURES, _SOUND = 1, 2
"""Track types."""
_TRACK, _CODEC, _VIDEO, _WIDTH, _HEIGHT, _COLOUR = 0xAE, 0x86, 0xE0, 0xB0, 0xBA, 0x55B0
_MATRIX, _RANGE, _TRANSFER, _PRIMARIES = 0x55B1, 0x55B9, 0x55BA, 0x55BB
_CHAPTERS, _EDITION, _CHAPTER, _DISPLAY = 0x1043A770, 0x45B9, 0xB6, 0x80
_CHAPTER_START, _CHAPTER_TITLE = 0x91, 0x85
_PARENTS = {
    *(_SEGMENT, _INFO, _TRACKS, _CLUSTER, _BLOCK_GROUP, _TRACK, _VIDEO, _COLOUR),
    *(_CHAPTERS, _EDITION, _CHAPTER, _DISPLAY),
}


@dataclass(frozen=True, slots=True)
class WebmFilm:
    """The video track of a WebM file. `colour` is (primaries, transfer, matrix, full range) as in
    ISO/IEC 23091-2, with 2 for untagged values; `duration` is in seconds and includes the last
    frame; `chapters` are (start in nanoseconds, title)."""

    codec: str
    width: int
    height: int
    frames: int
    duration: Fraction
    colour: tuple[int, int, int, bool]
    chapters: tuple[tuple[int, str], ...]
    sound: StoredTrack | None = None

    @property
    def tracks(self) -> InWebm:
        """The file's chapters and sound."""
        return InWebm(self.chapters, self.sound)


def read_webm(path: Path) -> WebmFilm:
    """Read the elements of a WebM file, without decoding pictures.

    Raises ValueError when it is not a complete WebM file with a video track, OSError when it can't
    be read.
    """
    found, tracks, chapters = _read(path)
    pictures = next((one for one in tracks if one.kind == _PICTURES), None)
    sound = next((one.stored for one in tracks if one.kind == _SOUND), None)
    try:
        scale = int.from_bytes(found.get(_SCALE, (1_000_000).to_bytes(3)))
        (length,) = struct.unpack(">d" if len(found[_DURATION]) == 8 else ">f", found[_DURATION])
        tags = [int.from_bytes(found.get(tag, b"\2")) for tag in (_PRIMARIES, _TRANSFER, _MATRIX)]
        return WebmFilm(
            codec=pictures.stored.codec if pictures else "",
            width=int.from_bytes(found[_WIDTH]),
            height=int.from_bytes(found[_HEIGHT]),
            frames=pictures.stored.packets if pictures else 0,
            duration=Fraction(length) * scale / 10**9,
            colour=(tags[0], tags[1], tags[2], found.get(_RANGE) == b"\2"),
            chapters=chapters,
            sound=sound,
        )
    except (KeyError, struct.error) as error:
        raise ValueError(f"its header is damaged ({error!r})") from None


def read_sound(path: Path) -> StoredTrack:
    """The sound track of a WebM file. Raises ValueError when it is not a complete WebM file with
    sound, OSError when it can't be read."""
    for one in _read(path)[1]:
        if one.kind == _SOUND:
            return one.stored
    raise ValueError("it has no sound")


class _Track(NamedTuple):
    """A track: its type, its codec and the number of its blocks."""

    kind: int
    stored: StoredTrack


def _read(path: Path) -> tuple[dict[int, bytes], list[_Track], tuple[tuple[int, str], ...]]:
    """The first element of each ID, the tracks, and the chapters."""
    found: dict[int, bytes] = {}
    entries: list[dict[int, bytes]] = []
    blocks: dict[int, int] = {}
    starts: list[int] = []
    titles: list[str] = []
    with path.open("rb") as file:
        end = os.fstat(file.fileno()).st_size
        for number, body in _elements(file, end):
            if number in (_SIMPLE_BLOCK, _BLOCK):
                of = int.from_bytes(body)
                blocks[of] = blocks.get(of, 0) + 1
            elif number == _CHAPTER_START:
                starts.append(int.from_bytes(body))
            elif number == _CHAPTER_TITLE:
                titles.append(body.decode("utf-8", "replace"))
            elif number == _TRACK:
                entries.append({})
            else:
                found.setdefault(number, body)
                if entries:
                    entries[-1].setdefault(number, body)
    tracks = [
        _Track(
            int.from_bytes(one.get(_TYPE, b"")),
            StoredTrack(
                one.get(_CODEC, b"").decode("latin-1"),
                blocks.get(int.from_bytes(one.get(_NUMBER, b"")), 0),
            ),
        )
        for one in entries
    ]
    return found, tracks, tuple(zip(starts, titles, strict=True))


def _elements(file: BinaryIO, end: int) -> Iterator[tuple[int, bytes]]:
    """Every element of the file: ID and content. The content is empty for parent elements, and
    begins with the track number for blocks."""
    if _number(file, keep_marker=True) != _EBML:
        raise ValueError("it doesn't begin as an EBML file")
    file.seek(_number(file), os.SEEK_CUR)
    while file.tell() < end:
        number = _number(file, keep_marker=True)
        length = _number(file)
        if file.tell() + length > end:
            raise ValueError(f"its element {number:#x} runs past the end of the file")
        if number in _PARENTS:  # its children follow
            yield number, b""
        elif number in (_SIMPLE_BLOCK, _BLOCK):
            after = file.tell() + length
            of = _number(file)
            file.seek(after)
            yield number, of.to_bytes(8)
        elif length > 4096:
            file.seek(length, os.SEEK_CUR)
            yield number, b""
        else:
            yield number, file.read(length)


def _number(file: BinaryIO, *, keep_marker: bool = False) -> int:
    """A variable-length integer; with `keep_marker` its length marker is kept, as in an ID."""
    first = file.read(1)
    if not first or not first[0]:
        raise ValueError("it breaks off, or holds no EBML element where one should be")
    size = 9 - first[0].bit_length()
    head = first[0] if keep_marker else first[0] & ((1 << (8 - size)) - 1)
    return int.from_bytes(bytes([head]) + file.read(size - 1))
