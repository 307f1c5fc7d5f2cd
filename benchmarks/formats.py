"""Bytes and time per frame of the same film in every output format.

    python -m benchmarks.formats [--frames 600] [--size 640x360]

Two searches side by side, one step per frame, 25 frames per second; drawing is included. Still
formats get the picture of the last step.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from fractions import Fraction
from pathlib import Path

from benchmarks.gif import PUZZLE
from undoku.render.delivery.write import write_film, write_still
from undoku.render.film.film import Film
from undoku.render.settings.settings import FilmSettings
from undoku.render.timeline.timeline import Pace
from undoku.render.write.formats import OutputFormat, formats
from undoku.solver.trace.search_trace import Limits, search


def film(width: int, height: int, frames: int) -> Film:
    none = Fraction(0)
    settings = FilmSettings(
        width,
        height,
        Fraction(25),
        Pace(Fraction(1), last=frames),
        intro=none,
        hold=none,
        card=none,
    )
    return Film([search(PUZZLE, name, Limits(frames)) for name in ("row-major", "mrv")], settings)


def size_of(path: Path) -> int:
    files = [path] if path.is_file() else list(path.parent.iterdir())
    return sum(file.stat().st_size for file in files)


def measure(entry: OutputFormat, made: Film, frames: int, folder: Path) -> tuple[float, float]:
    """(bytes, milliseconds) per frame; for a still format, of its picture."""
    path = folder / entry.name / f"film{entry.suffix}"
    path.parent.mkdir()
    started = time.perf_counter()
    if entry.still:
        write_still(made, frames, [path])
        frames = 1
    else:
        write_film(made, [path])
    return size_of(path) / frames, (time.perf_counter() - started) * 1000 / frames


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=600)
    parser.add_argument("--size", default="640x360")
    options = parser.parse_args()
    width, height = map(int, options.size.split("x"))
    print(f"{options.frames} frames of {width}×{height}, two searches, one step per frame")
    print(f"{'':14} {'bytes/frame':>12} {'ms/frame':>9}")
    with tempfile.TemporaryDirectory() as folder:
        for entry in formats():
            made = film(width, height, options.frames)
            measure(entry, film(width, height, 50), 50, Path(tempfile.mkdtemp(dir=folder)))
            found, spent = measure(entry, made, options.frames, Path(folder))
            still = "  one picture" if entry.still else ""
            print(f"{entry.name:14} {found:12,.0f} {spent:9.1f}{still}", flush=True)


if __name__ == "__main__":
    main()
