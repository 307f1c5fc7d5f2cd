"""Timbres: the partials of a tone, and the samples of a struck tone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.h264.loops import F32
from undoku.render.sound.sample_clock import RATE

_ATTACK = 0.0005
"""The attack of a tone in seconds: short enough to sound sudden, too long for a click."""

_KNOCK, _KNOCK_LEVEL, _KNOCK_DECAY = 2100, 0.3, 0.0015
"""The frequency (Hz), level and decay (seconds) of the knock at the beginning of every tone, like
that of a mallet. Without it, the beginning of a low tone could not be heard exactly."""

_MAX_HERTZ = 12_000
"""Partials above this frequency in Hz are omitted."""

_TAIL = 5.5
"""The length of a tone in multiples of its decay: then it is 48 dB below its beginning."""

_TURN = 1 << 14
"""The length of the sine table in samples."""

_FADE = 0.15
"""The last part of a tone, as a share, in which it fades out."""


class Partial(NamedTuple):
    """A sine in a tone: its frequency as a multiple of the tone's, its level, and its decay as a
    multiple of the tone's."""

    ratio: float
    level: float
    decay: float


TIMBRES: Mapping[str, tuple[Partial, ...]] = {
    "bright": (
        Partial(1, 1, 1),
        Partial(2, 0.5, 0.7),
        Partial(3, 0.3, 0.5),
        Partial(4, 0.16, 0.4),
        Partial(6, 0.06, 0.3),
    ),
    "soft": (Partial(1, 1, 1), Partial(2, 0.16, 0.6), Partial(3, 0.05, 0.4)),
    "sine": (Partial(1, 1, 1),),
    "wood": (Partial(1, 1, 1), Partial(3.93, 0.3, 0.3), Partial(9.2, 0.06, 0.15)),
    "bell": (
        Partial(1, 1, 1),
        Partial(2, 0.5, 0.8),
        Partial(2.76, 0.28, 0.5),
        Partial(5.4, 0.1, 0.25),
    ),
    "pluck": tuple(Partial(number, 1 / number, 1 / number**0.5) for number in range(1, 9)),
}
"""The timbres by name. "wood" has the partials of a tuned bar, "bell" those of a small bell."""


@lru_cache(maxsize=160)
def struck(timbre: str, hertz: float, decay: float) -> F32:
    """(n,) float32: a tone that begins with its first sample, from 0, and falls by 8.7 dB every
    `decay` seconds; its largest sample is about 1. It ends at 0. Read-only."""
    count = int(_TAIL * decay * RATE)
    sound = np.zeros(count)
    partials = [one for one in TIMBRES[timbre] if one.ratio * hertz < _MAX_HERTZ]
    for partial in partials or TIMBRES["sine"]:
        own = partial.decay * decay
        samples = min(count, int(_TAIL * own * RATE))
        turned = np.arange(samples) * (partial.ratio * hertz / RATE * _TURN)
        sine = _sines()[turned.astype(np.int64) & (_TURN - 1)]
        sound[:samples] += partial.level * _falling(own)[:samples] * sine
    sound *= _evenness(hertz) / max(1e-9, np.abs(sound).max())
    knock = int(_TAIL * _KNOCK_DECAY * RATE)
    turned = np.arange(knock) * (_KNOCK / RATE * _TURN)
    sine = _sines()[turned.astype(np.int64) & (_TURN - 1)]
    sound[:knock] += _KNOCK_LEVEL * _falling(_KNOCK_DECAY) * sine
    rise = min(count, round(_ATTACK * RATE))
    sound[:rise] *= 0.5 - 0.5 * np.cos(np.pi * np.arange(rise) / rise)
    tone = sound.astype(np.float32)
    tone.setflags(write=False)
    return tone


@cache
def _sines() -> NDArray[np.float64]:
    """One period of a sine."""
    sines: NDArray[np.float64] = np.sin(2 * np.pi * (np.arange(_TURN) + 0.5) / _TURN)
    return sines


@lru_cache(maxsize=64)
def _falling(decay: float) -> NDArray[np.float64]:
    """The envelope of a partial that falls by 8.7 dB every `decay` seconds and fades out."""
    count = int(_TAIL * decay * RATE)
    envelope = np.exp(-np.arange(count) / (decay * RATE))
    fall = round(_FADE * count)
    envelope[count - fall :] *= 0.5 + 0.5 * np.cos(np.pi * np.arange(1, fall + 1) / fall)
    return envelope


def _evenness(hertz: float) -> float:
    """The factor that makes tones of all pitches about equally loud: low ones sound softer at the
    same level (ISO 226)."""
    return float(min(1.5, max(0.65, (hertz / 400) ** -0.3)))


def joined(tones: Sequence[tuple[float, float, F32]]) -> F32:
    """Tones as one sound: (seconds after its beginning, level, tone) of each."""
    starts = [round(after * RATE) for after, _, _ in tones]
    ends = [start + len(tone) for start, (_, _, tone) in zip(starts, tones, strict=True)]
    sound = np.zeros(max(ends, default=0), np.float32)
    for start, end, (_, level, tone) in zip(starts, ends, tones, strict=True):
        sound[start:end] += np.float32(level) * tone
    return sound
