"""Loudness according to ITU-R BS.1770-5 and EBU R 128, and the gain for a film."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from undoku.render.sound.gains import FALL, RISE, eased_gain, peaks_of
from undoku.render.sound.sample_clock import RATE

__all__ = ["CEILING", "TARGET", "LoudnessMeter"]

_F32 = NDArray[np.float32]
_F64 = NDArray[np.float64]

TARGET = -16.0
"""The loudness of films in LUFS, near that at which video platforms play music and speech."""

CEILING = 10 ** (-2.2 / 20)
"""The largest absolute sample. It leaves headroom for peaks between samples and for errors of
codecs, so that the true peak stays below -1 dB."""

_SEGMENT = RATE // 10
"""The samples between the beginnings of two blocks of 400 ms, which overlap by three quarters."""

_PIECE = RATE // 100
"""The number of samples for which one peak is stored."""

_MAX_LIMITED = 8.0
"""The greatest reduction of the highest peak, in dB, to make a film louder."""


@cache
def _weights() -> _F64:
    """(n,): the power gains of the standard's two filters at the frequencies of the real Fourier
    transform of a segment; doubled for frequencies that represent two coefficients, and divided by
    the square of the segment's length, so that the weighted sum of the transform's squares is the
    mean power."""
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
    """Measures a sound block by block: the weighted power of each tenth of a second, and peaks; it
    stores 50 numbers per second. The filters are applied to the spectrum of each tenth separately,
    which differs from continuous filtering by less than 0.1 dB for blocks of 400 ms."""

    def __init__(self) -> None:
        self._power: list[_F64] = []
        self._peaks: list[_F32] = []

    def add(self, block: _F32) -> None:
        """Add (n, 2) float32 samples; n must be a multiple of a tenth of a second, except in the
        last block."""
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
        """The largest absolute sample."""
        return max((float(peaks.max()) for peaks in self._peaks), default=0.0)

    @property
    def integrated(self) -> float:
        """The integrated loudness of all samples in LUFS; -inf for silence."""
        return self.integrated_at(1.0)

    @property
    def gain(self) -> float:
        """The factor by which samples must be multiplied to reach TARGET when peaks above CEILING
        are limited; 1 for silence. No peak is reduced by more than 8 dB, so a sound with few short
        tones stays softer."""
        if self.integrated == -np.inf:
            return 1.0
        most = CEILING / self.peak * 10 ** (_MAX_LIMITED / 20)
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
        """The integrated loudness in LUFS of all samples times `gain`, with peaks limited to
        CEILING as by undoku.render.sound.limiter."""
        if not self._power:
            return -np.inf
        power, peaks = np.concatenate(self._power), np.concatenate(self._peaks)
        flat = np.maximum(peaks.ravel(), 1e-9).astype(np.float64)
        limits = np.minimum(0.0, 20 * np.log10(CEILING / (gain * flat)))
        if limits.any():
            limits = eased_gain(limits, 10 * FALL, 10 * RISE)
        lowered = 10 ** (limits.reshape(peaks.shape) / 10)
        weight = flat.reshape(peaks.shape) ** 2
        power = power * gain**2 * (lowered * weight).sum(axis=1) / weight.sum(axis=1)
        padded = np.concatenate([power, np.zeros(max(0, 4 - len(power)))])
        blocks = np.convolve(padded, np.full(4, 0.25), "valid")
        return _gated(blocks)


def _gated(blocks: _F64) -> float:
    """The gated loudness in LUFS of blocks of weighted power: blocks below -70 LUFS are ignored,
    and then those more than 10 dB below the mean of the rest."""
    heard = blocks[blocks > 10 ** ((-70 + 0.691) / 10)]
    if not len(heard):
        return -np.inf
    heard = heard[heard > heard.mean() / 10]
    return float(-0.691 + 10 * np.log10(heard.mean()))
