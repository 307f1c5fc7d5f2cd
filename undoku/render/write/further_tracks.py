"""The tracks of a film beside its pictures: chapters and sound."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from undoku.render.timeline.chapters import chapter_input, counted, listed, timed
from undoku.render.timeline.notes import Note

if TYPE_CHECKING:  # imported only for films with sound
    from undoku.render.write.soundtrack import Soundtrack

__all__ = ["NO_TRACKS", "FilmSound", "FurtherTracks", "InMp4", "InWebm", "StoredTrack"]


class StoredTrack(NamedTuple):
    """A track in a file: the file's name of its codec, and the number of packets."""

    codec: str
    packets: int


class InMp4(NamedTuple):
    """The further tracks of an MP4: chapters as (seconds, title) in a track of texts, and as
    (1/10^7 seconds, title) in a list; and the sound."""

    chapters: tuple[tuple[Fraction, str], ...] = ()
    listed_chapters: tuple[tuple[int, str], ...] = ()
    sound: StoredTrack | None = None

    @property
    def without_list(self) -> InMp4:
        """The tracks alone, for files in which ffmpeg writes no list of chapters."""
        return self._replace(listed_chapters=())


class InWebm(NamedTuple):
    """The further tracks of a WebM: chapters as (nanoseconds, title); and the sound."""

    chapters: tuple[tuple[int, str], ...] = ()
    sound: StoredTrack | None = None


class FilmSound(Protocol):
    """The sound of a film, encoded on first use."""

    @property
    def soundtrack(self) -> Soundtrack: ...

    @property
    def aac(self) -> Path:
        """An MP4 file with only AAC. Raises EncoderError, OutputError."""

    @property
    def opus(self) -> Path:
        """A WebM file with only Opus. Raises EncoderError, OutputError."""

    @property
    def stored_aac(self) -> StoredTrack: ...

    @property
    def stored_opus(self) -> StoredTrack: ...


@dataclass(frozen=True, slots=True)
class FurtherTracks:
    """The tracks beside the pictures, which delivery passes on unchanged. `chapters` are
    consecutive parts with titles that cover the whole film."""

    chapters: tuple[Note, ...] = ()
    sound: FilmSound | None = None

    def mp4_arguments(self, fps: Fraction) -> list[str]:
        """ffmpeg's arguments between its input of pictures and its MP4 output."""
        return self._arguments(fps, self.sound.aac if self.sound else None)

    def webm_arguments(self, fps: Fraction) -> list[str]:
        """The same for WebM output."""
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
        """The expected tracks of an MP4 with `fps` frames per second."""
        sound = self.sound.stored_aac if self.sound else None
        return InMp4(timed(self.chapters, fps), listed(self.chapters, fps), sound)

    def in_webm(self, fps: Fraction) -> InWebm:
        """The expected tracks of a WebM with `fps` frames per second."""
        sound = self.sound.stored_opus if self.sound else None
        return InWebm(counted(self.chapters, fps, 10**9), sound)


NO_TRACKS = FurtherTracks()
