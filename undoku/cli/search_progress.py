"""The progress of searches: shown on a terminal while they run, printed when they are
interrupted."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from types import TracebackType
from typing import Self

from undoku.cli.printing import table
from undoku.cli.progress import ProgressLine
from undoku.render.film.search_labels import search_names
from undoku.solver.trace.trace import Tally, Trace

__all__ = ["SearchProgress"]


class SearchProgress:
    """A context in which traces show their number of nodes on a terminal while they are read. After
    an interrupt, the counts of the finished searches and of the current one, at most some tenths of
    a second old, are printed to standard error. `names` are those of the searches, by default as in
    tables.
    """

    def __init__(
        self, traces: Sequence[Trace], names: Sequence[str] = (), *, quiet: bool = False
    ) -> None:
        self._traces = traces
        found = names or search_names(trace.header for trace in traces)
        self._names = dict(zip(traces, found, strict=True))
        self._line = ProgressLine(quiet=quiet, unit="nodes")
        self._done: dict[Trace, Tally] = {}
        self._current: tuple[Trace, Tally] | None = None

    def tally(self, trace: Trace) -> Tally:
        """The counts of one of the traces, which requires its search."""
        self._done[trace] = trace.tally()
        return self._done[trace]

    def _note(self, trace: Trace, counts: Tally) -> None:
        before, counted = self._current or (None, None)
        if trace is not before or (counted and counts.nodes < counted.nodes):  # or read once more
            self._line.restart(self._names[trace])
        self._current = trace, counts
        self._line(counts.nodes, self._done[trace].nodes if trace in self._done else 0)

    def __enter__(self) -> Self:
        for trace in self._traces:
            trace.progress = partial(self._note, trace)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for trace in self._traces:
            trace.progress = None
        self._line.__exit__(kind, error, traceback)
        if kind is KeyboardInterrupt:
            self._print_counts()

    def _print_counts(self) -> None:
        rows = [(self._names[trace], tally) for trace, tally in self._done.items()]
        cut = self._current is not None and self._current[0] not in self._done
        if self._current is not None and cut:
            rows.append((self._names[self._current[0]], self._current[1]))
        if rows:
            print(table(rows, interrupted=cut), file=sys.stderr)
