"""Any problem as the content of a file, which `undoku.solver.problem.problem_file` reads again."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from undoku.errors import PuzzleError
from undoku.solver.problem.appearance import Form
from undoku.solver.problem.problem import Problem
from undoku.solver.problem.problem_file import parse_problem, puzzle_of
from undoku.solver.problem.puzzle import Geometry, Puzzle
from undoku.solver.problem.puzzle_format import PuzzleFormat, single
from undoku.solver.problem.puzzle_text import single_puzzle
from undoku.solver.problem.variants import geometry_of, geometry_options
from undoku.toml_reading import shown


def problem_of(options: Mapping[str, Any]) -> Problem:
    """The problem that `problem_options` has made. Raises PuzzleError."""
    if "problem" not in options:
        return geometry_of(options)
    content = options["problem"]
    if not isinstance(content, dict):
        raise PuzzleError(
            f"the problem {shown(content)} is not an object",
            remedy='write "problem":{"variables":…,"values":…} and what excludes what',
        )
    return puzzle_of(content, "problem").problem


def problem_options(problem: Problem) -> dict[str, Any]:
    """A problem as plain options for JSON: a board as `undoku.solver.problem.variants` writes it,
    any other problem as "problem" with the content of a file. Raises PuzzleError for a board that
    has no such options."""
    if isinstance(problem, Geometry):
        return geometry_options(problem)
    return {"problem": content_of(problem)}


def content_of(problem: Problem) -> dict[str, Any]:
    """The content of a file that describes a problem, without a title and givens."""
    names, look = [variable.name for variable in problem.variables], problem.appearance
    different: dict[str, list[Any]] = {}
    for unit in problem.units:
        cells = [names[cell] for cell in unit.cells]
        listed = {"variables": cells, "shifts": list(unit.shifts)} if unit.shifts else cells
        different.setdefault(unit.kind, []).append(listed)
    content: dict[str, Any] = {
        "variables": names,
        "values": list(look.names) or problem.size,
        "different": different,
        "form": str(look.form),
        "variable": look.variable,
        "value": look.value,
    }
    if look.form is Form.REGIONS:
        content["picture"] = _drawn(problem)
    elif look.placed:
        content["positions"] = {
            variable.name: list(variable.place) for variable in problem.variables
        }
    if look.texts:
        content["texts"] = list(look.texts)
    if problem.domains:
        content["domains"] = {
            name: [value + 1 for value in range(problem.size) if mask >> value & 1]
            for name, mask in zip(names, problem.domains, strict=True)
        }
    return content


def _drawn(problem: Problem) -> str:
    """The picture of regions as text."""
    rows, columns = problem.extent
    names = [["."] * columns for _ in range(rows)]
    for name, _, fields in problem.variables:
        for row, column in fields:
            names[row][column] = name
    return "\n".join(map(" ".join, names))


_FITS = re.compile(r"""(?:^|[{,])[ \t]*"?(?:variables|picture|rows)"?[ \t]*[=:]""", re.MULTILINE)


def _write(puzzles: Iterable[Puzzle]) -> Iterator[str]:
    puzzle = single(puzzles, "problem")
    problem = puzzle.problem
    if isinstance(problem, Geometry):
        raise PuzzleError(
            "problem can't represent this board of rows and columns", remedy="write it as grid"
        )
    givens = {problem.cell_name(cell): value for cell, value in enumerate(puzzle.givens) if value}
    content = {"title": puzzle.title, **content_of(problem), "givens": givens}
    yield json.dumps(content, ensure_ascii=False, indent=1) + "\n"


PROBLEM = PuzzleFormat(
    name="problem",
    suffixes=(),
    sentence="one problem of variables, values and what excludes what, as TOML or JSON",
    source="undoku, docs/puzzle-formats.md",
    fits=lambda text: _FITS.search(text) is not None,
    read=single_puzzle(parse_problem),
    write=_write,
)
