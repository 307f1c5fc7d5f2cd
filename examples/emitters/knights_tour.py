"""A knight's tour of a chessboard: the n-th field of the tour gets the number n.

    python knights_tour.py | undoku render - -o film.mp4
    python knights_tour.py --warnsdorff | undoku render - -o film.mp4

With Warnsdorff's rule the knight goes to the field from which it can go on to the fewest others.
"""

import json
import sys

SIDE = 5
JUMPS = [(-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)]
warnsdorff = "--warnsdorff" in sys.argv
tour = {0: 1}
"""The number of each visited field."""


def onward(field: int) -> list[int]:
    """The fields that a knight can reach from a field and that it has not visited."""
    row, column = divmod(field, SIDE)
    ends = [(row + down, column + right) for down, right in JUMPS]
    inside = [y * SIDE + x for y, x in ends if 0 <= y < SIDE and 0 <= x < SIDE]
    return [end for end in inside if end not in tour]


def solve(field: int) -> bool:
    if len(tour) == SIDE * SIDE:
        return True
    choices = onward(field)
    if warnsdorff:
        choices.sort(key=lambda end: len(onward(end)))
    for end in choices:
        tour[end] = len(tour) + 1
        print(f'["place",{end},{tour[end]}]')
        if solve(end):
            return True
        del tour[end]
        print(f'["undo",{end}]')
    return False


header = {
    "undoku": 3,
    "rows": SIDE,
    "columns": SIDE,
    "values": [str(number) for number in range(1, SIDE * SIDE + 1)],
    "variable": "field",
    "value": "move",
    "givens": "1" + "." * (SIDE * SIDE - 1),
    "title": "Fewest exits first" if warnsdorff else "Any jump",
}
print(json.dumps(header))
print('{"outcome":"solved"}' if solve(0) else '{"outcome":"exhausted"}')
