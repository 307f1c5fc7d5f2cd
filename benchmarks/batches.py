"""The speed-up of a batch with two workers on two cores over one worker on one core.

    python -m benchmarks batches [--rounds 2]

A batch with `-j N` uses N cores: its N workers and their encoders stay on N processors. The ratio
shows how much of the second core is used. The time of one worker without this restriction is also
printed: it draws while its encoder encodes, which uses more than one core, so two workers can't be
twice as fast as that.

The batch has forty-eight films of ten seconds. The first two cases alternate, and the shortest time
of each counts; the third is measured once. The best possible ratio is measured, too: two processes
that only count, compared with one.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import undoku.render.batch.batch
from benchmarks.studies import processor_seconds
from undoku.render.batch.batch import make_films

PUZZLES = Path(__file__).parent.parent / "examples" / "puzzles"
WAYS = ("one core", "two cores", "one worker, not confined")


def manifest(formats: list[str]) -> dict[str, object]:
    """Forty-eight films of ten seconds."""
    return {
        "defaults": {"size": "1280x720", "fps": 30, "duration": "10s", "formats": formats},
        "jobs": [
            {
                "puzzles": [str(PUZZLES / f"{name}.txt") for name in ("medium", "hard")],
                "matrix": {
                    "themes": ["dark", "light", "paper", "blackboard"],
                    "strategies": [["row-major", "mrv"]],
                },
                "title": title,
                "name": f"{{puzzle}}_{{theme}}_{title}",
            }
            for title in ("first", "second", "third", "fourth", "fifth", "sixth")
        ],
    }


def counting(processes: int) -> float:
    """Seconds that a number of processes that only count take."""
    started = time.perf_counter()
    running = [
        subprocess.Popen([sys.executable, "-c", "for _ in range(10**8): pass"])
        for _ in range(processes)
    ]
    codes = [process.wait() for process in running]
    assert not any(codes)
    return time.perf_counter() - started


def measure(formats: list[str], way: str) -> tuple[float, float]:
    """Wall and processor seconds of the batch, from the manifest to the report."""
    run: Any = undoku.render.batch.batch
    confine = run.processors
    if way == WAYS[2]:
        run.processors = lambda count: None
    try:
        with tempfile.TemporaryDirectory() as folder:
            wall, used = time.perf_counter(), processor_seconds()
            report = make_films(manifest(formats), folder, jobs=2 if way == WAYS[1] else 1)
            wall, used = time.perf_counter() - wall, processor_seconds() - used
    finally:
        run.processors = confine
    assert report.exit_code == 0
    return wall, used


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=2)
    rounds = parser.parse_args().rounds
    one, two = (min(counting(count) for _ in range(3)) for count in (1, 2))
    print(f"counting: two cores are {2 * one / two:.2f} times as fast as one core")
    for formats in (["mp4"], ["gif"]):
        best = {way: (float("inf"), 0.0) for way in WAYS}
        for turn in range(rounds):
            for way in WAYS[: 2 if turn else 3]:
                best[way] = min(best[way], measure(formats, way))
        print("+".join(formats))
        for way, (wall, used) in best.items():
            print(f"    {way:<26} {wall:6.2f} s, {used / wall:.2f} cores busy")
        one, two, free = (best[way][0] for way in WAYS)
        print(f"    two cores are {one / two:.2f} times as fast as one core, "
              f"{free / two:.2f} times as one worker that is not confined")  # fmt: skip


if __name__ == "__main__":
    main()
