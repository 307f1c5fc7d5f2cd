"""The blocks of a GIF file (GIF89a specification, 1990): their bytes, and a count of a file's."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from solver.errors import OutputError

__all__ = [
    "HEADER_ROOM",
    "LONGEST_DELAY",
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
LONGEST_DELAY = 65535
TRAILER = b";"


def comment(text: bytes) -> bytes:
    """A comment extension."""
    blocks = [text[start : start + 255] for start in range(0, len(text), 255)]
    return b"!\xfe" + b"".join(bytes([len(block)]) + block for block in blocks) + b"\0"


def _comment_of_length(length: int) -> bytes:
    """A comment extension of exactly `length` >= 5 bytes that says nothing."""
    body = length - 3
    return comment(b" " * (body - -(-body // 256)))


def header(width: int, height: int, palette: NDArray[np.uint8]) -> bytes:
    """The first HEADER_ROOM bytes: signature, screen and the colours, (n, 3) with n <= 256.

    The palette is known last and comes first. Fewer than 129 colours leave room, which an empty
    comment fills.
    """
    power = max(1, (len(palette) - 1).bit_length())
    table = palette.tobytes().ljust(3 << power, b"\0")
    flags = 0xF0 | power - 1
    start = b"GIF89a" + struct.pack("<HHBBB", width, height, flags, 0, 0) + table
    room = HEADER_ROOM - len(start)
    return start + _comment_of_length(room) if room else start


def looping(plays: int) -> bytes:
    """The extension that repeats the film; 0 plays is for ever, 1 needs no extension."""
    if plays == 1:
        return b""
    repeats = plays - 1 if plays else 0
    return b"!\xff\x0bNETSCAPE2.0\x03\x01" + struct.pack("<H", repeats) + b"\0"


def image(
    x: int, y: int, width: int, height: int, delay: int, transparent: bool, codes: bytes
) -> bytes:
    """A picture that is drawn over the one before and stands for `delay` hundredths."""
    # Disposal 1, "leave it"; colour 0 is the transparent one.
    return b"".join(
        (
            struct.pack("<3sBHBB", b"!\xf9\x04", 4 | transparent, delay, 0, 0),
            struct.pack("<cHHHHB", b",", x, y, width, height, 0),
            codes,
        )
    )


def pause(delay: int) -> bytes:
    """One transparent pixel: the same picture for another `delay` hundredths."""
    return image(0, 0, 1, 1, delay, True, b"\x02\x02\x44\x01\x00")


@dataclass(frozen=True, slots=True)
class GifContents:
    """What a GIF file holds, by its blocks."""

    width: int
    height: int
    images: int
    delay: int
    """Hundredths of a second, all images together."""
    comments: tuple[bytes, ...]
    plays: int
    """0: for ever."""


def count_blocks(path: Path) -> GifContents:
    """Walk through all blocks of a GIF file, without decoding pictures.

    Raises OutputError when it is not a complete GIF, OSError when it can't be read.
    """
    with path.open("rb") as file:
        return _count(file, path)


def _count(file: BinaryIO, path: Path) -> GifContents:
    def take(length: int) -> bytes:
        taken = file.read(length)
        if len(taken) < length:
            raise OutputError(f"{str(path)!r} is cut off")
        return taken

    def blocks() -> bytes:
        parts = []
        while length := take(1)[0]:
            parts.append(take(length))
        return b"".join(parts)

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
            blocks()
        elif mark == b"!":
            label = take(1)[0]
            content = blocks()
            if label == 0xF9:
                delay += struct.unpack("<xHx", content)[0]
            elif label == 0xFE:
                comments.append(content)
            elif label == 0xFF and content.startswith(b"NETSCAPE2.0\x01"):
                repeats = struct.unpack("<H", content[12:14])[0]
                plays = repeats + 1 if repeats else 0
        else:
            raise OutputError(f"{str(path)!r} has no block after picture {images}")
    if file.read(1):
        raise OutputError(f"{str(path)!r} goes on after its end")
    return GifContents(width, height, images, delay, tuple(comments), plays)
