"""The failures of each unit in the first steps of a search by `dom-wdeg`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from undoku.render.playback.step_reasons import candidates
from undoku.render.story.claims import Claim, ClaimKind
from undoku.render.story.first_moves import FirstMoves, Step
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.search.strategy import Strategy
from undoku.solver.trace.trace import Header, Op

__all__ = ["cell_weight", "failures_after", "weighed_claim", "weighs_failures"]


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
