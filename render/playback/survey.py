"""The survey of a whole search, which a scene needs before its first frame."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from render.playback.recorders.history import History
from render.playback.recorders.small_tree import MOST_NODES, Tree
from solver.trace import Trace

__all__ = ["Survey", "survey"]


@dataclass(frozen=True, slots=True)
class Survey:
    """`history` has the nodes of each depth and the tries of each cell at the end of the search;
    `tree` all nodes, where they are few."""

    history: History
    tree: Tree


def survey(trace: Trace) -> Survey:
    """Run through a trace once, without holding it."""
    puzzle = trace.header.puzzle
    found = Survey(History(puzzle), Tree(puzzle, MOST_NODES))
    for chunk in trace.chunks():
        events = np.ascontiguousarray(chunk).view(np.uint32)
        found.history.record(events)
        found.tree.record(events)
    return found
