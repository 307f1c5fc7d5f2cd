"""The finished sound of a film in blocks: its loudness, its peaks, its two channels."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.render.sound.ducking import SpokenTake
from undoku.render.sound.limiter import limiting_gains
from undoku.render.sound.loudness import CEILING, LoudnessMeter
from undoku.render.sound.mix import Mix
from undoku.render.sound.sample_clock import RATE
from undoku.render.sound.score import Composition, Score
from undoku.render.sound.synthesis import BLOCK, played

__all__ = ["Loudness", "SoundStoppedError", "Soundtrack", "StereoBlock"]

_F32 = NDArray[np.float32]


class StereoBlock(NamedTuple):
    """A part of the film's sound, (n, 2) float32 from -1 to 1, and the stem of each search in the
    same form. The sum of the stems, and of the take if there is one, is the sound."""

    mix: _F32
    stems: tuple[_F32, ...]


class Loudness(NamedTuple):
    """The loudness of a film: integrated, in LUFS, and its largest sample in dB relative to full
    scale."""

    integrated: float
    peak: float

    def __str__(self) -> str:
        return f"{self.integrated:.1f} LUFS, peaks at {self.peak:.1f} dBFS"


class SoundStoppedError(Exception):
    """Raised in a thread that plays a sound after another thread has stopped it."""


class _Measured(NamedTuple):
    """The properties of a sound that are required before its first sample is written."""

    score: Score
    balance: float
    """The factor of the searches beside a take: both alone then have the same loudness, before
    ducking."""
    meter: LoudnessMeter
    """The measurement of the mix before its gain."""
    gain: float
    """The factor of the mix."""


class Soundtrack:
    """The sound of a film, mixed and with the right loudness; `take` is a spoken recording over it.
    It is synthesised twice: once to be measured, once to be written. Several threads may read
    it."""

    def __init__(self, composition: Composition, mix: Mix, take: SpokenTake | None = None) -> None:
        self._composition = composition
        self._mix = mix
        self._take = take
        self._lock = threading.Lock()
        self._known: _Measured | None = None
        self._stopped = False
        count = len(composition.traces)
        angles = np.array([(mix.pan(number, count) + 1) * np.pi / 4 for number in range(count)])
        self._places = np.stack([np.cos(angles), np.sin(angles)]).astype(np.float32)
        """(2, searches): the factors of each search on the left and on the right (constant
        power)."""

    @property
    def samples(self) -> int:
        """The length of the sound in samples, RATE per second."""
        return self._composition.samples

    @property
    def seconds(self) -> float:
        return self.samples / RATE

    def stop(self) -> None:
        """Let all threads that read the sound raise SoundStoppedError as soon as possible."""
        self._stopped = True

    def _check(self) -> None:
        if self._stopped:
            raise SoundStoppedError

    def _measured(self) -> _Measured:
        """The measurement. The first thread that requires it computes it; others wait."""
        with self._lock:
            if self._known is None:
                score = self._composition.score(self._check)
                balance = self._balance(score)
                meter = LoudnessMeter()
                for mix, _ in self._raw(score, balance, stems=False):
                    meter.add(mix)
                self._known = _Measured(score, balance, meter, meter.gain)
            return self._known

    def _balance(self, score: Score) -> float:
        if self._take is None or self._take.silent:
            return 1.0
        meter = LoudnessMeter()
        for block in played(score, self._mix):
            self._check()
            meter.add(self._stereo(enumerate(block)))
        return meter.gain / self._take.gain

    @property
    def gain(self) -> float:
        """The factor of the mix."""
        return self._measured().gain

    @property
    def loudness(self) -> Loudness:
        """The loudness of the finished sound."""
        known = self._measured()
        peak = min(CEILING, known.meter.peak * known.gain)
        decibels = 20 * float(np.log10(peak)) if peak else -np.inf
        return Loudness(known.meter.integrated_at(known.gain), decibels)

    def _stereo(self, searches: Iterable[tuple[int, _F32 | None]]) -> _F32:
        """(BLOCK, 2) float32: the sum of these searches, given by number, each with its pan."""
        found = np.zeros((2, BLOCK), np.float32)  # each channel is contiguous
        for number, own in searches:
            if own is not None:
                for channel in (0, 1):
                    found[channel] += own * self._places[channel, number]
        return found.T

    def _raw(
        self, score: Score, balance: float, *, stems: bool
    ) -> Iterator[tuple[_F32, tuple[_F32, ...]]]:
        """Blocks of BLOCK samples before the gain, and their stems."""
        take = self._take
        spoken = take.blocks() if take else iter(())
        count = len(score.searches) if stems else 0
        for number, block in enumerate(played(score, self._mix)):
            self._check()
            mix = self._stereo(enumerate(block))
            alone = [self._stereo([(at, block[at])]) for at in range(count)]
            if take is not None:
                back = np.float32(balance) * take.ducking(number * BLOCK, BLOCK)[:, None]
                mix, alone = mix * back, [one * back for one in alone]
                speech = next(spoken, None)
                if speech is not None:
                    mix[: len(speech)] += speech
            yield mix, tuple(alone)

    def blocks(self, *, stems: bool = False) -> Iterator[StereoBlock]:
        """The sound from its beginning to its end in blocks of BLOCK samples, the last one shorter;
        with `stems`, also the sound of each search."""
        known = self._measured()
        gain = np.float32(known.gain)
        held: list[tuple[_F32, ...]] = []

        def raised() -> Iterator[_F32]:
            for mix, own in self._raw(known.score, known.balance, stems=stems):
                held.append(own)
                yield mix * gain

        done = 0
        for mix, lowered in limiting_gains(raised(), CEILING):
            left = min(BLOCK, self.samples - done)
            done += BLOCK
            factor = lowered[:left, None]
            own = held.pop(0)
            whole = mix[:left] * factor
            yield StereoBlock(whole, tuple(one[:left] * (factor * gain) for one in own))
