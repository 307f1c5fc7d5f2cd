"""Writes WAV files. The length in the header is written at the end, when it is known."""

from __future__ import annotations

import struct
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from undoku.errors import SettingsError
from undoku.render.sound.sample_clock import RATE

__all__ = ["WavWriter", "check_wav_length"]

_CHANNELS, _BYTES = 2, 2

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
