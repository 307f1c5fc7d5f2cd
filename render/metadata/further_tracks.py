"""What a film holds beside its pictures, in the formats that can hold it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from render.metadata.chapter_list import Chapter, chapter_arguments, counted, listed, timed

__all__ = ["NO_TRACKS", "FurtherTracks", "InMp4", "InWebm"]


class InMp4(NamedTuple):
    """What an MP4 holds of them: chapters as (seconds, title) in a track of texts, and as
    (1/10^7 seconds, title) in a list."""

    chapters: tuple[tuple[Fraction, str], ...] = ()
    listed_chapters: tuple[tuple[int, str], ...] = ()


class InWebm(NamedTuple):
    """What a WebM holds of them: chapters as (nanoseconds, title)."""

    chapters: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class FurtherTracks:
    """Whoever hands a film on passes these as they are. `chapters` are parts with titles that cover
    the whole film, one after the other."""

    chapters: tuple[Chapter, ...] = ()

    def arguments(self, fps: Fraction) -> list[str]:
        """What ffmpeg is told, between its input of pictures and its output."""
        return chapter_arguments(self.chapters, fps)

    def in_mp4(self, fps: Fraction) -> InMp4:
        """What must be found in an MP4 of `fps` frames a second."""
        return InMp4(timed(self.chapters, fps), listed(self.chapters, fps))

    def in_webm(self, fps: Fraction) -> InWebm:
        """What must be found in a WebM of `fps` frames a second."""
        return InWebm(counted(self.chapters, fps, 10**9))


NO_TRACKS = FurtherTracks()
