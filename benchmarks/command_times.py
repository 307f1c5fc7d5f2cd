"""Measures the wall and processor times of commands."""

from __future__ import annotations

import resource
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path


def command_times(
    words: list[str], folder: Path, environment: Mapping[str, str], runs: int = 1
) -> tuple[float, float]:
    """The shortest wall and processor time of `runs` runs in seconds, including child processes."""
    took = []
    for _ in range(runs):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        begun = time.monotonic()
        subprocess.run(words, env=environment, stdout=subprocess.DEVNULL, check=True, cwd=folder)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        took.append((time.monotonic() - begun, spent))
    return min(wall for wall, _ in took), min(spent for _, spent in took)


def show_times(what: str, wall: float, spent: float) -> None:
    """Print a line of a table."""
    print(f"{what:48} {wall:7.2f} s, processor {spent:7.2f} s", flush=True)
