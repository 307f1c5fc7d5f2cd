"""What a film holds beside its pictures, in the formats that can hold it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from render.metadata.chapter_list import Chapter, chapter_input, counted, listed, timed

if TYPE_CHECKING:  # what a film without sound need not load
    from render.sound.soundtrack import Soundtrack

__all__ = ["NO_TRACKS", "FilmSound", "FurtherTracks", "HeldSound", "InMp4", "InWebm"]


class HeldSound(NamedTuple):
    """A sound as a file holds it: its codec as the file names it, and packets."""

    codec: str
    packets: int


class InMp4(NamedTuple):
    """What an MP4 holds of them: chapters as (seconds, title) in a track of texts, and as
    (1/10^7 seconds, title) in a list; and the sound."""

    chapters: tuple[tuple[Fraction, str], ...] = ()
    listed_chapters: tuple[tuple[int, str], ...] = ()
    sound: HeldSound | None = None


class InWebm(NamedTuple):
    """What a WebM holds of them: chapters as (nanoseconds, title); and the sound."""

    chapters: tuple[tuple[int, str], ...] = ()
    sound: HeldSound | None = None


class FilmSound(Protocol):
    """A film's sound, encoded when it is first asked for."""

    @property
    def soundtrack(self) -> Soundtrack: ...

    @property
    def aac(self) -> Path:
        """An MP4 file of AAC alone. Raises EncoderError, OutputError."""

    @property
    def opus(self) -> Path:
        """A WebM file of Opus alone. Raises EncoderError, OutputError."""

    @property
    def held_aac(self) -> HeldSound: ...

    @property
    def held_opus(self) -> HeldSound: ...


@dataclass(frozen=True, slots=True)
class FurtherTracks:
    """Whoever hands a film on passes these as they are. `chapters` are parts with titles that cover
    the whole film, one after the other."""

    chapters: tuple[Chapter, ...] = ()
    sound: FilmSound | None = None

    def mp4_arguments(self, fps: Fraction) -> list[str]:
        """What ffmpeg is told, between its input of pictures and its output, which is MP4."""
        return self._arguments(fps, self.sound.aac if self.sound else None)

    def webm_arguments(self, fps: Fraction) -> list[str]:
        """The same where it is WebM."""
        return self._arguments(fps, self.sound.opus if self.sound else None)

    def _arguments(self, fps: Fraction, sound: Path | None) -> list[str]:
        inputs: list[str] = []
        maps: list[str] = []
        if self.chapters:
            inputs += chapter_input(self.chapters, fps)
            maps += ["-map_chapters", "1"]
        if sound is not None:
            maps += ["-map", f"{1 + bool(self.chapters)}:a", "-c:a", "copy"]
            inputs += ["-i", f"file:{sound}"]
        return [*inputs, "-map", "0:v", *maps] if inputs else []

    def in_mp4(self, fps: Fraction) -> InMp4:
        """What must be found in an MP4 of `fps` frames a second."""
        sound = self.sound.held_aac if self.sound else None
        return InMp4(timed(self.chapters, fps), listed(self.chapters, fps), sound)

    def in_webm(self, fps: Fraction) -> InWebm:
        """What must be found in a WebM of `fps` frames a second."""
        sound = self.sound.held_opus if self.sound else None
        return InWebm(counted(self.chapters, fps, 10**9), sound)


NO_TRACKS = FurtherTracks()
