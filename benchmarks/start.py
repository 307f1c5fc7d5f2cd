"""The time to start: python -m benchmarks start

Measures commands in wall and processor time (the least of five runs each), and the parts of the
time before the first frame of a film. `make dist` measures installations in empty environments and
their first film. On a busy machine only the processor times are meaningful.
"""

from __future__ import annotations

import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

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


def show(what: str, words: list[str]) -> None:
    """Print the shortest wall and processor time of five runs, including child processes."""
    walls, processors = [], []
    for _ in range(5):
        before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        subprocess.run(words, stdout=subprocess.DEVNULL, check=True, cwd=ROOT)
        walls.append(time.monotonic() - begun)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        processors.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    print(f"{what:48} {min(walls):7.2f} s, processor {min(processors):7.2f} s", flush=True)


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


def main() -> None:
    command = [sys.executable, "-m", "undoku"]
    with tempfile.TemporaryDirectory() as folder:
        show("python -c pass", [sys.executable, "-c", "pass"])
        show("python -c 'import numpy'", [sys.executable, "-c", "import numpy"])
        show("undoku --help", [*command, "--help"])
        show("undoku solve medium.txt", [*command, "solve", PUZZLE])
        still = [*command, *FILM, f"{folder}/a.png", "--at-step", "132"]
        show("a picture, 1280×720", still)
        show_first_frame(folder)


if __name__ == "__main__":
    main()
