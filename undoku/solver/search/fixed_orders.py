"""The orders of cells and of values that are fixed before a search begins."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from random import Random

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


def fixed_values(problem: Problem, strategy: Strategy) -> list[int]:
    """The values in the order in which they are tried; ascending if the order depends on the
    state."""
    values = list(range(1, problem.size + 1))
    name = strategy.values.partition(":")[0]
    if name == "descending":
        values.reverse()
    elif name == "random":
        Random(number_of(strategy.values)).shuffle(values)
    return values


def _spiral(problem: Problem) -> list[int]:
    """All cells, from the upper left corner clockwise inwards."""
    cells_at: dict[tuple[int, int], list[int]] = defaultdict(list)
    for cell in range(problem.cells):
        cells_at[problem.position(cell)].append(cell)
    height, width = problem.extent
    rows = [[(row, column) for column in range(width)] for row in range(height)]
    places: list[tuple[int, int]] = []
    while rows:
        places += rows.pop(0)
        rows = [list(column) for column in zip(*rows, strict=True)][::-1]
    return [cell for place in places for cell in cells_at[place]]
