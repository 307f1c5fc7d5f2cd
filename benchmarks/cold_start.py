"""An installation in an empty environment and the first commands after it: see benchmarks.start."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

from benchmarks.command_times import command_times, show_times


def show_clone(root: Path, folder: Path) -> None:
    """A fresh clone: the time of the installation, which compiles the loops, and of `make demo`."""
    clone, environment = folder / "clone", _environment(folder / "home of the clone")
    subprocess.run(["git", "clone", "-q", str(root), str(clone)], check=True)
    for what, target in (
        ("clone: installation", ".venv/installed"),
        ("clone: make demo, installed", "demo"),
        ("clone: make demo again", "demo"),
    ):
        words = ["make", "-s", target, f"PYTHON={sys.executable}"]
        show_times(what, *command_times(words, clone, environment))


def show_wheel(root: Path, wheel: Path, folder: Path) -> None:
    """A wheel: the time of pip, the first films, and the size of the environment."""
    place, home = folder / "environment", folder / "home of the wheel"
    environment = _environment(home)
    puzzle = str(shutil.copy(root / "examples" / "puzzles" / "medium.txt", folder))
    venv.create(place, with_pip=True)
    programs = place / ("Scripts" if os.name == "nt" else "bin")
    undoku = str(programs / "undoku")

    def taken(*words: str) -> tuple[float, float]:
        return command_times([*words], folder, environment)

    install = (str(programs / "python"), "-m", "pip", "install", "-q", str(wheel.absolute()))
    show_times("wheel: pip", *taken(*install))
    film = (undoku, "render", puzzle, "-q", "-y", "-o")
    for what in ("first film", "second film"):
        show_times(f"wheel: {what}", *taken(*film, "film.mp4"))
    size = sum(path.lstat().st_size for path in place.rglob("*") if path.is_file())
    print(f"the environment of the wheel, with pip: {size / 1e6:.0f} MB")


def _environment(home: Path) -> dict[str, str]:
    """A minimal environment: PATH, an empty home, and the configuration of pip."""
    home.mkdir()
    kept = {name: text for name, text in os.environ.items() if name.startswith("PIP_")}
    return kept | {"PATH": os.environ["PATH"], "HOME": str(home)}
