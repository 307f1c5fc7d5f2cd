"""Which passages a story has, how long they last, and how fast the clock runs in them."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from undoku.render.timeline.beat_lengths import SHORT_SECONDS, SLOW_TO, STORY_SECONDS

from undoku.render.timeline.beats import BeatKind, first_beat
from undoku.render.timeline.storyboard import Storyboard, plan_storyboard

FPS = Fraction(60)


def kinds(board: Storyboard) -> list[str]:
    return [str(beat.kind) for beat in board.beats]


def seconds(board: Storyboard, fps: Fraction = FPS) -> Fraction:
    return sum(beat.frames for beat in board.beats) / fps


totals = st.lists(
    st.one_of(st.integers(0, 40), st.integers(1, 3000), st.integers(1, 10**8)),
    min_size=1,
    max_size=6,
).filter(any)
rates = st.sampled_from([Fraction(60), Fraction(25), Fraction(30000, 1001), Fraction(1, 2)])


@given(
    totals,
    rates,
    st.none() | st.fractions(Fraction(1, 10), 120),
    st.booleans(),
    st.booleans(),
    st.lists(st.integers(1, 30), max_size=2),
    st.booleans(),
)
def test_a_story_shows_every_step_once_and_lasts_as_long_as_asked(
    totals: list[int],
    fps: Fraction,
    duration: Fraction | None,
    rules: bool,
    short: bool,
    stops: list[int],
    solo: bool,
) -> None:
    board = plan_storyboard(
        totals, fps, duration, rules=rules, short=short, stops=sorted(set(stops)), solo=solo
    )
    race = sum(stretch.frames for stretch in board.stretches)
    card = board.frames_of(BeatKind.CARD)
    assert board.before + race + card == sum(beat.frames for beat in board.beats)
    frame = 0
    for beat in board.beats:
        assert beat.start == frame
        assert beat.frames >= 1
        frame = beat.end
    if duration is not None:
        assert frame == max(1, round(duration * fps))
    elapsed = step = 0
    for part in board.stretches:
        assert (part.start, part.step) == (elapsed, step)
        assert part.frames >= 1
        assert part.steps >= 0
        elapsed, step = elapsed + part.frames, step + part.steps
    assert step == max(totals)
    still = sum(beat.frames for beat in board.beats if beat.start < board.before)
    still += board.frames_of(BeatKind.CARD)
    assert elapsed + still == frame


@pytest.mark.parametrize(("steps", "fps", "frames"), [(13, FPS, 6), (13, 25, 2), (1, 25, 2)])
def test_a_film_too_short_for_its_race_shows_all_steps_without_an_extra_frame(
    steps: int, fps: Fraction | int, frames: int
) -> None:
    board = plan_storyboard([steps], Fraction(fps), Fraction(1, 10), rules=False)
    assert sum(beat.frames for beat in board.beats) == frames
    assert sum(stretch.steps for stretch in board.stretches) == steps


def test_two_searches_far_apart_have_all_beats_in_about_26_seconds() -> None:
    board = plan_storyboard([17_536, 534], FPS, stops=(2, 6))
    assert kinds(board) == [
        "opening", "rules", "first step", "slow", "acceleration", "finish", "spotlight",
        "remainder", "last steps", "end", "card",
    ]  # fmt: skip
    assert 25 <= seconds(board) <= Fraction(53, 2)
    assert abs(seconds(plan_storyboard([17_536, 534], FPS)) - STORY_SECONDS) <= 1
    at = {str(beat.kind): beat for beat in board.beats}
    assert at["finish"].step == 534
    assert at["finish"].steps == at["spotlight"].steps == 0
    assert at["last steps"].steps == 24
    assert at["card"].frames >= 2 * FPS


def test_the_short_story_lasts_about_ten_seconds() -> None:
    for stops in ((), (2,), (2, 6)):
        board = plan_storyboard([17_536, 534], Fraction(25), short=True, stops=stops)
        assert abs(seconds(board, Fraction(25)) - SHORT_SECONDS) <= Fraction(1, 5)
        rules = first_beat(board.beats, BeatKind.RULES)
        assert rules and rules.frames >= 1.25 * 25


def test_the_slow_passage_goes_from_two_steps_a_second_to_six() -> None:
    board = plan_storyboard([17_536, 534], FPS)
    (slow,) = (beat for beat in board.beats if beat.kind is BeatKind.SLOW)
    speeds = [
        part.steps * FPS / part.frames
        for part in board.stretches
        if slow.step <= part.step and part.step + part.steps <= slow.step + slow.steps
        if part.steps and part.step
    ]
    assert speeds[0] == 2
    assert speeds[-1] == 6
    assert speeds == sorted(speeds)


@pytest.mark.parametrize("totals", [[534, 17_536], [90_000], [20_000, 19_000], [400, 10**8]])
def test_the_clock_accelerates_by_about_one_factor_and_keeps_each_speed_for_half_a_second(
    totals: list[int],
) -> None:
    board = plan_storyboard(totals, FPS)
    (fast,) = (beat for beat in board.beats if beat.kind is BeatKind.ACCELERATION)
    parts = [part for part in board.stretches
             if fast.step <= part.step < fast.step + fast.steps and part.steps]  # fmt: skip
    assert all(part.frames >= FPS / 2 for part in parts)
    speeds = [part.steps / part.frames for part in parts]
    factors = [later / earlier for earlier, later in pairwise(speeds)]
    assert all(factor > 1 for factor in factors)
    assert max(factors[2:]) < 1.3 * min(factors[2:])


def test_the_layout_changes_only_where_one_search_goes_on_alone_for_long() -> None:
    """Searches that end together have no finish either."""
    assert not {"finish", "spotlight", "remainder", "others"} & {
        *kinds(plan_storyboard([1000, 1000], FPS))
    }
    names = kinds(plan_storyboard([1000, 1200], FPS))
    assert {"finish", "remainder"} <= {*names} and "spotlight" not in names


def test_the_last_of_six_searches_has_the_spotlight() -> None:
    board = plan_storyboard([5, 50, 500, 5000, 50_000, 500_000], FPS)
    (spotlight,) = (beat for beat in board.beats if beat.kind is BeatKind.SPOTLIGHT)
    assert spotlight.step == 50_000


def test_searches_that_end_far_apart_in_steps_end_at_least_a_second_apart() -> None:
    """So that the sentence about each end can be read; ends close to each other in steps count as
    one."""
    totals = (17_536, 190_204, 427_254, 54_482, 55_000, 534, 56)
    board = plan_storyboard(totals, Fraction(60))
    starts = {}
    for stretch in board.stretches:
        for total in totals:
            if stretch.step < total <= stretch.step + stretch.steps:
                share = Fraction(total - stretch.step, stretch.steps)
                starts[total] = stretch.start + share * stretch.frames
    order = [starts[total] for total in (56, 534, 17_536, 54_482, 190_204, 427_254)]
    assert all(after - before >= 60 for before, after in pairwise(order))


def test_beats_are_left_out_in_their_order_as_time_runs_out() -> None:
    lengths = [Fraction(number, 2) for number in range(60, 0, -1)]
    found = [kinds(plan_storyboard([17_536, 534], FPS, length)) for length in lengths]
    given_up: list[str] = []
    for before, after in pairwise(found):
        assert set(after) <= set(before)
        given_up += sorted(set(before) - set(after), key=before.index)
    assert given_up[:2] == ["last steps", "rules"]
    assert given_up[-1] == "card"
    assert found[-1] == ["acceleration"]


def test_the_clock_stops_where_something_is_said() -> None:
    board = plan_storyboard([17_536, 534], FPS, stops=(5,))
    (stop,) = (part for part in board.stretches if part.step == 5 and not part.steps)
    assert stop.frames >= FPS


@pytest.mark.parametrize("opening", [Fraction(0), Fraction(4)])
def test_beats_last_as_long_as_somebody_asks(opening: Fraction) -> None:
    board = plan_storyboard([17_536, 534], FPS, opening=opening, card=Fraction(5))
    lengths = {str(beat.kind): beat.frames / FPS for beat in board.beats}
    assert lengths.get("opening", 0) == opening
    assert lengths["card"] == 5


@pytest.mark.parametrize("without", [1, 2, 4])
def test_searches_without_steps_change_nothing(without: int) -> None:
    """A puzzle that is solved already has ended before the race begins."""
    assert plan_storyboard([500] + [0] * without, FPS) == plan_storyboard([500], FPS)
    assert plan_storyboard([7, 500] + [0] * without, FPS) == plan_storyboard([7, 500], FPS)


@pytest.mark.parametrize("tenths", [75, 90, 120, 200])
def test_the_clock_stops_after_every_such_step_that_the_slow_passage_reaches(tenths: int) -> None:
    """The last one included."""
    for step in range(3, 14):
        board = plan_storyboard([17_536, 534], FPS, Fraction(tenths, 10), stops=(step,))
        for beat in board.beats:
            if beat.kind is BeatKind.SLOW and beat.step + beat.steps >= step:
                still = [part for part in board.stretches if part.step == step and not part.steps]
                assert len(still) == 1


@pytest.mark.parametrize("short", [False, True])
@pytest.mark.parametrize("ratio", [2, 33, 1000, 100_000])
@pytest.mark.parametrize("few", [40, 534, 4000])
def test_the_clock_never_jumps_however_far_apart_the_searches_are(
    few: int, ratio: int, short: bool
) -> None:
    """From one speed to the next it becomes at most four times as fast."""
    fps = Fraction(25 if short else 60)
    story = plan_storyboard([few * ratio, few], fps, rules=True, stops=[3], short=short)
    speeds = [Fraction(part.steps, part.frames) for part in story.stretches if part.steps]
    assert all(after <= 4 * before for before, after in pairwise(speeds))


def test_a_race_of_few_steps_is_not_slower_after_the_slow_passage() -> None:
    """43 steps; the speed in the picture would otherwise fall, and change between 2 and 4."""
    board = plan_storyboard([43, 43, 43], Fraction(60))
    slow, acceleration = (
        next(beat for beat in board.beats if beat.kind is kind)
        for kind in (BeatKind.SLOW, BeatKind.ACCELERATION)
    )
    assert acceleration.steps / acceleration.frames * 60 >= SLOW_TO > slow.steps / slow.frames * 60
