"""Derives claims about a search from its first steps, from the board and from its counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from undoku.render.playback.step_reasons import (
    Contradiction,
    candidates,
    contradictions,
    only_place,
)
from undoku.render.story.claims import Claim, ClaimKind
from undoku.render.story.first_moves import FirstMoves, Step, WrongValue
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.trace.replay import board_at
from undoku.solver.trace.state import State
from undoku.solver.trace.trace import Outcome, Tally, Trace

_MAX_FIRST = 3
"""The maximum number of first cells whose wrong values are counted together."""

_MIN_SHARE = Fraction(1, 2)
"""The minimum share of all steps that such wrong values cost."""


def end_claim(search: int, tally: Tally) -> Claim:
    """The claim about the end of a search."""
    kind = {
        Outcome.SOLVED: ClaimKind.FINISHED,
        Outcome.EXHAUSTED: ClaimKind.EXHAUSTED,
        Outcome.CAPPED: ClaimKind.STOPPED,
    }[tally.outcome]
    return Claim(kind, search, tally.steps, count=tally.steps, solutions=tally.solutions)


def finish_claims(states: Mapping[int, State], fastest: int) -> Sequence[Claim]:
    """The claims about searches in these states, by their numbers, when the first one has ended:
    how many of ten digits each has guessed, if this tells why one is the fastest; otherwise how
    many it has taken back."""
    own = states[fastest]
    if all(
        own.guessed * each.places < each.guessed * own.places
        for each in states.values()
        if each is not own
    ):
        return [_guessed_claim(*each) for each in states.items()]
    return [
        Claim(ClaimKind.TAKEN_BACK, number, state.steps, count=state.undos)
        for number, state in states.items()
    ]


def _guessed_claim(search: int, state: State) -> Claim:
    """The claim how many of ten digits that a search wrote up to this state were guesses, rounded
    to the nearest; -1 of ten if it is fewer than one of twenty, but not none."""
    guessed, places = state.guessed, state.places
    count = (20 * guessed + places) // (2 * places) if places else 0
    return Claim(ClaimKind.GUESSED, search, state.steps, count=count or -bool(guessed))


def cost_claim(search: int, moves: FirstMoves, tally: Tally) -> Claim | None:
    """The claim how many steps the wrong values of the first cells of a search cost: of as few
    cells as possible, three at most, so that it is at least half of all steps. None where there
    are no such cells, or where they had fewer than two wrong values."""
    if not moves.complete or tally.outcome is not Outcome.SOLVED:
        return None
    for first in range(1, _MAX_FIRST + 1):
        wrong = [each for each in moves.wrong_values if each.before < first]
        cost = sum(each.stands + 1 for each in wrong if each.until)
        if cost >= tally.steps * _MIN_SHARE:
            break
    else:
        return None
    cells = tuple(dict.fromkeys(each.cell for each in wrong))
    if len(wrong) < 2 or len(cells) > first:  # after a restart, other cells may be the first ones
        return None
    step = wrong[-1].until
    return Claim(ClaimKind.COST, search, step, cells, count=cost, first=first)


def step_claims(search: int, step: Step, puzzle: Puzzle) -> tuple[Claim, ...]:
    """The claims about one of the first steps of a search: what fits its cell before it, and
    whether the step is a guess."""
    cells, value, options, number = (step.cell,), step.value, step.options, step.number
    if value in options and (step.guessed or len(options) == 1):
        held = _holders(puzzle, step) if len(options) == 1 else ()
        count = len(options)
        before = Claim(ClaimKind.OPTIONS, search, number - 1, cells + held, value, count=count)
        kind = ClaimKind.GUESSES if count > 1 else ClaimKind.NO_GUESS
        return before, Claim(kind, search, number, cells, value, count=count)
    unit = -1 if step.decided else only_place(puzzle, step.board, step.cell, value)
    if unit >= 0:
        before = Claim(ClaimKind.ONLY_PLACE, search, number - 1, cells, value, unit=unit)
        return before, Claim(ClaimKind.NO_GUESS, search, number, cells, value)
    return (Claim(ClaimKind.TRIES, search, number, cells, value),)


def lost_cell(puzzle: Puzzle, board: NDArray[np.uint8]) -> int:
    """The first empty cell that no value fits, -1 if there is none."""
    found = (each.cell for each in contradictions(puzzle, board) if each.cell >= 0)
    return next(found, -1)


def impossible_claim(search: int, puzzle: Puzzle) -> Claim | None:
    """The claim that the givens leave no solution, if the board shows it."""
    found = _contradiction(puzzle, puzzle.board)
    if found is None:
        return None
    if found.cell >= 0:
        return Claim(ClaimKind.IMPOSSIBLE_CELL, search, 0, (found.cell,))
    return Claim(ClaimKind.IMPOSSIBLE_UNIT, search, 0, wanted=found.wanted, unit=found.unit)


def wrong_claim(search: int, wrong: WrongValue, trace: Trace, step: int) -> Claim:
    """The claim that a value is wrong, with the reason if the board after `step` shows it."""
    puzzle, board = trace.header.puzzle, board_at(trace, step)
    cells = (wrong.cell,)
    contradiction = _contradiction(puzzle, board)

    def claim(kind: ClaimKind, *more: int, wanted: int = 0, unit: int = -1) -> Claim:
        return Claim(kind, search, step, (*cells, *more), wrong.value, wanted, unit=unit)

    if contradiction and contradiction.cell >= 0:
        return claim(ClaimKind.WRONG_CELL, contradiction.cell)
    problem = puzzle.problem
    options = {
        cell: candidates(puzzle, board, cell) for cell in np.flatnonzero(board == 0).tolist()
    }
    for cell, left in options.items():
        for other in problem.peers[cell]:
            if other > cell and options.get(other) == left != [wrong.value] and len(left) == 1:
                shared = {*problem.units_of[cell]} & {*problem.units_of[other]}
                unit = min(shared)
                if not problem.units[unit].shifts:
                    pair = claim(ClaimKind.WRONG_PAIR, cell, other, wanted=left[0], unit=unit)
                    return replace(pair, narrowed=_narrowed(puzzle, board, pair))
    if contradiction:
        return claim(ClaimKind.WRONG_UNIT, wanted=contradiction.wanted, unit=contradiction.unit)
    return claim(ClaimKind.WRONG)


def _narrowed(puzzle: Puzzle, board: NDArray[np.uint8], pair: Claim) -> tuple[int, ...]:
    """Those of two cells that could hold a wrong value if it were not in its cell."""
    placed, *cells = pair.cells
    before = board.copy()
    before[placed] = 0
    return tuple(cell for cell in cells if pair.value in candidates(puzzle, before, cell))


def _contradiction(puzzle: Puzzle, board: NDArray[np.uint8]) -> Contradiction | None:
    """The first contradiction of a board that a sentence can explain: a cell without an option, or
    a unit without a place for a value; None if there is none."""
    return next(
        (each for each in contradictions(puzzle, board) if each.cell >= 0 or each.wanted), None
    )


def _holders(puzzle: Puzzle, step: Step) -> tuple[int, ...]:
    """A peer of the cell of a step for each value that its peers exclude: cells, ascending."""
    held: dict[int, int] = {}
    for peer, offset in puzzle.problem.exclusions[step.cell]:
        if step.board[peer]:
            held.setdefault(int(step.board[peer]) - offset, peer)
    return tuple(sorted(held.values()))
