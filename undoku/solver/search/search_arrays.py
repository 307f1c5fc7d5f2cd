"""The arrays of a search with inference."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.solver.search.learned import Learned
from undoku.solver.search.nogoods import Nogoods

__all__ = ["SLOTS", "Rules", "SearchArrays"]

SLOTS = 12
"""The number of rules for which loops are compiled; a search with more needs a loop of its own."""

Rules = tuple[Callable[..., int], ...]


class SearchArrays(NamedTuple):
    """The whole state of the search, preallocated: n cells, u units, w words in a set of levels.

    Sets of levels exist only for conflict-directed backjumping; see
    `undoku.solver.search.conflict_sets`.

    candidates  (n + 2, n) int64: per depth
    board       (n,) uint8
    trail       (t,) int64: the places and eliminations that have not been undone, as events
    marks       (n + 1,) int64: per depth, where the trail of its guess begins
    options     (n + 1, size) int64: per depth, value << 8 | cell << 16 in the order of trial
    next, end   (n + 1,) int64: per depth, the next option, and the number of options
    discrepancies  (n + 2,) int64: per depth, departures from the first option on the path to it
    choices     (n + 1,) int64: per depth, the choice: see `undoku.solver.search.dynamic_orders`
    priority_choice  (1,) int64: the choice with priority: see `undoku.solver.search.last_conflict`
    removal_levels  (n × size or 1, w) int64: the levels that caused the removal of each candidate
    cause_levels  (1, w) int64: the levels that caused the current deduction or failure
    conflict_sets  (n + 2, w) int64: per depth, the levels that caused the failures of its options
    stale       (u,) int64: see `undoku.solver.search.singles`
    learned     what cell orders use; its weights are 1 + the failures of each unit
    nogoods     see `undoku.solver.search.nogoods`
    reasons     (t, 2) int64: per entry of the trail the rule and its reason, as Output.reasons
    scratch     (5 × size,) int64: working memory of rules
    found       (m, 2) int64: the deductions of a rule
    registers   (REGISTERS,) int64: see `undoku.solver.search.bookkeeping`
    """

    candidates: NDArray[np.int64]
    board: NDArray[np.uint8]
    trail: NDArray[np.int64]
    marks: NDArray[np.int64]
    options: NDArray[np.int64]
    next: NDArray[np.int64]
    end: NDArray[np.int64]
    discrepancies: NDArray[np.int64]
    choices: NDArray[np.int64]
    priority_choice: NDArray[np.int64]
    removal_levels: NDArray[np.int64]
    cause_levels: NDArray[np.int64]
    conflict_sets: NDArray[np.int64]
    stale: NDArray[np.int64]
    learned: Learned
    nogoods: Nogoods
    reasons: NDArray[np.int64]
    scratch: NDArray[np.int64]
    found: NDArray[np.int64]
    registers: NDArray[np.int64]
