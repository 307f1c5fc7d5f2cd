"""Writes and counts the blocks of GIF files (GIF89a specification, 1990)."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from undoku.errors import OutputError

__all__ = [
    "HEADER_ROOM",
    "MAX_DELAY",
    "TRAILER",
    "GifContents",
    "comment",
    "count_blocks",
    "header",
    "image",
    "looping",
    "pause",
]

TABLE = 3 * 256
HEADER_ROOM = 13 + TABLE
"""Bytes from the start of the file to its first extension."""
MAX_DELAY = 65535
TRAILER = b";"


def comment(text: bytes) -> bytes:
    """A comment extension."""
    blocks = [text[start : start + 255] for start in range(0, len(text), 255)]
    return b"!\xfe" + b"".join(bytes([len(block)]) + block for block in blocks) + b"\0"


def _comment_of_length(length: int) -> bytes:
    """An empty comment extension of exactly `length` >= 5 bytes, used as padding."""
    body = length - 3
    return comment(b" " * (body - -(-body // 256)))


def header(width: int, height: int, palette: NDArray[np.uint8]) -> bytes:
    """The first HEADER_ROOM bytes: signature, screen and `palette`, (n, 3) uint8 with n <= 256.

    The palette comes first in the file but is known only at the end, so its space is reserved. The
    space that fewer than 129 colours leave is filled by an empty comment.
    """
    power = max(1, (len(palette) - 1).bit_length())
    table = palette.tobytes().ljust(3 << power, b"\0")
    flags = 0xF0 | power - 1
    start = b"GIF89a" + struct.pack("<HHBBB", width, height, flags, 0, 0) + table
    room = HEADER_ROOM - len(start)
    return start + _comment_of_length(room) if room else start


def looping(plays: int) -> bytes:
    """The extension that repeats the film: 0 plays endlessly; 1 needs no extension."""
    if plays == 1:
        return b""
    repeats = plays - 1 if plays else 0
    return b"!\xff\x0bNETSCAPE2.0\x03\x01" + struct.pack("<H", repeats) + b"\0"


def image(
    x: int, y: int, width: int, height: int, delay: int, transparent: bool, codes: bytes
) -> bytes:
    """A picture that is drawn over the previous one and shown for `delay` hundredths of a second.
    `codes` is its image data."""
    # Disposal method 1: leave the picture in place. Colour 0 is transparent.
    return b"".join(
        (
            struct.pack("<3sBHBB", b"!\xf9\x04", 4 | transparent, delay, 0, 0),
            struct.pack("<cHHHHB", b",", x, y, width, height, 0),
            codes,
        )
    )


def pause(delay: int) -> bytes:
    """One transparent pixel: shows the same picture for another `delay` hundredths of a second."""
    return image(0, 0, 1, 1, delay, True, b"\x02\x02\x44\x01\x00")


@dataclass(frozen=True, slots=True)
class GifContents:
    """The contents of a GIF file, counted from its blocks."""

    width: int
    height: int
    images: int
    delay: int
    """Hundredths of a second, all images together."""
    comments: tuple[bytes, ...]
    plays: int
    """How many times the film plays; 0: endlessly."""


class _BlockReader:
    """Reads a GIF file from its start. Raises OutputError with `message` when the file ends too
    early."""

    def __init__(self, file: BinaryIO, message: str) -> None:
        self._file, self._complaint = file, message
        self._read = b""
        self._at = 0

    def ended(self) -> bool:
        """Whether the end of the file is reached; fills the buffer if not."""
        while self._at >= len(self._read):
            self._at -= len(self._read)
            self._read = self._file.read(1 << 16)
            if not self._read:
                return True
        return False

    def take(self, length: int) -> bytes:
        """The next bytes, one or more."""
        missing = self.ended()
        while not missing and self._at + length > len(self._read):
            more = self._file.read(1 << 16)
            self._read, self._at = self._read[self._at :] + more, 0
            missing = not more
        if missing:
            raise OutputError(self._complaint)
        self._at += length
        return self._read[self._at - length : self._at]

    def blocks(self) -> bytes:
        """The content of the next sub-blocks, up to their terminator."""
        parts = []
        while length := self.take(1)[0]:
            parts.append(self.take(length))
        return b"".join(parts)

    def skip_blocks(self) -> None:
        """Skip the next sub-blocks and their terminator."""
        length = 1
        while length:
            if self._at >= len(self._read) and self.ended():
                raise OutputError(self._complaint)
            length = self._read[self._at]
            self._at += length + 1


def count_blocks(path: Path) -> GifContents:
    """Count the blocks of a GIF file, without decoding its pictures.

    Raises OutputError when it is not a complete GIF, OSError when it can't be read.
    """
    with path.open("rb", buffering=0) as file:
        return _count(_BlockReader(file, f"{str(path)!r} is cut off"), path)


def _count(reader: _BlockReader, path: Path) -> GifContents:
    take = reader.take
    if take(6) != b"GIF89a":
        raise OutputError(f"{str(path)!r} is not a GIF")
    width, height, flags, _, _ = struct.unpack("<HHBBB", take(7))
    if flags & 0x80:
        take(3 << (flags & 7) + 1)
    images = delay = 0
    plays = 1
    comments: list[bytes] = []
    while (mark := take(1)) != TRAILER:
        if mark == b",":
            images += 1
            x, y, wide, high, local = struct.unpack("<HHHHB", take(9))
            if not (wide and high and x + wide <= width and y + high <= height):
                raise OutputError(f"picture {images} of {str(path)!r} leaves the screen")
            if local & 0x80:
                take(3 << (local & 7) + 1)
            take(1)
            reader.skip_blocks()
        elif mark == b"!":
            label = take(1)[0]
            content = reader.blocks()
            if label == 0xF9:
                delay += struct.unpack("<xHx", content)[0]
            elif label == 0xFE:
                comments.append(content)
            elif label == 0xFF and content.startswith(b"NETSCAPE2.0\x01"):
                repeats = struct.unpack("<H", content[12:14])[0]
                plays = repeats + 1 if repeats else 0
        else:
            raise OutputError(f"{str(path)!r} has no block after picture {images}")
    if not reader.ended():
        raise OutputError(f"{str(path)!r} goes on after its end")
    return GifContents(width, height, images, delay, tuple(comments), plays)
