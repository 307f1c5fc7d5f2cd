"""Loudness after ITU-R BS.1770-5 and EBU R 128, and the gain that sets that of a film."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from render.sound.gains import FALL, RISE, eased_gain, peaks_of
from render.sound.sample_clock import RATE

__all__ = ["CEILING", "TARGET", "LoudnessMeter"]

_F32 = NDArray[np.float32]
_F64 = NDArray[np.float64]

TARGET = -16.0
"""LUFS of a film: what video platforms play music and speech at, more or less."""

CEILING = 10 ** (-2.2 / 20)
"""The largest sample: it leaves room for what lies between samples and for what a codec adds, so
that the true peak stays below -1 dB."""

_SEGMENT = RATE // 10
"""Samples between two of the standard's blocks of 400 ms, of which each overlaps the next by three
quarters."""

_PIECE = RATE // 100
"""Samples whose peak is remembered."""

_MOST_LIMITED = 8.0
"""dB by which the highest peak may be lowered to make a film louder."""


@cache
def _weights() -> _F64:
    """(n,): the standard's two filters, as the share of power that each frequency keeps; twice for
    those that a real transform of a segment stands for twice. Over the square of its length: the
    sum over a segment's transform is its mean power."""
    turns = np.exp(-2j * np.pi * np.arange(_SEGMENT // 2 + 1) / _SEGMENT)
    found = np.full(len(turns), 2.0)
    found[[0, -1]] = 1.0
    # Annex 1, tables 1 and 2, for 48 kHz: a shelf for the head, and a high pass.
    for above, below in (
        (
            (1.53512485958697, -2.69169618940638, 1.19839281085285),
            (1.0, -1.69065929318241, 0.73248077421585),
        ),
        ((1.0, -2.0, 1.0), (1.0, -1.99004745483398, 0.99007225036621)),
    ):
        passed = np.polyval(above[::-1], turns) / np.polyval(below[::-1], turns)
        found *= np.abs(passed) ** 2
    return found / _SEGMENT**2


class LoudnessMeter:
    """Measures a sound block by block: the weighted power of each tenth of a second, and peaks; 50
    numbers a second are kept. The filters are applied to the spectrum of each tenth by itself,
    which for the blocks of 400 ms differs from running filters by less than 0.1 dB."""

    def __init__(self) -> None:
        self._power: list[_F64] = []
        self._peaks: list[_F32] = []

    def add(self, block: _F32) -> None:
        """Take (n, 2) float32 samples; n must be a multiple of a tenth of a second, but in the last
        block."""
        rest = -len(block) % _SEGMENT
        if not block.any():
            segments = (len(block) + rest) // _SEGMENT
            self._power.append(np.zeros(segments))
            self._peaks.append(np.zeros((segments, _SEGMENT // _PIECE), np.float32))
            return
        whole = np.pad(block, ((0, rest), (0, 0))) if rest else block
        segments = len(whole) // _SEGMENT
        spectrum = np.fft.rfft(whole.reshape(segments, _SEGMENT, 2), axis=1)
        power = (spectrum.real**2 + spectrum.imag**2).sum(axis=2) @ _weights()
        self._power.append(power)
        self._peaks.append(peaks_of(whole, _PIECE).reshape(segments, -1))

    @property
    def peak(self) -> float:
        """The largest sample."""
        return max((float(peaks.max()) for peaks in self._peaks), default=0.0)

    @property
    def integrated(self) -> float:
        """LUFS of all that was added; -inf for silence."""
        return self.integrated_at(1.0)

    @property
    def gain(self) -> float:
        """What samples are to be multiplied with, so that the sound is as loud as TARGET when
        peaks beyond CEILING are lowered; 1 for silence. No peak has to be lowered by more than
        8 dB, so that a sound of few short tones stays softer."""
        if self.integrated == -np.inf:
            return 1.0
        most = CEILING / self.peak * 10 ** (_MOST_LIMITED / 20)
        low, high = most * 1e-6, most
        if self.integrated_at(most) < TARGET:
            return most
        for _ in range(40):
            middle = (low * high) ** 0.5
            if self.integrated_at(middle) < TARGET:
                low = middle
            else:
                high = middle
        return high

    def integrated_at(self, gain: float) -> float:
        """LUFS of all that was added, multiplied with `gain`, and its peaks lowered to CEILING as
        render.sound.limiter does it."""
        if not self._power:
            return -np.inf
        power, peaks = np.concatenate(self._power), np.concatenate(self._peaks)
        flat = np.maximum(peaks.ravel(), 1e-9).astype(np.float64)
        asked = np.minimum(0.0, 20 * np.log10(CEILING / (gain * flat)))
        if asked.any():
            asked = eased_gain(asked, 10 * FALL, 10 * RISE)
        lowered = 10 ** (asked.reshape(peaks.shape) / 10)
        weight = flat.reshape(peaks.shape) ** 2
        power = power * gain**2 * (lowered * weight).sum(axis=1) / weight.sum(axis=1)
        padded = np.concatenate([power, np.zeros(max(0, 4 - len(power)))])
        blocks = np.convolve(padded, np.full(4, 0.25), "valid")
        return _gated(blocks)


def _gated(blocks: _F64) -> float:
    """LUFS of blocks of weighted power: those below -70 LUFS, and then those 10 dB below the mean
    of the rest, count for nothing."""
    heard = blocks[blocks > 10 ** ((-70 + 0.691) / 10)]
    if not len(heard):
        return -np.inf
    heard = heard[heard > heard.mean() / 10]
    return float(-0.691 + 10 * np.log10(heard.mean()))
