"""The plain nested-loop backtracker: how often its recursive function is called.

    python examples/call_counts.py [--film]

Prints the published counts of five newspaper puzzles beside those measured here. With --film it
also films the medium one.
"""

from __future__ import annotations

import sys
from pathlib import Path

from solver import search
from solver.formats import parse_puzzle

HERE = Path(__file__).parent
PUBLISHED = {"easy": 52, "medium": 8797, "hard": 72686, "very-hard": 3307, "extreme": 4428}


def main() -> int:
    wrong = 0
    print(f"{'puzzle':10} {'published':>10} {'measured':>10} {'backtracks':>11} {'seconds':>9}")
    for name, calls in PUBLISHED.items():
        puzzle = parse_puzzle((HERE / "puzzles" / f"{name}.txt").read_text())
        tally = search(puzzle, "nested-loops").tally()
        wrong += tally.nodes != calls
        print(
            f"{name:10} {calls:10,} {tally.nodes:10,} {tally.backtracks:11,} {tally.seconds:9.6f}"
        )
    if "--film" in sys.argv[1:]:
        from render import compare

        puzzle = parse_puzzle((HERE / "puzzles" / "medium.txt").read_text())
        compare(puzzle, ["nested-loops"], "output/call-counts.mp4", duration="20s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
