"""Claims about a search, each of which follows from the trace or from the board.

A claim contains facts, so that a test can derive it again; its sentence is made from them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import takewhile

import numpy as np
from numpy.typing import NDArray

from render.playback.step_reasons import candidates
from render.story.first_moves import FirstMoves, Step
from render.texts import story_texts as say
from render.texts.step_texts import unit_text
from render.texts.wording import BAR_TAKEN_BACK, capitalised, dead_ends_text
from solver.puzzle import SYMBOLS, Puzzle
from solver.trace import Op, Outcome, Tally

__all__ = [
    "Claim",
    "ClaimKind",
    "end_claim",
    "first_claim",
    "forced_claim",
    "returned_claim",
    "sentence_of",
    "singles_claim",
    "wrong_claim_of",
]


_BOTH_NEED = {
    "row": say.BOTH_NEED_ROW,
    "column": say.BOTH_NEED_COLUMN,
    "box": say.BOTH_NEED_BOX,
    "region": say.BOTH_NEED_REGION,
}
"""What two cells of a unit of each kind both need; those of an extra unit are not named."""

_MIN_SINGLES = 3
"""The minimum number of values that is mentioned."""

_MAX_FORCED = 5
"""The maximum number of values found by inference that is mentioned."""


class ClaimKind(StrEnum):
    """The kind of a claim."""

    RULE = "rule"
    """The rule of the strategy."""
    ONLY = "only"
    """One value fits a cell: no peer holds it."""
    ONLY_PLACE = "only place"
    """A value fits one cell of a unit."""
    OPTIONS = "options"
    """Several values fit a cell; the search tries one of them."""
    ONE_RIGHT = "one right"
    """The same, where the puzzle has one solution, so that all but one of them are wrong."""
    TRIES = "tries"
    """The search tries a value."""
    WRONG = "wrong"
    """A value differs from that of the only solution."""
    WRONG_PAIR = "wrong pair"
    """A wrong value leaves two cells of a unit with the same single option."""
    WRONG_CELL = "wrong cell"
    """A wrong value leaves a cell without an option."""
    WRONG_UNIT = "wrong unit"
    """A wrong value leaves a unit without a place for a value."""
    SINGLES = "singles"
    """Each of the first values was the only one that fitted its cell."""
    FORCED = "forced"
    """Inference made all of the first steps."""
    WEIGHED = "weighed"
    """A failure of a unit has just been counted, which increases the weight of its cells."""
    RETURNED = "returned"
    """The next step undoes a value, because a cell has no option or a unit has no place."""
    FINISHED = "finished"
    """A search has ended with a solution after `count` steps."""
    EXHAUSTED = "exhausted"
    """A search has completed the whole tree in `count` steps."""
    FOUND = "found"
    """A search for all solutions has just found its first one."""
    STOPPED = "stopped"
    """A search was stopped, or its trace ends, after `count` steps."""
    STUCK = "stuck"
    """The first wrong value is still on the board."""
    DEAD_ENDS = "dead ends"
    """A search has met `count` dead ends so far."""
    DEAD_ENDS_AFTER = "dead ends after"
    """A search has met `count` dead ends so far, all after its first wrong value, which is still on
    the board."""
    ALONE = "alone"
    """All other searches have ended; this one has met `count` dead ends and goes on."""
    VAIN = "vain"
    """As long as the first wrong value is on the board, no step leads to the solution."""
    FREED = "freed"
    """The first wrong value has just been undone."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim of kind `kind` about search number `search` (from 0) after its step `step`. `value`
    is that of `cells[0]` if both are given; `wanted` is the value that two peers need, or for which
    a unit has no place; `unit` is the number of a unit of the puzzle, -1 for none; `count` is the
    number in the claim. `mistakes` are the other cells with wrong values; `dead_ends` is the number
    that a solved search met, `taken_back` that of the digits that it took back so far. The `count`
    of ONLY is 1 if the puzzle has one solution.
    """

    kind: ClaimKind
    search: int
    step: int
    cells: tuple[int, ...] = ()
    value: int = 0
    wanted: int = 0
    unit: int = -1
    count: int = 0
    mistakes: tuple[int, ...] = ()
    dead_ends: int = 0
    taken_back: int = 0
    text: str = ""
    """Of a rule."""


def sentence_of(claim: Claim, puzzle: Puzzle) -> str:
    """The sentence of a claim."""
    value, wanted, count = _symbol(claim.value), _symbol(claim.wanted), claim.count
    unit = unit_text(puzzle.geometry.units[claim.unit]) if claim.unit >= 0 else ""
    match claim.kind:
        case ClaimKind.RULE:
            return claim.text
        case ClaimKind.ONLY:
            # Without a solution every value is wrong; a later value may follow from a mistake.
            return (say.ONLY_OPTION if count else say.ONLY_VALUE)(value=value)
        case ClaimKind.ONLY_PLACE:
            return say.ONLY_PLACE(value=value, unit=unit)
        case ClaimKind.OPTIONS:
            return say.OPTIONS_HERE(count=count, value=value)
        case ClaimKind.ONE_RIGHT:
            return say.ONE_RIGHT(count=count, value=value)
        case ClaimKind.TRIES:
            return say.IT_TRIES(value=value)
        case ClaimKind.WRONG if count > 1:
            return say.OPTIONS_WRONG(count=count, value=value)
        case ClaimKind.WRONG:
            return say.ALREADY_WRONG(value=value)
        case ClaimKind.WRONG_PAIR:
            kind = puzzle.geometry.units[claim.unit].kind
            return _BOTH_NEED.get(kind, say.BOTH_NEED)(wanted=wanted, value=value)
        case ClaimKind.WRONG_CELL:
            return say.NO_OPTION(value=value)
        case ClaimKind.WRONG_UNIT:
            return say.NO_PLACE(wanted=wanted, unit=unit, value=value)
        case ClaimKind.SINGLES:
            return say.STEPS_WITHOUT_GUESS(count=count)
        case ClaimKind.RETURNED:
            if claim.unit >= 0:
                return say.NO_PLACE_BACK(wanted=wanted, unit=unit, value=value)
            return say.NO_OPTION_BACK(value=value)
        case ClaimKind.FORCED:
            return say.STEPS_BY_LOGIC(count=count)
        case ClaimKind.WEIGHED:
            return say.WEIGHED(unit=unit)
        case ClaimKind.FINISHED:
            dead_ends = dead_ends_text(claim.dead_ends)
            if not claim.taken_back:
                return say.DONE_IN(count=count, dead_ends=dead_ends)
            taken_back = BAR_TAKEN_BACK(count=claim.taken_back)
            if claim.value:
                return say.DONE_WRONG_TOO(
                    count=count, dead_ends=dead_ends, taken_back=taken_back, value=value
                )
            return say.DONE_TAKEN_BACK(count=count, dead_ends=dead_ends, taken_back=taken_back)
        case ClaimKind.EXHAUSTED:
            return say.WHOLE_TREE_IN(count=count)
        case ClaimKind.FOUND:
            return say.FOUND_FIRST()
        case ClaimKind.STOPPED:
            return say.STOPPED_NOT_DONE(count=count)
        case ClaimKind.STUCK:
            return say.STILL_STUCK(value=value)
        case ClaimKind.DEAD_ENDS:
            return capitalised(say.DEAD_ENDS_SO_FAR(dead_ends=dead_ends_text(count)))
        case ClaimKind.DEAD_ENDS_AFTER:
            found = dead_ends_text(count)
            return say.DEAD_ENDS_AFTER(count=claim.taken_back, dead_ends=found, value=value)
        case ClaimKind.ALONE:
            return say.GOES_ON_ALONE(dead_ends=dead_ends_text(count))
        case ClaimKind.FREED:
            return say.WRONG_TAKEN_BACK(value=value, count=count)
        case ClaimKind.VAIN:
            return say.IN_VAIN(value=value)


def end_claim(search: int, tally: Tally, undone: int = 0) -> Claim:
    """The claim about the end of a search; `undone` is its first wrong value, if it took that back
    and the film mentions it."""
    kind = {
        Outcome.SOLVED: ClaimKind.FINISHED,
        Outcome.EXHAUSTED: ClaimKind.EXHAUSTED,
        Outcome.CAPPED: ClaimKind.STOPPED,
    }[tally.outcome]
    return Claim(
        kind,
        search,
        tally.steps,
        value=undone,
        count=tally.steps,
        dead_ends=tally.dead_ends,
        taken_back=tally.undos,
    )


def _symbol(value: int) -> str:
    return SYMBOLS[value - 1] if value else ""


def first_claim(
    search: int, moves: FirstMoves, puzzle: Puzzle, *, judges: bool = True
) -> Claim | None:
    """The claim about the first step of a search; None for a search without steps. A wrong
    value is called wrong only if the film `judges` values."""
    if not moves.steps:
        return None
    step = moves.steps[0]
    if judges and moves.wrong and moves.wrong.step == step.number:
        return wrong_claim_of(search, moves, puzzle)
    return _placed_claim(search, step, puzzle, unique=moves.solution is not None)


def _placed_claim(search: int, step: Step, puzzle: Puzzle, *, unique: bool) -> Claim:
    cells = (step.cell,)
    if step.options == (step.value,):
        return Claim(ClaimKind.ONLY, search, step.number, cells, step.value, count=int(unique))
    if step.op is Op.FORCED and step.number == 1:
        unit = _only_place(puzzle, puzzle.board, step.cell, step.value)
        if unit is not None:
            return Claim(ClaimKind.ONLY_PLACE, search, step.number, cells, step.value, unit=unit)
    if step.value in step.options and step.op is Op.GUESS:
        count = len(step.options)
        kind = ClaimKind.ONE_RIGHT if unique else ClaimKind.OPTIONS
        return Claim(kind, search, step.number, cells, step.value, count=count)
    return Claim(ClaimKind.TRIES, search, step.number, cells, step.value)


def wrong_claim_of(search: int, moves: FirstMoves, puzzle: Puzzle) -> Claim | None:
    """The claim that the first wrong value is wrong, with the reason if the board after it shows
    it; None if no wrong value is known, or if it is placed after the examined steps."""
    wrong = moves.wrong
    if wrong is None or wrong.step > len(moves.steps):
        return None
    board = _board_after(puzzle, moves.steps[: wrong.step])
    cells = (wrong.cell,)
    options = {
        cell: candidates(puzzle, board, cell) for cell in np.flatnonzero(board == 0).tolist()
    }

    def claim(kind: ClaimKind, *more: int, wanted: int = 0, unit: int = -1) -> Claim:
        step, value = wrong.step, wrong.value
        return Claim(kind, search, step, (*cells, *more), value, wanted, unit)

    for cell, left in options.items():
        if not left:
            return claim(ClaimKind.WRONG_CELL, cell)
    peers = puzzle.geometry.peers
    for cell, left in options.items():
        for other in peers[cell]:
            if other > cell and len(left) == 1 and options.get(other) == left:
                unit = next(
                    each
                    for each in puzzle.geometry.units_of[cell]
                    if other in puzzle.geometry.units[each].cells
                )
                return claim(ClaimKind.WRONG_PAIR, cell, other, wanted=left[0], unit=unit)
    lacking = _lacking(puzzle, board, options)
    if lacking:
        return claim(ClaimKind.WRONG_UNIT, wanted=lacking[1], unit=lacking[0])
    count = len(moves.steps[wrong.step - 1].options)
    return Claim(ClaimKind.WRONG, search, wrong.step, cells, wrong.value, count=count)


def singles_claim(search: int, moves: FirstMoves) -> Claim | None:
    """The claim that each of the first values, at least three, was the only one that fitted; None
    if this is not true."""
    count = 0
    for step in moves.steps:
        if step.op is not Op.GUESS or step.options != (step.value,):
            break
        count += 1
    if count < _MIN_SINGLES:
        return None
    return Claim(ClaimKind.SINGLES, search, moves.steps[count - 1].number, count=count)


def forced_claim(search: int, moves: FirstMoves) -> Claim | None:
    """The claim that inference made the first steps, with their number; None if this is not
    true."""
    found = takewhile(lambda step: step.op is Op.FORCED, moves.steps[:_MAX_FORCED])
    count = len([*found])
    return Claim(ClaimKind.FORCED, search, count, count=count) if count >= _MIN_SINGLES else None


def returned_claim(search: int, moves: FirstMoves, puzzle: Puzzle) -> Claim | None:
    """The claim why a search undoes a value for the first time, from the board before that step;
    None if it undoes none in its first steps, or if the board does not show the reason."""
    returned = moves.first_return
    if returned is None:
        return None
    step = returned.number - 1
    board = _board_after(puzzle, moves.steps[:step])
    options = {
        cell: candidates(puzzle, board, cell) for cell in np.flatnonzero(board == 0).tolist()
    }

    def claim(*shown: int, wanted: int = 0, unit: int = -1) -> Claim:
        cells = (returned.cell, *shown)
        return Claim(ClaimKind.RETURNED, search, step, cells, returned.value, wanted, unit)

    for cell, left in options.items():
        if not left:
            return claim(cell)
    lacking = _lacking(puzzle, board, options)
    return claim(unit=lacking[0], wanted=lacking[1]) if lacking else None


def _board_after(puzzle: Puzzle, steps: Sequence[Step]) -> NDArray[np.uint8]:
    board = puzzle.board.copy()
    for step in steps:
        board[step.cell] = 0 if step.op is Op.UNDO else step.value
    return board


def _only_place(puzzle: Puzzle, board: NDArray[np.uint8], cell: int, value: int) -> int | None:
    """The first unit of `cell` in which no other cell can hold `value`; None if there is none."""
    for number in puzzle.geometry.units_of[cell]:
        others = (other for other in puzzle.geometry.units[number].cells if other != cell)
        if not any(
            board[other] == value
            or (not board[other] and value in candidates(puzzle, board, other))
            for other in others
        ):
            return number
    return None


def _lacking(
    puzzle: Puzzle, board: NDArray[np.uint8], options: dict[int, list[int]]
) -> tuple[int, int] | None:
    """The first unit with as many cells as values that has no place for a value, and the lowest
    such value; None if there is none."""
    for number, unit in enumerate(puzzle.geometry.units):
        if len(unit.cells) < puzzle.size:
            continue
        held = {int(board[cell]) for cell in unit.cells}
        for cell in unit.cells:
            held.update(options.get(cell, ()))
        missing = sorted(set(range(1, puzzle.size + 1)) - held)
        if missing:
            return number, missing[0]
    return None
