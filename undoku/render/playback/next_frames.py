"""The next frames of a race, before they are drawn: their steps and counts, and the extent to which
they are alike, for code that makes many frames at once."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.machine_code.jit import lean
from undoku.render.playback.player import Packed, Player
from undoku.render.timeline.timeline import Timeline
from undoku.solver.trace.state import REGISTERS, STEPS, StateArrays, fold

__all__ = ["NextEvents", "NextFrames"]

_I64 = NDArray[np.int64]


class NextEvents(NamedTuple):
    """The events of a search that the next frames show. Frame n shows the events `ends[n - 1]` to
    `ends[n]` - 1; the first frame begins at `begun`.

    packed     (n,) uint32                 the available events
    ends       (frames,) int64
    registers  (frames, REGISTERS) int64   the registers of undoku.solver.trace.state after each
    frame
    """

    packed: Packed
    begun: int
    ends: _I64
    registers: _I64

    @property
    def shown(self) -> Packed:
        """The events of all frames."""
        return self.packed[self.begun : int(self.ends[-1])]


@lean
def _look_ahead(
    steps: _I64, packed: Packed, at: int, search: StateArrays, ends: _I64, registers: _I64
) -> None:
    """Advance `search`, a copy, to the `steps` (frames,) of each frame, and fill in `ends` and
    `registers`. Its next event has index `at`."""
    for frame in range(len(steps)):
        if steps[frame] > search.registers[STEPS]:
            at = fold(packed, at, int(steps[frame]), search)
        ends[frame] = at
        for register in range(REGISTERS):
            registers[frame, register] = search.registers[register]


class NextFrames:
    """The next frames of the film, from frame `start` on, of one tick each. `steps` (searches,
    frames) int64 are the steps of each search after each frame. All of their events are available,
    and no search ends in them."""

    def __init__(
        self, timeline: Timeline, start: int, steps: _I64, players: Sequence[Player]
    ) -> None:
        self.timeline = timeline
        self.start = start
        self.steps = steps
        self.players = players
        self._moves = tuple(not player.snapshot.finished for player in players)
        self._known: dict[int, NextEvents] = {}

    def __len__(self) -> int:
        return int(self.steps.shape[1])

    def first(self, frames: int) -> NextFrames:
        """The first `frames` (1..len) of these frames."""
        if frames == len(self):
            return self
        cut = NextFrames(self.timeline, self.start, self.steps[:, :frames], self.players)
        cut._moves = self._moves
        cut._known = {
            search: NextEvents(packed, begun, ends[:frames], registers[:frames])
            for search, (packed, begun, ends, registers) in self._known.items()
        }
        return cut

    def moves(self, search: int) -> bool:
        """Whether a search has not ended yet."""
        return self._moves[search]

    def events(self, search: int) -> NextEvents:
        """The events of a search that these frames show."""
        found = self._known.get(search)
        if found is None:
            player = self.players[search]
            packed, begun = player.events
            ends = np.empty(len(self), np.int64)
            registers = np.empty((len(self), REGISTERS), np.int64)
            # A copy is advanced, so that the snapshot remains in the state of the current frame.
            arrays: tuple[NDArray[Any], ...] = player.snapshot.arrays
            copy = StateArrays._make(array.copy() for array in arrays)
            _look_ahead(self.steps[search], packed, begun, copy, ends, registers)
            found = self._known[search] = NextEvents(packed, begun, ends, registers)
        return found

    @property
    def last_spans(self) -> list[int]:
        """The number of steps that the last of these frames shows, for each search."""
        if len(self) > 1:
            before = self.steps[:, -2].tolist()
        else:
            before = [player.snapshot.steps for player in self.players]
        return [now - then for now, then in zip(self.steps[:, -1].tolist(), before, strict=True)]

    def before_step(self, search: int) -> int:
        """The number of frames before the first one that shows a further step of a search."""
        done = self.players[search].snapshot.steps
        return int(np.searchsorted(self.steps[search], done, "right"))

    def before_change(self, search: int, register: int) -> int:
        """The number of frames before the first one on which a register of a search differs from
        its current value."""
        if not self.moves(search):
            return len(self)
        now = self.players[search].snapshot.registers[register]
        (others,) = np.nonzero(self.events(search).registers[:, register] != now)
        return int(others[0]) if len(others) else len(self)

    def before(self, turns: Sequence[int]) -> int:
        """The number of frames before the first one that is in `turns`, frames of the film in
        ascending order."""
        at = bisect_left(turns, self.start)
        return min(len(self), turns[at] - self.start) if at < len(turns) else len(self)
