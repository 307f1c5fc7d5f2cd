"""The texture for steps that are too many for single tones.

Two slightly detuned oscillators follow the depth. Their tremolo and vibrato become stronger with
the number of steps and with the range of the depths of a frame."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from undoku.h264.loops import F32, F64, I64
from undoku.render.sound.mix import Pitch
from undoku.render.sound.sample_clock import RATE, between
from undoku.render.sound.score import SearchScore
from undoku.render.sound.timbres import TIMBRES

_GRID = RATE // 2000
"""The samples between two values of pitch and level, which are interpolated linearly."""

_SWELL = RATE // 125
"""The samples, from the first one of a frame on, in which the texture changes to its level."""

_TREMBLE, _WANDER = RATE // 64, RATE // 32
"""The samples between two points of the curves of tremolo and vibrato."""

_DETUNED = 1.006
"""The ratio of the frequencies of the two oscillators, which beat slowly."""

_SMOOTHED = np.array([0.34, 0.26, 0.2, 0.12, 0.08])
"""The weights of the current frame and of the frames before it for the depth."""

_SIZE = 4096


class Texture:
    """The texture of one search, block by block from the film's first sample on. `seed` differs
    between searches. The same score gives the same samples."""

    def __init__(
        self, score: SearchScore, starts: I64, pitch: Pitch, timbre: str, seed: int
    ) -> None:
        self._starts = starts
        self._pitch = pitch
        self._seed = seed
        # The first element is frame -1, which is silent, like all frames after the race.
        self._levels = np.concatenate([[0], score.density.texture, [0]]).astype(np.float64)
        depths = _smooth(score.depths, score.density.texture)
        self._depths = np.concatenate([depths[:1], depths, depths[-1:]])
        many = np.log10(np.maximum(score.density.rates, 60.0) / 60) / 3
        rough = np.clip(0.35 * many + 1.2 * score.spreads, 0, 1)
        rough = _smooth(rough, score.density.texture)
        self._rough = np.concatenate([rough[:1], rough, rough[-1:]])
        self._tables = _table(timbre), _table("bright")
        self._phase = 0.0

    def block(self, start: int, samples: int) -> F32 | None:
        """(samples,) float32: the samples from `start` on; None for silence. Blocks must be
        requested in order; `samples` must be a multiple of 24."""
        points = np.arange(start, start + samples + 1, _GRID)
        first, last = self._starts[0], self._starts[-1] + _SWELL
        if points[-1] < first or points[0] > last or len(self._levels) == 2:
            return None
        frame = np.searchsorted(self._starts, points, "right")
        elapsed = points - self._starts[np.maximum(frame - 1, 0)]
        part = np.clip(elapsed / _SWELL, 0, 1)
        levels = _interpolated(self._levels, frame, part)
        if not levels.any():
            self._phase = 0.0
            return None
        rough = _interpolated(self._rough, frame, part)
        tremble = _curve(points, _TREMBLE, self._seed)
        wander = _curve(points, _WANDER, self._seed + 1) - 0.5
        depth = _interpolated(self._depths, frame, part)
        hertz = self._pitch.hertz(np.clip(depth + 0.22 * rough * wander, 0, 1))
        hertz[levels == 0] = self._pitch.low
        loud = levels * (1 - 0.75 * rough * tremble) * np.clip((hertz / 400) ** -0.35, 0.6, 1.5)
        turned = self._phase + np.cumsum(between(hertz / RATE, _GRID), dtype=np.float64)
        self._phase = float(turned[-1]) % _TURNS
        soft, bright = self._tables
        sound = _looked_up(soft, turned) + between(0.1 + 0.55 * rough, _GRID) * _looked_up(
            bright, turned * _DETUNED
        )
        texture: F32 = between(loud, _GRID) * sound
        return texture


_TURNS = 500.0
"""After this number of periods of the first oscillator, the second has completed 503."""


def _interpolated(values: F64, frame: NDArray[np.intp], part: F64) -> F64:
    """The values between those of the previous frame and of `frame`; arrays begin with frame -1."""
    now, before = values[frame], values[np.maximum(frame - 1, 0)]
    interpolated: F64 = before + (now - before) * part
    return interpolated


def _smooth(values: F32, weights: F32) -> F64:
    """The weighted mean of each frame and the frames before it."""
    weight = weights.astype(np.float64) + 1e-6
    summed = np.convolve(values * weight, _SMOOTHED)[: len(values)]
    mean: F64 = summed / np.convolve(weight, _SMOOTHED)[: len(values)]
    return mean


def _looked_up(table: F32, turned: F64) -> F32:
    number = (turned * _SIZE).astype(np.int64) & (_SIZE - 1)
    samples: F32 = np.take(table, number)
    return samples


@cache
def _table(timbre: str) -> F32:
    """One period of a timbre's harmonic partials, with the power of a sine."""
    turn = 2 * np.pi * np.arange(_SIZE) / _SIZE
    period = np.zeros(_SIZE)
    for partial in TIMBRES[timbre]:
        period += partial.level * np.sin(round(partial.ratio) * turn)
    table: F32 = (period / np.sqrt(2 * (period**2).mean())).astype(np.float32)
    return table


def _curve(points: I64, step: int, seed: int) -> F64:
    """A pseudo-random curve, 0..1: linear interpolation between numbers `step` samples apart."""
    number, rest = np.divmod(points, step)
    before, after = _random(number, seed), _random(number + 1, seed)
    curve: F64 = before + (after - before) * (rest / step)
    return curve


def _random(numbers: I64, seed: int) -> F64:
    """Pseudo-random numbers 0..1 by splitmix64 (Steele, Lea and Flood 2014), the same on every
    machine."""
    mixed = numbers.astype(np.uint64) + np.uint64(1 + seed * 0x9E3779B9)
    mixed = mixed * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    randoms: F64 = ((mixed ^ (mixed >> np.uint64(31))) >> np.uint64(11)) / float(1 << 53)
    return randoms
