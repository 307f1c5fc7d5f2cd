"""undoku study: counts the searches of every puzzle of a collection by several strategies."""

from __future__ import annotations

import hashlib
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from undoku.cli.printing import (
    Messages,
    Results,
    aligned,
    free_path,
    print_json,
    write_files,
)
from undoku.cli.progress import ProgressLine
from undoku.cli.searches import labels_of, seconds_of
from undoku.errors import PuzzleError, SettingsError
from undoku.render.draw.typesetting import Typesetting
from undoku.render.figures.figure_file import check_figure
from undoku.render.figures.scales import digits_text, share_text
from undoku.render.figures.study_figure import draw_study, searched_text
from undoku.render.figures.wins_figure import draw_wins
from undoku.render.film.search_labels import strategy_labels
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.problem.sources import as_puzzle, readings
from undoku.solver.search.strategy import COMPARED, Strategy
from undoku.solver.study.journal import check_suffix, write_table
from undoku.solver.study.own_solver import OwnSolver, program, watched_function
from undoku.solver.study.runner import Study, run_study
from undoku.solver.study.summary import (
    QUANTILES,
    GroupWins,
    PairWins,
    StrategySummary,
    Summary,
    WinSummary,
    summarise,
    wins_of,
)
from undoku.temporary_files import temporary_folder
from undoku.texts import wording as say
from undoku.texts.language import decimal, number
from undoku.visible_text import visible


def run(options: Namespace) -> int:
    results = study(
        options.puzzles,
        *(options.strategies or (() if options.solver else COMPARED)),
        *map(program, options.solver or ()),
        max_nodes=options.max_nodes or None,
        exhaustive=options.exhaustive,
        seeds=options.seeds,
        timed=options.times,
        max_seconds=seconds_of(options),
        skip=options.skip,
        jobs=options.jobs,
        output=options.output,
        figure=options.figure,
        wins=options.wins,
        labels=labels_of(options),
        language=options.language or "",
        font=options.font or "",
        overwrite=options.yes,
        seed=options.seed,
        quiet=options.quiet,
    )
    if options.json:
        print_json(results.content)
    elif not options.quiet:
        print(results)
    return 0


def study(
    collection: str | Path | Iterable[Puzzle | str],
    *strategies: Strategy | OwnSolver | str | Callable[[Any], object],
    max_nodes: int | None = 1_000_000,
    exhaustive: bool = False,
    seeds: int = 1,
    timed: bool = False,
    max_seconds: float | None = None,
    skip: bool = False,
    jobs: int | None = 0,
    output: str | Path | None = None,
    figure: str | Path | None = None,
    wins: str | Path | None = None,
    labels: Sequence[str] = (),
    language: str = "",
    font: str = "",
    overwrite: bool = True,
    seed: int = 0,
    quiet: bool = True,
) -> Results:
    """Search every puzzle of a collection, a file or an iterable, by every strategy, by default
    row-major and mrv, and compare them: a dict for each strategy. `content` has the whole summary.

    A function is a solver of one's own: it is called with a grid, a list of rows with 0 in empty
    cells, or a list of the values of another problem, which is watched while the function fills it.

    `max_nodes` limits each search, `max_seconds` those of strategies and programs; each puzzle is
    searched `seeds` times; `timed` measures the seconds of each search; `skip` passes over invalid
    puzzles; `jobs` worker processes share the work (None: one for each core; a script must then be
    guarded by `if __name__ == "__main__"`, and functions must be importable). `output` is a table
    of all searches (.csv or .parquet), `figure` shows the distribution of nodes, `wins` which
    strategy wins where (.png, .svg, .pdf). `labels` are the names of the first strategies, `seed`
    is that of the bootstrap. Without `quiet`, the progress is shown on a terminal.

    Raises PuzzleError, StrategyError, SettingsError, ReadError, OutputError; RunError, TraceError
    for a solver of one's own that fails.

    >>> [row["name"] for row in undoku.study(["1.....3..4.....2"], "row-major", "mrv")]
    ['row-major', 'mrv']
    """
    solvers = (watched_function(one) if callable(one) else one for one in strategies)
    asked = Study.of(
        [*solvers] or COMPARED, max_nodes, exhaustive, seeds, timed=timed, max_seconds=max_seconds
    )
    if seed < 0:
        raise SettingsError(f"the seed of the bootstrap must not be negative: {seed}")
    table, drawn, drawn_wins = (
        free_path(str(path), overwrite) if path else None for path in (output, figure, wins)
    )
    typesetting = Typesetting.of(language, font)
    labels = strategy_labels(asked.names, labels)
    if table:
        check_suffix(table.suffix)
    suffixes = {path: check_figure(path) for path in (drawn, drawn_wins) if path}
    if suffixes:
        for warning in typesetting.warnings(labels):
            Messages(quiet=quiet)(warning)
    if drawn_wins and len(asked.strategies) < 2:
        raise SettingsError("a comparison of wins needs two strategies", remedy="name at least two")
    unread = _Unread()
    with ExitStack() as stack:
        if table:
            journal_path = table.with_name(f"{table.name}.journal")
        else:
            folder = stack.enter_context(temporary_folder())
            journal_path = folder / "journal"
        progress = stack.enter_context(ProgressLine(quiet=quiet, unit="puzzles"))
        journal = run_study(
            _puzzles(collection, unread, skip=skip),
            asked,
            journal_path,
            jobs=jobs,
            progress=lambda counted: progress(counted, 0),
            replace=overwrite,
        )
        stack.callback(journal.close)
        summary = _called(summarise(journal, seed=seed), labels)
        won = _wins_called(wins_of(journal), labels)
        files: dict[Path, Callable[[Path], object]] = {}
        if drawn:
            files[drawn] = lambda path: draw_study(journal, summary, path, suffixes[drawn])
        if drawn_wins:
            files[drawn_wins] = lambda path: draw_wins(journal, won, path, suffixes[drawn_wins])
        if table:
            files[table] = lambda path: write_table(journal, path, table.suffix)
        # The process that holds the journal also owns these names.
        where = str(journal_path.absolute()).encode()
        with typesetting.within():
            write_files(files, mark=hashlib.sha256(where).hexdigest()[:12])
        if table:
            journal.remove()
    with typesetting.within():
        return study_results(summary, won, unread)


