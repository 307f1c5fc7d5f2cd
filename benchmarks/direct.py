"""Measures films written directly beside the same frames encoded by x264 at each quality.

    python -m benchmarks.direct [--puzzle medium] [--steps N] [--x264] [--size 1280x720]

The film is one step a frame, row-major beside mrv, cut after N steps. The sink's times are of the
processor and include neither search nor drawing. "coding" is what the pictures between key frames
took, "looking" what it took before to find what changed.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from render.canvas import Frame
from render.pipeline import Film
from render.settings import FilmSettings, parse_size
from render.sinks.contract import FrameSink, Written
from render.sinks.direct import DirectSink
from render.sinks.h264 import reel
from render.sinks.h264.coder import Coder
from render.sinks.mp4 import Mp4Sink
from render.sinks.quality import QUALITIES
from render.sinks.staging import Staging
from solver import Limits, Puzzle, search

PUZZLES = {
    "medium": "000670020701000900800053000010020060009006000300000780005000307200300500000005040",
    "hard": "007000430300800056500000000070000800000602000020309060000060904200401000050000300",
}


class TimedCoder(Coder):
    """Adds up what the kernels take, in nanoseconds, and what key frames are."""

    looking = coding = deltas = keys = key_bytes = key_time = 0

    def survey(self, *given: object) -> tuple[int, int]:  # type: ignore[override]
        start = time.perf_counter_ns()
        found = super().survey(*given)  # type: ignore[arg-type]
        TimedCoder.looking += time.perf_counter_ns() - start
        return found

    def delta(self) -> memoryview:
        start = time.perf_counter_ns()
        unit = super().delta()
        TimedCoder.coding += time.perf_counter_ns() - start
        TimedCoder.deltas += 1
        return unit

    def key(self) -> memoryview:
        start = time.perf_counter_ns()
        unit = super().key()
        TimedCoder.key_time += time.perf_counter_ns() - start
        TimedCoder.keys += 1
        TimedCoder.key_bytes += len(unit)
        return unit


def film(name: str, steps: int, size: tuple[int, int], quality: str) -> Film:
    puzzle = Puzzle.of(PUZZLES[name])
    traces = [search(puzzle, order, Limits(steps // 2)) for order in ("row-major", "mrv")]
    return Film(traces, FilmSettings(width=size[0], height=size[1], quality=quality))


def write(frames: Iterator[Frame], sink: FrameSink) -> tuple[Written, float]:
    """The file, and the seconds that the sink took."""
    taken = 0.0
    with sink:
        for frame in frames:
            start = time.process_time()
            sink.write(frame)
            taken += time.process_time() - start
        start = time.process_time()
        written = sink.finish()
    return written, taken + time.process_time() - start


def breakdown(total: int) -> str:
    """What the pictures of a directly written film took, on one line."""
    coder = TimedCoder
    return (
        f"{'':20}{coder.keys} keys of {coder.key_bytes // coder.keys:,} bytes and "
        f"{coder.key_time / coder.keys / 1e6:.1f} ms each; between them "
        f"{(total - coder.key_bytes) / coder.deltas:.0f} bytes, looking "
        f"{coder.looking / coder.deltas / 1e3:.1f} µs, coding "
        f"{coder.coding / coder.deltas / 1e3:.1f} µs a picture"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--puzzle", choices=PUZZLES, default="hard")
    parser.add_argument("--steps", type=int, default=54_843)
    parser.add_argument("--size", type=parse_size, default=(1280, 720))
    parser.add_argument("--x264", action="store_true", help="encode with x264, too: minutes")
    options = parser.parse_args()
    reel.Coder = TimedCoder  # type: ignore[attr-defined, misc]
    with tempfile.TemporaryDirectory() as folder:
        for quality in QUALITIES:
            made = film(options.puzzle, options.steps, options.size, quality)
            for kind in (DirectSink, Mp4Sink) if options.x264 else (DirectSink,):
                for name in ("looking", "coding", "deltas", "keys", "key_bytes", "key_time"):
                    setattr(TimedCoder, name, 0)
                staging = Staging(Path(folder) / f"{quality}-{kind.__name__}.mp4")
                start = time.perf_counter()
                written, taken = write(made.frames(), kind(staging, made.shape))
                wall = time.perf_counter() - start
                print(
                    f"{quality:9}{kind.__name__:11}{written.frames:8,} frames"
                    f"{written.bytes / 2**20:8.2f} MiB{taken:8.2f} s in the sink{wall:8.2f} s wall"
                )
                if TimedCoder.deltas:
                    print(breakdown(written.bytes))


if __name__ == "__main__":
    main()
