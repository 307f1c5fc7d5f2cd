"""Films the solutions that OR-tools CP-SAT finds: `pip install ortools`.

    python with_ortools.py film.mp4

CP-SAT tells nothing about its search but its solutions. The film goes from each to the next one:
it takes back what differs, and places the rest.
"""

import sys

from ortools.sat.python import cp_model

import undoku

CELLS = "500080106000073284407120003709260000003045010001000625090704030070002890100000000"

board = undoku.watch([int(mark) for mark in CELLS], title="CP-SAT, its solutions")
model = cp_model.CpModel()
cells = [model.new_int_var(mark or 1, mark or 9, f"cell {n}") for n, mark in enumerate(board)]
for n in range(9):
    model.add_all_different(cells[9 * n : 9 * n + 9])
    model.add_all_different(cells[n::9])
    corner = n // 3 * 27 + n % 3 * 3
    model.add_all_different(cells[corner + k // 3 * 9 + k % 3] for k in range(9))


class Watching(cp_model.CpSolverSolutionCallback):
    """Writes each solution into the watched board."""

    def on_solution_callback(self):
        board[:] = [self.value(cell) for cell in cells]


solver = cp_model.CpSolver()
solver.parameters.enumerate_all_solutions = True
solver.parameters.num_workers = 1
solver.solve(model, Watching())

print(undoku.solve(board))
undoku.film(board, *sys.argv[1:])
