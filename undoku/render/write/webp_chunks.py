"""The chunks of animated WebP files (WebP container specification): writes and counts them."""

from __future__ import annotations

import io
import struct
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from undoku.errors import OutputError
from undoku.texts.text_lines import xmp_packet

__all__ = [
    "HEAD",
    "Counted",
    "animation_frame",
    "chunk",
    "count_frames",
    "head",
    "lossless",
    "metadata",
]

HEAD = 12 + 18 + 14
"""Bytes before the first frame."""
Counted = tuple[int, int]
"""The number of frames, and their total milliseconds."""
_ALPHA, _ANIMATION, _XMP = 0x10, 0x02, 0x04
_NO_BLEND = 0x02


def chunk(kind: bytes, content: bytes) -> bytes:
    """Kind, length, content, padded to an even length."""
    return kind + struct.pack("<I", len(content)) + content + b"\0" * (len(content) & 1)


def _three(number: int) -> bytes:
    return number.to_bytes(3, "little")


def head(size: int, width: int, height: int, plays: int, has_metadata: bool) -> bytes:
    """The first HEAD bytes of a file of `size` bytes; `plays` 0: endlessly."""
    flags = _ALPHA | _ANIMATION | _XMP * has_metadata
    screen = struct.pack("<I", flags) + _three(width - 1) + _three(height - 1)
    return b"".join(
        (
            b"RIFF",
            struct.pack("<I", size - 8),
            b"WEBP",
            chunk(b"VP8X", screen),
            chunk(b"ANIM", struct.pack("<IH", 0, plays)),
        )
    )


def lossless(packed: NDArray[np.uint32], method: int) -> bytes:
    """The VP8L chunk of a picture of 0xAARRGGBB (height, width), coded by Pillow's encoder.

    `method` 0..6 trades time for size. The colours of transparent pixels are not preserved.
    """
    height, width = packed.shape
    samples = (packed << np.uint32(8) | packed >> np.uint32(24)).astype(">u4").view(np.uint8)
    picture = Image.fromarray(samples.reshape(height, width, 4), "RGBA")
    stored = io.BytesIO()
    picture.save(stored, "WEBP", lossless=True, method=method, quality=75)
    for kind, content in _chunks(stored.getvalue()[12:]):
        if kind == b"VP8L":
            return chunk(kind, content)
    raise AssertionError("Pillow wrote no lossless WebP")


def _chunks(content: bytes) -> list[tuple[bytes, bytes]]:
    found, at = [], 0
    while at < len(content):
        kind, length = content[at : at + 4], struct.unpack("<I", content[at + 4 : at + 8])[0]
        found.append((kind, content[at + 8 : at + 8 + length]))
        at += 8 + length + (length & 1)
    return found


def animation_frame(
    where: tuple[int, int, int, int], milliseconds: int, blend: bool, picture: bytes
) -> bytes:
    """A frame, which stays in place after its time: `where` is x and y, both even, width and
    height, in pixels."""
    x, y, width, height = where
    content = _three(x // 2) + _three(y // 2) + _three(width - 1) + _three(height - 1)
    content += _three(milliseconds) + bytes([0 if blend else _NO_BLEND]) + picture
    return chunk(b"ANMF", content)


def metadata(text: str) -> bytes:
    """An XMP chunk whose description is `text`."""
    return chunk(b"XMP ", xmp_packet(text).encode())


def count_frames(path: Path) -> Counted:
    """Count the frames of a file from its chunks.

    Raises OutputError when it is not a complete WebP, OSError when it can't be read.
    """
    frames = milliseconds = 0
    with path.open("rb") as file:
        size = path.stat().st_size
        start = file.read(12)
        if start[:4] != b"RIFF" or start[8:] != b"WEBP":
            raise OutputError(f"{str(path)!r} is not a WebP")
        if struct.unpack("<I", start[4:8])[0] != size - 8:
            raise OutputError(f"{str(path)!r} is cut off")
        while header := file.read(8):
            length = struct.unpack("<I", header[4:])[0] if len(header) == 8 else size
            there = file.tell()
            if there + length + (length & 1) > size:
                raise OutputError(f"{str(path)!r} is cut off")
            if header[:4] == b"ANMF":
                frames += 1
                milliseconds += int.from_bytes(file.read(16)[12:15], "little")
            file.seek(there + length + (length & 1))
    return frames, milliseconds
