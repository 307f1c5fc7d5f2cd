"""The runs of one search: how many of its next frames copy sprites alone, and which sprites."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from render.drawing.sprite_index import SpriteIndex
from render.drawing.sprite_run import Sheet
from render.panels.board import BoardPanel
from render.panels.board_looks import PENCILS
from render.panels.counter_digits import NUMBERS, SLOTS
from render.panels.counters import CounterPanel
from render.panels.depth import DepthPanel
from render.playback.player import Packed, Player
from render.playback.recorders.history import History
from render.scene.batch_kernels import (
    COLUMNS,
    EVENT,
    PARTS,
    ROWS,
    TALLY,
    batch_board,
    batch_counters,
    scout,
)
from solver.ops import OP_UNDO

__all__ = ["Draft", "SearchBatcher"]

_MOST_PENCILS = 64
"""Steps of a run where cells show pencil marks: each step may draw twenty cells as none was
before."""


_Steps = NDArray[np.int64]
_Arguments = tuple[Any, ...]


class Draft:
    """What a run puts, while it is made: arrays as in `render.scene.batch_kernels`, for at most
    so many rows and columns of charts."""

    def __init__(self, rows: int, columns: int) -> None:
        self._rows = np.empty((rows, 4), np.int32)
        self.widths = np.empty(columns, np.int32)
        self.low = np.empty(columns, np.int32)
        self.high = np.empty(columns, np.int32)
        self.tally = np.zeros(TALLY, np.int64)

    def clear(self) -> None:
        self.tally[:] = 0

    def add(self, rows: NDArray[np.int32]) -> None:
        begun = int(self.tally[ROWS])
        self._rows[begun : begun + len(rows)] = rows
        self.tally[ROWS] += len(rows)

    @property
    def parts(self) -> tuple[int, int]:
        """How many parts of charts were put, and how many columns they have."""
        return int(self.tally[PARTS]), int(self.tally[COLUMNS])

    @property
    def all_rows(self) -> NDArray[np.int32]:
        return self._rows

    @property
    def rows(self) -> NDArray[np.int32]:
        """Those that were put."""
        return self._rows[: self.tally[ROWS]]


class SearchBatcher:
    """One search: its player and its panels."""

    def __init__(
        self,
        player: Player,
        history: History,
        board: BoardPanel,
        counter: CounterPanel,
        depth: DepthPanel | None,
        index: SpriteIndex,
    ) -> None:
        self._player = player
        self._history = history
        self._board = board
        self._counter = counter
        self._depth = depth
        self._index = index
        self._cells = board.places(index)
        self._kind = counter.kind(index)
        self._marks = np.zeros(SLOTS, np.uint8)
        self._numbers = np.empty((0, NUMBERS), np.int64)
        self._copies: _Arguments = tuple(array.copy() for array in player.snapshot.arrays)
        self._counted: Packed = np.empty(0, np.uint32)
        self._last_step = 0
        self._parts = 0, 0
        self._moves = False

    @property
    def most_rows(self) -> int:
        """The most that one frame puts."""
        return len(self._cells) + self._counter.fields * SLOTS + 1

    @property
    def columns(self) -> int:
        """Of its chart of depths."""
        return len(self._history.low)

    @property
    def cell_bytes(self) -> int:
        """Of a cell's picture."""
        return self._board.cell_bytes

    def reach(self, steps: _Steps) -> int:
        """How many of the next frames, the steps after which are given, show nothing but copies,
        counters that grow left aside."""
        snapshot, board = self._player.snapshot, self._board
        self._moves = not snapshot.finished or board.fades
        if not self._moves:
            return len(steps)
        done, most = snapshot.steps, board.most_steps
        if steps[0] - done > most or steps[0] >= snapshot.total:
            return 0
        last = min(snapshot.total - 1, self._last_at_hand())
        if board.shows & PENCILS:
            last = min(last, done + _MOST_PENCILS)
        frames = int(np.searchsorted(steps, last, "right"))
        (fast,) = np.nonzero(np.diff(steps[:frames]) > most)
        return int(fast[0]) + 1 if len(fast) else frames

    def _last_at_hand(self) -> int:
        """The steps after the last event at hand."""
        events, at = self._player.events
        if events is not self._counted:
            left = int(np.count_nonzero((events[at:] & 0xFF) <= OP_UNDO))
            self._counted, self._last_step = events, self._player.snapshot.steps + left
        return self._last_step

    def scout(self, steps: _Steps) -> int:
        """Find the numbers of these frames; returns how many frames come before the first on which
        a counter grows."""
        if not self._moves or not self._counter.fields:
            return len(steps)
        if len(self._numbers) < len(steps):
            self._numbers = np.zeros((len(steps), NUMBERS), np.int64)
        arrays: _Arguments = self._player.snapshot.arrays
        for copy, array in zip(self._copies, arrays, strict=True):
            np.copyto(copy, array)
        arguments: _Arguments = (
            steps,
            *self._player.events,
            *self._copies,
            *self._counter.to_scout,
            self._marks,
            self._numbers,
        )
        return scout(*arguments)

    def batch(self, steps: _Steps, draft: Draft) -> None:
        """Go through these frames, and put what differs in them."""
        player, snapshot = self._player, self._player.snapshot
        tally = draft.tally
        self._parts = draft.parts
        if not self._moves:
            player.advance(int(steps[-1]))
            return
        before = snapshot.steps if len(steps) == 1 else int(steps[-2])
        events, tally[EVENT] = player.events
        board, chart = self._board, self._depth
        arguments: _Arguments = (
            steps,
            events,
            *snapshot.arrays,
            self._history.total,
            *self._history.arrays,
            board.shows,
            board.deepest,
            board.fade_frames,
            *board.arrays,
            self._cells,
            chart.chart.x if chart else 0,
            chart.chart.y if chart else 0,
            draft.widths,
            draft.low,
            draft.high,
            *self._index.arrays,
            draft.all_rows,
            tally,
        )
        batch_board(*arguments)
        player.advanced(int(tally[EVENT]), int(steps[-1]) - before)
        if self._counter.fields:
            arguments = (
                self._numbers[: len(steps)],
                *self._counter.arrays,
                self._kind,
                *self._index.arrays,
                draft.all_rows,
                tally,
            )
            batch_counters(*arguments)

    def paint(self, sheet: Sheet, draft: Draft, end: tuple[int, int]) -> None:
        """Put the parts of its chart on a sheet; `end` are the parts and the columns of the draft
        where those of the next search begin."""
        (part, column), (last_part, last_column) = self._parts, end
        if self._depth and last_part > part:
            self._depth.paint_parts(
                sheet,
                draft.widths[part:last_part],
                draft.low[column:last_column],
                draft.high[column:last_column],
            )

    @property
    def parts(self) -> tuple[int, int]:
        """The parts and columns of the draft before its own."""
        return self._parts
