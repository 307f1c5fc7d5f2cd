"""The orders of cells and of values that are fixed before a search begins."""

from __future__ import annotations

from random import Random

from undoku.solver.problem.puzzle import Geometry, Puzzle
from undoku.solver.search.specification import number_of
from undoku.solver.search.strategy import Strategy

__all__ = ["fixed_cells", "value_labels"]


def fixed_cells(puzzle: Puzzle, strategy: Strategy) -> list[int]:
    """The empty cells in the order of `strategy.cells`; in reading order if the order depends on
    the state."""
    empty = list(puzzle.empty_cells)
    size = puzzle.size
    name = strategy.cells.partition(":")[0]
    if name == "column-major":
        empty.sort(key=lambda cell: puzzle.geometry.position(cell)[::-1])
    elif name == "box-major":
        rank = {cell: at for at, cell in enumerate(_by_boxes(puzzle.geometry))}
        empty.sort(key=rank.__getitem__)
    elif name == "spiral":
        rank = {cell: at for at, cell in enumerate(_spiral(size))}
        empty.sort(key=rank.__getitem__)
    elif name == "random":
        Random(number_of(strategy.cells)).shuffle(empty)
    elif name == "static":
        empty.sort(key=lambda cell: (_candidates(puzzle, cell), cell))
    return empty


def value_labels(size: int, strategy: Strategy) -> list[int]:
    """The values 1..size in the order in which they are tried; ascending if the order depends on
    the state."""
    values = list(range(1, size + 1))
    name = strategy.values.partition(":")[0]
    if name == "descending":
        values.reverse()
    elif name == "random":
        Random(number_of(strategy.values)).shuffle(values)
    return values


def _by_boxes(geometry: Geometry) -> list[int]:
    """All cells, box by box or region by region; row by row on boards without either."""
    seen: dict[int, None] = {}
    for unit in geometry.units:
        if unit.kind in ("box", "region"):
            seen |= dict.fromkeys(sorted(unit.cells))
    return [*seen, *(cell for cell in range(geometry.cells) if cell not in seen)]


def _spiral(size: int) -> list[int]:
    rows = [list(range(row * size, (row + 1) * size)) for row in range(size)]
    cells: list[int] = []
    while rows:
        cells += rows.pop(0)
        rows = [list(column) for column in zip(*rows, strict=True)][::-1]
    return cells


def _candidates(puzzle: Puzzle, cell: int) -> int:
    taken = {puzzle.givens[peer] for peer in puzzle.geometry.peers[cell]}
    return puzzle.size - len(taken - {0})
