"""pip installs undoku in environments of their own, in which it makes a film."""

from __future__ import annotations

import os
import shutil
import sys
import venv
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.installation import COMMANDS, PIP, checkout, run
from tests.support.paths import ROOT

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
    words = ("render", "medium.txt", "--size", "320x180", "--duration", "2s", "-o", "film.mp4")
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
