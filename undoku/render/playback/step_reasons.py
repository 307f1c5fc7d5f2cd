"""The last step of a search and its reason, as a sentence; and what boards show of reasons."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.render.draw.look import Look
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.trace.reasons import Reason
from undoku.solver.trace.state import State
from undoku.texts import wording as say
from undoku.texts.wording import cell_name

Removed = NDArray[np.uint32]
"""(cells,) uint32: bit v - 1 is set if inference has removed value v."""


def candidates(
    puzzle: Puzzle, board: NDArray[np.uint8], cell: int, removed: Removed | None = None
) -> list[int]:
    """The values of the domain of `cell` that no peer excludes and that inference has not removed,
    ascending."""
    problem = puzzle.problem
    taken = {int(board[peer]) - offset for peer, offset in problem.exclusions[cell] if board[peer]}
    left = problem.domains[cell] if problem.domains else problem.all_values
    if removed is not None:
        left &= ~int(removed[cell])
    return [
        value
        for value in range(1, puzzle.size + 1)
        if value not in taken and left >> (value - 1) & 1
    ]


def reason(puzzle: Puzzle, state: State, given: Reason | None = None) -> str:
    """The last step and its reason, such as "Row 2, column 5: tries 3 of 3, 8" or "Row 4 has no
    place for 5: back to row 2, column 5"; "" before the first step. `given` is the reason in the
    trace, which is not checked. Without it, a rule is named only if the step follows from the board
    before it and from the candidates removed from the cell itself."""
    if state.last is None:
        return ""
    cell, value, undone, forced = state.last
    if undone:
        return say.capitalised(_taken_back(puzzle, state, cell, value))
    free = puzzle.problem.is_free  # then only its solver knows the options
    left = [] if free else candidates(puzzle, state.board, cell, state.removed)
    units, where = puzzle.problem.units, ""
    if given is not None:
        named = (unit for unit in units if unit.name.casefold() == given.unit.casefold())
        where = next(map(say.unit_text, named), given.unit)
        text = _given_text(given, forced=forced)
    elif forced and left == [value]:
        text = say.STEP_NAKED_SINGLE
    elif forced and not free and (unit := only_place(puzzle, state.board, cell, value)) >= 0:
        text, where = say.STEP_HIDDEN_SINGLE, say.unit_text(units[unit])
    elif forced:
        text = say.STEP_MUST_BE
    elif value not in left:
        text = say.STEP_TRIES
    else:
        text = say.STEP_ONLY_OPTION if len(left) == 1 else say.STEP_TRIES_OF
    shown = Look(puzzle.problem).value_name
    sentence = text(
        cell=cell_name(puzzle.problem, cell),
        value=shown(value),
        values=say.values_text([shown(number) for number in left or [value]]),
        unit=where,
        rule=given.rule if given else "",
    )
    return say.capitalised(sentence)


def _given_text(given: Reason, *, forced: bool) -> say.Text:
    """The text about a step for which a trace names a rule."""
    known = given.rule.casefold().replace(" ", "-").removesuffix("s")
    if forced and known == "naked-single":
        return say.STEP_NAKED_SINGLE
    if forced and known == "hidden-single" and given.unit:
        return say.STEP_HIDDEN_SINGLE
    if given.unit:
        return say.STEP_MUST_BE_BY_IN if forced else say.STEP_TRIES_BY_IN
    return say.STEP_MUST_BE_BY if forced else say.STEP_TRIES_BY


def brief_reason(puzzle: Puzzle, state: State) -> str:
    """The last step in fewer words, without its reason; "" before the first step."""
    if state.last is None:
        return ""
    cell, value, undone, forced = state.last
    named: int | None = cell
    brief = say.STEP_MUST_BE if forced else say.STEP_TRIES
    if undone:
        named = _guess_below(state, cell)
        brief = say.STEP_GOES_BACK_TO_START if named is None else say.STEP_GOES_BACK
        if state.restarting:
            brief = say.STEP_BEGINS_AGAIN
    name = "" if named is None else cell_name(puzzle.problem, named)
    shown = Look(puzzle.problem).value_name(value)
    return say.capitalised(brief(cell=name, value=shown, number=state.restarts))


def only_place(puzzle: Puzzle, board: NDArray[np.uint8], cell: int, value: int) -> int:
    """The first unit in which only `cell` can hold `value` according to the values on the board
    elsewhere; -1 if there is none. Units with shifts and those with fewer cells than values are
    skipped, because they need not contain the value."""
    before = board.copy()
    before[cell] = 0
    for number in puzzle.problem.units_of[cell]:
        unit = puzzle.problem.units[number]
        cells = unit.cells
        if (
            len(cells) == puzzle.size
            and not unit.shifts
            and not any(
                before[other] == value
                or (not before[other] and value in candidates(puzzle, before, other))
                for other in cells
                if other != cell
            )
        ):
            return number
    return -1


class Contradiction(NamedTuple):
    """A `cell` without a candidate, or a `unit` without a place for the value `wanted`, the lowest
    such value; -1 for none. In a unit with fewer cells than values (`wanted` is 0) fewer values
    than cells, `reach`, have a place."""

    cell: int = -1
    unit: int = -1
    wanted: int = 0
    reach: int = 0


def contradictions(
    puzzle: Puzzle, board: NDArray[np.uint8], removed: Removed | None = None
) -> Iterator[Contradiction]:
    """The contradictions of a board: first those of cells, then those of units, ascending."""
    open_to: dict[int, list[int]] = {}
    for cell in np.flatnonzero(board == 0).tolist():
        open_to[cell] = candidates(puzzle, board, cell, removed)
        if not open_to[cell]:
            yield Contradiction(cell)
    for number, unit in enumerate(puzzle.problem.units):
        if unit.shifts:
            break
        reach = {int(board[cell]) for cell in unit.cells}.union(
            *(open_to.get(cell, ()) for cell in unit.cells)
        ) - {0}
        if len(reach) < len(unit.cells):
            missing = {*range(1, puzzle.size + 1)} - reach
            wanted = min(missing) if len(unit.cells) == puzzle.size else 0
            yield Contradiction(unit=number, wanted=wanted, reach=len(reach))


def _taken_back(puzzle: Puzzle, state: State, cell: int, value: int) -> str:
    """Why a value was undone, and the guess to which the search goes back. A forced value is undone
    on the way to this guess."""
    if state.restarting:
        return say.STEP_BEGINS_AGAIN(number=state.restarts)
    guess, cause = _guess_below(state, cell), _failure(puzzle, state, cell, value)
    if not cause:
        shown = Look(puzzle.problem).value_name(value)
        cause = say.STEP_LED_NOWHERE(cell=cell_name(puzzle.problem, cell), value=shown)
        if guess == cell:
            return cause
    if guess is None:
        return say.STEP_BACK_TO_START(cause=cause)
    return say.STEP_BACK_TO(cause=cause, cell=cell_name(puzzle.problem, guess))


def _guess_below(state: State, undone: int) -> int | None:
    """The cell of the guess to which a search goes back after it has undone the value of `undone`:
    that cell, or the last guess before it that is on the board; None if there is no guess."""
    if state.arrays.depths[undone] > state.depth:
        return undone
    standing = state.decided & (state.arrays.depths == state.depth)
    found = np.flatnonzero(standing)
    return int(found[0]) if len(found) else None


def _failure(puzzle: Puzzle, state: State, cell: int, value: int) -> str:
    """The first contradiction of the board with `value` in `cell`, as a text: the first cell
    without a candidate, otherwise the first unit without a place for a value or with fewer values
    than cells; "" if there is none."""
    tried = state.board.copy()
    tried[cell] = value
    found = next(contradictions(puzzle, tried, state.removed), None)
    if found is None:
        return ""
    if found.unit < 0:
        return say.STEP_NO_OPTION(cell=cell_name(puzzle.problem, found.cell))
    unit = puzzle.problem.units[found.unit]
    if found.wanted:
        wanted = Look(puzzle.problem).value_name(found.wanted)
        return say.STEP_NO_PLACE(unit=say.unit_text(unit), value=wanted)
    return say.STEP_TOO_FEW(unit=say.unit_text(unit), cells=len(unit.cells), count=found.reach)
