"""Brute force done right: reading order against the cell with the fewest remaining values.

    python examples/brute_force_done_right.py [--film]

The article's puzzle is not published, so its figures can't be reproduced, only their scale: the
printed columns set them beside those of the hard newspaper puzzle, whose two searches are as far
apart. The article counts what its film showed, one picture for each: a value is placed, or a value
is taken back. That is our step; an iteration that tries a value and fails is two of them, place
and undo. At 60 pictures a second its films lasted steps / 60 seconds; the last column says how
long such a film of these searches would last. With --film both are filmed, in half a minute
instead.
"""

from __future__ import annotations

import sys
from pathlib import Path

from solver import Limits, search
from solver.formats import parse_puzzle

HERE = Path(__file__).parent
PUBLISHED = {
    "row-major": ("54,843", "84,015", "15:14"),
    "minimum-remaining-values": ("1,067", "1,429", "0:18"),
}
RATE = 60  # pictures a second


def main() -> int:
    puzzle = parse_puzzle((HERE / "puzzles" / "hard.txt").read_text())
    print(f"{'':24} {'published (another puzzle)':>30}    {'measured (hard)':>30}")
    columns = f"{'steps':>10} {'whole tree':>11} {'film':>7}"
    print(f"{'strategy':24} {columns:>30}    {columns:>30}")
    steps: dict[str, int] = {}
    for strategy, (said_steps, said_calls, said_film) in PUBLISHED.items():
        first = search(puzzle, strategy).tally()
        whole = search(puzzle, strategy, Limits(exhaustive=True)).tally()
        steps[strategy] = first.steps
        seconds = round(first.steps / RATE)
        film = f"{seconds // 60}:{seconds % 60:02}"
        print(
            f"{strategy:24} {said_steps:>10} {said_calls:>11} {said_film:>7}    "
            f"{first.steps:10,} {whole.nodes:11,} {film:>7}"
        )
    print("a step is one place or one undo; an iteration that fails is both, and takes two steps")
    print("whole tree: calls of the recursive function until every branch has been searched")
    if "--film" in sys.argv[1:]:
        from render import compare

        compare(puzzle, list(PUBLISHED), "output/brute-force-done-right.mp4", duration="26s")
    return 0 if steps["minimum-remaining-values"] * 10 < steps["row-major"] else 1


if __name__ == "__main__":
    sys.exit(main())
