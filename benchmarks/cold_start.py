"""The first commands after an installation in an empty environment, without compiled loops: see
benchmarks.start."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

from benchmarks.command_times import command_times, show_times
from undoku.solver.search.part_registry import parts
from undoku.solver.search.strategy_part import PartKind

__all__ = ["show_clone", "show_wheel"]

_FORMATS = ("gif", "webp", "apng", "webm", "mov", "png")
_AS_WRITTEN = {
    PartKind.CELLS: "{}",
    PartKind.PRESET: "{}",
    PartKind.VALUES: "mrv/{}",
    PartKind.INFERENCE: "mrv+{}",
    PartKind.BACK: "mrv+{}",
    PartKind.PRIORITY: "mrv+{}",
    PartKind.RESTART: "dom-wdeg+cbj+{}",
}
"""A template of a strategy for a part of each kind."""


def show_clone(root: Path, folder: Path) -> None:
    """A fresh clone: the time of pip, then that of `make demo`, which compiles the loops."""
    clone, environment = folder / "clone", _environment(folder / "home of the clone")
    subprocess.run(["git", "clone", "-q", str(root), str(clone)], check=True)
    for what, target in (
        ("clone: pip", ".venv/installed"),
        ("clone: make demo, nothing compiled", "demo"),
        ("clone: make demo again", "demo"),
    ):
        words = ["make", "-s", target, f"PYTHON={sys.executable}"]
        show_times(what, *command_times(words, clone, environment))


def show_wheel(root: Path, wheel: Path, folder: Path) -> None:
    """A wheel: the time of pip, the first film in each format, and a search by each strategy."""
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
    for suffix in _FORMATS:
        # Short films: whole films take minutes in some formats, and only the start is measured.
        more = ("--at-step", "132") if suffix == "png" else ("--duration", "4s")
        show_times(f"wheel: first {suffix}, short", *taken(*film, f"film.{suffix}", *more))
    few = ("--max-nodes", "300")  # some searches would take minutes
    searches = {spec: taken(undoku, "solve", puzzle, "-s", spec, *few) for spec in _strategies()}
    slowest = max(searches, key=lambda spec: searches[spec][1])
    show_times("wheel: solve -s row-major", *searches["row-major"])
    show_times(f"the slowest of {len(searches)}: solve -s {slowest}", *searches[slowest])
    compiled = [*home.rglob("*.loop")]
    print(f"compiled after the wheel was installed: {len(compiled)} loops")
    size = sum(path.lstat().st_size for path in place.rglob("*") if path.is_file())
    print(f"the environment of the wheel, with pip: {size / 1e6:.0f} MB")


def _environment(home: Path) -> dict[str, str]:
    """A minimal environment: PATH, an empty home, and the configuration of pip."""
    home.mkdir()
    kept = {name: text for name, text in os.environ.items() if name.startswith("PIP_")}
    return kept | {"PATH": os.environ["PATH"], "HOME": str(home)}


def _strategies() -> list[str]:
    """Strategies that together contain each part once."""
    return [
        written.format(f"{part.name}:7" if part.seeded or part.number else part.name)
        for kind, written in _AS_WRITTEN.items()
        for part in parts(kind)
    ]
