"""The order of a batch's tasks: the longest first, and searches that several passes share before
those passes."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from undoku.batch.estimate import effort
from undoku.batch.passes import Pass
from undoku.batch.search_cache import remove_search
from undoku.batch.work import DrawTask, SearchTask
from undoku.render.write.encoder_choice import EncoderChoice
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.trace.search_trace import Limits

__all__ = ["Pending", "Schedule"]

Pair = tuple[Puzzle, str, str, Limits]
"""A search: puzzle, its title, strategy, limits."""


@dataclass(frozen=True, slots=True)
class Pending:
    """A pass with missing films. `number` is its index among all passes. Each segment of a film is
    a separate task: `span` are its frames. `encoder_choice` is that of its MP4, if it was made
    already."""

    number: int
    drawn: Pass
    wanted: tuple[bool, ...]
    span: range | None = None
    encoder_choice: EncoderChoice | None = None

    @property
    def folder(self) -> str:
        """The name of the folder in which it is drawn."""
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
class _SharedSearch:
    """A search that several passes share: its path, how many passes still need it, and whether it
    is done."""

    path: Path
    left: int
    done: bool = False


@dataclass(slots=True)
class _JobGroup:
    """The remaining tasks of one puzzle: searches that several passes share, and the passes, each
    with its cached searches."""

    searches: deque[SearchTask] = field(default_factory=deque)
    passes: deque[tuple[Pending, tuple[_SharedSearch | None, ...]]] = field(default_factory=deque)


class Schedule:
    """Chooses the next task. The passes of one puzzle are consecutive, so that few searches are
    cached at a time; searches are begun for `ahead` puzzles in advance, so that no worker waits.
    `forget` removes a cached search."""

    def __init__(
        self,
        pending: Sequence[Pending],
        folder: Path,
        ahead: int,
        forget: Callable[[Path], None] = remove_search,
    ) -> None:
        self._folder = folder
        self._ahead = ahead
        self._forget = forget
        uses = Counter(pair for one in pending for pair in dict.fromkeys(one.pairs))
        shared = (pair for pair, count in uses.items() if count > 1)
        self._kept = {
            pair: _SharedSearch(folder / f"search-{number}.events", uses[pair])
            for number, pair in enumerate(shared)
        }
        self._of_path = {kept.path: kept for kept in self._kept.values()}
        # If a long pass began last, one worker would draw it while the others were idle.
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
        """The next task that can begin, a search with None; None if there is none until another
        task has ended, or none left."""
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
                    return one, DrawTask(
                        one.drawn, one.wanted, folder, paths, one.span, one.encoder_choice
                    )
        return None

    def searched(self, task: SearchTask) -> None:
        """Record the end of a search; if it failed, its passes run it themselves."""
        self._of_path[task.path].done = True

    def drawn(self, pending: Pending) -> None:
        """Record the end of a pass, and remove searches that no other pass needs."""
        for pair in dict.fromkeys(pending.pairs):
            if kept := self._kept.get(pair):
                kept.left -= 1
                if not kept.left:
                    self._forget(kept.path)
