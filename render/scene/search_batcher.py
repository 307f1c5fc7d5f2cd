"""The runs of one search: how many of its next frames copy sprites alone, and which sprites."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from render.drawing.run_draft import DraftArrays
from render.drawing.sprite_run import Sheet
from render.panels.board import BoardPanel
from render.panels.board_looks import PENCILS
from render.panels.counter_digits import NUMBERS, SLOTS
from render.panels.counters import CounterPanel
from render.panels.depth import DepthPanel
from render.panels.depth_painting import ChartArrays, Parts
from render.playback.player import Packed, Player, Recorder
from render.playback.recorders.history import History
from render.scene.batch_kernels import batch_board, batch_counters, scout
from solver.ops import OP_UNDO
from solver.state import StateArrays

__all__ = ["RunParts", "SearchBatcher"]

_MOST_PENCILS = 64
"""Steps of a run where cells show pencil marks: each step may draw twenty cells as none was
before."""


_Steps = NDArray[np.int64]


class RunParts:
    """The parts of charts that a run puts: room for so many parts and columns."""

    def __init__(self, parts: int, columns: int) -> None:
        self.arrays = Parts(
            np.empty(parts, np.int32),
            np.empty(columns, np.int32),
            np.empty(columns, np.int32),
            np.zeros(2, np.int64),
        )

    def begin(self) -> None:
        self.arrays.counts[:] = 0

    @property
    def counts(self) -> tuple[int, int]:
        """How many parts and how many columns were put."""
        return int(self.arrays.counts[0]), int(self.arrays.counts[1])


class SearchBatcher:
    """One search: its player and its panels."""

    def __init__(
        self,
        player: Player,
        history: History,
        board: BoardPanel,
        counter: CounterPanel,
        depth: DepthPanel | None,
        others: Sequence[Recorder] = (),
    ) -> None:
        """`others` must see every event, too."""
        self._player = player
        self._others = others
        self._history = history
        self._board = board
        self._counter = counter
        self._depth = depth
        self._chart = depth.arrays if depth else ChartArrays(0, 0, np.zeros(3, np.int64))
        self._numbers = np.empty((0, NUMBERS), np.int64)
        self._copy = StateArrays._make(array.copy() for array in player.snapshot.arrays)
        self._counted: Packed = np.empty(0, np.uint32)
        self._last_step = 0
        self._begun = 0, 0
        self._moves = False
        self._view = board.view_of_run(0)

    @property
    def most_rows(self) -> int:
        """The most that one frame puts."""
        return len(self._board.arrays.cells) + self._counter.fields * SLOTS + 1

    @property
    def columns(self) -> int:
        """Of its chart of depths."""
        return len(self._history.low)

    @property
    def cell_bytes(self) -> int:
        """Of a cell's picture."""
        return self._board.cell_bytes

    def reach(self, at: int, steps: _Steps) -> int:
        """How many of the next frames, from the film's frame `at` on, the steps after which are
        given, show nothing but copies, counters that grow left aside."""
        snapshot, board = self._player.snapshot, self._board
        self._moves = not snapshot.finished or board.fades
        if not self._moves:
            return len(steps)
        alike = board.frames_alike(at, len(steps))
        if not alike or steps[0] >= snapshot.total:
            return 0
        self._view = board.view_of_run(at)
        last = min(snapshot.total - 1, self._last_at_hand())
        if self._view.shows & PENCILS:
            last = min(last, snapshot.steps + _MOST_PENCILS)
        return int(np.searchsorted(steps[:alike], last, "right"))

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
        copies: tuple[NDArray[Any], ...] = self._copy
        arrays: tuple[NDArray[Any], ...] = self._player.snapshot.arrays
        for copy, array in zip(copies, arrays, strict=True):
            np.copyto(copy, array)
        events, at = self._player.events
        return scout(steps, events, at, self._copy, self._counter.arrays, self._numbers)

    def batch(self, steps: _Steps, draft: DraftArrays, parts: RunParts) -> None:
        """Go through these frames, and put what differs in them."""
        player, snapshot = self._player, self._player.snapshot
        self._begun = parts.counts
        if not self._moves:
            player.advance(int(steps[-1]))
            return
        before = snapshot.steps if len(steps) == 1 else int(steps[-2])
        events, begun = player.events
        at = batch_board(
            steps,
            events,
            begun,
            snapshot.arrays,
            self._history.total,
            self._history.arrays,
            self._view,
            self._board.arrays,
            self._chart,
            parts.arrays,
            draft,
        )
        for recorder in self._others:
            recorder.record(events[begun:at])
        player.advanced(at, int(steps[-1]) - before)
        if self._counter.fields:
            batch_counters(self._numbers[: len(steps)], self._counter.arrays, draft)

    def paint(self, sheet: Sheet, parts: Parts, end: tuple[int, int]) -> None:
        """Put the parts of its chart on a sheet; `end` are the parts and the columns of the run
        where those of the next search begin."""
        (part, column), (last_part, last_column) = self._begun, end
        if self._depth and last_part > part:
            self._depth.paint_parts(
                sheet,
                parts.widths[part:last_part],
                parts.low[column:last_column],
                parts.high[column:last_column],
            )

    @property
    def begun(self) -> tuple[int, int]:
        """The parts and columns of the run before its own."""
        return self._begun
