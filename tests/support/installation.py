"""undoku and the packages of its examples as pip installs them, in environments of their own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

from filelock import FileLock

from tests.support.paths import ROOT

PIP = ("-m", "pip", "--quiet", "--disable-pip-version-check")


def run(*words: object, cwd: Path, **environment: str) -> str:
    """All output of a command, which must succeed; it finds no undoku but an installed one."""
    done = subprocess.run(
        [str(word) for word in words],
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": ""} | environment,
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


COMMANDS = "Scripts" if os.name == "nt" else "bin"
"""The folder of an environment with its commands."""


def installed_once(folder: Path) -> Path:
    """The commands of an environment below `folder` that has undoku and all packages of
    examples/extensions. The first of several processes makes it, with this process's Cython and the
    compiled loops of the checkout; the others wait for it."""
    with FileLock(folder / "installed.lock"):
        made = folder / "installed"
        programs = made / "environment" / COMMANDS
        if not (made / "complete").exists():
            source = checkout(made / "source")
            for built in (*ROOT.glob("build/loops/*"), *ROOT.glob("undoku/*/compiled.*")):
                target = source / built.relative_to(ROOT)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(built, target)
            wheel = (sys.executable, *PIP, "wheel", "--no-deps", "--no-build-isolation")
            run(*wheel, "-w", made / "wheels", source, cwd=made)
            extensions = (source / "examples" / "extensions").glob("*/")
            run(*wheel, "-w", made / "wheels", *extensions, cwd=made, CFLAGS="-O0")
            venv.create(made / "environment")
            install = (*PIP, "--python", programs / "python", "install", "--no-compile")
            run(sys.executable, *install, *(made / "wheels").iterdir(), cwd=made)
            (made / "complete").touch()
    return programs
