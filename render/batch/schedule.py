"""The order of a batch's tasks: searches that several passes share come before those passes."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from render.batch.jobs import Pass
from render.batch.kept import forget_search
from render.batch.work import DrawTask, SearchTask
from solver.backtracking import Limits
from solver.puzzle import Puzzle

__all__ = ["Pending", "Schedule"]

_PAUSE = 0.1  # seconds between two looks at whether the run was stopped

Pair = tuple[Puzzle, str, str, Limits]
"""A search: puzzle, its title, strategy, limits."""


@dataclass(frozen=True, slots=True)
class Pending:
    """A pass of which some films are missing. `number` is its place among all passes. Of a film
    in segments, each is drawn by itself: `span` are its frames."""

    number: int
    drawn: Pass
    wanted: tuple[bool, ...]
    span: range | None = None

    @property
    def folder(self) -> str:
        """The name of the folder that it is drawn in."""
        part = "" if self.span is None else f"-{self.span.start}"
        return f"pass-{self.number}{part}"

    @property
    def pairs(self) -> tuple[Pair, ...]:
        drawn = self.drawn
        return tuple(
            (drawn.puzzle, drawn.puzzle.title, strategy, drawn.limits)
            for strategy in drawn.strategies
        )


@dataclass(slots=True)
class _Kept:
    """A search that several passes share: where it is kept, and how many still need it."""

    path: Path
    left: int
    done: threading.Event = field(default_factory=threading.Event)


class Schedule:
    """Hands out tasks. `ahead` is for how many puzzles searches are begun before their turn, so
    that no worker waits."""

    def __init__(self, pending: Sequence[Pending], folder: Path, ahead: int) -> None:
        self._pending = pending
        self._folder = folder
        self._ahead = ahead
        self._stopped = threading.Event()
        uses = Counter(pair for one in pending for pair in dict.fromkeys(one.pairs))
        shared = (pair for pair, count in uses.items() if count > 1)
        self._kept = {
            pair: _Kept(folder / f"search-{number}.events", uses[pair])
            for number, pair in enumerate(shared)
        }
        self._of_task: dict[SearchTask, _Kept] = {}

    def tasks(self) -> Iterator[tuple[Pending | None, SearchTask | DrawTask]]:
        """All tasks; a search comes with None. Waits where a shared search isn't done yet."""
        groups = [list(group) for _, group in groupby(self._pending, lambda one: one.drawn.puzzle)]
        begun: set[Pair] = set()
        for number, group in enumerate(groups):
            for later in groups[number : number + self._ahead + 1]:
                for pair in (pair for one in later for pair in one.pairs):
                    if pair in self._kept and pair not in begun:
                        begun.add(pair)
                        yield None, self._search(pair)
            for one in group:
                shared = [self._kept.get(pair) for pair in one.pairs]
                for kept in shared:
                    while kept is not None and not kept.done.wait(_PAUSE):
                        if self._stopped.is_set():
                            return
                paths = tuple(kept.path if kept else None for kept in shared)
                yield (
                    one,
                    DrawTask(one.drawn, one.wanted, self._folder / one.folder, paths, one.span),
                )

    def _search(self, pair: Pair) -> SearchTask:
        puzzle, _, strategy, limits = pair
        task = SearchTask(puzzle, strategy, limits, self._kept[pair].path)
        self._of_task[task] = self._kept[pair]
        return task

    def searched(self, task: SearchTask) -> None:
        """A search has ended; if it failed, its passes search for themselves."""
        self._of_task.pop(task).done.set()

    def drawn(self, pending: Pending) -> None:
        """A pass has ended: searches that no other pass needs are removed."""
        for pair in dict.fromkeys(pending.pairs):
            if kept := self._kept.get(pair):
                kept.left -= 1
                if not kept.left:
                    forget_search(kept.path)

    def stop(self) -> None:
        """Let nobody wait any longer."""
        self._stopped.set()
