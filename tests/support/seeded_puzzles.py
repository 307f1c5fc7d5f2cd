"""Puzzles made from seeds, and a plain recursive solver that tells what is true of them."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache

import numpy as np

from undoku.solver.problem.puzzle import Geometry, Puzzle, standard_geometry
from undoku.solver.problem.variants import (
    jigsaw_geometry,
    latin_geometry,
    with_diagonals,
    with_windows,
)
from undoku.solver.search.strategy import Strategy
from undoku.solver.trace.search_trace import search
from undoku.solver.trace.trace import Op, Trace

GEOMETRIES: dict[str, Geometry] = {
    "4": standard_geometry(4),
    "6": standard_geometry(6),
    "6 turned": standard_geometry(6, (3, 2)),
    "latin 5": latin_geometry(5),
    "jigsaw 5": jigsaw_geometry("AABBB AACBB ACCCD EECDD EEEDD"),
    "4 with diagonals": with_diagonals(standard_geometry(4)),
    "9": standard_geometry(9),
    "9 with windows": with_windows(standard_geometry(9)),
}

# One of every part, and the joints between them.
SPECS = (
    "row-major",
    "column-major/descending",
    "box-major",
    "spiral/random:3",
    "random:7",
    "static",
    "row-major/lcv",
    "mrv",
    "mrv/random:5",
    "mrv/lcv",
    "mrv/most-constraining",
    "mrv-degree",
    "bivalue",
    "bivalue+singles+last-conflict",
    "mrv/lcv+last-conflict",
    "dom-wdeg",
    "most+forward",
    "exact-cover",
    "exact-cover/lcv+singles",
    "row-major+forward",
    "mrv+naked-singles",
    "mrv/descending+hidden-singles",
    "mrv+singles",
    "row-major+locked",
    "row-major+pairs",
    "row-major+triples",
    "row-major+x-wing",
    "row-major+alldiff",
    "mrv+singles+locked+pairs+triples+x-wing+alldiff",
    "row-major+cbj",
    "mrv+cbj",
    "dom-wdeg/lcv+singles+cbj",
    "exact-cover+cbj",
    "static+locked+pairs+cbj",
    "row-major+singles+triples+x-wing+alldiff+cbj",
    "mrv+singles+last-conflict+cbj",
    "exact-cover+last-conflict+cbj",
    "mrv+lds",
    "mrv/lcv+singles+lds",
    "exact-cover+forward+lds",
    "mrv-random:3/shuffled:4+luby:2",
    "activity+naked-singles",
    "row-major+swordfish+xy-wing",
    "mrv/lcv+sac",
    "mrv/descending+sac@root+nogoods",
    "exact-cover/shuffled:1+nogoods+luby:1",
    "dom-wdeg+sac+cbj+luby:3",
    "row-major+singles@root",
    "mrv/lcv+forward+singles@root+locked@root+lds",
    "dom-wdeg+naked-singles+pairs@root+cbj",
)
assert len({str(Strategy.parse(spec)) for spec in SPECS}) == len(SPECS)


def brute_force(puzzle: Puzzle, most: int = 1000) -> list[tuple[int, ...]]:
    """The solutions of a puzzle, sorted; the first `most` found where there are more."""
    peers = puzzle.problem.peers
    board = list(puzzle.givens)
    found: list[tuple[int, ...]] = []

    def open_values(cell: int) -> set[int]:
        return set(range(1, puzzle.size + 1)) - {board[peer] for peer in peers[cell]}

    def solve() -> None:
        if len(found) >= most:
            return
        empty = [cell for cell, value in enumerate(board) if not value]
        if not empty:
            found.append(tuple(board))
            return
        cell = min(empty, key=lambda cell: len(open_values(cell)))
        for value in open_values(cell):
            board[cell] = value
            solve()
            board[cell] = 0

    solve()
    return sorted(found)


@cache
def full_board(geometry: Geometry, seed: int) -> tuple[int, ...]:
    """A filled board without conflict; of more than nine values a regular pattern, renamed."""
    dice = random.Random(seed)
    if geometry.size > 9 and geometry.box:
        height, width = geometry.box
        names = dice.sample(range(1, geometry.size + 1), geometry.size)
        span = range(geometry.size)
        return tuple(
            names[(row % height * width + row // height + column) % geometry.size]
            for row in span
            for column in span
        )
    order = f"mrv-random:{seed}/shuffled:{seed}+luby:100"
    solution = search(Puzzle((0,) * geometry.cells, geometry), order).tally().solution
    assert solution is not None
    return solution


def dug(geometry: Geometry, seed: int, share: float) -> Puzzle:
    """A filled board with this share of its values left as givens."""
    dice = random.Random(seed)
    return Puzzle(
        tuple(v if dice.random() < share else 0 for v in full_board(geometry, seed)), geometry
    )


def spoilt(puzzle: Puzzle, seed: int) -> Puzzle:
    """A puzzle that was dug with this seed, with one more given, of a value that no peer holds, but
    a wrong one if there is such a cell."""
    solution = full_board(puzzle.problem, seed)
    for cell in random.Random(seed).sample(puzzle.empty_cells, len(puzzle.empty_cells)):
        taken = {puzzle.givens[peer] for peer in puzzle.problem.peers[cell]} | {solution[cell]}
        if free := set(range(1, puzzle.size + 1)) - taken:
            givens = list(puzzle.givens)
            givens[cell] = min(free)
            return Puzzle(tuple(givens), puzzle.problem)
    return puzzle


@cache
def sample() -> Mapping[str, Puzzle]:
    """Named puzzles with none, one and many solutions on every geometry. They take a while to make,
    for which other tests need not wait: so tests call this, their modules do not."""
    puzzles = {}
    for number, (name, geometry) in enumerate(GEOMETRIES.items()):
        for share in (0.3, 0.5) if geometry.size < 9 else (0.42, 0.5):
            puzzle = dug(geometry, number, share)
            puzzles[f"{name}, {share}"] = puzzle
            puzzles[f"{name}, {share}, spoilt"] = spoilt(puzzle, number)
    return puzzles


def solutions(trace: Trace) -> list[tuple[int, ...]]:
    """All full boards of a trace, sorted."""
    board = trace.header.puzzle.board.copy()
    if board.all():
        return [tuple(board.tolist())]
    events = trace.read()
    steps = events[events["op"] <= Op.UNDO]
    undone = steps["op"] == Op.UNDO
    values = np.where(undone, 0, steps["value"])
    filled = np.count_nonzero(board) + np.cumsum(np.where(undone, -1, 1))
    found, done = [], 0
    for end in np.flatnonzero(filled == len(board)).tolist():
        board[steps["cell"][done : end + 1]] = values[done : end + 1]  # the last one counts
        found.append(tuple(board.tolist()))
        done = end + 1
    return sorted(found)
