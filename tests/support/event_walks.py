"""Random events that could be a search's."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st

from undoku import EVENT, Op, Puzzle
from undoku.solver.trace.steps import Observer, StepReader

Event = tuple[int, int, int]
"""(op, value, cell)"""


@st.composite
def walks(draw: st.DrawFn) -> list[Event]:
    """Places and undos that could be a search's, guesses and forced ones mixed, eliminations
    between them."""
    events: list[Event] = []
    placed: list[int] = []
    for choice in draw(st.lists(st.integers(0, 3), min_size=1, max_size=80)):
        if choice == 0 and placed:
            events.append((Op.UNDO, 1, placed.pop()))
        elif choice == 3:
            events.append((Op.ELIMINATE, 2, 80))
            events.append((Op.RESTORE, 2, 80))
        else:
            cell = len(placed)
            placed.append(cell)
            events.append((Op.FORCED if choice == 2 else Op.GUESS, 1, cell))
    return events


def observe(
    observer: Observer, puzzle: Puzzle, events: Sequence[Event], cuts: Sequence[int] = ()
) -> None:
    """Let an observer see events, in chunks that end before the events `cuts`."""
    reader = StepReader(puzzle)
    for part in np.split(np.array(events, EVENT), sorted(cuts)):
        steps = reader.read(part)
        observer.record(steps, 0, len(steps.cells))
