"""The last step of a search and its reason, as facts and as a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.render.draw.look import Look
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.trace.reasons import Reason
from undoku.solver.trace.state import GUESS, State
from undoku.texts import wording as say
from undoku.texts.wording import cell_name

Removed = NDArray[np.uint32]
"""(cells,) uint32: bit v - 1 is set if inference has removed value v."""


class StepRule(StrEnum):
    """The reason of a step."""

    GUESS = "guess"
    """A guess: one of several values is tried."""
    ONLY_OPTION = "only option"
    """A guess of the only value that is left."""
    NAKED_SINGLE = "naked-single"
    """Inference: one value is left for the cell."""
    HIDDEN_SINGLE = "hidden-single"
    """Inference: the cell is the only one of a unit for the value."""
    FORCED = "forced"
    """Inference, by an unknown rule."""
    OTHER = "other"
    """By a rule that the trace names."""
    NO_OPTION = "no option"
    """Undone: a cell has no value left."""
    NO_PLACE = "no place"
    """Undone: a unit has no place for a value, or too few values for its cells."""
    RESTART = "restart"
    """Undone, with all guesses, by a restart."""
    LED_NOWHERE = "led nowhere"
    """Undone without a visible contradiction."""


@dataclass(frozen=True, slots=True)
class StepReason:
    """The last step of a search and its reason.

    `value` is placed in `cell` or removed from it. `unit` is the number of the unit to which the
    reason refers, `failed` the cell that has no value left; -1 for none. `sentence` gives the step
    and its reason.
    """

    rule: StepRule
    cell: int
    value: int
    sentence: str
    unit: int = -1
    failed: int = -1


def candidates(
    puzzle: Puzzle, board: NDArray[np.uint8], cell: int, removed: Removed | None = None
) -> list[int]:
    """The values of the domain of `cell` that no peer excludes and that inference has not removed,
    ascending."""
    problem = puzzle.geometry
    taken = {int(board[peer]) - offset for peer, offset in problem.exclusions[cell] if board[peer]}
    left = problem.domains[cell] if problem.domains else problem.all_values
    if removed is not None:
        left &= ~int(removed[cell])
    return [
        value
        for value in range(1, puzzle.size + 1)
        if value not in taken and left >> (value - 1) & 1
    ]


def step_reason(puzzle: Puzzle, state: State, given: Reason | None = None) -> StepReason | None:
    """The last step and its reason; None before the first step. `given` is the reason in the trace,
    which is not checked. Without it, a rule is named only if the step follows from the board before
    it and from the candidates removed from the cell itself."""
    if state.last is None:
        return None
    cell, value, undone, forced = state.last
    if undone:
        return _taken_back(puzzle, state, cell, value)
    left = candidates(puzzle, state.board, cell, state.removed)
    units, unit, where, values = puzzle.geometry.units, -1, "", ""
    shown = Look(puzzle.geometry).value_name
    if given is not None:
        names = [each.name.casefold() for each in units]
        unit = names.index(given.unit.casefold()) if given.unit.casefold() in names else -1
        where = given.unit
        rule, text = _given_rule(given, forced=forced)
    elif forced and left == [value]:
        rule, text = StepRule.NAKED_SINGLE, say.STEP_NAKED_SINGLE
    elif forced:
        unit = only_place(puzzle, state.board, cell, value)
        rule, text = StepRule.HIDDEN_SINGLE, say.STEP_HIDDEN_SINGLE
        if unit < 0:
            rule, text = StepRule.FORCED, say.STEP_MUST_BE
    elif value not in left:
        rule, text = StepRule.GUESS, say.STEP_TRIES
    elif len(left) == 1:
        rule, text = StepRule.ONLY_OPTION, say.STEP_ONLY_OPTION
    else:
        rule, text = StepRule.GUESS, say.STEP_TRIES_OF
        values = say.values_text([shown(number) for number in left])
    sentence = text(
        cell=cell_name(puzzle.geometry, cell),
        value=shown(value),
        values=values,
        unit=say.unit_text(units[unit]) if unit >= 0 else where,
        rule=given.rule if given else "",
    )
    return StepReason(rule, cell, value, say.capitalised(sentence), unit)


def _given_rule(given: Reason, *, forced: bool) -> tuple[StepRule, say.Text]:
    """The rule that a trace names, and the text about it."""
    known = given.rule.casefold().replace(" ", "-").removesuffix("s")
    if forced and known == StepRule.NAKED_SINGLE:
        return StepRule.NAKED_SINGLE, say.STEP_NAKED_SINGLE
    if forced and known == StepRule.HIDDEN_SINGLE and given.unit:
        return StepRule.HIDDEN_SINGLE, say.STEP_HIDDEN_SINGLE
    if given.unit:
        return StepRule.OTHER, say.STEP_MUST_BE_BY_IN if forced else say.STEP_TRIES_BY_IN
    return StepRule.OTHER, say.STEP_MUST_BE_BY if forced else say.STEP_TRIES_BY


def reason(puzzle: Puzzle, state: State, given: Reason | None = None) -> str:
    """The sentence of `step_reason`, such as "Row 2, column 5: tries 3 of 3, 8" or "Row 4 has no
    place for 5: back to row 2, column 5"; "" before the first step."""
    found = step_reason(puzzle, state, given)
    return found.sentence if found else ""


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
    name = "" if named is None else cell_name(puzzle.geometry, named)
    shown = Look(puzzle.geometry).value_name(value)
    return say.capitalised(brief(cell=name, value=shown, number=state.restarts))


