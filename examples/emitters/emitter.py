"""A backtracking solver that prints its trace:

    python emitter.py 53..7… | undoku render - -o film.mp4

The lines that print are all that a trace needs; docs/trace-format.md describes the format.
"""

import sys


def fits(board: list[int], cell: int, value: int) -> bool:
    row, column = divmod(cell, 9)
    corner = row // 3 * 27 + column // 3 * 3
    return all(
        value not in (board[row * 9 + k], board[k * 9 + column], board[corner + k // 3 * 9 + k % 3])
        for k in range(9)
    )


def solve(board: list[int], cell: int = 0) -> bool:
    while cell < 81 and board[cell]:
        cell += 1
    if cell == 81:
        return True
    for value in range(1, 10):
        if fits(board, cell, value):
            board[cell] = value
            print(f'["place",{cell},{value}]')
            if solve(board, cell + 1):
                return True
            board[cell] = 0
            print(f'["undo",{cell}]')
    return False


if len(sys.argv) != 2 or len(sys.argv[1]) != 81:
    print("give the 81 cells of a puzzle", file=sys.stderr)
    sys.exit(2)
givens = sys.argv[1].replace("0", ".")
print(f'{{"undoku":1,"size":9,"givens":"{givens}","title":"Python program"}}')
solved = solve([0 if mark == "." else int(mark) for mark in givens])
print('{"outcome":"solved"}' if solved else '{"outcome":"exhausted"}')
