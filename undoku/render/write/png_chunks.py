"""The chunks of PNG files (PNG specification, third edition): writes them, and reads a file's."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from undoku.errors import OutputError

__all__ = [
    "INDEXED",
    "SIGNATURE",
    "TRUE_ALPHA",
    "chunk",
    "chunks_of",
    "filtered",
    "keyword",
    "packed_rows",
    "read_chunks",
    "start",
    "texts",
]

SIGNATURE = b"\x89PNG\r\n\x1a\n"
INDEXED, TRUE_ALPHA = 3, 6
"""Colour types."""


def chunk(kind: bytes, content: bytes) -> bytes:
    """Length, kind, content, checksum."""
    check = zlib.crc32(content, zlib.crc32(kind))
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", check)


def start(width: int, height: int, depth: int, colour_type: int) -> bytes:
    """Signature and header; `depth` is bits per sample."""
    content = struct.pack(">IIBBBBB", width, height, depth, colour_type, 0, 0, 0)
    return SIGNATURE + chunk(b"IHDR", content)


def keyword(name: str) -> str:
    """A valid keyword of a text chunk: at most 79 Latin-1 characters."""
    return name.encode("latin-1", "replace")[:79].decode("latin-1")


def texts(about: Iterable[tuple[str, str]]) -> bytes:
    """An international text chunk (iTXt) for each (name, text)."""
    return b"".join(
        chunk(
            b"iTXt",
            keyword(name).encode("latin-1") + b"\0\0\0\0\0" + text.encode(),
        )
        for name, text in about
    )


def packed_rows(numbers: NDArray[np.uint8]) -> bytes:
    """The unfiltered scan lines of colour numbers (height, width), one byte each."""
    return np.pad(numbers, ((0, 0), (1, 0))).tobytes()


def filtered(pixels: NDArray[np.uint8]) -> bytes:
    """The scan lines of (height, width, samples), each with the filter of smallest absolute sum.

    None, Sub, Up and Paeth are tried; the specification suggests this rule (section 12.7).
    """
    height, width, samples = pixels.shape
    here = pixels.reshape(height, width * samples).astype(np.int16)
    above = np.zeros_like(here)
    above[1:] = here[:-1]
    left, corner = np.zeros_like(here), np.zeros_like(here)
    left[:, samples:] = here[:, :-samples]
    corner[:, samples:] = above[:, :-samples]
    to_left, to_above = np.abs(above - corner), np.abs(left - corner)
    to_corner = np.abs(left + above - 2 * corner)
    nearest = np.where(to_above <= to_corner, above, corner)
    nearest = np.where((to_left <= to_above) & (to_left <= to_corner), left, nearest)
    ways = np.stack([here, here - left, here - above, here - nearest]).astype(np.uint8)
    cost = np.abs(ways.view(np.int8).astype(np.int16)).sum(axis=2, dtype=np.int64)
    best = cost.argmin(axis=0)
    lines = np.empty((height, width * samples + 1), np.uint8)
    lines[:, 0] = np.array([0, 1, 2, 4], np.uint8)[best]
    lines[:, 1:] = ways[best, np.arange(height)]
    return lines.tobytes()


def chunks_of(path: Path) -> Iterator[tuple[bytes, bytes]]:
    """(kind, content) of every chunk of a file, with verified checksums.

    Raises OutputError when it is not a complete PNG, OSError when it can't be read.
    """
    with path.open("rb") as file:
        kind = b""
        for kind, content in read_chunks(file, str(path)):
            yield kind, content
        if kind != b"IEND":
            raise OutputError(f"{str(path)!r} is cut off")


def read_chunks(file: BinaryIO, name: str) -> Iterator[tuple[bytes, bytes]]:
    """(kind, content) of every chunk of a file that may still be incomplete, with verified
    checksums. Raises OutputError for a damaged file, named `name` in the message."""
    if file.read(8) != SIGNATURE:
        raise OutputError(f"{name!r} is not a PNG")
    kind = b""
    while head := file.read(8):
        if kind == b"IEND":
            raise OutputError(f"{name!r} goes on after its end")
        length = struct.unpack(">I", head[:4])[0] if len(head) == 8 else 0
        kind = head[4:]
        content, check = file.read(length), file.read(4)
        if len(check) < 4:
            raise OutputError(f"{name!r} is cut off")
        if struct.unpack(">I", check)[0] != zlib.crc32(content, zlib.crc32(kind)):
            raise OutputError(f"a chunk {kind!r} of {name!r} is damaged")
        yield kind, content
