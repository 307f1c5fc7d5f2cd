"""The front door: `import undoku` has every public name, `python -m undoku` is the command, and
only documented interfaces are used, which ruff (SLF, PLC2701) can't see in texts."""

from __future__ import annotations

import ast
import doctest
import inspect
import os
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import undoku
from tests.support.amounts import long
from tests.support.puzzles import MEDIUM
from tests.support.system import ROOT

CONSTANTS = (ROOT / "undoku" / "solver" / "trace" / "trace.py").read_text("utf-8")
NAMES: list[str] = getattr(undoku, "__all__")  # noqa: B009  (the stub does not repeat the names)


def run(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
    )


def test_the_public_names_are_those_that_type_checkers_see() -> None:
    stub = (ROOT / "undoku" / "__init__.pyi").read_text("utf-8")
    imports = [node for node in ast.parse(stub).body if isinstance(node, ast.ImportFrom)]
    assert sorted(alias.asname or "" for node in imports for alias in node.names) == NAMES
    assert {"search", "compare", "Film", "Puzzle", "UndokuError"} <= set(NAMES)
    star = run("-c", "from undoku import *; print(compare, Film)", folder=ROOT)
    assert star.returncode == 0, star.stderr


@pytest.mark.parametrize("name", NAMES)
def test_a_public_name_says_what_it_is(name: str) -> None:
    """In its own docstring, not in one that a decorator or a base class made."""
    value = getattr(undoku, name)
    assert name in dir(undoku)
    if not inspect.isclass(value) and not callable(value):
        assert re.search(rf'^{name}\b.* = .*\n(    .*\n)*"""', CONSTANTS, re.MULTILINE)
        return
    own = value.__dict__.get("__doc__") if inspect.isclass(value) else value.__doc__
    assert own
    assert not own.startswith(f"{name}(")


def test_unknown_names_are_missing_as_in_any_module() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        _ = undoku.nonsense  # type: ignore[attr-defined]
    assert undoku.__version__ == version("undoku")


def test_importing_undoku_loads_nothing_heavy(tmp_path: Path) -> None:
    code = (
        "import sys, undoku\n"
        "ours = [name for name in sys.modules if name.startswith('undoku.')]\n"
        "heavy = {'numpy', 'PIL', 'matplotlib', 'imageio'} & set(sys.modules)\n"
        "sys.exit(f'loaded {ours} {heavy}' if ours or heavy else 0)"
    )
    done = run("-c", code, folder=tmp_path)
    assert done.returncode == 0, done.stderr


FUNCTIONS = [name for name in NAMES if inspect.isroutine(getattr(undoku, name))]


@pytest.mark.parametrize("name", ["undoku", *FUNCTIONS])
def test_every_public_function_has_an_example_that_gives_what_it_says(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    value = undoku if name == "undoku" else getattr(undoku, name)
    found = doctest.DocTestFinder(recurse=False).find(value, name, extraglobs={"undoku": undoku})
    done = [doctest.DocTestRunner().run(example) for example in found]
    assert sum(one.failed for one in done) == 0
    assert sum(one.attempted for one in done) > 0


def test_help_about_undoku_fits_a_screen_and_leads_on(tmp_path: Path) -> None:
    done = run("-c", "import undoku; help(undoku)", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) <= 60
    assert max(map(len, lines)) <= 100
    assert {"film", "watch", "strategies"} <= set(re.findall(r"\w+", done.stdout))
    assert "Raises" not in done.stdout  # documentation of single functions


def test_python_m_undoku_is_the_command(tmp_path: Path) -> None:
    done = run("-m", "undoku", "list", "themes", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[0] == "blackboard"
    done = run("-m", "undoku", "list", "nonsense", folder=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("undoku list: error: ")
    assert "__main__" not in done.stderr


SMALL = ("--size", "320x180", "--duration", "1s", "-q")
USE = f"""import undoku
undoku.compare({MEDIUM.grid!r}, ["mrv"], "film.gif", size="320x180", fps=10, duration="1s")
"""
CONSOLE = f"import code; code.InteractiveInterpreter().runcode({USE!r})"


@pytest.mark.parametrize(
    "words",
    [
        ("mine.py",),
        long(("-c", CONSOLE)),
        long(("-m", "undoku", "render", MEDIUM.grid, "-o", "film.gif", *SMALL)),
    ],
)
def test_files_called_solver_and_render_beside_a_script_do_no_harm(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    """They are the natural names of a user's own program. A notebook's cells run like a console's
    lines: with its folder in front of all others."""
    for name in ("solver.py", "render.py"):
        (tmp_path / name).write_text('raise SystemExit("imported by mistake")\n')
    (tmp_path / "mine.py").write_text(USE)
    done = run(*words, folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "film.gif").read_bytes()[:6] == b"GIF89a"


@pytest.mark.parametrize("half", ["solver", "render"])
def test_both_halves_are_found_at_the_top_of_the_repository(half: str) -> None:
    """As links; where a checkout has no links, git writes a file with the same text."""
    place = ROOT / half
    target = str(place.readlink()) if place.is_symlink() else place.read_text("utf-8")
    assert Path(target) == Path("undoku", half)
