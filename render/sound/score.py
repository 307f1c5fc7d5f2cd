"""What is heard and when: a film's steps as notes, as a texture where they are too many, and what
stands out. No samples yet.

One pass over each search makes it. What is kept grows with the film, not with the search: some 20
bytes for each frame of the race, and some 20 for each step that has a note of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from render.sound.density import Density, density_of
from render.sound.sample_clock import RATE, sample_of, samples_of
from render.timing.step_table import steps_through
from render.timing.timeline import Timeline
from solver.ops import OP_UNDO
from solver.trace import Outcome, Tally, Trace, is_step

__all__ = ["Fall", "Notes", "Score", "SearchScore", "compose"]

_I64 = NDArray[np.int64]
_F32 = NDArray[np.float32]
_Bool = NDArray[np.bool_]

LEAST_FALL = 4
"""Undos in a row that are a collapse."""

_FAST_FALL = Fraction(1, 4)
"""The share of the board that must be given up at once for it to be heard in a texture."""

_FALLS_APART = Fraction(1)
"""Seconds: of the collapses in each such span the largest is heard."""

_READ = 1 << 16
"""Steps that are looked at together, at least."""


@dataclass(frozen=True)
class Notes:
    """Steps with a sound of their own, in order. `samples` (n,) int64 is where each begins,
    `depths` (n,) float32 the depth from 0 to 1, `undone` which are undos, `falling` which of these
    belong to a collapse, `frames` (n,) int64 the frame of the race."""

    samples: _I64
    depths: _F32
    undone: _Bool
    falling: _Bool
    frames: _I64


@dataclass(frozen=True, slots=True)
class Fall:
    """A collapse inside a texture: from which sample on, and from which depth to which."""

    sample: int
    above: float
    below: float


@dataclass(frozen=True)
class SearchScore:
    """One search: `depths` and `spreads` (frames of the race,) float32 are the mean depth of the
    steps of each frame and how far apart they are; `end` is the sample on which it ends, and how,
    None where the film doesn't show that."""

    density: Density
    notes: Notes
    depths: _F32
    spreads: _F32
    falls: tuple[Fall, ...] = ()
    end: tuple[int, Outcome] | None = None
    accents: tuple[int, ...] = ()


@dataclass(frozen=True)
class Score:
    """A film's sound of `samples` samples. `starts` (frames of the race + 1,) int64 are where the
    frames of the race begin, the one after it included."""

    samples: int
    starts: _I64
    searches: tuple[SearchScore, ...] = field(default_factory=tuple)


def compose(
    traces: Sequence[Trace],
    tallies: Sequence[Tally],
    timeline: Timeline,
    accents: Iterable[tuple[int, int]] = (),
) -> Score:
    """The score of a film. `accents` are (search, frame of the film), for what it says."""
    starts = samples_of(timeline.intro, timeline.race + 1, timeline.fps)
    bounds = steps_through(timeline, 0, timeline.race + 1)
    said = [(search, sample_of(frame, timeline.fps)) for search, frame in accents]
    searches = []
    for number, (trace, tally) in enumerate(zip(traces, tallies, strict=True)):
        found = _Reading(trace, bounds[:, number], starts, timeline.fps).score()
        end = None
        if bounds[0, number] < tally.steps == bounds[-1, number]:
            frame = timeline.frame_of(number, tally.steps)
            end = sample_of(frame, timeline.fps), tally.outcome
        own = sorted(sample for search, sample in said if search == number)
        searches.append(
            SearchScore(
                found.density, found.notes, found.depths, found.spreads, found.falls, end,
                tuple(own),
            )
        )  # fmt: skip
    # Not a part of a sample longer than the film.
    samples = int(timeline.duration * RATE)
    return Score(samples, starts, tuple(searches))


