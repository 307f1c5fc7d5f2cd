"""Why steps were made: every rule that is named follows from the board, or the trace says so."""

from __future__ import annotations

import io
import json

import numpy as np
import pytest

from tests.support.puzzles import EASY, HARD
from undoku import Limits, search
from undoku.render.playback.player import Player
from undoku.render.playback.step_reasons import StepRule, step_reason
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.problem.sources import parse_puzzle
from undoku.solver.study.generate import generate
from undoku.solver.trace.reasons import Reason
from undoku.solver.trace.stream import StreamTrace
from undoku.solver.trace.tracer import Tracer
from undoku.texts.language import speaking
from undoku.texts.language_files import load_language


def values_left(puzzle: Puzzle, board: np.ndarray, cell: int) -> set[int]:
    """By the rules alone, unit by unit."""
    taken = {
        int(board[other])
        for unit in puzzle.geometry.units
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
    named = dict.fromkeys(StepRule, 0)
    for step in range(1, trace.tally().steps + 1):
        before, gone = player.snapshot.board.copy(), player.snapshot.removed.copy()
        found = step_reason(puzzle, player.advance(step))
        assert found is not None
        named[found.rule] += 1
        left = values_left(puzzle, before, found.cell)
        if found.rule is StepRule.NAKED_SINGLE:
            removed = {value for value in left if gone[found.cell] >> (value - 1) & 1}
            removed |= {v for v in left if player.snapshot.removed[found.cell] >> (v - 1) & 1}
            assert left - removed == {found.value}
            assert "(naked single)" in found.sentence
        if found.rule is StepRule.HIDDEN_SINGLE:
            unit = puzzle.geometry.units[found.unit]
            assert found.sentence.endswith(f"in {unit.name} (hidden single)")
            for other in unit.cells:
                if other != found.cell and not before[other]:
                    assert found.value not in values_left(puzzle, before, other)
        if found.rule is StepRule.NO_OPTION:
            tried = player.snapshot.board.copy()
            tried[found.cell] = found.value
            gone = player.snapshot.removed[found.failed]
            assert all(
                gone >> (value - 1) & 1 for value in values_left(puzzle, tried, found.failed)
            )
    if "singles" in strategy:
        assert named[StepRule.HIDDEN_SINGLE]


def reason_after(line: str) -> tuple[StepRule, int, str]:
    """The rule, the unit and the sentence after one event of a trace on an empty 4×4 board."""
    header = '{"undoku":1,"size":4,"givens":"1..............."}\n'
    trace = StreamTrace(io.BytesIO(f"{header}{line}\n".encode()))
    snapshot = Player(trace).advance(1)
    found = step_reason(trace.header.puzzle, snapshot, snapshot.given)
    assert found is not None
    return found.rule, found.unit, found.sentence


@pytest.mark.parametrize(
    ("given", "rule", "unit", "sentence"),
    [
        (
            {"rule": "hidden-single", "unit": "row 1"},
            StepRule.HIDDEN_SINGLE,
            0,
            "Row 1, column 2: the only place for 3 in row 1 (hidden single)",
        ),
        (
            {"rule": "Naked Single"},
            StepRule.NAKED_SINGLE,
            -1,
            "Row 1, column 2: only option 3 (naked single)",
        ),
        (
            {"rule": "X-Wing", "unit": "Column 2"},
            StepRule.OTHER,
            5,
            "Row 1, column 2: must be 3 (X-Wing in column 2)",
        ),
        (
            {"rule": "skyscraper", "unit": "the left half"},
            StepRule.OTHER,
            -1,
            "Row 1, column 2: must be 3 (skyscraper in the left half)",
        ),
        ({"rule": "colours"}, StepRule.OTHER, -1, "Row 1, column 2: must be 3 (colours)"),
    ],
)
def test_a_reason_in_a_trace_is_shown(
    given: dict[str, str], rule: StepRule, unit: int, sentence: str
) -> None:
    assert reason_after(json.dumps(["place", 1, 3, "forced", given])) == (rule, unit, sentence)


def test_a_guess_may_have_a_reason_too() -> None:
    line = '["place",1,3,{"rule":"lowest value"}]'
    assert reason_after(line)[2] == "Row 1, column 2: tries 3 (lowest value)"


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


def test_steps_are_described_in_german() -> None:
    trace = search(EASY.grid, "mrv+singles")
    puzzle = trace.header.puzzle
    with speaking(load_language("de")):
        found = step_reason(puzzle, Player(trace).advance(1))
    assert found is not None
    assert found.sentence.startswith("Zeile ")
