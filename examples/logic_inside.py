"""Logic in a search: rules once at the root, and rules at every node.

    python examples/logic_inside.py [--film]

The articles publish no counts for this; the table is measured here. The first three columns search
in reading order: without rules, with singles once at the root (`singles@root`), and with singles at
every node. The next three do the same with the fewest-candidates order; the last column adds
further rules of human solvers. Singles at the root save much on some puzzles and hardly anything on
others. At every node they save nearly all nodes, because most deductions follow from guesses. More
rules usually need fewer guesses, but not always: they also change which cell has the fewest
candidates, and so the next guess (see worlds-hardest). All strategies must find the same solution.
--film writes a film of the three searches in reading order, on the extreme puzzle.
"""

from __future__ import annotations

import sys
from pathlib import Path

from undoku import search
from undoku.solver.problem.sources import parse_puzzle

HERE = Path(__file__).parent
PUZZLES = ("easy", "medium", "hard", "very-hard", "extreme", "worlds-hardest", "fifty-minutes")
ORDERS = ("row-major", "mrv")
LOGIC = ("", "+singles@root", "+singles")
STRATEGIES = (*(order + rules for order in ORDERS for rules in LOGIC), "mrv-with-logic")


def main() -> int:
    wrong = 0
    heads = [strategy.partition("+") for strategy in STRATEGIES]
    print(f"{'nodes':15}" + "".join(f"{order:>15}" for order, _, _ in heads))
    print(f"{'':15}" + "".join(f"{plus + rules:>15}" for _, plus, rules in heads))
    for name in PUZZLES:
        puzzle = parse_puzzle((HERE / "puzzles" / f"{name}.txt").read_text("utf-8"))
        tallies = {strategy: search(puzzle, strategy).tally() for strategy in STRATEGIES}
        wrong += len({tally.solution for tally in tallies.values()}) != 1
        for order in ORDERS:
            wrong += tallies[f"{order}+singles"].nodes > tallies[order].nodes
        print(f"{name:15}" + "".join(f"{tallies[one].nodes:15,}" for one in STRATEGIES))
    if "--film" in sys.argv[1:]:
        from undoku import film

        puzzle = parse_puzzle((HERE / "puzzles" / "extreme.txt").read_text("utf-8"))
        film(
            puzzle,
            STRATEGIES[:3],
            "output/logic-inside.mp4",
            duration="26s",
            title="Singles: never, once, always",
            labels=["Row by row", "Singles once, at the start", "Singles at every step"],
        )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
