"""The timeline: no step lost, none shown twice, totals exact."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from undoku import SettingsError
from undoku.render.timeline.pace import Clock
from undoku.render.timeline.race_plan import plan
from undoku.render.timeline.speed import steps_through
from undoku.render.timeline.stretches import Stretch
from undoku.render.timeline.timeline import Pace, Timeline

rates = st.sampled_from([Fraction(60), Fraction(25), Fraction(30000, 1001), Fraction(24)])
totals = st.lists(st.integers(0, 10**9), min_size=1, max_size=4)
paces = st.one_of(
    st.builds(
        Pace,
        duration=st.fractions(Fraction(1, 2), 30, max_denominator=100),
        ramp=st.booleans(),
    ),
    st.builds(Pace, steps_per_frame=st.fractions(10**6, 10**8, max_denominator=7)),
)


@given(totals, rates, paces, st.sampled_from(Clock), st.randoms(use_true_random=False))
def test_every_step_falls_on_exactly_one_frame(
    steps: list[int], fps: Fraction, pace: Pace, clock: Clock, chance: Random
) -> None:
    """Steps never run back, begin at none and end at all of them in every panel."""
    seconds = [Fraction(chance.randint(1, 10**9), 10**9) for _ in steps]
    timeline = plan(steps, fps, pace, clock=clock, seconds=seconds)
    before = (0,) * len(steps)
    for shot in timeline.shots():
        assert all(a <= b <= total for a, b, total in zip(before, shot.steps, steps, strict=True))
        before = shot.steps
    if timeline.race or timeline.hold or timeline.card:
        assert before == tuple(steps)


@given(totals, rates, paces, st.sampled_from([Fraction(0), Fraction(2)]))
def test_shots_cover_every_frame_once(
    steps: list[int], fps: Fraction, pace: Pace, title: Fraction
) -> None:
    """Each shot starts where the one before ends, and looking a frame up finds its shot."""
    timeline = plan(steps, fps, pace, title=title)
    start = 0
    for shot in timeline.shots():
        assert shot.start == start
        assert timeline.shot_at(start) == shot
        assert timeline.shot_at(start + shot.ticks - 1) == shot
        start += shot.ticks
    assert start == timeline.frames


@given(
    totals,
    rates,
    st.fractions(Fraction(1, 2), 60, max_denominator=1000),
    st.booleans(),
)
def test_a_fitted_film_lasts_as_long_as_asked(
    steps: list[int], fps: Fraction, seconds: Fraction, ramp: bool
) -> None:
    """To the nearest frame."""
    timeline = plan(steps, fps, Pace(duration=seconds, ramp=ramp))
    assert timeline.frames == max(1, round(seconds * fps))


@given(totals, st.integers(1, 1000))
def test_steps_per_frame_are_exact_in_every_panel(steps: list[int], rate: int) -> None:
    """Frame j of the race shows j + 1 times as many steps, up to the panel's own end."""
    timeline = plan(steps, Fraction(60), Pace(steps_per_frame=Fraction(rate)))
    assert timeline.race == -(-max(steps) // rate)
    for elapsed in (1, 2, timeline.race // 2, timeline.race):
        if 0 < elapsed <= timeline.race:
            assert timeline.steps_at(elapsed) == tuple(min(t, elapsed * rate) for t in steps)


def test_less_than_a_step_per_frame_holds_each_step_for_several_frames() -> None:
    """At 1/4 a step is shown for four frames."""
    timeline = plan([3], Fraction(60), Pace(steps_per_frame=Fraction(1, 4)))
    assert timeline.race == 12
    done = [timeline.steps_at(elapsed)[0] for elapsed in range(1, 13)]
    assert done == [0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3]


def test_the_finish_clock_ends_all_panels_on_the_same_frame() -> None:
    """The shorter search runs slower."""
    timeline = plan(
        [1000, 10], Fraction(60), Pace(steps_per_frame=Fraction(10)), clock=Clock.FINISH
    )
    assert timeline.steps_at(50) == (500, 5)
    assert timeline.steps_at(99) == (990, 9)
    assert timeline.steps_at(100) == (1000, 10)


def test_the_time_clock_runs_each_search_at_its_measured_speed() -> None:
    """1,000 steps in a second beside 100 in half a second: that one is done at half the race."""
    timeline = plan(
        [1000, 100],
        Fraction(60),
        Pace(steps_per_frame=Fraction(10)),
        clock=Clock.TIME,
        seconds=[Fraction(1), Fraction(1, 2)],
    )
    assert timeline.steps_at(25) == (250, 50)
    assert timeline.steps_at(50) == (500, 100)
    assert timeline.steps_at(100) == (1000, 100)


def test_the_time_clock_needs_times() -> None:
    with pytest.raises(SettingsError, match="which a recorded trace lacks"):
        plan([10, 10], Fraction(60), Pace(), clock=Clock.TIME, seconds=[Fraction(1), Fraction(0)])


@given(totals, st.data())
def test_a_part_of_a_race_shows_the_same_steps_as_the_whole(
    steps: list[int], data: st.DataObject
) -> None:
    """From one step to another, at one rate, every state is one that the whole film has too."""
    longest = max(steps)
    first = data.draw(st.integers(0, longest))
    last = data.draw(st.integers(first, longest))
    rate = Fraction(max(1, longest // 50))
    part = plan(steps, Fraction(60), Pace(rate, first=first, last=last))
    assert part.steps_at(0) == tuple(min(total, first) for total in steps)
    assert part.steps_at(part.race) == tuple(min(total, last) for total in steps)
    assert list(part.shots())[-1].steps == part.steps_at(part.race)
    for elapsed in range(1, min(part.race, 5)):
        assert part.steps_at(elapsed) == tuple(
            min(total, first + elapsed * int(rate)) for total in steps
        )


@pytest.mark.parametrize(("first", "last"), [(11, None), (0, 11), (5, 4)])
def test_a_race_outside_the_search_is_refused(first: int, last: int | None) -> None:
    with pytest.raises(SettingsError, match="the longest search has the steps 0 to 10"):
        plan([10, 3], Fraction(60), Pace(first=first, last=last))


def test_a_ramp_starts_and_ends_slowly() -> None:
    """The first and last seconds run at a speed the eye can follow, the middle above average."""
    timeline = plan([17_536], Fraction(60), Pace(duration=Fraction(20), ramp=True))
    speeds = [timeline.steps_at(n + 1)[0] - timeline.steps_at(n)[0] for n in range(timeline.race)]
    assert sum(speeds) == 17_536
    assert sum(speeds[:20]) < 20
    assert sum(speeds[-20:]) < 20
    middle = speeds[timeline.race // 2 - 10 : timeline.race // 2 + 10]
    assert sum(middle) / 20 > 17_536 / timeline.race


@pytest.mark.parametrize("pace", [Pace(), Pace(duration=Fraction(5))])
def test_a_search_without_steps_is_still_a_film(pace: Pace) -> None:
    """A puzzle that is complete, or that is refuted before the first step, shows its givens."""
    timeline = plan([0], Fraction(60), pace)
    shots = list(timeline.shots())
    assert timeline.frames > 0
    assert all(shot.steps == (0,) for shot in shots)


def test_the_timeline_of_a_billion_steps_is_arithmetic() -> None:
    """Looking up the last frame counts no steps."""
    timeline = Timeline(
        Fraction(60), (10**9,), 0, 10**9, 0, 0, last=10**9, stretches=(Stretch(0, 10**9, 0, 10**9),)
    )
    assert timeline.shot_at(10**9 - 1).steps == (10**9,)


any_pace = st.one_of(
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
    any_pace,
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
