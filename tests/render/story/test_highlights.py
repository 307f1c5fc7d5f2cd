"""Turning points: found correctly, slowed down for without losing a step, and described."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.command import Undoku
from tests.support.puzzles import MEDIUM, fill
from undoku import (
    Limits,
    MemoryTrace,
    Op,
    Outcome,
    StrategyError,
    Trace,
    search,
)
from undoku.render.delivery.marks import highlights_text
from undoku.render.film.film import Film
from undoku.render.settings.settings import FilmSettings
from undoku.render.story.claims import ClaimKind
from undoku.render.story.highlights import divergence, find_highlights, slow_cues
from undoku.render.timeline.pace import Clock
from undoku.render.timeline.race_plan import plan
from undoku.render.timeline.timeline import EYE, Pace, Phase, Timeline
from undoku.solver.problem.puzzle import standard_geometry


def slow_turns(trace: Trace) -> dict[ClaimKind, tuple[int, int]]:
    """The turning points, step by step, with whole boards."""
    solution = trace.tally().solution
    assert solution
    board = list(trace.header.puzzle.givens)
    steps = [event for event in trace.read().tolist() if event[0] <= Op.UNDO]
    right = [True]
    for op, value, cell in steps:
        board[cell] = 0 if op == Op.UNDO else value
        right.append(all(v in (0, s) for v, s in zip(board, solution, strict=True)))
    drops: dict[int, int] = {}
    run = 0
    for number, (op, _, _) in enumerate(steps):
        run = run + 1 if op == Op.UNDO else 0
        drops[number + 1 - run] = max(drops.get(number + 1 - run, 0), run)
    drop = max(drops.values())
    wrong: dict[int, int] = {}
    since = 0
    for step, (before, after) in enumerate(pairwise(right), 1):
        if before and not after:
            since = step
        if after and not before:
            wrong[since] = step - since + 1
    longest = max(wrong.values(), default=0)
    free = max((step for step in range(len(right)) if not right[step]), default=-1) + 1
    turns = {
        ClaimKind.COLLAPSE: (min(step for step, size in drops.items() if size == drop), drop),
        ClaimKind.DOOMED: (min((s for s, n in wrong.items() if n == longest), default=1), longest),
        ClaimKind.PATH: (free, 0),
    }
    least = {ClaimKind.COLLAPSE: drop >= 3, ClaimKind.DOOMED: longest >= 10}
    return {kind: turn for kind, turn in turns.items() if least.get(kind, free > 0)}


ORDERS = ("row-major", "mrv", "random:3", "most", "exact-cover")
INFERENCE = ("", "+forward", "+singles", "+alldiff")


@st.composite
def small_searches(draw: st.DrawFn, going_back: tuple[str, ...] = ("", "+cbj", "+lds")) -> Trace:
    """Searches of small boards with any number of solutions, to the first or to the end."""
    geometry = standard_geometry(draw(st.sampled_from([4, 6])))
    dice = random.Random(draw(st.integers(0, 2**32)))
    puzzle = fill(geometry, "", draw(st.sampled_from([0.1, 0.2, 0.3])), dice)
    order = draw(st.sampled_from(ORDERS))
    values = draw(st.sampled_from(["", "/descending", "/random:5"]))
    extra = draw(st.sampled_from(INFERENCE)) if order != "exact-cover" else ""
    back = draw(st.sampled_from(going_back)) if order != "exact-cover" else ""
    limits = Limits(draw(st.sampled_from([300, 3000])), draw(st.booleans()))
    try:
        return search(puzzle, order + values + extra + back, limits)
    except StrategyError:  # not every combination is one
        return search(puzzle, order, limits)


def steps_of(trace: Trace) -> list[tuple[int, int, int]]:
    return [event for event in trace.read().tolist() if event[0] <= Op.UNDO]


@given(small_searches())
def test_turning_points_of_any_search_are_those_of_a_slow_computation(trace: Trace) -> None:
    solution = trace.tally().solution
    found = {each.kind: (each.step, each.count) for each in find_highlights([trace])}
    steps = steps_of(trace)
    assert len(found) == len(find_highlights([trace]))
    if not solution:
        assert found.keys() <= {ClaimKind.COLLAPSE}
        return
    # The account ends with the first solution.
    board, done = list(trace.header.puzzle.givens), 0
    while board != list(solution):
        op, value, cell = steps[done]
        board[cell] = 0 if op == Op.UNDO else value
        done += 1
    expected = slow_turns(MemoryTrace(trace.header, steps[:done], Outcome.SOLVED))
    expected[ClaimKind.SOLUTION] = (done, 0)
    assert found == expected


@given(small_searches(), small_searches())
def test_the_divergence_of_any_two_searches_is_that_of_a_slow_comparison(
    first: Trace, second: Trace
) -> None:
    pairs = enumerate(zip(steps_of(first), steps_of(second), strict=False), 1)
    assert divergence(first, second) == next((n for n, (a, b) in pairs if a != b), None)


@st.composite
def cases(draw: st.DrawFn) -> tuple[int, list[tuple[int, int]], Pace]:
    total = draw(st.integers(1, 10**7))
    bounds = sorted(draw(st.sets(st.integers(0, total), max_size=8)))
    around = [(a, b) for a, b in zip(bounds[::2], bounds[1::2], strict=False) if a < b]
    around = [(a, min(b, a + 40)) for a, b in around]
    pace = draw(
        st.one_of(
            st.builds(Pace, duration=st.fractions(1, 40, max_denominator=10)),
            st.builds(
                Pace, steps_per_frame=st.fractions(max(1, total // 3000), total + 1,
                                                   max_denominator=9)
            ),
        )
    )  # fmt: skip
    return total, around, pace


def slowed(plain: Timeline, pace: Pace, around: list[tuple[int, int]]) -> Timeline:
    """A race, planned again so that it is slow around some of its steps."""
    cues = slow_cues(plain, pace, around)
    return plan(plain.totals, plain.fps, replace(pace, cues=cues)) if cues else plain


@given(cases())
def test_slowing_down_loses_no_step_and_no_time(
    case: tuple[int, list[tuple[int, int]], Pace],
) -> None:
    """Steps never run back, end at the last; a fitted film keeps its length."""
    total, around, pace = case
    plain = plan([total], Fraction(60), pace)
    timeline = slowed(plain, pace, around)
    if pace.duration is not None:
        assert timeline.frames == plain.frames
    before = 0
    for shot in timeline.shots():
        assert before <= shot.steps[0] <= total
        before = shot.steps[0]
        assert timeline.shot_at(shot.start) == shot
    assert before == total
    assert sum(part.frames for part in timeline.stretches) == timeline.race


def test_around_a_highlight_a_race_runs_at_the_speed_of_the_eye() -> None:
    pace = Pace(Fraction(100))
    timeline = slowed(plan([100_000], Fraction(60), pace), pace, [(50_000, 50_020)])
    seen = [shot.steps[0] for shot in timeline.shots() if shot.phase is Phase.RACE]
    inside = [step for step in seen if 50_000 < step <= 50_020]
    assert sorted(set(inside)) == list(range(50_001, 50_021))
    assert abs(len(inside) - 20 * 60 / EYE) <= 8
    outside = [b - a for a, b in pairwise(seen) if b < 50_000]
    assert set(outside) <= {99, 100, 101}


def test_a_race_that_is_slow_already_stays_as_it_is() -> None:
    pace = Pace(Fraction(1, 10))
    assert slow_cues(plan([100], Fraction(60), pace), pace, [(5, 20)]) == ()


def film(**settings: Any) -> Film:
    values: dict[str, Any] = {
        "width": 640,
        "height": 360,
        "highlights": True,
        "pace": Pace(duration=Fraction(30)),
        **settings,
    }
    traces = [search(MEDIUM.grid, name) for name in ("row-major", "mrv")]
    return Film(traces, FilmSettings(**values))


@pytest.mark.parametrize("clock", [Clock.STEPS, Clock.FINISH])
def test_each_highlight_falls_into_a_slow_stretch(clock: Clock) -> None:
    made = film(clock=clock)
    plain = film(clock=clock, highlights=False)
    assert made.timeline.frames == plain.timeline.frames == 1800
    assert [note.claim for note in made.highlights] == find_highlights(made.traces)
    for note in made.highlights:
        shot = made.timeline.shot_at(note.start)
        assert shot.steps[note.search] >= note.claim.step
        after = made.timeline.shot_at(min(note.start + 6, made.timeline.frames - 1))
        assert max(after.steps) - max(shot.steps) < 6 * float(plain.timeline.mean_rate) / 2


def test_a_sentence_is_in_the_picture_as_long_as_it_is_shown() -> None:
    """The line below the film changes with each notice, and shows the speed in between."""
    made = film()
    box = made.layout.footer
    assert box
    lines: dict[str, set[bytes]] = {}
    reported = made.notes
    assert len(reported) >= 6
    for first, second in pairwise(reported):
        assert first.end <= second.start
    for shot, frame in zip(made.timeline.shots(), made.frames(), strict=True):
        if shot.phase is Phase.CARD:
            break
        now = [notice.text for notice in reported if notice.start <= shot.start < notice.end]
        pixels = frame.pixels[box.y : box.bottom, box.x : box.right].tobytes()
        lines.setdefault(now[0] if now else "", set()).add(pixels)
    speeds = lines.pop("")
    assert all(len(seen) == 1 for seen in lines.values())
    assert len(speeds.union(*lines.values())) == len(speeds) + len(lines)


@pytest.mark.parametrize("seconds", [3, 8, 60])
def test_sentences_are_shown_long_enough_to_be_read(seconds: int) -> None:
    """However short the film: sentences that would follow each other within a second are shown
    together."""
    made = film(pace=Pace(duration=Fraction(seconds)))
    reported = made.notes
    assert all(b.start - a.start >= 60 for a, b in pairwise(reported))
    assert all(notice.end - notice.start >= 60 for notice in reported[:-1])
    message = [sentence for notice in reported for sentence in notice.lines]
    assert sorted(message) == sorted(note.text for note in made.highlights)
    frames = {note.text: note.start for note in made.highlights}
    for notice in reported:
        assert notice.start == max(frames[sentence] for sentence in notice.lines)


def test_the_file_beside_says_when_each_is_seen() -> None:
    made = film()
    content = json.loads(highlights_text(made))
    assert [entry["sentence"] for entry in content["highlights"]] == [
        note.text for note in made.highlights
    ]
    for entry in content["highlights"]:
        steps = made.timeline.shot_at(entry["frame"]).steps[made.names.index(entry["search"])]
        assert steps >= entry["step"]
        assert entry["seconds"] == pytest.approx(entry["frame"] / 60, abs=1e-5)


def test_stats_lists_the_highlights(undoku: Undoku, tmp_path: Path) -> None:
    done = undoku("stats", MEDIUM.grid, "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    content = json.loads(done.stdout)
    assert [result["nodes"] for result in content["results"]] == [8797, 296]
    kinds = {(found["search"], found["kind"]) for found in content["highlights"]}
    assert {(name, "solution") for name in ("row-major", "mrv")} <= kinds
    done = undoku("stats", MEDIUM.grid, "-s", "mrv", cwd=tmp_path)
    assert "40 cells given up at once" in done.stdout
