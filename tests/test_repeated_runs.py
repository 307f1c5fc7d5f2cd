"""`make test-repeat` starts the tests in six ways, and says how each run ended; property tests
choose the same examples in each run of `make test`."""

from __future__ import annotations

import os
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import undoku
from tests.support.paths import ROOT

MAKE = f"""#!{sys.executable}
import os, signal, sys
ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
print(os.nice(0), os.isatty(1), "TERM" in os.environ, ignored, os.environ["PYTHONHASHSEED"])
sys.exit(sys.argv[1:] != ["test", "TESTS=tests/a tests/b"] or os.isatty(1))
"""


@pytest.mark.skipif(os.nice(0) == 19, reason="a niceness is inherited")
def test_each_run_gets_a_line_and_is_started_as_it_says(tmp_path: Path) -> None:
    (tmp_path / "make").write_text(MAKE)
    (tmp_path / "make").chmod(0o755)
    script = ROOT / "tests" / "support" / "repeated_runs.sh"
    command = ["sh", str(script), "6", "./make", "tests/a", "tests/b"]
    kind, nice = os.environ | {"TERM": "xterm"}, os.nice(0)
    done = subprocess.run(
        command, cwd=tmp_path, env=kind, capture_output=True, text=True, check=False
    )
    assert done.stdout.splitlines() == [
        f"run 1 of 6, plain, exit code 0: {nice} False True False 1",
        "run 2 of 6, nice, exit code 0: 19 False True False 2",
        f"run 3 of 6, without terminal, exit code 0: {nice} False False False 3",
        f"run 4 of 6, own terminal, exit code 1: {nice} True True False 4",
        f"run 5 of 6, SIGINT ignored, exit code 0: {nice} False True True 5",
        f"run 6 of 6, beside two busy processes, exit code 0: {nice} False True False 6",
    ]
    assert done.returncode == 1


def test_examples_do_not_depend_on_chance_or_on_a_busy_machine() -> None:
    if os.environ.get("UNDOKU_TEST_PROFILE", "fixed") != "fixed":
        pytest.skip("`make test-long` explores")
    assert settings().derandomize
    assert settings().deadline is None


@given(st.none())
def test_constants_that_become_examples_are_those_of_all_modules(_nothing: None) -> None:
    """Otherwise they would depend on which modules other tests have loaded."""
    names = [
        found.name
        for found in pkgutil.walk_packages(undoku.__path__, "undoku.")
        if not found.name.endswith("__main__")
    ]
    assert [name for name in names if name not in sys.modules] == []
