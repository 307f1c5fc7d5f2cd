"""Compiled loops: they are used only with the sources from which they were made."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from tests.support.puzzles import MEDIUM

LOOPS = "undoku/solver/search/plain_loops.py"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the program and its compiled loops, with the times of their files."""
    shutil.copytree(ROOT / "undoku", tmp_path / "undoku")
    shutil.copy2(ROOT / "setup.py", tmp_path)
    return tmp_path


def solve(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "undoku", "solve", MEDIUM.grid, "-s", "mrv"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder)} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_loops_that_are_older_than_their_sources_are_refused(checkout: Path) -> None:
    with (checkout / LOOPS).open("a") as source:
        source.write("# edited\n")
    done = solve(checkout)
    assert done.returncode == 3
    assert done.stderr == (
        "undoku: the compiled loops of undoku.solver are older than their sources; "
        "build them: pip install . or, in a checkout, make loops\n"
    )


@pytest.mark.parametrize("installed", [False, True])
def test_sources_that_are_newer_but_equal_are_accepted(checkout: Path, installed: bool) -> None:
    """An installation looks for none: only a checkout has setup.py beside the package."""
    if installed:
        (checkout / "setup.py").unlink()
    (checkout / LOOPS).touch()
    done = solve(checkout)
    assert done.returncode == 0, done.stderr


def test_missing_loops_are_named(checkout: Path) -> None:
    for compiled in (checkout / "undoku" / "solver").glob("compiled.*"):
        compiled.unlink()
    done = solve(checkout)
    assert done.returncode == 3
    assert done.stderr.startswith("undoku: the compiled loops of undoku.solver can't be loaded: ")
    assert "make loops" in done.stderr


def test_a_loop_that_was_added_after_the_build_is_named(checkout: Path) -> None:
    added = (
        "from undoku.h264.loops import loop\n\n"
        "@loop\ndef twice(at: int) -> int:\n    return 2 * at\n"
    )
    (checkout / "undoku" / "solver" / "added.py").write_text(added)
    done = subprocess.run(
        [sys.executable, "-c", "import undoku.solver.added"],
        cwd=checkout,
        env=os.environ | {"PYTHONPATH": str(checkout)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "twice of undoku.solver.added is not among the compiled loops" in done.stderr


def test_plain_loops_need_nothing_compiled_and_count_the_same(checkout: Path) -> None:
    compiled = solve(checkout)
    for built in (checkout / "undoku").glob("*/compiled.*"):
        built.unlink()
    plain = solve(checkout, UNDOKU_PLAIN="1")
    assert plain.returncode == 0, plain.stderr
    counted = [" ".join(done.stdout.split()).partition("second")[0] for done in (compiled, plain)]
    assert counted[0] == counted[1]


def test_make_compiles_after_an_edit_what_changed(tmp_path: Path) -> None:
    """The Makefile knows all files with loops, and those with constants that they use."""
    words = ["make", "--question", ".venv/installed", "-C", str(ROOT)]
    for name in (LOOPS, "undoku/solver/search/ops.py"):
        done = subprocess.run(
            [*words, "-W", name, "-o", ".venv/python"], capture_output=True, check=False
        )
        assert done.returncode == 1, name
