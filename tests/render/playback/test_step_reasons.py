"""Why steps were made: every rule that is named follows from the board, or the trace says so."""

from __future__ import annotations

import io
import json
import re

import numpy as np
import pytest

from tests.support.puzzles import HARD
from undoku import Limits, search
from undoku.render.playback.player import Player
from undoku.render.playback.step_reasons import reason
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.problem.sources import parse_puzzle
from undoku.solver.study.generate import generate
from undoku.solver.trace.reasons import Reason
from undoku.solver.trace.stream import StreamTrace
from undoku.solver.trace.tracer import Tracer


def values_left(puzzle: Puzzle, board: np.ndarray, cell: int) -> set[int]:
    """By the rules alone, unit by unit."""
    taken = {
        int(board[other])
        for unit in puzzle.problem.units
        if cell in unit.cells
        for other in unit.cells
        if other != cell
    }
    return set(range(1, puzzle.size + 1)) - taken


@pytest.mark.parametrize(
    "strategy", ["mrv+singles", "row-major+hidden-singles", "mrv+singles+pairs"]
)
@pytest.mark.parametrize("seed", range(4))
def test_every_single_that_is_named_is_one_on_the_board_before_the_step(
    strategy: str, seed: int
) -> None:
    puzzle = generate(seed=seed) if seed else parse_puzzle(HARD.grid)
    trace = search(puzzle, strategy, Limits(max_nodes=60))
    player = Player(trace)
    units = {unit.name: unit for unit in puzzle.problem.units}
    named = 0
    for step in range(1, trace.tally().steps + 1):
        before, gone = player.snapshot.board.copy(), player.snapshot.removed.copy()
        snapshot = player.advance(step)
        sentence = reason(puzzle, snapshot)
        assert snapshot.last is not None
        cell, value, _, _ = snapshot.last
        left = values_left(puzzle, before, cell)
        if "(naked single)" in sentence:
            removed = {value for value in left if gone[cell] >> (value - 1) & 1}
            removed |= {v for v in left if snapshot.removed[cell] >> (v - 1) & 1}
            assert left - removed == {value}
        if single := re.search(r"in ([^()]+) \(hidden single\)$", sentence):
            named += 1
            for other in units[single[1]].cells:
                if other != cell and not before[other]:
                    assert value not in values_left(puzzle, before, other)
        if lost := re.match(r"Row (\d), column (\d) has no option", sentence):
            tried = snapshot.board.copy()
            tried[cell] = value
            failed = 9 * (int(lost[1]) - 1) + int(lost[2]) - 1
            gone = snapshot.removed[failed]
            assert all(gone >> (v - 1) & 1 for v in values_left(puzzle, tried, failed))
    assert named or "singles" not in strategy


def reason_after(line: str) -> str:
    """The sentence after one event of a trace on an empty 4×4 board."""
    header = '{"undoku":1,"size":4,"givens":"1..............."}\n'
    trace = StreamTrace(io.BytesIO(f"{header}{line}\n".encode()))
    snapshot = Player(trace).advance(1)
    return reason(trace.header.puzzle, snapshot, snapshot.given)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (
            {"rule": "hidden-single", "unit": "row 1"},
            "the only place for 3 in row 1 (hidden single)",
        ),
        ({"rule": "Naked Single"}, "only option 3 (naked single)"),
        ({"rule": "X-Wing", "unit": "Column 2"}, "must be 3 (X-Wing in column 2)"),
        (
            {"rule": "skyscraper", "unit": "the left half"},
            "must be 3 (skyscraper in the left half)",
        ),
        ({"rule": "colours"}, "must be 3 (colours)"),
    ],
)
def test_a_reason_in_a_trace_is_shown(given: dict[str, str], told: str) -> None:
    sentence = reason_after(json.dumps(["place", 1, 3, "forced", given]))
    assert sentence == f"Row 1, column 2: {told}"


def test_a_guess_may_have_a_reason_too() -> None:
    line = '["place",1,3,{"rule":"lowest value"}]'
    assert reason_after(line) == "Row 1, column 2: tries 3 (lowest value)"


@pytest.mark.parametrize(("mark", "told"), [("", "tries 1"), (',"forced"', "must be 1")])
def test_no_options_are_named_in_a_puzzle_without_rules(mark: str, told: str) -> None:
    lines = f'{{"undoku":3,"rows":1,"columns":3,"values":1}}\n["place",0,1{mark}]\n'
    trace = StreamTrace(io.BytesIO(lines.encode()))
    sentence = reason(trace.header.puzzle, Player(trace).advance(1))
    assert sentence.endswith(f": {told}")


def test_a_reason_belongs_to_its_step_alone() -> None:
    tracer = Tracer("1...............")
    tracer.place(1, 2)
    tracer.eliminate(2, 3, rule="locked", unit="row 1")
    tracer.place(2, 4, forced=True, rule="naked-single")
    tracer.undo()
    player = Player(tracer.trace())
    assert [player.advance(step).given for step in range(4)] == [
        None,
        None,
        Reason("naked-single"),
        None,
    ]
