"""Builds the boxes of an MP4 film in H.264: ISO/IEC 14496-12 (ISOBMFF), -14 and -15 (AVC).

Chapters are stored as QuickTime's text track and as Nero's list in the metadata. QuickTime, iOS and
editors read the track (QuickTime File Format, "Chapter Lists"), most other players the list; VLC
and ffmpeg read either. The track is marked as hidden.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from undoku.h264.loops import I64
from undoku.h264.parameters import StreamParameters
from undoku.render.timeline.chapters import listed
from undoku.render.write.further_tracks import FurtherTracks
from undoku.texts.text_lines import write_about


def box(kind: str, *parts: bytes) -> bytes:
    """A box: size, four letters, content; 14496-12 clause 4.2."""
    content = b"".join(parts)
    return struct.pack(">I4s", 8 + len(content), kind.encode("latin-1")) + content


def full_box(kind: str, version: int, flags: int, *parts: bytes) -> bytes:
    """A box with a version and flags."""
    return box(kind, struct.pack(">I", version << 24 | flags), *parts)


def file_type() -> bytes:
    """ftyp, clause 4.3: the brands that a reader must support."""
    return box("ftyp", b"isom", struct.pack(">I", 512), b"isom", b"iso2", b"avc1", b"mp41")


def sample_entry(parameters: StreamParameters) -> bytes:
    """avc1, 14496-15 clause 5.4: size, parameter sets, square pixels, BT.709 limited range."""
    return box(
        "avc1",
        bytes(6) + b"\x00\x01" + bytes(16),
        struct.pack(">HHIIIH", parameters.width, parameters.height, 72 << 16, 72 << 16, 0, 1),
        bytes(32),
        struct.pack(">Hh", 24, -1),
        box("avcC", parameters.configuration),
        box("colr", b"nclx", struct.pack(">HHHB", 1, 1, 1, 0)),
        box("pasp", struct.pack(">II", 1, 1)),
    )


UNITY = struct.pack(">9i", 1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30)
"""The identity matrix."""

_UNDETERMINED = 0x55C4
"""The language "und" (undetermined), five bits per letter."""


def _time(short: str, long: str, values: Sequence[int]) -> tuple[int, bytes]:
    """The version of a box and the bytes of its times: 32 bits each, or 64 bits for a duration
    that needs them."""
    wide = max(values) >= 1 << 32
    return int(wide), struct.pack(">" + (long if wide else short), *values)


def track(number: int, flags: int, duration: int, size: tuple[int, int], inside: bytes) -> bytes:
    """trak, clause 8.3: `duration` in units of the movie's clock, `size` in pixels, `inside` the
    boxes after the header."""
    version, times = _time("IIIII", "QQIIQ", (0, 0, number, 0, duration))
    header = full_box(
        "tkhd", version, flags, times,
        bytes(16) + UNITY,
        struct.pack(">II", size[0] << 16, size[1] << 16),
    )  # fmt: skip
    return box("trak", header, inside)


def _table(kind: str, entries: ArrayLike, stored: str = ">u4") -> bytes:
    """A table: the number of its entries, (n,) or (n, columns), then their numbers as `stored`."""
    rows = np.asarray(entries)
    return full_box(kind, 0, 0, struct.pack(">I", len(rows)), rows.astype(stored).tobytes())


def _runs(values: I64) -> tuple[I64, I64]:
    """The index at which each run of equal values begins, and the value, both (n,)."""
    starts = np.flatnonzero(np.diff(values, prepend=values[:1] - 1))
    return starts, values[starts]


def sample_tables(
    sizes: I64,
    durations: I64,
    counts: I64,
    offsets: I64,
    *,
    keys: I64 | None = None,
    wide: bool = False,
) -> bytes:
    """stts, stss, stsc, stsz and stco or co64: 14496-12, clauses 8.6 and 8.7. `sizes` and
    `durations` (n,) are those of the samples; `counts` (m,) are the samples of each chunk, none of
    them 0, and `offsets` (m,) their places in the file, of 64 bits if `wide`. `keys` are the
    numbers of the key frames, from 1; None if all samples are."""
    starts, lasting = _runs(durations)
    first, equal = _runs(counts)
    return b"".join(
        (
            _table("stts", np.stack([np.diff(starts, append=len(sizes)), lasting], 1)),
            b"" if keys is None else _table("stss", keys),
            _table("stsc", np.stack([first + 1, equal, np.ones_like(first)], 1)),
            full_box(
                "stsz", 0, 0, bytes(4), struct.pack(">I", len(sizes)), sizes.astype(">u4").tobytes()
            ),
            _table("co64", offsets, ">u8") if wide else _table("stco", offsets),
        )
    )


def media(
    kind: str, name: str, timescale: int, duration: int, header: bytes, entry: bytes, tables: bytes
) -> bytes:
    """mdia, clause 8.4, of a track whose handler is `kind`: `header` is its media header, `entry`
    its sample entry, `tables` the sample tables without stsd."""
    version, times = _time("IIII", "QQIQ", (0, 0, timescale, duration))
    return box(
        "mdia",
        full_box("mdhd", version, 0, times, struct.pack(">HH", _UNDETERMINED, 0)),
        full_box("hdlr", 0, 0, bytes(4) + kind.encode() + bytes(12) + name.encode() + b"\0"),
        box(
            "minf",
            header,
            box("dinf", full_box("dref", 0, 0, struct.pack(">I", 1), full_box("url ", 0, 1))),
            box("stbl", full_box("stsd", 0, 0, struct.pack(">I", 1), entry), tables),
        ),
    )


def movie(
    parameters: StreamParameters,
    duration: int,
    tables: bytes,
    about: bytes = b"",
    *,
    reference: bytes = b"",
    further: Sequence[bytes] = (),
) -> bytes:
    """moov, clause 8.2: `duration` in ticks, `tables` the sample tables without stsd, `about` the
    udta box. `further` are the trak boxes of further tracks, and `reference` is the tref box of the
    video track, if it refers to one of them."""
    version, times = _time("IIII", "QQIQ", (0, 0, parameters.timescale, duration))
    header = full_box(
        "mvhd", version, 0, times,
        struct.pack(">IH", 1 << 16, 1 << 8) + bytes(10) + UNITY + bytes(24),
        struct.pack(">I", 2 + len(further)),
    )  # fmt: skip
    inside = media(
        "vide",
        "VideoHandler",
        parameters.timescale,
        duration,
        full_box("vmhd", 0, 1, bytes(8)),
        sample_entry(parameters),
        tables,
    )
    video = track(1, 3, duration, (parameters.width, parameters.height), reference + inside)
    return box("moov", header, video, *further, about)


def metadata(about: Sequence[tuple[str, str]], chapters: bytes = b"") -> bytes:
    """udta with the texts that players show: "title" as the title, all other texts as lines of the
    comment; and `chapters`, a chpl box."""
    if not about:
        return box("udta", chapters) if chapters else b""
    title = [text for name, text in about if name == "title"]
    others = write_about((name, text) for name, text in about if name != "title").rstrip("\n")
    items = [
        box(kind, box("data", struct.pack(">II", 1, 0), text.encode()))
        for kind, text in (("\xa9nam", "\n".join(title)), ("\xa9cmt", others))
        if text
    ]
    handler = full_box("hdlr", 0, 0, bytes(4) + b"mdirappl" + bytes(9))
    return box("udta", full_box("meta", 0, 0, handler, box("ilst", *items)), chapters)


_CHAPTER_TRACK = 2
_UTF8 = box("encd", struct.pack(">I", 0x100))
_TEXT_HEADER = box(
    "gmhd",
    # Graphics mode "copy", and default values of colour and balance.
    full_box("gmin", 0, 0, struct.pack(">HHHHHH", 0x40, 0x8000, 0x8000, 0x8000, 0, 0)),
    box("text", UNITY),
)
_TEXT_ENTRY = box(
    "text",
    bytes(6) + b"\x00\x01",
    # Flags, justification, colours, box, font, face: all at their default values.
    bytes(44),
)


class ChapterBoxes:
    """The boxes of the chapters of `tracks`, all empty if there are none. The film has `fps` frames
    per second; its clock counts `timescale` units per second, a multiple of `fps`."""

    def __init__(self, tracks: FurtherTracks, fps: Fraction, timescale: int) -> None:
        self._chapters = chapters = tracks.chapters
        self._unit = int(timescale / fps)
        self._timescale = timescale
        self._fps = fps
        titles = [chapter.text.encode() for chapter in chapters]
        self._samples = [struct.pack(">H", len(title)) + title + _UTF8 for title in titles]

    @property
    def samples(self) -> bytes:
        """The samples of all text tracks, concatenated."""
        return b"".join(self._samples)

    @property
    def reference(self) -> bytes:
        """tref of the video track, 14496-12 clause 8.3.3: refers to the track of its chapters."""
        return (
            box("tref", box("chap", struct.pack(">I", _CHAPTER_TRACK))) if self._chapters else b""
        )

    @property
    def list(self) -> bytes:
        """chpl, for udta, with the first 255 chapters."""
        if not self._chapters:
            return b""
        entries = listed(self._chapters[:255], self._fps)
        return full_box(
            "chpl", 1, 0, bytes(4), bytes([len(entries)]),
            *(
                struct.pack(">QB", start, len(title.encode())) + title.encode()
                for start, title in entries
            ),
        )  # fmt: skip

    def tracks(self, offset: int) -> tuple[bytes, ...]:
        """trak of each text track, numbered from 2; the samples of the first one begin at byte
        `offset` of the file."""
        return (self._chapter_track(offset),) if self._chapters else ()

    def _chapter_track(self, offset: int) -> bytes:
        spans = np.array([chapter.end - chapter.start for chapter in self._chapters]) * self._unit
        sizes = np.array([len(sample) for sample in self._samples])
        tables = sample_tables(sizes, spans, np.array([len(sizes)]), np.array([offset]))
        length = int(spans.sum())
        inside = media(
            "text", "ChapterHandler", self._timescale, length, _TEXT_HEADER, _TEXT_ENTRY, tables
        )
        # Flag 2: part of the movie, but not shown.
        return track(_CHAPTER_TRACK, 2, length, (0, 0), inside)
