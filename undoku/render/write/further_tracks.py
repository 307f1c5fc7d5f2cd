"""The tracks of a film beside its pictures: chapters and sound."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from undoku.render.timeline.chapters import chapter_input
from undoku.render.timeline.notes import Note

if TYPE_CHECKING:  # imported only for films with sound
    from undoku.render.write.soundtrack import Soundtrack

__all__ = ["NO_TRACKS", "FilmSound", "FurtherTracks"]


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


NO_TRACKS = FurtherTracks()
