"""Puzzles of nine values, made quickly: one full board, rearranged, less some values."""

from __future__ import annotations

import random

from tests.support.puzzles import HARD
from undoku.solver.problem.puzzle import Puzzle

__all__ = ["numbered_puzzle", "rearranged"]


def numbered_puzzle(number: int, givens: tuple[int, int]) -> Puzzle:
    """A puzzle with as many givens as lie in this range, both ends included; every fifth has a
    wrong given, which leaves it without a solution or with another one."""
    dice = random.Random(number)
    board = rearranged(HARD.solution, dice)
    kept = set(dice.sample(range(81), dice.randint(*givens)))
    values = [value if cell in kept else 0 for cell, value in enumerate(board)]
    puzzle = Puzzle(tuple(values))
    if number % 5 == 4:
        cell = dice.choice(puzzle.empty_cells)
        taken = {values[peer] for peer in puzzle.geometry.peers[cell]} | {board[cell]}
        if free := set(range(1, 10)) - taken:
            values[cell] = min(free)
            puzzle = Puzzle(tuple(values))
    return puzzle


def rearranged(grid: str, dice: random.Random) -> list[int]:
    """A board of nine values with its values renamed and its bands, stacks, rows and columns
    exchanged; 0 stays."""
    names = [0, *dice.sample(range(1, 10), 9)]
    rows, columns = (
        [band * 3 + line for band in dice.sample(range(3), 3) for line in dice.sample(range(3), 3)]
        for _ in range(2)
    )
    return [names[int(grid[row * 9 + column])] for row in rows for column in columns]
