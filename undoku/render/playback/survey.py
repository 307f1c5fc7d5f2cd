"""The survey of a whole search, which some panels need before their first frame."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from undoku.render.playback.history import History
from undoku.render.playback.small_tree import MAX_NODES, Tree
from undoku.solver.trace.trace import Trace

__all__ = ["Survey", "survey"]


@dataclass(frozen=True, slots=True)
class Survey:
    """`history` has the number of nodes at each depth and of tries in each cell at the end of the
    search; `tree` has all nodes if there are few."""

    history: History
    tree: Tree


def survey(trace: Trace) -> Survey:
    """Read a trace once, without storing it."""
    puzzle = trace.header.puzzle
    found = Survey(History(puzzle), Tree(puzzle, MAX_NODES))
    for chunk in trace.chunks():
        events = np.ascontiguousarray(chunk).view(np.uint32)
        found.history.record(events)
        found.tree.record(events)
    return found
