"""WAV files: the sound of a film, and stems, the sound of each search as a file of its own. The
length in the header is written at the end, when it is known."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from contextlib import ExitStack
from fractions import Fraction
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from undoku.errors import EncoderError, SettingsError
from undoku.render.draw.canvas import Frame
from undoku.render.sound.sample_clock import RATE
from undoku.render.write.sink import ClosedFile, FrameSink
from undoku.render.write.soundtrack import Soundtrack
from undoku.render.write.staging import Staging, write_error

__all__ = ["WavSink", "WavWriter", "check_wav_length", "write_stems"]

_CHANNELS, _BYTES = 2, 2
_HEADER_BYTES = 44

_MAX_BYTES = (1 << 32) - 1 - 36
"""The maximum number of bytes of samples in a WAV file."""


def check_wav_length(samples: int) -> None:
    """Raises SettingsError for more samples than a WAV file holds: about six hours."""
    if samples * _CHANNELS * _BYTES > _MAX_BYTES:
        hours = samples / RATE / 3600
        most = _MAX_BYTES / (_CHANNELS * _BYTES * RATE * 3600)
        raise SettingsError(
            f"a WAV file holds {most:.1f} hours at most, and the film lasts {hours:.1f}",
            remedy="write an MP4 or a WebM",
        )


class WavWriter:
    """Writes samples of two channels, 16 bits each, to a file opened for writing. Raises OSError
    when the file does."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.samples = 0
        file.write(self._header())

    def add(self, block: NDArray[np.float32]) -> None:
        """Add samples, (n, 2) float32 from -1 to 1."""
        whole = np.clip(np.rint(block * 32767), -32768, 32767).astype("<i2")
        self._file.write(whole.tobytes())
        self.samples += len(block)

    def finish(self) -> None:
        self._file.seek(0)
        self._file.write(self._header())
        self._file.flush()

    def _header(self) -> bytes:
        size = self.samples * _CHANNELS * _BYTES
        frame = _CHANNELS * _BYTES
        return struct.pack(
            "<4sI4s4sIHHIIHH4sI",
            *(b"RIFF", 36 + size, b"WAVE"),
            *(b"fmt ", 16, 1, _CHANNELS, RATE, RATE * frame, frame, 8 * _BYTES),
            *(b"data", size),
        )


class WavSink(FrameSink):
    """WAV: 48 kHz, two channels, 16 bits. Pictures are ignored; `finish` writes the whole sound.
    Raises SettingsError for a film that is too long for WAV."""

    def write(self, frame: Frame) -> None:
        """Ignore the frame."""

    def close_file(self) -> ClosedFile:
        sound = self.context.tracks.sound
        if sound is None:
            raise EncoderError(f"the film of {self.name} has no sound")
        track = sound.soundtrack
        check_wav_length(track.samples)
        with self.staging.temporary.open("wb") as file:
            writer = WavWriter(file)
            for block in track.blocks():
                writer.add(block.mix)
            writer.finish()
        seconds = Fraction(writer.samples, RATE)
        size = _HEADER_BYTES + _CHANNELS * _BYTES * writer.samples
        return ClosedFile(round(seconds * self.settings.fps), seconds, size)


def write_stems(track: Soundtrack, stagings: Sequence[Staging]) -> None:
    """Write the sound of each search to its temporary file, with the loudness and the position in
    stereo that it has in the mix. Raises OutputError, and SettingsError for a film that is too
    long for WAV."""
    check_wav_length(track.samples)
    try:
        with ExitStack() as stack:
            writers = [
                WavWriter(stack.enter_context(staging.temporary.open("wb"))) for staging in stagings
            ]
            for block in track.blocks(stems=True):
                for writer, stem in zip(writers, block.stems, strict=True):
                    writer.add(stem)
            for writer in writers:
                writer.finish()
    except OSError as error:
        raise write_error(stagings[0].final, error) from None
