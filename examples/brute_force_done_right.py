"""Brute force done right: reading order against the cell with the fewest remaining values.

    python examples/brute_force_done_right.py [--film]

The article's puzzle is not published, so its figures can't be reproduced, only their scale: the
printed columns set them beside those of the hard newspaper puzzle, whose two searches are as far
apart. Its film had one picture per step at 60 pictures a second; the last column says how long such
a film of these searches would last. With --film both are filmed, in twenty seconds instead.
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
        film = f"{first.steps // 3600}:{first.steps // 60 % 60:02}"
        print(
            f"{strategy:24} {said_steps:>10} {said_calls:>11} {said_film:>7}    "
            f"{first.steps:10,} {whole.nodes:11,} {film:>7}"
        )
    if "--film" in sys.argv[1:]:
        from render import compare

        compare(puzzle, list(PUBLISHED), "output/brute-force-done-right.mp4", duration="20s")
    return 0 if steps["minimum-remaining-values"] * 10 < steps["row-major"] else 1


if __name__ == "__main__":
    sys.exit(main())
