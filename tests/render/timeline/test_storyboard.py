"""Which beats a story has, how long they last, and how fast the clock runs in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from undoku.render.timeline.beats import (
    EXPLAINING,
    Beat,
    BeatKind,
    first_beat,
)
from undoku.render.timeline.pace import PaceKind
from undoku.render.timeline.storyboard import FOUND_STOP, Told, story_timeline
from undoku.render.timeline.timeline import Pace, Timeline

FPS = Fraction(60)
Story = Mapping[BeatKind, Told]
PAIR = 17_536, 534


def told(first: int = -1, second: int = -1, wrong: int = -1, mistake: int = 1) -> Story:
    """What a story explains: the first steps of the searches `first` and `second`, and the value
    that search `wrong` writes in step `mistake`."""
    searches = {BeatKind.FIRST: first, BeatKind.SECOND: second, BeatKind.MISTAKE: wrong}
    steps = {BeatKind.MISTAKE: mistake}
    letters = {BeatKind.FIRST: (25, 16), BeatKind.SECOND: (18, 9), BeatKind.MISTAKE: (58, 30)}
    return {BeatKind.RATIO: Told(letters=20)} | {
        kind: Told(search, steps.get(kind, 1), *letters[kind])
        for kind, search in searches.items()
        if search >= 0
    }


def planned(
    totals: Sequence[int],
    duration: Fraction | None = None,
    told: Mapping[BeatKind, Told] = {},
    fps: Fraction = FPS,
    *,
    short: bool = False,
    **more: Any,
) -> Timeline:
    pace = Pace(duration=duration, kind=PaceKind.SHORT if short else PaceKind.STORY)
    return story_timeline(totals, fps, pace, told=told, **more)


TOLD = told(first=0, second=1, wrong=0)
"""What the story of the usual pair explains."""

DROPPED = (
    "rewind", "end", "mistake", "second", "first", "finish", "question", "ratio", "answer", "laps",
    "card",
)  # fmt: skip
"""The beats of two searches in the order in which they are left out."""


def kinds(board: Timeline) -> list[str]:
    return [str(beat.kind) for beat in board.beats]


def seconds(board: Timeline, fps: Fraction = FPS) -> Fraction:
    return sum(beat.frames for beat in board.beats) / fps


totals = st.lists(
    st.one_of(st.integers(0, 40), st.integers(1, 3000), st.integers(1, 10**8)),
    min_size=1,
    max_size=6,
).filter(any)
rates = st.sampled_from([Fraction(60), Fraction(25), Fraction(30000, 1001), Fraction(1, 2)])


@st.composite
def stories(draw: st.DrawFn) -> tuple[list[int], Fraction, Fraction | None, Timeline]:
    """Steps, frame rate and duration of stories of one to six searches, and their timelines. They
    explain what the searches of a film can."""
    steps, fps = draw(totals), draw(rates)
    duration = draw(st.none() | st.fractions(Fraction(1, 10), 120))
    short = draw(st.booleans())
    slow = steps.index(max(steps))
    others = [number for number, total in enumerate(steps) if total and number != slow]
    second = draw(st.sampled_from(others)) if others else -1
    wrong = draw(st.sampled_from([-1, slow]))
    explained = told(slow, second, wrong, mistake=draw(st.integers(1, 9)))
    found = draw(st.lists(st.integers(1, max(steps)), max_size=2))
    timeline = planned(steps, duration, explained, fps, short=short, found=found)
    return steps, fps, duration, timeline


@given(stories())
def test_a_story_shows_every_step_once_and_lasts_as_long_as_asked(
    case: tuple[list[int], Fraction, Fraction | None, Timeline],
) -> None:
    """Its beats follow one another without a gap, each for a frame at least. In each pass no
    search goes back, and all end."""
    steps, fps, duration, timeline = case
    frame = 0
    for beat in timeline.beats:
        assert beat.start == frame
        assert beat.frames >= 1
        frame = beat.end
    assert frame == timeline.frames
    if duration is not None:
        assert frame == max(1, round(duration * fps))
    for part in filter(None, (timeline, timeline.answer)):
        assert part.frames <= timeline.frames
        before = (0,) * len(steps)
        for elapsed in range(part.race + 1):
            shown = part.steps_at(elapsed)
            assert all(a <= b for a, b in zip(before, shown, strict=True))
            before = shown
        assert before == tuple(steps)


@given(stories())
def test_the_kinds_of_beats_follow_from_the_searches(
    case: tuple[list[int], Fraction, Fraction | None, Timeline],
) -> None:
    """They come in their order, each once; a finish only where another search goes on, laps only
    where the longest one does for long, and no rewind without an answer."""
    steps, _, _, timeline = case
    found = [beat.kind for beat in timeline.beats]
    assert found == [kind for kind in BeatKind if kind in found]
    ends = sorted(filter(None, steps))
    if BeatKind.FINISH in found:
        assert ends[0] < ends[-1]
    if BeatKind.LAPS in found:
        assert ends[-1] >= ends[-2] * 3 / 2
        laps = first_beat(timeline.beats, BeatKind.LAPS)
        assert laps and laps.subject == steps.index(ends[-1])
    assert (BeatKind.ANSWER in found) == (BeatKind.RATIO in found) or BeatKind.RATIO in found
    assert BeatKind.REWIND not in found or BeatKind.ANSWER in found
    assert (timeline.answer is None) == (BeatKind.ANSWER not in found)


@given(stories())
def test_beats_about_single_steps_show_these_alone(
    case: tuple[list[int], Fraction, Fraction | None, Timeline],
) -> None:
    """In the beat of the slow search it takes one step, in that of the other one that one does; no
    search takes a step in a beat about another one."""
    _, _, _, timeline = case
    for beat in timeline.beats:
        if beat.kind not in EXPLAINING or beat.frames < 4:
            continue
        before, after = (timeline.steps_at(at - timeline.intro) for at in (beat.start, beat.end))
        moved = [number for number, (a, b) in enumerate(zip(before, after, strict=True)) if a != b]
        if beat.kind is BeatKind.MISTAKE:
            # The step may have been shown before; then nothing moves.
            assert beat.subject in moved or not moved
        elif timeline.waits[beat.subject] or beat.kind is BeatKind.FIRST:
            assert beat.subject in moved
            assert after[beat.subject] == 1


def of_kind(board: Timeline) -> dict[str, Beat]:
    return {str(beat.kind): beat for beat in board.beats}


def test_two_searches_far_apart_have_all_beats_in_less_than_thirty_seconds() -> None:
    board = planned(PAIR, told=TOLD)
    assert kinds(board) == [
        "question", "answer", "ratio", "rewind", "first", "second", "mistake", "race", "finish",
        "laps", "end", "card",
    ]  # fmt: skip
    assert 25 <= seconds(board) <= 28
    at = of_kind(board)
    assert at["finish"].step == at["laps"].step == 534
    assert at["finish"].steps == at["end"].steps == 0
    assert at["ratio"].start <= 3 * FPS
    assert at["mistake"].start <= 9 * FPS
    assert at["card"].frames >= 2 * FPS


@pytest.mark.parametrize(
    ("totals", "explained", "wanted"),
    [
        ([534], told(first=0), "first race"),
        ([1000, 1000], told(0, 1), "first second race"),
        ([1000, 1200], told(1, 0), "first second race finish others"),
        ([60, 20], told(0, 1), "first second race finish others"),
        ([17_536, 534], told(), "race finish laps"),
        ([17_536, 534, 56], told(0, 2, 0), "first second mistake race finish others laps"),
        ([17_536] * 3, told(0, 1, 0), "first second mistake race"),
        (
            [17_536, 190_204, 534, 56, 427_254, 54_482],
            told(4, 3, 4),
            "first second mistake race finish others laps",
        ),
    ],
)
def test_one_to_six_searches_have_the_beats_that_suit_them(
    totals: list[int], explained: Story, wanted: str
) -> None:
    board = planned(totals, told=explained)
    before, after = "question answer ratio rewind", "end card"
    assert kinds(board) == f"{before} {wanted} {after}".split()


@pytest.mark.parametrize(("names", "begins"), [(77, 7), (78, 10), (99, 10)])
def test_a_sentence_with_which_the_first_ten_seconds_have_too_many_letters_begins_later(
    names: int, begins: int
) -> None:
    """At 17 letters a second, of all texts. It is the first sentence about a mistake, or the second
    one about a digit."""
    at = of_kind(planned(PAIR, told={**TOLD, BeatKind.QUESTION: Told(first=names)}))
    assert begins - 1 < at["mistake"].start / FPS <= begins


@pytest.mark.parametrize("steps", [1, 2, 3, 12])
def test_a_mistake_is_told_only_before_the_first_search_ends(steps: int) -> None:
    board = planned([40, steps], told=told(0, 1, 0, mistake=3))
    assert ("mistake" in kinds(board)) == (steps > 3)


@pytest.mark.parametrize("totals", [PAIR, (534,), (17_536, 534, 56), (20, 13)])
@pytest.mark.parametrize("fps", [Fraction(25), Fraction(10), Fraction(50)])
def test_a_short_story_lasts_ten_seconds(totals: tuple[int, ...], fps: Fraction) -> None:
    explained = told(first=0, second=1 if len(totals) > 1 else -1, wrong=0)
    board = planned(totals, None, explained, fps, short=True)
    assert 6 <= seconds(board, fps) <= Fraction(23, 2)
    assert totals != PAIR or 10 <= seconds(board, fps) <= 11
    usual = set(kinds(planned(totals, None, explained, fps)))
    assert set(kinds(board)) == (usual - {"laps"}) | ({"others"} if "laps" in usual else set())


@pytest.mark.parametrize(("steps", "fps", "frames"), [(13, FPS, 6), (13, 25, 2), (1, 25, 2)])
def test_a_film_too_short_for_its_race_shows_all_steps_without_an_extra_frame(
    steps: int, fps: Fraction | int, frames: int
) -> None:
    board = planned([steps], Fraction(1, 10), fps=Fraction(fps))
    assert sum(beat.frames for beat in board.beats) == frames
    assert sum(stretch.steps for stretch in board.stretches) == steps


def test_beats_are_left_out_in_their_order_as_time_runs_out() -> None:
    lengths = [Fraction(number, 2) for number in range(60, 0, -1)]
    found = [kinds(planned(PAIR, length, TOLD)) for length in lengths]
    given_up: list[str] = []
    for before, after in pairwise(found):
        assert set(after) <= set(before)
        given_up += sorted(set(before) - set(after), key=DROPPED.index)
    # Without the ratio there is no answer, and without that nothing to rewind.
    assert given_up == sorted(given_up, key=DROPPED.index)
    assert found[-1] == ["race"]


@pytest.mark.parametrize("kind", [BeatKind.QUESTION, BeatKind.END, BeatKind.CARD])
@pytest.mark.parametrize("length", [Fraction(0), Fraction(4)])
def test_beats_last_as_long_as_somebody_asks(kind: BeatKind, length: Fraction) -> None:
    for duration in (None, Fraction(30)):
        board = planned(PAIR, duration, TOLD, requested={kind: length})
        found = of_kind(board)
        assert (found[kind].frames / FPS if kind in found else 0) == length
        assert duration is None or seconds(board) == duration


@pytest.mark.parametrize("without", [1, 2, 4])
def test_searches_without_steps_change_nothing(without: int) -> None:
    """A puzzle that is solved already has ended before the race begins."""
    for few in ([500], [7, 500]):
        whole, plain = (planned([*few, *more]) for more in ([0] * without, []))
        assert (whole.beats, whole.stretches) == (plain.beats, plain.stretches)
        assert not any(whole.waits)


def test_the_second_search_waits_until_its_first_step_is_explained() -> None:
    """Until then its board is empty; from the end of that beat on all clocks agree."""
    timeline = planned(PAIR, told=told(0, 1, 0, mistake=4))
    first, second, race = (
        first_beat(timeline.beats, kind)
        for kind in (BeatKind.FIRST, BeatKind.SECOND, BeatKind.RACE)
    )
    assert first and second and race
    assert timeline.shot_at(first.end - 1).steps == (1, 0)
    assert timeline.shot_at(second.start).steps == (1, 0)
    assert timeline.shot_at(second.end - 1).steps == (1, 1)
    for frame in range(race.start, race.end):
        one, other = timeline.shot_at(frame).steps
        assert one == other


def test_the_clock_stops_where_a_search_for_all_solutions_finds_one() -> None:
    """For as long as it takes to read, or as far as there is time; each solution once."""
    found = 400, 400, 9000
    board = planned(PAIR, told=TOLD, found=found)
    for step in set(found):
        stops = [part for part in board.stretches if part.step == step and not part.steps]
        assert [part.frames for part in stops] == [round(FOUND_STOP * FPS)]
    brief = planned(PAIR, Fraction(6), found=found)
    assert seconds(brief) == 6


@pytest.mark.parametrize("short", [False, True])
@pytest.mark.parametrize("ratio", [2, 33, 1000, 100_000])
@pytest.mark.parametrize("few", [40, 534, 4000])
def test_the_clock_never_jumps_however_far_apart_the_searches_are(
    few: int, ratio: int, short: bool
) -> None:
    """From one speed to the next it becomes at most four times as fast, or, where there is little
    time, forty times; and it never becomes slower within a passage."""
    fps = Fraction(25 if short else 60)
    story = planned([few * ratio, few], None, TOLD, fps, short=short)
    speeds = [Fraction(part.steps, part.frames) for part in story.stretches if part.steps]
    assert all(after <= (40 if short else 4) * before for before, after in pairwise(speeds[1:]))
    race = first_beat(story.beats, BeatKind.RACE)
    assert race
    own = [
        Fraction(part.steps, part.frames)
        for part in story.stretches
        if race.step <= part.step < race.step + race.steps and part.steps
    ]
    assert all(after >= before * 9 / 10 for before, after in pairwise(own))


def test_searches_that_end_far_apart_in_steps_end_at_least_a_second_apart() -> None:
    """So that each end can be seen; ends close to each other in steps count as one."""
    totals = (17_536, 190_204, 427_254, 54_482, 55_000, 534, 56)
    board = planned(totals)
    starts = {}
    for stretch in board.stretches:
        for total in totals:
            if stretch.step < total <= stretch.step + stretch.steps:
                share = Fraction(total - stretch.step, stretch.steps)
                starts[total] = stretch.start + share * stretch.frames
    order = [starts[total] for total in (56, 534, 17_536, 54_482, 190_204, 427_254)]
    assert all(after - before >= FPS for before, after in pairwise(order))
