"""The timeline: no step lost, none shown twice, totals exact."""

from __future__ import annotations

import json
from bisect import bisect_left
from fractions import Fraction
from math import ceil
from pathlib import Path
from random import Random
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.command import Undoku
from tests.support.films import film_of, picture_at
from tests.support.puzzles import MEDIUM
from tests.support.system import ROOT
from undoku import SettingsError
from undoku.render.delivery.captions import captions
from undoku.render.film.film import Film
from undoku.render.settings.cue_file import CUE_KEYS, cues_of, cues_schema, read_cues
from undoku.render.settings.settings import settings_of
from undoku.render.timeline.pace import Clock, Cue
from undoku.render.timeline.race_plan import plan
from undoku.render.timeline.speed import steps_through
from undoku.render.timeline.stretches import Stretch
from undoku.render.timeline.timeline import Pace, Timeline
from undoku.render.write.recipe import recipe_of, traces_and_settings

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


@given(totals, rates, paces)
def test_shots_cover_every_frame_once(steps: list[int], fps: Fraction, pace: Pace) -> None:
    """Each shot starts where the one before ends, and looking a frame up finds its shot."""
    timeline = plan(steps, fps, pace)
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


# What cues request happens on their frame; impossible cues are reported with their line.


NTSC = Fraction(30000, 1001)
RATES = [Fraction(60), Fraction(25), NTSC, Fraction(10)]


def timed(*cues: Cue, totals: tuple[int, ...] = (1000, 300), **more: Any) -> Timeline:
    fps = more.pop("fps", Fraction(30))
    clock = more.pop("clock", Clock.STEPS)
    return plan(totals, fps, Pace(cues=cues, **more), clock=clock, intro=Fraction(1))


def first_frame(timeline: Timeline, step: int, search: int = 0) -> int:
    """The first frame whose picture shows `step` steps or more."""
    return bisect_left(
        range(timeline.frames), step, key=lambda frame: timeline.shot_at(frame).steps[search]
    )


@st.composite
def asked(draw: st.DrawFn) -> tuple[list[Cue], Fraction]:
    """Cues with times that leave room, in any order, and a frame rate."""
    fps = draw(st.sampled_from(RATES))
    steps = sorted(draw(st.sets(st.integers(1, 999), min_size=1, max_size=6)))
    cues, now = [], Fraction(1)
    for step in steps:
        wait = draw(st.fractions(Fraction(1), Fraction(8), max_denominator=100))
        pause = draw(st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(3)]))
        cues.append(Cue(step, at=now + wait, pause=pause))
        now += wait + pause
    return draw(st.permutations(cues)), fps


@given(asked())
def test_a_step_is_first_shown_at_its_time_and_the_clock_stops_for_its_pause(
    given_: tuple[list[Cue], Fraction],
) -> None:
    cues, fps = given_
    timeline = timed(*cues, fps=fps)
    for cue in cues:
        assert cue.step is not None
        assert cue.at is not None
        frame = round(cue.at * fps)
        assert first_frame(timeline, cue.step) == frame
        stands = round(cue.pause * fps)
        assert timeline.shot_at(frame + stands).steps[0] == cue.step
        assert all(timeline.speed_at(frame + 1 + n) == 0 for n in range(stands))
        assert timeline.speed_at(frame + 1 + stands) > 0
    assert timeline.shot_at(timeline.intro + timeline.race - 1).steps == (1000, 300)


@given(asked(), st.integers(0, 60), st.integers(1, 400))
def test_many_frames_at_once_are_the_same_as_one_by_one(
    given_: tuple[list[Cue], Fraction], start: int, count: int
) -> None:
    cues, fps = given_
    timeline = timed(*cues, fps=fps)
    table = steps_through(timeline, start, count)
    assert table.tolist() == [list(timeline.steps_at(start + n)) for n in range(count)]
    shown = table[:, 0].tolist()
    assert shown == sorted(shown)


