"""Counts of any trace, from its events alone."""

from __future__ import annotations

from tests.support.random_traces import plain_account, random_trace
from undoku.solver.problem.puzzle import Puzzle, standard_geometry
from undoku.solver.trace.recorded import MemoryTrace
from undoku.solver.trace.trace import Header, Op, Outcome

EASY = "500080106000073284407120003709260000003045010001000625090704030070002890125900000"
MEDIUM = "000670020701000900800053000010020060009006000300000780005000307200300500000005040"
FOUR = Header(Puzzle((1,) + (0,) * 15, standard_geometry(4)))


def test_forced_places_are_steps_but_no_guesses() -> None:
    trace = MemoryTrace(
        FOUR,
        [
            (Op.GUESS, 2, 1),
            (Op.ELIMINATE, 2, 5),
            (Op.FORCED, 3, 2),
            (Op.UNDO, 3, 2),
            (Op.RESTORE, 2, 5),
            (Op.UNDO, 2, 1),
        ],
    )
    tally = trace.tally()
    assert (tally.guesses, tally.nodes, tally.places, tally.undos) == (1, 2, 2, 2)
    assert (tally.steps, tally.events, tally.max_depth) == (4, 6, 1)
    assert (tally.dead_ends, tally.backtracks) == (1, 0)


def test_an_exhaustive_search_that_stops_at_a_solution_was_capped() -> None:
    solution = [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1]
    places = [(Op.GUESS, solution[cell], cell) for cell in range(1, 16)]
    assert MemoryTrace(FOUR, places).tally().outcome is Outcome.SOLVED
    exhaustive = Header(FOUR.puzzle, exhaustive=True)
    assert MemoryTrace(exhaustive, places).tally().outcome is Outcome.CAPPED
    assert MemoryTrace(exhaustive, places).tally().solutions == 1


def test_a_puzzle_without_an_empty_cell_is_its_own_solution() -> None:
    full = Puzzle((1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1), standard_geometry(4))
    tally = MemoryTrace(Header(full), []).tally()
    assert (tally.outcome, tally.solutions, tally.solution) == (Outcome.SOLVED, 1, full.givens)


def test_counts_of_random_traces_are_those_of_a_plain_account() -> None:
    """Forced places anywhere, undos of forced ones, full boards with and without conflicts."""
    seen = 0
    for seed in range(2_000):
        header, events = random_trace(seed)
        tally = MemoryTrace(header, events).tally()
        reported = plain_account(header, events)
        assert (tally.solutions, tally.dead_ends, tally.backtracks) == (
            reported.solutions,
            reported.dead_ends,
            reported.backtracks,
        ), seed
        seen += reported.resumed and reported.backtracks
    assert seen
