"""undoku study: counts the searches of every puzzle of a collection by several strategies."""

from __future__ import annotations

import hashlib
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, replace
from pathlib import Path

from undoku.cli.messages import Messages, report_letters
from undoku.cli.output_files import free_path, write_files
from undoku.cli.printing import print_json
from undoku.cli.progress import ProgressLine
from undoku.cli.search_inputs import COMPARED
from undoku.cli.study_tables import summary_table, wins_table
from undoku.cli.typesetting_options import labels_of, typesetting_of
from undoku.errors import PuzzleError, SettingsError
from undoku.render.figures.figure_file import check_figure
from undoku.render.figures.study_figure import draw_study
from undoku.render.figures.wins_figure import draw_wins
from undoku.render.film.search_labels import strategy_labels
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.problem.sources import readings
from undoku.solver.study.journal import check_suffix, write_table
from undoku.solver.study.runner import Study, run_study
from undoku.solver.study.summary import QUANTILES, Summary, WinSummary, summarise, wins_of
from undoku.temporary_files import temporary_folder

__all__ = ["run"]


def run(options: Namespace) -> int:
    study = Study.of(
        options.strategies or COMPARED,
        options.max_nodes or None,
        options.exhaustive,
        options.seeds,
    )
    output, figure, won = (
        free_path(path, options.yes) for path in (options.output, options.figure, options.wins)
    )
    typesetting = typesetting_of(options)
    labels = strategy_labels(study.names, labels_of(options))
    if output:
        check_suffix(output.suffix)
    suffixes = {drawn: check_figure(drawn) for drawn in (figure, won) if drawn}
    if suffixes:
        report_letters(typesetting, labels, Messages(quiet=options.quiet))
    if won and len(study.strategies) < 2:
        raise SettingsError("a comparison of wins needs two strategies", remedy="name at least two")
    unread: list[PuzzleError] = []
    with ExitStack() as stack:
        if output:
            journal_path = output.with_name(f"{output.name}.journal")
        else:
            folder = stack.enter_context(temporary_folder())
            journal_path = folder / "journal"
        progress = stack.enter_context(ProgressLine(quiet=options.quiet, unit="puzzles"))
        journal = run_study(
            _puzzles(options, unread),
            study,
            journal_path,
            jobs=options.jobs,
            progress=lambda counted: progress(counted, 0),
            replace=options.yes,
        )
        stack.callback(journal.close)
        summary = _called(summarise(journal, seed=options.seed), labels)
        wins = _wins_called(wins_of(journal), labels)
        files: dict[Path, Callable[[Path], object]] = {}
        if figure:
            files[figure] = lambda path: draw_study(journal, summary, path, suffixes[figure])
        if won:
            files[won] = lambda path: draw_wins(journal, wins, path, suffixes[won])
        if output:
            files[output] = lambda path: write_table(journal, path, output.suffix)
        # The process that holds the journal also owns these names.
        where = str(journal_path.absolute()).encode()
        with typesetting.within():
            write_files(files, mark=hashlib.sha256(where).hexdigest()[:12])
        if output:
            journal.remove()
    if options.json:
        content = asdict(summary) | {"unread": len(unread), "wins": asdict(wins)}
        for one in content["strategies"]:
            one["quantiles"] = dict(zip(map(str, QUANTILES), one["quantiles"], strict=True))
        print_json(content)
    elif not options.quiet:
        with typesetting.within():
            print(summary_table(summary))
            if table := wins_table(wins):
                print(f"\n{table}")
        if unread:
            print(f"{len(unread):,} passed over, the first: {unread[0]}")
    return 0


def _called(summary: Summary, labels: Sequence[str]) -> Summary:
    """The summary with these names of its strategies; that of no puzzle has none."""
    named = zip(summary.strategies, labels, strict=False)
    return replace(summary, strategies=tuple(replace(one, name=name) for one, name in named))


def _wins_called(wins: WinSummary, labels: Sequence[str]) -> WinSummary:
    plain = labels[wins.strategies.index(wins.plain)]
    return replace(wins, strategies=tuple(labels), plain=plain)


def _puzzles(options: Namespace, unread: list[PuzzleError]) -> Iterator[Puzzle | PuzzleError]:
    """The collection; invalid puzzles are added to `unread`, or end the study."""
    for reading in readings(options.puzzles):
        if isinstance(reading, PuzzleError):
            if not options.skip:
                raise reading
            unread.append(reading)
        yield reading
