"""The way through a maze, from S to E, by trying one way after the other:

    python maze.py | undoku render - -o film.mp4

The walls are givens; the way is a place for each step, and an undo for each step back.
"""

import json

MAZE = [
    "#############",
    "#S........#.#",
    "#.#######.#.#",
    "#.#.....#.#.#",
    "#.#.###.#.#.#",
    "#.#.#...#...#",
    "#.#.#.#####.#",
    "#.#.#E#...#.#",
    "#.#.#####.#.#",
    "#.........#.#",
    "#############",
]
rows, columns = len(MAZE), len(MAZE[0])
marks = "".join(MAZE)
start, end = marks.index("S"), marks.index("E")
visited = {start}


def solve(cell: int) -> bool:
    if cell == end:
        return True
    for beside in (cell + 1, cell + columns, cell - 1, cell - columns):
        if marks[beside] != "#" and beside not in visited:
            visited.add(beside)
            print(f'["place",{beside},1]')
            if solve(beside):
                return True
            print(f'["undo",{beside}]')
    return False


header = {
    "undoku": 3,
    "rows": rows,
    "columns": columns,
    "values": ["●", "█"],
    "value": "move",
    "givens": marks.replace("#", "2").replace("S", "1").replace("E", "."),
    "texts": ["E" if mark == "E" else "" for mark in marks],
    "title": "Right, down, left, up",
}
print(json.dumps(header))
print('{"outcome":"solved"}' if solve(start) else '{"outcome":"exhausted"}')
