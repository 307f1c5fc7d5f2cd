"""The common part of all search loops: registers, phases, output, solutions.

Every loop is resumable and works on preallocated arrays. It writes events until there is no room
for the next node, saves its state in its registers, and continues from there at the next call.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.machine_code.jit import inner

__all__ = [
    "BACKTRACKING",
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

# The state of every loop between two calls. NODE_LIMIT is the limit of nodes, 0 for none.
DEPTH, PHASE, GUESSES, UNDOS, BACKTRACKS, DEAD_ENDS, MAX_DEPTH, SOLUTIONS, NODE_LIMIT = range(9)
# Further state of the loop with inference.
FORCED, OTHERS, FILLED, TRAIL, BACKTRACKING, WAVE, CUT, WRITTEN = range(9, 17)
# The dead ends before the current run and the restarts so far; the next candidate to probe, and how
# many are left until a whole round has passed without a removal.
RUN_BEGAN, RESTARTS, PROBE_AT, PROBES_LEFT = range(17, 21)
REGISTERS = 21

# The next action of a loop: run inference at the root, examine a new node, try the next value of a
# node, probe a candidate. The last three are outcomes: at the first solution, after the whole tree,
# and when the next guess would exceed the limit of nodes.
PHASE_ENTER, PHASE_TRY, PHASE_ROOT, PHASE_PROBE = range(4)
PHASE_SOLVED, PHASE_EXHAUSTED, PHASE_CAPPED = range(4, 7)


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

    labels: NDArray[np.uint8]
    events: NDArray[np.uint32]
    solution: NDArray[np.uint8]
    reasons: NDArray[np.int64]


BY_CHOICE, BY_NOGOOD, BY_PROBE = -1, -2, -3
"""In place of the number of a rule: a guess, a removal by a nogood, a removal by a failed probe."""


@inner
def keep_solution(board: NDArray[np.uint8], output: Output) -> None:
    """Copy a full board to output.solution, with the original values."""
    for cell in range(len(board)):
        output.solution[cell] = output.labels[int(board[cell]) - 1]


@inner
def load_counts(registers: NDArray[np.int64]) -> tuple[int, int, int, int, int, int]:
    """(depth, phase, guesses, dead ends, largest depth, solutions) of a search without inference:
    these counters are local variables of the loop, which is faster than an array."""
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
    """Save the counters of `load_counts`, and the counts that follow from them: a guess that is not
    on the board has been taken back, and a guess that was taken back is a backtrack if it was
    neither a dead end nor completed a solution."""
    undos = guesses - depth
    backtracks = 0
    if guesses:  # otherwise the dead end or the solution is the root, which is never taken back
        backtracks = undos - dead_ends - solutions
        if phase == PHASE_SOLVED:  # the last solution is still on the board
            backtracks += 1
    registers[DEPTH] = depth
    registers[PHASE] = phase
    registers[GUESSES] = guesses
    registers[UNDOS] = undos
    registers[BACKTRACKS] = backtracks
    registers[DEAD_ENDS] = dead_ends
    registers[MAX_DEPTH] = max_depth
    registers[SOLUTIONS] = solutions
