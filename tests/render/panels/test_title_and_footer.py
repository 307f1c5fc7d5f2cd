"""The line that states the clock: correct, and in natural words."""

from __future__ import annotations

from fractions import Fraction

from undoku.render.panels.title_and_footer import clock_texts
from undoku.render.timeline.pace import Clock
from undoku.render.timeline.race_plan import plan
from undoku.render.timeline.timeline import Pace
from undoku.texts.language import quantity


def test_numbers_are_written_as_people_write_them() -> None:
    assert quantity(Fraction(12)) == "12"
    assert quantity(Fraction(17_536, 870)) == "20.2"
    assert quantity(Fraction(123_456, 7)) == "17,637"
    assert quantity(Fraction(30000, 1001)) == "30"


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
    assert clock_texts(ramp)[0].endswith("steps per frame on average, 60 frames per second")
