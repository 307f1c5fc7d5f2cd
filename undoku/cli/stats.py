"""undoku stats: the events of searches, and their most interesting moments."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence

from undoku.cli.printing import Results
from undoku.cli.solve import counted_results, print_results, worded
from undoku.render.film.search_labels import labelled
from undoku.render.story.claims import sentence_of
from undoku.render.story.highlights import find_highlights
from undoku.solver.trace.search_trace import Limits
from undoku.solver.trace.subjects import Subject, traces_of
from undoku.solver.trace.trace import Trace
from undoku.texts import wording as say
from undoku.texts.language import number
from undoku.visible_text import visible


def run(options: Namespace) -> int:
    return print_results(options, _results)


def stats(
    *subjects: Subject,
    exhaustive: bool = False,
    max_nodes: int | None = None,
    max_seconds: float | None = None,
) -> Results:
    """The counts of searches, as `solve` returns them; in `content["highlights"]` and below the
    table their most interesting moments.

    >>> undoku.stats("1.....3..4.....2", "mrv")[0]["dead_ends"]
    0
    """
    traces = traces_of(subjects, Limits(max_nodes, exhaustive, max_seconds))
    return worded(_results, traces)


def _results(traces: Sequence[Trace], labels: Sequence[str] = ()) -> Results:
    counted = counted_results(traces, labels)
    headers = [
        header._replace(given_label=visible(header.label))
        for header in labelled((trace.header for trace in traces), labels)
    ]
    moments = [(moment, sentence_of(moment, headers)) for moment in find_highlights(traces)]
    highlights = [
        {
            "kind": moment.kind,
            "search": traces[moment.search].header.name,
            "step": moment.step,
            "steps": moment.count,
            "sentence": sentence,
        }
        for moment, sentence in moments
    ]
    width = max((len(number(moment.step)) for moment, _ in moments), default=0)
    lines = [
        say.STEP_ROW(step=f"{number(moment.step):>{width}}", sentence=sentence)
        for moment, sentence in moments
    ]
    content = {"results": counted, "highlights": highlights}
    below = "\n".join(["", *lines] if lines else [])
    return Results(counted, content, counted.shown, names=2, below=below)
