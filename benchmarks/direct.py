"""Films written directly, compared with x264 and with other programs that write MP4.

    python -m benchmarks direct [--runs 3] [--film a]… [--whole] [--manim PYTHON]

Two searches as different as those of a published film, 1280x720, one step per frame, 54,843 steps:
(a) boards and counters, (b) also the depth over time; both with a progress bar. The time of a
command includes its start, imports and search; its memory is its peak. Slow writers write two
lengths of an excerpt from the middle of the film. The difference per frame is scaled to the whole
film, and the table says so. Other programs read finished pictures from a file, so their times don't
include drawing. After the table: the worst frame of a decoded excerpt compared with the canvas.

The first film alone takes two minutes. With --whole, x264 writes whole films, and all frames are
compared: a quarter of an hour for each.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.direct_errors import PUZZLE, film_of, worst_luma
from benchmarks.direct_rivals import RIVALS
from undoku.render.write.quality import QUALITIES

ROOT = Path(__file__).parent.parent
STEPS, MIDDLE = 54_843, 20_000
SHORT, LONG = 500, 2_000
"""Frames of the two excerpts that x264 encodes."""
FEW, SOME = 30, 150
"""Frames of the two excerpts that other programs write."""
COMPARED = 4_000
"""Frames of the excerpt whose pictures are compared."""


class BenchmarkFilm(NamedTuple):
    """A film, and its panels as `--panels` names them."""

    name: str
    panels: str


FILMS = {
    "a": BenchmarkFilm("boards and counters", "board,counters"),
    "b": BenchmarkFilm("with depth chart", "board,counters,depth"),
}


class Spent(NamedTuple):
    """The cost of a command: seconds of wall and of processor time, peak memory of its largest
    process in MiB, and the bytes of its file."""

    wall: float
    processor: float
    peak: float
    bytes: float


_WATCH = """
import json, os, subprocess, sys, time
started = time.perf_counter()
running = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(running.pid, 0)
wall = time.perf_counter() - started
processor = usage.ru_utime + usage.ru_stime
print(json.dumps([os.waitstatus_to_exitcode(status), wall, processor, usage.ru_maxrss / 1024]))
"""
"""A small process that runs a command. A child of the benchmark itself would start with the
benchmark's own memory as its peak."""


