"""Writes MP4 films directly: undoku writes the H.264 bitstream itself, without an encoder."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import BinaryIO

from undoku.errors import EncoderError
from undoku.render.draw.canvas import Frame
from undoku.render.draw.sprite_run import SpriteRun
from undoku.render.write import splice
from undoku.render.write.film_encoder import FilmEncoder
from undoku.render.write.film_samples import FilmSamples, SampleWriter
from undoku.render.write.fragments import FragmentWriter
from undoku.render.write.sink import FilmShape, FrameSink, Written
from undoku.render.write.splice import Splice, SplicingWriter
from undoku.render.write.staging import Staging, write_error
from undoku.render.write.threaded_encoder import ThreadedEncoder
from undoku.render.write.track_boxes import TrackBoxes
from undoku.render.write.verify import Expected, check_mp4
from undoku.render.write.writer import Mp4Writer
from undoku.worker_process import cores

__all__ = ["DirectSink", "DirectStream"]

_MAX_THREADS = 3
"""Threads that encode a film; each takes memory."""


class DirectSink(FrameSink):
    """H.264 Constrained Baseline, 4:2:0, BT.709, index first, without an external program.

    A macroblock whose content occurs anywhere in the previous picture, in the visible part or in
    the hidden atlas on the right, is copied by a motion vector; other macroblocks are coded with
    the quantiser of `shape.quality`. The same frames give the same bytes. Raises SettingsError for
    odd sides, an unknown quality, or more than H.264 or `shape.level` allows; the temporary file is
    removed then.

    Other threads encode the film, so an error of a frame may be raised by a later call. A `closed`
    film is one of several that are made at the same time, so it has one such thread.
    """

    def __init__(self, staging: Staging, shape: FilmShape) -> None:
        super().__init__(staging, shape)
        self._file: BinaryIO | None = None
        self._thread: ThreadedEncoder | None = None
        self._open = True
        try:
            self._film = FilmSamples(shape)
            self._splice = Splice(shape, self._film.timescale) if shape.closed else None
            self._file = staging.temporary.open("w+b", buffering=0)
            self._mp4 = Mp4Writer(self._file)
            self._writer: SampleWriter = self._mp4
            if self._splice:
                self._writer = SplicingWriter(self._splice, self._mp4)
            self._thread = ThreadedEncoder(
                self._film,
                self._writer,
                1 if shape.closed else min(_MAX_THREADS, cores()),
                splice.SEGMENT if shape.closed else None,
            )
        except OSError as error:
            self.abort()
            raise write_error(staging.final, error) from None
        except BaseException:
            self.abort()
            raise

    @property
    def encoded(self) -> FilmSamples:
        if self._file is not None and self._thread:
            with self._disk_errors():
                self._thread.drain()
        return self._film

    def write(self, frame: Frame) -> None:
        thread = self._open_thread()
        with self._disk_errors():
            thread.write(frame)

    def write_run(self, run: SpriteRun) -> None:
        """Play a run and add its frames; the file is the same as with one `write` per frame.
        Raises as `write` does."""
        thread = self._open_thread()
        with self._disk_errors():
            thread.write(run)

    @contextlib.contextmanager
    def _disk_errors(self) -> Iterator[None]:
        """Abort and raise OutputError when writing to the disk fails."""
        try:
            yield
        except OSError as error:
            self.abort()
            raise write_error(self.staging.final, error) from None

    def _open_thread(self) -> ThreadedEncoder:
        if self._file is None or self._thread is None:
            raise EncoderError(f"{str(self.staging.final)!r} is closed and takes no more frames")
        return self._thread

    def finish(self) -> Written:
        """Write the index, verify the file and rename it."""
        shape, film, name = self.shape, self._film, str(self.staging.final)
        try:
            if self._file is None or self._thread is None:
                raise EncoderError(f"{name!r} is closed already")
            self._thread.end()
            if not film.ticks:
                raise EncoderError(f"{name!r} would have no frame")
            seconds = Fraction(film.ticks) / shape.fps
            film.flush(self._writer)
            parameters = film.parameters()
            if self._splice:
                parameters = self._splice.parameters(parameters)
            boxes = TrackBoxes(shape.tracks, shape.fps, parameters.timescale)
            sound = shape.tracks.sound
            track = None
            if sound:
                from undoku.render.write.sound_track import read_sound_track

                track = read_sound_track(sound.aac)
            self._mp4.finish(parameters, shape.mp4_about, boxes, track)
            self._file.close()
            self._file = None
            check_mp4(
                self.staging.temporary,
                Expected(
                    shape.width,
                    shape.height,
                    film.samples,
                    film.keys,
                    seconds,
                    self._mp4.bytes,
                    shape.tracks.in_mp4(shape.fps),
                ),
            )
            size = self.staging.temporary.stat().st_size
            self.staging.commit()
        except OSError as error:
            self.abort()
            raise write_error(self.staging.final, error) from None
        except ValueError as error:
            self.abort()
            raise EncoderError(
                f"{name!r} was damaged while it was written: {error}", remedy="check the disk"
            ) from None
        except BaseException:
            self.abort()
            raise
        self._open = False
        return Written(
            self.staging.final, film.samples, seconds, size, shape.width, shape.height, shape.fps
        )

    def abort(self) -> None:
        if self._open:
            self._open = False
            if self._thread:
                self._thread.close()
            with contextlib.suppress(OSError):
                if self._file is not None:
                    self._file.close()
            self._file = None
            self.staging.discard()


class DirectStream(FrameSink):
    """Writes a directly encoded film as fragmented MP4 to a stream, such as standard output.

    A fragment is written at each key frame and at least once per second. The level depends only on
    the size and the frame rate, because the bit rate is not known at the start. `abort` can't
    remove what was written to the stream. Raises SettingsError as DirectSink does, OSError when the
    stream does.
    """

    def __init__(self, stream: BinaryIO, shape: FilmShape) -> None:
        # A stream has no temporary name: nothing here uses `staging`.
        self.shape = shape
        self._encoder = FilmEncoder(shape)
        film = self._encoder.film
        parameters = film.parameters()
        self._open = True
        boxes = TrackBoxes(shape.tracks, shape.fps, parameters.timescale)
        self._writer = FragmentWriter(
            stream, parameters, shape.mp4_about, parameters.timescale, boxes.list
        )

    def write(self, frame: Frame) -> None:
        if not self._open:
            raise EncoderError("the stream is closed and takes no more frames")
        self._encoder.write(frame, self._writer)

    def write_run(self, run: SpriteRun) -> None:
        """Play a run and add its frames."""
        if not self._open:
            raise EncoderError("the stream is closed and takes no more frames")
        self._encoder.write(run, self._writer)

    def finish(self) -> Written:
        """Write the last fragment. The stream stays open."""
        if not self._open:
            raise EncoderError("the stream is closed already")
        film = self._encoder.film
        if not film.ticks:
            raise EncoderError("the stream would have no frame")
        shape = self.shape
        self._encoder.flush(self._writer)
        self._writer.finish()
        self._open = False
        return Written(
            Path("-"),
            film.samples,
            Fraction(film.ticks) / shape.fps,
            self._writer.bytes,
            shape.width,
            shape.height,
            shape.fps,
            shape.mp4_encoder,
        )

    def abort(self) -> None:
        self._open = False