class _Reading:
    """Reads one trace. `bounds` (frames + 1,) are the steps done before each frame of the race and
    after the last."""

    def __init__(self, trace: Trace, bounds: _I64, starts: _I64, fps: Fraction) -> None:
        self._trace = trace
        self._bounds = np.ascontiguousarray(bounds)
        self._starts = starts
        self._fps = fps
        board = trace.header.puzzle.board
        self._cells = max(1, int(np.count_nonzero(board == 0)))
        self.density = density_of(np.diff(self._bounds), fps)
        frames = len(bounds) - 1
        self._sums = np.zeros(frames)
        self._low = np.full(frames, np.inf, np.float32)
        self._high = np.full(frames, -np.inf, np.float32)
        self._notes: list[tuple[_I64, _F32, _Bool, _Bool, _I64]] = []
        self._largest: dict[int, tuple[int, Fall]] = {}
        """By span of time the collapse of most undos in it."""

    def score(self) -> SearchScore:
        done, filled = 0, 0
        for undone in _whole_runs(self._trace):
            if done >= self._bounds[-1]:
                break
            after = filled + np.cumsum(np.where(undone, -1, 1))
            if done + len(undone) > self._bounds[0]:
                self._take(undone, after, done)
            done += len(undone)
            filled = int(after[-1])
        counts = np.diff(self._bounds)
        moved = counts > 0
        spreads = np.where(moved, self._high - self._low, 0).astype(np.float32)
        depths = np.divide(self._sums, counts, out=np.zeros(len(counts)), where=moved)
        falls = [fall for _, (_, fall) in sorted(self._largest.items())]
        return SearchScore(
            self.density, self._all_notes(), depths.astype(np.float32), spreads, _apart(falls)
        )

    def _take(self, undone: _Bool, after: NDArray[np.int_], done: int) -> None:
        """Steps number `done` and further, of which some are shown."""
        bounds = self._bounds
        first = max(0, int(np.searchsorted(bounds, done, "right")) - 1)
        last = int(np.searchsorted(bounds, done + len(undone), "left"))
        edges = np.clip(bounds[first : last + 1] - done, 0, len(undone))
        counts = np.diff(edges)
        frames = first + np.flatnonzero(counts)
        if not len(frames):
            return
        # A value that is taken back is as deep as it was when it was placed.
        depths = ((after + undone) / self._cells).astype(np.float32)
        depths = np.clip(depths, 0, 1)
        at = edges[:-1][counts > 0]
        shown = depths[: edges[-1]]
        self._sums[frames] += np.add.reduceat(shown, at, dtype=np.float64)
        self._low[frames] = np.minimum(self._low[frames], np.minimum.reduceat(shown, at))
        self._high[frames] = np.maximum(self._high[frames], np.maximum.reduceat(shown, at))
        falling = self._take_falls(undone, depths, done)
        self._take_notes(undone, depths, falling, done, (first, edges, counts))

    def _take_falls(self, undone: _Bool, depths: _F32, done: int) -> _Bool:
        """Which of the steps belong to a collapse; those in a texture are kept."""
        turned = np.diff(undone.astype(np.int8), prepend=0, append=0)
        starts, ends = np.flatnonzero(turned == 1), np.flatnonzero(turned == -1)
        long = ends - starts >= LEAST_FALL
        marks = np.zeros(len(undone) + 1, np.int8)
        marks[starts[long]] = 1
        marks[ends[long]] -= 1
        far = long & (ends - starts >= max(LEAST_FALL, int(_FAST_FALL * self._cells)))
        for start, end in zip(starts[far].tolist(), ends[far].tolist(), strict=True):
            self._keep_fall(start + done, end - start, float(depths[start]), float(depths[end - 1]))
        found: _Bool = np.cumsum(marks[:-1]) > 0
        return found

    def _keep_fall(self, step: int, undos: int, above: float, below: float) -> None:
        if not self._bounds[0] <= step < self._bounds[-1]:
            return
        frame = int(np.searchsorted(self._bounds, step, "right")) - 1
        if self.density.notes[frame] >= 1:
            return  # each of its steps is heard
        span = int(frame / (self._fps * _FALLS_APART))
        if span not in self._largest or self._largest[span][0] < undos:
            self._largest[span] = undos, Fall(int(self._starts[frame]), above, below)

    def _take_notes(
        self,
        undone: _Bool,
        depths: _F32,
        falling: _Bool,
        done: int,
        shown: tuple[int, _I64, _I64],
    ) -> None:
        """Keep the steps that are heard by themselves, on frames number `first` and further that
        have `counts` steps between `edges`."""
        first, edges, counts = shown
        heard = self.density.notes[first : first + len(counts)] > 0
        own = np.flatnonzero(np.repeat(heard, counts)) + edges[0]
        if not len(own):
            return
        frames = first + np.repeat(np.arange(len(counts))[heard], counts[heard])
        # The steps of a frame divide its time evenly.
        place = own + done - self._bounds[frames]
        of = self._bounds[frames + 1] - self._bounds[frames]
        length = self._starts[frames + 1] - self._starts[frames]
        samples = self._starts[frames] + place * length // of
        self._notes.append((samples, depths[own], undone[own], falling[own], frames))

    def _all_notes(self) -> Notes:
        if not self._notes:
            none = np.empty(0, np.int64)
            flags = np.empty(0, np.bool_)
            return Notes(none, np.empty(0, np.float32), flags, flags, none)
        columns = zip(*self._notes, strict=True)
        samples, depths, undone, falling, frames = (np.concatenate(each) for each in columns)
        return Notes(samples, depths, undone, falling, frames)


def _whole_runs(trace: Trace) -> Iterator[_Bool]:
    """Which steps of a trace are undos, in arrays that never end within a run of them; so that what
    is found doesn't depend on how a trace is cut."""
    held: list[_Bool] = []
    count = 0
    for chunk in trace.chunks():
        held.append(chunk["op"][is_step(chunk)] == OP_UNDO)
        count += len(held[-1])
        if count < _READ:
            continue
        steps = np.concatenate(held)
        places = np.flatnonzero(~steps)
        cut = int(places[-1]) if len(places) else 0
        if cut:
            yield steps[:cut]
        held, count = [steps[cut:].copy()], len(steps) - cut
    if count:
        yield np.concatenate(held)


def _apart(falls: Sequence[Fall]) -> tuple[Fall, ...]:
    """The falls, in order, without those that follow another too soon."""
    kept: list[Fall] = []
    for fall in falls:
        if not kept or fall.sample - kept[-1].sample >= RATE * _FALLS_APART / 2:
            kept.append(fall)
    return tuple(kept)
