"""Why steps were made: every rule that is named follows from the board, or the trace says so."""

from __future__ import annotations

import io
import json
import re
from itertools import islice

import numpy as np
import pytest

from tests.support.amounts import long
from tests.support.puzzles import EXTREME, FIFTY_MINUTES, HARD
from undoku import Limits, search
from undoku.render.film.film import Film
from undoku.render.playback.player import Player
from undoku.render.playback.removals import Removal, removal_sentence
from undoku.render.playback.step_reasons import reason
from undoku.render.settings.settings import settings_of
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.problem.sources import parse_puzzle, read
from undoku.solver.search.strategy import Strategy
from undoku.solver.study.generate import generate
from undoku.solver.trace.reasons import Reason
from undoku.solver.trace.stream import StreamTrace
from undoku.solver.trace.trace import Op
from undoku.solver.trace.tracer import Tracer
from undoku.texts.counter_kinds import usual_counters


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
@pytest.mark.parametrize("seed", [0, 1, long(2), long(3)])
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


# Reasons of eliminations, restarts, nogoods and probes, as films show them.


FISH = "mrv+singles+x-wing+swordfish"


def test_a_swordfish_is_described_with_its_lines_and_removals() -> None:
    """After the seventh step of the extreme puzzle: rows 2, 5 and 8 take 8 in columns 1, 3, 9."""
    puzzle = read(EXTREME.grid)
    snapshot = Player(search(puzzle, FISH)).advance(7)
    wing, fish = snapshot.removals
    assert (wing.rule, fish.rule) == ("x-wing", "swordfish")
    assert [puzzle.problem.units[unit].name for unit in fish.units] == ["row 2", "row 5", "row 8"]
    assert {cell for cell, _ in fish.candidates} == {20, 26, 29, 35, 45}
    assert fish.values == (8,)
    assert set(fish.pattern(puzzle)) == {9 * row + at for row in (1, 4, 7) for at in range(9)}
    sentence = removal_sentence(puzzle, fish)
    assert sentence == "swordfish in row 2, row 5 and row 8: 8 removed from 5 cells"


def test_nogoods_and_probes_are_the_reasons_of_eliminations() -> None:
    nogoods = Player(search(FIFTY_MINUTES, "mrv+naked-singles+nogoods", Limits(max_nodes=400)))
    probes = Player(search(HARD.grid, "mrv+sac"))
    found: dict[str, str] = {}
    for player, last in ((nogoods, 3000), (probes, 160)):
        for step in range(1, last):
            for removal in player.advance(step).removals:
                found[removal.rule] = removal_sentence(player.header.puzzle, removal)
                assert not removal.units and not removal.cells
    assert found["nogood"].startswith("nogood: ") and "is ruled out in row" in found["nogood"]
    assert found["probe"].endswith("leads to a contradiction")


def told_of(removal: Removal) -> str:
    return removal_sentence(read(EXTREME.grid), removal)


@pytest.mark.parametrize(
    ("removal", "sentence"),
    [
        (Removal("probe", ((15, 6),)), "probe: 6 in row 2, column 7 leads to a contradiction"),
        (
            Removal("probe", ((15, 6), (15, 4))),
            "probes: 4, 6 in row 2, column 7 lead to contradictions",
        ),
        (
            Removal("probe", ((15, 6), (16, 4), (16, 6))),
            "probes: 3 candidates in 2 cells lead to contradictions",
        ),
        (
            Removal("pairs", ((56, 2), (58, 2), (58, 4)), units=(6,)),
            "pair in row 7: 2, 4 removed from 2 cells",
        ),
        (
            Removal("xy-wing", ((56, 9), (66, 9)), cells=(63, 64, 65)),
            "XY-wing in r8c1, r8c2 and r8c3: 9 removed from 2 cells",
        ),
        (
            Removal("locked", ((8, 2),), units=(1,)),
            "locked candidates in row 2: 2 removed from 1 cell",
        ),
    ],
)
def test_candidates_that_go_at_once_are_reported_with_their_cells(
    removal: Removal, sentence: str
) -> None:
    """Probes of one cell by their values, of several cells by their numbers; of a rule all values,
    and the number of cells, each once. Cells that a find follows from have short names."""
    assert told_of(removal) == sentence