def spent(command: Sequence[str | Path], made: Path) -> Spent | str:
    """Run a command that makes the file `made`; the last line of its messages when it fails."""
    done = subprocess.run(
        [sys.executable, "-c", _WATCH, *map(str, command)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    message = done.stderr.strip().splitlines() or ["no reason"]
    if done.returncode:
        return message[-1]
    code, wall, processor, peak = json.loads(done.stdout)
    if code or not made.exists():
        return message[-1]
    size = made.stat().st_size
    made.unlink()
    return Spent(wall, processor, peak, size)


def best(runs: int, run: Callable[[], Spent | str]) -> Spent | str:
    """The fastest of several runs, since other load on the machine only adds time."""
    found = [run() for _ in range(runs)]
    good = [one for one in found if isinstance(one, Spent)]
    return min(good) if good else found[0]


def scaled(
    few: Spent | str, many: Spent | str, counts: tuple[int, int], frames: int
) -> Spent | str:
    """The cost of a film of `frames` frames, extrapolated from two excerpts."""
    if isinstance(few, str) or isinstance(many, str):
        return few if isinstance(few, str) else str(many)

    def grown(one: float, other: float) -> float:
        return one + (other - one) / (counts[1] - counts[0]) * (frames - counts[0])

    if many.wall <= few.wall:
        return f"{counts[1]} frames took no longer than {counts[0]}, so the machine was not quiet"
    wall, processor = grown(few.wall, many.wall), grown(few.processor, many.processor)
    return Spent(wall, processor, many.peak, grown(few.bytes, many.bytes))


def command(
    film: BenchmarkFilm, encoder: str, quality: str, made: Path, *more: object
) -> list[str | Path]:
    words: list[str | Path] = [sys.executable, "-m", "undoku", "render", PUZZLE]
    words += ["-s", "row-major", "-s", "mrv"]
    words += ["--size", "1280x720", "--panels", film.panels, "--encoder", encoder, "-q"]
    return [*words, "--quality", quality, *map(str, more), "-o", made]


def stretch(film: BenchmarkFilm, quality: str, frames: int, made: Path) -> Spent | str:
    none = ("--intro", 0, "--hold", 0, "--card", 0)
    span = ("--from-step", MIDDLE, "--to-step", MIDDLE + frames)
    return spent(command(film, "x264", quality, made, *none, *span), made)


def row(name: str, found: Spent | str, note: str = "") -> None:
    if isinstance(found, str):
        print(f"  {name:28} not run: {found}", flush=True)
        return
    print(
        f"  {name:28}{found.wall:9.1f} s{found.processor:9.1f} s{found.bytes / 2**20:9.2f} MiB"
        f"{found.peak:8.0f} MiB{'  ' + note if note else ''}",
        flush=True,
    )


def frames_of(film: BenchmarkFilm) -> int:
    asked = command(film, "direct", "standard", Path("x.mp4"), "--to-step", STEPS)
    asked[asked.index("-q")] = "--json"
    done = subprocess.run(
        [*asked, "--dry-run"], capture_output=True, check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    return int(json.loads(done.stdout)["frames"])


def rivals(film: BenchmarkFilm, frames: int, folder: Path, manim: str) -> None:
    pictures = folder / "pictures.npy"
    kept = np.lib.format.open_memmap(
        pictures, mode="w+", dtype=np.uint8, shape=(SOME, 720, 1280, 3)
    )
    for number, frame in enumerate(film_of(film.panels, MIDDLE, MIDDLE + SOME - 1).frames()):
        kept[number] = frame.pixels
    kept.flush()
    for name, sentence in RIVALS.items():
        made = folder / "rival.mp4"
        python = manim if name == "manim" else sys.executable
        words = (python, ROOT / "benchmarks/direct_rivals.py", name, pictures)
        # The first start of a program is slow, and is not counted.
        _, few, some = (spent((*words, str(count), made), made) for count in (FEW, FEW, SOME))
        row(sentence, scaled(few, some, (FEW, SOME), frames), f"scaled from {SOME} frames")
    pictures.unlink()


def table(film: BenchmarkFilm, options: argparse.Namespace, folder: Path) -> None:
    made, frames = folder / "film.mp4", frames_of(film)
    print(f"{film.name}: {frames:,} frames")
    print(f"  {'':28}{'wall':>11}{'processor':>11}{'file':>13}{'memory':>12}")
    for quality in QUALITIES:
        whole = command(film, "direct", quality, made, "--to-step", STEPS)
        found = best(options.runs, lambda whole=whole: spent(whole, made))  # type: ignore[misc]
        row(f"undoku direct, {quality}", found)
    for quality in QUALITIES:
        note = ""
        if options.whole:
            found = spent(command(film, "x264", quality, made, "--to-step", STEPS), made)
        else:
            parts = [stretch(film, quality, count, made) for count in (SHORT, LONG)]
            found = scaled(parts[0], parts[1], (SHORT, LONG), frames)
            note = f"scaled from {LONG:,} frames"
        row(f"undoku x264, {quality}", found, note)
    rivals(film, frames, folder, options.manim)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--film", action="append", choices=FILMS, help="a if none is given")
    parser.add_argument("--whole", action="store_true", help="no excerpts, except of others' films")
    parser.add_argument("--manim", default=sys.executable, help="a Python that has manim")
    options = parser.parse_args()
    span = (0, STEPS) if options.whole else (MIDDLE, MIDDLE + COMPARED)
    for name in options.film or ("a",):
        film = FILMS[name]
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            table(film, options, folder)
            print(worst_luma(film_of(film.panels, *span), folder / "film.mp4"), flush=True)
        print()


if __name__ == "__main__":
    main()
