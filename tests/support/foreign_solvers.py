"""Solvers as their authors write them who have never heard of undoku. Each takes a board; none is
changed in order to be watched. `ROW_MAJOR` try 1 to 9 in the first empty cell, if nothing forbids
it; `OTHERS` do not."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np

Rows = list[list[int]]

grid: Any = []


def possible(y: int, x: int, n: int) -> bool:
    for i in range(9):
        if grid[y][i] == n or grid[i][x] == n:
            return False
    x0, y0 = x // 3 * 3, y // 3 * 3
    for i in range(3):
        for j in range(3):
            if grid[y0 + i][x0 + j] == n:
                return False
    return True


def fill() -> bool:
    for y in range(9):
        for x in range(9):
            if grid[y][x] == 0:
                for n in range(1, 10):
                    if possible(y, x, n):
                        grid[y][x] = n
                        if fill():
                            return True
                        grid[y][x] = 0
                return False
    return True


def global_grid(board: Rows) -> None:
    global grid  # noqa: PLW0603
    grid = board
    fill()


def numpy_array(a: Any) -> bool:
    empty = np.argwhere(a == 0)
    if len(empty) == 0:
        return True
    y, x = empty[0]
    box = a[y // 3 * 3 : y // 3 * 3 + 3, x // 3 * 3 : x // 3 * 3 + 3]
    for n in range(1, 10):
        if n not in a[y] and n not in a[:, x] and not np.any(box == n):
            a[y, x] = n
            if numpy_array(a):
                return True
            a[y, x] = 0
    return False


def numpy_copies(a: Any) -> Any:
    empty = np.argwhere(a == 0)
    if len(empty) == 0:
        return a
    y, x = empty[0]
    for n in range(1, 10):
        new = np.copy(a)
        new[y][x] = n
        top, left = y // 3 * 3, x // 3 * 3
        parts = (new[y], new[:, x], new[top : top + 3, left : left + 3])
        if all(np.count_nonzero(part == n) == 1 for part in parts):
            found = numpy_copies(new)
            if found is not None:
                return found
    return None


def options(cells: dict[str, Any], key: str) -> list[int]:
    rows = next(part for part in ("ABC", "DEF", "GHI") if key[0] in part)
    columns = next(part for part in ("123", "456", "789") if key[1] in part)
    seen = {cells[key[0] + c] for c in "123456789"} | {cells[r + key[1]] for r in "ABCDEFGHI"}
    seen |= {cells[r + c] for r in rows for c in columns}
    return [value for value in range(1, 10) if value not in seen]


def dict_of_cells(cells: dict[str, Any]) -> bool:
    for key, held in cells.items():
        if held is None:
            for value in options(cells, key):
                cells[key] = value
                if dict_of_cells(cells):
                    return True
            cells[key] = None
            return False
    return True


def fits(board: list[Any], i: int, v: Any) -> bool:
    row, col = divmod(i, 9)
    corner = row // 3 * 27 + col // 3 * 3
    box = [board[corner + 9 * (k // 3) + k % 3] for k in range(9)]
    return v not in board[row * 9 : row * 9 + 9] + board[col::9] + box


def flat_list(board: list[str], i: int = 0) -> bool:
    if i == 81:
        return True
    if board[i] != ".":
        return flat_list(board, i + 1)
    for v in "123456789":
        if fits(board, i, v):
            board[i] = v
            if flat_list(board, i + 1):
                return True
    board[i] = "."
    return False


def new_flat_lists(board: list[int]) -> list[int] | None:
    if 0 not in board:
        return board
    i = board.index(0)
    for v in range(1, 10):
        if fits(board, i, v):
            solved = new_flat_lists(board[:i] + [v] + board[i + 1 :])  # noqa: RUF005
            if solved:
                return solved
    return None


def parts_of(board: Rows, row: int, col: int) -> tuple[list[int], ...]:
    box = [board[row // 3 * 3 + k // 3][col // 3 * 3 + k % 3] for k in range(9)]
    return board[row], [line[col] for line in board], box


def copying(copied: Callable[[Rows], Rows]) -> Callable[[Rows], None]:
    """Solvers that write into copies, and the solution into the first board."""

    def solved(board: Rows) -> Rows | None:
        for row in range(9):
            for col in range(9):
                if board[row][col] == 0:
                    for n in range(1, 10):
                        if not any(n in part for part in parts_of(board, row, col)):
                            new = copied(board)
                            new[row][col] = n
                            if result := solved(new):
                                return result
                    return None
        return board

    def solve(board: Rows) -> None:
        result = solved(board)
        for row in range(9):
            for col in range(9):
                board[row][col] = result[row][col] if result else 0

    return solve


def counting_up(board: Rows) -> None:
    """Without recursion; the number after 9 ends a cell."""
    cells = [(r, c) for r in range(9) for c in range(9) if board[r][c] == 0]
    at = 0
    while at < len(cells):
        r, c = cells[at]
        tried, board[r][c] = board[r][c] + 1, 0
        while tried < 10 and any(tried in part for part in parts_of(board, r, c)):
            tried += 1
        board[r][c] = tried
        if tried == 10:
            board[r][c] = 0
        at += 1 if tried < 10 else -1


def all_solutions(board: Rows) -> None:
    """Goes on after a solution, and takes back everything."""
    global grid  # noqa: PLW0603
    grid = board
    for y in range(9):
        for x in range(9):
            if board[y][x] == 0:
                for n in range(1, 10):
                    if possible(y, x, n):
                        board[y][x] = n
                        all_solutions(board)
                        board[y][x] = 0
                return


def check_afterwards(board: Rows) -> bool:
    """Writes each value, and then looks whether the board is valid, with each cell emptied."""
    cells = [(r, c) for r in range(9) for c in range(9) if board[r][c] == 0]
    if not cells:
        return True
    row, col = cells[0]
    for n in range(1, 10):
        board[row][col] = n
        if valid(board) and check_afterwards(board):
            return True
    board[row][col] = 0
    return False


def valid(board: Rows) -> bool:
    for r in range(9):
        for c in range(9):
            v = board[r][c]
            board[r][c] = 0
            clash = v and any(v in part for part in parts_of(board, r, c))
            board[r][c] = v
            if clash:
                return False
    return True


def forced_then_guess(board: Rows) -> bool:
    """Fills cells with one option before it guesses, and clears them in the order in which they
    were filled."""
    filled = []
    progress = True
    while progress:
        progress = False
        for r in range(9):
            for c in range(9):
                if board[r][c] == 0:
                    parts = parts_of(board, r, c)
                    left = [n for n in range(1, 10) if not any(n in part for part in parts)]
                    if len(left) == 1:
                        board[r][c] = left[0]
                        filled.append((r, c))
                        progress = True
    cells = [(r, c) for r in range(9) for c in range(9) if board[r][c] == 0]
    if not cells:
        return True
    row, col = cells[0]
    for n in range(1, 10):
        if not any(n in part for part in parts_of(board, row, col)):
            board[row][col] = n
            if forced_then_guess(board):
                return True
            board[row][col] = 0
    for r, c in filled:
        board[r][c] = 0
    return False


def candidates(values: dict[str, str]) -> dict[str, str] | None:
    """The options of a cell as a text, in a dict that is copied for each guess."""
    if all(len(value) == 1 for value in values.values()):
        return values
    _, key = min((len(value), key) for key, value in values.items() if len(value) > 1)
    for digit in values[key]:
        new = values.copy()
        new[key] = digit
        if eliminated(new, key) and (found := candidates(new)):
            return found
    return None


def eliminated(values: dict[str, str], key: str) -> bool:
    rows = next(part for part in ("ABC", "DEF", "GHI") if key[0] in part)
    columns = next(part for part in ("123", "456", "789") if key[1] in part)
    peers = {key[0] + c for c in "123456789"} | {r + key[1] for r in "ABCDEFGHI"}
    peers |= {r + c for r in rows for c in columns}
    for peer in peers - {key}:
        if values[key] in values[peer]:
            values[peer] = values[peer].replace(values[key], "")
            if not values[peer] or (len(values[peer]) == 1 and not eliminated(values, peer)):
                return False
    return True


def rows_of(cells: str) -> Rows:
    return [[int(mark) for mark in cells[n : n + 9]] for n in range(0, 81, 9)]


KEYS = [row + column for row in "ABCDEFGHI" for column in "123456789"]

Made = Callable[[str], Any]

ROW_MAJOR: dict[str, tuple[Made, Callable[[Any], object]]] = {
    "global grid": (rows_of, global_grid),
    "numpy": (lambda cells: np.array(rows_of(cells)), numpy_array),
    "dict of cells": (
        lambda cells: {
            key: int(m) if m > "0" else None for key, m in zip(KEYS, cells, strict=True)
        },
        dict_of_cells,
    ),
    "flat list of texts": (lambda cells: list(cells.replace("0", ".")), flat_list),
    "new flat lists": (lambda cells: [*map(int, cells)], new_flat_lists),
    "deepcopy": (rows_of, copying(copy.deepcopy)),
    "copies of rows": (rows_of, copying(lambda board: [row[:] for row in board])),
    "copies by copy()": (rows_of, copying(lambda board: [row.copy() for row in board])),
    "counting up": (rows_of, counting_up),
}
"""For each solver how its board is made of 81 cells."""

OTHERS: dict[str, tuple[Made, Callable[[Any], object]]] = {
    "copies of arrays, checked afterwards": (lambda cells: np.array(rows_of(cells)), numpy_copies),
    "checked afterwards": (rows_of, check_afterwards),
    "forced first, cleared in their order": (rows_of, forced_then_guess),
    "candidates as texts": (
        lambda cells: {
            key: mark if mark > "0" else "123456789" for key, mark in zip(KEYS, cells, strict=True)
        },
        candidates,
    ),
}
