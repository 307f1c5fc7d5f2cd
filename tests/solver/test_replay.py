"""The state at any event: the rules of a trace, two implementations of them that agree, and the
counts of any trace."""

from __future__ import annotations

import doctest
import pickle
import unicodedata
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import undoku.solver.trace.tracer
from tests.support.random_traces import guesses_in, plain_counts, random_trace
from undoku.errors import Place, PuzzleError, TraceError
from undoku.solver.problem.puzzle import Puzzle, standard_geometry
from undoku.solver.trace.recorded import MemoryTrace
from undoku.solver.trace.replay import Replay, board_at, check
from undoku.solver.trace.search_trace import search
from undoku.solver.trace.state import GUESS, State
from undoku.solver.trace.trace import EVENT, Header, Op, Outcome
from undoku.solver.trace.tracer import Tracer
from undoku.visible_text import columns, visible

EASY = "500080106000073284407120003709260000003045010001000625090704030070002890125900000"
FOUR = Header(Puzzle((1,) + (0,) * 15, standard_geometry(4)))

Move = tuple[int, int, int]


def moves() -> st.SearchStrategy[list[Move]]:
    """Events on a small board; many are invalid, enough are valid."""
    cells = st.integers(0, 4) | st.integers(0, 20)
    return st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), cells), max_size=60)


@given(moves())
def test_applying_events_at_once_stops_where_applying_them_one_by_one_refuses(
    events: list[Move],
) -> None:
    one, many = Replay(FOUR), Replay(FOUR)
    first_refused = len(events)
    for index, event in enumerate(events):
        try:
            one.apply(*event)
        except TraceError:
            first_refused = index
            break
    assert many.advance(np.array(events, EVENT)) == first_refused
    np.testing.assert_array_equal(many.board, one.board)
    assert (many.tally(None), many.latest) == (one.tally(None), one.latest)
    assert many.solved == one.solved


def test_an_undo_of_value_zero_gets_the_value_that_it_removes() -> None:
    events = np.array([(Op.GUESS, 3, 5), (Op.UNDO, 0, 5)], EVENT)
    assert Replay(FOUR).advance(events) == 2
    assert events["value"].tolist() == [3, 3]


def test_checking_names_the_first_event_that_does_not_fit() -> None:
    wrong = MemoryTrace(FOUR, [(Op.GUESS, 2, 1), (Op.UNDO, 2, 1), (Op.UNDO, 2, 1)])
    with pytest.raises(TraceError, match=r"^event 3: r1c2 is undone, but nothing was placed"):
        check(wrong)
    with pytest.raises(TraceError, match="there is no event 9"):
        check(MemoryTrace(FOUR, [(9, 2, 1)]))
    with pytest.raises(TraceError, match="says solved, but r1c3 is empty"):
        check(MemoryTrace(FOUR, [(Op.GUESS, 2, 1)], Outcome.SOLVED))


def test_the_board_at_a_step_counts_places_and_undos_alone() -> None:
    trace = MemoryTrace(
        FOUR, [(Op.ELIMINATE, 4, 9), (Op.GUESS, 2, 1), (Op.UNDO, 2, 1), (Op.FORCED, 3, 1)]
    )
    boards = [board_at(trace, step)[:2].tolist() for step in range(4)]
    assert boards == [[1, 0], [1, 2], [1, 0], [1, 3]]
    with pytest.raises(TraceError, match="there is no step 4: the trace ends at step 3"):
        board_at(trace, 4)
    with pytest.raises(TraceError, match="there is no step -1"):
        board_at(trace, -1)


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


def test_counts_of_random_traces_are_those_of_a_plain_program() -> None:
    """Forced places anywhere, undos of forced ones, full boards with and without conflicts."""
    seen = Counter[str]()
    for seed in range(2_000):
        header, events = random_trace(seed)
        tally, counts = MemoryTrace(header, events).tally(), plain_counts(header, events)
        for name in ("solutions", "dead_ends", "backtracks"):
            assert getattr(tally, name) == counts[name], seed
        seen += counts
    assert len(seen) == 4


def test_a_place_is_forced_if_its_cell_had_no_other_option_and_otherwise_guessed() -> None:
    """After each step of a random trace: the counts, and the guesses on the board."""
    mixed = 0
    for seed in range(500):
        header, events = random_trace(seed)
        guesses = iter(guesses_in(header, events))
        state = State(header.puzzle)
        guessed, guesses_here = 0, [False] * 16
        for event in events:
            state.apply_events(np.array([event], EVENT).view(np.uint32))
            if event[0] <= Op.UNDO:
                guesses_here[event[2]] = event[0] != Op.UNDO and next(guesses)
                guessed += guesses_here[event[2]]
            assert (state.guessed, state.forced) == (guessed, state.places - guessed)
            assert (state.arrays.kinds == GUESS).tolist() == guesses_here
        mixed += state.forced > 0 and 0 < state.guessed < state.decisions
    assert mixed


# A foreign Python solver, recorded in two lines.


ONE = "1" + "." * 80


