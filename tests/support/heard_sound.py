"""What is heard in files: samples, where sounds begin, loudness as ffmpeg measures it."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.render.write.ffmpeg import executable

RATE = 48_000
_STEP = 12
"""Samples: a quarter of a millisecond."""
_BEFORE = 48
"""Quarters of a millisecond that a sound must stand out from."""

Samples = NDArray[np.float32]


def heard(path: Path, program: str | None = None) -> Samples:
    """(n, 2) float32: the sound of a file, decoded."""
    command = [program or executable(), "-v", "error", "-i", f"file:{path}", "-map", "0:a"]
    done = subprocess.run([*command, "-f", "f32le", "-"], capture_output=True, check=True)
    assert not done.stderr, done.stderr
    return np.frombuffer(done.stdout, "<f4").reshape(-1, 2)


def onsets(samples: Samples, floor: float = 0.02) -> list[int]:
    """The samples at which sounds begin: where the level rises above what it was in the 12 ms
    before by 4 dB and more."""
    level = np.abs(samples).max(axis=1)
    level = level[: len(level) // _STEP * _STEP].reshape(-1, _STEP).max(axis=1)
    padded = np.concatenate([np.zeros(_BEFORE), level])
    before = np.lib.stride_tricks.sliding_window_view(padded, _BEFORE)[: len(level)].max(axis=1)
    found: list[int] = []
    for at in np.flatnonzero((level > 1.6 * before) & (level > floor)).tolist():
        if not found or at - found[-1] > 60:
            found.append(at)
    return [at * _STEP for at in found]


def lag(right: Samples, found: Samples) -> int:
    """By how many samples the one sound comes after the other, where they match best."""
    size = 1 << (2 * len(right)).bit_length()
    spectrum = np.fft.rfft(right[:, 0], size).conj() * np.fft.rfft(found[:, 0], size)
    best = int(np.argmax(np.fft.irfft(spectrum)))
    return best if best < size // 2 else best - size


class Measured(NamedTuple):
    """LUFS over all, dB of the true peak, and the loudness range in LU (EBU Tech 3342)."""

    integrated: float
    true_peak: float
    range: float


def measured(path: Path) -> Measured:
    """As ffmpeg's ebur128 has it."""
    command = [executable(), "-hide_banner", "-nostats", "-i", f"file:{path}", "-map", "0:a"]
    command += ["-filter:a", "ebur128=peak=true:framelog=quiet", "-f", "null", "-"]
    message = subprocess.run(command, capture_output=True, check=True).stderr.decode()
    integrated = re.findall(r"I: +(-?[\d.]+|-inf) LUFS", message)[-1]
    peak = re.findall(r"Peak: +(-?[\d.]+|-inf) dBFS", message)[-1]
    width = re.findall(r"LRA: +([\d.]+) LU", message)[-1]
    return Measured(float(integrated), float(peak), float(width))
