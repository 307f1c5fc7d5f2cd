"""The strategy of a search as parameters of the loop with inference."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "CHRONOLOGICAL",
    "CONFLICT_DIRECTED",
    "LIMITED_DISCREPANCY",
    "PROBES_AT_ROOT",
    "PROBES_EVERYWHERE",
    "PROBES_NOWHERE",
    "SearchPlan",
]

CHRONOLOGICAL, CONFLICT_DIRECTED, LIMITED_DISCREPANCY = range(3)
PROBES_NOWHERE, PROBES_AT_ROOT, PROBES_EVERYWHERE = range(3)


class SearchPlan(NamedTuple):
    """The parameters of a search.

    order       (n,) int64: the empty cells of the puzzle in the strategy's fixed order
    rule_count  the number of rules that run
    node_rules  the rules that run at every node, bit k for rule k; the others run at the root only
    strict      whether a cell without candidates is a failure at once, not only when it is chosen
    strict_root the same at the root
    backtracking  CHRONOLOGICAL, CONFLICT_DIRECTED or LIMITED_DISCREPANCY
    last_conflict  whether the choice of the last guess before a dead end has priority
    shuffling   whether the options of a choice are shuffled before they are ranked
    activity    whether activities are counted
    learning    whether failed sets of guesses are recorded as nogoods
    probing     PROBES_NOWHERE, PROBES_AT_ROOT or PROBES_EVERYWHERE
    restart     the scale of the runs: see `undoku.solver.search.restarts`; 0 for a search of one
    run exhaustive  whether the search continues after the first solution
    reserve     the most events that a guess and its undo, or undoing all guesses, can make
    """

    order: NDArray[np.int64]
    rule_count: int
    node_rules: int
    strict: bool
    strict_root: bool
    backtracking: int
    last_conflict: bool
    shuffling: bool
    activity: bool
    learning: bool
    probing: int
    restart: int
    exhaustive: bool
    reserve: int
