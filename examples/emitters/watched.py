"""A solver that knows nothing of undoku, and three lines that film it beside another search:

python watched.py 53..7… film.mp4
"""

import sys

import undoku


def solve(grid):
    for row in range(9):
        for column in range(9):
            if grid[row][column] == 0:
                for value in range(1, 10):
                    if fits(grid, row, column, value):
                        grid[row][column] = value
                        if solve(grid):
                            return True
                        grid[row][column] = 0
                return False
    return True


def fits(grid, row, column, value):
    top, left = row // 3 * 3, column // 3 * 3
    box = [grid[top + k // 3][left + k % 3] for k in range(9)]
    return value not in [*grid[row], *(line[column] for line in grid), *box]


puzzle, *outputs = sys.argv[1:]
cells = [int(mark.replace(".", "0")) for mark in puzzle]

grid = undoku.watch([cells[n : n + 9] for n in range(0, 81, 9)])
solve(grid)
undoku.film(grid, "mrv", *outputs)
