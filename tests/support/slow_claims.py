"""Claims of stories, derived again by plain programs from traces and boards."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cache, lru_cache
from itertools import pairwise

from undoku import Puzzle
from undoku.render.film.film import Film
from undoku.render.story.claims import (
    ABOUT_OPTIONS,
    CALLED_WRONG,
    ENDS,
    OF_FASTEST,
    Claim,
    ClaimKind,
    ClaimNote,
)
from undoku.render.timeline.notes import Note
from undoku.solver.trace.trace import Op, Outcome, Trace

ENDED = {
    ClaimKind.FINISHED: Outcome.SOLVED,
    ClaimKind.EXHAUSTED: Outcome.EXHAUSTED,
    ClaimKind.STOPPED: Outcome.CAPPED,
}
AT_ITS_STEP = (
    ClaimKind.ONLY_PLACE, ClaimKind.GUESSES, ClaimKind.NO_GUESS, ClaimKind.TRIES,
    ClaimKind.PROOF, ClaimKind.LOST, ClaimKind.NOT_NOTICED,
    ClaimKind.IMPOSSIBLE_CELL, ClaimKind.IMPOSSIBLE_UNIT,
)  # fmt: skip
Steps = tuple[tuple[int, int, int], ...]


@cache
def peers_of(puzzle: Puzzle, cell: int) -> frozenset[int]:
    units = [unit.cells for unit in puzzle.problem.units if cell in unit.cells]
    return frozenset(peer for cells in units for peer in cells if peer != cell)


def options_of(puzzle: Puzzle, board: list[int], cell: int) -> set[int]:
    held = {board[peer] for peer in peers_of(puzzle, cell)}
    return set(range(1, puzzle.size + 1)) - held


def has_place(puzzle: Puzzle, board: list[int], unit: int, value: int) -> bool:
    """Whether a cell of the unit holds the value or may hold it."""
    return any(
        board[cell] == value or (not board[cell] and value in options_of(puzzle, board, cell))
        for cell in puzzle.problem.units[unit].cells
    )


def steps_of(film: Film, number: int) -> Steps:
    """(op, cell, value) of all steps."""
    return _steps_of(film.traces[number])


@lru_cache(maxsize=8)
def _steps_of(trace: Trace) -> Steps:
    return tuple(
        (op, cell, value)
        for chunk in trace.chunks()
        for op, value, cell in chunk.tolist()
        if op <= Op.UNDO
    )


def decides(step: tuple[int, int, int]) -> bool:
    """Whether a step is a decision of the search, not of inference."""
    return step[0] == Op.GUESS


def board_after(puzzle: Puzzle, steps: Steps, count: int) -> list[int]:
    board = list(puzzle.givens)
    for op, cell, value in steps[:count]:
        board[cell] = 0 if op == Op.UNDO else value
    return board


@cache
def solutions_of(puzzle: Puzzle) -> list[list[int]]:
    """All solutions, by plain recursion; two at most."""
    found: list[list[int]] = []
    peers = [peers_of(puzzle, cell) for cell in range(len(puzzle.givens))]

    def fill(board: list[int]) -> None:
        empty = [cell for cell, value in enumerate(board) if not value]
        if not empty:
            found.append(board.copy())
            return
        cell = max(empty, key=lambda each: len({board[peer] for peer in peers[each]}))
        for value in sorted(options_of(puzzle, board, cell)):
            if len(found) < 2:
                fill([*board[:cell], value, *board[cell + 1 :]])

    fill(list(puzzle.givens))
    return found


@lru_cache(maxsize=8)
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
    """Whether the claim is about the first wrong value, and what it costs is right, if the claim
    has it: the steps from its place to its undo, or those after it, if the search stops before."""
    if len(solutions_of(puzzle)) != 1:
        return False
    cell, value, _, when = wrong_values(puzzle, steps)[0]
    if (claim.cells[0], claim.value) != (cell, value):
        return False
    undone = steps[when[-1] - 1][:2] == (Op.UNDO, cell)
    return not claim.count or (claim.count, claim.undone) == (when[-1] - when[0] + undone, undone)


def is_narrowed(puzzle: Puzzle, board: list[int], claim: Claim) -> bool:
    """Whether the cells that lost the wrong value as an option are those that it has taken it from:
    without it they could hold it."""
    without = board.copy()
    without[claim.cells[0]] = 0
    pair = claim.cells[1:] if claim.kind is ClaimKind.WRONG_PAIR else ()
    lost = [cell for cell in pair if claim.value in options_of(puzzle, without, cell)]
    return [*claim.narrowed] == lost


def is_of_both(film: Film, claim: Claim) -> bool:
    """Whether the claim's wrong value stands for more steps than in the shortest other search that
    was not stopped, if that takes it, too."""
    others = [
        (tally.steps, number)
        for number, tally in enumerate(film.tallies)
        if number != claim.search and tally.steps and tally.outcome is not Outcome.CAPPED
    ]
    if not others:
        return True
    _, number = min(others)
    steps, puzzle = steps_of(film, number), film.headers[number].puzzle
    cell, value, _, when = (*wrong_values(puzzle, steps), (-1, 0, 0, [0]))[0]
    if (cell, value) != (claim.cells[0], claim.value):
        return True
    return when[-1] - when[0] + 1 < claim.count


def is_true(film: Film, steps: Steps, claim: Claim) -> bool:
    """`steps` are those of the claim's search."""
    puzzle = film.headers[claim.search].puzzle
    after = board_after(puzzle, steps, claim.step)
    before = board_after(puzzle, steps, claim.step - 1)
    cell = claim.cells[0] if claim.cells else -1
    if claim.kind in (*CALLED_WRONG, *OF_FASTEST, ClaimKind.STANDS):
        if not is_first_wrong(puzzle, steps, claim) or after[cell] != claim.value:
            return False
        if not is_narrowed(puzzle, after, claim):
            return False
        if claim.kind in CALLED_WRONG and claim.count and not is_of_both(film, claim):
            return False
    match claim.kind:
        case kind if kind in ABOUT_OPTIONS:
            options, holders = options_of(puzzle, after, cell), claim.cells[1:]
            others = {after[holder] for holder in holders}
            excluded = not holders or others == set(range(1, puzzle.size + 1)) - options
            proves = {*holders} <= {*peers_of(puzzle, cell)} and bool(holders) == (claim.count == 1)
            return len(options) == claim.count and claim.value in options and excluded and proves
        case ClaimKind.ONLY_PLACE:
            members = puzzle.problem.units[claim.unit].cells
            empty = [each for each in members if not after[each]]
            places = [each for each in empty if claim.value in options_of(puzzle, after, each)]
            return places == [cell]
        case ClaimKind.FORCED:
            told = range(claim.step, claim.step + claim.count)
            boards = [board_after(puzzle, steps, each) for each in told]
            written = [steps[each][1:] for each in told]
            return all(
                options_of(puzzle, board, each) == {value}
                for board, (each, value) in zip(boards, written, strict=True)
            )
        case ClaimKind.GUESSES:
            return after[cell] == claim.value and len(options_of(puzzle, before, cell)) > 1
        case ClaimKind.NO_GUESS:
            decided = decides(steps[claim.step - 1])
            only = options_of(puzzle, before, cell) == {claim.value}
            return after[cell] == claim.value and (only or not decided)
        case ClaimKind.TRIES:
            return after[cell] == claim.value
        case ClaimKind.IMPOSSIBLE_CELL:
            return not after[cell] and not options_of(puzzle, after, cell)
        case ClaimKind.IMPOSSIBLE_UNIT:
            return not has_place(puzzle, after, claim.unit, claim.wanted)
        case ClaimKind.WRONG_PAIR:
            one, other = claim.cells[1:]
            unit, needed = puzzle.problem.units[claim.unit].cells, {claim.wanted}
            both = (options_of(puzzle, after, each) for each in (one, other))
            return one in unit and other in unit and all(each == needed for each in both)
        case ClaimKind.WRONG_CELL:
            return not after[claim.cells[1]] and not options_of(puzzle, after, claim.cells[1])
        case ClaimKind.WRONG_UNIT:
            return not has_place(puzzle, after, claim.unit, claim.wanted)
        case ClaimKind.GUESSED:
            return claim.count == tenths_guessed(puzzle, steps[: claim.step])
        case ClaimKind.TAKEN_BACK:
            return claim.count == sum(op == Op.UNDO for op, *_ in steps[: claim.step])
        case ClaimKind.GUESSES_UNDONE:
            stack: list[bool] = []
            undone, board = 0, list(puzzle.givens)
            for op, each, value in steps:
                if op == Op.UNDO:
                    undone += stack.pop()
                else:
                    stack.append(op == Op.GUESS and len(options_of(puzzle, board, each)) > 1)
                board[each] = 0 if op == Op.UNDO else value
            return claim.count == undone
        case ClaimKind.LOST:
            return not after[cell] and not options_of(puzzle, after, cell)
        case ClaimKind.NOT_NOTICED:
            lost = not before[cell] and not options_of(puzzle, before, cell)
            return lost and after != before and not after[cell]
        case ClaimKind.NONE_LOST:
            return all(
                value or options_of(puzzle, board, each)
                for board in (before, after)
                for each, value in enumerate(board)
            )
        case ClaimKind.PROOF:
            dead = any(
                not value and not options_of(puzzle, after, each)
                for each, value in enumerate(after)
            )
            return dead and not guesses_in(puzzle, steps) and not solutions_of(puzzle)
        case ClaimKind.FOUND:
            full = [full_boards(puzzle, steps, claim.step - back) for back in (0, 1)]
            return full == [1, 0] and len(steps) > claim.step
        case ClaimKind.COST:
            chosen = [each for each in wrong_values(puzzle, steps) if each[2] < claim.first]
            return (
                {each[0] for each in chosen} == {*claim.cells}
                and len(claim.cells) <= claim.first
                and sum(len(each[3]) for each in chosen) == claim.count
                and chosen[-1][3][-1] == claim.step
                and 2 * claim.count >= len(steps)
            )
        case kind if kind in ENDS:
            tally = film.tallies[claim.search]
            assert ENDED[kind] is tally.outcome
            return (len(steps), tally.solutions) == (claim.count, claim.solutions)
    return claim.kind in (ClaimKind.WRONG, *OF_FASTEST, ClaimKind.STANDS)


