"""The base of the sinks that encode by ffmpeg: raw pictures in, one verified file out."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from undoku.errors import EncoderError, SettingsError
from undoku.render.draw.canvas import Change, Frame, Pixels
from undoku.render.draw.sprite_run import SpriteRun
from undoku.render.write.ffmpeg import COLOUR, FfmpegProcess, raw_input
from undoku.render.write.sink import ClosedFile, FrameSink, SinkContext
from undoku.render.write.staging import Staging
from undoku.render.write.yuv import AlphaPlanes, Planes

_MAX_SIDE = 8192  # the limit of H.264's highest levels and of most decoders
_MIN_SIDE = 16


class RawPictures(Protocol):
    """The pictures of one film as ffmpeg reads them; `layout` is its name of their pixel format."""

    bytes: NDArray[np.uint8]
    """(n,), the present picture."""

    @property
    def layout(self) -> str: ...

    def update(self, pixels: Pixels, changes: Iterable[Change]) -> None:
        """Convert the changed rectangles of the next frame."""

    def convert(self, pixels: Pixels, rects: NDArray[np.int32]) -> None:
        """Convert `rects` (n, 4: left, top, right, bottom) of the next frame."""


class EncodedSink(FrameSink):
    """Converts frames and writes each to an ffmpeg process, `frame.ticks` times.

    Raises SettingsError for odd sides, sides below 16 or above 8192 pixels, a frame rate of 0 or
    less, and an unknown quality; EncoderError when ffmpeg can't start. The temporary file is
    removed then.
    """

    full_chroma: ClassVar[bool] = False
    colour: ClassVar[tuple[str, ...]] = COLOUR
    """ffmpeg's arguments for the colour space of the raw pictures and of the film."""

    def __init__(self, staging: Staging, context: SinkContext) -> None:
        super().__init__(staging, context)
        self.process: FfmpegProcess | None = None
        self._frames = 0
        with self.aborting():
            self._refuse_impossible()
            self._raw = self.raw_pictures()
            source = raw_input(
                self.settings.width,
                self.settings.height,
                self.settings.fps,
                self._raw.layout,
                self.colour,
            )
            self.process = FfmpegProcess(
                [*source, *self.encoder_arguments(), *self.colour],
                staging.temporary,
                staging.final,
            )

    def raw_pictures(self) -> RawPictures:
        """What the encoder reads. Raises SettingsError."""
        kind = AlphaPlanes if self.context.alpha else Planes
        return kind(self.settings.width, self.settings.height, full_chroma=self.full_chroma)

    @abstractmethod
    def encoder_arguments(self) -> list[str]:
        """ffmpeg's arguments: further inputs, the encoder and the container. Raises
        SettingsError."""

    def _refuse_impossible(self) -> None:
        width, height, fps = self.settings.width, self.settings.height, self.settings.fps
        sides = (width, height)
        if max(sides) > _MAX_SIDE or min(sides) < _MIN_SIDE or fps <= 0:
            raise SettingsError(
                f"{width}x{height} at {fps} frames/s is not a video",
                remedy=f"give sides of {_MIN_SIDE} to {_MAX_SIDE} pixels and a rate above 0",
            )

    def write(self, frame: Frame) -> None:
        """Add a frame, `frame.ticks` times."""
        right = (self.settings.height, self.settings.width, self.context.samples)
        if frame.pixels.shape != right or frame.pixels.dtype != np.uint8:
            raise EncoderError(
                f"a frame of shape {frame.pixels.shape} and {frame.pixels.dtype} doesn't fit "
                f"a film of {self.settings.width}x{self.settings.height}",
                remedy=f"give {right} uint8",
            )
        self.check_open()
        self._raw.update(frame.pixels, frame.changes)
        for _ in range(frame.ticks):
            self._encode()

    def _encode(self) -> None:
        """Encode the raw picture as the next frame."""
        assert self.process is not None
        self.process.write(self._raw.bytes)
        self._frames += 1

    def write_run(self, run: SpriteRun) -> None:
        """Play a run and add its frames; the film is the same as with one `write` per frame.
        Raises as `write` does."""
        self.check_open()
        if self.context.alpha:
            super().write_run(run)
            return
        for rects in run.rects():
            if len(rects):
                self._raw.convert(run.pixels, rects)
            self._encode()

    def close_file(self) -> ClosedFile:
        assert self.process is not None
        if not self._frames:
            raise EncoderError(f"{self.name} would have no frame")
        encoded = self.process.finish()
        if encoded.frames != self._frames:
            raise EncoderError(
                f"ffmpeg wrote {encoded.frames} frames of the {self._frames} of {self.name}"
            )
        return ClosedFile(self._frames, self._frames / self.settings.fps, encoded.bytes)

    def release(self) -> None:
        if self.process is not None:
            self.process.kill()
