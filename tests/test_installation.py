"""pip installs undoku in environments of their own, in which it makes a film."""

from __future__ import annotations

import json
import os
import pkgutil
import shutil
import subprocess
import sys
import venv
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image

import undoku
from tests.support.command import run_undoku
from tests.support.installation import COMMANDS, PIP, checkout, install_compiled, run
from tests.support.puzzles import MEDIUM
from tests.support.system import ROOT
from undoku.render.draw.theme import load_theme

pytestmark = pytest.mark.skipif(
    not (ROOT / ".git").exists(), reason="the tracked files are those of git"
)


FACTS = """
import sys, undoku, undoku.render.compiled, undoku.solver.compiled
from importlib.metadata import distributions
from pathlib import Path
installed = {one.name.lower() for one in distributions()}
print(
    undoku.__file__.startswith(sys.prefix), Path(undoku.__file__).with_name("py.typed").exists(),
    {"Cython", "setuptools"} & set(sys.modules), {"cython", "ziglang", "numba"} & installed,
)
"""


def assert_makes_a_film(programs: Path, work: Path, **variables: str) -> None:
    """Beside files whose names are those of the links in a checkout, and without what was needed
    to build it."""
    work.mkdir()
    for name in ("solver.py", "render.py"):
        (work / name).write_text('raise SystemExit("imported by mistake")\n')
    shutil.copy(ROOT / "examples" / "puzzles" / "medium.txt", work)
    words = (
        "render",
        "medium.txt",
        "--size",
        "320x180",
        "--fps",
        "10",
        "--duration",
        "1s",
        "-o",
        "film.mp4",
    )
    run(programs / "undoku", *words, cwd=work, **variables)
    assert (work / "film.mp4").read_bytes()[4:8] == b"ftyp"
    found = run(programs / "python", "-c", FACTS, cwd=work.parent)
    assert found == "True True set() set()\n"


def test_an_installed_wheel_makes_a_film(installed: Path, tmp_path: Path) -> None:
    assert_makes_a_film(installed, tmp_path / "work")


def sdist(folder: Path) -> Path:
    """An sdist of the checkout."""
    run(sys.executable, "-m", "build", "--sdist", "--outdir", folder / "dist", ROOT, cwd=folder)
    (packed,) = (folder / "dist").glob("*.tar.gz")
    return packed


@pytest.mark.long
@pytest.mark.parametrize(
    ("made", "compiler"),
    [
        (checkout, True),
        (sdist, True),
        pytest.param(checkout, False, marks=pytest.mark.skipif(os.name == "nt", reason="PATH")),
    ],
)
def test_plain_pip_installs_it_and_it_makes_a_film(
    made: Callable[[Path], Path], compiler: bool, tmp_path: Path
) -> None:
    """No option and no variable is needed, nor a C compiler. Loops are compiled without
    optimisation, which takes less time."""
    path = tmp_path / "path"
    path.mkdir()
    (path / "sh").symlink_to("/bin/sh")
    variables = {} if compiler else {"PATH": str(path)}
    source = tmp_path / "source"
    source.mkdir()
    venv.create(tmp_path / "environment", with_pip=True)
    programs = tmp_path / "environment" / COMMANDS
    words = (programs / "python", *PIP, "install", made(source))
    run(*words, cwd=tmp_path, CFLAGS="-O0", **variables)
    assert_makes_a_film(programs, tmp_path / "work", **variables)


# Packages of others add a panel, a format, a problem and strategies without an edit of undoku.


SIZE = 480, 270
LIMIT = ("--max-nodes", "300")
FILM = (
    *("--panels", "board,counters,undo-runs", "--size", "480x270", "--fps", "10"),
    *("--to-step", "200", "--duration", "4s", "--card", "0s", *LIMIT),
)


