"""undoku stats: the events of searches, and their most interesting moments."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import asdict

from render.cli.commands.printing import counts, print_json, table
from render.cli.commands.search_inputs import traces_of
from render.cli.commands.search_progress import SearchProgress
from render.story.highlights import find_highlights
from solver.visible_text import visible

__all__ = ["run"]


def run(options: Namespace) -> int:
    traces = traces_of(options)
    names = [trace.header.name for trace in traces]
    with SearchProgress(traces) as progress:
        tallies = [progress.tally(trace) for trace in traces]
        found = find_highlights(traces)
    if options.json:
        print_json(
            {
                "results": list(map(counts, names, tallies)),
                "highlights": [
                    {**asdict(highlight), "search": names[highlight.search]} for highlight in found
                ],
            }
        )
        return 0
    print(table(list(zip(names, tallies, strict=True))))
    if found:
        print()
    width = max((len(f"{highlight.step:,}") for highlight in found), default=0)
    for highlight in found:
        print(f"step {highlight.step:>{width},}  {visible(highlight.sentence)}")
    return 0