def study_results(
    summary: Summary, wins: WinSummary | None = None, unread: _Unread | None = None
) -> Results:
    """The results in the current language, with the number of the puzzles that were passed over."""
    content = asdict(summary) | {
        "unread": unread.number if unread else 0,
        "wins": wins and asdict(wins),
    }
    for one in content["strategies"]:
        one["quantiles"] = dict(zip(map(str, QUANTILES), one["quantiles"], strict=True))
    parts = [*_summary_notes(summary)]
    if wins and (table := wins_table(wins)):
        parts.append(f"\n{table}")
    if unread and unread.number:
        parts.append(f"{unread.number:,} passed over, the first: {unread.first}")
    return Results(content["strategies"], content, _summary_rows(summary), below="\n".join(parts))


def _called(summary: Summary, labels: Sequence[str]) -> Summary:
    """The summary with these names of its strategies; that of no puzzle has none."""
    named = zip(summary.strategies, labels, strict=False)
    return replace(summary, strategies=tuple(replace(one, name=name) for one, name in named))


def _wins_called(wins: WinSummary, labels: Sequence[str]) -> WinSummary:
    plain = labels[wins.strategies.index(wins.plain)]
    return replace(wins, strategies=tuple(labels), plain=plain)


@dataclass
class _Unread:
    """How many puzzles of a collection are invalid, and the error of the first one."""

    number: int = 0
    first: PuzzleError | None = None


def _puzzles(
    collection: str | Path | Iterable[Puzzle | str], unread: _Unread, *, skip: bool
) -> Iterator[Puzzle | PuzzleError]:
    """The collection; invalid puzzles are counted in `unread`, or end the study."""
    found: Iterable[Puzzle | PuzzleError] = (
        readings(collection) if isinstance(collection, str | Path) else map(_reading, collection)
    )
    for reading in found:
        if isinstance(reading, PuzzleError):
            if not skip:
                raise reading
            unread.number += 1
            unread.first = unread.first or reading
        yield reading


def _reading(puzzle: Puzzle | str) -> Puzzle | PuzzleError:
    """A puzzle, or the error of reading it."""
    try:
        return as_puzzle(puzzle)
    except PuzzleError as error:
        return error


_DIGITS = 4
"""Digits of ratios."""

_NONE = "–"
"""Where there is no number."""


def _summary_rows(summary: Summary) -> list[tuple[str, ...]]:
    """The headings and the rows of the summary; none if there were no puzzles."""
    if not summary.puzzles:
        return []
    # Only names: the texts of a language may begin with a mark of its direction.
    strategies = [replace(one, name=visible(one.name)) for one in summary.strategies]
    quantiles = (say.COLUMN_QUANTILE(number=number(share)) for share in (5, 25, 75, 95))
    head = (
        say.COLUMN_STRATEGY(),
        say.COLUMN_MEDIAN(),
        *quantiles,
        say.COLUMN_MOST(),
        say.CAPPED(),
        say.COUNTER_FORCED(),
        say.COLUMN_WINS(),
        say.COLUMN_RATIO(strategy=strategies[0].name),
        say.COLUMN_INTERVAL(),
    )
    return [head, *(_summary_row(one, first=one is strategies[0]) for one in strategies)]


