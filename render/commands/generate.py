"""undoku generate: makes puzzles with one solution, to a wish."""

from __future__ import annotations

import re
import sys
from argparse import Namespace
from itertools import islice

from render.commands.files import free_path, write_text
from render.commands.printing import print_json
from solver.backtracking import search
from solver.errors import SettingsError
from solver.formats import format_named, write
from solver.generate import Target, Wish, puzzles
from solver.puzzle import Geometry, Puzzle, standard_geometry
from solver.variants import geometry_of

__all__ = ["run"]


def run(options: Namespace) -> int:
    geometry = _geometry(options)
    least, most = _givens(options.givens)
    targets = tuple(Target.parse(text) for text in options.target or ())
    wish = Wish(geometry, least, most, options.symmetry, targets, options.attempts)
    usual = geometry.size == 9 and geometry == standard_geometry(9)
    name = options.format or options.output or ("sdm" if usual else "grid")
    format_named(name)  # an unknown format is told before the work, not after it
    output = free_path(options.output, options.yes)
    made = []
    for puzzle in islice(puzzles(wish, seed=options.seed), options.count):
        made.append(puzzle)
        if not options.json and not output and name == "sdm":
            print(puzzle, flush=True)
    if output:
        write_text(output, write(made, name))
    elif options.json:
        print_json([_described(puzzle, targets) for puzzle in made])
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
    names = dict.fromkeys(str(target.strategy) for target in targets)
    return {
        "puzzle": str(puzzle),
        "givens": sum(value > 0 for value in puzzle.givens),
        "nodes": {name: search(puzzle, name).tally().nodes for name in names},
    }
