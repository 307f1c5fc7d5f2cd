"""The time to start: python -m benchmarks start [--cold [WHEEL]]

Measures commands in wall and processor time (the least of five runs each), and the parts of the
time before the first frame of a film. --cold also measures installations in empty environments and
their first film: from a wheel, by default the one in dist/, and from a clone by `make demo`.
On a busy machine only the processor times are meaningful.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from benchmarks.cold_start import show_clone, show_wheel
from benchmarks.command_times import command_times, show_times

ROOT = Path(__file__).absolute().parent.parent
PUZZLE = str(ROOT / "examples" / "puzzles" / "medium.txt")
FILM = ["render", PUZZLE, "-q", "-y", "-o"]

FIRST_FRAME = """
import gc
gc.disable()  # as the command does before it loads what films need
import os, sys, time
from undoku.render.film.scene import Scene
def first(self, *rest):
    print(time.process_time())
    sys.stdout.flush()
    os._exit(0)
Scene.paint = first
from undoku.cli.main import command
command()
"""


def show(what: str, words: list[str], runs: int = 5) -> None:
    show_times(what, *command_times(words, ROOT, os.environ, runs))


def import_times(words: list[str]) -> dict[tuple[str, str], int]:
    """The minimum time in microseconds to import each module, by its name and the package that
    imported it: modules that a library imports count for that library."""
    least: dict[tuple[str, str], int] = {}
    for _ in range(5):
        reported = subprocess.run(
            [sys.executable, "-X", "importtime", *words],
            capture_output=True, text=True, check=True, cwd=ROOT,
        ).stderr  # fmt: skip
        stack: list[tuple[int, str]] = []
        for own, indent, name in reversed(
            re.findall(r"import time:\s*(\d+) \|\s*\d+ \|( +)(\S+)", reported)
        ):
            while stack and stack[-1][0] >= len(indent):
                stack.pop()
            top = name.partition(".")[0]
            owner = next((one for _, one in stack if one != "undoku"), top)
            stack.append((len(indent), top))
            least[name, owner] = min(int(own), least.get((name, owner), int(own)))
    return least


def show_first_frame(folder: str) -> None:
    """Print the processor time up to the first frame, and the part of the imports by package."""
    words = ["-c", FIRST_FRAME, *FILM, f"{folder}/c.mp4"]
    spent = min(
        float(subprocess.run([sys.executable, *words], capture_output=True, text=True, check=True,
                             cwd=ROOT).stdout)
        for _ in range(5)
    )  # fmt: skip
    imports: Counter[str] = Counter()
    for (_, owner), own in import_times(words).items():
        imports[owner] += own
    print(f"{'up to the first frame of a film':44} {'':7}    processor {spent:7.2f} s, imports:")
    known = ("numpy", "PIL", "fontTools", "matplotlib", "undoku")
    for name in known:
        if imports[name]:
            print(f"    {name:12} {imports[name] / 1e6:5.2f} s")
    rest = sum(count for name, count in imports.items() if name not in known)
    print(f"    {'the rest':12} {rest / 1e6:5.2f} s")


def show_cold(folder: Path, wheels: list[Path]) -> None:
    for wheel in wheels or sorted((ROOT / "dist").glob("*.whl")):
        show_wheel(ROOT, wheel, folder)
        break
    else:
        print("no wheel: name one, or have make dist build it")
    show_clone(ROOT, folder)


def main() -> None:
    wheels = [Path(word) for word in sys.argv[1:] if word.endswith(".whl")]
    command = [sys.executable, "-m", "undoku"]
    with tempfile.TemporaryDirectory() as folder:
        show("python -c pass", [sys.executable, "-c", "pass"])
        show("python -c 'import numpy'", [sys.executable, "-c", "import numpy"])
        show("undoku --help", [*command, "--help"])
        subprocess.run([*command, "solve", PUZZLE], check=True, stdout=subprocess.DEVNULL, cwd=ROOT)
        show("undoku solve medium.txt", [*command, "solve", PUZZLE])
        still = [*command, *FILM, f"{folder}/a.png", "--at-step", "132"]
        show("a picture, 1280×720", still)
        show_first_frame(folder)
        if "--cold" in sys.argv:
            show_cold(Path(folder), wheels)


if __name__ == "__main__":
    main()
