"""Builds and checks the sdist and the wheel; installs both in empty environments and runs them.

    python packaging/check_dist.py [--built] [--short | --pure]

--built uses the files in dist/; --short omits the tour. --pure builds a wheel without machine code,
which takes a minute instead of many, and checks only that both can solve.

The wheel must render, solve and run all commands of `packaging/tour.py` without compiling anything;
the pure sdist must solve. The script may run in the folder of the sources: the commands must import
the installed package, not the sources.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import venv
from pathlib import Path

ROOT = Path(__file__).absolute().parent.parent
DIST = ROOT / "dist"
PUZZLE = ROOT / "examples" / "puzzles" / "medium.txt"


def run(*words: object, **environment: str) -> None:
    """Run a command; exit when it fails."""
    done = subprocess.run([str(word) for word in words], env=os.environ | environment, check=False)
    if done.returncode:
        sys.exit(f"failed: {' '.join(map(str, words))}")


def timed(what: str, *words: object, **environment: str) -> None:
    """Run a command and print how long it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.monotonic()
    run(*words, **environment)
    taken = time.monotonic() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{taken:6.2f} s, of processors {processor:6.2f} s: {what}", flush=True)


def installed(folder: Path, package: Path, **environment: str) -> Path:
    """Install a package into an empty environment; returns the folder of its commands."""
    venv.create(folder, with_pip=True)
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    quiet = ("--quiet", "--disable-pip-version-check")
    timed(f"pip install {package.name}",
          programs / "python", "-m", "pip", "install", *quiet, package, **environment)  # fmt: skip
    return programs


def check_wheel(wheel: Path, folder: Path, *, whole: bool) -> None:
    """Render with a wheel in an empty environment; nothing may be compiled. With `whole`, also run
    the tour."""
    programs = installed(folder / "environment", wheel)
    cache = folder / "cache"
    environment = {"UNDOKU_CACHE_DIR": str(cache), "PYTHONPATH": ""}
    command = programs / "undoku"
    timed("first film", command, "render", PUZZLE, "-q", "-o", folder / "a.mp4", **environment)
    timed("second film", command, "render", PUZZLE, "-q", "-o", folder / "b.mp4", **environment)
    timed("solve", command, "solve", PUZZLE, **environment)
    timed("a picture", command, "render", PUZZLE, "-q", "--at-step", "132", "-o", folder / "a.png",
          **environment)  # fmt: skip
    if whole:
        tour = folder / "tour.py"
        shutil.copyfile(ROOT / "packaging" / "tour.py", tour)
        examples = folder.parent / "examples"
        shutil.copytree(ROOT / "examples", examples, dirs_exist_ok=True)
        timed("the tour", programs / "python", tour, **environment)
    compiled = [*cache.rglob("*.loop")]
    if compiled:
        run(command, "cache", "list", **environment)
        sys.exit(f"the wheel lacks {len(compiled)} loops: update the tables by make loops")


def check_pure(package: Path, folder: Path) -> None:
    """Solve with an sdist or a pure wheel in an empty environment."""
    programs = installed(folder / "environment", package)
    environment = {"UNDOKU_CACHE_DIR": str(folder / "cache"), "PYTHONPATH": ""}
    timed("first solve", programs / "undoku", "solve", PUZZLE, **environment)
    timed("second solve", programs / "undoku", "solve", PUZZLE, **environment)


def check_contents(sdist: Path) -> None:
    """In a git checkout, compare the files of an sdist with those that git tracks."""
    listed = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "-z"], capture_output=True, text=True, check=False
    )
    if listed.returncode:
        return
    tracked = set(listed.stdout.split("\0")) - {"", "output/.gitkeep", "render", "solver"}
    with tarfile.open(sdist) as archive:
        packed = {name.partition("/")[2] for name in archive.getnames()} - {"PKG-INFO"}
    if packed != tracked:
        sys.exit(f"{sdist.name} and git differ in {sorted(packed ^ tracked)[:10]}")


def main() -> None:
    pure = "--pure" in sys.argv
    if "--built" not in sys.argv:
        shutil.rmtree(DIST, ignore_errors=True)
        environment = {} if pure else {"UNDOKU_MACHINE_CODE": "all"}
        build = (sys.executable, "-m", "build", "--outdir", DIST, ROOT)
        timed("python -m build", *build, **environment)
    (wheel,), (sdist,) = DIST.glob("*.whl"), DIST.glob("*.tar.gz")
    run(sys.executable, "-m", "twine", "check", "--strict", wheel, sdist)
    for package in (wheel, sdist):
        print(f"{package.name}: {package.stat().st_size / 1e6:.1f} MB")
    check_contents(sdist)
    with tempfile.TemporaryDirectory() as folder:
        if pure:
            check_pure(wheel, Path(folder, "wheel"))
        else:
            check_wheel(wheel, Path(folder, "wheel"), whole="--short" not in sys.argv)
        check_pure(sdist, Path(folder, "sdist"))


if __name__ == "__main__":
    main()
