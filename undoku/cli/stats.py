"""undoku stats: the events of searches, and their most interesting moments."""

from __future__ import annotations

from argparse import Namespace

from undoku.cli.printing import counts, print_json, table
from undoku.cli.progress import SearchProgress
from undoku.cli.searches import labels_of, traces_of, typesetting_of
from undoku.render.film.search_labels import labelled, search_names
from undoku.render.story.highlights import find_highlights
from undoku.texts import wording as say
from undoku.texts.language import number
from undoku.visible_text import visible


def run(options: Namespace) -> int:
    typesetting, given = typesetting_of(options), labels_of(options)
    traces = traces_of(options)
    headers = [trace.header for trace in traces]
    with typesetting.within():
        names = search_names(headers, given)
        labels = [header.label for header in labelled(headers, given)]
        with SearchProgress(traces, names, quiet=options.quiet) as progress:
            tallies = [progress.tally(trace) for trace in traces]
            shown = labels if options.json else [*map(visible, labels)]
            found = find_highlights(traces, shown)
        if options.json:
            keys = [header.name for header in headers]
            highlights = [
                {
                    "kind": one.kind,
                    "search": keys[one.search],
                    "step": one.step,
                    "steps": one.count,
                    "sentence": one.text,
                }
                for one in found
            ]
            print_json(
                {
                    "results": list(map(counts, keys, tallies, labels)),
                    "highlights": highlights,
                }
            )
            return 0
        print(table(list(zip(names, tallies, strict=True))))
        if found:
            print()
        width = max((len(number(highlight.step)) for highlight in found), default=0)
        for highlight in found:
            step = f"{number(highlight.step):>{width}}"
            print(say.STEP_ROW(step=step, sentence=highlight.text))
    return 0
