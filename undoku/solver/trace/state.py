"""The state of a search after any of its events: a compiled loop over arrays."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.h264.loops import I32, I64, I64_2D, U8, U32, ReadI16_2D, inner, loop
from undoku.solver.problem.puzzle import Geometry, Puzzle
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

# The contents of the registers. Every guess that is taken back belongs to one of three classes: it
# is a dead end if no guess was made below it, a backtrack if one was (every value tried below has
# failed), and neither if the search continues after a solution or restarts. CHILD_UNDONE is set
# while the latest guess or undo of a guess is an undo, SOLVED_HERE if the board was a solution
# since then; forced places and their undos change neither.

STEPS, GUESSES, PLACES, UNDOS, BACKTRACKS, DEAD_ENDS, DEPTH, MAX_DEPTH = range(8)
FILLED, SOLUTIONS, CHILD_UNDONE, SOLVED_HERE, LAST_OP, LAST_CELL, LAST_VALUE = range(8, 15)
# RESTARTING is 1 from a restart on, 2 from the first undo after it, and 0 again from the next place
# on: guesses that are undone in between are not dead ends.
RESTARTS, NOGOODS, PROBES, RESTARTING, EVENTS = range(15, 20)
REGISTERS = 20

GUESS, FORCED, UNDO = OP_GUESS, OP_FORCED, OP_UNDO
"""The kinds of steps, in LAST_OP and, those of places, in `kinds`."""

OPEN = 255
"""In `kinds`: nothing is placed in this cell."""

NEVER = 1 << 62
"""A step number that no search reaches."""


class LastStep(NamedTuple):
    """A step: `value` was placed in `cell` or `undone`; `forced` if inference placed it."""

    cell: int
    value: int
    undone: bool
    forced: bool


class StateArrays(NamedTuple):
    """The arrays of `apply_steps` (cells = cells of the board, values = size + 1).

    units     (u, k) int16     the cells of each unit, -1 after the last of a shorter unit
    board     (cells,) uint8
    depths    (cells,) int32   guesses on the board when the cell was placed
    kinds     (cells,) uint8   the op that placed the cell, OPEN where nothing is placed
    changed   (cells,) uint8   set to 1 when a step changes the cell; never cleared here
    since     (cells,) int64   the step from which the cell has had its current content
    stood     (cells, values) int64  the number of steps that each value stood; 0 for the empty cell
    solution  (cells,) uint8   the first solution
    removed   (cells,) uint32  candidates that inference has removed, bit v - 1 for value v
    registers (REGISTERS,) int64
    """

    units: ReadI16_2D
    board: U8
    depths: I32
    kinds: U8
    changed: U8
    since: I64
    stood: I64_2D
    solution: U8
    removed: U32
    registers: I64


@loop
def _conflicts(board: U8, units: ReadI16_2D) -> bool:
    """Whether two cells of a unit hold the same value on a full board."""
    for unit in range(len(units)):
        seen = 0
        for cell in units[unit]:
            if cell < 0:
                break
            bit = 1 << int(board[cell])
            if seen & bit:
                return True
            seen |= bit
    return False


@inner
def apply_event(event: int, arrays: StateArrays) -> None:
    """Apply a packed event, op | value << 8 | cell << 16."""
    units, board, depths, kinds, changed, since, stood, solution, removed, registers = arrays
    registers[EVENTS] += 1
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
        return
    step = registers[STEPS]
    stood[cell, board[cell]] += step - since[cell]
    since[cell] = step
    if op == OP_UNDO:
        if registers[RESTARTING]:
            registers[RESTARTING] = 2
        value = board[cell]
        if kinds[cell] == OP_GUESS:
            if not registers[SOLVED_HERE] and not registers[RESTARTING]:
                registers[BACKTRACKS if registers[CHILD_UNDONE] else DEAD_ENDS] += 1
            registers[CHILD_UNDONE] = 1
            registers[SOLVED_HERE] = 0
            registers[DEPTH] -= 1
        kinds[cell] = OPEN
        board[cell] = 0
        registers[FILLED] -= 1
        registers[UNDOS] += 1
    else:
        board[cell] = value
        kinds[cell] = op
        registers[RESTARTING] = 0
        if op == OP_GUESS:
            registers[CHILD_UNDONE] = 0
            registers[SOLVED_HERE] = 0
            registers[GUESSES] += 1
            registers[DEPTH] += 1
            registers[MAX_DEPTH] = max(registers[MAX_DEPTH], registers[DEPTH])
        depths[cell] = registers[DEPTH]
        registers[PLACES] += 1
        registers[FILLED] += 1
        # A full board with a conflict is not a solution: its solver places values before it checks
        # them.
        if registers[FILLED] == len(board) and not _conflicts(board, units):
            registers[SOLVED_HERE] = 1
            if registers[SOLUTIONS] == 0:
                for index in range(len(board)):
                    solution[index] = board[index]
            registers[SOLUTIONS] += 1
    changed[cell] = 1
    registers[STEPS] = step + 1
    registers[LAST_OP] = op
    registers[LAST_CELL] = cell
    registers[LAST_VALUE] = value


@loop
def apply_events(events: U32, start: int, stop: int, arrays: StateArrays) -> None:
    """Apply packed events `start` to `stop` - 1."""
    for at in range(start, stop):
        apply_event(events[at], arrays)


@loop
def apply_steps(steps: Steps, start: int, stop: int, arrays: StateArrays) -> None:
    """Apply rows `start` to `stop` - 1 with the inference after each of them, and with row 0 that
    before it."""
    first = int(steps.starts[start]) if start else 0
    apply_events(steps.events, first, int(steps.starts[stop]), arrays)


@loop
def update_durations(
    board: U8,
    since: I64,
    stood: I64_2D,
    registers: I64,
) -> None:
    """Add the steps since its last change to the current content of every cell."""
    now = registers[STEPS]
    for cell in range(len(board)):
        stood[cell, board[cell]] += now - since[cell]
        since[cell] = now


@lru_cache(maxsize=32)
def unit_table(geometry: Geometry) -> NDArray[np.int16]:
    """(units, k) int16: the cells of each unit, -1 after the last of a unit of fewer than k."""
    widest = max(len(unit.cells) for unit in geometry.units)
    table = np.full((len(geometry.units), widest), -1, np.int16)
    for number, unit in enumerate(geometry.units):
        table[number, : len(unit.cells)] = unit.cells
    table.setflags(write=False)
    return table


def _register(number: int) -> property:
    """A register as a plain int."""

    def read(state: State) -> int:
        return int(state.registers[number])

    return property(read)


class State:
    """The current state of a search. Its arrays (see StateArrays) are changed in place.

    `steps`, `guesses`, `places`, `undos`, `backtracks`, `dead_ends` count so far; `depth` is the
    number of guesses on the board, `max_depth` the largest so far; `filled` counts the cells that
    hold a value, `solutions` the full boards without conflict; `restarts`, `nogoods` and `probes`
    count the events of that kind so far.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        cells = puzzle.geometry.cells
        self.board = puzzle.board.copy()
        self.depths = np.zeros(cells, np.int32)
        self.kinds = np.full(cells, OPEN, np.uint8)
        self.changed = np.zeros(cells, np.uint8)
        self.since = np.zeros(cells, np.int64)
        self.stood = np.zeros((cells, puzzle.size + 1), np.int64)
        self.solution = np.zeros(cells, np.uint8)
        self.removed = np.zeros(cells, np.uint32)
        self.registers = np.zeros(REGISTERS, np.int64)
        self.registers[FILLED] = int(np.count_nonzero(self.board))
        self.arrays = StateArrays(
            unit_table(puzzle.geometry),
            self.board,
            self.depths,
            self.kinds,
            self.changed,
            self.since,
            self.stood,
            self.solution,
            self.removed,
            self.registers,
        )
        """The arrays themselves, not copies."""
        if self.filled == cells:
            self.solution[:] = self.board
            self.registers[SOLUTIONS] = self.registers[SOLVED_HERE] = 1

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

    def update_durations(self) -> None:
        """Update `stood` to the current step, also for cells that have not changed."""
        update_durations(self.board, self.since, self.stood, self.registers)

    def conflicts(self) -> bool:
        """Whether a full board has a value twice in a unit."""
        return _conflicts(self.board, self.arrays.units)

    @property
    def last(self) -> LastStep | None:
        """The last step, or None before the first."""
        if not self.steps:
            return None
        op, cell, value = self.registers[LAST_OP : LAST_VALUE + 1].tolist()
        return LastStep(cell, value, undone=op == UNDO, forced=op == FORCED)

    steps = _register(STEPS)
    guesses = _register(GUESSES)
    places = _register(PLACES)
    undos = _register(UNDOS)
    backtracks = _register(BACKTRACKS)
    dead_ends = _register(DEAD_ENDS)
    depth = _register(DEPTH)
    max_depth = _register(MAX_DEPTH)
    filled = _register(FILLED)
    solutions = _register(SOLUTIONS)
    restarts = _register(RESTARTS)
    nogoods = _register(NOGOODS)
    probes = _register(PROBES)
    events = _register(EVENTS)

    @property
    def restarting(self) -> bool:
        """Whether the last step took back a value because of a restart."""
        return bool(self.registers[RESTARTING] == 2)

    def tally(self, outcome: Outcome | None, *, exhaustive: bool = False) -> Tally:
        """The counts so far. Without an `outcome`, a solved board means solved (unless the search
        is `exhaustive`) and anything else capped, because such a trace does not show that the
        search had ended."""
        if outcome is None:
            solved = self.filled == len(self.board) and not self.conflicts()
            outcome = Outcome.SOLVED if solved and not exhaustive else Outcome.CAPPED
        dead_ends = self.dead_ends
        if outcome is Outcome.EXHAUSTED and not self.guesses and not self.solutions:
            dead_ends = 1  # the root itself had a cell without candidates
        return Tally(
            outcome=outcome,
            solutions=self.solutions,
            solution=tuple(self.solution.tolist()) if self.solutions else None,
            guesses=self.guesses,
            places=self.places,
            undos=self.undos,
            backtracks=self.backtracks,
            dead_ends=dead_ends,
            max_depth=self.max_depth,
            events=self.events,
            restarts=self.restarts,
        )
