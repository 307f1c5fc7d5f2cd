"""How much faster two workers make a batch than one does, on two cores.

    python -m benchmarks batches [--rounds 3]

The same films, in turn with one worker and with two; the shortest time of each counts. Says too how
much of a processor one worker keeps busy: it draws while its encoder encodes, so that one worker
uses more than one core, and two can't be twice as fast on two.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from benchmarks.studies import processor_seconds
from render.batch import make_films

PUZZLES = Path(__file__).parent.parent / "examples" / "puzzles"


def manifest(formats: list[str]) -> dict[str, object]:
    """Eight films of ten seconds."""
    return {
        "defaults": {"size": "1280x720", "fps": 30, "duration": "10s", "formats": formats},
        "jobs": [
            {
                "puzzles": [str(PUZZLES / f"{name}.txt") for name in ("medium", "hard")],
                "matrix": {"themes": ["dark", "light"], "strategies": [["row-major", "mrv"]]},
                "title": title,
                "name": f"{{puzzle}}_{{theme}}_{title}",
            }
            for title in ("first", "second")
        ],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    for formats in (["mp4"], ["gif"], ["mp4", "gif"]):
        walls: dict[int, list[float]] = {1: [], 2: []}
        busy: dict[int, float] = {}
        for _ in range(rounds):
            for jobs, measured in walls.items():
                with tempfile.TemporaryDirectory() as folder:
                    wall, used = time.perf_counter(), processor_seconds()
                    report = make_films(manifest(formats), folder, jobs=jobs)
                    wall, used = time.perf_counter() - wall, processor_seconds() - used
                assert report.exit_code == 0
                measured.append(wall)
                busy[jobs] = used / wall
        one, two = min(walls[1]), min(walls[2])
        print(
            f"{'+'.join(formats):<8} one worker {one:6.2f} s ({busy[1]:.2f} cores), "
            f"two {two:6.2f} s ({busy[2]:.2f} cores): {one / two:.2f} times as fast"
        )


if __name__ == "__main__":
    main()
