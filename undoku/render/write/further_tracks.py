"""The tracks of a film beside its pictures: chapters and sound."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from undoku.render.timeline.chapters import chapter_input
from undoku.render.timeline.notes import Note
from undoku.render.write.formats import SoundCodec

if TYPE_CHECKING:  # imported only for films with sound
    from undoku.render.write.soundtrack import Soundtrack


class FilmSound(Protocol):
    """The sound of a film, encoded on first use."""

    @property
    def soundtrack(self) -> Soundtrack: ...

    def encoded(self, codec: SoundCodec) -> Path:
        """A file with only the sound: an MP4 with AAC, or a WebM with Opus. Raises EncoderError,
        OutputError."""


class FurtherTracks(NamedTuple):
    """The tracks beside the pictures, which delivery passes on unchanged. `chapters` are
    consecutive parts with titles that cover the whole film."""

    chapters: tuple[Note, ...] = ()
    sound: FilmSound | None = None

    def arguments(self, fps: Fraction, codec: SoundCodec) -> list[str]:
        """ffmpeg's arguments between its input of pictures and its output."""
        inputs: list[str] = []
        maps: list[str] = []
        if self.chapters:
            inputs += chapter_input(self.chapters, fps)
            maps += ["-map_chapters", "1"]
        if self.sound:
            maps += ["-map", f"{1 + bool(self.chapters)}:a", "-c:a", "copy"]
            inputs += ["-i", f"file:{self.sound.encoded(codec)}"]
        return [*inputs, "-map", "0:v", *maps] if inputs else []


NO_TRACKS = FurtherTracks()
