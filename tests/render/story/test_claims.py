"""Everything that a story says is true, and true while it is shown: each claim is derived again, by
plain programs, from the trace and from the boards of the frames on which it is shown.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from itertools import islice, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.films import film_of
from tests.support.paths import ROOT
from tests.support.puzzles import EASY, HARD, MEDIUM, UNSOLVABLE
from tests.support.stories import PAIR, beat_of, medium_story
from undoku import Limits, Puzzle, parse_puzzle, search
from undoku.render.film.film import Film
from undoku.render.settings.settings import settings_of
from undoku.render.story.claims import CALLED_WRONG, ENDS, Claim, ClaimKind, ClaimNote
from undoku.render.story.first_moves import only_solution
from undoku.render.timeline.beats import BeatKind
from undoku.render.timeline.notes import FILM, Note, NoteKind
from undoku.solver.problem.sources import read
from undoku.solver.study.generate import puzzles as generated
from undoku.solver.trace.trace import Op, Outcome

PUZZLES = ROOT / "examples" / "puzzles"
STRATEGIES = (
    "row-major", "mrv", "dom-wdeg", "mrv+singles", "column-major/descending", "mrv+luby:10",
)  # fmt: skip
ENDED = {
    ClaimKind.FINISHED: Outcome.SOLVED,
    ClaimKind.EXHAUSTED: Outcome.EXHAUSTED,
    ClaimKind.STOPPED: Outcome.CAPPED,
}
Steps = list[tuple[int, int, int]]


@cache
def peers_of(puzzle: Puzzle, cell: int) -> frozenset[int]:
    units = [unit.cells for unit in puzzle.geometry.units if cell in unit.cells]
    return frozenset(peer for cells in units for peer in cells if peer != cell)


def options_of(puzzle: Puzzle, board: list[int], cell: int) -> set[int]:
    held = {board[peer] for peer in peers_of(puzzle, cell)}
    return set(range(1, puzzle.size + 1)) - held


def has_place(puzzle: Puzzle, board: list[int], unit: int, value: int) -> bool:
    """Whether a cell of the unit holds the value or may hold it."""
    return any(
        board[cell] == value or (not board[cell] and value in options_of(puzzle, board, cell))
        for cell in puzzle.geometry.units[unit].cells
    )


def steps_of(film: Film, number: int) -> Steps:
    """(op, cell, value) of all steps."""
    return [
        (int(op), int(cell), int(value))
        for chunk in film.traces[number].chunks()
        for op, value, cell in chunk.tolist()
        if op <= Op.UNDO
    ]


def board_after(puzzle: Puzzle, steps: Steps, count: int) -> list[int]:
    board = list(puzzle.givens)
    for op, cell, value in steps[:count]:
        board[cell] = 0 if op == Op.UNDO else value
    return board


@cache
def solutions_of(puzzle: Puzzle) -> list[list[int]]:
    """All solutions, by plain recursion; two at most."""
    found: list[list[int]] = []

    def fill(board: list[int]) -> None:
        empty = [cell for cell, value in enumerate(board) if not value]
        if not empty:
            found.append(board.copy())
            return
        cell = min(empty, key=lambda each: len(options_of(puzzle, board, each)))
        for value in sorted(options_of(puzzle, board, cell)):
            if len(found) < 2:
                fill([*board[:cell], value, *board[cell + 1 :]])

    fill(list(puzzle.givens))
    return found


def wrong_values(puzzle: Puzzle, steps: Steps) -> list[tuple[int, int, int, list[int]]]:
    """(cell, value, number of values before it, its steps) of each value that is not in the only
    solution and was placed when all others were right. Its steps are those with it on the board,
    and the one that takes it back."""
    (solution,) = solutions_of(puzzle)
    found: list[tuple[int, int, int, list[int]]] = []
    stack: list[int] = []
    mistaken: set[int] = set()
    for number, (op, cell, value) in enumerate(steps, 1):
        if op != Op.UNDO and not mistaken and value != solution[cell]:
            found.append((cell, value, len(stack), []))
        if mistaken or (op != Op.UNDO and value != solution[cell]):
            found[-1][3].append(number)
        if op == Op.UNDO:
            stack.remove(cell)
            mistaken.discard(cell)
        else:
            stack.append(cell)
            if value != solution[cell]:
                mistaken.add(cell)
    return found


def full_boards(puzzle: Puzzle, steps: Steps, count: int) -> int:
    """After how many of the first `count` steps no cell is empty."""
    empty, full = puzzle.givens.count(0), 0
    for op, _, _ in steps[:count]:
        empty += 1 if op == Op.UNDO else -1
        full += not empty
    return full


def is_first_wrong(puzzle: Puzzle, steps: Steps, claim: Claim) -> bool:
    """Whether the claim is about the first wrong value, and the number of steps until it is taken
    back is right, if the claim has it."""
    if len(solutions_of(puzzle)) != 1:
        return False
    cell, value, _, when = wrong_values(puzzle, steps)[0]
    undone = steps[when[-1] - 1][:2] == (Op.UNDO, cell)
    return (claim.cells[0], claim.value) == (cell, value) and (
        not claim.count or (undone and claim.count == when[-1] - when[0] + 1)
    )


def is_true(film: Film, steps: Steps, claim: Claim) -> bool:
    """`steps` are those of the claim's search."""
    puzzle = film.headers[claim.search].puzzle
    after = board_after(puzzle, steps, claim.step)
    before = board_after(puzzle, steps, claim.step - 1)
    cell = claim.cells[0] if claim.cells else -1
    if claim.kind in CALLED_WRONG or claim.kind is ClaimKind.STANDS:
        if not is_first_wrong(puzzle, steps, claim) or after[cell] != claim.value:
            return False
        if claim.kind in CALLED_WRONG and steps[claim.step - 1][1:] != (cell, claim.value):
            return False
    match claim.kind:
        case ClaimKind.ONLY:
            excluded = {before[holder] for holder in claim.cells[1:]}
            if excluded != set(range(1, puzzle.size + 1)) - {claim.value}:
                return False
            if not {*claim.cells[1:]} <= {*peers_of(puzzle, cell)}:
                return False
            return options_of(puzzle, before, cell) == {claim.value} == {after[cell]}
        case ClaimKind.ONLY_PLACE:
            members = puzzle.geometry.units[claim.unit].cells
            empty = [each for each in members if not before[each]]
            places = [each for each in empty if claim.value in options_of(puzzle, before, each)]
            return places == [cell]
        case ClaimKind.OPTIONS:
            options = options_of(puzzle, before, cell)
            return len(options) == claim.count and claim.value in options
        case ClaimKind.TRIES:
            return after[cell] == claim.value
        case ClaimKind.WRONG_PAIR:
            one, other = claim.cells[1:]
            unit, needed = puzzle.geometry.units[claim.unit].cells, {claim.wanted}
            both = (options_of(puzzle, after, each) for each in (one, other))
            return one in unit and other in unit and all(each == needed for each in both)
        case ClaimKind.WRONG_CELL:
            return not after[claim.cells[1]] and not options_of(puzzle, after, claim.cells[1])
        case ClaimKind.WRONG_UNIT:
            return not has_place(puzzle, after, claim.unit, claim.wanted)
        case ClaimKind.GUESSED:
            return claim.count == tenths_guessed(puzzle, steps[: claim.step])
        case ClaimKind.FOUND:
            full = [full_boards(puzzle, steps, claim.step - back) for back in (0, 1)]
            return full == [1, 0] and len(steps) > claim.step
        case ClaimKind.COST:
            chosen = [each for each in wrong_values(puzzle, steps) if each[2] < claim.first]
            return (
                {each[0] for each in chosen} == {*claim.cells}
                and len(claim.cells) <= claim.first
                and sum(len(each[3]) for each in chosen) == claim.cost
                and chosen[-1][3][-1] == claim.step
                and 2 * claim.cost >= len(steps)
            )
        case kind if kind in ENDS:
            tally = film.tallies[claim.search]
            assert ENDED[kind] is tally.outcome
            return (len(steps), tally.solutions) == (claim.count, claim.solutions)
    return claim.kind in (ClaimKind.WRONG, ClaimKind.STANDS)


