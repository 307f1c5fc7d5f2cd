"""The highlights of searches, found in their traces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from undoku.render.playback.survey import TurningPoints
from undoku.solver.problem.puzzle import SYMBOLS
from undoku.solver.trace.steps import steps_of
from undoku.solver.trace.trace import Trace
from undoku.texts import wording as say

__all__ = ["Highlight", "divergence", "find_highlights"]

_MIN_COLLAPSE = 3
_MIN_DOOMED = 10
"""The minimum number of steps of a highlight."""


@dataclass(frozen=True, slots=True)
class Highlight:
    """A moment: the state after step `step` of search number `search` (from 0). `steps` is the
    length of what begins there, 0 for an instant."""

    kind: str
    search: int
    step: int
    steps: int
    sentence: str


def find_highlights(traces: Sequence[Trace], labels: Sequence[str] = ()) -> list[Highlight]:
    """The highlights of all searches: "divergence", "doomed", "collapse", "path", "solution", by
    their steps. `labels` are the names of the searches, by default those of their headers. A
    divergence at the first step is omitted. Each trace is read once or twice; it is not stored."""
    labels = labels or [trace.header.label for trace in traces]
    found = [
        highlight
        for number, trace in enumerate(traces)
        for highlight in _of_one(number, trace, labels[number] if len(traces) > 1 else "")
    ]
    for first, second in combinations(range(len(traces)), 2):
        if traces[first].header.puzzle == traces[second].header.puzzle:
            step = divergence(traces[first], traces[second])
            if step is not None and step > 1:
                sentence = say.PART_AT(first=labels[first], second=labels[second], step=step)
                found.append(Highlight("divergence", first, step, 0, sentence))
    return sorted(found, key=lambda highlight: (highlight.step, highlight.search))


def _of_one(number: int, trace: Trace, label: str) -> Iterator[Highlight]:
    """The highlights of a search; sentences begin with its `label` if it has one."""
    tally = trace.tally()
    turns = TurningPoints(trace.header.puzzle, tally.solution)
    for rows in steps_of(trace):
        turns.record(rows, 0, len(rows.cells))
        if turns.solved:
            break

    def labelled(sentence: str) -> str:
        return say.LABELLED(label=label, sentence=sentence) if label else sentence

    step, undos = turns.longest_undo_run
    if undos >= _MIN_COLLAPSE:
        yield Highlight("collapse", number, step, undos, labelled(say.GIVEN_UP(count=undos)))
    if not turns.solved:
        return
    step, steps, cell, value = turns.longest_error
    if steps >= _MIN_DOOMED:
        name = say.cell_name(trace.header.puzzle.geometry, cell)
        sentence = say.WRONG_COSTS(value=SYMBOLS[value - 1], cell=name, count=steps)
        yield Highlight("doomed", number, step, steps, labelled(sentence))
    if turns.last_error_end:
        yield Highlight("path", number, turns.last_error_end, 0, labelled(say.RIGHT_PATH()))
    done = turns.steps
    yield Highlight("solution", number, done, 0, labelled(say.SOLVED_AFTER(count=done)))


def divergence(first: Trace, second: Trace) -> int | None:
    """The number of the first step, from 1, in which two searches differ, or None if one is the
    beginning of the other."""
    left, right = _steps(first), _steps(second)
    done = 0
    a: NDArray[np.uint32] = np.empty(0, np.uint32)
    b: NDArray[np.uint32] = np.empty(0, np.uint32)
    while True:
        if not len(a):
            a = next(left, a)
        if not len(b):
            b = next(right, b)
        count = min(len(a), len(b))
        if not count:
            return None
        differing = np.flatnonzero(a[:count] != b[:count])
        if len(differing):
            return done + int(differing[0]) + 1
        done += count
        a, b = a[count:], b[count:]


def _steps(trace: Trace) -> Iterator[NDArray[np.uint32]]:
    """The packed events of the steps of a trace, without inference; never an empty array."""
    for steps in steps_of(trace):
        if len(steps.cells):
            yield steps.events[steps.starts[:-1]]
