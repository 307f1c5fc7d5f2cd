"""The state of a search after any of its events: a compiled loop over arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.h264.loops import I32, I64, U8, U8_2D, U32, group, inner, loop, rarely
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.problem.resources import (
    SUDOKU_WIDTH,
    Resources,
    free_values,
    resources_of,
    set_taken,
)
from undoku.solver.search.ops import (
    OP_ELIMINATE,
    OP_FORCED,
    OP_GUESS,
    OP_LEARN,
    OP_PROBE,
    OP_RESTART,
    OP_RESTORE,
    OP_UNDO,
)
from undoku.solver.trace.steps import Steps
from undoku.solver.trace.trace import Outcome, Tally

# The contents of the registers. Every decision that is taken back belongs to one of three classes:
# it is a dead end if no decision was made below it, a backtrack if one was, and neither if the
# search continues after a solution or restarts. LATEST says which of these came last: a decision,
# the undo of one, a solution; places by inference and their undos do not change it. LAST is the
# last step, op | value << 8 | cell << 16, also of an undo with the value that it takes back.
# GUESSED are the places so far whose cell had another option. The first registers are COUNTS, which
# are kept for each frame.
STEPS, DECISIONS, PLACES, GUESSED, BACKTRACKS, DEAD_ENDS, DEPTH, LAST = range(8)
SOLUTIONS, RESTARTS, NOGOODS, PROBES = range(8, 12)
COUNTS = 12
# RESTARTING is 1 from a restart on, 2 from the first undo after it, and 0 again from the next place
# on: decisions that are undone in between are not dead ends.
MAX_DEPTH, LATEST, RESTARTING, EVENTS = range(12, 16)
# The cells that another cell of the board excluded when they were placed; and, which does not
# change, the cells that were empty at the beginning.
CLASHES, EMPTY = range(16, 18)
REGISTERS = 18

DECIDED, TAKEN_BACK, SOLVED = range(3)
"""The contents of LATEST."""

GUESS, FORCED, UNDO = OP_GUESS, OP_FORCED, OP_UNDO
"""The kinds of steps, in LAST and, those of places, in `kinds`."""

SOLE, OPEN = 4, 255
"""In `kinds`: a decision whose cell had no other option; nothing is placed in this cell. Decisions
have even numbers."""

NEVER = 1 << 62
"""A step number that no search reaches."""


class LastStep(NamedTuple):
    """A step: `value` was placed in `cell` or `undone`; `forced` if inference placed it."""

    cell: int
    value: int
    undone: bool
    forced: bool


@group
class StateArrays(NamedTuple):
    """The arrays of `apply_steps` (cells = cells of the board).

    resources                  those of the problem, taken by the board
    clashes   (cells, 1 + k) uint8  column 0 is 1 while the cell has a value that another cell or
                               its domain excluded; then column 1 + k is 1 if another cell took the
                               same resource of its k-th unit before
    board     (cells,) uint8
    depths    (cells,) int32   decisions on the board when the cell was placed
    kinds     (cells,) uint8   how the cell was placed: GUESS, SOLE or FORCED; OPEN where nothing is
                               placed
    changed   (cells,) uint8   set to 1 when a step changes the cell; never cleared here
    solution  (cells,) uint8   the first solution
    removed   (cells,) uint32  candidates that inference has removed, bit v - 1 for value v
    registers (REGISTERS,) int64
    """

    resources: Resources
    clashes: U8_2D
    board: U8
    depths: I32
    kinds: U8
    changed: U8
    solution: U8
    removed: U32
    registers: I64


@inner
def options_of(cell: int, resources: Resources) -> int:
    """The values that neither its domain nor its peers exclude from an empty cell, as a mask."""
    return free_values(cell, resources.width, len(resources.shifts) > 0, resources)


@inner
def _shift(number: int, shifts: I64) -> int:
    return int(shifts[number]) if len(shifts) else 0


@inner
def _note_clash(cell: int, value: int, arrays: StateArrays) -> None:
    """Note the resources of a place that other cells have taken before."""
    arrays.registers[CLASHES] += 1
    arrays.clashes[cell, 0] = 1
    resources = arrays.resources
    for k in range(resources.width):
        number = cell * resources.width + k
        taken = resources.taken[resources.units[number]] >> _shift(number, resources.shifts)
        arrays.clashes[cell, 1 + k] = taken >> (value - 1) & 1


@inner
def _leave_to_others(cell: int, value: int, arrays: StateArrays) -> None:
    """Mark the resources again that other cells had taken before this one."""
    arrays.registers[CLASHES] -= 1
    arrays.clashes[cell, 0] = 0
    resources = arrays.resources
    for k in range(resources.width):
        bit = int(arrays.clashes[cell, 1 + k]) << (value - 1)
        number = cell * resources.width + k
        resources.taken[resources.units[number]] |= bit << _shift(number, resources.shifts)


@loop
def apply_events(events: U32, start: int, stop: int, arrays: StateArrays) -> None:
    """Apply packed events `start` to `stop` - 1, each op | value << 8 | cell << 16."""
    width, shifted = arrays.resources.width, len(arrays.resources.shifts) > 0
    if width == SUDOKU_WIDTH and not shifted:
        # Constants in this call, for which the compiler makes a loop of their own.
        _apply(events, start, stop, SUDOKU_WIDTH, False, arrays)
    else:
        _apply(events, start, stop, width, shifted, arrays)


@inner
def _apply(
    events: U32, start: int, stop: int, width: int, shifted: bool, arrays: StateArrays
) -> None:
    """`apply_events` for cells with `width` units, which have shifts or not."""
    board, depths, kinds, changed = arrays.board, arrays.depths, arrays.kinds, arrays.changed
    solution, removed = arrays.solution, arrays.removed
    registers, resources = arrays.registers, arrays.resources
    # Counters of most steps are kept in local variables.
    step, last = int(registers[STEPS]), int(registers[LAST])
    depth, places = int(registers[DEPTH]), int(registers[PLACES])
    for at in range(start, stop):
        event = int(events[at])
        op = event & 0xFF
        cell = event >> 16
        value = (event >> 8) & 0xFF
        if op > OP_UNDO:
            if op == OP_ELIMINATE:
                removed[cell] |= np.uint32(1) << np.uint32(value - 1)
            elif op == OP_RESTORE:
                removed[cell] &= ~(np.uint32(1) << np.uint32(value - 1))
            elif op == OP_RESTART:
                registers[RESTARTS] += 1
                registers[RESTARTING] = 1
            elif op == OP_LEARN:
                registers[NOGOODS] += 1
            elif op == OP_PROBE:
                registers[PROBES] += 1
            continue
        step += 1
        changed[cell] = 1
        if op == OP_UNDO:
            before = int(board[cell])
            if registers[RESTARTING]:
                registers[RESTARTING] = 2
            if not kinds[cell] & 1:
                if registers[LATEST] != SOLVED and not registers[RESTARTING]:
                    registers[BACKTRACKS if registers[LATEST] else DEAD_ENDS] += 1
                registers[LATEST] = TAKEN_BACK
                depth -= 1
            set_taken(cell, 1 << (before - 1), False, width, shifted, resources)
            if registers[CLASHES] and arrays.clashes[cell, 0]:
                rarely()
                _leave_to_others(cell, before, arrays)
            kinds[cell] = OPEN
            board[cell] = 0
            last = event | before << 8
        else:
            free, bit = free_values(cell, width, shifted, resources), 1 << (value - 1)
            if not free & bit:
                rarely()
                _note_clash(cell, value, arrays)
            set_taken(cell, bit, True, width, shifted, resources)
            if registers[RESTARTING]:
                registers[RESTARTING] = 0
            last, places = event, places + 1
            if op == OP_GUESS:
                guessed = free & ~(int(removed[cell]) | bit) != 0
                registers[GUESSED] += guessed
                op = GUESS if guessed else SOLE
                registers[LATEST] = DECIDED
                registers[DECISIONS] += 1
                depth += 1
                registers[MAX_DEPTH] = max(registers[MAX_DEPTH], depth)
            board[cell] = value
            kinds[cell] = op
            depths[cell] = depth
            # A full board with a conflict is not a solution: its solver places values before it
            # checks them.
            if 2 * places - step == registers[EMPTY] and registers[CLASHES] == 0:
                registers[LATEST] = SOLVED
                if registers[SOLUTIONS] == 0:
                    solution[:] = board
                registers[SOLUTIONS] += 1
    registers[STEPS], registers[LAST] = step, last
    registers[DEPTH], registers[PLACES] = depth, places
    registers[EVENTS] += max(0, stop - start)


@loop
def apply_steps(steps: Steps, start: int, stop: int, arrays: StateArrays) -> None:
    """Apply rows `start` to `stop` - 1 with the inference after each of them, and with row 0 that
    before it."""
    first = int(steps.starts[start]) if start else 0
    apply_events(steps.events, first, int(steps.starts[stop]), arrays)


def _register(number: int) -> property:
    """A register as a plain int."""

    def read(state: State) -> int:
        return int(state.registers[number])

    return property(read)


class State:
    """The current state of a search. Its arrays (see StateArrays) are changed in place.

    `steps`, `decisions`, `places`, `undos`, `backtracks`, `dead_ends` count so far; decisions are
    the places that the search made, not inference; `depth` is the number of decisions on the board,
    `max_depth` the largest so far; `filled` counts the cells that hold a value, `solutions` the
    full boards without conflict; `restarts`, `nogoods` and `probes` count the events of that kind
    so far.

    Each place so far is `guessed` or `forced`: guessed if it is a decision and its cell had another
    option, a value that no peer holds and that inference has not removed (docs/trace-format.md has
    the definition). `standing` places are on the board.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        cells = puzzle.problem.cells
        resources = resources_of(puzzle.problem, puzzle.board)
        self.arrays = StateArrays(
            resources,
            clashes=np.zeros((cells, 1 + resources.width), np.uint8),
            board=puzzle.board.copy(),
            depths=np.zeros(cells, np.int32),
            kinds=np.full(cells, OPEN, np.uint8),
            changed=np.zeros(cells, np.uint8),
            solution=np.zeros(cells, np.uint8),
            removed=np.zeros(cells, np.uint32),
            registers=np.zeros(REGISTERS, np.int64),
        )
        """The arrays themselves, not copies."""
        self.board, self.removed, self.solution, self.registers = (
            self.arrays.board, self.arrays.removed, self.arrays.solution, self.arrays.registers,
        )  # fmt: skip
        self.registers[EMPTY] = cells - self.filled
        if self.filled == cells:
            self.solution[:] = self.board
            self.registers[SOLUTIONS], self.registers[LATEST] = 1, SOLVED

    def play(self, steps: Steps, until: int = NEVER) -> None:
        """Apply those of `steps` that have not been applied, up to the one before step number
        `until` (from 0), and the inference after it."""
        done = self.steps - steps.first
        stop = min(until - steps.first, len(steps.cells))
        if stop > done:
            apply_steps(steps, done, stop, self.arrays)

    def apply_events(self, packed: NDArray[np.uint32]) -> None:
        """Apply packed events, (n,) of op | value << 8 | cell << 16."""
        apply_events(packed, 0, len(packed), self.arrays)

    def record(self, steps: Steps, start: int, stop: int) -> None:
        """Observe a search: see `undoku.solver.trace.steps.Observer`."""
        if len(steps.cells):
            self.play(steps, steps.first + stop)
        else:
            self.apply_events(steps.events)

    def conflicts(self) -> bool:
        """Whether two cells of the board exclude each other."""
        return bool(self.registers[CLASHES])

    @property
    def solved(self) -> bool:
        """Whether every cell holds a value, and none excludes another."""
        return self.filled == len(self.board) and not self.conflicts()

    @property
    def last(self) -> LastStep | None:
        """The last step, or None before the first."""
        if not self.steps:
            return None
        last = int(self.registers[LAST])
        op = last & 0xFF
        return LastStep(last >> 16, last >> 8 & 0xFF, undone=op == UNDO, forced=op == FORCED)

    steps = _register(STEPS)
    decisions = _register(DECISIONS)
    places = _register(PLACES)
    backtracks = _register(BACKTRACKS)
    dead_ends = _register(DEAD_ENDS)
    depth = _register(DEPTH)
    max_depth = _register(MAX_DEPTH)
    solutions = _register(SOLUTIONS)
    restarts = _register(RESTARTS)
    nogoods = _register(NOGOODS)
    probes = _register(PROBES)
    events = _register(EVENTS)
    guessed = _register(GUESSED)

    @property
    def undos(self) -> int:
        return int(self.steps - self.places)

    @property
    def filled(self) -> int:
        return int(np.count_nonzero(self.board))

    @property
    def decided(self) -> NDArray[np.bool_]:
        """(cells,): whether the search placed the value on the board, not inference."""
        return np.equal(self.arrays.kinds % 2, 0)

    @property
    def forced(self) -> int:
        return int(self.places - self.guessed)

    @property
    def standing(self) -> int:
        return int(self.places - self.undos)

    @property
    def restarting(self) -> bool:
        """Whether the last step took back a value because of a restart."""
        return bool(self.registers[RESTARTING] == 2)

    def tally(self, outcome: Outcome | None, *, exhaustive: bool = False) -> Tally:
        """The counts so far. Without an `outcome`, a solved board means solved (unless the search
        is `exhaustive`) and anything else capped, because such a trace does not show that the
        search had ended."""
        if outcome is None:
            outcome = Outcome.SOLVED if self.solved and not exhaustive else Outcome.CAPPED
        dead_ends, solutions, solution = self.dead_ends, self.solutions, self.solution
        if outcome is Outcome.SOLVED and not solutions:  # the solver says so
            solutions, solution = 1, self.board
        if outcome is Outcome.EXHAUSTED and not self.decisions and not self.solutions:
            dead_ends = 1  # the root itself had a cell without candidates
        return Tally(
            outcome=outcome,
            solutions=solutions,
            solution=tuple(solution.tolist()) if solutions else None,
            decisions=self.decisions,
            guessed=self.guessed,
            places=self.places,
            undos=self.undos,
            backtracks=self.backtracks,
            dead_ends=dead_ends,
            max_depth=self.max_depth,
            events=self.events,
            restarts=self.restarts,
        )
