"""The order of a batch's tasks: the longest first, and searches that several tasks share before
those tasks."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice
from math import inf
from pathlib import Path

from undoku.render.batch.tasks import FilmGroup, FilmTask, SearchTask, Task, remove_search
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.trace.search_trace import Limits

SearchKey = tuple[Puzzle, str, str, Limits]
"""A search: puzzle, its title, strategy, limits."""


class Schedule:
    """Chooses the next task. The films of one puzzle are consecutive, so that few searches are
    cached at a time, in `folder`; tasks are begun for `ahead` puzzles in advance, so that no worker
    waits. `forget` removes a cached search."""

    def __init__(
        self,
        tasks: Sequence[FilmTask],
        folder: Path,
        ahead: int,
        forget: Callable[[Path], None] = remove_search,
    ) -> None:
        self._ahead = ahead
        self._forget = forget
        uses = Counter(one for task in tasks for one in {*searches_of(task.group)})
        shared = (one for one, count in uses.items() if count > 1)
        paths = {one: folder / f"search-{number}.events" for number, one in enumerate(shared)}
        self._uses = {path: uses[one] for one, path in paths.items()}
        """How many films still need each cached search."""
        self._missing = set(self._uses)
        """The searches that have not ended."""
        # If a long film began last, one worker would draw it while the others were idle.
        tasks = sorted(tasks, key=lambda task: -_effort(task.group))
        by_puzzle: dict[tuple[Puzzle, str], list[FilmTask]] = {}
        for task in tasks:
            puzzle = task.group.puzzle
            by_puzzle.setdefault((puzzle, puzzle.title), []).append(task)
        self._puzzles: deque[deque[Task]] = deque()
        """The tasks of each puzzle: searches, then films."""
        for own in by_puzzle.values():
            keys = dict.fromkeys(one for task in own for one in searches_of(task.group))
            films = [
                replace(task, searches=tuple(map(paths.get, searches_of(task.group))))
                for task in own
            ]
            searches = [
                SearchTask(puzzle, strategy, limits, paths[puzzle, title, strategy, limits])
                for puzzle, title, strategy, limits in keys
                if (puzzle, title, strategy, limits) in paths
            ]
            self._puzzles.append(deque([*searches, *films]))

    def next(self) -> Task | None:
        """The next task that can begin; None if there is none until another task has ended, or none
        left."""
        while self._puzzles and not self._puzzles[0]:
            self._puzzles.popleft()
        for tasks in islice(self._puzzles, self._ahead + 1):
            for at, task in enumerate(tasks):
                if isinstance(task, SearchTask) or self._missing.isdisjoint(task.searches):
                    del tasks[at]
                    return task
        return None

    def ended(self, task: Task) -> None:
        """Record the end of a task, and remove searches that no other task needs. If a search
        failed, its films run it themselves."""
        if isinstance(task, SearchTask):
            self._missing.discard(task.path)
            return
        for path in filter(None, {*task.searches}):
            self._uses[path] -= 1
            if not self._uses[path]:
                self._forget(path)


def searches_of(group: FilmGroup) -> tuple[SearchKey, ...]:
    """The searches of a group, in the order of its strategies."""
    return tuple(
        (group.puzzle, group.puzzle.title, strategy, group.limits) for strategy in group.strategies
    )


def _effort(group: FilmGroup) -> float:
    """A number that grows with the work of drawing the films: pixels of all their frames; infinite
    if their length is unknown, and least for single pictures."""
    settings = group.settings
    if group.options.single:
        return 0.0
    if settings.pace.duration is None:
        return inf
    return float(settings.pace.duration * settings.fps) * settings.width * settings.height
