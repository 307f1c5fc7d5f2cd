"""The plain nested-loop backtracker: the number of calls of its recursive function.

    python examples/call_counts.py [--film]

Prints the published counts for five newspaper puzzles beside the measured ones. A call is a node:
the first call, and one for each value that is tried. --film writes a film of the five searches side
by side, on one clock, each with the name of its puzzle. The same film from the command line, where
the names are those of the files:

    undoku render examples/puzzles/{easy,medium,hard,very-hard,extreme}.txt -s nested-loops
"""

from __future__ import annotations

import sys
from pathlib import Path

from undoku import search
from undoku.solver.problem.sources import parse_puzzle

HERE = Path(__file__).parent
PUBLISHED = {"easy": 52, "medium": 8797, "hard": 72686, "very-hard": 3307, "extreme": 4428}


def main() -> int:
    wrong = 0
    traces = {
        name: search(
            parse_puzzle((HERE / "puzzles" / f"{name}.txt").read_text("utf-8")), "nested-loops"
        )
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
        from undoku import film

        film(
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
