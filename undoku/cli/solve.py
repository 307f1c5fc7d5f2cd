"""undoku solve: counts the searches of a puzzle by several strategies."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Sequence

from undoku.cli.printing import Results, count_rows, counts, print_json
from undoku.cli.progress import SearchProgress
from undoku.cli.searches import labels_of, searches_of
from undoku.render.film.search_labels import labelled, search_names
from undoku.solver.trace.search_trace import Limits
from undoku.solver.trace.subjects import Subject, traces_of
from undoku.solver.trace.trace import Outcome, Trace
from undoku.texts import wording as say
from undoku.texts.language import speaking, spoken
from undoku.texts.language_files import load_language


def run(options: Namespace) -> int:
    return print_results(options, counted_results)


def print_results(
    options: Namespace, results_of: Callable[[Sequence[Trace], Sequence[str]], Results]
) -> int:
    """Print the results of the searches that the options name; `results_of` returns those of traces
    with their labels. Returns the exit code."""
    labels = labels_of(options)
    traces = searches_of(options)
    with speaking(load_language(options.language or "")):
        names = search_names((trace.header for trace in traces), labels)
        with SearchProgress(traces, names, quiet=options.quiet) as progress:
            for trace in traces:
                progress.tally(trace)
            results = worded(results_of, traces, labels)
    if options.json:
        print_json(results.content)
    else:
        print(results)
    return 0


def worded(
    results_of: Callable[[Sequence[Trace], Sequence[str]], Results],
    traces: Sequence[Trace],
    labels: Sequence[str] = (),
) -> Results:
    """Results of searches in the current language, with the nouns of their problem."""
    with speaking(spoken().about(traces[0].header.puzzle.problem)):
        return results_of(traces, labels)


def solve(
    *subjects: Subject,
    exhaustive: bool = False,
    max_nodes: int | None = None,
    max_seconds: float | None = None,
) -> Results:
    """The counts of searches: of puzzles by strategies, by default row-major and mrv, of traces
    and of watched solvers, in any order, as a list of dicts.

    Raises PuzzleError, StrategyError, TraceError, SettingsError.

    >>> solve("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    ...       "mrv")[0]["nodes"]
    52
    """
    traces = traces_of(subjects, Limits(max_nodes, exhaustive, max_seconds))
    return worded(counted_results, traces)


def counted_results(traces: Sequence[Trace], labels: Sequence[str] = ()) -> Results:
    """The counts of traces; `labels` are the names of the first ones."""
    headers = [trace.header for trace in traces]
    names = search_names(headers, labels)
    tallies = [trace.tally() for trace in traces]
    rows = [
        counts(header.name, tally, header.label)
        for header, tally in zip(labelled(headers, labels), tallies, strict=True)
    ]
    below = ""
    if solved := next((tally.solution for tally in tallies if tally.solution), None):
        solution = say.solution_text(headers[0].puzzle.problem, solved)
        below = say.SOLUTION_ROW(solution=solution)
    elif any(tally.outcome is Outcome.EXHAUSTED for tally in tallies):
        below = say.NO_SOLUTION_ROW()
    content = {"puzzle": str(headers[0].puzzle), "results": rows}
    shown = count_rows(list(zip(names, tallies, strict=True)))
    return Results(rows, content, shown, names=2, below=below)
