"""Writes MP4 films: H.264, encoded by x264 inside ffmpeg, at a constant frame rate.

A picture that stands for several ticks is written as often: every player, editor and frame counter
then agrees on which picture is which (docs/encoding.md has the figures of the alternative).
"""

from __future__ import annotations

import contextlib
from fractions import Fraction

import numpy as np

from render.canvas import Frame
from render.sinks.contract import FilmShape, FrameSink, Written
from render.sinks.ffmpeg import FfmpegProcess, describe
from render.sinks.mp4_boxes import Mp4Film, read_mp4
from render.sinks.quality import quality
from render.sinks.staging import Staging, write_error
from render.sinks.yuv import Planes
from solver.errors import EncoderError, SettingsError

__all__ = ["Mp4FullChromaSink", "Mp4Sink"]

_MOST_PIXELS = 8192  # a side that H.264's highest levels, and decoders, still take
_THREADS = 4  # part of the result: x264's output depends on it
_TICKS_A_SECOND = 10_000  # an MP4 clock below this is rare enough for players to get wrong


class Mp4Sink(FrameSink):
    """H.264 High, 4:2:0, BT.709, index first: what browsers and phones play.

    `shape.quality` names one of render.sinks.quality. Raises SettingsError for an odd or too large
    size, an impossible frame rate or an unknown quality, EncoderError when ffmpeg can't start; the
    temporary file is gone then.
    """

    full_chroma = False
    profile = "high"
    profile_number = 100

    def __init__(self, staging: Staging, shape: FilmShape) -> None:
        super().__init__(staging, shape)
        self._process: FfmpegProcess | None = None
        self._frames = 0
        self._open = True
        try:
            if max(shape.width, shape.height) > _MOST_PIXELS or shape.fps <= 0:
                raise SettingsError(
                    f"{shape.width}x{shape.height} at {shape.fps} frames/s is no H.264 video",
                    remedy=f"give sides of at most {_MOST_PIXELS} pixels and a rate above 0",
                )
            self._planes = Planes(shape.width, shape.height, full_chroma=self.full_chroma)
            self._process = FfmpegProcess(
                (shape.width, shape.height),
                shape.fps,
                "yuv444p" if self.full_chroma else "yuv420p",
                self._arguments(),
                staging.temporary,
                staging.final,
            )
        except BaseException:
            self.abort()
            raise

    def _arguments(self) -> list[str]:
        chosen = quality(self.shape.quality)
        clock = self.shape.fps.numerator
        clock *= -(-_TICKS_A_SECOND // clock)
        threads = f"threads={_THREADS}:lookahead-threads=1:sliced-threads=0"
        return [
            *("-c:v", "libx264", "-preset", chosen.preset, "-profile:v", self.profile),
            *("-x264-params", f"{chosen.x264(self.shape.width, self.shape.height)}:{threads}"),
            # Nothing of the moment or of the machine: the same film gives the same bytes.
            *("-fflags", "+bitexact", "-flags:v", "+bitexact"),
            *("-bsf:v", "filter_units=remove_types=6"),  # x264's version and settings
            *describe(self.shape.about),
            *("-video_track_timescale", str(clock), "-movie_timescale", str(clock)),
            *("-movflags", "+faststart", "-f", "mp4"),
        ]

    def write(self, frame: Frame) -> None:
        """Add a frame, `frame.ticks` times."""
        shape = self.shape
        if frame.pixels.shape != (shape.height, shape.width, 3) or frame.pixels.dtype != np.uint8:
            raise EncoderError(
                f"a frame of shape {frame.pixels.shape} and {frame.pixels.dtype} doesn't fit "
                f"a film of {shape.width}x{shape.height}",
                remedy=f"give ({shape.height}, {shape.width}, 3) uint8",
            )
        if self._process is None:
            raise EncoderError(f"{str(self.staging.final)!r} is closed and takes no more frames")
        self._planes.update(frame.pixels, frame.changes)
        for _ in range(frame.ticks):
            self._process.write(self._planes.bytes)
            self._frames += 1

    def finish(self) -> Written:
        """Wait for ffmpeg, check what it wrote, and give the file its name."""
        try:
            if self._process is None:
                raise EncoderError(f"{str(self.staging.final)!r} is closed already")
            if not self._frames:
                raise EncoderError(f"{str(self.staging.final)!r} would have no frame")
            self._process.finish()
            film = self._check()
            size = self._size()
            self.staging.commit()
        except BaseException:
            self.abort()
            raise
        self._process, self._open = None, False
        return Written(
            path=self.staging.final,
            frames=film.frames,
            duration=film.duration,
            bytes=size,
            width=film.width,
            height=film.height,
            fps=self.shape.fps,
        )

    def abort(self) -> None:
        if self._open:
            self._open = False
            process, self._process = self._process, None
            with contextlib.ExitStack() as stack:
                stack.callback(self.staging.discard)
                if process is not None:
                    process.kill()

    def _size(self) -> int:
        try:
            return self.staging.temporary.stat().st_size
        except OSError as error:
            raise write_error(self.staging.final, error) from None

    def _check(self) -> Mp4Film:
        """Compare the file with what was handed over. Raises EncoderError."""
        shape, name = self.shape, str(self.staging.final)
        try:
            film = read_mp4(self.staging.temporary)
        except (OSError, ValueError) as error:
            raise EncoderError(f"ffmpeg wrote no sound MP4 for {name!r}: {error}") from None
        wanted = Fraction(self._frames) / shape.fps
        for what, found, right in (
            ("frames", film.frames, self._frames),
            ("seconds", film.duration, wanted),
            ("seconds in its header", film.movie_duration, wanted),
            ("a size of", (film.width, film.height), (shape.width, shape.height)),
            ("the H.264 profile", film.profile, self.profile_number),
            ("colour tags", film.colour, (1, 1, 1, False)),
            ("index before pictures", film.index_first, True),
        ):
            if found != right:
                raise EncoderError(
                    f"ffmpeg wrote {what} {found} where {name!r} should have {right}"
                )
        return film


class Mp4FullChromaSink(Mp4Sink):
    """H.264 High 4:4:4: coloured edges as sharp as grey ones, for editors and desktop players.
    Browsers and phones show nothing."""

    full_chroma = True
    profile = "high444"
    profile_number = 244