def tenths_guessed(puzzle: Puzzle, steps: Steps) -> int:
    """How many of ten digits had an alternative in their cells when they were written, to the
    nearest; -1 for fewer than half a one, but not none. A value that the search rejected before, in
    the same cell and on the same board, is no alternative."""
    board, guessed, placed = list(puzzle.givens), 0, 0
    for op, cell, value in steps:
        if op != Op.UNDO:
            placed += 1
            guessed += op == Op.GUESS and len(options_of(puzzle, board, cell)) > 1
        board[cell] = 0 if op == Op.UNDO else value
    return int(Fraction(10 * guessed, placed) + Fraction(1, 2)) or -bool(guessed)


def steps_at(film: Film, note: Note, frame: int) -> int:
    return film.timeline.shot_at(frame).steps[note.search]


def is_true_while_shown(film: Film, steps: Steps, note: ClaimNote) -> bool:
    """Whether the boards of the first and of the last frame on which it is shown agree with it."""
    puzzle, claim = film.headers[note.search].puzzle, note.claim
    done = [steps_at(film, note, frame) for frame in (note.start, note.end - 1)]
    first, last = (board_after(puzzle, steps, count) for count in done)
    kind, cell = claim.kind, claim.cells[0] if claim.cells else -1
    if kind in (ClaimKind.ONLY, ClaimKind.ONLY_PLACE, ClaimKind.OPTIONS, ClaimKind.TRIES):
        # The cell is empty, with its options, or has just been filled.
        return done[0] <= done[1] == claim.step and last[cell] == claim.value
    if kind in CALLED_WRONG:
        # It is placed when the sentence begins, and the board is still the one that proves it.
        return done == [claim.step] * 2
    if kind is ClaimKind.STANDS:
        return first[cell] == last[cell] == claim.value
    if kind is ClaimKind.FOUND:
        return done == [claim.step] * 2 and 0 not in first
    if kind is ClaimKind.COST:
        (solution,) = solutions_of(puzzle)
        held = ((board[each], solution[each]) for board in (first, last) for each in claim.cells)
        return done[0] >= claim.step and all(value in (0, right) for value, right in held)
    # How much was guessed so far, or how the search ended.
    return done == [min(claim.step, len(steps))] * 2


