"""undoku trace: writes a search, event by event."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

from undoku.cli.printing import free_path, reported
from undoku.cli.progress import SearchProgress
from undoku.cli.searches import labels_of, limits_of
from undoku.render.film.search_labels import labelled, search_names
from undoku.solver.search.strategy import Strategy
from undoku.solver.trace.search_trace import Limits
from undoku.solver.trace.subjects import Subject, subject_of, traces_of
from undoku.solver.trace.trace import Trace
from undoku.solver.trace.writing import encoded, format_of, write_trace
from undoku.visible_text import visible


def run(options: Namespace) -> int:
    labels = labels_of(options)
    found = _trace(options.puzzle, options.strategy, limits_of(options))
    if labels:
        (found.header,) = labelled([found.header], labels)
    names = search_names([found.header])
    if options.output == "-":
        with SearchProgress([found], names, quiet=options.quiet or sys.stdout.isatty()):
            for piece in encoded(found, options.format or "jsonl"):
                sys.stdout.buffer.write(piece)
            sys.stdout.flush()
        return 0
    form = options.format or format_of(options.output)
    free_path(options.output, options.yes)
    with SearchProgress([found], names, quiet=options.quiet):
        write_trace(found, options.output, form)
    with reported(Path(options.output), replaced=options.yes):
        print(visible(options.output))
    return 0


def trace(
    subject: Subject,
    strategy: Strategy | str = "",
    *,
    exhaustive: bool = False,
    max_nodes: int | None = None,
    max_seconds: float | None = None,
) -> Trace:
    """The trace of one search: of a puzzle by `strategy`, by default row-major, of a watched
    solver, or the one in a file. `undoku.write_trace` writes it.

    Raises PuzzleError, StrategyError, TraceError, SettingsError, ReadError.

    >>> undoku.trace("1.....3..4.....2", "mrv").tally().outcome
    <Outcome.SOLVED: 'solved'>
    """
    return _trace(subject, strategy, Limits(max_nodes, exhaustive, max_seconds))


def _trace(subject: Subject, strategy: Strategy | str, limits: Limits) -> Trace:
    found = subject_of(subject)
    if isinstance(found, Trace) and not strategy:
        (found,) = traces_of([found], limits)  # which refuses limits
        return found
    puzzle = found.header.puzzle if isinstance(found, Trace) else found
    return traces_of([puzzle, Strategy.of(strategy or "row-major")], limits)[0]