def _summary_row(one: StrategySummary, *, first: bool) -> tuple[str, ...]:
    low, lower, middle, upper, high = (
        _at_least(value, bound=place >= one.exact) for place, value in enumerate(one.quantiles)
    )
    ratio, spread = number(1), ""
    if not first:
        ratio = digits_text(one.ratio, _DIGITS) + "*" * one.bound
        if one.low is not None and one.high is not None:
            spread = f"{digits_text(one.low, _DIGITS)}–{digits_text(one.high, _DIGITS)}"
    most = _at_least(one.most, bound=one.capped > 0)
    counts = (most, share_text(one.capped), share_text(one.forced), number(one.wins))
    return one.name, middle, low, lower, upper, high, *counts, ratio, spread


def _summary_notes(summary: Summary) -> list[str]:
    """The lines that explain the numbers."""
    if not summary.puzzles:
        return [say.NO_PUZZLES()]
    notes = [
        searched_text(summary.puzzles, summary.seeds),
        say.COLUMNS_ARE_NODES(),
        say.FORCED_ARE_SHARES(),
    ]
    if len(summary.strategies) > 1:
        notes.append(say.WITHOUT_WINNER(count=summary.ties))
        several = summary.seeds > 1
        notes.append((say.RATIO_OVER_SEARCHES if several else say.RATIO_OVER_PUZZLES)())
        if summary.resamples:
            notes.append(say.INTERVAL_RESAMPLED(count=summary.resamples))
    lines = ["; ".join(notes)]
    if summary.unsolvable:
        count = summary.unsolvable // summary.seeds
        lines.append(say.WITHOUT_SOLUTION(puzzles=say.PUZZLES(count=count)))
    if any(one.bound for one in summary.strategies):
        lines.append(say.CAPPED_COUNT_AS_CAP())
    return lines


def wins_table(wins: WinSummary) -> str:
    """The wins as aligned columns; "" for a study of one strategy or of no puzzle."""
    if len(wins.strategies) < 2 or not wins.by_givens:
        return ""
    names = tuple(map(visible, wins.strategies))
    several = wins.seeds > 1
    counted = (say.COLUMN_SEARCHES if several else say.COLUMN_PUZZLES)()
    head = (counted, *names, say.COLUMN_TIE())
    grouped = (
        (say.COLUMN_GIVENS(), wins.by_givens),
        (say.COLUMN_BACKTRACKS_OF(strategy=visible(wins.plain)), wins.by_backtracks),
    )
    pairs = (
        say.COLUMN_PAIR(),
        say.COLUMN_FEWER(),
        say.COLUMN_MORE(),
        say.COLUMN_TIE(),
        say.COLUMN_WIN_RATE(),
        say.COLUMN_INTERVAL(),
    )
    parts = [aligned([(title, *head), *map(_group_row, groups)]) for title, groups in grouped]
    parts.append((say.TIE_OF_SEARCHES if several else say.TIE_OF_PUZZLES)())
    parts.append(aligned([pairs, *(_pair_row(names, pair) for pair in wins.pairs)]))
    if any(tail is not None for tail in wins.tails):
        indices = ", ".join(
            f"{name} {_NONE if tail is None else decimal(tail, 2, all_places=True)}"
            for name, tail in zip(names, wins.tails, strict=True)
        )
        parts.append(say.TAIL_INDEX(indices=indices))
    return "\n\n".join(parts)


def _group_row(group: GroupWins) -> tuple[str, ...]:
    cells = [
        say.IN_BRACKETS(name=number(wins), number=_at_least(median, bound=bound))
        for wins, median, bound in zip(group.wins, group.medians, group.bound, strict=True)
    ]
    return group.name, number(group.puzzles), *cells, number(group.ties)


def _pair_row(names: tuple[str, ...], pair: PairWins) -> tuple[str, ...]:
    rate, spread = _NONE, ""
    if pair.rate is not None and pair.low is not None and pair.high is not None:
        rate, low, high = (share_text(share, 1) for share in (pair.rate, pair.low, pair.high))
        spread = f"{low}–{high}"
    named = say.AGAINST(first=names[pair.first], second=names[pair.second])
    return named, *map(number, (pair.wins, pair.losses, pair.ties)), rate, spread


def _at_least(nodes: float, *, bound: bool) -> str:
    """So many nodes; where they are only a lower `bound`, it says so."""
    count = decimal(nodes, 0)
    return say.AT_LEAST(number=count) if bound else count
