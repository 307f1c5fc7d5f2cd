"""Plain pip installs a checkout and an sdist in fresh environments, and both make a film; also on a
machine without a C compiler. Loops are compiled without optimisation, which takes less time.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.paths import ROOT


def run(*words: object, cwd: Path, **environment: str) -> str:
    """The output of a command, which must succeed."""
    done = subprocess.run(
        [str(word) for word in words],
        cwd=cwd,
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def checkout(folder: Path) -> Path:
    """A copy of the tracked files, with texts instead of links, as git makes them on Windows."""
    tracked = run("git", "ls-files", "-z", cwd=ROOT).split("\0")
    for name in filter(None, tracked):
        source, target = ROOT / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_symlink():
            target.write_text(str(source.readlink()))
        elif source.exists():  # a file that was removed may not be committed yet
            shutil.copyfile(source, target)
    return folder


def sdist(folder: Path) -> Path:
    """An sdist of the checkout."""
    run(sys.executable, "-m", "build", "--sdist", "--outdir", folder / "dist", ROOT, cwd=folder)
    (packed,) = (folder / "dist").glob("*.tar.gz")
    return packed


def environment(folder: Path) -> Path:
    """The folder with the commands of an empty environment."""
    venv.create(folder, with_pip=True)
    return folder / ("Scripts" if os.name == "nt" else "bin")


def without_compiler(folder: Path) -> str:
    """A PATH with a shell and nothing else."""
    folder.mkdir()
    (folder / "sh").symlink_to("/bin/sh")
    return str(folder)


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="the tracked files are those of git")
@pytest.mark.parametrize(
    ("made", "compiler"),
    [
        (checkout, True),
        pytest.param(sdist, True, marks=pytest.mark.long),
        pytest.param(
            checkout,
            False,
            marks=[pytest.mark.long, pytest.mark.skipif(os.name == "nt", reason="PATH")],
        ),
    ],
)
def test_plain_pip_installs_it_and_it_makes_a_film(
    made: Callable[[Path], Path], compiler: bool, tmp_path: Path
) -> None:
    """No option and no variable is needed. The puzzle lies beside files whose names are those of
    the links in the checkout."""
    source = tmp_path / "source"
    source.mkdir()
    programs = environment(tmp_path / "environment")
    pip = (programs / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    path = {} if compiler else {"PATH": without_compiler(tmp_path / "path")}
    run(*pip, made(source), cwd=tmp_path, PYTHONPATH="", CFLAGS="-O0", **path)
    work = tmp_path / "work"
    work.mkdir()
    for name in ("solver.py", "render.py"):
        (work / name).write_text('raise SystemExit("imported by mistake")\n')
    shutil.copyfile(ROOT / "examples" / "puzzles" / "medium.txt", work / "medium.txt")
    words = ("render", "medium.txt", "--size", "320x180", "--duration", "2s", "-o", "film.mp4")
    run(programs / "undoku", *words, cwd=work, PYTHONPATH="", **path)
    assert (work / "film.mp4").read_bytes()[4:8] == b"ftyp"
    code = (
        "import sys, undoku, undoku.render.compiled, undoku.solver.compiled\n"
        "print(undoku.__file__.startswith(sys.prefix), {'Cython', 'setuptools'} & set(sys.modules))"
    )
    found = run(programs / "python", "-c", code, cwd=tmp_path, PYTHONPATH="")
    assert found == "True set()\n"
    listed = run(programs / "python", "-m", "pip", "list", cwd=tmp_path)
    assert not {"cython", "ziglang", "numba"} & set(listed.lower().split())