def assert_true(film: Film) -> list[Claim]:
    """All sentences of a film are true when they are made and while they are shown; returns their
    claims."""
    found = [note for note in film.callouts if isinstance(note, ClaimNote)]
    steps = [steps_of(film, number) for number in range(len(film.traces))]
    for note in found:
        own = steps[note.claim.search]
        assert note.start < note.end
        assert is_true(film, own, note.claim), note
        assert is_true_while_shown(film, own, note), note
    assert_one_at_a_time(film.callouts)
    return [note.claim for note in found]


def assert_one_at_a_time(notes: Iterable[Note]) -> None:
    """Two sentences are together in a picture only if they are the same about both searches."""
    for one, other in pairwise(sorted(notes, key=lambda note: (note.start, note.search))):
        together = one.start == other.start and one.search != other.search
        assert one.end <= other.start or together, (one, other)


@pytest.mark.parametrize("number", range(8))
@pytest.mark.parametrize("pace", ["story", "short"])
def test_every_sentence_follows_from_the_traces_of_many_searches(number: int, pace: str) -> None:
    """Of generated puzzles and a published one, some searches cut short, some exhaustive."""
    puzzle = next(islice(generated(seed=3), number, None)) if number else parse_puzzle(MEDIUM.grid)
    limits = Limits(4000, exhaustive=number % 2 == 1)
    names = STRATEGIES[number % 3 :][: 3 + number % 4]
    claims = assert_true(film_of(*names, puzzle=puzzle, limits=limits, pace=pace, fps=25))
    assert len({claim.search for claim in claims}) >= 1


