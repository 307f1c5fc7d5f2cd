"""The texture for steps that are too many for single tones.

Two oscillators beside each other follow the depth; their loudness trembles and their pitch wanders
the more, the more steps there are and the further apart the depths of a frame are.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from render.sound.gains import between
from render.sound.pitch import Pitch
from render.sound.sample_clock import RATE
from render.sound.score import SearchScore
from render.sound.timbres import TIMBRES

__all__ = ["Texture"]

_I64 = NDArray[np.int64]
_F32 = NDArray[np.float32]
_F64 = NDArray[np.float64]

_GRID = RATE // 2000
"""Samples from one value of pitch and loudness to the next; between them they go straight."""

_SWELL = RATE // 125
"""Samples in which the texture takes the loudness of a frame, from the frame's first sample on."""

_TREMBLE, _WANDER = RATE // 64, RATE // 32
"""Samples between the points of the curves that loudness and pitch follow."""

_DETUNED = 1.006
"""The second oscillator's pitch, as a multiple of the first one's: they beat slowly."""

_SMOOTHED = np.array([0.34, 0.26, 0.2, 0.12, 0.08])
"""How much the present frame and those before it say of the depth."""

_SIZE = 4096


class Texture:
    """The texture of one search, block by block from the film's first sample on. `seed` tells
    searches apart. The same score gives the same samples."""

    def __init__(
        self, score: SearchScore, starts: _I64, pitch: Pitch, timbre: str, seed: int
    ) -> None:
        self._starts = starts
        self._pitch = pitch
        self._seed = seed
        # Frame -1, which is silent, stands first; behind the race there is silence, too.
        self._levels = np.concatenate([[0], score.density.texture, [0]]).astype(np.float64)
        depths = _smooth(score.depths, score.density.texture)
        self._depths = np.concatenate([depths[:1], depths, depths[-1:]])
        many = np.log10(np.maximum(score.density.rates, 60.0) / 60) / 3
        rough = np.clip(0.35 * many + 1.2 * score.spreads, 0, 1)
        rough = _smooth(rough, score.density.texture)
        self._rough = np.concatenate([rough[:1], rough, rough[-1:]])
        self._tables = _table(timbre), _table("bright")
        self._phase = 0.0

    def block(self, start: int, samples: int) -> _F32 | None:
        """(samples,) float32 from sample `start` on; None for silence. Blocks come in order;
        `samples` is a multiple of 24."""
        points = np.arange(start, start + samples + 1, _GRID)
        first, last = self._starts[0], self._starts[-1] + _SWELL
        if points[-1] < first or points[0] > last or len(self._levels) == 2:
            return None
        frame = np.searchsorted(self._starts, points, "right")
        begun = points - self._starts[np.maximum(frame - 1, 0)]
        part = np.clip(begun / _SWELL, 0, 1)
        levels = _slid(self._levels, frame, part)
        if not levels.any():
            self._phase = 0.0
            return None
        rough = _slid(self._rough, frame, part)
        tremble = _curve(points, _TREMBLE, self._seed)
        wander = _curve(points, _WANDER, self._seed + 1) - 0.5
        depth = _slid(self._depths, frame, part)
        hertz = self._pitch.hertz(np.clip(depth + 0.22 * rough * wander, 0, 1))
        hertz[levels == 0] = self._pitch.low
        loud = levels * (1 - 0.75 * rough * tremble) * np.clip((hertz / 400) ** -0.35, 0.6, 1.5)
        turned = self._phase + np.cumsum(between(hertz / RATE, _GRID), dtype=np.float64)
        self._phase = float(turned[-1]) % _TURNS
        soft, bright = self._tables
        sound = _looked_up(soft, turned) + between(0.1 + 0.55 * rough, _GRID) * _looked_up(
            bright, turned * _DETUNED
        )
        found: _F32 = between(loud, _GRID) * sound
        return found


_TURNS = 500.0
"""So many turns of the first oscillator are a whole number of the second's: 503."""


def _slid(values: _F64, frame: NDArray[np.intp], part: _F64) -> _F64:
    """From the value of the frame before to that of `frame`; both arrays begin with frame -1."""
    now, before = values[frame], values[np.maximum(frame - 1, 0)]
    found: _F64 = before + (now - before) * part
    return found


def _smooth(values: _F32, weights: _F32) -> _F64:
    """Of each frame the mean with those before it, as much as each is heard."""
    weight = weights.astype(np.float64) + 1e-6
    summed = np.convolve(values * weight, _SMOOTHED)[: len(values)]
    found: _F64 = summed / np.convolve(weight, _SMOOTHED)[: len(values)]
    return found


def _looked_up(table: _F32, turned: _F64) -> _F32:
    number = (turned * _SIZE).astype(np.int64) & (_SIZE - 1)
    found: _F32 = np.take(table, number)
    return found


@cache
def _table(timbre: str) -> _F32:
    """One turn of a timbre's harmonic partials; its power is that of a sine."""
    turn = 2 * np.pi * np.arange(_SIZE) / _SIZE
    found = np.zeros(_SIZE)
    for partial in TIMBRES[timbre]:
        found += partial.level * np.sin(round(partial.ratio) * turn)
    table: _F32 = (found / np.sqrt(2 * (found**2).mean())).astype(np.float32)
    return table


def _curve(points: _I64, step: int, seed: int) -> _F64:
    """A curve of chance, 0..1: straight lines between numbers that stand every `step` samples."""
    number, rest = np.divmod(points, step)
    before, after = _chance(number, seed), _chance(number + 1, seed)
    found: _F64 = before + (after - before) * (rest / step)
    return found


def _chance(numbers: _I64, seed: int) -> _F64:
    """Numbers 0..1 that look like chance: splitmix64 of Steele, Lea and Flood (2014), the same on
    every machine."""
    mixed = numbers.astype(np.uint64) + np.uint64(1 + seed * 0x9E3779B9)
    mixed = mixed * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    found: _F64 = ((mixed ^ (mixed >> np.uint64(31))) >> np.uint64(11)) / float(1 << 53)
    return found
