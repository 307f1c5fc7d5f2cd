"""The boxes of an MP4 file with one H.264 track: ISO/IEC 14496-12 (ISOBMFF), -14 and -15 (AVC)."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Picture", "box", "file_type", "full_box", "metadata", "movie", "sample_entry"]


@dataclass(frozen=True, slots=True)
class Picture:
    """What the file says of its track: visible size in pixels, ticks per second, and the NAL units
    of the parameter sets."""

    width: int
    height: int
    timescale: int
    sequence: bytes
    parameters: bytes


def box(kind: str, *parts: bytes) -> bytes:
    """Size, four letters, content: 14496-12 clause 4.2."""
    content = b"".join(parts)
    return struct.pack(">I4s", 8 + len(content), kind.encode("latin-1")) + content


def full_box(kind: str, version: int, flags: int, *parts: bytes) -> bytes:
    """A box with a version and flags."""
    return box(kind, struct.pack(">I", version << 24 | flags), *parts)


def file_type(*, fragmented: bool = False) -> bytes:
    """ftyp, clause 4.3: what a reader must understand."""
    brands = (
        (b"iso5", b"iso6", b"avc1", b"mp41") if fragmented else (b"isom", b"iso2", b"avc1", b"mp41")
    )
    return box("ftyp", brands[0], struct.pack(">I", 512), *brands)


def sample_entry(picture: Picture) -> bytes:
    """avc1, 14496-15 clause 5.4: size, parameter sets, square pixels, BT.709 limited range."""
    sequence, parameters = picture.sequence, picture.parameters
    # Version 1, profile, compatibility, level; NAL units have four bytes of length; one set each.
    configuration = box(
        "avcC",
        b"\x01" + sequence[1:4] + b"\xff\xe1",
        struct.pack(">H", len(sequence)) + sequence,
        b"\x01" + struct.pack(">H", len(parameters)) + parameters,
    )
    return box(
        "avc1",
        bytes(6) + b"\x00\x01" + bytes(16),
        struct.pack(">HHIIIH", picture.width, picture.height, 72 << 16, 72 << 16, 0, 1),
        bytes(32),
        struct.pack(">Hh", 24, -1),
        configuration,
        box("colr", b"nclx", struct.pack(">HHHB", 1, 1, 1, 0)),
        box("pasp", struct.pack(">II", 1, 1)),
    )


_UNITY = struct.pack(">9i", 1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30)
_UNDETERMINED = 0x55C4
"""The language "und", five bits a letter."""


def _time(short: str, long: str, values: Sequence[int]) -> tuple[int, bytes]:
    """Version and bytes of a box's times: 32 bits each, or 64 where the duration needs them."""
    wide = max(values) >= 1 << 32
    return int(wide), struct.pack(">" + (long if wide else short), *values)


def movie(
    picture: Picture, duration: int, tables: bytes, about: bytes = b"", extends: bytes = b""
) -> bytes:
    """moov, clause 8.2: `duration` in ticks, `tables` the sample tables without stsd."""
    version, times = _time("IIII", "QQIQ", (0, 0, picture.timescale, duration))
    header = full_box(
        "mvhd", version, 0, times,
        struct.pack(">IH", 1 << 16, 1 << 8) + bytes(10) + _UNITY + bytes(24),
        struct.pack(">I", 2),
    )  # fmt: skip
    version, times = _time("IIIII", "QQIIQ", (0, 0, 1, 0, duration))
    track = full_box(
        "tkhd", version, 3, times, bytes(16) + _UNITY,
        struct.pack(">II", picture.width << 16, picture.height << 16),
    )  # fmt: skip
    version, times = _time("IIII", "QQIQ", (0, 0, picture.timescale, duration))
    media = box(
        "mdia",
        full_box("mdhd", version, 0, times, struct.pack(">HH", _UNDETERMINED, 0)),
        full_box("hdlr", 0, 0, bytes(4) + b"vide" + bytes(12) + b"VideoHandler\0"),
        box(
            "minf",
            full_box("vmhd", 0, 1, bytes(8)),
            box("dinf", full_box("dref", 0, 0, struct.pack(">I", 1), full_box("url ", 0, 1))),
            box(
                "stbl",
                full_box("stsd", 0, 0, struct.pack(">I", 1), sample_entry(picture)),
                tables,
            ),
        ),
    )
    return box("moov", header, box("trak", track, media), extends, about)


def metadata(about: Sequence[tuple[str, str]]) -> bytes:
    """udta with the texts that players show: the title, and all others as lines of the comment."""
    if not about:
        return b""
    title = [text for name, text in about if name == "title"]
    others = [f"{name}: {text}" for name, text in about if name != "title"]
    items = [
        box(kind, box("data", struct.pack(">II", 1, 0), text.encode()))
        for kind, text in (("\xa9nam", "\n".join(title)), ("\xa9cmt", "\n".join(others)))
        if text
    ]
    handler = full_box("hdlr", 0, 0, bytes(4) + b"mdirappl" + bytes(9))
    return box("udta", full_box("meta", 0, 0, handler, box("ilst", *items)))
