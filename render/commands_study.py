"""What the commands about many puzzles do: generate and study."""

from __future__ import annotations

import json
import re
import sys
import tempfile
from argparse import Namespace
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import asdict
from itertools import islice
from pathlib import Path

from render.progress import ProgressLine
from solver.errors import OutputError, SettingsError
from solver.formats import collection, format_named, write
from solver.generate import Target, Wish, puzzles
from solver.puzzle import Geometry, Puzzle, standard_geometry
from solver.variants import geometry_of

__all__ = ["run_generate", "run_study"]


def run_generate(options: Namespace) -> int:
    geometry = _geometry(options)
    least, most = _givens(options.givens)
    targets = tuple(Target.parse(text) for text in options.target or ())
    wish = Wish(geometry, least, most, options.symmetry, targets, options.attempts)
    usual = geometry.size == 9 and geometry == standard_geometry(9)
    name = options.format or options.output or ("sdm" if usual else "grid")
    format_named(name)  # an unknown format is told before the work, not after it
    output = _free(options.output, options.yes)
    made = []
    for puzzle in islice(puzzles(wish, seed=options.seed), options.count):
        made.append(puzzle)
        if not options.json and not output and name == "sdm":
            print(puzzle, flush=True)
    if output:
        _write(output, write(made, name))
    elif options.json:
        print(json.dumps([_described(puzzle, targets) for puzzle in made], indent=2))
    elif name != "sdm":
        sys.stdout.write(write(made, name))
    return 0


def _geometry(options: Namespace) -> Geometry:
    return geometry_of({"size": options.size, "extra": options.extra or []})


def _givens(text: str | None) -> tuple[int | None, int | None]:
    """The bounds that "24" or "24-28" names. Raises SettingsError."""
    if text is None:
        return None, None
    match = re.fullmatch(r"\s*(\d{1,4})\s*(?:-\s*(\d{1,4})\s*)?", text)
    if not match:
        raise SettingsError(f"{text!r} is no number of givens", remedy="write 24 or 24-28")
    return int(match[1]), int(match[2] or match[1])


def _described(puzzle: Puzzle, targets: tuple[Target, ...]) -> dict[str, object]:
    from solver.backtracking import search

    names = dict.fromkeys(str(target.strategy) for target in targets)
    return {
        "puzzle": str(puzzle),
        "givens": sum(value > 0 for value in puzzle.givens),
        "nodes": {name: search(puzzle, name).tally().nodes for name in names},
    }


def _free(name: str | None, replace: bool) -> Path | None:
    """The path of an output that may be written. Raises OutputError."""
    if name is None:
        return None
    if not replace and Path(name).exists():
        raise OutputError(
            f"{name!r} exists already", remedy="give another name, or -y to replace it"
        )
    return Path(name)


def _write(path: Path, text: str) -> None:
    """Write a text file as a whole or not at all. Raises OutputError."""
    _write_file(path, lambda temporary: temporary.write_text(text, encoding="utf-8"))


def _write_file(path: Path, write: Callable[[Path], object]) -> None:
    """Let `write` make a file under a temporary name, and give it its own. Raises OutputError."""
    from render.sinks.staging import Staging, write_error

    staging = Staging(path, overwrite=True)
    try:
        write(staging.temporary)
    except OSError as error:
        raise write_error(path, error) from None
    else:
        staging.commit()
    finally:
        staging.discard()


def run_study(options: Namespace) -> int:
    from solver.study import Study, run_study
    from solver.study_summary import summarise, summary_table
    from solver.study_tables import check_suffix, write_table

    study = Study.of(
        options.strategies or ["row-major", "mrv"], options.max_nodes or None, options.exhaustive
    )
    output, figure = _free(options.output, options.yes), _free(options.figure, options.yes)
    if output:
        check_suffix(output.suffix)
    if figure:
        from render.study_figure import check_figure

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
            from render.study_figure import draw_study

            _write_file(figure, lambda path: draw_study(journal, summary, path, figure.suffix))
        if output:
            _write_file(output, lambda path: write_table(journal, path, output.suffix))
            journal.remove()
    if options.json:
        print(json.dumps(asdict(summary), indent=2, ensure_ascii=False))
    elif not options.quiet:
        print(summary_table(summary))
    return 0
