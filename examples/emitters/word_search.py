"""A word in a square of letters, each beside the one before it:

    python word_search.py | undoku render - -o film.mp4

The header gives each cell its letter; a letter of the word is a place.
"""

import json

LETTERS = ["KBKCA", "CRCAB", "AGNIK", "RTRAC", "TKCAB"]
WORD = "BACKTRACKING"
side, marks = len(LETTERS), "".join(LETTERS)
values = sorted(set(WORD))
used: list[int] = []


def solve() -> bool:
    if len(used) == len(WORD):
        return True
    for cell, mark in enumerate(marks):
        last = used[-1] if used else cell
        apart = abs(cell // side - last // side) + abs(cell % side - last % side)
        if mark == WORD[len(used)] and cell not in used and apart == bool(used):
            used.append(cell)
            print(f'["place",{cell},{values.index(mark) + 1}]')
            if solve():
                return True
            used.pop()
            print(f'["undo",{cell}]')
    return False


header = {
    "undoku": 3,
    "rows": side,
    "columns": side,
    "values": values,
    "value": "letter",
    "texts": list(marks),
    "title": f"Looking for {WORD}",
}
print(json.dumps(header))
print('{"outcome":"solved"}' if solve() else '{"outcome":"exhausted"}')