@settings(max_examples=40)
@given(
    st.integers(1, 12),
    st.sampled_from(STRATEGIES),
    st.sampled_from(STRATEGIES),
    st.sampled_from([Limits(), Limits(60), Limits(400), Limits(3000, exhaustive=True)]),
    st.sampled_from(["story", "short"]),
    st.sampled_from(["640x360", "360x640"]),
)
def test_every_sentence_about_any_pair_is_true_while_it_is_shown(
    seed: int, first: str, second: str, limits: Limits, pace: str, size: str
) -> None:
    puzzle = next(generated(seed=seed))
    assert_true(film_of(first, second, puzzle=puzzle, limits=limits, pace=pace, size=size, fps=20))


@pytest.mark.parametrize("name", ["medium", "hard", "extreme", "jigsaw", "sixteen"])
def test_every_sentence_about_the_published_puzzles_is_true_while_it_is_shown(name: str) -> None:
    puzzle = read(str(PUZZLES / f"{name}.txt"))
    strategies = PAIR if name != "sixteen" else ("mrv+singles", "mrv/descending+singles")
    claims = assert_true(film_of(*strategies, puzzle=puzzle, limits=Limits(60_000), fps=30))
    assert claims


def texts(film: Film) -> list[tuple[int, str, str]]:
    return [
        (note.search, str(beat.kind), note.text.replace("\n", " "))
        for note in film.callouts
        if (beat := film.timeline.beat_at(note.start))
    ]


def test_the_story_of_the_usual_pair_is_told_in_these_sentences() -> None:
    """A question; a guess beside a digit that needs none; why it is wrong, and for how long; how
    many of the digits were guesses; what the wrong ones cost."""
    film = medium_story()
    assert texts(film) == [
        (FILM, "question", "Same puzzle. Two orders."),
        (0, "first", "3 dots: 3 digits fit here. It guesses 4."),
        (1, "second", "1 dot: only 4 fits here. No guess."),
        (0, "mistake", "Both need 5: the 4 is wrong. It does not notice for 2,816 steps."),
        (0, "finish", "6 in 10 guessed"),
        (1, "finish", "1 in 10 guessed"),
        (0, "laps", "The wrong 4 stands."),
        (0, "laps", "Wrong first digits cost 14,288 steps."),
    ]
    ringed = [(note.placed, note.shown, note.wanted) for note in film.callouts if note.wrong]
    assert ringed == [(0, (27, 36), 5), (0, (), 0), (-1, (), 0)]
    doors = [(note.options, note.value) for note in film.callouts if note.options]
    assert doors == [((4, 5, 9), 4), ((4,), 4)]


def test_a_story_of_all_solutions_asks_for_another_one_only_while_there_may_be_one() -> None:
    """The clock stands on the first full board; it must not be asked under two solutions."""
    puzzle = MEDIUM.grid[:-2] + "00"
    for grid, found in ((MEDIUM.grid, 1), (puzzle, None)):
        film = film_of(*PAIR, puzzle=grid, limits=Limits(exhaustive=True))
        assert found is None or film.tallies[0].solutions == found
        asked = [note for note in film.callouts if "another" in note.text]
        assert [note.search for note in asked] == [1, 0]
        for note in asked:
            steps = steps_of(film, note.search)
            assert note.frames >= Fraction(3, 2) * film.timeline.fps
            for frame in (note.start, note.end - 1):
                count = steps_at(film, note, frame)
                assert full_boards(film.headers[0].puzzle, steps, count) == 1
        assert_true(film)


