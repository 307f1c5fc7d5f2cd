"""The plain nested-loop backtracker: how often its recursive function is called.

    python examples/call_counts.py [--film]

Prints the published counts of five newspaper puzzles beside those measured here: one strategy on
several puzzles. A call is a node: the first call and one for each value that is tried. With --film
the five searches are filmed side by side, each under its puzzle's name, on one clock. The same on
the command line, where the film takes the names of the files:

    undoku render examples/puzzles/{easy,medium,hard,very-hard,extreme}.txt -s nested-loops
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
    traces = {
        name: search(parse_puzzle((HERE / "puzzles" / f"{name}.txt").read_text()), "nested-loops")
        for name in PUBLISHED
    }
    print(f"{'puzzle':10} {'published':>10} {'measured':>10} {'backtracks':>11} {'seconds':>9}")
    for name, calls in PUBLISHED.items():
        tally = traces[name].tally()
        wrong += tally.nodes != calls
        print(
            f"{name:10} {calls:10,} {tally.nodes:10,} {tally.backtracks:11,} {tally.seconds:9.6f}"
        )
    if "--film" in sys.argv[1:]:
        from render import compare

        compare(
            traces["easy"].header.puzzle,
            list(traces.values()),
            "output/call-counts.mp4",
            duration="26s",
            title="One strategy, five puzzles",
            labels=list(traces),
        )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
