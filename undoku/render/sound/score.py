"""The score of a film: its steps as notes, or as a texture if they are too many, and its accents.
It contains no samples.

It is made in one pass over each search. Its size depends on the film, not on the search: about 20
bytes for each frame of the race, and about 20 for each step that has a note of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from math import ceil
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.h264.loops import F32, I64
from undoku.render.sound.sample_clock import RATE, sample_of, samples_of
from undoku.render.sound.step_reading import (
    FALLING,
    FAR,
    FILLED,
    MIN_FALL,
    NOTES,
    NOWHERE,
    REGISTERS,
    RUN,
    UNDONE,
    ReadingArrays,
    close_run,
    read_steps,
)
from undoku.render.timeline.speed import steps_through
from undoku.render.timeline.timeline import Timeline
from undoku.solver.trace.steps import steps_of
from undoku.solver.trace.trace import Outcome, Tally, Trace

_Bool = NDArray[np.bool_]

_SINGLE, _DENSE = 50.0, 75.0
"""Up to the first number of steps per second each step has a note, from the second on none has. In
between, notes fade into the texture."""

_WINDOW = Fraction(1, 10)
"""The seconds before and after a frame over which steps are counted."""


class Density(NamedTuple):
    """How the steps of each frame of the race sound, arrays (frames,) float32: the steps per second
    around the frame, the level of their notes, and the level of the texture, 0..1."""

    rates: F32
    notes: F32
    texture: F32


def density_of(counts: I64, fps: Fraction) -> Density:
    """The density of frames with `counts` (frames,) steps. The steps before and after a frame are
    counted separately, and the higher rate is used, so that a passage is dense from its first frame
    to its last. While there are no steps, there is no texture."""
    frames = len(counts)
    window = max(1, ceil(_WINDOW * fps))
    done = np.concatenate([[0], np.cumsum(counts)])
    number = np.arange(frames)
    low, high = np.maximum(0, number + 1 - window), np.minimum(frames, number + window)
    before = (done[number + 1] - done[low]) / (number + 1 - low)
    after = (done[high] - done[number]) / (high - number)
    rates = np.maximum(before, after) * float(fps)
    notes = np.clip((_DENSE - rates) / (_DENSE - _SINGLE), 0, 1)
    # Single steps on slow films have no density: a frame is as dense as the steps that it shows.
    moving = done[number + 1] > done[np.maximum(0, number + 1 - max(1, window // 2))]
    texture = np.sqrt(1 - notes**2) * moving
    return Density(rates.astype(np.float32), notes.astype(np.float32), texture.astype(np.float32))


_FAST_FALL = Fraction(1, 4)
"""The share of the board that must be undone at once to be audible in a texture."""

_FALLS_APART = Fraction(1)
"""The seconds of a span; only the largest collapse of each span is audible."""


@dataclass(frozen=True)
class Notes:
    """Steps with a note of their own, in order. `samples` (n,) int64 is the first sample of each,
    `depths` (n,) float32 its depth, 0..1, `undone` (n,) bool marks undos, `falling` (n,) bool undos
    of a collapse, `frames` (n,) int64 is its frame of the race."""

    samples: I64
    depths: F32
    undone: _Bool
    falling: _Bool
    frames: I64


@dataclass(frozen=True, slots=True)
class Run:
    """Tones that follow one another: the first sample, the first and the last depth, and their
    time. A collapse inside a texture falls, a bar of the card that grows rises."""

    sample: int
    begin: float
    end: float
    seconds: float = 0.21


class AccentKind(StrEnum):
    """What an accent tells."""

    GOOD = "good"
    """A sentence about a search."""
    BAD = "bad"
    """A sentence about a mistake."""
    TICK = "tick"
    """The longest search has done the steps of the winner once more."""


class Accent(NamedTuple):
    """A sound of search number `search` on a frame of the film."""

    search: int
    frame: int
    kind: AccentKind = AccentKind.GOOD


@dataclass(frozen=True)
class SearchScore:
    """One search: `depths` and `spreads` (frames of the race,) float32 are the mean and the range
    of the depths of each frame's steps; `end` is the sample at which the search ends, and its
    outcome; None if the film does not show its end; `accents` are samples and kinds."""

    density: Density
    notes: Notes
    depths: F32
    spreads: F32
    runs: tuple[Run, ...] = ()
    end: tuple[int, Outcome] | None = None
    accents: tuple[tuple[int, AccentKind], ...] = ()


@dataclass(frozen=True)
class Score:
    """A film's sound of `samples` samples from its sample `begin` on. `starts` (frames of
    the race + 1,) int64 are the first samples of the frames of the race and of the frame after it.
    `answer` is the score of the first frames of a story, which show the whole race in a clock of
    its own."""

    begin: int
    samples: int
    starts: I64
    searches: tuple[SearchScore, ...] = field(default_factory=tuple)
    answer: Score | None = None


@dataclass(frozen=True)
class Composition:
    """The input of a film's score. `places` are the frames of the film from which on boards are
    where they are, ascending, and there the middle of each board, from -1 (left) to 1 (right); ()
    if all are in the middle. `heard` are the frames whose sound is wanted, None for all."""

    traces: Sequence[Trace]
    tallies: Sequence[Tally]
    timeline: Timeline
    accents: Sequence[Accent] = ()
    places: Sequence[tuple[int, tuple[float, ...]]] = ()
    heard: range | None = None

    @property
    def samples(self) -> int:
        """The length of the sound in samples: the length of what is heard, rounded down."""
        frames = self.timeline.frames if self.heard is None else len(self.heard)
        return int(frames / self.timeline.fps * RATE)

    def score(self, check: Callable[[], None] = lambda: None) -> Score:
        """Make the score by reading each search once in each pass of the film. `check` is called
        many times a second; an exception that it raises ends the reading."""
        timeline = self.timeline
        starts = samples_of(timeline.intro, timeline.race + 1, timeline.fps)
        bounds = steps_through(timeline, 0, timeline.race + 1)
        searches = []
        for number, (trace, tally) in enumerate(zip(self.traces, self.tallies, strict=True)):
            own_score = _read(trace, bounds[:, number], starts, timeline.fps, check)
            end = None
            if bounds[0, number] < tally.steps == bounds[-1, number]:
                frame = timeline.frame_of(number, tally.steps)
                end = sample_of(frame, timeline.fps), tally.outcome
            accents = tuple(
                (sample_of(frame, timeline.fps), kind)
                for search, frame, kind in self.accents
                if search == number
            )
            runs = *own_score.runs, *self._growing_bar(tally)
            searches.append(replace(own_score, end=end, accents=accents, runs=runs))
        answer = replace(self, timeline=timeline.answer, accents=()) if timeline.answer else None
        begin = sample_of(self.heard.start, timeline.fps) if self.heard else 0
        return Score(
            begin, self.samples, starts, tuple(searches), answer.score(check) if answer else None
        )

    def _growing_bar(self, tally: Tally) -> Iterator[Run]:
        """The bar of a search on the end card, while it grows."""
        timeline = self.timeline
        if timeline.growth and tally.steps:
            sample = sample_of(timeline.frames - timeline.card, timeline.fps)
            share = tally.steps / timeline.longest
            yield Run(sample, 0, share, float(timeline.growth / timeline.fps))


def _read(
    trace: Trace, bounds: I64, starts: I64, fps: Fraction, check: Callable[[], None]
) -> SearchScore:
    """The score of one search, without its end and accents. `bounds` (frames + 1,) int64 are the
    steps done before each frame of the race and after the last one."""
    counts = np.diff(bounds)
    density = density_of(counts, fps)
    arrays = _arrays(trace, bounds, density, fps)
    for steps in steps_of(trace) if len(counts) else ():
        check()
        if read_steps(steps.placed, arrays):
            break
    run, filled, notes = arrays.registers[[RUN, FILLED, NOTES]].tolist()
    close_run(run, filled + 1, notes, arrays)
    cells = _empty_cells(trace)
    moved = counts > 0
    depths = np.divide(arrays.sums, counts * cells, out=np.zeros(len(counts)), where=moved)
    spreads = np.where(moved, (arrays.highs - arrays.lows) / cells, 0)
    falls = [
        Run(int(starts[frame]), min(1.0, above / cells), min(1.0, below / cells))
        for undos, frame, above, below in arrays.falls.tolist()
        if undos
    ]
    return SearchScore(
        density,
        _notes(arrays, starts, cells),
        np.clip(depths, 0, 1).astype(np.float32),
        spreads.astype(np.float32),
        _apart(falls),
    )


def _empty_cells(trace: Trace) -> int:
    return max(1, int(np.count_nonzero(trace.header.puzzle.board == 0)))


def _arrays(trace: Trace, bounds: I64, density: Density, fps: Fraction) -> ReadingArrays:
    """Empty arrays for reading a search."""
    frames = len(bounds) - 1
    heard = density.notes > 0
    notes = int(np.diff(bounds)[heard].sum())
    apart = fps * _FALLS_APART
    spans = (np.arange(frames) * apart.denominator // apart.numerator).astype(np.int32)
    registers = np.zeros(REGISTERS, np.int64)
    registers[FAR] = max(MIN_FALL, int(_FAST_FALL * _empty_cells(trace)))
    return ReadingArrays(
        bounds=np.ascontiguousarray(bounds),
        heard=heard.astype(np.uint8),
        spans=np.where(density.notes >= 1, np.int32(NOWHERE), spans),
        sums=np.zeros(frames, np.int64),
        lows=np.full(frames, np.iinfo(np.int32).max, np.int32),
        highs=np.zeros(frames, np.int32),
        depths=np.zeros(notes, np.int32),
        flags=np.zeros(notes, np.uint8),
        frames=np.zeros(notes, np.int32),
        falls=np.zeros((int(spans[-1]) + 1 if frames else 0, 4), np.int32),
        registers=registers,
    )


def _notes(arrays: ReadingArrays, starts: I64, cells: int) -> Notes:
    """The steps that have notes. The notes of a frame divide its duration evenly."""
    count = int(arrays.registers[NOTES])  # a trace may be shorter than its tally states
    frames, flags = arrays.frames[:count].astype(np.int64), arrays.flags[:count]
    number = np.arange(count)
    of = np.diff(arrays.bounds)
    first = np.searchsorted(frames, frames)  # of the notes of its frame
    length = starts[frames + 1] - starts[frames]
    return Notes(
        starts[frames] + (number - first) * length // np.maximum(of[frames], 1),
        np.clip(arrays.depths[:count] / np.float32(cells), 0, 1).astype(np.float32),
        (flags & UNDONE) > 0,
        (flags & FALLING) > 0,
        frames,
    )


def _apart(falls: Sequence[Run]) -> tuple[Run, ...]:
    """The falls, in order, without those that begin too soon after another one."""
    distinct: list[Run] = []
    for fall in falls:
        if not distinct or fall.sample - distinct[-1].sample >= RATE * _FALLS_APART / 2:
            distinct.append(fall)
    return tuple(distinct)
