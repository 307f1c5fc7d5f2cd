"""The orders of cells and of values that are fixed before a search begins."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from undoku.errors import StrategyError
from undoku.solver.problem.problem import Problem
from undoku.solver.search.specification import number_of
from undoku.solver.search.strategy import Strategy


def fixed_cells(problem: Problem, board: Sequence[int], strategy: Strategy) -> list[int]:
    """The cells that are empty (0) on a board in the order of `strategy.cells`; ascending if the
    order depends on the state."""
    empty = [cell for cell, value in enumerate(board) if not value]
    name = strategy.cells.partition(":")[0]
    if name == "column-major":
        empty.sort(key=lambda cell: problem.position(cell)[::-1])
    elif name == "box-major":
        empty.sort(key=problem.region_of.__getitem__)
    elif name == "spiral":
        empty.sort(key=_spiral(problem).index)
    elif name == "random":
        Random(number_of(strategy.cells)).shuffle(empty)
    elif name == "static":
        candidates = problem.candidates(board)
        empty.sort(key=lambda cell: candidates[cell].bit_count())
    return empty


def value_labels(problem: Problem, strategy: Strategy) -> list[int]:
    """The values in the order in which they are tried; ascending if the order depends on the state.
    Raises StrategyError for another order if units have shifts: the loops number values in the
    order of trial, but only the numbers of values themselves can be shifted."""
    values = list(range(1, problem.size + 1))
    name = strategy.values.partition(":")[0]
    if name in ("descending", "random") and any(unit.shifts for unit in problem.units):
        raise StrategyError(
            f"{name} values are not possible where units have shifts", remedy="use ascending values"
        )
    if name == "descending":
        values.reverse()
    elif name == "random":
        Random(number_of(strategy.values)).shuffle(values)
    return values


def _spiral(problem: Problem) -> list[int]:
    """All cells, from the upper left corner clockwise inwards."""
    cell_at = {problem.position(cell): cell for cell in range(problem.cells)}
    height, width = (1 + max(numbers) for numbers in zip(*cell_at, strict=True))
    rows = [[(row, column) for column in range(width)] for row in range(height)]
    places: list[tuple[int, int]] = []
    while rows:
        places += rows.pop(0)
        rows = [list(column) for column in zip(*rows, strict=True)][::-1]
    return [cell_at[place] for place in places if place in cell_at]
