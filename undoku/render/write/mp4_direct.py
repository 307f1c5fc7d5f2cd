"""Writes MP4 films directly: undoku writes the H.264 bitstream itself, without an encoder."""

from __future__ import annotations

import contextlib
from math import ceil
from pathlib import Path
from typing import BinaryIO

from undoku.errors import EncoderError
from undoku.render.draw.canvas import Frame
from undoku.render.draw.sprite_run import SpriteRun
from undoku.render.write.ffmpeg import BITEXACT, FfmpegProcess, file_input, movie_clock
from undoku.render.write.film_encoder import FilmEncoder
from undoku.render.write.formats import SoundCodec
from undoku.render.write.mp4_boxes import ChapterBoxes
from undoku.render.write.mp4_writer import Mp4Writer
from undoku.render.write.sink import ClosedFile, FrameSink, SinkContext
from undoku.render.write.staging import Staging, write_error
from undoku.worker_process import cores

_MAX_THREADS = 3
"""Threads that encode a film; each takes memory."""


class DirectSink(FrameSink):
    """H.264 Constrained Baseline, 4:2:0, BT.709, index first, without an external program; only the
    sound is encoded and added by ffmpeg.

    A macroblock whose content occurs anywhere in the previous picture, in the visible part or in
    the hidden atlas on the right, is copied by a motion vector; other macroblocks are coded with
    the quantiser of the quality. The same frames give the same bytes. Raises SettingsError for odd
    sides, an unknown quality, or more than H.264 or the setting `level` allows; the temporary file
    is removed then.

    Other threads encode the film, so an error of a frame may be raised by a later call.
    """

    def __init__(self, staging: Staging, context: SinkContext) -> None:
        super().__init__(staging, context)
        self._file: BinaryIO | None = None
        self._film: FilmEncoder | None = None
        self._ffmpeg: FfmpegProcess | None = None
        self._silent = staging
        """The film without its sound."""
        with self.aborting():
            if context.tracks.sound:
                self._silent = Staging(staging.final, overwrite=True)
            self._file = self._silent.temporary.open("w+b", buffering=0)
            self._mp4 = Mp4Writer(self._file)
            self._film = FilmEncoder(self.settings, self._mp4, min(_MAX_THREADS, cores()))

    @property
    def encoded(self) -> FilmEncoder:
        assert self._film is not None
        if self._open:
            with self.aborting():
                self._film.drain()
        return self._film

    def write(self, frame: Frame) -> None:
        self._encode(frame)

    def write_run(self, run: SpriteRun) -> None:
        """Play a run and add its frames; the file is the same as with one `write` per frame.
        Raises as `write` does."""
        self._encode(run)

    def _encode(self, part: Frame | SpriteRun) -> None:
        self.check_open()
        assert self._film is not None
        try:
            self._film.write(part)
        except OSError as error:
            self.abort()
            raise write_error(self.staging.final, error) from None

    def close_file(self) -> ClosedFile:
        assert self._film is not None
        assert self._file is not None
        tracks, film = self.context.tracks, self._film
        film.end()
        if not film.ticks:
            raise EncoderError(f"{self.name} would have no frame")
        parameters = film.parameters(*self._mp4.load(ceil(2 * self.settings.fps)))
        chapters = ChapterBoxes(tracks, self.settings.fps, parameters.timescale)
        size = self._mp4.finish(parameters, self.settings.fps, self.context.mp4_about, chapters)
        self._file.close()
        if tracks.sound:
            size = self._add(tracks.sound.encoded(SoundCodec.AAC))
        return ClosedFile(film.ticks, film.ticks / self.settings.fps, size)

    def _add(self, sound: Path) -> int:
        """Write the film with a sound from an MP4 file; returns the bytes of the file."""
        arguments = [
            *file_input(self._silent.temporary, "mov"),
            *file_input(sound, "mov"),
            *("-map", "0:v", "-map", "1:a", "-c", "copy", *BITEXACT),
            *movie_clock(self.settings.fps),
            *("-movflags", "+faststart", "-f", "mp4"),
        ]
        self._ffmpeg = FfmpegProcess(arguments, self.staging.temporary, self.staging.final)
        size = self._ffmpeg.finish().bytes
        self._silent.discard()
        return size

    def release(self) -> None:
        if self._film:
            self._film.close()
        if self._ffmpeg:
            self._ffmpeg.kill()
        if self._file:
            with contextlib.suppress(OSError):  # the file is removed in any case
                self._file.close()
        self._silent.discard()
