"""undoku trace: writes a search, event by event."""

from __future__ import annotations

import sys
from argparse import Namespace

from undoku.cli.output_files import free_path
from undoku.cli.search_inputs import limits_of
from undoku.cli.search_progress import SearchProgress
from undoku.cli.typesetting_options import labels_of
from undoku.render.film.search_labels import labelled
from undoku.solver.problem.sources import read
from undoku.solver.trace.search_trace import search
from undoku.solver.trace.writing import encoded, format_of, write_trace

__all__ = ["run"]


def run(options: Namespace) -> int:
    labels = labels_of(options)
    trace = search(read(options.puzzle), options.strategy, limits_of(options))
    if labels:
        (trace.header,) = labelled([trace.header], labels)
    if options.output == "-":
        with SearchProgress([trace], quiet=options.quiet or sys.stdout.isatty()):
            for piece in encoded(trace, options.format or "jsonl"):
                sys.stdout.buffer.write(piece)
            sys.stdout.flush()
        return 0
    form = options.format or format_of(options.output)
    free_path(options.output, options.yes)
    with SearchProgress([trace], quiet=options.quiet):
        write_trace(trace, options.output, form)
    print(options.output)
    return 0
