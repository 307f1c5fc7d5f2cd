"""Builds and checks the sdist and the wheel; installs both in empty environments and runs them.

    python packaging/check_dist.py [--built]

--built uses the files in dist/. The wheel is built from the sdist, and once more from the checkout:
both must be equal, byte by byte. The script may run in the folder of the sources: the commands must
import the installed package, not the sources.
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
import zipfile
from pathlib import Path

ROOT = Path(__file__).absolute().parent.parent
DIST = ROOT / "dist"
PUZZLE = ROOT / "examples" / "puzzles" / "medium.txt"
PIP = ("-m", "pip", "--quiet", "--disable-pip-version-check")


def run(*words: object, **environment: str) -> None:
    """Run a command; print its output and exit when it fails."""
    done = subprocess.run(
        [str(word) for word in words],
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{done.stdout}\nfailed: {' '.join(map(str, words))}")


def timed(what: str, *words: object, **environment: str) -> None:
    """Run a command and print how long it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.monotonic()
    run(*words, **environment)
    taken = time.monotonic() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{taken:6.2f} s, of processors {processor:6.2f} s: {what}", flush=True)


def check_package(package: Path, folder: Path) -> None:
    """Install an sdist or a wheel in an empty environment, solve and render."""
    venv.create(folder, with_pip=True)
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    timed(f"pip install {package.name}", programs / "python", *PIP, "install", package)
    undoku = programs / "undoku"
    for what, *words in (
        ("solve", "solve", PUZZLE),
        ("first film", "render", PUZZLE, "-q", "-o", folder / "a.mp4"),
        ("second film", "render", PUZZLE, "-q", "-o", folder / "b.mp4"),
        ("a GIF", "render", PUZZLE, "-q", "--duration", "4s", "-o", folder / "a.gif"),
        ("a picture", "render", PUZZLE, "-q", "--at-step", "132", "-o", folder / "a.png"),
    ):
        timed(what, undoku, *words, PYTHONPATH="")


def tracked_files() -> set[str]:
    """The files that git tracks and an sdist contains; none without git."""
    words = ["git", "-C", str(ROOT), "ls-files", "-z"]
    listed = subprocess.run(words, capture_output=True, text=True, check=False).stdout
    return set(listed.split("\0")) - {"", "output/.gitkeep", "render", "solver"}


def check_contents(sdist: Path, wheel: Path) -> None:
    """Compare the files of both with those that git tracks; the wheel also has the loops."""
    tracked = tracked_files()
    with tarfile.open(sdist) as archive:
        packed = {one.name.partition("/")[2] for one in archive.getmembers() if one.isfile()}
    packed = {name for name in packed if ".egg-info/" not in name}
    compare(sdist, packed - {"PKG-INFO", "setup.cfg"}, tracked or packed)
    with zipfile.ZipFile(wheel) as files:
        packed = {name for name in files.namelist() if ".dist-info/" not in name}
    loops = {name for name in packed if "/compiled." in name}
    if len(loops) != 3:
        sys.exit(f"{wheel.name} has the loops {sorted(loops)}")
    own = {name for name in tracked if name.startswith("undoku/")}
    compare(wheel, packed - loops, own or packed - loops)


def compare(package: Path, packed: set[str], expected: set[str]) -> None:
    if packed != expected:
        sys.exit(f"{package.name} and git differ in {sorted(packed ^ expected)[:10]}")


def check_equal(wheel: Path, folder: Path) -> None:
    """Build the wheel from the checkout and compare it with that from the sdist."""
    words = (*PIP, "wheel", "--no-deps", "--wheel-dir", folder, ROOT)
    timed("the wheel once more", sys.executable, *words)
    if (folder / wheel.name).read_bytes() != wheel.read_bytes():
        sys.exit(f"{wheel.name} differs when it is built again")


def main() -> None:
    if "--built" not in sys.argv:
        shutil.rmtree(DIST, ignore_errors=True)
        timed("sdist and wheel", sys.executable, "-m", "build", "--outdir", DIST, ROOT)
    (wheel,), (sdist,) = DIST.glob("*.whl"), DIST.glob("*.tar.gz")
    run(sys.executable, "-m", "twine", "check", "--strict", wheel, sdist)
    for package in (wheel, sdist):
        print(f"{package.name}: {package.stat().st_size / 1e6:.1f} MB")
    check_contents(sdist, wheel)
    with tempfile.TemporaryDirectory() as folder:
        check_equal(wheel, Path(folder))
        for package in (wheel, sdist):
            check_package(package, Path(folder, package.suffix))


if __name__ == "__main__":
    main()
