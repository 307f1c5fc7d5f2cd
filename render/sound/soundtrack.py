"""A film's finished sound: its loudness, its peaks, its two channels. Blocks, never the whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from render.sound.ducking import SpokenTake
from render.sound.limiter import limiting_gains
from render.sound.loudness import CEILING, LoudnessMeter
from render.sound.mix import Mix
from render.sound.sample_clock import RATE
from render.sound.score import Score
from render.sound.synthesis import BLOCK, played

__all__ = ["Loudness", "Soundtrack", "StereoBlock"]

_F32 = NDArray[np.float32]


class StereoBlock(NamedTuple):
    """The film's sound, (n, 2) float32 from -1 to 1, and what each search has in it, alike: with
    the take, where there is one, they add up to it."""

    mix: _F32
    stems: tuple[_F32, ...]


class Loudness(NamedTuple):
    """How loud a film is: LUFS over all of it, and its largest sample in dB below full scale."""

    integrated: float
    peak: float

    def __str__(self) -> str:
        return f"{self.integrated:.1f} LUFS, peaks at {self.peak:.1f} dBFS"


class Soundtrack:
    """The sound of a score, mixed, and brought to its loudness; `take` is what somebody says over
    it. It is played twice: once to be measured, once as it is."""

    def __init__(self, score: Score, mix: Mix, take: SpokenTake | None = None) -> None:
        self._score = score
        self._mix = mix
        self._take = take
        count = len(score.searches)
        angles = np.array([(mix.pan(number, count) + 1) * np.pi / 4 for number in range(count)])
        self._places = np.stack([np.cos(angles), np.sin(angles)]).astype(np.float32)
        """(2, searches): how loud each is on the left and on the right, of the same power."""

    @property
    def samples(self) -> int:
        """Of the whole film, at RATE a second."""
        return self._score.samples

    @property
    def seconds(self) -> float:
        return self.samples / RATE

    @cached_property
    def _balance(self) -> float:
        """What the searches are multiplied with where there is a take: so that both alone are
        equally loud before the one steps back."""
        if self._take is None or self._take.silent:
            return 1.0
        meter = LoudnessMeter()
        for block in played(self._score, self._mix):
            meter.add(self._stereo(enumerate(block)))
        return meter.gain / self._take.gain

    @cached_property
    def _meter(self) -> LoudnessMeter:
        """The whole before its gain, measured."""
        meter = LoudnessMeter()
        for mix, _ in self._raw(stems=False):
            meter.add(mix)
        return meter

    @cached_property
    def gain(self) -> float:
        """What the whole is multiplied with."""
        return self._meter.gain

    @property
    def loudness(self) -> Loudness:
        """Of the finished sound."""
        peak = min(CEILING, self._meter.peak * self.gain)
        decibels = 20 * float(np.log10(peak)) if peak else -np.inf
        return Loudness(self._meter.integrated_at(self.gain), decibels)

    def _stereo(self, searches: Iterable[tuple[int, _F32 | None]]) -> _F32:
        """(BLOCK, 2) float32: searches, by number, at their places."""
        found = np.zeros((2, BLOCK), np.float32)  # each channel in one piece
        for number, own in searches:
            if own is not None:
                for channel in (0, 1):
                    found[channel] += own * self._places[channel, number]
        return found.T

    def _raw(self, *, stems: bool) -> Iterator[tuple[_F32, tuple[_F32, ...]]]:
        """Blocks of BLOCK samples before the gain, and the stems in them."""
        take = self._take
        spoken = take.blocks() if take else iter(())
        count = len(self._score.searches) if stems else 0
        for number, block in enumerate(played(self._score, self._mix)):
            mix = self._stereo(enumerate(block))
            alone = [self._stereo([(at, block[at])]) for at in range(count)]
            if take is not None:
                back = np.float32(self._balance) * take.ducking(number * BLOCK, BLOCK)[:, None]
                mix, alone = mix * back, [one * back for one in alone]
                said = next(spoken, None)
                if said is not None:
                    mix[: len(said)] += said
            yield mix, tuple(alone)

    def blocks(self, *, stems: bool = False) -> Iterator[StereoBlock]:
        """The sound from its beginning to its end, BLOCK samples at a time, the last block
        shorter; with `stems`, each search's own."""
        gain = np.float32(self.gain)
        held: list[tuple[_F32, ...]] = []

        def raised() -> Iterator[_F32]:
            for mix, own in self._raw(stems=stems):
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
