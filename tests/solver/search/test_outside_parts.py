"""Parts of strategies from other packages: Python functions that the search calls."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.support.paths import ROOT
from tests.support.puzzles import EASY

MODULE = """
import numpy as np
from undoku import Part, PartKind
from undoku.solver.search.part_registry import register

def first(tables, candidates, board, order, learned):
    return int(np.flatnonzero(board == 0)[0])

def filled(tables, candidates, board, order, learned):
    return int(np.flatnonzero(board)[0])

def far(tables, candidates, board, order, learned):
    return 10**6

def failing(tables, candidates, board, order, learned):
    raise ZeroDivisionError("in an order")

def backwards(tables, candidates, board, scores, options):
    options[:] = options[::-1].copy()
    return 0

def losing(tables, candidates, board, scores, options):
    options[:] = 0
    return 0

def hidden(tables, candidates, board, stale, turn, scratch, found):
    return 0

def greedy(tables, candidates, board, stale, turn, scratch, found):
    return 10**6

def wrong(tables, candidates, board, stale, turn, scratch, found):
    found[0] = 1 | 99 << 8 | 5 << 16, 0
    return 1

def drawn(tables, candidates, board, order, learned):
    return int(np.flatnonzero(board == 0)[-1])

KINDS = {
    PartKind.CELLS: (first, filled, far, failing),
    PartKind.VALUES: (backwards, losing),
    PartKind.INFERENCE: (hidden, greedy, wrong),
}
for kind, functions in KINDS.items():
    for one in functions:
        register(Part(kind, "my-" + one.__name__, "A test.", "a test", "my_parts:" + one.__name__))
register(Part(PartKind.CELLS, "my-drawn", "A test.", "a test", "my_parts:drawn", varies="forgets"))
register(Part(PartKind.INFERENCE, "my-placing", "A.", "a", "my_parts:hidden", eliminates=False))
"""

SEARCH = """
import sys, warnings
warnings.simplefilter("ignore")
import my_parts, undoku
puzzle = undoku.parse_puzzle(sys.argv[1])
for spec in sys.argv[2:]:
    try:
        print(undoku.search(puzzle, spec).tally().nodes, undoku.Strategy.parse(spec).eliminates)
    except (undoku.UndokuError, ZeroDivisionError) as error:
        print(type(error).__name__, error)
"""

ALIKE = {
    "my-first": "row-major",
    "row-major/my-backwards": "row-major/descending",
    "my-first+my-hidden+forward": "row-major+forward",
}
RULES = {"mrv+my-placing": "False", "mrv+my-hidden": "True"}
"""Whether the rule eliminates candidates; a film shows no reasons of removals if not."""
WRONG = {
    "my-filled": "StrategyError a cell order returned 0, which is no empty cell",
    "my-far": "StrategyError a cell order returned 1000000, which is no empty cell",
    "my-failing": "ZeroDivisionError in an order",
    "my-drawn+lds": "StrategyError lds searches one tree again and again, but my-drawn forgets; "
    "combine lds with orders that neither learn nor draw, such as mrv+lds",
    "mrv/my-losing": "StrategyError a value order changed the options that it was to sort",
    "mrv+my-greedy": "StrategyError a rule returned 1000000 deductions, which is impossible",
    "mrv+my-wrong": "StrategyError a rule deduced 353025, which is no event of this puzzle",
}


def searched(folder: Path, *specs: str, **environment: str) -> list[str]:
    """What searches print that run in one process: nodes and whether candidates are eliminated, or
    the error."""
    (folder / "my_parts.py").write_text(MODULE)
    done = subprocess.run(
        [sys.executable, "-c", SEARCH, EASY.grid, *specs],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)])} | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_part_of_another_package_searches_as_the_built_in_one(tmp_path: Path) -> None:
    """In compiled and in plain loops."""
    specs = (*ALIKE, *ALIKE.values())
    compiled, plain = (searched(tmp_path, *specs, UNDOKU_PLAIN=plain) for plain in ("", "1"))
    assert compiled == plain
    nodes = [int(found.split()[0]) for found in compiled]
    assert nodes[: len(ALIKE)] == nodes[len(ALIKE) :] and min(nodes) > 10


def test_a_part_that_fails_or_breaks_its_contract_ends_the_search_with_a_sentence(
    tmp_path: Path,
) -> None:
    assert searched(tmp_path, *WRONG) == [*WRONG.values()]


def test_a_rule_says_whether_it_eliminates_candidates(tmp_path: Path) -> None:
    assert [found.split()[1] for found in searched(tmp_path, *RULES)] == [*RULES.values()]
