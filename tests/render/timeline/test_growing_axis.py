"""The axis of steps that grows with the race."""

from __future__ import annotations

from fractions import Fraction

import pytest

from undoku.render.timeline.easing import FIRST_END, GrowingAxis, settled_end
from undoku.render.timeline.race_plan import plan
from undoku.render.timeline.storyboard import story_timeline
from undoku.render.timeline.timeline import Pace, Timeline

FPS = Fraction(60)


def raced(totals: list[int], pace: Pace) -> Timeline:
    return plan(totals, FPS, pace, intro=Fraction(1), hold=Fraction(1), card=Fraction(0))


@pytest.mark.parametrize(
    ("totals", "pace"),
    [
        ([534, 17_911], Pace(Fraction(1))),
        ([534, 17_911], Pace(duration=Fraction(12), ramp=True)),
        ([40, 300_000_000], Pace(duration=Fraction(20))),
        ([12], Pace(Fraction(1, 10))),
        ([900, 400], Pace(Fraction(3), first=100, last=700)),
    ],
    ids=["even", "ramp", "fast", "tiny", "part"],
)
def test_the_axis_only_grows_holds_all_steps_and_comes_to_rest_at_a_doubling(
    totals: list[int], pace: Pace
) -> None:
    """Until the last step."""
    timeline = raced(totals, pace)
    axis = GrowingAxis(timeline)
    before, settled = 0.0, list[int]()
    ends = axis.ends_after(-3, timeline.race + 23).tolist()
    for elapsed, end in enumerate(ends, -3):
        steps = max(timeline.steps_at(max(0, min(elapsed, timeline.race))))
        if steps == max(timeline.steps_at(timeline.race)):
            break
        assert end >= max(before, steps, FIRST_END)
        assert end <= settled_end(steps)
        settled.append(settled_end(steps))
        if settled[-19:] == [settled[-1]] * 19 and elapsed <= timeline.race:
            assert end == settled[-1]
        before = end


def test_a_doubling_begins_where_the_longest_search_reaches_the_end_and_takes_a_fifth() -> None:
    timeline = raced([10, 100], Pace(Fraction(1)))
    axis = GrowingAxis(timeline)
    assert axis.end_at(30) == axis.end_at(31) == FIRST_END
    assert FIRST_END < axis.end_at(32) < axis.end_at(37) < axis.end_at(40) < 2 * FIRST_END
    assert axis.end_at(41) == 2 * FIRST_END


def test_at_sixty_frames_a_second_each_picture_of_a_doubling_is_shown_for_two() -> None:
    """Every picture of it is drawn anew as a whole."""
    axis = GrowingAxis(raced([10, 40], Pace(Fraction(1, 20))))
    ends = [axis.end_at(elapsed) for elapsed in range(641, 651)]
    assert ends[::2] == ends[1::2]
    assert len({axis.end_at(640), *ends}) == 6
    assert ends[-1] == 2 * FIRST_END == 2 * axis.end_at(639)


def test_a_search_faster_than_the_axis_needs_no_more_pictures_of_a_doubling() -> None:
    """The axis then ends at the step of the search, which would be another one on each frame."""
    timeline = raced([10, 3_000_000], Pace(duration=Fraction(20), ramp=True))
    axis = GrowingAxis(timeline)
    ends = [axis.end_at(elapsed) for elapsed in range(1, timeline.race + 1)]
    differ = sum(one != other for one, other in zip(ends[:-1:2], ends[1::2], strict=True))
    doublings = sum(
        settled_end(max(timeline.steps_at(elapsed)))
        != settled_end(max(timeline.steps_at(elapsed - 1)))
        for elapsed in range(1, timeline.race + 1)
    )
    assert differ <= doublings


def test_the_end_on_a_frame_does_not_depend_on_the_frames_that_were_requested_before() -> None:
    timeline = raced([534, 17_911], Pace(duration=Fraction(12), ramp=True))
    axis = GrowingAxis(timeline)
    ends = [axis.end_at(elapsed) for elapsed in range(timeline.race + 1)]
    for elapsed in (0, 100, 333, 500, timeline.race):
        assert GrowingAxis(timeline).end_at(elapsed) == ends[elapsed]


def stopped_at_the_end(totals: list[int], seconds: Fraction) -> Timeline:
    """A story whose clock stops for so long after the last step."""
    return story_timeline(totals, FPS, Pace(), rules=True, stops=(), hold=seconds)


@pytest.mark.parametrize("seconds", [Fraction(0), Fraction(1, 10), Fraction(1)])
@pytest.mark.parametrize("totals", [[12], [534, 17_536], [56, 534, 16_400], [40, 300_000_000]])
def test_the_curves_fill_the_axis_when_all_searches_have_ended_and_never_before(
    totals: list[int], seconds: Fraction
) -> None:
    """The end moves back to the last step within a fifth of a second, or less if the film ends
    sooner, and then stands still."""
    timeline = stopped_at_the_end(totals, seconds)
    axis = GrowingAxis(timeline)
    ends = [axis.end_at(elapsed) for elapsed in range(timeline.race + 30)]
    complete = next(at for at in range(timeline.race + 1)
                    if max(timeline.steps_at(at)) == max(totals))  # fmt: skip
    assert ends[complete - 1] > max(totals)
    assert ends[complete:] == sorted(ends[complete:], reverse=True)
    settled = min(timeline.race, complete + 12)
    assert set(ends[settled:]) == {float(max(totals))}


def test_many_ends_at_once_are_those_of_the_single_frames() -> None:
    timeline = stopped_at_the_end([534, 17_536], Fraction(1))
    single = [*map(GrowingAxis(timeline).end_at, range(1, timeline.race + 40))]
    for first, count in ((1, 400), (300, 700), (timeline.race - 70, 65), (timeline.race - 5, 40)):
        ends = GrowingAxis(timeline).ends_after(first, count)
        assert ends.tolist() == single[first - 1 : first - 1 + count]
