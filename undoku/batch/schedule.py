"""The order of a batch's tasks: the longest first, and searches that several tasks share before
those tasks."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from math import inf
from pathlib import Path

from undoku.batch.search_cache import remove_search
from undoku.batch.tasks import FilmGroup, FilmTask, SearchTask
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.trace.search_trace import Limits

__all__ = ["Schedule", "SearchKey", "searches_of"]

SearchKey = tuple[Puzzle, str, str, Limits]
"""A search: puzzle, its title, strategy, limits."""


@dataclass(slots=True)
class _SharedSearch:
    """A search that several tasks share, how many of them still need it, and whether it is done."""

    task: SearchTask
    uses: int
    done: bool = False


@dataclass(slots=True)
class _PuzzleTasks:
    """The remaining tasks of one puzzle: searches that several tasks share, and the films, each
    with its searches, None for one that it doesn't share."""

    searches: deque[SearchTask] = field(default_factory=deque)
    films: deque[tuple[FilmTask, tuple[_SharedSearch | None, ...]]] = field(default_factory=deque)


class Schedule:
    """Chooses the next task. The films of one puzzle are consecutive, so that few searches are
    cached at a time, in `folder`; searches are begun for `ahead` puzzles in advance, so that no
    worker waits. `forget` removes a cached search."""

    def __init__(
        self,
        tasks: Sequence[FilmTask],
        folder: Path,
        ahead: int,
        forget: Callable[[Path], None] = remove_search,
    ) -> None:
        self._ahead = ahead
        self._forget = forget
        uses = Counter(one for task in tasks for one in dict.fromkeys(searches_of(task.group)))
        self._shared: dict[SearchKey, _SharedSearch] = {}
        by_puzzle: dict[tuple[Puzzle, str], _PuzzleTasks] = {}
        # If a long film began last, one worker would draw it while the others were idle.
        for task in sorted(tasks, key=lambda task: -_effort(task.group)):
            puzzle = task.group.puzzle
            own = by_puzzle.setdefault((puzzle, puzzle.title), _PuzzleTasks())
            for search in searches_of(task.group):
                if uses[search] > 1 and search not in self._shared:
                    path = folder / f"search-{len(self._shared)}.events"
                    searching = SearchTask(puzzle, search[2], task.group.limits, path)
                    self._shared[search] = _SharedSearch(searching, uses[search])
                    own.searches.append(searching)
            own.films.append((task, tuple(map(self._shared.get, searches_of(task.group)))))
        self._by_path = {one.task.path: one for one in self._shared.values()}
        self._puzzles = deque(by_puzzle.values())

    def next(self) -> FilmTask | SearchTask | None:
        """The next task that can begin; None if there is none until another task has ended, or none
        left."""
        while self._puzzles and not self._puzzles[0].films:
            self._puzzles.popleft()
        puzzles = list(islice(self._puzzles, self._ahead + 1))
        for puzzle in puzzles:
            if puzzle.searches:
                return puzzle.searches.popleft()
        for puzzle in puzzles:
            for at, (task, shared) in enumerate(puzzle.films):
                if all(one is None or one.done for one in shared):
                    del puzzle.films[at]
                    paths = tuple(one.task.path if one else None for one in shared)
                    return replace(task, searches=paths)
        return None

    def ended(self, task: FilmTask | SearchTask) -> None:
        """Record the end of a task, and remove searches that no other task needs. If a search
        failed, its films run it themselves."""
        if isinstance(task, SearchTask):
            self._by_path[task.path].done = True
            return
        for search in dict.fromkeys(searches_of(task.group)):
            if one := self._shared.get(search):
                one.uses -= 1
                if not one.uses:
                    self._forget(one.task.path)


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
