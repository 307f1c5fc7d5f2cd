"""Brute force done right: reading order compared with the fewest-candidates order.

    python examples/brute_force_done_right.py [--film]

The article's puzzle is not published, so its figures can't be reproduced. The table compares them
with the hard newspaper puzzle, whose two searches differ by a similar factor. The article counts
the pictures of its film: one for each value that is placed, and one for each value that is removed.
undoku counts the same as steps; an iteration that tries a value and fails takes two, place and
undo. At 60 pictures per second the article's films lasted steps / 60 seconds; the last column is
the duration of such a film. --film writes a film of both searches that lasts half a minute.
"""

from __future__ import annotations

import sys
from pathlib import Path

from undoku import Limits, search
from undoku.solver.problem.sources import parse_puzzle

HERE = Path(__file__).parent
PUBLISHED = {
    "row-major": ("54,843", "84,015", "15:14"),
    "minimum-remaining-values": ("1,067", "1,429", "0:18"),
}
RATE = 60  # pictures a second


def main() -> int:
    puzzle = parse_puzzle((HERE / "puzzles" / "hard.txt").read_text("utf-8"))
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
        from undoku import film

        film(puzzle, list(PUBLISHED), "output/brute-force-done-right.mp4", duration="26s")
    return 0 if steps["minimum-remaining-values"] * 10 < steps["row-major"] else 1


if __name__ == "__main__":
    sys.exit(main())
