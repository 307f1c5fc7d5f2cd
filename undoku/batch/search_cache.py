"""The cache of searches on disk, so that a search in several films runs once."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.search.strategy import Strategy
from undoku.solver.trace.search_trace import Limits, SearchTrace
from undoku.solver.trace.trace import CHUNK, EVENT, Events, Inferences, Outcome, Tally

MAX_CACHED = 1 << 26
"""The maximum number of events of a cached search, 256 MiB. Of a longer search only the counts are
cached, and it runs again for each film, because reading so many events is not faster."""


def cache_search(
    puzzle: Puzzle, strategy: str, limits: Limits, path: Path, *, max_events: int = MAX_CACHED
) -> None:
    """Search, and store the events at `path`, if there are at most `max_events`, and the counts
    beside it. Both files are written atomically. Raises OSError.
    """
    trace = SearchTrace(puzzle, Strategy.parse(strategy), limits)
    events = 0
    temporary = path.with_suffix(".part")
    with temporary.open("wb") as file:
        for chunk in trace.chunks():
            events += len(chunk)
            if events <= max_events:
                file.write(chunk.tobytes())
    if events <= max_events:
        temporary.replace(path)
    else:
        temporary.unlink()
    temporary.write_bytes(pickle.dumps(trace.tally()))
    temporary.replace(_tally_path(path))


def _tally_path(path: Path) -> Path:
    return path.with_suffix(".tally")


def remove_search(path: Path) -> None:
    """Remove the files of `cache_search`, if they exist."""
    path.unlink(missing_ok=True)
    _tally_path(path).unlink(missing_ok=True)


class CachedSearch(SearchTrace):
    """The cached search at `path`; it runs again if its files are missing."""

    def __init__(self, puzzle: Puzzle, strategy: str, limits: Limits, path: Path | None) -> None:
        super().__init__(puzzle, Strategy.parse(strategy), limits)
        self._path = path

    def chunks(self) -> Iterator[Events]:
        if self._path is None or not self._path.exists():
            yield from super().chunks()
            return
        with self._path.open("rb") as file:
            while chunk := file.read(CHUNK * EVENT.itemsize):
                yield np.frombuffer(bytearray(chunk), EVENT)

    def explained_chunks(self) -> Iterator[tuple[Events, Inferences | None]]:
        # The reasons of eliminations are not cached, so the search runs again.
        if self.strategy.eliminates:
            return super().explained_chunks()
        return ((chunk, None) for chunk in self.chunks())

    def tally(self) -> Tally:
        if self._path is not None:
            try:
                tally: Tally = pickle.loads(_tally_path(self._path).read_bytes())
            except OSError:
                self._path = None
            else:
                if self.limits.max_seconds is not None and tally.outcome is Outcome.CAPPED:
                    # A search that was stopped by its time limit stops at the same node if it runs
                    # again.
                    self._timed_out, self._node_limit = True, tally.nodes
                return tally
        return super().tally()
