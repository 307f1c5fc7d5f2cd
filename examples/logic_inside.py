"""Constraint propagation: what rules of inference at every node leave for guessing.

    python examples/logic_inside.py [--film]

Published is that propagation with two rules solves newspaper puzzles with few guesses or none; no
counts are. The table shows the nodes measured for each published puzzle, and all strategies have to
arrive at the same solution. More rules mostly leave fewer guesses, but not always: they also change
which cell has the fewest candidates, and with it the luck of the guess (see worlds-hardest). With
--film that puzzle is filmed, guesses and consequences apart.
"""

from __future__ import annotations

import sys
from pathlib import Path

from solver import search
from solver.formats import parse_puzzle

HERE = Path(__file__).parent
PUZZLES = ("easy", "medium", "hard", "very-hard", "extreme", "worlds-hardest", "fifty-minutes")
STRATEGIES = ("nested-loops", "minimum-remaining-values", "propagation", "mrv-with-logic")


def main() -> int:
    wrong = 0
    print(f"{'nodes':16}" + "".join(f"{strategy:>26}" for strategy in STRATEGIES))
    for name in PUZZLES:
        puzzle = parse_puzzle((HERE / "puzzles" / f"{name}.txt").read_text())
        tallies = [search(puzzle, strategy).tally() for strategy in STRATEGIES]
        wrong += len({tally.solution for tally in tallies}) != 1
        wrong += tallies[2].nodes > tallies[1].nodes
        print(f"{name:16}" + "".join(f"{tally.nodes:26,}" for tally in tallies))
    if "--film" in sys.argv[1:]:
        from render import compare

        puzzle = parse_puzzle((HERE / "puzzles" / "worlds-hardest.txt").read_text())
        compare(puzzle, STRATEGIES[2:], "output/logic-inside.mp4", duration="20s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
