"""Writes the sound of a film as a WAV file."""

from __future__ import annotations

from fractions import Fraction

from undoku.errors import EncoderError
from undoku.render.draw.canvas import Frame
from undoku.render.sound.sample_clock import RATE
from undoku.render.write.sink import FilmShape, FrameSink, Written
from undoku.render.write.staging import Staging, write_error
from undoku.render.write.wav_file import WavWriter, check_wav_length

__all__ = ["WavSink"]


class WavSink(FrameSink):
    """WAV: 48 kHz, two channels, 16 bits. Pictures are ignored; `finish` writes the whole sound.
    Raises SettingsError for a film that is too long for WAV."""

    def __init__(self, staging: Staging, shape: FilmShape) -> None:
        super().__init__(staging, shape)
        self._open = True

    def write(self, frame: Frame) -> None:
        """Ignore the frame."""

    def finish(self) -> Written:
        shape, name = self.shape, str(self.staging.final)
        sound = shape.tracks.sound
        if not self._open or sound is None:
            raise EncoderError(f"{name!r} is closed, or its film has no sound")
        track = sound.soundtrack
        try:
            check_wav_length(track.samples)
            with self.staging.temporary.open("wb") as file:
                writer = WavWriter(file)
                for block in track.blocks():
                    writer.add(block.mix)
                writer.finish()
            size = self.staging.temporary.stat().st_size
            if size != 44 + 4 * track.samples:
                raise EncoderError(f"{name!r} was damaged while it was written")
            self.staging.commit()
        except OSError as error:
            self.abort()
            raise write_error(self.staging.final, error) from None
        except BaseException:
            self.abort()
            raise
        self._open = False
        seconds = Fraction(track.samples, RATE)
        frames = round(seconds * shape.fps)
        return Written(
            self.staging.final, frames, seconds, size, shape.width, shape.height, shape.fps
        )

    def abort(self) -> None:
        if self._open:
            self._open = False
            self.staging.discard()