def guesses_in(puzzle: Puzzle, steps: Steps) -> int:
    """How many digits had an alternative in their cells when they were written. A value that the
    search rejected before, in the same cell and on the same board, is no alternative."""
    board, guessed = list(puzzle.givens), 0
    for op, cell, value in steps:
        guessed += op == Op.GUESS and len(options_of(puzzle, board, cell)) > 1
        board[cell] = 0 if op == Op.UNDO else value
    return guessed


def tenths_guessed(puzzle: Puzzle, steps: Steps) -> int:
    """How many of ten digits were guesses, to the nearest; -1 for fewer than half a one, but not
    none."""
    placed = sum(op != Op.UNDO for op, _, _ in steps)
    guessed = guesses_in(puzzle, steps)
    return int(Fraction(10 * guessed, placed) + Fraction(1, 2)) or -bool(guessed)


def steps_at(film: Film, note: Note, frame: int) -> int:
    return film.timeline.shot_at(frame).steps[note.search]


def is_true_while_shown(film: Film, steps: Steps, note: ClaimNote) -> bool:
    """Whether the boards of the first and of the last frame on which it is shown agree with it."""
    puzzle, claim = film.headers[note.search].puzzle, note.claim
    done = [steps_at(film, note, frame) for frame in (note.start, note.end - 1)]
    first, last = (board_after(puzzle, steps, count) for count in done)
    kind, cell = claim.kind, claim.cells[0] if claim.cells else -1
    if kind in CALLED_WRONG or kind in AT_ITS_STEP or kind in ABOUT_OPTIONS:
        # The board is the one that proves it: for options the one before their cell is filled.
        return done == [claim.step] * 2
    if kind is ClaimKind.GUESSES_UNDONE:
        return True  # of the whole search
    if kind is ClaimKind.NONE_LOST:
        return done == [claim.step - 1, claim.step]
    if kind is ClaimKind.FORCED:
        return claim.step <= done[0] and done[1] < claim.step + claim.count
    if kind in (*OF_FASTEST, ClaimKind.STANDS):
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
    found = [note for note in film.notes if isinstance(note, ClaimNote)]
    steps = [steps_of(film, number) for number in range(len(film.traces))]
    for note in found:
        own = steps[note.claim.search]
        assert note.start < note.end
        assert is_true(film, own, note.claim), note
        assert is_true_while_shown(film, own, note), note
    assert_one_at_a_time(film.notes)
    return [note.claim for note in found]


def assert_one_at_a_time(notes: Iterable[Note]) -> None:
    """Two sentences are together in a picture only if they are the same about both searches."""
    for one, other in pairwise(sorted(notes, key=lambda note: (note.start, note.search))):
        together = one.start == other.start and one.search != other.search
        assert one.end <= other.start or together, (one, other)
