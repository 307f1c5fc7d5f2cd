"""A solver that knows nothing of films. README.md films it."""

grid = [
    [0, 0, 0, 6, 7, 0, 0, 2, 0],
    [7, 0, 1, 0, 0, 0, 9, 0, 0],
    [8, 0, 0, 0, 5, 3, 0, 0, 0],
    [0, 1, 0, 0, 2, 0, 0, 6, 0],
    [0, 0, 9, 0, 0, 6, 0, 0, 0],
    [3, 0, 0, 0, 0, 0, 7, 8, 0],
    [0, 0, 5, 0, 0, 0, 3, 0, 7],
    [2, 0, 0, 3, 0, 0, 5, 0, 0],
    [0, 0, 0, 0, 0, 5, 0, 4, 0],
]


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
    if value in grid[row]:
        return False
    for other in range(9):
        if grid[other][column] == value:
            return False
    top, left = row // 3 * 3, column // 3 * 3
    return all(value not in grid[top + n][left : left + 3] for n in range(3))
