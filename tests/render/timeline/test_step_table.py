"""The steps of many frames at once are those of each frame."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from undoku.render.timeline.pace import Clock
from undoku.render.timeline.race_plan import plan
from undoku.render.timeline.speed import steps_through
from undoku.render.timeline.timeline import Pace, Timeline

paces = st.one_of(
    st.builds(
        Pace,
        duration=st.fractions(Fraction(1, 2), 3000, max_denominator=100),
        ramp=st.booleans(),
    ),
    st.builds(Pace, steps_per_frame=st.fractions(Fraction(1, 50), 10**8, max_denominator=97)),
)


def agrees(timeline: Timeline, elapsed: int, frames: int) -> None:
    found = steps_through(timeline, elapsed, frames).tolist()
    assert found == [list(timeline.steps_at(elapsed + n)) for n in range(frames)]


@given(
    st.lists(st.integers(0, 10**6) | st.integers(0, 10**13), min_size=1, max_size=3),
    paces,
    st.sampled_from(Clock),
    st.randoms(use_true_random=False),
)
def test_step_tables_agree_with_timelines_at_every_pace_and_on_every_clock(
    steps: list[int], pace: Pace, clock: Clock, chance: Random
) -> None:
    """Also where numbers are too large for a machine's integers."""
    seconds = [Fraction(chance.randint(1, 10**12), 10**9) for _ in steps]
    timeline = plan(steps, Fraction(60), pace, clock=clock, seconds=seconds)
    for start in (0, chance.randint(0, timeline.race), max(0, timeline.race - 5)):
        agrees(timeline, start, min(40, timeline.race - start))
