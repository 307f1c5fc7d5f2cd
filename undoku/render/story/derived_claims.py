"""Derives claims about a search from its first steps, from the board and from its counts; and the
failures of each unit in the first steps of a search by `dom-wdeg`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import takewhile

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
from undoku.solver.search.strategy import Strategy
from undoku.solver.trace.trace import Header, Op, Outcome, Tally


def weighs_failures(header: Header) -> bool:
    """Whether a search weights failures that follow only from its places: a trace does not contain
    the units of failures that inference finds."""
    strategy = Strategy.known(header.strategy)
    if strategy is None or strategy.cells != "dom-wdeg":
        return False
    return not strategy.inference and not strategy.presolve


def weighed_claim(search: int, moves: FirstMoves, header: Header) -> Claim | None:
    """The claim that the first failure increases the weight of the cells of a unit; None for a
    search that does not weight failures, or without a failure in its first steps."""
    if not weighs_failures(header):
        return None
    for number, failures in enumerate(failures_after(moves.steps, header.puzzle)):
        if any(failures):
            unit = next(unit for unit, count in enumerate(failures) if count)
            # The sentence belongs to the next step, which undoes the value.
            cells = (moves.steps[number - 1].cell,)
            return Claim(ClaimKind.WEIGHED, search, number + 1, cells, unit=unit)
    return None


def failures_after(steps: Sequence[Step], puzzle: Puzzle) -> list[tuple[int, ...]]:
    """The failures of each unit of `puzzle` before the first of `steps` and after each of them, by
    the rule of docs/strategies.md ("What `dom-wdeg` weighs") for searches without inference: a
    place that leaves peers without candidates is a failure of each unit that contains its cell and
    the lowest of these peers."""
    geometry = puzzle.geometry
    board = puzzle.board.copy()
    failures = [0] * len(geometry.units)
    found = [tuple(failures)]
    for step in steps:
        board[step.cell] = 0 if step.op is Op.UNDO else step.value
        if step.op is not Op.UNDO:
            peers = (cell for cell in sorted(geometry.peers[step.cell]) if not board[cell])
            emptied = next((cell for cell in peers if not candidates(puzzle, board, cell)), None)
            if emptied is not None:
                for unit in set(geometry.units_of[step.cell]) & set(geometry.units_of[emptied]):
                    failures[unit] += 1
        found.append(tuple(failures))
    return found


def cell_weight(
    puzzle: Puzzle, board: NDArray[np.uint8], failures: Sequence[int], cell: int
) -> int:
    """The weight of an empty cell on `board`, (cells,) uint8: the sum, over its units that have
    another empty cell, of 1 + their failures; at least 1."""
    geometry = puzzle.geometry
    return max(
        1,
        sum(
            1 + failures[unit]
            for unit in geometry.units_of[cell]
            if any(not board[other] for other in geometry.units[unit].cells if other != cell)
        ),
    )


_MIN_SINGLES = 3
"""The minimum number of values that is mentioned."""

MAX_FORCED = 5
"""The maximum number of values found by inference that is mentioned, after one that is explained if
there is one."""

_MAX_FIRST = 3
"""The maximum number of first cells whose wrong values are counted together."""

_MIN_SHARE = Fraction(1, 2)
"""The minimum share of all steps that such wrong values cost."""


def end_claim(
    search: int, tally: Tally, cost: Claim | None = None, wrong: WrongValue | None = None
) -> Claim:
    """The claim about the end of a search. The film may mention `cost`, the claim about the wrong
    values of its first cells, or when its first `wrong` value was undone."""
    kind = {
        Outcome.SOLVED: ClaimKind.FINISHED,
        Outcome.EXHAUSTED: ClaimKind.EXHAUSTED,
        Outcome.CAPPED: ClaimKind.STOPPED,
    }[tally.outcome]
    return Claim(
        kind,
        search,
        tally.steps,
        count=tally.steps,
        dead_ends=tally.dead_ends,
        until=wrong.until if wrong else 0,
        wrong=wrong.value if wrong else 0,
        cost=cost.cost if cost else 0,
        first=cost.first if cost else 0,
        solutions=tally.solutions,
    )


def cost_claim(search: int, moves: FirstMoves, tally: Tally) -> Claim | None:
    """The claim how many steps the wrong values of the first cells of a search cost: of as few
    cells as possible, three at most, so that it is at least half of all steps. None where there
    are no such cells, or where they had fewer than two wrong values."""
    if not moves.complete or tally.outcome is not Outcome.SOLVED:
        return None
    for first in range(1, _MAX_FIRST + 1):
        wrong = [each for each in moves.wrong_values if each.before < first]
        cost = sum(each.cost for each in wrong)
        if cost >= tally.steps * _MIN_SHARE:
            break
    else:
        return None
    cells = tuple(dict.fromkeys(each.cell for each in wrong))
    if len(wrong) < 2 or len(cells) > first:  # after a restart, other cells may be the first ones
        return None
    step = wrong[-1].until
    return Claim(ClaimKind.COST, search, step, cells, cost=cost, first=first)


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
    return placed_claim(search, step, puzzle, unique=moves.solution is not None)


def placed_claim(search: int, step: Step, puzzle: Puzzle, *, unique: bool) -> Claim:
    """The claim why the first step of a search places its value, or what else fits; with `unique`,
    for a puzzle with one solution, it says that only one of several values is right."""
    cells = (step.cell,)
    if step.options == (step.value,):
        held = cells + _holders(puzzle, step.cell)
        return Claim(ClaimKind.ONLY, search, step.number, held, step.value)
    if step.op is Op.FORCED and step.number == 1:
        unit = only_place(puzzle, puzzle.board, step.cell, step.value)
        if unit >= 0:
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
    contradiction = _contradiction(puzzle, board)

    def claim(kind: ClaimKind, *more: int, wanted: int = 0, unit: int = -1) -> Claim:
        step, value = wrong.step, wrong.value
        return Claim(kind, search, step, (*cells, *more), value, wanted, unit)

    if contradiction and contradiction.cell >= 0:
        return claim(ClaimKind.WRONG_CELL, contradiction.cell)
    geometry = puzzle.geometry
    options = {
        cell: candidates(puzzle, board, cell) for cell in np.flatnonzero(board == 0).tolist()
    }
    for cell, left in options.items():
        for other in geometry.peers[cell]:
            if other > cell and len(left) == 1 and options.get(other) == left:
                units = geometry.units_of[cell]
                unit = next(each for each in units if other in geometry.units[each].cells)
                return claim(ClaimKind.WRONG_PAIR, cell, other, wanted=left[0], unit=unit)
    if contradiction:
        return claim(ClaimKind.WRONG_UNIT, wanted=contradiction.wanted, unit=contradiction.unit)
    count = len(moves.steps[wrong.step - 1].options)
    return Claim(ClaimKind.WRONG, search, wrong.step, cells, wrong.value, count=count)


def only_place_claim(search: int, moves: FirstMoves, puzzle: Puzzle) -> Claim | None:
    """The claim about the first value, after that of step 1, that inference places in a cell with
    several options, because no other cell of a unit can hold it; None if there is none before the
    first undo."""
    for step in takewhile(lambda step: step.op is not Op.UNDO, moves.steps[1:]):
        if step.op is Op.FORCED and len(step.options) > 1:
            board = _board_after(puzzle, moves.steps[: step.number - 1])
            unit = only_place(puzzle, board, step.cell, step.value)
            if unit >= 0:
                cells = (step.cell,)
                return Claim(
                    ClaimKind.ONLY_PLACE, search, step.number, cells, step.value, unit=unit
                )
    return None


def singles_claim(search: int, moves: FirstMoves) -> Claim | None:
    """The claim that each of the first values, at least three, was the only one that fitted; None
    if this is not true."""
    singles = takewhile(
        lambda step: step.op is Op.GUESS and step.options == (step.value,), moves.steps
    )
    count = len([*singles])
    if count < _MIN_SINGLES:
        return None
    return Claim(ClaimKind.SINGLES, search, moves.steps[count - 1].number, count=count)


def forced_claim(search: int, moves: FirstMoves, explained: int = 0) -> Claim | None:
    """The claim that inference made the first steps, with their number; None if this is not
    true. It follows the step `explained`, 0 for none, if one of these steps is explained."""
    found = takewhile(lambda step: step.op is Op.FORCED, moves.steps[: explained + MAX_FORCED])
    count = len([*found])
    if count <= explained:
        return None
    return Claim(ClaimKind.FORCED, search, count, count=count) if count >= _MIN_SINGLES else None


def returned_claim(search: int, moves: FirstMoves, puzzle: Puzzle) -> Claim | None:
    """The claim why a search undoes a value for the first time, from the board before that step;
    None if it undoes none in its first steps, or if the board does not show the reason."""
    returned = moves.first_return
    if returned is None:
        return None
    step = returned.number - 1
    found = _contradiction(puzzle, _board_after(puzzle, moves.steps[:step]))
    if found is None:
        return None
    cells = (returned.cell, found.cell) if found.cell >= 0 else (returned.cell,)
    return Claim(ClaimKind.RETURNED, search, step, cells, returned.value, found.wanted, found.unit)


def _contradiction(puzzle: Puzzle, board: NDArray[np.uint8]) -> Contradiction | None:
    """The first contradiction of a board that a sentence can explain: a cell without an option, or
    a unit without a place for a value; None if there is none."""
    return next(
        (each for each in contradictions(puzzle, board) if each.cell >= 0 or each.wanted), None
    )


def _board_after(puzzle: Puzzle, steps: Sequence[Step]) -> NDArray[np.uint8]:
    board = puzzle.board.copy()
    for step in steps:
        board[step.cell] = 0 if step.op is Op.UNDO else step.value
    return board


def _holders(puzzle: Puzzle, cell: int) -> tuple[int, ...]:
    """A peer of a cell for each value that its peers are given: cells, ascending."""
    held: dict[int, int] = {}
    for peer in sorted(puzzle.geometry.peers[cell]):
        if puzzle.givens[peer]:
            held.setdefault(puzzle.givens[peer], peer)
    return tuple(sorted(held.values()))
