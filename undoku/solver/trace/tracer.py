"""Records the search of any Python solver as a trace.

Two lines in the solver are enough:

>>> from undoku import Puzzle, Tracer
>>> tracer = Tracer("53..7....6..195....98....6.8...6...34..8.3..17...2...6"
...                 ".6....28....419..5....8..79")
>>> def solve(board):
...     if 0 not in board:
...         return True
...     cell = board.index(0)
...     for value in range(1, 10):
...         if all(board[peer] != value for peer in tracer.puzzle.problem.peers[cell]):
...             board[cell] = value
...             tracer.place(cell, value)
...             if solve(board):
...                 return True
...             board[cell] = 0
...             tracer.undo(cell)
...     return False
>>> solve(list(tracer.puzzle.givens))
True
>>> tracer.trace().tally().outcome
<Outcome.SOLVED: 'solved'>
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from undoku.errors import TraceError
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.problem.sources import as_puzzle
from undoku.solver.trace.reasons import Reasons, parse_reason
from undoku.solver.trace.replay import Replay
from undoku.solver.trace.stream import LiveTrace, Spool
from undoku.solver.trace.trace import CHUNK, EVENT, Events, Header, Op, Outcome, Trace


class Tracer:
    """Records the events of a solver, and checks each of them at once.

    An invalid call (an undo of a cell that was not placed last, a place on a given) raises
    TraceError. Events take four bytes each, in a temporary file when there are many.
    """

    def __init__(
        self,
        puzzle: Puzzle | str | Sequence[object],
        *,
        strategy: str = "",
        title: str = "",
        exhaustive: bool = False,
    ) -> None:
        self.puzzle = as_puzzle(puzzle)
        self.header = Header(self.puzzle, strategy, title, exhaustive)
        self._replay = Replay(self.header._replace(version=2))
        self._spool = Spool()
        self._chunk = np.empty(CHUNK, EVENT)
        self._filled = 0
        self._reasons = Reasons()

    def place(
        self, cell: int, value: int, *, forced: bool = False, rule: str = "", unit: str = ""
    ) -> None:
        """Record that `value` (1..size) was placed in `cell` (0.., row by row), as a guess or
        `forced`; optionally with the `rule`, such as "hidden-single", and the `unit` in which it
        applied, such as "row 4"."""
        self._record(Op.FORCED if forced else Op.GUESS, value, cell, rule, unit)

    def undo(self, cell: int | None = None) -> None:
        """Record that the value in `cell`, by default the latest one, was taken back."""
        if cell is None:
            if self._replay.latest < 0:
                raise TraceError("nothing is placed, so there is nothing to undo")
            cell = self._replay.latest
        self._record(Op.UNDO, 0, cell)

    def eliminate(self, cell: int, value: int, *, rule: str = "", unit: str = "") -> None:
        """Record that inference removed `value` from the candidates of `cell`, optionally with the
        `rule` and its `unit`."""
        self._record(Op.ELIMINATE, value, cell, rule, unit)

    def restore(self, cell: int, value: int) -> None:
        """Record that backtracking restored `value` to the candidates of `cell`."""
        self._record(Op.RESTORE, value, cell)

    def restart(self) -> None:
        """Record a restart; each guess must be undone before anything is placed."""
        self._record(Op.RESTART, 0, 0)

    def learn(self, guesses: int) -> None:
        """Record that a nogood with this number of `guesses` was learned."""
        self._record(Op.LEARN, 0, guesses)

    def probe(self, cell: int, value: int) -> None:
        """Record that inference placed `value` in `cell` tentatively and removed it again."""
        self._record(Op.PROBE, value, cell)

    def _record(self, op: Op, value: int, cell: int, rule: str = "", unit: str = "") -> None:
        reason = parse_reason({"rule": rule} | ({"unit": unit} if unit else {})) if rule else None
        value = self._replay.apply(op, int(value), int(cell))
        if op > Op.RESTORE:
            self.header = self.header._replace(version=2)
        if reason:
            self._reasons.add(self._replay.events - 1, reason)
        self._chunk[self._filled] = (op, value, cell)
        self._filled += 1
        if self._filled == CHUNK:
            self._flush()

    def _flush(self) -> None:
        if self._filled:
            self._spool.append(self._chunk[: self._filled])
            self._filled = 0

    def trace(self, outcome: Outcome | str | None = None) -> Trace:
        """The trace recorded so far. Recording can continue; the returned trace does not change.

        Without an `outcome` the last board decides: solved if it is a solution, or holds anything
        where nothing excludes anything; exhausted if all places have been taken back; otherwise
        capped. Raises TraceError for an unknown outcome, or
        for solved if the board is not a solution.
        """
        if outcome is not None and outcome not in list(Outcome):
            raise TraceError(f"{outcome!r} is not an outcome: solved, exhausted or capped")
        replay = self._replay
        if outcome is None and replay.events and not replay.solved:
            if not replay.standing:
                outcome = Outcome.EXHAUSTED
            elif self.puzzle.problem.is_free:
                outcome = Outcome.SOLVED
        tally = replay.close(None if outcome is None else Outcome(outcome))
        self._flush()
        recorded = self._recorded(self._spool.events)
        trace = LiveTrace(self.header, recorded, lambda: (tally, False), lambda: tally)
        trace.reasons = self._reasons
        return trace

    def _recorded(self, events: int) -> Iterator[Events]:
        position = 0
        while position < events:
            chunk = self._spool.read(position)[: events - position]
            position += len(chunk)
            yield chunk
