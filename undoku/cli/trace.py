"""undoku trace: writes a search, event by event."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

from undoku.cli.printing import free_path, reported
from undoku.cli.progress import SearchProgress
from undoku.cli.searches import labels_of, limits_of
from undoku.render.film.search_labels import labelled, search_names
from undoku.solver.problem.sources import read
from undoku.solver.trace.search_trace import search
from undoku.solver.trace.writing import encoded, format_of, write_trace
from undoku.visible_text import visible


def run(options: Namespace) -> int:
    labels = labels_of(options)
    trace = search(read(options.puzzle), options.strategy, limits_of(options))
    if labels:
        (trace.header,) = labelled([trace.header], labels)
    names = search_names([trace.header])
    if options.output == "-":
        with SearchProgress([trace], names, quiet=options.quiet or sys.stdout.isatty()):
            for piece in encoded(trace, options.format or "jsonl"):
                sys.stdout.buffer.write(piece)
            sys.stdout.flush()
        return 0
    form = options.format or format_of(options.output)
    free_path(options.output, options.yes)
    with SearchProgress([trace], names, quiet=options.quiet):
        write_trace(trace, options.output, form)
    with reported(Path(options.output), replaced=options.yes):
        print(visible(options.output))
    return 0