@pytest.mark.parametrize(
    ("grid", "limits", "said"),
    [
        (MEDIUM.grid, Limits(), "Done in 534 steps."),
        (MEDIUM.grid, Limits(100), "Stopped after 187 steps, not done."),
        (
            MEDIUM.grid,
            Limits(exhaustive=True),
            "No other solution. Everything tried in 1,540 steps.",
        ),
        (MEDIUM.grid[:-2] + "00", Limits(exhaustive=True), "Everything tried in 1,800 steps."),
        ("12....3.........", Limits(), "No solution. Everything tried in 2 steps."),
    ],
)
def test_the_mark_of_an_end_says_how_a_search_ended(grid: str, limits: Limits, said: str) -> None:
    """On the first frame of the second pass that shows its last step."""
    film = film_of("mrv", puzzle=grid, limits=limits)
    (mark,) = (mark for mark in film.marks if mark.kind is NoteKind.END)
    assert mark.text == said
    assert mark.start == film.timeline.frame_of(0, film.tallies[0].steps)
    assert f"{len(steps_of(film, 0)):,} steps" in said
    assert_true(film)


def test_a_puzzle_without_steps_has_a_film_without_sentences() -> None:
    assert film_of(*PAIR, puzzle=UNSOLVABLE).callouts == ()


def ringed_at(film: Film, second: float) -> list[tuple[Note, int, int]]:
    """The sentences with rings at a time of the film, each with its cell and the value on it."""
    frame = int(second * film.timeline.fps)
    found = []
    for note in film.callouts:
        if note.start <= frame < note.rings_end and note.placed >= 0:
            steps = steps_of(film, note.search)
            puzzle = film.headers[note.search].puzzle
            board = board_after(puzzle, steps, steps_at(film, note, frame))
            found.append((note, note.placed, board[note.placed]))
    return found


@pytest.mark.parametrize("name", ["medium", "fifty-minutes", "extreme"])
def test_a_ring_its_digit_and_its_sentence_show_the_same_moment(name: str) -> None:
    """At every time with a ring: the ring of a mistake never surrounds a right digit, the digit of
    the sentence is on the board, and a cell whose options are told has them."""
    puzzle = read(str(PUZZLES / f"{name}.txt"))
    film = film_of(*PAIR, puzzle=puzzle, limits=Limits(60_000), fps=20)
    solution = only_solution(puzzle)
    assert solution
    mistakes = 0
    ringed = [note for note in film.callouts if note.rings_end > note.start and note.placed >= 0]
    assert ringed
    for note in ringed:
        for frame in range(note.start, note.rings_end, 7):
            for each, cell, value in ringed_at(film, frame / 20):
                if each.wrong:
                    mistakes += 1
                    assert value not in (0, solution[cell])
                    assert str(value) in each.text
                else:
                    assert not value or str(value) in each.text
    assert mistakes


def test_a_sentence_is_shown_for_four_fifths_of_a_second_or_not_at_all() -> None:
    for grid in (EASY.grid, MEDIUM.grid, HARD.grid):
        for limits in (Limits(10), Limits(300), Limits()):
            film = film_of("mrv+singles", "row-major", puzzle=grid, limits=limits, fps=10)
            assert all(note.frames >= 8 for note in film.callouts if isinstance(note, ClaimNote))


def test_no_value_is_called_wrong_where_the_solution_is_not_known_to_be_the_only_one() -> None:
    film = film_of(*PAIR, puzzle=MEDIUM.grid[:-2] + "00")
    assert len(solutions_of(film.headers[0].puzzle)) == 2
    assert not any(note.wrong for note in film.callouts)


def test_a_puzzle_that_takes_a_plain_search_too_long_is_proved_with_logic() -> None:
    """So that its film can call a digit wrong."""
    solution = only_solution(read(str(PUZZLES / "fifty-minutes.txt")))
    assert solution and len(solution) == 81


@pytest.mark.parametrize("exhaustive", [False, True])
def test_a_search_for_all_solutions_says_so_from_the_first_picture_on(exhaustive: bool) -> None:
    limits = Limits(exhaustive=exhaustive)
    film = Film([search(MEDIUM.grid, name, limits) for name in PAIR], settings_of({}))
    assert film.title.endswith(" All solutions.") is exhaustive
    assert film.callouts[0].text == film.title
    assert film.callouts[0].start == beat_of(film, BeatKind.QUESTION).start == 0
