"""The state at any event, and the proof that a trace is sound."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.errors import TraceError
from solver.trace import Header, Op, Trace

__all__ = ["Replay", "board_at", "check"]


class Replay:
    """A board that applies events one by one and refuses the first that doesn't fit.

    `board` is (cells,) uint8, 0 where a cell is empty; `steps` counts places and undos so far.
    """

    def __init__(self, header: Header) -> None:
        self._header = header
        self._geometry = header.puzzle.geometry
        self.board: NDArray[np.uint8] = header.puzzle.board.copy()
        self._placed: list[int] = []
        self._removed: set[tuple[int, int]] = set()
        self.steps = 0
        self.events = 0

    def apply(self, op: int, value: int, cell: int) -> int:
        """Apply one event; returns the value that an undo took back, else `value`.

        An undo may give value 0: "whatever stands there". Raises TraceError saying what doesn't
        fit; the board is then as before.
        """
        geometry = self._geometry
        if op not in Op.__members__.values():
            raise TraceError(f"there is no event {op}")
        if not 0 <= cell < geometry.cells:
            raise TraceError(
                f"there is no cell {cell}: this board has the cells 0 to {geometry.cells - 1}"
            )
        if not (1 <= value <= geometry.size or (value == 0 and op == Op.UNDO)):
            raise TraceError(f"value {value} is out of range 1 to {geometry.size}")
        name = geometry.cell_name(cell)
        stands = int(self.board[cell])
        if op in (Op.GUESS, Op.FORCED):
            self._check_place(value, cell, name, stands)
            self.board[cell] = value
            self._placed.append(cell)
        elif op == Op.UNDO:
            value = self._check_undo(value, cell, name, stands)
            self._placed.pop()
            self.board[cell] = 0
        elif op == Op.ELIMINATE:
            if (cell, value) in self._removed:
                raise TraceError(f"{value} is eliminated from {name} twice")
            if stands:
                raise TraceError(f"{value} is eliminated from {name}, which holds {stands}")
            self._removed.add((cell, value))
        else:
            if (cell, value) not in self._removed:
                raise TraceError(f"{value} is restored to {name}, but was not eliminated from it")
            self._removed.remove((cell, value))
        self.steps += op <= Op.UNDO
        self.events += 1
        return value

    def _check_place(self, value: int, cell: int, name: str, stands: int) -> None:
        if self._header.puzzle.givens[cell]:
            raise TraceError(f"{name} is a given and can't be placed")
        if stands:
            raise TraceError(f"{name} holds {stands} already, so {value} can't be placed")
        if (cell, value) in self._removed:
            raise TraceError(f"{value} was eliminated from {name} and can't be placed there")

    def _check_undo(self, value: int, cell: int, name: str, stands: int) -> int:
        if not self._placed or not stands or self._header.puzzle.givens[cell]:
            raise TraceError(f"{name} holds nothing that was placed, so there is nothing to undo")
        if value and value != stands:
            raise TraceError(f"{name} holds {stands}, but {value} is undone")
        if self._placed[-1] != cell:
            last = self._geometry.cell_name(self._placed[-1])
            raise TraceError(f"{name} is undone before {last}, which was placed after it")
        return stands

    def conflict(self) -> str:
        """Names two equal values in one unit of the present board, or "" if there are none."""
        for unit in self._geometry.units:
            first: dict[int, int] = {}
            for cell in unit.cells:
                value = int(self.board[cell])
                if value and value in first:
                    names = self._geometry.cell_name
                    return f"{names(first[value])} and {names(cell)} in {unit.name} hold {value}"
                first[value] = cell
        return ""


def check(trace: Trace) -> None:
    """Replay the whole trace.

    Raises TraceError naming the first event (counted from 1) that doesn't fit, or the conflict
    on a board that the trace calls solved.
    """
    replay = Replay(trace.header)
    solved = 0
    for chunk in trace.chunks():
        for op, value, cell in chunk.tolist():
            try:
                replay.apply(op, value, cell)
            except TraceError as error:
                raise TraceError(f"event {replay.events + 1}: {error.message}") from None
            if op <= Op.FORCED and replay.board.all():
                solved += 1
                if conflict := replay.conflict():
                    raise TraceError(f"the board is full, but {conflict}")
    if not solved and trace.tally().solutions and len(trace.header.puzzle.empty_cells):
        raise TraceError("the trace says solved, but its board never was")


def board_at(trace: Trace, step: int) -> NDArray[np.uint8]:
    """(cells,) uint8: the board after `step` steps, 0 for the givens alone.

    Raises TraceError when the trace has fewer steps.
    """
    board = trace.header.puzzle.board.copy()
    left = step
    for chunk in trace.chunks():
        for op, value, cell in chunk.tolist():
            if left == 0:
                return board
            if op <= Op.UNDO:
                board[cell] = 0 if op == Op.UNDO else value
                left -= 1
    if left:
        raise TraceError(f"there is no step {step}: the trace ends at step {step - left}")
    return board
