"""Queens on a chessboard, none of which attacks another, one in each row, as a trace:

    python queens.py 8 | undoku render - -o film.mp4

The header has the rules, so that undoku shows the safe squares; without them it would believe the
program.
"""

import json
import sys

size = int(sys.argv[1]) if len(sys.argv) > 1 else 8
rows = [str(row + 1) for row in range(size)]
falling = {"variables": rows, "shifts": list(range(size - 1, -1, -1))}
rising = {"variables": rows, "shifts": list(range(size))}
problem = {
    "variables": rows,
    "values": [chr(ord("a") + column) for column in range(size)],
    "different": {"column": [rows], "diagonal": [falling, rising]},
    "form": "fields",
    "variable": "row",
    "value": "queen",
    "positions": {row: [number, 0] for number, row in enumerate(rows)},
}


def solve(queens: list[int]) -> bool:
    row = len(queens)
    if row == size:
        return True
    for column in range(size):
        if all(
            column != other and abs(column - other) != row - number
            for number, other in enumerate(queens)
        ):
            print(f'["place",{row},{column + 1}]')
            if solve([*queens, column]):
                return True
            print(f'["undo",{row}]')
    return False


print(json.dumps({"undoku": 3, "problem": problem, "title": f"{size} queens, row by row"}))
print('{"outcome":"solved"}' if solve([]) else '{"outcome":"exhausted"}')
