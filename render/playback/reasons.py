"""What a search has just done, in a line of plain words."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from solver.ops import OP_GUESS
from solver.puzzle import SYMBOLS, Puzzle
from solver.state import State
from solver.trace import Op

__all__ = ["brief_reason", "candidates", "reading_time", "reason"]

_LEAST, _LETTERS = Fraction(4, 5), 25
"""A line can be read in so many seconds at least, and so many letters in a second."""


def reading_time(text: str) -> Fraction:
    """Seconds that a line must stand to be read."""
    return max(_LEAST, Fraction(len(text), _LETTERS))


def candidates(
    puzzle: Puzzle, board: NDArray[np.uint8], cell: int, removed: NDArray[np.uint32] | None = None
) -> list[int]:
    """The values that no peer of `cell` holds and that inference has not removed, ascending."""
    taken = {int(board[peer]) for peer in puzzle.geometry.peers[cell]}
    gone = int(removed[cell]) if removed is not None else 0
    return [
        value
        for value in range(1, puzzle.size + 1)
        if value not in taken and not gone >> (value - 1) & 1
    ]


def reason(puzzle: Puzzle, state: State, removed: NDArray[np.uint32] | None = None) -> str:
    """The last step and why it was made, such as "r2c5: 2 candidates {3, 8}, trying 3" or "row 4
    has no place for 5: back to r2c5"; "" before the first step. What a search goes back to is a
    guess: a forced value is taken back on the way there. `removed` is the mask of each cell's
    candidates that inference removed."""
    last = state.last
    if last is None:
        return ""
    op, cell, value = last
    name, symbol = puzzle.geometry.cell_name(cell), SYMBOLS[value - 1]
    if op is Op.UNDO:
        failure = _failure(puzzle, state.board, cell, value, removed)
        guess = _guess_below(state, cell)
        if failure or guess != cell:
            return f"{failure or f'{name}: {symbol} led nowhere'}: {_back(puzzle, guess)}"
        return f"{name}: {symbol} led nowhere"
    if op is Op.FORCED:
        return f"{name}: it must be {symbol}"
    left = candidates(puzzle, state.board, cell, removed)
    if value not in left:
        return f"{name}: trying {symbol}"
    if len(left) == 1:
        return f"{name}: 1 candidate, {symbol}"
    listed = ", ".join(SYMBOLS[number - 1] for number in left)
    return f"{name}: {len(left)} candidates {{{listed}}}, trying {symbol}"


def brief_reason(puzzle: Puzzle, state: State) -> str:
    """The last step in fewer words, without its reason; "" before the first step."""
    if state.last is None:
        return ""
    op, cell, value = state.last
    name, symbol = puzzle.geometry.cell_name(cell), SYMBOLS[value - 1]
    if op is Op.UNDO:
        return _back(puzzle, _guess_below(state, cell))
    return f"{name}: must be {symbol}" if op is Op.FORCED else f"{name}: trying {symbol}"


def _guess_below(state: State, undone: int) -> int | None:
    """The guess that a search goes back to when it has just taken back the value of `undone`: that
    one, or the last before it that still stands; None where all that stands is forced."""
    if state.depths[undone] > state.depth:
        return undone
    standing = (state.kinds == OP_GUESS) & (state.depths == state.depth)
    found = np.flatnonzero(standing)
    return int(found[0]) if len(found) else None


def _back(puzzle: Puzzle, guess: int | None) -> str:
    return "back to the start" if guess is None else f"back to {puzzle.geometry.cell_name(guess)}"


def _failure(
    puzzle: Puzzle,
    board: NDArray[np.uint8],
    cell: int,
    value: int,
    removed: NDArray[np.uint32] | None,
) -> str:
    """What is wrong with a board where `cell` held `value`: the first cell without a candidate,
    else the first unit without a place for a value, or with fewer values than cells, else ""."""
    tried = board.copy()
    tried[cell] = value
    open_to: dict[int, list[int]] = {}
    for empty in np.flatnonzero(tried == 0).tolist():
        open_to[empty] = candidates(puzzle, tried, empty, removed)
        if not open_to[empty]:
            return f"{puzzle.geometry.cell_name(empty)} has no candidate left"
    for unit in puzzle.geometry.units:
        reach = {int(tried[member]) for member in unit.cells}
        for member in unit.cells:
            reach.update(open_to.get(member, ()))
        reach.discard(0)
        if len(reach) >= len(unit.cells):
            continue
        if len(unit.cells) < puzzle.size:
            values = f"{len(reach)} value{'s' * (len(reach) != 1)}"
            return f"{unit.name} has {len(unit.cells)} cells for {values}"
        wanted = min({*range(1, puzzle.size + 1)} - reach)
        return f"{unit.name} has no place for {SYMBOLS[wanted - 1]}"
    return ""