def only_place(puzzle: Puzzle, board: NDArray[np.uint8], cell: int, value: int) -> int:
    """The first unit in which only `cell` can hold `value` according to the values on the board
    elsewhere; -1 if there is none. Units with shifts and those with fewer cells than values are
    skipped, because they need not contain the value."""
    before = board.copy()
    before[cell] = 0
    for number in puzzle.geometry.units_of[cell]:
        unit = puzzle.geometry.units[number]
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
    for number, unit in enumerate(puzzle.geometry.units):
        if unit.shifts:
            break
        reach = {int(board[cell]) for cell in unit.cells}.union(
            *(open_to.get(cell, ()) for cell in unit.cells)
        ) - {0}
        if len(reach) < len(unit.cells):
            missing = {*range(1, puzzle.size + 1)} - reach
            wanted = min(missing) if len(unit.cells) == puzzle.size else 0
            yield Contradiction(unit=number, wanted=wanted, reach=len(reach))


def _taken_back(puzzle: Puzzle, state: State, cell: int, value: int) -> StepReason:
    """Why a value was undone, and the guess to which the search goes back. A forced value is undone
    on the way to this guess."""
    if state.restarting:
        sentence = say.capitalised(say.STEP_BEGINS_AGAIN(number=state.restarts))
        return StepReason(StepRule.RESTART, cell, value, sentence)
    guess = _guess_below(state, cell)
    rule, cause, unit, failed = _failure(puzzle, state, cell, value)
    if guess is None:
        sentence = say.STEP_BACK_TO_START(cause=cause)
    elif rule is StepRule.LED_NOWHERE and guess == cell:
        sentence = cause
    else:
        sentence = say.STEP_BACK_TO(cause=cause, cell=cell_name(puzzle.geometry, guess))
    return StepReason(rule, cell, value, say.capitalised(sentence), unit, failed)


def _guess_below(state: State, undone: int) -> int | None:
    """The cell of the guess to which a search goes back after it has undone the value of `undone`:
    that cell, or the last guess before it that is on the board; None if there is no guess."""
    if state.depths[undone] > state.depth:
        return undone
    standing = (state.kinds == GUESS) & (state.depths == state.depth)
    found = np.flatnonzero(standing)
    return int(found[0]) if len(found) else None


def _failure(puzzle: Puzzle, state: State, cell: int, value: int) -> tuple[StepRule, str, int, int]:
    """The first contradiction of the board with `value` in `cell`: its rule, a text, and the unit
    and the cell to which it refers, -1 for none. It is the first cell without a candidate,
    otherwise the first unit without a place for a value or with fewer values than cells, otherwise
    none."""
    tried = state.board.copy()
    tried[cell] = value
    found = next(contradictions(puzzle, tried, state.removed), None)
    shown = Look(puzzle.geometry).value_name
    if found is None:
        name = cell_name(puzzle.geometry, cell)
        return StepRule.LED_NOWHERE, say.STEP_LED_NOWHERE(cell=name, value=shown(value)), -1, -1
    if found.unit < 0:
        text = say.STEP_NO_OPTION(cell=cell_name(puzzle.geometry, found.cell))
        return StepRule.NO_OPTION, text, -1, found.cell
    unit = puzzle.geometry.units[found.unit]
    if found.wanted:
        text = say.STEP_NO_PLACE(unit=say.unit_text(unit), value=shown(found.wanted))
    else:
        text = say.STEP_TOO_FEW(unit=say.unit_text(unit), cells=len(unit.cells), count=found.reach)
    return StepRule.NO_PLACE, text, found.unit, -1
