"""The finished sound of a film in blocks, with its loudness and its peaks."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeVar

import numpy as np

from undoku.h264.loops import F32
from undoku.render.sound.ducking import SpokenTake
from undoku.render.sound.mix import Mix
from undoku.render.sound.sample_clock import RATE, sample_of
from undoku.render.sound.score import Composition, Score
from undoku.render.sound.synthesis import BLOCK, played
from undoku.render.write.sound_samples import filtered, integrated_loudness, limiter

_T = TypeVar("_T")


_FIRST_GAIN = 1.12
"""The gain that is tried first; most stories need about this one."""

_TOLERANCE = 0.5
"""The change of the gain, in dB, after which the loudness is not measured again: the limiter takes
away less than a quarter of it."""

_MAX_MEASUREMENTS = 4

CEILING = 10 ** (-2.2 / 20)
"""The largest absolute sample. It leaves headroom for peaks between samples and for errors of
codecs, so that the true peak stays below -1 dB."""

_MAX_LIMITED = 10 ** (8 / 20)
"""The greatest reduction of the highest peak to make a film louder, 8 dB: a sound of few short
tones stays softer."""


_MOVING = int(0.55 * RATE)
"""The samples in which the sound of a search follows its board to another place."""


class StereoBlock(NamedTuple):
    """A part of the film's sound, (n, 2) float32 from -1 to 1, and the stem of each search in the
    same form. The sum of the stems, and of the take if there is one, is the sound."""

    mix: F32
    stems: tuple[F32, ...]


class Loudness(NamedTuple):
    """The loudness of a film: integrated, in LUFS, its largest sample in dB relative to full
    scale, and whether its peaks are limited."""

    integrated: float
    peak: float
    limited: bool

    def __str__(self) -> str:
        return f"{self.integrated:.1f} LUFS, peaks at {self.peak:.1f} dBFS"


class SoundStoppedError(Exception):
    """Raised in a thread that plays a sound after another thread has stopped it."""


class _Measured(NamedTuple):
    """The properties of a sound that are required before its first sample is written: the score;
    the factor of the searches beside a take, with which both alone have the same loudness; the
    factor of the mix; and the loudness of the result."""

    score: Score
    balance: float
    gain: float
    loudness: Loudness


class Soundtrack:
    """The sound of a film, mixed and with the right loudness: `target`, in LUFS. `take` is a spoken
    recording over it. It is synthesised several times: to be measured, and to be written. Several
    threads may read it. Its methods raise EncoderError if ffmpeg fails."""

    def __init__(
        self, composition: Composition, mix: Mix, take: SpokenTake | None = None, target: int = -16
    ) -> None:
        self._target = target
        self._composition = composition
        self._mix = mix
        self._take = take
        self._lock = threading.Lock()
        self._measurement: _Measured | None = None
        self._stopped = False
        count, fps = len(composition.traces), composition.timeline.fps
        places = composition.places or [(0, (0.0,) * count)]
        starts = [sample_of(frame, fps) for frame, _ in places]
        arrivals = [start + _MOVING for start in starts]
        # A board leaves its place when the next passage begins, even if it has just arrived.
        ends = [*starts[1:], arrivals[-1]]
        self._times = np.array(
            [time for each in zip(starts, map(min, arrivals, ends), strict=True) for time in each]
        )
        pans = [[mix.pan(number, at[number]) for number in range(count)] for _, at in places]
        self._pans = np.repeat(pans, 2, axis=0)[[0, *range(2 * len(pans) - 1)]]
        """(times, searches): the pan of each search at each of the times, samples."""

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

    def _checked(self, blocks: Iterable[_T]) -> Iterator[_T]:
        for block in blocks:
            self._check()
            yield block

    def _measured(self) -> _Measured:
        """The measurement. The first thread that requires it computes it; others wait."""
        with self._lock:
            if self._measurement is None:
                score = self._composition.score(self._check)
                balance = self._balance(score)
                self._measurement = _Measured(score, balance, *self._gain(score, balance))
            return self._measurement

    def _balance(self, score: Score) -> float:
        if self._take is None:
            return 1.0
        searches = integrated_loudness(
            self._stereo(score.begin + number * BLOCK, enumerate(block))
            for number, block in enumerate(self._checked(played(score, self._mix)))
        )
        return _factor(self._take.loudness - searches) if np.isfinite(searches) else 1.0

    def _gain(self, score: Score, balance: float) -> tuple[float, Loudness]:
        """The factor of the mix that sets it to the target, and the loudness that results."""
        peak = 0.0

        def raw(gain: float) -> Iterator[F32]:
            nonlocal peak
            for mix, _ in self._raw(score, balance, stems=False):
                peak = max(peak, float(np.abs(mix).max()))
                yield mix * np.float32(gain)

        gain = _FIRST_GAIN
        for _ in range(_MAX_MEASUREMENTS):
            loudness = integrated_loudness(raw(gain), limiter(CEILING))
            if not np.isfinite(loudness):
                return 1.0, Loudness(loudness, _decibels(peak), False)
            right = min(gain * _factor(self._target - loudness), CEILING / peak * _MAX_LIMITED)
            change, gain = _decibels(right / gain), right
            loudness += change
            if abs(change) <= _TOLERANCE:
                break
        is_limited = peak * gain > CEILING
        return gain, Loudness(loudness, _decibels(min(CEILING, peak * gain)), is_limited)

    @property
    def loudness(self) -> Loudness:
        """The loudness of the finished sound."""
        return self._measured().loudness

    def _stereo(self, start: int, searches: Iterable[tuple[int, F32 | None]]) -> F32:
        """(BLOCK, 2) float32: the samples from `start` on of the sum of these searches, given by
        number, each from where its board is (with constant power)."""
        stereo = np.zeros((2, BLOCK), np.float32)  # each channel is contiguous
        for number, own in searches:
            if own is not None:
                samples = np.arange(start, start + BLOCK)
                angles = (np.interp(samples, self._times, self._pans[:, number]) + 1) * np.pi / 4
                stereo[0] += own * np.cos(angles, dtype=np.float32, casting="same_kind")
                stereo[1] += own * np.sin(angles, dtype=np.float32, casting="same_kind")
        return stereo.T

    def _raw(
        self, score: Score, balance: float, *, stems: bool
    ) -> Iterator[tuple[F32, tuple[F32, ...]]]:
        """Blocks of BLOCK samples before the gain, and their stems."""
        take = self._take
        spoken = take.blocks() if take else iter(())
        count = len(score.searches) if stems else 0
        for number, block in enumerate(self._checked(played(score, self._mix))):
            start = number * BLOCK
            at = score.begin + start
            mix = self._stereo(at, enumerate(block))
            alone = [self._stereo(at, [(own, block[own])]) for own in range(count)]
            if take is not None:
                back = np.float32(balance) * take.ducking(start, BLOCK)[:, None]
                mix, alone = mix * back, [one * back for one in alone]
                speech = next(spoken, None)
                if speech is not None:
                    mix[: len(speech)] += speech
            yield mix, tuple(alone)

    def blocks(self, *, stems: bool = False) -> Iterator[StereoBlock]:
        """The sound from its beginning to its end in blocks of BLOCK samples, the last one shorter;
        with `stems`, also the sound of each search."""
        score, balance, gain, loudness = self._measured()
        waiting: deque[StereoBlock] = deque()

        def unlimited() -> Iterator[F32]:
            left = self.samples
            for mix, searches in self._raw(score, balance, stems=stems):
                own = tuple(one[:left] * np.float32(gain) for one in searches)
                waiting.append(StereoBlock(mix[:left] * np.float32(gain), own))
                yield waiting[-1].mix
                left -= BLOCK

        limited = filtered(unlimited(), limiter(CEILING)) if loudness.limited else unlimited()
        for mix in limited:
            before = waiting.popleft()
            factor = _ratio(mix, before.mix)
            yield StereoBlock(mix, tuple(one * factor for one in before.stems))


def _ratio(after: F32, before: F32) -> F32:
    """(n, 1): the factor by which the limiter changed samples, (n, 2); 1 where they are 0."""
    louder = np.abs(before).argmax(axis=1)[:, None]
    above = np.take_along_axis(after, louder, axis=1)
    below = np.take_along_axis(before, louder, axis=1)
    return np.divide(above, below, out=np.ones_like(below), where=below != 0)


def _factor(decibels: float) -> float:
    return float(10 ** (decibels / 20))


def _decibels(factor: float) -> float:
    return 20 * float(np.log10(factor)) if factor else -np.inf
