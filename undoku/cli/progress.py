"""The progress of a run: a line that is redrawn on a terminal, and nothing elsewhere. That of
searches is also printed when they are interrupted."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Self, TextIO

from undoku.cli.printing import Messages, table
from undoku.solver.trace.search_trace import SearchTrace
from undoku.solver.trace.trace import Tally, Trace
from undoku.visible_text import visible

if TYPE_CHECKING:
    from tqdm import tqdm


PATIENCE = 0.5
"""Seconds from the first report to the first drawing: tqdm takes a tenth of a second to import,
which short runs need not spend."""


def _size(stream: TextIO) -> dict[str, Any]:
    """The size of the terminal for tqdm; some terminals, such as those of containers, do not report
    it."""
    with contextlib.suppress(OSError, ValueError):
        if all(os.get_terminal_size(stream.fileno())):
            return {"dynamic_ncols": True}
    return {"ncols": 80, "nrows": 24}


class _Unfailing:
    """A terminal that may be closed meanwhile; then nothing is shown, and the end of the run is
    reported by other means."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> None:
        with contextlib.suppress(OSError):
            self._stream.write(text)

    def flush(self) -> None:
        with contextlib.suppress(OSError):
            self._stream.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class ProgressLine:
    """Shows the progress, the speed and the time left, with tqdm.

    Call it with the number of finished frames (or another `unit`) and their total, 0 if it is
    unknown; use it as a context manager, so that the line is removed when the run ends in any way.
    """

    def __init__(
        self, stream: TextIO | None = None, *, quiet: bool = False, unit: str = "frames"
    ) -> None:
        self._stream = stream or sys.stderr
        self._unit = unit
        self._shown = (
            not quiet and self._stream.isatty() and os.environ.get("TERM", "dumb") != "dumb"
        )
        self._label = ""
        self._begins: float | None = None
        self._there = 0
        self._bar: tqdm[Any] | None = None

    def __call__(self, done: int, total: int, there: int = 0) -> None:
        """`there` of those done existed before, and do not count for the speed."""
        if not self._shown:
            return
        if self._begins is None:
            self._begins = time.monotonic() + PATIENCE
        if time.monotonic() < self._begins:
            return
        if there > self._there:
            self._there = there
            self.close()
        if self._bar is None:
            self._bar = self._opened(done, total)
        else:
            self._bar.total = total or None
            self._bar.update(done - self._bar.n)

    def restart(self, label: str) -> None:
        """Begin another task, called `label`."""
        self._label, self._there = label, 0
        self.close()

    def _opened(self, done: int, total: int) -> tqdm[Any]:
        from tqdm import tqdm

        tqdm.set_lock(
            threading.RLock()
        )  # the default lock is for several processes, and starts one
        tqdm.monitor_interval = 0  # no monitoring thread
        return tqdm(
            desc=self._label or None,
            total=total or None,
            initial=done,
            unit=f" {self._unit}",
            unit_scale=not total,
            colour=None if os.environ.get("NO_COLOR") else "green",
            file=_Unfailing(self._stream),
            leave=False,
            miniters=1,
            **_size(self._stream),
        )

    def clear(self) -> None:
        """Remove the line, so that something else can be printed in its place."""
        if self._bar is not None:
            self._bar.clear()

    def close(self) -> None:
        """Remove the line, until the next report."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class SearchProgress:
    """A context in which traces show their number of nodes on a terminal while they are read. At
    its end the searches that were stopped because they took too long are reported; after an
    interrupt, the counts of the finished searches and of the current one, at most some tenths of a
    second old, are printed to standard error. `names` are those of the searches.
    """

    def __init__(
        self, traces: Sequence[Trace], names: Sequence[str], *, quiet: bool = False
    ) -> None:
        self._traces = traces
        self._names = dict(zip(traces, names, strict=True))
        self._line = ProgressLine(quiet=quiet, unit="nodes")
        self._say = Messages(quiet=quiet)
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

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        for trace in self._traces:
            trace.progress = None
        self._line.close()
        if kind is KeyboardInterrupt:
            self._print_counts()
        if kind is None:
            self._report_stopped()

    def _report_stopped(self) -> None:
        for trace, name in self._names.items():
            if isinstance(trace, SearchTrace) and trace.lost_patience:
                nodes, seconds = trace.tally().nodes, trace.patience
                if nodes == trace.patience_nodes:
                    what, option = f"{nodes:,} nodes", "--max-nodes"
                else:
                    what = f"{seconds:g} s of counting, at {nodes:,} nodes"
                    option = "--max-time"
                self._say(f"{visible(name)}: stopped after {what}; {option} sets another limit")

    def _print_counts(self) -> None:
        rows = [(self._names[trace], tally) for trace, tally in self._done.items()]
        cut = self._current is not None and self._current[0] not in self._done
        if self._current is not None and cut:
            rows.append((self._names[self._current[0]], self._current[1]))
        if rows:
            print(table(rows, interrupted=cut), file=sys.stderr)