def test_the_values_and_cells_of_each_sentence_are_those_of_the_events() -> None:
    """Of every step of three searches that remove several candidates at once."""
    several = 0
    for strategy in ("mrv+sac", "mrv+singles+pairs+xy-wing", "mrv+nogoods"):
        trace = search(HARD.grid, strategy, Limits(max_nodes=30))
        events = trace.read()
        steps = np.flatnonzero(events["op"] <= Op.UNDO)
        player = Player(trace)
        for step in range(1, len(steps) - 1):
            removals = player.advance(step).removals
            between = events[steps[step - 1] + 1 : steps[step]]
            gone = between[between["op"] == Op.ELIMINATE]
            reported = {candidate for removal in removals for candidate in removal.candidates}
            assert reported == set(zip(gone["cell"].tolist(), gone["value"].tolist(), strict=True))
            for removal in removals:
                sentence = told_of(removal)
                cells = {cell for cell, _ in removal.candidates}
                if removal.rule in ("probe", "nogood") and len(cells) == 1:
                    row, column = divmod(min(cells), 9)
                    assert f"row {row + 1}, column {column + 1}" in sentence
                else:
                    assert f"{len(cells)} cell" in sentence
                several += len(removal.candidates) > 1
    assert several > 10


def test_the_reasons_of_a_recorded_trace_are_reported_too() -> None:
    lines = (
        '{"undoku":1,"size":4,"givens":"1..............."}\n["place",1,2]\n'
        '["eliminate",4,3,{"rule":"Locked candidates","unit":"Row 1"}]\n'
        '["eliminate",5,3,{"rule":"Locked candidates","unit":"Row 1"}]\n'
        '["eliminate",6,4,{"rule":"hunch"}]\n'
    )
    trace = StreamTrace(io.BytesIO(lines.encode()), "t.jsonl")
    trace.tally()
    snapshot = Player(trace).advance(1)
    puzzle = trace.header.puzzle
    assert [removal_sentence(puzzle, removal) for removal in snapshot.removals] == [
        "Locked candidates in row 1: 3 removed from 2 cells",
        "hunch: 4 removed from 1 cell",
    ]


def test_a_restart_is_reported_while_guesses_are_undone() -> None:
    """In every undo between a restart and the next guess, with the number of the restart."""
    trace = search(FIFTY_MINUTES, "mrv-random:4/shuffled:4+luby:1", Limits(max_nodes=300))
    player, step, restarts, giving_up, reported = Player(trace), 0, 0, False, 0
    for op, _, _ in trace.read().tolist():
        if op == Op.RESTART:
            restarts, giving_up = restarts + 1, True
        if op > Op.UNDO:
            continue
        step += 1
        giving_up = giving_up and op == Op.UNDO
        if op == Op.UNDO:
            message = reason(trace.header.puzzle, player.advance(step))
            assert message.startswith("Restart") == giving_up
            assert (message == f"Restart {restarts}: takes back all guesses") == giving_up
            reported += giving_up
    assert reported > 20


def test_counters_of_restarts_nogoods_and_probes_are_shown_by_default() -> None:
    def counters(*specs: str) -> tuple[str, ...]:
        return usual_counters(exhaustive=False, strategies=map(Strategy.known, specs))

    assert counters("mrv", "no such") == ("steps", "taken-back")
    assert counters("mrv", "mrv+luby:3") == ("steps", "taken-back", "restarts")
    assert counters("mrv+sac@root+nogoods") == ("steps", "taken-back", "nogoods", "probes")


def test_the_board_rings_the_cells_of_a_removal_and_lights_its_lines() -> None:
    """At two steps a second, on the frames of the seventh step and on no earlier one."""
    trace = search(EXTREME.grid, FISH, Limits(max_nodes=2))
    settings = {"steps_per_second": "2", "fps": "2", "size": "640x360"}
    made = Film([trace], settings_of(settings))
    block, ring = made.layout.blocks[0], np.array(made.theme.undoing)
    ringed, lit = [], []
    for frame in islice(made.frames(), 24):
        cells = [
            frame.pixels[y : y + block.cell, x : x + block.cell]
            for y in range(block.board.y, block.board.y + 9 * block.cell, block.cell)
            for x in range(block.board.x, block.board.x + 9 * block.cell, block.cell)
        ]
        ringed.append({n for n, cell in enumerate(cells) if (cell == ring).all(2).mean() > 0.1})
        lit.append([cell[block.cell // 4, block.cell // 2].tolist() for cell in cells])
    first = next(number for number, cells in enumerate(ringed) if cells)
    assert ringed[first] == {20, 26, 29, 35, 45}
    # Row 5 has its background tinted, row 4 has not.
    assert lit[first][40] != lit[first - 1][40] and lit[first][31] == lit[first - 1][31]
