"""Frames of a race: the next ones, or the present one. Their steps and counts, and how far they are
alike, for code that makes many frames at once."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from undoku.h264.loops import I64, I64_2D, loop
from undoku.render.playback.player import Player, Snapshot
from undoku.render.timeline.timeline import Phase, Shot, Timeline
from undoku.solver.trace.state import COUNTS, StateArrays, apply_steps
from undoku.solver.trace.steps import NO_STEPS, Steps

_NO_ENDS = np.zeros(1, np.int64)


class NextEvents(NamedTuple):
    """The steps of a search that the next frames show. Frame n shows rows `ends[n - 1]` to
    `ends[n]` - 1; the first frame begins at row `begun`.

    steps                                  the available steps
    ends       (frames,) int64
    registers  (frames, COUNTS) int64      the first registers of undoku.solver.trace.state after
    each frame
    """

    steps: Steps
    begun: int
    ends: I64
    registers: I64

    @property
    def shown(self) -> Steps:
        """The columns of the steps of all frames; their events are all those available."""
        rows = slice(self.begun, int(self.ends[-1]))
        return self.steps._replace(
            **{name: getattr(self.steps, name)[rows] for name in self.steps._fields[3:]}
        )


@loop
def _look_ahead(
    steps: Steps, begun: int, ends: I64, search: StateArrays, registers: I64_2D
) -> None:
    """Advance `search`, a copy, from row `begun` to the ends (frames,) of each frame, and fill in
    `registers`."""
    for frame in range(len(ends)):
        end = int(ends[frame])
        if end > begun:
            apply_steps(steps, begun, end, search)
            begun = end
        registers[frame, :COUNTS] = search.registers[:COUNTS]


class NextFrames:
    """The next frames of the film, from frame `start` on, of one tick each. `steps` (searches,
    frames) int64 are the steps of each search after each frame. All of their steps are available,
    and no search ends in them. `snapshots` are the states of the searches before these frames.

    A single frame whose steps have already been applied is `present`: its snapshots are those on
    the frame, and it shows no further ones. `still` states whether it is a single picture, not one
    of a film.
    """

    def __init__(
        self,
        timeline: Timeline,
        start: int,
        steps: I64,
        players: Sequence[Player] = (),
        snapshots: Sequence[Snapshot] = (),
    ) -> None:
        self.timeline = timeline
        self.start = start
        self.steps = steps
        self.present = self.still = False
        self._players = players
        self.snapshots = snapshots or [player.snapshot for player in players]
        self._moves = tuple(not snapshot.finished for snapshot in self.snapshots)
        self._known: dict[int, NextEvents] = {}

    @classmethod
    def at(cls, timeline: Timeline, shot: Shot, snapshots: Sequence[Snapshot]) -> NextFrames:
        """The present frame, that of a shot."""
        steps = np.array([snapshot.steps for snapshot in snapshots], np.int64)[:, None]
        frame = cls(timeline, shot.start, steps, snapshots=snapshots)
        frame.present, frame.still = True, shot.phase is Phase.STILL
        frame._moves = tuple(snapshot.span > 0 for snapshot in snapshots)
        frame._known = {
            number: NextEvents(NO_STEPS, 0, _NO_ENDS, snapshot.registers[None, :COUNTS])
            for number, snapshot in enumerate(snapshots)
        }
        return frame

    def __len__(self) -> int:
        return int(self.steps.shape[1])

    def first(self, frames: int) -> NextFrames:
        """The first `frames` (1..len) of these frames."""
        if frames == len(self):
            return self
        cut = NextFrames(self.timeline, self.start, self.steps[:, :frames], self._players)
        cut._moves = self._moves
        cut._known = {
            search: NextEvents(steps, begun, ends[:frames], registers[:frames])
            for search, (steps, begun, ends, registers) in self._known.items()
        }
        return cut

    def moves(self, search: int) -> bool:
        """Whether a search has not ended yet; on a present frame, whether it has taken a step."""
        return self._moves[search]

    def events(self, search: int) -> NextEvents:
        """The events of a search that these frames show."""
        found = self._known.get(search)
        if found is None:
            player = self._players[search]
            steps, begun = player.upcoming
            # A search that has ended has no further rows, though the film goes on.
            ends = np.clip(self.steps[search] - steps.first, begun, len(steps.cells))
            registers = np.empty((len(self), COUNTS), np.int64)
            # A copy is advanced, so that the snapshot remains in the state of the current frame.
            arrays = player.snapshot.arrays
            taken = arrays.resources.taken.copy()
            resources = arrays.resources._replace(taken=taken)
            copy = StateArrays._make([resources, *(array.copy() for array in arrays[1:])])
            _look_ahead(steps, begun, ends, copy, registers)
            found = self._known[search] = NextEvents(steps, begun, ends, registers)
        return found

    @property
    def last_spans(self) -> list[int]:
        """The number of steps that the last of these frames shows, for each search."""
        if len(self) > 1:
            before = self.steps[:, -2].tolist()
        else:
            before = [snapshot.steps for snapshot in self.snapshots]
        return [now - then for now, then in zip(self.steps[:, -1].tolist(), before, strict=True)]

    def before_step(self, search: int) -> int:
        """The number of frames before the first one that shows a further step of a search."""
        done = self.snapshots[search].steps
        return int(np.searchsorted(self.steps[search], done, "right"))

    def before_change(self, search: int, register: int) -> int:
        """The number of frames before the first one on which a register of a search differs from
        its current value."""
        if not self.moves(search):
            return len(self)
        now = self.snapshots[search].registers[register]
        (others,) = np.nonzero(self.events(search).registers[:, register] != now)
        return int(others[0]) if len(others) else len(self)

    def before(self, turns: Sequence[int]) -> int:
        """The number of frames before the first one that is in `turns`, frames of the film in
        ascending order."""
        at = bisect_left(turns, self.start)
        return min(len(self), turns[at] - self.start) if at < len(turns) else len(self)