def luma(path: Path) -> NDArray[np.uint8]:
    """The luma of each frame of a .y4m, (frames, height, width)."""
    width, height = SIZE
    head, _, content = path.read_bytes().partition(b"\n")
    assert head.startswith(b"YUV4MPEG2 W480 H270 F10:1 ")
    mark = b"FRAME\n"
    frames = np.frombuffer(content, np.uint8).reshape(-1, len(mark) + width * height * 3 // 2)
    assert (frames[:, : len(mark)] == np.frombuffer(mark, np.uint8)).all()
    return frames[:, len(mark) :][:, : width * height].reshape(-1, height, width)


def undoing_of(path: Path) -> int:
    """The number of pixels in the colour of undoing."""
    with Image.open(path) as picture:
        pixels = np.asarray(picture.convert("RGB"))
    return int((pixels == load_theme("dark").undoing).all(axis=2).sum())


def test_a_film_has_the_panel_the_format_and_the_strategy_of_other_packages(
    installed: Path, tmp_path: Path
) -> None:
    """The film without compression has every frame, and the last is that of the PNG. Rows of undos
    are drawn in their colour, below the boards and the counters."""
    render = (installed / "undoku", "render", MEDIUM.grid, "-s", "diagonal", *FILM)
    run(*render, "-s", "mrv", "-o", "film.y4m", "-o", "film.png", cwd=tmp_path)
    frames = luma(tmp_path / "film.y4m")
    assert len(frames) == 40
    with Image.open(tmp_path / "film.png") as picture:
        pixels = np.asarray(picture.convert("RGB"))
        assert "diagonal" in picture.info["strategies"]
    grey = pixels.astype(float) @ np.array([0.2126, 0.7152, 0.0722]) * 219 / 255 + 16
    assert np.abs(grey - frames[-1]).max() <= 0.51
    run(*render, "--panels", "board,counters", "-o", "bare.png", cwd=tmp_path)
    assert undoing_of(tmp_path / "bare.png") < 100 < undoing_of(tmp_path / "film.png")


@pytest.mark.parametrize(
    ("what", "names"),
    [
        ("panels", {"undo-runs"}),
        ("formats", {".y4m"}),
        ("strategies", {"diagonal"}),
        ("problems", {"rooks:ROWS"}),
    ],
)
def test_extensions_of_packages_are_listed(
    installed: Path, tmp_path: Path, what: str, names: set[str]
) -> None:
    """With them, and without them not."""
    assert names <= {*run(installed / "undoku", "list", what, cwd=tmp_path).split()}
    assert not names & {*run_undoku("list", what, cwd=tmp_path).stdout.split()}


def test_a_problem_of_another_package_is_searched(installed: Path, tmp_path: Path) -> None:
    """Rooks: as many solutions as there are permutations."""
    rooks = ("rooks:5", "-s", "mrv+singles", "--exhaustive", "--json")
    (result,) = json.loads(run(installed / "undoku", "solve", *rooks, cwd=tmp_path))["results"]
    assert result["solutions"] == 120


def test_a_search_says_once_that_a_part_is_a_python_function(
    installed: Path, tmp_path: Path
) -> None:
    words = ("solve", MEDIUM.grid, "-s", "diagonal", "-s", "mrv", "-s", "diagonal", *LIMIT)
    printed = run(installed / "undoku", *words, cwd=tmp_path)
    assert printed.count("undoku: diagonal has a part that is a Python function") == 1
    assert printed.count("Python function") == 1


@pytest.mark.long
def test_a_compiled_order_searches_as_the_same_order_in_plain_python(
    installed: Path, tmp_path: Path
) -> None:
    """Beside a built-in rule, so that both are called with the arrays of the general loop."""
    install_compiled(installed, tmp_path)
    names = ("-s", "diagonal+singles", "-s", "compiled-diagonal+singles")
    words = ("solve", MEDIUM.grid, *names, "--json", "-q")
    plain, compiled = json.loads(run(installed / "undoku", *words, cwd=tmp_path))["results"]
    different = dict.fromkeys(("strategy", "label", "seconds"))
    assert plain["nodes"] > 1
    assert plain | different == compiled | different


# `make test-repeat` starts the tests in six ways, and says how each run ended; property tests
# choose the same examples in each run of `make test`.


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
