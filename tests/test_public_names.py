"""The front door: `import undoku` has every public name, and `python -m undoku` is the command."""

from __future__ import annotations

import ast
import doctest
import inspect
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path

import pytest

import render
import solver
import undoku
from tests.support.paths import ROOT

NAMES = [
    "Canvas",
    "Clock",
    "EVENT",
    "EncoderError",
    "FileTrace",
    "Film",
    "FilmSettings",
    "Frame",
    "Geometry",
    "Header",
    "InputError",
    "PartKind",
    "Limits",
    "MemoryTrace",
    "Op",
    "Outcome",
    "OutputError",
    "Pace",
    "Part",
    "Phase",
    "Picture",
    "Player",
    "Puzzle",
    "PuzzleError",
    "ReadError",
    "Rect",
    "Replay",
    "Report",
    "RunError",
    "SearchTrace",
    "SettingsError",
    "Shot",
    "NotebookFilm",
    "Snapshot",
    "Strategy",
    "StrategyError",
    "StreamTrace",
    "Tally",
    "Theme",
    "Timeline",
    "Trace",
    "TraceError",
    "Tracer",
    "UndokuError",
    "Unit",
    "board_at",
    "check",
    "compare",
    "figure",
    "frames",
    "load_theme",
    "open_trace",
    "parse_puzzle",
    "parts",
    "plan",
    "read_frames",
    "register",
    "search",
    "standard_geometry",
    "trace_of",
    "write_chart",
    "write_film",
    "write_filmstrip",
    "write_lines",
    "write_still",
    "write_trace",
]
"""What people may rely on. A name that is gone breaks their programs: think twice."""


def run(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
    )


def test_the_public_names_are_these() -> None:
    assert sorted(undoku.__all__) == sorted(NAMES)
    assert set(undoku.__all__) == {*solver.__all__, *render.__all__}


def test_no_name_means_two_things() -> None:
    assert not set(solver.__all__) & set(render.__all__)


@pytest.mark.parametrize("name", NAMES)
def test_a_public_name_is_what_its_package_calls_so(name: str) -> None:
    package = solver if name in solver.__all__ else render
    assert getattr(undoku, name) is getattr(package, name)
    assert name in dir(undoku)
    assert name in dir(package)


def documented_constants(module: str) -> Iterator[str]:
    """The names at the top level of a module that are followed by a docstring."""
    path = inspect.getsourcefile(import_module(module))
    assert path is not None
    body = ast.parse(Path(path).read_text("utf-8")).body
    for node, text in pairwise(body):
        if isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant):
            for target in getattr(node, "targets", [getattr(node, "target", None)]):
                if isinstance(target, ast.Name):
                    yield target.id


@pytest.mark.parametrize("name", NAMES)
def test_a_public_name_says_what_it_is(name: str) -> None:
    """In its own docstring, not in one that a decorator or a base class made."""
    value = getattr(undoku, name)
    if not inspect.isclass(value) and not callable(value):
        assert name in documented_constants("solver.trace")
        return
    own = value.__dict__.get("__doc__") if inspect.isclass(value) else value.__doc__
    assert own
    assert not own.startswith(f"{name}(")


def test_unknown_names_are_missing_as_in_any_module() -> None:
    for package in (undoku, solver, render):
        with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
            _ = package.nonsense
    assert undoku.__version__ == version("undoku")


def test_importing_undoku_loads_nothing_heavy(tmp_path: Path) -> None:
    code = (
        "import sys, undoku\n"
        "ours = [name for name in sys.modules if name.startswith(('solver', 'render'))]\n"
        "heavy = {'numpy', 'numba', 'PIL', 'matplotlib', 'imageio'} & set(sys.modules)\n"
        "sys.exit(f'loaded {ours} {heavy}' if ours or heavy else 0)"
    )
    done = run("-c", code, folder=tmp_path)
    assert done.returncode == 0, done.stderr


def test_the_examples_of_the_front_doors_give_what_they_say() -> None:
    attempted = 0
    for package in (undoku, solver, render):
        finder = doctest.DocTestFinder(recurse=False)
        for example in finder.find(package, package.__name__, globs={}):
            done = doctest.DocTestRunner().run(example)
            assert done.failed == 0
            attempted += done.attempted
    assert attempted > 3


def test_python_m_undoku_is_the_command(tmp_path: Path) -> None:
    done = run("-m", "undoku", "list", "themes", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[0] == "blackboard"
    done = run("-m", "undoku", "list", "nonsense", folder=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("undoku list: error: ")
    assert "__main__" not in done.stderr


def test_the_package_that_is_built_has_every_package_and_the_command() -> None:
    from undoku.__main__ import command

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    others = {"tests", "benchmarks"}
    assert set(project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]) == (
        packages - others
    )
    assert all((ROOT / name / "py.typed").exists() for name in packages - others)
    module, name = project["project"]["scripts"]["undoku"].split(":")
    assert getattr(import_module(module), name) is command
