"""The state of searches: registers, phases, output, and the arrays of the general loop.

Every loop is resumable and works on preallocated arrays. It writes events until there is no room
for the next node, saves its state in its registers, and continues from there at the next call.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from undoku.h264.loops import F64, I64, I64_2D, U8, U32, group, inner
from undoku.solver.problem.problem import Problem
from undoku.solver.search.nogoods import Nogoods

# The state of every loop between two calls. NODE_LIMIT is the limit of nodes, 0 for none.
DEPTH, PHASE, GUESSES, UNDOS, BACKTRACKS, DEAD_ENDS, MAX_DEPTH, SOLUTIONS, NODE_LIMIT = range(9)
# Further state of the loop with inference.
FORCED, OTHERS, FILLED, TRAIL, BACKTRACKING, WAVE, CUT, WRITTEN = range(9, 17)
# The dead ends before the current run and the restarts so far; the next candidate to probe, and how
# many are left until a whole round has passed without a removal.
RUN_BEGAN, RESTARTS, PROBE_AT, PROBES_LEFT = range(17, 21)
# The guesses whose cell had another candidate, of every loop.
GUESSED = 21
# The choice with priority: see `undoku.solver.search.general_loop`.
PRIORITY = 22
REGISTERS = 23

# The next action of a loop: run inference at the root, examine a new node, try the next value of a
# node, probe a candidate. The last three are outcomes: at the first solution, after the whole tree,
# and when the next guess would exceed the limit of nodes.
PHASE_ENTER, PHASE_TRY, PHASE_ROOT, PHASE_PROBE = range(4)
PHASE_SOLVED, PHASE_EXHAUSTED, PHASE_CAPPED = range(4, 7)


@group
class Output(NamedTuple):
    """The output of a loop.

    labels    (size,) uint8   at v-1 the original value of the loop's value v: the loop tries its
                              own values in ascending order, for any order of values
    events    (m,) uint32     one EVENT each: op | value << 8 | cell << 16
    solution  (cells,) uint8  the first solution
    reasons   (m or 0, 2) int64   the reason of each event, if requested: the number of the rule,
                                  or one of BY_CHOICE, BY_NOGOOD, BY_PROBE, and the reason that
                                  the rule gave (see `undoku.solver.search.singles`)
    """

    labels: U8
    events: U32
    solution: U8
    reasons: I64_2D


BY_CHOICE, BY_NOGOOD, BY_PROBE = -1, -2, -3
"""In place of the number of a rule: a guess, a removal by a nogood, a removal by a failed probe."""


def no_output(problem: Problem) -> Output:
    """The output of a loop that only counts."""
    return Output(
        np.arange(1, problem.size + 1, dtype=np.uint8),
        np.empty(1, np.uint32),
        np.zeros(problem.cells, np.uint8),
        np.empty((0, 2), np.int64),
    )


@inner
def keep_solution(board: U8, output: Output) -> None:
    """Copy a full board to output.solution, with the original values."""
    for cell in range(len(board)):
        output.solution[cell] = output.labels[int(board[cell]) - 1]


@group
class Learned(NamedTuple):
    """The memory of one search, which backtracking does not change.

    weights   (u,) int64: 1 + how often a unit took a cell's last candidate
    activity  (cells,) float64: see `undoku.solver.search.dynamic_orders`; used by that order only
    dice      (2,) int64: see `undoku.solver.search.dynamic_orders`
    """

    weights: I64
    activity: F64
    dice: I64


CHRONOLOGICAL, CONFLICT_DIRECTED, LIMITED_DISCREPANCY = range(3)
PROBES_NOWHERE, PROBES_AT_ROOT, PROBES_EVERYWHERE = range(3)


@group
class SearchPlan(NamedTuple):
    """The parameters of a search.

    order       (n,) int64: the empty cells of the puzzle in the strategy's fixed order
    cell_order, value_order  their numbers in `undoku.solver.search.dynamic_orders`
    preference  (size,) int64: at v-1 the place of value v in the fixed order of values
    rules       (r,) int64: the rules, by their numbers in `undoku.solver.search.singles`
    outside     calls the parts of other packages, whose number is OUTSIDE
    node_rules  the rules that run at every node, bit k for rule k; the others run at the root only
    strict      whether a cell without candidates is a failure at once, not only when it is chosen
    root_fails  whether a cell without candidates is a failure of the root
    backtracking  CHRONOLOGICAL, CONFLICT_DIRECTED or LIMITED_DISCREPANCY
    last_conflict  whether the choice of the last guess before a dead end has priority
    shuffling   whether the options of a choice are shuffled before they are ranked
    activity    whether activities are counted
    probing     PROBES_NOWHERE, PROBES_AT_ROOT or PROBES_EVERYWHERE
    restart     the scale of the runs: see `undoku.solver.search.general_loop`; 0 for one run
    exhaustive  whether the search continues after the first solution
    reserve     the most events that a guess and its undo, or undoing all guesses, can make
    """

    order: I64
    cell_order: int
    value_order: int
    preference: I64
    rules: I64
    outside: OutsideParts
    node_rules: int
    strict: bool
    root_fails: bool
    backtracking: int
    last_conflict: bool
    shuffling: bool
    activity: bool
    probing: int
    restart: int
    exhaustive: bool
    reserve: int


OUTSIDE = 0
"""The number of an order or a rule of another package."""

CHOOSE, RANK = -1, -2
"""The parts of other packages besides rules, whose numbers are from 0 on."""

OutsideParts = Callable[[int, int], int]
"""Calls a part of another package at a depth: a cell order, which returns the choice, a value order
(see `undoku.solver.search.dynamic_orders`), or a rule (see `undoku.solver.search.singles`). It
can't raise: the engine stores an exception, ends the search before its next guess, and raises it
then."""


@group
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
    removal_levels  (n × size or 1, w) int64: the levels that caused the removal of each candidate
    cause_levels  (1, w) int64: the levels that caused the current deduction or failure
    conflict_sets  (n + 2, w) int64: per depth, the levels that caused the failures of its options
    stale       (u,) int64: see `undoku.solver.search.singles`
    learned     what cell orders use; its weights are 1 + the failures of each unit
    nogoods     see `undoku.solver.search.nogoods`
    reasons     (t, 2) int64: per entry of the trail the rule and its reason, as Output.reasons
    scratch     (m,) int64: working memory of rules, see `undoku.solver.search.singles`
    found       (m, 2) int64: the deductions of a rule
    registers   (REGISTERS,) int64: see `undoku.solver.search.search_state`
    """

    candidates: I64_2D
    board: U8
    trail: I64
    marks: I64
    options: I64_2D
    next: I64
    end: I64
    discrepancies: I64
    choices: I64
    removal_levels: I64_2D
    cause_levels: I64_2D
    conflict_sets: I64_2D
    stale: I64
    learned: Learned
    nogoods: Nogoods
    reasons: I64_2D
    scratch: I64
    found: I64_2D
    registers: I64
