"""The boxes of what a film holds beside its pictures.

Chapters are QuickTime's text track, and Nero's list in the metadata. QuickTime, iOS and editors
read the track (QuickTime File Format, "Chapter Lists"), most other players the list; VLC and
ffmpeg take either. The track is marked as not to be shown.
"""

from __future__ import annotations

import struct
from fractions import Fraction

from render.metadata.chapter_list import listed
from render.metadata.further_tracks import FurtherTracks
from render.sinks.mp4.boxes import UNITY, box, full_box, media, track

__all__ = ["TrackBoxes"]

_TRACK = 2
_UTF8 = box("encd", struct.pack(">I", 0x100))
_HEADER = box(
    "gmhd",
    # Copying pixels, in a colour and balance that nobody asks for.
    full_box("gmin", 0, 0, struct.pack(">HHHHHH", 0x40, 0x8000, 0x8000, 0x8000, 0, 0)),
    box("text", UNITY),
)
_ENTRY = box(
    "text",
    bytes(6) + b"\x00\x01",
    # Flags, justification, colours, box, font, face: all as they are when nothing is said.
    bytes(44),
)


class TrackBoxes:
    """The boxes of `tracks`, each empty when there are none, in a film of `fps` frames a second
    whose clock counts `timescale` units a second, a whole number for each frame."""

    def __init__(self, tracks: FurtherTracks, fps: Fraction, timescale: int) -> None:
        self._chapters = chapters = tracks.chapters
        self._unit = int(timescale / fps)
        self._timescale = timescale
        self._fps = fps
        titles = [chapter.title.encode() for chapter in chapters]
        self._samples = [struct.pack(">H", len(title)) + title + _UTF8 for title in titles]

    @property
    def samples(self) -> bytes:
        """The text track's samples, one behind the other."""
        return b"".join(self._samples)

    @property
    def reference(self) -> bytes:
        """tref of the video track, 14496-12 clause 8.3.3: which track holds its chapters."""
        return box("tref", box("chap", struct.pack(">I", _TRACK))) if self._chapters else b""

    @property
    def list(self) -> bytes:
        """chpl, for udta. It holds the first 255."""
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

    def track(self, offset: int) -> bytes:
        """trak of the chapters, whose samples begin at byte `offset` of the file."""
        if not self._chapters:
            return b""
        spans = [chapter.end - chapter.start for chapter in self._chapters]
        sizes = [len(sample) for sample in self._samples]
        tables = b"".join(
            (
                full_box(
                    "stts", 0, 0, struct.pack(">I", len(spans)),
                    *(struct.pack(">II", 1, span * self._unit) for span in spans),
                ),
                full_box("stsc", 0, 0, struct.pack(">4I", 1, 1, len(sizes), 1)),
                full_box("stsz", 0, 0, struct.pack(f">II{len(sizes)}I", 0, len(sizes), *sizes)),
                full_box("stco", 0, 0, struct.pack(">II", 1, offset)),
            )
        )  # fmt: skip
        length = sum(spans) * self._unit
        inside = media("text", "ChapterHandler", self._timescale, length, _HEADER, _ENTRY, tables)
        # Flag 2: part of the film, but not shown.
        return track(_TRACK, 2, length, (0, 0), inside)
