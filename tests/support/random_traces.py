"""Random valid traces, and a slow plain computation of what they count."""

from __future__ import annotations

import random
from collections import Counter

from undoku.solver.problem.puzzle import Puzzle, standard_geometry
from undoku.solver.trace.trace import Header, Op

Event = tuple[int, int, int]

SOLUTION = (1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1)


def random_trace(seed: int) -> tuple[Header, list[Event]]:
    """A trace of a 4×4 puzzle with few empty cells, so that full boards come often: guesses, forced
    places, eliminations and undos of them at random, values that are right more often than not."""
    dice = random.Random(seed)
    empty = dice.sample(range(16), dice.randint(2, 7))
    board = [0 if cell in empty else value for cell, value in enumerate(SOLUTION)]
    puzzle = Puzzle(tuple(board), standard_geometry(4))
    events: list[Event] = []
    trail: list[Event] = []
    for _ in range(dice.randint(1, 120)):
        free = [cell for cell in empty if not board[cell]]
        if free and (not trail or dice.random() < 0.55):
            cell = dice.choice(free)
            value = SOLUTION[cell] if dice.random() < 0.7 else dice.randint(1, 4)
            op = dice.choice((Op.GUESS, Op.FORCED, Op.ELIMINATE))
            if (Op.ELIMINATE, value, cell) in trail:
                continue
            if op != Op.ELIMINATE:
                board[cell] = value
            trail.append((op, value, cell))
            events.append(trail[-1])
        elif trail:
            latest, value, cell = trail.pop()
            events.append((Op.RESTORE if latest == Op.ELIMINATE else Op.UNDO, value, cell))
            if latest != Op.ELIMINATE:
                board[cell] = 0
    return Header(puzzle, exhaustive=True), events


def plain_counts(header: Header, events: list[Event]) -> Counter[str]:
    """Follows the tree and reads the definitions of docs/trace-format.md off it. "resumed" are
    guesses that were taken back because the search went on after a solution."""
    units = [unit.cells for unit in header.puzzle.problem.units]
    board, counts = list(header.puzzle.givens), Counter[str]()
    guessed: list[bool] = []
    # Of each guess that stands, the root first: how it ends if it is taken back now.
    ends = ["dead_ends"]
    for op, value, cell in events:
        if op > Op.UNDO:
            continue
        board[cell] = 0 if op == Op.UNDO else value
        if op == Op.UNDO:
            if guessed.pop():
                counts[ends.pop()] += 1
                ends[-1] = "backtracks"
            continue
        guessed.append(op == Op.GUESS)
        if op == Op.GUESS:
            ends.append("dead_ends")
        if all(sorted(board[cell] for cell in unit) == [1, 2, 3, 4] for unit in units):
            counts["solutions"] += 1
            ends[-1] = "resumed"
    return counts


def guesses_in(header: Header, events: list[Event]) -> list[bool]:
    """For each place whether it was a guess: whether inference did not make it, and its cell had
    another option."""
    problem = header.puzzle.problem
    board = list(header.puzzle.givens)
    removed: set[tuple[int, int]] = set()
    found = []
    for op, value, cell in events:
        if op == Op.ELIMINATE:
            removed.add((cell, value))
        elif op == Op.RESTORE:
            removed.remove((cell, value))
        elif op == Op.UNDO:
            board[cell] = 0
        elif op in (Op.GUESS, Op.FORCED):
            held = {
                board[other] for unit in problem.units if cell in unit.cells for other in unit.cells
            }
            options = {
                option
                for option in range(1, problem.size + 1)
                if option not in held and (cell, option) not in removed
            }
            found.append(op == Op.GUESS and bool(options - {value}))
            board[cell] = value
    return found
