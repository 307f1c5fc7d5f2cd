"""Typical commands, compared with their budgets of time, bytes and memory.

    python -m benchmarks budgets [--runs 2] [--only NAME]…

The time of a command includes its start, imports and searches; its memory is the peak of its
largest process. Each MP4 is also encoded by x264; the ratio of the two file sizes is printed. `!`
marks figures over their budgets.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from benchmarks.direct import ROOT, Spent, best, spent
from benchmarks.direct_errors import PUZZLE

HARD, MEDIUM, LONG = (
    str(ROOT / "examples" / "puzzles" / f"{name}.txt")
    for name in ("hard", "medium", "fifty-minutes")
)
PLAIN = ("--panels", "board,counters")
SINGLE = ("--pace", "even", "--steps-per-frame", "1", "--size", "1280x720")
MEMORY = 250
"""The budget of memory for each command, in MB."""


class BudgetedCommand(NamedTuple):
    """The arguments of `undoku render`, the suffix of its file, and its budgets: seconds, MiB of
    the file (0: none), the ratio of the file size to that by x264 (0: not compared), and MB of
    memory."""

    words: tuple[str, ...]
    suffix: str
    seconds: float
    mib: float = 0
    ratio: float = 0
    memory: float = MEMORY


def _of_hard(seconds: int, size: str, *words: str) -> tuple[str, ...]:
    return HARD, "--duration", f"{seconds}s", "--size", size, "--fps", "60", *words


COMMANDS = {
    "30 s": BudgetedCommand((HARD, "--duration", "30s"), "mp4", 1.5, ratio=1.1),
    "60 s, 1920x1080": BudgetedCommand(_of_hard(60, "1920x1080"), "mp4", 3, ratio=1.15),
    "60 s, 1080x1920": BudgetedCommand(_of_hard(60, "1080x1920"), "mp4", 3, ratio=1.15),
    "10 s, 1920x1080": BudgetedCommand(_of_hard(10, "1920x1080"), "mp4", 2, ratio=1.25),
    "10 s, 1080x1920": BudgetedCommand(_of_hard(10, "1080x1920"), "mp4", 2, ratio=1.25),
    "60 s, for tv": BudgetedCommand(
        _of_hard(60, "1920x1080", "--level", "4.2"), "mp4", 3, ratio=1.25
    ),
    "60 s, 3840x2160": BudgetedCommand(
        _of_hard(60, "3840x2160"), "mp4", 12, ratio=1.25, memory=400
    ),
    "single steps, plain": BudgetedCommand((str(PUZZLE), *SINGLE, *PLAIN), "mp4", 2, mib=5),
    "single steps": BudgetedCommand((str(PUZZLE), *SINGLE), "mp4", 2.5, mib=7),
    "1,000,000 frames": BudgetedCommand(
        (LONG, *SINGLE, *PLAIN, "--quality", "draft", "--to-step", "1000000"), "mp4", 15, mib=90
    ),
    "GIF of 2,000 frames": BudgetedCommand(
        (
            *(MEDIUM, "--pace", "even", "--steps-per-frame", "1", "--to-step", "2000"),
            *("--size", "640x360", "--fps", "50", *PLAIN, "--intro", "0", "--hold", "0"),
            *("--card", "0"),
        ),
        "gif",
        1,
    ),
    "default GIF": BudgetedCommand((MEDIUM, "--fps", "25"), "gif", 0.8),
}


def measured(asked: BudgetedCommand, encoder: str, runs: int) -> Spent | str:
    """The measurements of a command; an MP4 is written by `encoder`."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / f"film.{asked.suffix}"
        words: list[str | Path] = [sys.executable, "-m", "undoku", "render", *asked.words, "-q"]
        words += ["-o", made, *(("--encoder", encoder) if asked.suffix == "mp4" else ())]
        return best(runs, lambda: spent(words, made))


def row(name: str, asked: BudgetedCommand, runs: int) -> str:
    """A line of the table."""
    found = measured(asked, "auto", runs)
    if isinstance(found, str):
        return f"{name:22} {found}"
    late = "!" if found.wall > asked.seconds else " "
    memory = found.peak * 2**20 / 1e6
    fat = "!" if memory > asked.memory else " "
    mib = found.bytes / 2**20
    large = "!" if asked.mib and mib > asked.mib else " "
    line = (
        f"{name:22} {found.wall:6.2f} s{late} of {asked.seconds:4} s  "
        f"processor {found.processor:6.2f} s  {memory:4.0f} MB{fat} {mib:7.2f} MiB{large}"
    )
    if not asked.ratio:
        return line
    other = measured(asked, "x264", 1)
    if isinstance(other, str):
        return f"{line}  x264: {other}"
    ratio = found.bytes / other.bytes
    over = "!" if ratio > asked.ratio else " "
    return (
        f"{line}  x264: {other.wall:6.2f} s, {other.bytes / 2**20:6.2f} MiB, "
        f"bytes × {ratio:.2f}{over}, time × {found.wall / other.wall:.2f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--only", action="append", choices=COMMANDS)
    options = parser.parse_args()
    for name in options.only or COMMANDS:
        print(row(name, COMMANDS[name], options.runs), flush=True)


if __name__ == "__main__":
    main()
