"""undoku generate: makes puzzles with one solution and given properties."""

from __future__ import annotations

import re
import sys
from argparse import Namespace
from collections.abc import Sequence
from itertools import count, islice

from undoku.cli.printing import free_path, print_json, write_text
from undoku.cli.progress import ProgressLine
from undoku.errors import SettingsError
from undoku.solver.problem.puzzle import Puzzle, standard_geometry
from undoku.solver.problem.sources import write, writer_of
from undoku.solver.problem.variants import geometry_of
from undoku.solver.study.generate import PuzzleRequirements, Target, puzzles
from undoku.solver.trace.search_trace import Limits, search
from undoku.solver.trace.trace import Outcome

COUNTED = 10_000_000  # the most nodes that JSON reports, unless a target requires more


def run(options: Namespace) -> int:
    required = _required(
        options.size, options.extra or (), options.givens, options.symmetry,
        options.target or (), options.attempts,
    )  # fmt: skip
    geometry, targets = required.geometry, required.targets
    usual = geometry == standard_geometry(geometry.size)
    name = options.format or options.output or ("sdm" if usual else "grid")
    # Check before the work whether the format can represent the puzzles.
    held = 1 if options.json and not options.output else min(2, options.count)
    list(writer_of(name)([Puzzle((0,) * geometry.cells, geometry)] * held))
    output = free_path(options.output, options.yes)
    made = []
    boards = count(1)
    with ProgressLine(quiet=options.quiet, unit="boards") as progress:
        source = puzzles(required, seed=options.seed, tried=lambda: progress(next(boards), 0))
        for puzzle in islice(source, options.count):
            made.append(puzzle)
            if not options.json and not output and name == "sdm":
                progress.clear()
                print(puzzle, flush=True)
    if output:
        write_text(output, write(made, name))
    if options.json:
        text = name if not output else "sdm" if usual else "grid"
        print_json([_described(puzzle, targets, text) for puzzle in made])
    elif not output and name != "sdm":
        sys.stdout.write(write(made, name))
    return 0


def generate(
    count: int = 1,
    *,
    seed: int = 0,
    size: int = 9,
    extra: Sequence[str] = (),
    givens: int | str | None = None,
    symmetry: str = "none",
    target: Sequence[str] = (),
    attempts: int = 2000,
) -> list[Puzzle]:
    """Make puzzles with one solution: with `extra` units, such as "diagonals", as many `givens`,
    such as 24 or "24-28", a `symmetry`, such as "half-turn", and numbers of nodes that strategies
    need, as in `target=["row-major>=50000"]`, by at most so many `attempts` for each puzzle.

    Raises SettingsError, also if no such puzzle was found.

    >>> [puzzle] = undoku.generate(size=4, givens=6)
    >>> len(puzzle.empty_cells)
    10
    """
    required = _required(size, extra, givens, symmetry, target, attempts)
    if count < 0:
        raise SettingsError(f"the number of puzzles must not be negative: {count}")
    return [*islice(puzzles(required, seed=seed), count)]


def _required(
    size: int,
    extra: Sequence[str],
    givens: int | str | None,
    symmetry: str,
    target: Sequence[str],
    attempts: int,
) -> PuzzleRequirements:
    geometry = geometry_of({"size": size, "extra": list(extra)})
    targets = tuple(Target.parse(text) for text in target)
    return PuzzleRequirements(geometry, _givens(givens), symmetry, targets, attempts)


def _givens(text: int | str | None) -> tuple[int, int] | None:
    """The bounds given by "24" or "24-28". Raises SettingsError."""
    if text is None:
        return None
    match = re.fullmatch(r"\s*(\d{1,4})\s*(?:-\s*(\d{1,4})\s*)?", str(text))
    if not match:
        raise SettingsError(f"{text!r} is not a valid number of givens", remedy="write 24 or 24-28")
    return int(match[1]), int(match[2] or match[1])


def _described(puzzle: Puzzle, targets: tuple[Target, ...], text: str) -> dict[str, object]:
    # Limit the count: a search by an order such as `most` may be very long.
    limit = Limits(max([COUNTED, *(target.nodes + 1 for target in targets)]))
    names = dict.fromkeys(str(target.strategy) for target in targets)
    tallies = {name: search(puzzle, name, limit).tally() for name in names}
    return {
        "puzzle": write(puzzle, text).removesuffix("\n"),
        "givens": sum(value > 0 for value in puzzle.givens),
        "nodes": {name: tally.nodes for name, tally in tallies.items()},
        "capped": [name for name, tally in tallies.items() if tally.outcome is Outcome.CAPPED],
    }
