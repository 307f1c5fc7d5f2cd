"""Loudness is what BS.1770 says, and peaks are lowered without a click."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from undoku.render.sound.gains import eased_gain
from undoku.render.sound.limiter import PIECE, limiting_gains
from undoku.render.sound.loudness import LoudnessMeter
from undoku.render.sound.sample_clock import RATE


def tone(hertz: float, level: float, seconds: float = 3.0, right: float = 1.0) -> np.ndarray:
    wave = level * np.sin(2 * np.pi * hertz * np.arange(int(seconds * RATE)) / RATE)
    return np.stack([wave, right * wave], 1).astype(np.float32)


@pytest.mark.parametrize(
    ("hertz", "level", "right", "lufs"),
    [
        # EBU Tech 3341 gives the first: 1 kHz in both channels at -23 dBFS is -23 LUFS.
        (1000, 10 ** (-23 / 20), 1.0, -23.0),
        (1000, 10 ** (-33 / 20), 1.0, -33.0),
        (1000, 10 ** (-23 / 20), 0.0, -26.0),
    ],
)
def test_a_tone_is_as_loud_as_the_standard_says(
    hertz: float, level: float, right: float, lufs: float
) -> None:
    meter = LoudnessMeter()
    meter.add(tone(hertz, level, right=right))
    assert meter.integrated == pytest.approx(lufs, abs=0.1)


def test_silence_has_no_loudness_and_stays_as_it_is() -> None:
    meter = LoudnessMeter()
    meter.add(np.zeros((RATE, 2), np.float32))
    assert meter.integrated == -np.inf
    assert meter.gain == 1


def test_pauses_count_for_nothing() -> None:
    """The gates: EBU Tech 3341, tests 3 to 5."""
    meter = LoudnessMeter()
    for part in (tone(1000, 10 ** (-36 / 20), 4), tone(1000, 10 ** (-23 / 20), 12)):
        meter.add(part)
    meter.add(np.zeros((8 * RATE, 2), np.float32))
    assert meter.integrated == pytest.approx(-23, abs=0.15)


@given(st.lists(st.floats(-30, 0), min_size=2, max_size=60), st.floats(0.1, 3), st.floats(0.1, 3))
def test_gains_never_exceed_the_limits_and_change_slowly(
    asked: list[float], fall: float, rise: float
) -> None:
    found = eased_gain(np.array(asked), fall, rise)
    assert (found <= np.array(asked) + 1e-9).all()
    assert (np.diff(found) <= rise + 1e-9).all()
    assert (np.diff(found) >= -fall - 1e-9).all()


@settings(max_examples=25)
@given(st.lists(st.tuples(st.integers(0, 4 * RATE - 1), st.floats(-4, 4)), max_size=12))
def test_no_sample_passes_the_ceiling(peaks: list[tuple[int, float]]) -> None:
    """Wherever it is, also at the edge of two blocks; samples far from all peaks are unchanged."""
    sound = tone(440, 0.3, 4)
    for at, height in peaks:
        sound[at] = height

    def blocks() -> Iterator[np.ndarray]:
        for start in range(0, len(sound), RATE):
            yield sound[start : start + RATE]

    found = list(limiting_gains(blocks(), 0.7))
    gains = np.concatenate([gain for _, gain in found])
    assert np.abs(sound * gains[:, None]).max() <= 0.7 + 1e-6
    # No jump: the gain goes straight from one piece to the next.
    assert np.abs(np.diff(20 * np.log10(gains))).max() * PIECE <= 1.3
    if not [height for _, height in peaks if abs(height) > 0.7]:
        assert (gains == 1).all()
