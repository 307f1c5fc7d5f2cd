"""undoku and the packages of its examples as pip installs them, in environments of their own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from importlib.metadata import distribution, distributions
from pathlib import Path

from filelock import FileLock
from packaging.requirements import Requirement

from tests.support.system import ROOT

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


def link_requirements(site: Path) -> None:
    """Link what the undoku in a folder of packages requires, from the environment of this process:
    nothing else of that environment can be imported there."""
    waiting = [*distributions(name="undoku", path=[str(site)])]
    while waiting:
        for requirement in map(Requirement, waiting.pop().requires or ()):
            if requirement.marker and not requirement.marker.evaluate({"extra": ""}):
                continue
            needed = distribution(requirement.name)
            for part in {file.parts[0] for file in needed.files or ()} - {"..", "__pycache__"}:
                if not (site / part).exists():
                    (site / part).symlink_to(str(needed.locate_file(part)))
                    waiting.append(needed)


BUILD = """
import os, sys
from setuptools import build_meta
wheels, *folders = sys.argv[1:]
for folder in folders:
    os.chdir(folder)
    build_meta.build_wheel(wheels)
"""
"""Builds wheels as pip does it, all in one process."""


COMPILED = Path("examples", "extensions", "compiled-order")
"""The package whose build takes a C compiler and as long as that of all others."""


def install(programs: Path, wheels: Path) -> None:
    """Install the wheels in a folder into the environment that has these commands."""
    words = (*PIP, "--python", programs / "python", "install", "--no-deps", "--no-compile")
    run(sys.executable, *words, *wheels.iterdir(), cwd=wheels)


def install_compiled(programs: Path, folder: Path) -> None:
    """Add the package with a compiled order, built in a new folder with this process's Cython."""
    shutil.copytree(ROOT / COMPILED, folder / "source")
    run(sys.executable, "-c", BUILD, folder / "wheels", folder / "source", cwd=folder, CFLAGS="-O0")
    install(programs, folder / "wheels")


def installed_once(folder: Path) -> Path:
    """The commands of an environment below `folder` that has undoku and all packages of
    examples/extensions but the compiled one. The first of several processes makes it, with the
    compiled loops of the checkout and links to what undoku requires; the others wait for it."""
    with FileLock(folder / "installed.lock"):
        made = folder / "installed"
        environment = {"base": str(made / "environment"), "platbase": str(made / "environment")}
        programs = Path(sysconfig.get_path("scripts", vars=environment))
        if not (made / "complete").exists():
            source, wheels = checkout(made / "source"), made / "wheels"
            for built in (*ROOT.glob("build/loops/*"), *ROOT.glob("undoku/*/compiled.*")):
                target = source / built.relative_to(ROOT)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(built, target)
            extensions = {*(source / "examples" / "extensions").glob("*/")}
            extensions.remove(source / COMPILED)
            run(sys.executable, "-c", BUILD, wheels, source, *extensions, cwd=made)
            venv.create(made / "environment")
            install(programs, wheels)
            link_requirements(Path(sysconfig.get_path("purelib", vars=environment)))
            (made / "complete").touch()
    return programs
