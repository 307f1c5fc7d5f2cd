"""Ducking: the gain of the search's sound under a spoken take."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from undoku.h264.loops import F32, F64
from undoku.render.sound.sample_clock import RATE, between

DUCKED = -12.0
"""The gain of the search's sound during speech, in dB."""

_PIECE = RATE // 100
"""The samples of a piece, which as a whole counts as speech or not."""

_AUDIBLE = 10 ** (-26 / 20)
"""The level relative to the take's loudness below which a piece is not speech."""

_HELD = 45
"""The pieces after a word for which the sound stays reduced, so that it is not heard between
words."""

_FALL, _RISE = 1.5, 0.2
"""The changes of the gain in dB per piece: it falls within 0.08 s before a word, and rises again in
0.6 s."""

Blocks = Callable[[], Iterator[F32]]
"""Returns the take from its beginning: arrays (n, 2) float32, all but the last of RATE samples."""


class SpokenTake:
    """A take, given as `blocks`, which are read once here, and its integrated `loudness` in LUFS,
    -inf for silence. `seconds` is the end of its last audible sound."""

    def __init__(self, blocks: Blocks, loudness: float) -> None:
        self.blocks = blocks
        self.loudness = loudness
        levels: list[F64] = []
        for block in blocks():
            rest = -len(block) % RATE
            whole = np.pad(block, ((0, rest), (0, 0))) if rest else block
            power = (whole.astype(np.float64) ** 2).sum(axis=1).reshape(-1, _PIECE).mean(axis=1)
            levels.append(np.sqrt(power))
        level = np.concatenate(levels) if levels else np.zeros(0)
        spoken = (level > _AUDIBLE * 10 ** (loudness / 20)) & np.isfinite(loudness)
        pieces = np.flatnonzero(spoken)
        self.seconds = float((pieces[-1] + 1) * _PIECE / RATE) if len(pieces) else 0.0
        self._nodes = _reduction(spoken)

    def ducking(self, start: int, samples: int) -> F32:
        """(samples,) float32: the factors of the search's sound from sample `start` on; both must
        be multiples of a hundredth of a second."""
        first, count = start // _PIECE, samples // _PIECE
        nodes = np.zeros(count + 1)
        reduction = self._nodes[first : first + count + 1]
        nodes[: len(reduction)] = reduction
        return between(10 ** (nodes / 20), _PIECE)


def _reduction(spoken: NDArray[np.bool_]) -> F64:
    """The gain in dB at the beginning of each piece, and after the last one until it is 0 again."""
    held = np.concatenate([spoken, np.zeros(_HELD + 100, np.bool_)])
    counted = np.cumsum(np.concatenate([np.zeros(_HELD + 1, np.int64), held]))
    held = counted[_HELD + 1 :] > counted[: -_HELD - 1]
    # The gain is fully reduced at both ends of a piece with speech.
    limits = np.where(held | np.concatenate([[False], held[:-1]]), DUCKED, 0.0)
    return eased_gain(limits, _FALL, _RISE)


def eased_gain(limits: F64, fall: float, rise: float) -> F64:
    """The highest gains in dB, none above that of `limits`, that fall by at most `fall` dB and rise
    by at most `rise` dB from one to the next."""
    number = np.arange(len(limits))
    risen: F64 = np.minimum.accumulate(limits - rise * number) + rise * number
    fallen: F64 = np.minimum.accumulate((risen + fall * number)[::-1])[::-1] - fall * number
    return fallen
