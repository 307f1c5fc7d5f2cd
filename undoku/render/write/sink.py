"""The interface of the sinks: every writer of an output format implements it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Protocol, Self

from undoku.render.draw.canvas import Frame
from undoku.render.draw.sprite_run import SpriteRun
from undoku.render.write.further_tracks import NO_TRACKS, FurtherTracks
from undoku.render.write.staging import Staging

__all__ = ["Encoded", "FilmShape", "FrameSink", "Sink", "Written"]


@dataclass(frozen=True, slots=True)
class FilmShape:
    """What a sink must know before the first frame. `width` and `height` are pixels, `fps` frames
    per second, `about` the file's metadata as (name, text): title, puzzle, strategies, command."""

    width: int
    height: int
    fps: Fraction
    quality: str = "standard"
    about: tuple[tuple[str, str], ...] = ()
    loop: int = 0
    """How many times an animated picture plays; 0: endlessly."""
    first_number: int = 1
    """The number of a sequence's first picture."""
    direct: bool = False
    """Whether an MP4 is written directly, without an external encoder."""
    encoder_summary: str = ""
    """The chosen encoder and the reason, stored in the metadata of an MP4; "" where the user
    named the encoder."""
    encoder_threads: int = 4
    """Threads of a video encoder. They affect its output, so the machine doesn't determine them."""
    level: int = 62
    """The highest level of H.264 that an MP4 may declare, times ten: 62 is level 6.2."""
    key_interval: Fraction | None = None
    """The longest time between two key frames of an MP4, in seconds; None: the default of the
    quality."""
    variable_rate: bool = False
    """Whether a directly written MP4 has one sample for each frame that differs from the previous
    one (variable frame rate), instead of one for each tick."""
    closed: bool = False
    """Whether segments of an MP4 can be encoded separately, cut at key frames, and joined to the
    same film."""
    alpha: bool = False
    """Whether frames have an alpha channel: RGBA instead of RGB."""
    main_colours: Callable[[], tuple[int, ...]] = tuple
    """Returns the colours, 0xRRGGBB, that a palette must hold exactly, at most 255. None if the
    palette is likely to hold all colours of the film."""
    tracks: FurtherTracks = NO_TRACKS
    """Chapters and sound, for formats that support them."""

    @property
    def samples(self) -> int:
        """Samples of a pixel: 3, or 4 with alpha."""
        return 4 if self.alpha else 3

    def key_ticks(self, default: Fraction | int) -> int:
        """The longest distance between two key frames in ticks, at least 1: from `key_interval`,
        or from `default` seconds where that is None."""
        seconds = default if self.key_interval is None else self.key_interval
        return max(1, int(seconds * self.fps))

    @property
    def mp4_about(self) -> tuple[tuple[str, str], ...]:
        """The metadata of an MP4, as (name, text)."""
        return (
            (*self.about, ("encoder", self.encoder_summary)) if self.encoder_summary else self.about
        )

    @property
    def mp4_encoder(self) -> str:
        """The encoder of an MP4 and, where undoku chose it, the reason: "x264" or "direct: 99 bytes
        …"."""
        return self.encoder_summary or ("direct" if self.direct else "x264")


@dataclass(frozen=True, slots=True)
class Written:
    """A finished output."""

    path: Path
    frames: int
    """Frames in the file. A repeated frame counts as often as the format stores it."""
    duration: Fraction
    """Seconds."""
    bytes: int
    width: int
    height: int
    fps: Fraction
    """The frame rate of the file; some formats don't support the rate that was requested."""
    encoder_summary: str = ""
    """`FilmShape.mp4_encoder`; "" for other formats."""

    @property
    def encoder(self) -> tuple[str, str]:
        """The encoder of an MP4 and the reason for its choice; "" where there is none."""
        encoder, _, reason = self.encoder_summary.partition(": ")
        return encoder, reason


class Encoded(Protocol):
    """The part of a film that has been encoded directly so far."""

    @property
    def ticks(self) -> int: ...

    @property
    def bytes(self) -> int: ...

    @property
    def copied(self) -> int:
        """Motion vectors written for copied macroblocks."""


class Sink(ABC):
    """Writes a file under a temporary name; `finish` verifies it and renames it.

    Use it as a context manager: when the context ends before `finish`, the sink aborts and removes
    its files.
    """

    def __init__(self, staging: Staging, shape: FilmShape) -> None:
        self.staging = staging
        self.shape = shape

    @abstractmethod
    def finish(self) -> Written:
        """Close, verify and rename. Raises EncoderError or OutputError, having aborted."""

    @abstractmethod
    def abort(self) -> None:
        """Stop and remove what was written. May be called at any time and more than once; does
        nothing after `finish`."""

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

    in_thread: ClassVar[bool] = False
    """Whether films are written faster if another thread than the one that draws calls `write` and
    `write_run`."""

    @property
    def encoded(self) -> Encoded | None:
        """The film encoded so far, for an MP4 that is written directly; None for other files."""
        return None

    @abstractmethod
    def write(self, frame: Frame) -> None:
        """Add a frame. Raises EncoderError or OutputError when it can't be written."""

    def write_run(self, run: SpriteRun) -> None:
        """Play a run and add its frames. Raises as `write` does."""
        for frame in run.frames():
            self.write(frame)