def test_a_recorded_solver_gives_the_same_events_and_counts_as_the_same_strategy_here() -> None:
    tracer = Tracer(EASY, title="my own")
    for op, value, cell in search(EASY).read():
        if op == Op.UNDO:
            tracer.undo(cell)
        else:
            tracer.place(cell, value)
    trace = tracer.trace()
    check(trace)
    np.testing.assert_array_equal(trace.read(), search(EASY).read())
    assert trace.tally().nodes == 52
    assert trace.tally().outcome is Outcome.SOLVED
    assert trace.header.name == "my own"
    assert not trace.cut


def test_a_solver_that_took_everything_back_has_exhausted_its_tree() -> None:
    tracer = Tracer(ONE)
    tracer.place(1, 2)
    assert tracer.trace().tally().outcome is Outcome.CAPPED
    tracer.undo()
    assert tracer.trace().tally().outcome is Outcome.EXHAUSTED
    assert tracer.trace("capped").tally().outcome is Outcome.CAPPED


def test_a_trace_taken_from_a_tracer_does_not_grow_with_it() -> None:
    tracer = Tracer(ONE)
    tracer.place(1, 2)
    early = tracer.trace()
    tracer.place(2, 3, forced=True)
    tracer.eliminate(3, 2)
    tracer.restore(3, 2)
    assert early.tally().events == 1
    assert tracer.trace().read()["op"].tolist() == [0, 1, 3, 4]


def test_a_wrong_call_is_refused_where_it_is_made() -> None:
    tracer = Tracer(ONE)
    for call, words, message in (
        (tracer.undo, (), "nothing is placed"),
        (tracer.place, (0, 2), "r1c1 is a given"),
        (tracer.trace, ("solved",), "says solved, but r1c2 is empty"),
        (tracer.trace, ("won",), "'won' is not an outcome"),
    ):
        with pytest.raises(TraceError, match=message):
            call(*words)
    assert tracer.trace().tally().events == 0


def test_the_example_in_the_documentation_runs() -> None:
    assert doctest.testmod(undoku.solver.trace.tracer).failed == 0


# Messages are safe to print: nothing in them moves the cursor, is invisible, or reverses text.


def test_a_message_and_a_remedy_are_cut_where_they_quote_a_long_text() -> None:
    for quoted in ("x" * 9000, "\u202e" * 900):
        error = PuzzleError(quoted, remedy=f"did you mean {quoted}?")
        assert 2000 < len(str(error)) < 2010
        assert str(pickle.loads(pickle.dumps(error))) == str(error)


C0_AND_C1 = [chr(code) for code in (*range(0x20), *range(0x7F, 0xA0))]
DIRECTIONS = ["\u200e", "\u200f", "\u061c", *map(chr, range(0x202A, 0x202F))]
ISOLATES = list(map(chr, range(0x2066, 0x206A)))
LINE_ENDS = ["\u2028", "\u2029", "\x85"]


@pytest.mark.parametrize("mark", [*C0_AND_C1, *DIRECTIONS, *ISOLATES, *LINE_ENDS, "\ufeff"])
def test_control_characters_are_shown_as_escapes(mark: str) -> None:
    shown = visible(f"a{mark}b")
    assert shown.startswith("a\\") and shown.endswith("b")
    assert shown.isascii() and shown.isprintable()


@pytest.mark.parametrize(
    "text", ["", "r1c1 × 9 – ✓", "数独 スドク", "C:\\puzzles\\new.txt", "👩‍👧", "می‌خواهم"]
)
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert visible(text) == text


def test_the_escapes_are_those_of_python() -> None:
    assert visible("\x1b[31m\n\u202e\udcff") == "\\x1b[31m\\n\\u202e\\udcff"
    assert visible(visible("\x1b")) == "\\x1b"


def test_an_error_shows_no_control_character_of_what_it_quotes() -> None:
    """Neither in its sentence, its remedy, its place, nor in the line with the caret; also after
    it crossed to another process."""
    evil = "\x1b[2J\u202e\n\x9b1A"
    place = Place(f"{evil}.txt", 3, 5, f"12{evil}34")
    error = PuzzleError(f"there is no {evil}", place=place, remedy=f"leave {evil} out")
    for shown in (error, pickle.loads(pickle.dumps(error))):
        printed = f"{shown}{shown.message}{shown.remedy}{shown.args[0]}"
        assert printed.isprintable() and "\\x1b[2J" in printed
        assert shown.place and shown.place.source == place.source
        assert shown.place.excerpt().replace("\n", "").isprintable()


@pytest.mark.parametrize("at", [0, 5, 47, 48, 49, 4_000, 9_999])
@pytest.mark.parametrize("fill", ["7", "\x1b", "数", "\u0301"])
def test_an_excerpt_is_short_and_its_caret_is_under_the_column(fill: str, at: int) -> None:
    """However long the line is, and whatever it holds."""
    text = fill * at + "X" + fill * (10_000 - at)
    line, under = Place("here", 1, at + 1, text).excerpt().split("\n")
    assert len(line) <= 200
    caret = under.index("^")
    assert columns(line[: line.index("X")]) == caret
    assert unicodedata.name(line[line.index("X")]) == "LATIN CAPITAL LETTER X"


def test_the_name_of_a_source_is_bounded() -> None:
    assert len(str(Place("9" * 100_000, 1, 1))) < 250
