"""The order of a batch's tasks: what takes longest first, and searches that several passes share
before those passes."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from render.batch.estimate import effort
from render.batch.passes import Pass
from render.batch.search_cache import forget_search
from render.batch.work import DrawTask, SearchTask
from render.sinks.encoder_choice import Way
from solver.backtracking import Limits
from solver.puzzle import Puzzle

__all__ = ["Pending", "Schedule"]

Pair = tuple[Puzzle, str, str, Limits]
"""A search: puzzle, its title, strategy, limits."""


@dataclass(frozen=True, slots=True)
class Pending:
    """A pass of which some films are missing. `number` is its place among all passes. Of a film
    in segments, each is drawn by itself: `span` are its frames. `way` is how an MP4 of it is
    written, where that was chosen already."""

    number: int
    drawn: Pass
    wanted: tuple[bool, ...]
    span: range | None = None
    way: Way | None = None

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
    """A search that several passes share: where it is kept, how many still need it, and whether
    it is done."""

    path: Path
    left: int
    done: bool = False


@dataclass(slots=True)
class _JobGroup:
    """What is left to begin of one puzzle: searches that several passes share, and the passes,
    each with its kept searches."""

    searches: deque[SearchTask] = field(default_factory=deque)
    passes: deque[tuple[Pending, tuple[_Kept | None, ...]]] = field(default_factory=deque)


class Schedule:
    """Hands out tasks. The passes of one puzzle come one after the other, so that few searches are
    kept at a time; `ahead` is for how many puzzles searches are begun before their turn, so that
    no worker waits. `forget` removes a kept search."""

    def __init__(
        self,
        pending: Sequence[Pending],
        folder: Path,
        ahead: int,
        forget: Callable[[Path], None] = forget_search,
    ) -> None:
        self._folder = folder
        self._ahead = ahead
        self._forget = forget
        uses = Counter(pair for one in pending for pair in dict.fromkeys(one.pairs))
        shared = (pair for pair, count in uses.items() if count > 1)
        self._kept = {
            pair: _Kept(folder / f"search-{number}.events", uses[pair])
            for number, pair in enumerate(shared)
        }
        self._of_path = {kept.path: kept for kept in self._kept.values()}
        # Were a long pass begun last, one worker would draw it while the others had nothing to do.
        efforts = [effort(one.drawn, one.span) for one in pending]
        groups: dict[tuple[Puzzle, str], _JobGroup] = {}
        begun: set[Pair] = set()
        for at in sorted(range(len(pending)), key=lambda at: -efforts[at]):
            one, pairs = pending[at], pending[at].pairs
            group = groups.setdefault((one.drawn.puzzle, one.drawn.puzzle.title), _JobGroup())
            for pair in pairs:
                if pair in self._kept and pair not in begun:
                    begun.add(pair)
                    puzzle, _, strategy, limits = pair
                    path = self._kept[pair].path
                    group.searches.append(SearchTask(puzzle, strategy, limits, path))
            group.passes.append((one, tuple(self._kept.get(pair) for pair in pairs)))
        self._groups = deque(groups.values())

    def next(self) -> tuple[Pending | None, SearchTask | DrawTask] | None:
        """The next task that can be begun, a search with None; None when there is none until
        another one has ended, or at all."""
        while self._groups and not self._groups[0].passes:
            self._groups.popleft()
        turn = list(islice(self._groups, self._ahead + 1))
        for group in turn:
            if group.searches:
                return None, group.searches.popleft()
        for group in turn:
            for at, (one, shared) in enumerate(group.passes):
                if all(kept is None or kept.done for kept in shared):
                    del group.passes[at]
                    paths = tuple(kept.path if kept else None for kept in shared)
                    folder = self._folder / one.folder
                    return one, DrawTask(one.drawn, one.wanted, folder, paths, one.span, one.way)
        return None

    def searched(self, task: SearchTask) -> None:
        """A search has ended; if it failed, its passes search for themselves."""
        self._of_path[task.path].done = True

    def drawn(self, pending: Pending) -> None:
        """A pass has ended: searches that no other pass needs are removed."""
        for pair in dict.fromkeys(pending.pairs):
            if kept := self._kept.get(pair):
                kept.left -= 1
                if not kept.left:
                    self._forget(kept.path)
