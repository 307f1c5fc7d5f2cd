"""The base of the sinks that encode by ffmpeg: planes in, one verified file out."""

from __future__ import annotations

from abc import abstractmethod
from fractions import Fraction
from typing import ClassVar

import numpy as np

from undoku.errors import EncoderError, SettingsError
from undoku.render.draw.canvas import Frame
from undoku.render.draw.sprite_run import SpriteRun
from undoku.render.write.ffmpeg import FfmpegProcess
from undoku.render.write.sink import FilmShape, FrameSink, Written
from undoku.render.write.staging import Staging, write_error
from undoku.render.write.yuv import Planes
from undoku.render.write.yuva import AlphaPlanes

__all__ = ["EncodedSink"]

_MAX_SIDE = 8192  # the limit of H.264's highest levels and of most decoders
_MIN_SIDE = 16


class EncodedSink(FrameSink):
    """Converts frames and writes each to an ffmpeg process, `frame.ticks` times.

    Raises SettingsError for odd sides, sides below 16 or above 8192 pixels, a frame rate of 0 or
    less, and an unknown quality; EncoderError when ffmpeg can't start. The temporary file is
    removed then.
    """

    full_chroma: ClassVar[bool] = False

    def __init__(self, staging: Staging, shape: FilmShape) -> None:
        super().__init__(staging, shape)
        self._process: FfmpegProcess | None = None
        self._frames = 0
        self._open = True
        try:
            self._refuse_impossible()
            kind = AlphaPlanes if shape.alpha else Planes
            self._planes = kind(shape.width, shape.height, full_chroma=self.full_chroma)
            self._process = FfmpegProcess(
                (shape.width, shape.height),
                shape.fps,
                self._planes.layout,
                self._arguments(),
                staging.temporary,
                staging.final,
            )
        except BaseException:
            self.abort()
            raise

    @abstractmethod
    def _arguments(self) -> list[str]:
        """The arguments of the encoder and the container. Raises SettingsError."""

    @abstractmethod
    def _found(self) -> tuple[int, Fraction, list[tuple[str, object, object]]]:
        """Frames and seconds of the written file, and further checks as (name, found, expected).
        Raises ValueError or OSError for a file that can't be read."""

    def _refuse_impossible(self) -> None:
        width, height, fps = self.shape.width, self.shape.height, self.shape.fps
        sides = (width, height)
        if max(sides) > _MAX_SIDE or min(sides) < _MIN_SIDE or fps <= 0:
            raise SettingsError(
                f"{width}x{height} at {fps} frames/s is not a video",
                remedy=f"give sides of {_MIN_SIDE} to {_MAX_SIDE} pixels and a rate above 0",
            )

    def write(self, frame: Frame) -> None:
        """Add a frame, `frame.ticks` times."""
        shape = self.shape
        right = (shape.height, shape.width, shape.samples)
        if frame.pixels.shape != right or frame.pixels.dtype != np.uint8:
            raise EncoderError(
                f"a frame of shape {frame.pixels.shape} and {frame.pixels.dtype} doesn't fit "
                f"a film of {shape.width}x{shape.height}",
                remedy=f"give {right} uint8",
            )
        if self._process is None:
            raise EncoderError(f"{str(self.staging.final)!r} is closed and takes no more frames")
        self._planes.update(frame.pixels, frame.changes)
        for _ in range(frame.ticks):
            self._hand_over(self._process)

    def _hand_over(self, process: FfmpegProcess) -> None:
        process.write(self._planes.bytes)
        self._frames += 1

    def write_run(self, run: SpriteRun) -> None:
        """Play a run and add its frames; the film is the same as with one `write` per frame.
        Raises as `write` does."""
        if self._process is None or self.shape.alpha:
            super().write_run(run)
            return
        for rects in run.rects():
            if len(rects):
                self._planes.convert(run.pixels, rects)
            self._hand_over(self._process)

    def finish(self) -> Written:
        """Wait for ffmpeg, check the file and rename it. Raises EncoderError or OutputError, having
        aborted."""
        try:
            if self._process is None:
                raise EncoderError(f"{str(self.staging.final)!r} is closed already")
            if not self._frames:
                raise EncoderError(f"{str(self.staging.final)!r} would have no frame")
            self._process.finish()
            duration = self._check()
            size = self._size()
            self.staging.commit()
        except BaseException:
            self.abort()
            raise
        self._process, self._open = None, False
        return Written(
            path=self.staging.final,
            frames=self._frames,
            duration=duration,
            bytes=size,
            width=self.shape.width,
            height=self.shape.height,
            fps=self.shape.fps,
        )

    def abort(self) -> None:
        if self._open:
            self._open = False
            process, self._process = self._process, None
            try:
                if process is not None:
                    process.kill()
            finally:
                self.staging.discard()

    def _size(self) -> int:
        try:
            return self.staging.temporary.stat().st_size
        except OSError as error:
            raise write_error(self.staging.final, error) from None

    def _check(self) -> Fraction:
        """Compare the written file with the frames given to ffmpeg; returns its seconds. Raises
        EncoderError when they differ."""
        name = str(self.staging.final)
        try:
            frames, duration, more = self._found()
        except (OSError, ValueError) as error:
            raise EncoderError(f"ffmpeg wrote no sound file for {name!r}: {error}") from None
        for what, found, right in [("frames", frames, self._frames), *more]:
            if found != right:
                raise EncoderError(
                    f"ffmpeg wrote {what} {found} where {name!r} should have {right}"
                )
        return duration
