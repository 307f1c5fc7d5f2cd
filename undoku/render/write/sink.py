"""The interface of the sinks: every writer of an output format implements it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol, Self

from undoku.errors import EncoderError, OutputError, SettingsError
from undoku.extensions import named_function
from undoku.render.draw.canvas import Frame
from undoku.render.draw.sprite_run import SpriteRun
from undoku.render.settings.fields import SettingFields
from undoku.render.write.formats import format_of
from undoku.render.write.further_tracks import NO_TRACKS, FurtherTracks
from undoku.render.write.staging import Staging, write_error

if TYPE_CHECKING:
    from undoku.render.draw.easel import Drawing


@dataclass(frozen=True, slots=True)
class EncoderChoice:
    """The encoder of an MP4: `direct` or x264. `reason` is a text for users; "" when the user named
    the encoder."""

    direct: bool
    reason: str = ""

    @property
    def encoder(self) -> str:
        return "direct" if self.direct else "x264"

    @property
    def summary(self) -> str:
        """The encoder and the reason, as "x264: …"; "" when the user named the encoder."""
        return f"{self.encoder}: {self.reason}" if self.reason else ""


X264, DIRECT = EncoderChoice(direct=False), EncoderChoice(direct=True)


class SinkContext(NamedTuple):
    """What a sink must know before the first frame: the `settings` of the film, `about`, the file's
    metadata as (name, text): title, puzzle, strategies, command; and the `encoder` of an MP4."""

    settings: SettingFields
    about: tuple[tuple[str, str], ...] = ()
    encoder: EncoderChoice = X264
    main_colours: Callable[[], tuple[int, ...]] = tuple
    """Returns the colours, 0xRRGGBB, that a palette must hold exactly, at most 255. None if the
    palette is likely to hold all colours of the film."""
    tracks: FurtherTracks = NO_TRACKS
    """Chapters and sound, for formats that support them."""

    @property
    def alpha(self) -> bool:
        """Whether frames have an alpha channel: RGBA instead of RGB."""
        return self.settings.background == "none"

    @property
    def samples(self) -> int:
        """Samples of a pixel: 3, or 4 with alpha."""
        return 4 if self.alpha else 3

    @property
    def mp4_about(self) -> tuple[tuple[str, str], ...]:
        """The metadata of an MP4, as (name, text)."""
        chosen = self.encoder.summary
        return (*self.about, ("encoder", chosen)) if chosen else self.about


class Written(NamedTuple):
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
    encoder: EncoderChoice | None = None
    """That of an MP4; None for other formats."""


class Encoded(Protocol):
    """The part of a film that has been encoded directly so far."""

    @property
    def ticks(self) -> int: ...

    @property
    def bytes(self) -> int: ...

    @property
    def copied(self) -> int:
        """Motion vectors written for copied macroblocks."""


class ClosedFile(NamedTuple):
    """What a sink wrote, by its own count: frames, seconds, and the bytes of the file."""

    frames: int
    seconds: Fraction
    bytes: int


class Sink(ABC):
    """Writes a file under a temporary name; `finish` verifies it and renames it.

    Use it as a context manager: when the context ends before `finish`, the sink aborts and removes
    its files. A sink must set all attributes that `release` needs before anything in it can fail.
    """

    def __init__(self, staging: Staging, context: SinkContext) -> None:
        self.staging = staging
        self.context = context
        self.settings = context.settings
        self._open = True

    @property
    def name(self) -> str:
        """The name of the file in messages."""
        return repr(str(self.staging.final))

    @property
    def rate(self) -> Fraction:
        """The frame rate of the file, which some formats round."""
        return self.settings.fps

    @abstractmethod
    def close_file(self) -> ClosedFile:
        """Write the rest of the file and close it. Raises EncoderError, OutputError, OSError."""

    def release(self) -> None:  # noqa: B027  # not every sink has anything to release
        """Stop what writes the file, on an abort. Must not fail if it was released before."""

    def finish(self) -> Written:
        """Close the file, compare its bytes with those that were written, and rename it. Raises
        EncoderError or OutputError, having aborted."""
        self.check_open("is closed already")
        with self.aborting():
            closed = self.close_file()
            if self.stored_bytes() != closed.bytes:
                raise OutputError(
                    f"{self.name} was damaged while it was written", remedy="check the disk"
                )
            self.staging.commit()
        self._open = False
        return Written(
            path=self.staging.final,
            frames=closed.frames,
            duration=closed.seconds,
            bytes=closed.bytes,
            width=self.settings.width,
            height=self.settings.height,
            fps=self.rate,
        )

    def stored_bytes(self) -> int:
        return self.staging.temporary.stat().st_size

    def abort(self) -> None:
        """Stop and remove what was written. May be called at any time and more than once; does
        nothing after `finish`."""
        if self._open:
            self._open = False
            try:
                self.release()
            finally:
                self.staging.discard()

    @contextmanager
    def aborting(self) -> Iterator[None]:
        """Abort on any error; an OSError becomes an OutputError."""
        try:
            yield
        except OSError as error:
            self.abort()
            raise write_error(self.staging.final, error) from None
        except BaseException:
            self.abort()
            raise

    def check_open(self, otherwise: str = "is closed and takes no more frames") -> None:
        if not self._open:
            raise EncoderError(f"{self.name} {otherwise}")

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

    with SomeSink(staging, context) as sink:
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


class SingleFileSink(Sink):
    """Writes all bytes of its file at once."""

    def __init__(self, staging: Staging, context: SinkContext) -> None:
        super().__init__(staging, context)
        self._closed = ClosedFile(1, 1 / self.settings.fps, 0)

    def _write_bytes(self, content: bytes, frames: int = 1) -> None:
        """Write the whole file, of `frames` frames. Raises OutputError, having aborted."""
        with self.aborting():
            self.staging.temporary.write_bytes(content)
        self._closed = ClosedFile(frames, frames / self.settings.fps, len(content))

    def close_file(self) -> ClosedFile:
        return self._closed


class DocumentSink(SingleFileSink):
    """Writes a drawing, one picture as vector graphics, to a file of one page."""

    @abstractmethod
    def encoded(self, drawing: Drawing) -> bytes:
        """The whole file."""

    def write(self, drawing: Drawing) -> None:
        """Write the drawing. Raises OutputError when it can't be written."""
        self._write_bytes(self.encoded(drawing))


class PageSink(SingleFileSink):
    """Writes an HTML page with the interactive player, whose text `undoku.player` makes."""

    def write(self, page: str, frames: int) -> None:
        """Write the page of a film of `frames` frames. Raises OutputError when it can't be
        written."""
        self._write_bytes(page.encode(), frames)


def open_sink(path: Path, context: SinkContext, *, overwrite: bool = False) -> Sink:
    """The sink of a file's format: a FrameSink, a DocumentSink or a PageSink. Raises SettingsError
    for an unknown format or invalid settings, OutputError when the file can't be made."""
    chosen = format_of(path)
    direct = context.encoder.direct and chosen.direct_writer
    writer = named_function(f"the writer of {chosen.name}", direct or chosen.writer, SettingsError)
    sink: object
    if chosen.sequence:
        sink = writer(path, context, overwrite=overwrite)
        assert isinstance(sink, Sink)
        return sink
    staging = Staging(path, overwrite=overwrite)
    try:
        sink = writer(staging, context)
        if not isinstance(sink, Sink):
            raise SettingsError(
                f"the writer of {chosen.name} made {sink!r}, which is no Sink",
                remedy="let it be a class derived from FrameSink, DocumentSink or PageSink",
            )
    except BaseException:
        staging.discard()
        raise
    return sink
