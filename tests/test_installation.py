"""Plain pip installs a checkout and an sdist in fresh environments, and both make a film."""

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


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="the tracked files are those of git")
@pytest.mark.parametrize("made", [checkout, sdist])
def test_plain_pip_installs_it_and_it_makes_a_film(
    made: Callable[[Path], Path], tmp_path: Path
) -> None:
    """No option and no variable is needed. The puzzle lies beside files whose names are those of
    the links in the checkout."""
    source = tmp_path / "source"
    source.mkdir()
    venv.create(tmp_path / "environment", with_pip=True)
    programs = tmp_path / "environment" / ("Scripts" if os.name == "nt" else "bin")
    pip = (programs / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    run(*pip, made(source), cwd=tmp_path, PYTHONPATH="")
    work = tmp_path / "work"
    work.mkdir()
    for name in ("solver.py", "render.py"):
        (work / name).write_text('raise SystemExit("imported by mistake")\n')
    shutil.copyfile(ROOT / "examples" / "puzzles" / "medium.txt", work / "medium.txt")
    words = ("render", "medium.txt", "--size", "320x180", "--duration", "2s", "-o", "film.mp4")
    run(programs / "undoku", *words, cwd=work, PYTHONPATH="")
    assert (work / "film.mp4").read_bytes()[4:8] == b"ftyp"
    place = "import undoku, sys; print(undoku.__file__.startswith(sys.prefix))"
    assert run(programs / "python", "-c", place, cwd=tmp_path, PYTHONPATH="") == "True\n"
