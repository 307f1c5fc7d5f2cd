"""Films the search of python-constraint: `pip install python-constraint2`, or the older
python-constraint.

    python with_python_constraint.py film.mp4

The library hands all assignments to each constraint. So one that is never violated, and is asked
before all others, sees every step.
"""

import sys

import constraint

import undoku

CELLS = "000670020701000900800053000010020060009006000300000780005000307200300500000005040"
KEYS = [(row, column) for row in range(9) for column in range(9)]

board = undoku.watch(dict(zip(KEYS, map(int, CELLS), strict=True)), title="python-constraint")
empty = [key for key in KEYS if not board[key]]


class Watching(constraint.Constraint):
    """Writes the assignments into the watched board: all at once, so that no state in between is
    recorded."""

    def __call__(self, variables, domains, assignments, forwardcheck=False, _unassigned=None):
        board.update({key: assignments.get(key, 0) for key in empty})
        return True


problem = constraint.Problem()
for key in KEYS:
    problem.addVariable(key, [board[key]] if board[key] else range(1, 10))
problem.addConstraint(Watching(), empty)
for n in range(9):
    problem.addConstraint(constraint.AllDifferentConstraint(), [(n, k) for k in range(9)])
    problem.addConstraint(constraint.AllDifferentConstraint(), [(k, n) for k in range(9)])
    box = [(n // 3 * 3 + k // 3, n % 3 * 3 + k % 3) for k in range(9)]
    problem.addConstraint(constraint.AllDifferentConstraint(), box)
problem.getSolution()

print(undoku.solve(board, "mrv"))
undoku.film(board, "mrv", *sys.argv[1:])
