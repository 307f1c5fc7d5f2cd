"""The end card's sentence and the clock's: true, and as a person says it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from render.canvas import Pixels
from render.panels.card import ratio, summary
from render.panels.frame import clock_texts, number_text
from render.pipeline import Film
from render.settings import FilmSettings
from render.slowing import slowed
from render.theme import load_theme
from render.timeline import Clock, Pace, plan
from solver import Outcome, Tally, search
from tests.puzzles import MEDIUM


def tally(steps: int, outcome: Outcome = Outcome.SOLVED) -> Tally:
    places = -(-steps // 2)
    return Tally(outcome, 1, None, places, places, steps - places, 3, 1, 5, steps)


@pytest.mark.parametrize(
    ("steps", "sentence"),
    [
        ((17_536, 534), "mrv: 1/33 of the steps of row-major"),
        ((534, 17_536), "row-major: 1/33 of the steps of mrv"),
        ((100, 90), "mrv: 90 % of the steps of row-major"),
        ((1000, 999), "mrv: almost all of the steps of row-major"),
        ((44, 44), "all took 44 steps"),
        ((0, 44), "row-major took 0 steps, mrv 44"),
        ((1, 1), "all took 1 step"),
    ],
)
def test_two_searches_are_compared_by_their_steps(steps: tuple[int, int], sentence: str) -> None:
    assert summary(["row-major", "mrv"], [tally(n) for n in steps]) == sentence


def test_one_search_is_told_by_its_counts() -> None:
    assert summary(["mrv"], [tally(534)]) == "mrv solved it in 534 steps, 3 backtracks"
    assert (
        summary(["mrv"], [tally(534, Outcome.CAPPED)])
        == "mrv was stopped after 534 steps, 3 backtracks"
    )


def test_a_capped_search_is_never_called_the_shortest() -> None:
    """It did not arrive: a share of its steps is an upper bound, and says so."""
    capped = tally(1000, Outcome.CAPPED)
    assert (
        summary(["row-major", "mrv"], [capped, tally(10)])
        == "mrv: less than 1/100 of the steps of row-major"
    )
    assert "capped" in summary(["row-major", "mrv"], [tally(10, Outcome.CAPPED), tally(5000)])
    three = [tally(100), tally(100), tally(100, Outcome.CAPPED)]
    assert summary(["a", "b", "c"], three) == "a and b took 100 steps; c was capped"
    assert summary(["a", "b"], [capped, capped]) == "no search came to its end: all were capped"


def test_ratios_are_rounded_fairly() -> None:
    assert ratio(1, 2) == "1/2"
    assert ratio(534, 17_536) == "1/33"
    assert ratio(2, 3) == "67 %"
    assert ratio(100, 250) == "40 %"
    assert ratio(100, 290) == "1/3"
    assert ratio(0, 5) == "0 %"


def test_numbers_are_written_as_people_write_them() -> None:
    assert number_text(Fraction(12)) == "12"
    assert number_text(Fraction(17_536, 870)) == "20.2"
    assert number_text(Fraction(123_456, 7)) == "17,637"
    assert number_text(Fraction(30000, 1001)) == "30"


def test_the_clock_is_stated_with_its_rate() -> None:
    timeline = plan([100, 50], Fraction(60), Pace(Fraction(12)))
    assert clock_texts(timeline)[0] == "12 steps per frame in every panel, 60 frames per second"
    alone = plan([100], Fraction(60), Pace(Fraction(1)))
    assert clock_texts(alone)[0] == "1 step per frame, 60 frames per second"
    slowest = plan([100], Fraction(60), Pace(Fraction(1, 60)))
    assert clock_texts(slowest)[0] == "1 step per second, 60 frames per second"
    slow = plan([100], Fraction(60), Pace(Fraction(1, 4)))
    assert clock_texts(slow)[0] == "15 steps per second, 60 frames per second"
    finish = plan([100, 50], Fraction(60), Pace(Fraction(12)), clock=Clock.FINISH)
    assert "all finish together" in clock_texts(finish)[0]
    time = plan([1000, 50], Fraction(60), Pace(Fraction(10)), clock=Clock.TIME,
                seconds=[Fraction(1, 100), Fraction(1, 1000)])  # fmt: skip
    assert clock_texts(time)[1] == "100 µs of search per frame, each as fast as it was"
    ramp = plan([10_000], Fraction(60), Pace(duration=Fraction(20), ramp=True))
    assert "slow at both ends" in clock_texts(ramp)[0]
    turning = slowed(plan([10_000], Fraction(60), Pace(duration=Fraction(20))), [(500, 520)])
    assert clock_texts(turning)[0].endswith(
        "steps per frame on average, slow at the highlights, 60 frames per second"
    )


def card_of(*strategies: str, **settings: Any) -> tuple[Film, Pixels]:
    values: dict[str, Any] = {"width": 1280, "height": 720, **settings}
    made = Film([search(MEDIUM.grid, name) for name in strategies], FilmSettings(**values))
    *_, frame = made.frames()
    return made, frame.pixels


@pytest.mark.parametrize("clock", [Clock.STEPS, Clock.FINISH])
def test_bars_of_the_card_are_as_long_as_the_searches(clock: Clock) -> None:
    """The accent's longest run in a row of pixels, for the longest search and for the shortest."""
    _, pixels = card_of("row-major", "mrv", pace=Pace(duration=Fraction(5)), clock=clock)
    accent = (pixels == np.array(load_theme("dark").accent)).all(2)
    lengths = sorted(set(accent.sum(1).tolist()) - {0})
    room = 1280 - 2 * 128
    assert lengths == [round(room * 534 / 17_536), room]


def test_a_film_that_leaves_steps_out_has_no_depths_on_its_card() -> None:
    """They would reach over less than the counts beside them say."""
    tints = np.array(load_theme("dark").scale)
    shown = []
    for last in (17_536, 9_000):
        _, pixels = card_of("row-major", pace=Pace(duration=Fraction(5), last=last))
        shown.append(int((pixels[:, :, None] == tints).all(3).sum()))
    assert shown[0] > 1000
    assert shown[1] == 0
