"""What arguments name, in any order: puzzles, strategies, traces and watched solvers."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.foreign_solvers import global_grid, rows_of
from tests.support.puzzles import EASY, MEDIUM
from tests.support.system import ROOT
from undoku.errors import InputError, ReadError, SettingsError, TraceError
from undoku.solver.problem.sources import parse_puzzle, read
from undoku.solver.search.strategy import Strategy
from undoku.solver.trace.search_trace import Limits, search
from undoku.solver.trace.stream import StreamTrace
from undoku.solver.trace.subjects import traces_of
from undoku.solver.trace.tracer import Tracer
from undoku.solver.trace.watch import watch
from undoku.solver.trace.writing import write_trace


def labels(*subjects: Any) -> list[str]:
    return [trace.header.label for trace in traces_of(subjects)]


def test_one_puzzle_is_given_in_any_form_and_place() -> None:
    forms: list[Any] = [
        EASY.grid, parse_puzzle(EASY.grid), rows_of(EASY.grid), np.array(rows_of(EASY.grid)),
    ]  # fmt: skip
    for form in forms:
        for subjects in ((form, "mrv"), ("mrv", form), (form, [Strategy.parse("mrv")])):
            (trace,) = traces_of(subjects)
            assert trace.tally().events == search(EASY.grid, "mrv").tally().events
        assert labels(form) == ["Row by row", "Fewest options first"]


def test_a_puzzle_in_json_is_not_taken_for_a_trace(tmp_path: Path) -> None:
    """It has no header in its first line: a problem over many lines, and what f-puzzles exports."""
    masts = ROOT / "examples" / "problems" / "masts.json"
    cells = [{"value": 1, "given": True}, {}, {}, {}]
    exported = tmp_path / "exported.json"
    exported.write_text(json.dumps({"size": 4, "grid": [cells, *[[{}] * 4] * 3]}))
    for path in (masts, exported):
        assert labels(path) == labels(read(str(path)))
    (tmp_path / "wrong.json").write_text('{"size":9}\n["place",0,1]\n')
    with pytest.raises(TraceError, match="the header lacks"):
        labels(tmp_path / "wrong.json")


def test_a_watched_solver_runs_against_strategies_on_its_own_puzzle(tmp_path: Path) -> None:
    grid = watch(rows_of(EASY.grid))
    global_grid(grid)
    mine, mrv = traces_of((grid, "mrv"))
    assert mine.tally().nodes == search(EASY.grid).tally().nodes
    assert mrv.tally().nodes == search(EASY.grid, "mrv").tally().nodes
    assert labels("mrv", grid) == ["Fewest options first", "my solver"]
    assert labels(EASY.grid, grid) == labels(grid) == ["my solver"]
    assert labels(grid, MEDIUM.grid) == ["my solver", "Row by row", "Fewest options first"]
    write_trace(mine, str(tmp_path / "greedy.jsonl"))
    assert labels(tmp_path / "greedy.jsonl", "mrv") == ["greedy", "Fewest options first"]


def test_several_puzzles_are_searched_one_after_the_other_behind_the_traces(tmp_path: Path) -> None:
    for name, puzzle in (("easy", EASY), ("medium", MEDIUM)):
        (tmp_path / f"{name}.txt").write_text(puzzle.grid)
    trace = search(EASY.grid, "column-major")
    assert labels(tmp_path / "easy.txt", "mrv", tmp_path / "medium.txt", trace) == [
        "Column by column", "easy: Fewest options first", "medium: Fewest options first",
    ]  # fmt: skip


FREE = '{"undoku":3,"rows":2,"columns":2,"values":2,"title":"tour"}\n["place",0,1]\n'


def test_no_strategy_searches_a_puzzle_without_rules() -> None:
    tour = StreamTrace(io.BytesIO(FREE.encode()))
    assert labels(tour) == labels(tour, tour.header.puzzle) == ["tour"]
    for subjects, remedy in (
        ((tour, "mrv"), "leave out the strategies"),
        ((tour.header.puzzle, "mrv"), "state what excludes what"),
        ((tour.header.puzzle,), "state what excludes what"),
    ):
        with pytest.raises(SettingsError, match=f"without rules.*; {remedy}"):
            traces_of(subjects)


@pytest.mark.parametrize(
    ("subjects", "limits", "error", "says"),
    [
        (["mrv"], Limits(), SettingsError, "there is nothing to search; give a puzzle or a trace"),
        ([EASY.grid, "mvr"], Limits(), ReadError, "strategy 'mvr'; did you mean mrv"),
        (["queens"], Limits(), ReadError, "strategy 'queens'; write queens:ROWS"),
        ([EASY.grid, "gone.jsonl"], Limits(), ReadError, "gone.jsonl"),
        ([search(EASY.grid)], Limits(5), SettingsError, "is not searched again; leave out the lim"),
        ([watch([0] * 81)], Limits(), TraceError, "nothing was written into the watched grid"),
        ([5], Limits(), InputError, "int is not a puzzle"),
        ([rows_of], Limits(), SettingsError, "calls of rows_of are not recorded; decorate it"),
        (
            [EASY.grid, ["mrv", "gone"]],
            Limits(),
            ReadError,
            "there is no file 'gone'.*undoku list stra",
        ),
    ],
)
def test_what_names_no_search_is_refused(
    subjects: list[Any], limits: Limits, error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=says):
        traces_of(subjects, limits)


def test_a_tracer_is_a_subject() -> None:
    tracer = Tracer(EASY.grid, title="traced")
    tracer.place(1, 3)
    assert labels(tracer) == ["traced"]
    trace = tracer.trace()
    assert repr(trace) == "<trace of traced>"
    assert trace.tally() and repr(trace) == "<trace of traced, capped, steps: 1>"
