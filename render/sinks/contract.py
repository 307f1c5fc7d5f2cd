"""What every writer of an output format promises."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from render.drawing.canvas import Frame
from render.drawing.sprite_run import SpriteRun
from render.metadata.further_tracks import NO_TRACKS, FurtherTracks
from render.sinks.staging import Staging

__all__ = ["Encoded", "FilmShape", "FrameSink", "Sink", "Written"]


@dataclass(frozen=True, slots=True)
class FilmShape:
    """What a sink must know before the first frame: size in pixels, frame rate, and what the file
    says about itself (title, puzzle, strategies, command: texts by name)."""

    width: int
    height: int
    fps: Fraction
    quality: str = "standard"
    about: tuple[tuple[str, str], ...] = ()
    loop: int = 0
    """How often a picture that plays by itself does so; 0 is for ever."""
    first_number: int = 1
    """Of the pictures of a sequence."""
    direct: bool = False
    """Whether an MP4 is written directly, without an encoder."""
    way: str = ""
    """Which of the two was chosen for it, and why; an MP4 says so of itself."""
    encoder_threads: int = 4
    """Of a video encoder: part of the result, so it never depends on the machine."""
    level: int = 62
    """The highest level of H.264 that an MP4 may declare, ten times its name."""
    key_interval: Fraction | None = None
    """Seconds from one key frame of an MP4 to the next at most; None for the quality's own."""
    variable_rate: bool = False
    """Whether an MP4 that is written directly has one sample for each frame that differs from the
    one before, instead of one for each tick."""
    closed: bool = False
    """Whether an MP4 can be cut at its key frames into parts that join to the same film."""
    alpha: bool = False
    """Whether frames say how far each pixel covers what is below: RGBA instead of RGB."""
    tracks: FurtherTracks = NO_TRACKS
    """What the file holds beside its pictures, for formats that can hold it."""

    @property
    def samples(self) -> int:
        """Of a pixel: 3, or 4 with alpha."""
        return 4 if self.alpha else 3

    def key_ticks(self, default: Fraction | int) -> int:
        """Ticks from one key frame to the next at most, where the quality has one every `default`
        seconds; at least 1."""
        seconds = default if self.key_interval is None else self.key_interval
        return max(1, int(seconds * self.fps))

    @property
    def mp4_about(self) -> tuple[tuple[str, str], ...]:
        """What an MP4 says about itself."""
        return (*self.about, ("encoder", self.way)) if self.way else self.about

    @property
    def mp4_way(self) -> str:
        """How an MP4 is written and, where it was chosen, why: "x264", "direct: 99 bytes …"."""
        return self.way or ("direct" if self.direct else "x264")


@dataclass(frozen=True, slots=True)
class Written:
    """A finished output."""

    path: Path
    frames: int
    """Frames in the file: repeated ones counted as often as the format stores them."""
    duration: Fraction
    """Seconds."""
    bytes: int
    width: int
    height: int
    fps: Fraction
    """As written; a format may not be able to hold the rate that was asked for."""
    way: str = ""
    """Of an MP4, `FilmShape.mp4_way`."""

    @property
    def encoder(self) -> tuple[str, str]:
        """Of an MP4, how it was written and why; "" where nobody chose."""
        encoder, _, why = self.way.partition(": ")
        return encoder, why


class Encoded(Protocol):
    """As much of a film as was written directly."""

    @property
    def ticks(self) -> int: ...

    @property
    def bytes(self) -> int: ...

    @property
    def copied(self) -> int:
        """Vectors that copy what is there already."""


class Sink(ABC):
    """Writes a file under a temporary name; `finish` verifies it and gives it its name.

    Use it as a context manager: its end aborts what is not finished, which removes every trace of
    it.
    """

    def __init__(self, staging: Staging, shape: FilmShape) -> None:
        self.staging = staging
        self.shape = shape

    @abstractmethod
    def finish(self) -> Written:
        """Close, verify and rename. Raises EncoderError or OutputError, having aborted."""

    @abstractmethod
    def abort(self) -> None:
        """Stop at once and remove what was written. Safe to call at any time, also twice, also
        after `finish`, when it does nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.abort()


class FrameSink(Sink):
    """Writes frames to a file:

    with SomeSink(staging, shape) as sink:
        sink.write(frame)
        ...
        written = sink.finish()
    """

    @property
    def encoded(self) -> Encoded | None:
        """What was written so far of an MP4 that is written directly; None for other files."""
        return None

    @abstractmethod
    def write(self, frame: Frame) -> None:
        """Add a frame. Raises EncoderError or OutputError when it can't be written."""

    def write_run(self, run: SpriteRun) -> None:
        """Add the frames of a run, which is played thereby. Raises as `write` does."""
        for frame in run.frames():
            self.write(frame)
