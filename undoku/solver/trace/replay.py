"""The state after any event, and the check that a trace is valid.

The rules are the same for traces of undoku's searches and of other programs:

    place      the cell is on the board, no given, and empty; the value is in range, not eliminated.
               A peer may hold the same value, because a solver may place it before it checks; such
               a board is not a solution, even if it is full.
    undo       takes back the latest place that has not been undone, after all eliminations since
               that place have been restored.
    eliminate  the cell is empty and the value not eliminated from it yet.
    restore    the value was eliminated since the latest place that has not been undone.
    restart    nothing is placed before all guesses have been taken back.
    learn      a nogood has at least one guess and at most as many as the board has cells.
    probe      the cell is empty and the value not eliminated from it.
    solved     the board is full and no unit holds a value twice. Where no unit has two cells, the
               solver decides.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.errors import TraceError
from undoku.h264.loops import I32, I64, U32, group, loop
from undoku.solver.search.ops import (
    OP_ELIMINATE,
    OP_FORCED,
    OP_LEARN,
    OP_PROBE,
    OP_RESTART,
    OP_RESTORE,
    OP_UNDO,
)
from undoku.solver.trace.state import (
    DEPTH,
    OPEN,
    PLACES,
    RESTARTING,
    STEPS,
    State,
    StateArrays,
    apply_events,
)
from undoku.solver.trace.steps import steps_of
from undoku.solver.trace.trace import Events, Header, Op, Outcome, Tally, Trace


@group
class _CheckArrays(NamedTuple):
    """What must be known besides the state of a search to check its events.

    placed      (cells + 1,) int32: the cells of the places on the board, the latest last
    level       (cells × size,) int32: per candidate 0, or 1 + the number of places on the board
                when it was eliminated
    eliminated  (cells + 1,) int32: per number of places on the board, how many candidates have been
                eliminated since the latest of them
    last_op     (1,) int64: the last allowed operation
    """

    placed: I32
    level: I32
    eliminated: I32
    last_op: I64


@loop
def _advance(events: U32, size: int, state: StateArrays, check: _CheckArrays) -> int:
    """Apply packed events until one is invalid; returns the number of applied ones. Writes the
    value that is taken back into undos of value 0.
    """
    placed, level, eliminated = check.placed, check.level, check.eliminated
    board, registers = state.board, state.registers
    last = check.last_op[0]
    cells = len(board)
    for index in range(len(events)):
        event = events[index]
        op = event & 0xFF
        value = (event >> 8) & 0xFF
        cell = event >> 16
        if op > last:
            return index
        if op in (OP_RESTART, OP_LEARN):
            if value or (cell and op == OP_RESTART) or (op == OP_LEARN and not 0 < cell <= cells):
                return index
            apply_events(events, index, index + 1, state)
            continue
        if cell >= cells or value > size or (value == 0 and op != OP_UNDO):
            return index
        count = 2 * registers[PLACES] - registers[STEPS]
        if op == OP_UNDO:
            if count == 0 or placed[count - 1] != cell or eliminated[count]:
                return index
            if value == 0:
                events[index] = event | (np.uint32(board[cell]) << 8)
            elif value != board[cell]:
                return index
        else:
            candidate = cell * size + value - 1
            if op == OP_RESTORE:
                if level[candidate] != count + 1:
                    return index
                level[candidate] = 0
                eliminated[count] -= 1
            elif board[cell] or level[candidate]:
                return index
            elif op == OP_ELIMINATE:
                level[candidate] = count + 1
                eliminated[count] += 1
            elif op <= OP_FORCED:
                if registers[RESTARTING] and registers[DEPTH]:
                    return index
                placed[count] = cell
        apply_events(events, index, index + 1, state)
    return len(events)


class Replay(State):
    """The state of a search that applies events one by one and refuses the first invalid one."""

    def __init__(self, header: Header) -> None:
        super().__init__(header.puzzle)
        problem = header.puzzle.problem
        self._problem = problem
        self._exhaustive = header.exhaustive
        self._last_op = OP_PROBE if header.version > 1 else OP_RESTORE
        self._check = _CheckArrays(
            np.zeros(problem.cells + 1, np.int32),
            np.zeros(problem.cells * problem.size, np.int32),
            np.zeros(problem.cells + 1, np.int32),
            np.array([self._last_op], np.int64),
        )
        self._one = np.empty(1, np.uint32)

    @property
    def latest(self) -> int:
        """The cell of the latest place that has not been undone, -1 if there is none."""
        return int(self._check.placed[self.standing - 1]) if self.standing else -1

    def advance(self, events: Events) -> int:
        """Apply (n,) of EVENT until one is invalid; returns the number of applied ones. If it is
        less than n, `apply` on the next one reports the mistake. Writes the value into every
        undo without one.
        """
        return self._advanced(events.view(np.uint32))

    def apply(self, op: int, value: int, cell: int) -> int:
        """Apply one event; returns the value that an undo took back, otherwise `value`. The value
        of an undo may be 0, for whatever the cell holds. Raises TraceError with the mistake and
        leaves the board unchanged.
        """
        if 0 <= op <= OP_PROBE and 0 <= value <= 0xFF and 0 <= cell <= 0xFFFF:
            self._one[0] = op | value << 8 | cell << 16
            if self._advanced(self._one):
                return int(self._one[0]) >> 8 & 0xFF
        self._refuse(op, value, cell)
        raise AssertionError("an event was refused without a reason")

    def _advanced(self, packed: NDArray[np.uint32]) -> int:
        return _advance(packed, self._problem.size, self.arrays, self._check)

    def apply_all(self, events: Events, noun: str = "event") -> None:
        """Apply (n,) of EVENT. Writes the value into every undo without one. Raises TraceError that
        names the first invalid one by `noun` and number, counted from 1 over all events."""
        if (fitting := self.advance(events)) < len(events):
            try:
                self.apply(*events[fitting].item())
            except TraceError as error:
                raise TraceError(f"{noun} {self.events + 1}: {error.message}") from None

    def _refuse(self, op: int, value: int, cell: int) -> None:
        """Raise the TraceError that explains why an event is invalid."""
        problem = self._problem
        if not 0 <= op <= Op.PROBE:
            raise TraceError(f"there is no event {op}")
        if op > self._last_op:
            raise TraceError(
                f"there is no event {Op(op).name.lower()} in version 1 of the format",
                remedy='begin with {"undoku":2,…}',
            )
        if op == Op.RESTART:
            raise TraceError("a restart event must not name a cell or value")
        if op == Op.LEARN:
            raise TraceError(f"a nogood of {cell} guesses: give 1 to {problem.cells}")
        if not 0 <= cell < problem.cells:
            raise TraceError(
                f"there is no cell {cell}: this board has the cells 0 to {problem.cells - 1}"
            )
        if not (1 <= value <= problem.size or (value == 0 and op == Op.UNDO)):
            raise TraceError(f"value {value} is out of range 1 to {problem.size}")
        name = problem.cell_name(cell)
        stands = int(self.board[cell])
        if op <= Op.FORCED:
            self._refuse_place(value, cell, name, stands)
        elif op == Op.UNDO:
            self._refuse_undo(value, cell, name, stands)
        elif op == Op.PROBE:
            held = f"holds {stands}" if stands else "has lost it"
            raise TraceError(f"{value} is probed in {name}, which {held}")
        elif op == Op.ELIMINATE and stands:
            raise TraceError(f"{value} is eliminated from {name}, which holds {stands}")
        elif op == Op.ELIMINATE:
            raise TraceError(f"{value} is eliminated from {name} twice")
        elif not self._check.level[cell * problem.size + value - 1]:
            raise TraceError(f"{value} is restored to {name}, but was not eliminated from it")
        else:
            last = problem.cell_name(self.latest)
            raise TraceError(
                f"{value} is restored to {name} before {last} is undone, which was placed after "
                "the elimination"
            )

    def _refuse_place(self, value: int, cell: int, name: str, stands: int) -> None:
        if stands and self.arrays.kinds[cell] == OPEN:
            raise TraceError(f"{name} is a given and can't be placed")
        if stands:
            raise TraceError(f"{name} holds {stands} already, so {value} can't be placed")
        if self._check.level[cell * self._problem.size + value - 1]:
            raise TraceError(f"{value} was eliminated from {name} and can't be placed there")
        guess = self._problem.cell_name(int(np.argmax(self.decided)))
        raise TraceError(
            f"{name} is placed after a restart, before the guess in {guess} is taken back"
        )

    def _refuse_undo(self, value: int, cell: int, name: str, stands: int) -> None:
        if self.arrays.kinds[cell] == OPEN:
            raise TraceError(f"{name} is undone, but nothing was placed there")
        if value and value != stands:
            raise TraceError(f"{name} holds {stands}, but {value} is undone")
        if self.latest != cell:
            last = self._problem.cell_name(self.latest)
            raise TraceError(f"{name} is undone before {last}, which was placed after it")
        left = int(self._check.eliminated[self.standing])
        more = f" (and {left - 1} more)" if left > 1 else ""
        raise TraceError(f"{name} is undone before {self._first_eliminated()}{more}")

    def _first_eliminated(self) -> str:
        """A text that names one candidate that must be restored before the latest place is
        undone."""
        candidate = int(np.argmax(self._check.level == self.standing + 1))
        cell, value = divmod(candidate, self._problem.size)
        return f"{value + 1} is restored to {self._problem.cell_name(cell)}"

    def conflict(self) -> str:
        """A sentence on two values of the board that exclude each other, or "" if there are
        none."""
        return self._problem.conflict(self.board.tolist())

    def so_far(self) -> Tally:
        """The counts of a trace that is capped here."""
        return self.tally(Outcome.CAPPED)

    def close(self, outcome: Outcome | None) -> Tally:
        """The counts of a trace that ends here with `outcome`, or without one: then a solved board
        means solved, unless the search is exhaustive. Raises TraceError if the trace states solved
        but the board is not; where nothing excludes anything, the solver decides what is solved.
        """
        checked = outcome is Outcome.SOLVED and not self._problem.is_free
        if checked and self.filled < len(self.board):
            empty = int(np.argmin(self.board))
            raise TraceError(
                f"the trace says solved, but {self._problem.cell_name(empty)} is empty"
            )
        if checked and (conflict := self.conflict()):
            raise TraceError(f"the trace says solved, but {conflict}")
        return self.tally(outcome, exhaustive=self._exhaustive)


def check(trace: Trace) -> None:
    """Replay the whole trace.

    Raises TraceError that names the first invalid event (counted from 1), or the reason why the
    last board is not the solution that the trace claims.

    >>> undoku.check(undoku.search("1.....3..4.....2", "mrv"))
    """
    replay = Replay(trace.header)
    for chunk in trace.chunks():
        replay.apply_all(np.array(chunk))
    replay.close(trace.tally().outcome)


def state_at(trace: Trace, step: int) -> State:
    """The state after `step` steps, 0 for the givens alone. Raises TraceError if the trace has
    fewer steps."""
    if step < 0:
        raise TraceError(f"there is no step {step}: steps count from 0, the givens alone")
    state = State(trace.header.puzzle)
    for steps in steps_of(trace):
        if state.steps >= step:
            break
        state.play(steps, step)
    if state.steps < step:
        raise TraceError(f"there is no step {step}: the trace ends at step {state.steps}")
    return state


def board_at(trace: Trace, step: int) -> NDArray[np.uint8]:
    """(cells,) uint8: the board of `state_at`.

    >>> undoku.board_at(undoku.search("1.....3..4.....2"), 2)[:4]
    array([1, 2, 4, 0], dtype=uint8)
    """
    return state_at(trace, step).board