@given(st.integers(1, 900), st.integers(1, 400), st.sampled_from(RATES))
def test_the_speed_changes_at_a_cue(step: int, speed: int, fps: Fraction) -> None:
    timeline = timed(Cue(step, at=Fraction(5), speed=Fraction(speed)), fps=fps)
    start = round(5 * fps)
    for further in {1, min(18, 1000 - step), (1001 - step) // 2, 1000 - step}:
        assert first_frame(timeline, step + further) == start + ceil(further * fps / speed)


def test_a_speed_holds_until_another_one_or_a_time() -> None:
    timeline = timed(
        Cue(100, at=Fraction(4), speed=Fraction(10)),
        Cue(110, pause=Fraction(2)),
        Cue(120, speed=Fraction(5)),
        Cue(130, speed=Fraction(0)),
        Cue(900, at=Fraction(20)),
    )
    assert first_frame(timeline, 110) == 30 * 5
    assert first_frame(timeline, 120) == 30 * 8
    assert first_frame(timeline, 130) == 30 * 10
    assert first_frame(timeline, 900) == 30 * 20
    assert timeline.speed_at(30 * 15) == 77


def test_all_searches_share_the_clock() -> None:
    timeline = timed(Cue(200, at=Fraction(5), pause=Fraction(1)))
    assert [timeline.shot_at(150 + n).steps for n in (0, 30)] == [(200, 200)] * 2
    finish = timed(Cue(500, at=Fraction(5)), clock=Clock.FINISH)
    assert finish.shot_at(150).steps == (500, 150)


def test_a_duration_is_kept_and_a_rate_is_that_of_the_rest() -> None:
    cue = Cue(500, at=Fraction(6), pause=Fraction(2))
    timeline = timed(cue, duration=Fraction(20))
    assert timeline.duration == 20
    assert first_frame(timeline, 500) == 180
    open_end = timed(Cue(500, pause=Fraction(2)), steps_per_frame=Fraction(5))
    assert open_end.race == 200 + 60
    assert timed(Cue(500, pause=Fraction(2))).race == 15 * 30 + 60


def test_the_clock_may_stop_at_the_beginning_and_at_the_end() -> None:
    timeline = timed(Cue(0, at=Fraction(4)), Cue(None, at=Fraction(9), pause=Fraction(2)))
    assert first_frame(timeline, 1) == 120
    assert first_frame(timeline, 1000) == 270
    assert timeline.intro + timeline.race == 271 + 60


@pytest.mark.parametrize(
    ("cues", "printed"),
    [
        ([Cue(1001)], "there is no step 1,001 in the film"),
        ([Cue(5, pause=Fraction(1)), Cue(5, at=Fraction(9))], "there are two cues at step 5"),
        ([Cue(5, at=Fraction(1, 2))], "step 5 can't be at 0.5 s: the race begins at 1 s"),
        (
            [Cue(5, at=Fraction(3), pause=Fraction(2)), Cue(9, at=Fraction(4))],
            "step 9 can't be at 4 s: by the cues before it comes at 5.03333 s at the earliest",
        ),
        (
            [Cue(10, at=Fraction(3), speed=Fraction(10)), Cue(40, at=Fraction(9))],
            "step 40 can't be at 9 s: by the cues before it comes at 6 s",
        ),
        (
            [Cue(500, at=Fraction(18), pause=Fraction(5))],
            "the steps after step 500 don't fit into the duration",
        ),
    ],
)
def test_cues_that_contradict_each_other_are_reported(cues: list[Cue], printed: str) -> None:
    duration = Fraction(20) if printed.endswith("duration") else None
    with pytest.raises(SettingsError) as caught:
        timed(*cues, duration=duration)
    assert caught.value.message == printed


WRONG = {
    "step = 5\nat = 'soon'": "cues[0].at, line 3, column 1: at = 'soon' is not a time",
    "step = -1\npause = 1": "cues[0].step, line 2, column 1: step = -1 is not a step",
    "step = 5\nspeeed = 3": "cues[0].speeed, line 3, column 1: there is no key 'speeed' in a cue",
    "at = 3": "a cue has no step",
    "step = 5": "a cue does nothing",
    "step = 5\nspeed = 0": "cues[0].speed, line 3, column 1: speed = 0 is not a number above 0",
    "step = 5\nsay = ' '": "say = ' ' is not a text",
    "step = 5\npause = 1\nsearch = 2": "cues[0].search, line 4, column 1: a cue that names",
    "step = 5\nat = 3\n[[more]]\nx = 1": "there is no table 'more'",
    # Only the searches reveal these.
    "step = 900000\npause = 3": "cues[0].step, line 2, column 1: there is no step 900,000",
    "step = 5\nsay = 'x'\nsearch = 'them'": "cues[0].step, line 2, column 1: there is no search",
}


@pytest.mark.parametrize(("text", "printed"), WRONG.items(), ids=range(len(WRONG)))
def test_a_mistake_in_the_file_is_reported_with_its_line(
    tmp_path: Path, undoku: Undoku, text: str, printed: str
) -> None:
    (tmp_path / "cues.toml").write_text(f"[[cues]]\n{text}\n")
    asked = ("render", MEDIUM.grid, "--cues", "cues.toml", "-o", "a.mp4")
    done = undoku(*asked, cwd=tmp_path)
    assert done.returncode == 2
    assert printed in done.stderr
    assert "cues.toml" in done.stderr
    assert not (tmp_path / "a.mp4").exists()


def film(*cues: dict[str, object], **settings: Any) -> Film:
    return film_of("row-major", "mrv", size="640x360", fps=10, cues=cues, **settings)


def test_sentences_of_cues_are_shown_from_their_frame_on_and_in_captions() -> None:
    made = film(
        {"step": 885, "at": "4s", "pause": 3, "say": "Look here.", "search": 1},
        {"step": 2000, "at": "9s", "say": "One is done."},
    )
    drawn = {at: picture_at(made, at) for at in (39, 40, 69, 90)}
    box = made.layout.sentence
    assert box is not None
    part = slice(box.y, box.bottom), slice(box.x, box.right)
    assert (drawn[40][part] != drawn[39][part]).any()
    assert (drawn[69][part] == drawn[40][part]).all()
    assert (drawn[90][part] == drawn[39][part]).all()  # the title
    assert (drawn[90][part] != drawn[90][part][0, 0]).any()
    footer = made.layout.footer
    assert footer is not None
    below = slice(footer.y, footer.bottom), slice(footer.x, footer.right)
    assert (drawn[90][below] != drawn[69][below]).any()
    output = {(one.start, one.lines[0]) for one in captions(made)}
    assert {(40, "Row by row: Look here."), (90, "One is done.")} <= output
    assert (40, "Row by row: Look here.") in [(mark.start, mark.text) for mark in made.marks]


def test_a_film_holds_its_cues_and_is_made_again_from_itself() -> None:
    made = film({"step": 885, "at": 12.4, "pause": "3s", "say": "Look.", "search": 1})
    recipe = recipe_of(made.traces, made.settings)
    _, settings = traces_and_settings(recipe, "a film")
    assert settings == made.settings
    assert settings.pace.cues == (Cue(885, Fraction("12.4"), Fraction(3), say="Look.", search="1"),)


@pytest.mark.parametrize(
    "other", [{"ramp": True}, {"highlights": True}, {"clock": "time"}, {"pace": "story"}]
)
def test_other_options_that_change_the_speed_are_refused(other: dict[str, Any]) -> None:
    with pytest.raises(SettingsError, match="can't be combined with"):
        settings_of({"cues": [{"step": 5, "pause": 1}], **other})


def test_the_example_is_as_exact_as_it_says(tmp_path: Path) -> None:
    cues = read_cues(ROOT / "examples" / "cues" / "medium.toml")
    made = film_of("row-major", "mrv", cues=cues, fps=60)
    timeline = made.timeline
    for cue in cues:
        step = timeline.longest if cue.step is None else cue.step
        if cue.at is not None:
            assert timeline.frame_of(0, step) == cue.at * 60
    assert [mark.start for mark in made.marks if mark.search == -1] == [20 * 60]


def test_the_schema_takes_what_the_reader_takes() -> None:
    schema = json.loads((ROOT / "docs" / "cues.schema.json").read_text("utf-8"))
    assert schema == cues_schema()
    good: list[dict[str, object]] = [
        {"step": 5, "at": "1:30"},
        {"step": "end", "pause": 2, "speed": "free"},
        {"step": 0, "say": "x", "search": 2},
        {"step": 1, "speed": 0.5, "search": "mrv", "say": "y"},
    ]
    jsonschema.validate({"cues": good}, schema)
    assert len(cues_of(good)) == len(good)
    for bad in ({"at": 3}, {"step": -1}, {"step": 5, "speed": 0}, {"step": 5, "sing": "x"}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({"cues": [bad]}, schema)
        with pytest.raises(SettingsError):
            cues_of([bad])
    page = (ROOT / "docs" / "editing.md").read_text("utf-8")
    assert all(f"| `{name}` |" in page for name in CUE_KEYS)
