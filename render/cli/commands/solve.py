"""undoku solve: counts the searches of a puzzle by several strategies."""

from __future__ import annotations

from argparse import Namespace

from render.cli.commands.printing import counts, print_json, table, values_text
from render.cli.commands.search_inputs import COMPARED, limits_of
from render.cli.commands.search_progress import SearchProgress
from solver.backtracking import search
from solver.formats import read
from solver.trace import Outcome

__all__ = ["run"]


def run(options: Namespace) -> int:
    puzzle = read(options.puzzle)
    limits = limits_of(options)
    searches = [search(puzzle, name, limits) for name in options.strategy or COMPARED]
    with SearchProgress(searches) as progress:
        results = [(trace.header.name, progress.tally(trace)) for trace in searches]
    if options.json:
        print_json(
            {"puzzle": str(puzzle), "results": [counts(name, tally) for name, tally in results]}
        )
        return 0
    print(table(results))
    solved = next((tally.solution for _, tally in results if tally.solution), None)
    if solved:
        print(f"solution  {values_text(solved)}")
    elif any(tally.outcome is Outcome.EXHAUSTED for _, tally in results):
        print("solution  none")
    return 0
