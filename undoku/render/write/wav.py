"""WAV files: the sound of a film, and stems, the sound of each search as a file of its own."""

from __future__ import annotations

import wave
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from fractions import Fraction
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from undoku.errors import EncoderError, SettingsError
from undoku.render.draw.canvas import Frame
from undoku.render.sound.sample_clock import RATE
from undoku.render.write.sink import ClosedFile, FrameSink
from undoku.render.write.soundtrack import Soundtrack
from undoku.render.write.staging import Staging, write_error

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


@contextmanager
def _opened(path: Path) -> Iterator[wave.Wave_write]:
    """A new file for samples of two channels, 16 bits each."""
    with wave.open(str(path), "wb") as file:
        file.setparams((_CHANNELS, _BYTES, RATE, 0, "NONE", ""))
        yield file


def _stored(block: NDArray[np.float32]) -> bytes:
    """Samples, (n, 2) float32 from -1 to 1, as a file has them."""
    return np.clip(np.rint(block * 32767), -32768, 32767).astype("<i2").tobytes()


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
        with _opened(self.staging.temporary) as file:
            for block in track.blocks():
                file.writeframesraw(_stored(block.mix))
            samples = file.getnframes()
        seconds = Fraction(samples, RATE)
        size = _HEADER_BYTES + _CHANNELS * _BYTES * samples
        return ClosedFile(round(seconds * self.settings.fps), seconds, size)


def write_stems(track: Soundtrack, stagings: Sequence[Staging]) -> None:
    """Write the sound of each search to its temporary file, with the loudness and the position in
    stereo that it has in the mix. Raises OutputError, and SettingsError for a film that is too
    long for WAV."""
    check_wav_length(track.samples)
    try:
        with ExitStack() as stack:
            files = [stack.enter_context(_opened(staging.temporary)) for staging in stagings]
            for block in track.blocks(stems=True):
                for file, stem in zip(files, block.stems, strict=True):
                    file.writeframesraw(_stored(stem))
    except OSError as error:
        raise write_error(stagings[0].final, error) from None
