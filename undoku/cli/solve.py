"""undoku solve: counts the searches of a puzzle by several strategies."""

from __future__ import annotations

from argparse import Namespace

from undoku.cli.printing import counts, print_json, table
from undoku.cli.progress import SearchProgress
from undoku.cli.searches import be_patient, labels_of, limits_of, typesetting_of
from undoku.render.film.search_labels import labelled, search_names
from undoku.solver.problem.sources import read
from undoku.solver.search.strategy import COMPARED
from undoku.solver.trace.search_trace import search
from undoku.solver.trace.trace import Outcome
from undoku.texts import wording as say


def run(options: Namespace) -> int:
    typesetting, labels = typesetting_of(options), labels_of(options)
    puzzle = read(options.puzzle)
    limits = limits_of(options)
    searches = [search(puzzle, name, limits) for name in options.strategy or COMPARED]
    be_patient(searches)
    headers = [trace.header for trace in searches]
    with typesetting.within():
        names, labelled_headers = search_names(headers, labels), labelled(headers, labels)
        with SearchProgress(searches, names, quiet=options.quiet) as progress:
            tallies = [progress.tally(trace) for trace in searches]
        if options.json:
            results = [
                counts(header.name, tally, header.label)
                for header, tally in zip(labelled_headers, tallies, strict=True)
            ]
            print_json({"puzzle": str(puzzle), "results": results})
            return 0
        print(table(list(zip(names, tallies, strict=True))))
        if solved := next((tally.solution for tally in tallies if tally.solution), None):
            print(say.SOLUTION_ROW(solution=puzzle.geometry.text(solved)))
        elif any(tally.outcome is Outcome.EXHAUSTED for tally in tallies):
            print(say.NO_SOLUTION_ROW())
    return 0
