"""What a strategy goes by, as far as it can be shown on a board before the first step."""

from __future__ import annotations

from render.panels.contract import Rule
from render.playback.step_reasons import candidates
from solver.puzzle import Puzzle
from solver.strategies.fixed_orders import fixed_cells
from solver.strategies.strategy import FIXED_CELLS, Strategy
from solver.trace import Header

__all__ = ["rule_of"]

_BEST = {"mrv": min, "mrv-degree": min, "most": max}
"""The cell orders that go by the options of cells, and which number of them they take first."""


def rule_of(header: Header) -> Rule | None:
    """What the cell order of a search goes by; None where that is not known, or is more
    than the options of cells."""
    strategy, puzzle = Strategy.known(header.strategy), header.puzzle
    if strategy is None or not puzzle.empty_cells:
        return None
    if strategy.cells.partition(":")[0] in FIXED_CELLS:
        return Rule(order=tuple(fixed_cells(puzzle, strategy)))
    choose = _BEST.get(strategy.cells)
    if choose is None:
        return None
    options = _options(puzzle)
    wanted = choose(number for _, number in options)
    best = tuple(cell for cell, number in options if number == wanted)
    return Rule(options=options, best=best)


def _options(puzzle: Puzzle) -> tuple[tuple[int, int], ...]:
    return tuple((cell, len(candidates(puzzle, puzzle.board, cell))) for cell in puzzle.empty_cells)
