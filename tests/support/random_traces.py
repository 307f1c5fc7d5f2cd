"""Random valid traces, and a slow plain computation of what they count."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from undoku.solver.problem.puzzle import Puzzle, standard_geometry
from undoku.solver.trace.trace import Header, Op

Event = tuple[int, int, int]

SOLUTION = (1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1)


def random_trace(seed: int) -> tuple[Header, list[Event]]:
    """A trace of a 4×4 puzzle with few empty cells, so that full boards come often: guesses, forced
    places and undos at random, values that are right more often than not."""
    dice = random.Random(seed)
    empty = dice.sample(range(16), dice.randint(2, 7))
    board = [0 if cell in empty else value for cell, value in enumerate(SOLUTION)]
    puzzle = Puzzle(tuple(board), standard_geometry(4))
    events: list[Event] = []
    standing: list[int] = []
    for _ in range(dice.randint(1, 120)):
        free = [cell for cell in empty if not board[cell]]
        if free and (not standing or dice.random() < 0.55):
            cell = dice.choice(free)
            value = SOLUTION[cell] if dice.random() < 0.7 else dice.randint(1, 4)
            events.append((dice.choice((Op.GUESS, Op.FORCED)), value, cell))
            board[cell] = value
            standing.append(cell)
        elif standing:
            cell = standing.pop()
            events.append((Op.UNDO, board[cell], cell))
            board[cell] = 0
    return Header(puzzle, exhaustive=True), events


@dataclass
class Node:
    """A guess, or the root. `tale` says in order what happened in it while it was the innermost:
    "child" when a guess below it was taken back, "solution" when the board was one."""

    tale: list[str] = field(default_factory=list)


@dataclass
class Account:
    solutions: int = 0
    dead_ends: int = 0
    backtracks: int = 0
    resumed: int = 0
    """Guesses taken back because the search went on after a solution."""


def plain_account(header: Header, events: list[Event]) -> Account:
    """Builds the whole tree and reads the definitions of docs/trace-format.md off it."""
    geometry = header.puzzle.geometry
    board = list(header.puzzle.givens)
    account = Account()
    path = [Node()]
    guessed: list[bool] = []
    for op, value, cell in events:
        if op == Op.UNDO:
            board[cell] = 0
            if guessed.pop():
                judge(path.pop(), account)
                path[-1].tale.append("child")
            continue
        guessed.append(op == Op.GUESS)
        if op == Op.GUESS:
            path.append(Node())
        board[cell] = value
        if all(
            sorted(board[cell] for cell in unit.cells) == [1, 2, 3, 4] for unit in geometry.units
        ):
            account.solutions += 1
            path[-1].tale.append("solution")
    return account


def judge(node: Node, account: Account) -> None:
    """Count a guess that is taken back."""
    if not node.tale:
        account.dead_ends += 1
    elif node.tale[-1] == "solution":
        account.resumed += 1
    else:
        account.backtracks += 1
