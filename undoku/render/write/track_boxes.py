"""Builds the boxes of a film's chapters.

Chapters are stored as QuickTime's text track and as Nero's list in the metadata. QuickTime, iOS and
editors read the track (QuickTime File Format, "Chapter Lists"), most other players the list; VLC
and ffmpeg read either. The track is marked as hidden.
"""

from __future__ import annotations

import struct
from fractions import Fraction

from undoku.render.timeline.chapters import listed
from undoku.render.write.boxes import UNITY, box, full_box, media, track
from undoku.render.write.further_tracks import FurtherTracks

__all__ = ["TrackBoxes"]

_TRACK = 2
_UTF8 = box("encd", struct.pack(">I", 0x100))
_HEADER = box(
    "gmhd",
    # Graphics mode "copy", and default values of colour and balance.
    full_box("gmin", 0, 0, struct.pack(">HHHHHH", 0x40, 0x8000, 0x8000, 0x8000, 0, 0)),
    box("text", UNITY),
)
_ENTRY = box(
    "text",
    bytes(6) + b"\x00\x01",
    # Flags, justification, colours, box, font, face: all at their default values.
    bytes(44),
)


class TrackBoxes:
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
        """The samples of the text track, concatenated."""
        return b"".join(self._samples)

    @property
    def reference(self) -> bytes:
        """tref of the video track, 14496-12 clause 8.3.3: refers to the track of its chapters."""
        return box("tref", box("chap", struct.pack(">I", _TRACK))) if self._chapters else b""

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

    def track(self, offset: int) -> bytes:
        """trak of the text track, whose samples begin at byte `offset` of the file."""
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
        # Flag 2: part of the movie, but not shown.
        return track(_TRACK, 2, length, (0, 0), inside)
