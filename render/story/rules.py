"""The rule of a strategy, as far as it can be shown on a board before the first step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np

from render.panels.contract import Rule
from render.playback.step_reasons import candidates
from render.story.failure_weights import cell_weight, failures_after, weighs_failures
from render.story.first_moves import first_moves
from solver.strategies.fixed_orders import fixed_cells
from solver.strategies.strategy import Strategy
from solver.trace import Op, Trace, is_step

__all__ = ["rule_of"]

_WEIGHED = "dom-wdeg"

_BEST: dict[str, Callable[..., Fraction]] = {
    "mrv": min,
    "mrv-degree": min,
    "most": max,
    _WEIGHED: min,
}
"""The cell orders that go by the options of cells, and which number of them they take first."""


def rule_of(trace: Trace) -> Rule | None:
    """The rule of the cell order of a search; None if it is not known, or if it depends on more
    than the options of cells. Only the first steps of the trace are read, unless its strategy is
    not known: then all steps are, to find out whether they keep to the order of reading."""
    header = trace.header
    strategy, puzzle = Strategy.known(header.strategy), header.puzzle
    if not puzzle.empty_cells:
        return None
    if strategy is None:
        order = tuple(puzzle.empty_cells)
        return Rule(order=order) if _keeps_order(trace, order) else None
    if strategy.has_fixed_order:
        return Rule(order=tuple(fixed_cells(puzzle, strategy)))
    choose = _BEST.get(strategy.cells)
    if choose is None:
        return None
    root = _Root(trace)
    options = {cell: root.options(cell) for cell in root.open_cells}
    best = root.forced
    if not options:
        # Inference leaves nothing to choose: what there is to choose from before it is shown.
        options = {cell: len(candidates(puzzle, puzzle.board, cell)) for cell in puzzle.empty_cells}
        fewest = choose(options.values())
        return Rule(
            options=tuple(sorted(options.items())),
            best=tuple(
                cell for cell, count in options.items() if count == fewest or cell == root.forced[0]
            ),
        )
    if not best:
        measures = {cell: Fraction(count) for cell, count in options.items()}
        if strategy.cells == _WEIGHED:
            none = [0] * len(puzzle.geometry.units)
            for cell in measures:
                measures[cell] /= cell_weight(puzzle, puzzle.board, none, cell)
        wanted = choose(measures.values())
        best = [cell for cell, measure in measures.items() if measure == wanted]
    options |= dict.fromkeys(root.forced, 1)
    return Rule(
        options=tuple(sorted(options.items())),
        best=tuple(best),
        failures=_failures_of_cells(trace) if weighs_failures(header) else (),
    )


def _keeps_order(trace: Trace, order: Sequence[int]) -> bool:
    """Whether every step of a search that takes steps is in the cell that a fixed order gives for
    the number of values on the board."""
    cells, placed = np.array([*order, -1], np.int64), 0
    for chunk in trace.chunks():
        steps = chunk[is_step(chunk)]
        back = steps["op"] == Op.UNDO
        after = placed + np.cumsum(np.where(back, -1, 1))
        if (cells[np.where(back, after, after - 1)] != steps["cell"]).any():
            return False
        placed = int(after[-1]) if len(after) else placed
    return trace.tally().steps > 0


class _Root:
    """The deductions before the first guess: the cells that inference fills, in order, and the
    candidates that it removes."""

    def __init__(self, trace: Trace) -> None:
        self._puzzle = puzzle = trace.header.puzzle
        self._board = puzzle.board.copy()
        self._removed: set[tuple[int, int]] = set()
        self.forced: list[int] = []
        for chunk in trace.chunks():
            for op, value, cell in chunk.tolist():
                if op == Op.ELIMINATE:
                    self._removed.add((cell, value))
                elif op == Op.FORCED:
                    self._board[cell] = value
                    self.forced.append(cell)
                else:
                    return

    @property
    def open_cells(self) -> list[int]:
        """The cells that are still empty."""
        return [cell for cell in self._puzzle.empty_cells if not self._board[cell]]

    def options(self, cell: int) -> int:
        """The number of values that inference leaves for a cell."""
        found = candidates(self._puzzle, self._board, cell)
        return sum((cell, value) not in self._removed for value in found)


def _failures_of_cells(trace: Trace) -> tuple[tuple[int, ...], ...]:
    """The failures of the units of each cell, before the first step and after each of the first
    steps."""
    puzzle, moves = trace.header.puzzle, first_moves(trace, None)
    units = puzzle.geometry.units_of
    return tuple(
        tuple(sum(failures[unit] for unit in units[cell]) for cell in range(puzzle.geometry.cells))
        for failures in failures_after(moves.steps, puzzle)
    )
