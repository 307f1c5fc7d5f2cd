"""The highlights of searches, found in their traces, and a race that slows down at them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import ceil
from operator import attrgetter

import numpy as np

from undoku.render.playback.reading_time import notes_until_read
from undoku.render.story.claims import Claim, ClaimKind, ClaimNote, sentence_of
from undoku.render.story.first_moves import WrongValues
from undoku.render.timeline.notes import FILM, Note, NoteKind
from undoku.render.timeline.pace import Cue
from undoku.render.timeline.timeline import EYE, Pace, Timeline
from undoku.solver.trace.steps import Steps, steps_of
from undoku.solver.trace.trace import Header, Trace

_MIN_COLLAPSE = 3
_MIN_DOOMED = 10
"""The minimum number of steps of a highlight."""


def find_highlights(traces: Sequence[Trace]) -> list[Claim]:
    """The highlights of all searches, of the last five kinds of claims, by their steps. A
    divergence at the first step is omitted. Each trace is read once or twice; it is not stored."""
    found = [claim for number, trace in enumerate(traces) for claim in _of_one(number, trace)]
    for first, second in combinations(range(len(traces)), 2):
        if traces[first].header.puzzle == traces[second].header.puzzle:
            step = divergence(traces[first], traces[second])
            if step is not None and step > 1:
                found.append(Claim(ClaimKind.DIVERGENCE, first, step, other=second))
    return sorted(found, key=lambda highlight: (highlight.step, highlight.search))


def _of_one(number: int, trace: Trace) -> Iterator[Claim]:
    """The highlights of a search."""
    solution = trace.tally().solution
    values = WrongValues(trace.header.puzzle, solution) if solution else None
    longest, last, undos = None, 0, _UndoRuns()
    for steps in steps_of(trace):
        if values:
            values.read(steps)
            ended = [each for each in values.found if each.until]
            last = ended[-1].until if ended else last
            longest = max(
                [longest, *ended] if longest else ended, default=None, key=attrgetter("stands")
            )
            del values.found[: len(ended)]
        solved = values.solved if values else 0
        undos.read(steps, solved)
        if solved:
            break
    if undos.most >= _MIN_COLLAPSE:
        yield Claim(ClaimKind.COLLAPSE, number, undos.before, count=undos.most)
    if values is None or not values.solved:
        return
    if longest and longest.stands + 1 >= _MIN_DOOMED:
        cells, cost = (longest.cell,), longest.stands + 1
        yield Claim(ClaimKind.DOOMED, number, longest.step, cells, longest.value, count=cost)
    if last:
        yield Claim(ClaimKind.PATH, number, last)
    yield Claim(ClaimKind.SOLUTION, number, values.solved)


class _UndoRuns:
    """Finds the longest run of undos: `most` undos after step `before`."""

    def __init__(self) -> None:
        self.most = self.before = self._tail = 0

    def read(self, steps: Steps, last: int) -> None:
        """Read the next steps, up to step `last` if that is not 0."""
        placed = steps.placed[: last - steps.first if last else None] != 0
        # The steps before and after each run of undos, the first of which may go on.
        edges = np.flatnonzero(np.diff(np.concatenate([[True], placed, [True]]).astype(np.int8)))
        for start, end in edges.reshape(-1, 2).tolist():
            run = end - start + (0 if start else self._tail)
            if run > self.most:
                self.most, self.before = run, steps.first + end - run
            self._tail = run
        if not len(edges) or edges[-1] < len(placed):
            self._tail = 0


def divergence(first: Trace, second: Trace) -> int | None:
    """The number of the first step, from 1, in which two searches differ, or None if one is the
    beginning of the other."""
    pairs = enumerate(zip(_steps(first), _steps(second), strict=False), 1)
    return next((number for number, (one, other) in pairs if one != other), None)


def _steps(trace: Trace) -> Iterator[int]:
    """The packed event of each step of a trace, without inference."""
    for steps in steps_of(trace):
        yield from steps.events[steps.starts[:-1]].tolist()


_BEFORE, _AFTER = 4, 16
"""The number of slow steps around a highlight: two and a half seconds at EYE steps per second."""


def windows(timeline: Timeline, highlights: Iterable[Claim]) -> list[tuple[int, int]]:
    """The stretches of the race around the highlights, in steps of the longest search: ascending,
    disjoint, within the race."""
    found: list[tuple[int, int]] = []
    wished = []
    for highlight in highlights:
        scale = timeline.scales[highlight.search]
        at = ceil(highlight.step / scale) if scale else 0
        reach = highlight.count if highlight.kind is ClaimKind.COLLAPSE else 0
        wished.append((at - _BEFORE, at + max(_AFTER, min(reach, 2 * _AFTER))))
    for start, end in sorted(wished):
        low, high = max(start, timeline.first), min(end, timeline.last)
        if low >= high:
            continue
        if found and low <= found[-1][1]:
            found[-1] = (found[-1][0], max(high, found[-1][1]))
        else:
            found.append((low, high))
    return found


def slow_cues(timeline: Timeline, pace: Pace, around: Sequence[tuple[int, int]]) -> tuple[Cue, ...]:
    """Cues with which the race of a timeline slows down to EYE steps per second for the stretches
    `around` highlights. In a race of fixed length they take at most half of the time. There are
    none in a race that is slow enough, or too short for them."""
    steps, fps = sum(end - start for start, end in around), timeline.fps
    if timeline.mean_rate * fps <= 2 * EYE or steps == timeline.span:
        return ()
    slow, usual = Fraction(EYE), timeline.mean_rate * fps
    if pace.duration is not None:
        if timeline.race < 4 * len(around) + 2:
            return ()
        slow, usual = max(slow, 2 * steps * fps / timeline.race), Fraction(0)
    return tuple(
        Cue(step, speed=speed)
        for start, end in around
        for step, speed in ((start, slow), (end, usual))
    )


def seen(
    timeline: Timeline, highlights: Iterable[Claim], headers: Sequence[Header]
) -> tuple[ClaimNote, ...]:
    """The notes of the highlights that the film shows, each on the first frame that shows its
    search after its step; a race over a part of the steps does not show all."""
    found = []
    first, last = timeline.steps_at(0), timeline.steps_at(timeline.race)
    for one in highlights:
        if first[one.search] <= one.step <= last[one.search]:
            frame = min(timeline.frame_of(one.search, one.step), timeline.frames - 1)
            kind = NoteKind.END if one.kind is ClaimKind.SOLUTION else NoteKind.HIGHLIGHT
            text = sentence_of(one, headers)
            found.append(ClaimNote(frame, frame + 1, one.search, kind, text, claim=one))
    return tuple(found)


def notices(timeline: Timeline, highlights: Iterable[ClaimNote]) -> tuple[Note, ...]:
    """The sentences about the highlights as they are shown: from the moment on until they can be
    read, or until the next one. Highlights within a second have a common notice, which begins at
    the last of them, because a single sentence could not be read."""
    groups: list[tuple[int, list[str]]] = []
    for note in sorted(highlights, key=lambda note: note.start):
        near = groups and note.start - groups[-1][0] < timeline.fps
        sentences = groups.pop()[1] if near else []
        groups.append((note.start, [*sentences, note.text]))
    timed = [(start, "\n".join(sentences), Fraction(0)) for start, sentences in groups]
    return notes_until_read(timed, timeline.frames, timeline.fps, FILM, NoteKind.HIGHLIGHT)
