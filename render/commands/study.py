"""undoku study: counts what strategies do on every puzzle of a collection."""

from __future__ import annotations

import tempfile
from argparse import Namespace
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path

from render.commands.files import free_path, write_file
from render.commands.printing import print_json
from render.commands.searching import COMPARED
from render.progress import ProgressLine
from render.study_figure import check_figure, draw_study
from solver.formats import collection
from solver.study import Study, run_study
from solver.study_summary import summarise, summary_table
from solver.study_tables import check_suffix, write_table

__all__ = ["run"]


def run(options: Namespace) -> int:
    study = Study.of(options.strategies or COMPARED, options.max_nodes or None, options.exhaustive)
    output, figure = free_path(options.output, options.yes), free_path(options.figure, options.yes)
    if output:
        check_suffix(output.suffix)
    if figure:
        check_figure(figure.suffix)
    puzzles = collection(options.puzzles, skip=options.skip)
    with ExitStack() as stack:
        if output:
            journal_path = output.with_name(f"{output.name}.journal")
        else:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="undoku-"))
            journal_path = Path(folder) / "journal"
        progress = stack.enter_context(ProgressLine(quiet=options.quiet, unit="puzzles"))
        journal = run_study(
            puzzles,
            study,
            journal_path,
            jobs=options.jobs,
            progress=lambda counted: progress(counted, 0),
        )
        stack.callback(journal.close)
        summary = summarise(journal, seed=options.seed)
        if figure:
            write_file(figure, lambda path: draw_study(journal, summary, path, figure.suffix))
        if output:
            write_file(output, lambda path: write_table(journal, path, output.suffix))
            journal.remove()
    if options.json:
        print_json(asdict(summary))
    elif not options.quiet:
        print(summary_table(summary))
    return 0
