"""What the loops of all searches have in common: registers, phases, where they write, solutions.

Every loop is a resumable loop over preallocated arrays. It writes events until there is no room for
the next node, saves where it stands in its registers, and goes on from there at the next call.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.jit import inner

__all__ = [
    "BACKTRACKS",
    "BY_CHOICE",
    "BY_NOGOOD",
    "BY_PROBE",
    "CUT",
    "DEAD_ENDS",
    "DEPTH",
    "FILLED",
    "FORCED",
    "GUESSES",
    "MAX_DEPTH",
    "NODE_LIMIT",
    "OTHERS",
    "PHASE",
    "PHASE_CAPPED",
    "PHASE_ENTER",
    "PHASE_EXHAUSTED",
    "PHASE_PROBE",
    "PHASE_ROOT",
    "PHASE_SOLVED",
    "PHASE_TRY",
    "PROBES_LEFT",
    "PROBE_AT",
    "REGISTERS",
    "RESTARTS",
    "RETREATING",
    "RUN_BEGAN",
    "SOLUTIONS",
    "TRAIL",
    "UNDOS",
    "WAVE",
    "WRITTEN",
    "Output",
    "keep_solution",
    "load_counts",
    "store_counts",
]

# What every loop keeps between two calls. NODE_LIMIT is the most nodes of the search, 0 for any.
DEPTH, PHASE, GUESSES, UNDOS, BACKTRACKS, DEAD_ENDS, MAX_DEPTH, SOLUTIONS, NODE_LIMIT = range(9)
# What only the loop with inference keeps.
FORCED, OTHERS, FILLED, TRAIL, RETREATING, WAVE, CUT, WRITTEN = range(9, 17)
# The dead ends before the present run and the restarts so far; the next candidate to be probed and
# how many are left to look at until none of a whole round has been removed.
RUN_BEGAN, RESTARTS, PROBE_AT, PROBES_LEFT = range(17, 21)
REGISTERS = 21

# What a loop does next: run inference at the root, look at a node that it has reached, try the
# node's next value, probe a candidate. The last three are ends: at the first solution, after the
# whole tree, and where the next guess would exceed the limit of nodes.
PHASE_ENTER, PHASE_TRY, PHASE_ROOT, PHASE_PROBE = range(4)
PHASE_SOLVED, PHASE_EXHAUSTED, PHASE_CAPPED = range(4, 7)


class Output(NamedTuple):
    """Where a loop tells what it does.

    labels    (size,) uint8   the value that the loop's value v stands for, at v-1: the loop tries
                              its own values in ascending order, whatever order is meant
    events    (m,) uint32     one EVENT each: op | value << 8 | cell << 16
    solution  (cells,) uint8  the first solution
    reasons   (m or 0, 2) int64   why an event was made, where somebody wants to know: the number of
                              the rule, or one of BY_CHOICE, BY_NOGOOD, BY_PROBE, and the rule's
                              reason (see `solver.inference.singles`)
    """

    labels: NDArray[np.uint8]
    events: NDArray[np.uint32]
    solution: NDArray[np.uint8]
    reasons: NDArray[np.int64]


BY_CHOICE, BY_NOGOOD, BY_PROBE = -1, -2, -3
"""In place of a rule's number: a guess, what nogoods rule out, what a failed probe rules out."""


@inner
def keep_solution(board: NDArray[np.uint8], output: Output) -> None:
    """Copy a full board, in the loop's values, to output.solution."""
    for cell in range(len(board)):
        output.solution[cell] = output.labels[int(board[cell]) - 1]


@inner
def load_counts(registers: NDArray[np.int64]) -> tuple[int, int, int, int, int, int]:
    """(depth, phase, guesses, dead ends, largest depth, solutions) of a search without inference:
    what such a loop counts itself, in local variables, which is quicker than in an array."""
    return (
        registers[DEPTH],
        registers[PHASE],
        registers[GUESSES],
        registers[DEAD_ENDS],
        registers[MAX_DEPTH],
        registers[SOLUTIONS],
    )


@inner
def store_counts(
    registers: NDArray[np.int64],
    depth: int,
    phase: int,
    guesses: int,
    dead_ends: int,
    max_depth: int,
    solutions: int,
) -> None:
    """Save what `load_counts` loads, with the counts that follow from it: a guess that doesn't
    stand has been taken back, and what was taken back and was neither a dead end nor completed a
    solution was a backtrack."""
    undos = guesses - depth
    backtracks = 0
    if guesses:  # else a dead end or a solution is the root itself, which is never taken back
        backtracks = undos - dead_ends - solutions
        if phase == PHASE_SOLVED:  # the last solution still stands
            backtracks += 1
    registers[DEPTH] = depth
    registers[PHASE] = phase
    registers[GUESSES] = guesses
    registers[UNDOS] = undos
    registers[BACKTRACKS] = backtracks
    registers[DEAD_ENDS] = dead_ends
    registers[MAX_DEPTH] = max_depth
    registers[SOLUTIONS] = solutions
