"""The time of a film relative to its encoder: python -m benchmarks.encoder [--frames N]
[--quality NAME]…

The same frames are encoded twice with the same settings: drawn while they are encoded, and finished
in memory (drawing them is not counted). The budget for the ratio of the two wall times is 1.1. The
ratio of their processor times, of all processes, is more reliable on a busy machine. The cost of
each part of a frame is printed first.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple, cast

from benchmarks.comparison import HEIGHT, WIDTH, batches, comparison
from undoku.render.delivery.outputs import context_of
from undoku.render.draw.canvas import Frame
from undoku.render.film.film import Film
from undoku.render.playback.player import Player
from undoku.render.write.ffmpeg import COLOUR, FfmpegProcess, raw_input
from undoku.render.write.mp4_x264 import Mp4Sink
from undoku.render.write.staging import Staging
from undoku.render.write.yuv import Planes


class Spent(NamedTuple):
    """Seconds of wall time and of processor time."""

    wall: float
    processor: float


def _children() -> float:
    """Processor seconds of all child processes that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def drawn(film: Film, frames: int, path: Path) -> Spent:
    """The time of a film from its first event to the finished file."""
    started, before, children = time.perf_counter(), time.process_time(), _children()
    with Mp4Sink(Staging(path, overwrite=True), context_of(film)) as sink:
        for frame in islice(film.frames(), frames):
            sink.write(frame)
        sink.finish()
    return Spent(
        time.perf_counter() - started, time.process_time() - before + _children() - children
    )


def finished(film: Film, frames: int, path: Path) -> Spent:
    """The time of the encoder for the same frames, finished in memory. While the next frames are
    prepared, the encoder may still process queued ones; this isn't counted, so the result is
    slightly too good."""
    sink = Mp4Sink(Staging(path, overwrite=True), context_of(film))
    arguments = sink.encoder_arguments()
    sink.abort()
    wall, own, children = 0.0, 0.0, _children()
    process = FfmpegProcess(
        [
            *raw_input(WIDTH, HEIGHT, context_of(film).settings.fps, "yuv420p"),
            *arguments,
            *COLOUR,
        ],
        path,
        path,
    )
    for batch in batches(film, frames):
        started, before = time.perf_counter(), time.thread_time()
        for planes in batch:
            process.write(planes)
        wall += time.perf_counter() - started
        own += time.thread_time() - before
    started = time.perf_counter()
    process.finish()
    wall += time.perf_counter() - started
    return Spent(wall, own + _children() - children)


class Stopwatch:
    """Sums the processor time of this thread in functions; the time of a function excludes that of
    timed functions that it calls."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._inner = [0.0]

    def timed(self, name: str, function: Callable[..., object]) -> Callable[..., object]:
        def run(*arguments: object, **options: object) -> object:
            self._inner.append(0.0)
            started = time.thread_time()
            try:
                return function(*arguments, **options)
            finally:
                spent = time.thread_time() - started
                own = spent - self._inner.pop()
                self.seconds[name] = self.seconds.get(name, 0.0) + own
                self._inner[-1] += spent

        return run


def parts(film: Film, frames: int) -> dict[str, float]:
    """Milliseconds of processor time of each part of a frame, without an encoder: frames are
    written to a process that only reads."""
    watch = Stopwatch()
    reader = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import os\nroom = bytearray(1 << 20)\nwhile os.readv(0, [room]): pass",
        ],
        stdin=subprocess.PIPE,
        bufsize=0,
    )
    assert reader.stdin is not None
    hand_over = watch.timed("hand-over", reader.stdin.write)
    planes = Planes(WIDTH, HEIGHT)
    convert = watch.timed("conversion", planes.update)
    # The first events and sprites load compiled loops and fonts, once per process.
    for frame in islice(film.frames(), 10):
        planes.update(frame.pixels, frame.changes)
    advance = Player.advance
    Player.advance = watch.timed("snapshot", advance)  # type: ignore[method-assign,assignment]
    for trace in film.traces:
        trace.chunks = _timed_chunks(watch, trace.chunks)  # type: ignore[method-assign,assignment]
    try:
        source = islice(film.frames(), frames)
        drawn_next = cast(
            Callable[[], Frame | None], watch.timed("panels", lambda: next(source, None))
        )
        while (drawn := drawn_next()) is not None:
            convert(drawn.pixels, drawn.changes)
            rest = planes.bytes.data
            while rest:
                rest = rest[cast(int, hand_over(rest)) :]
    finally:
        Player.advance = advance  # type: ignore[method-assign]
        reader.stdin.close()
        reader.wait()
    return {name: 1000 * seconds / frames for name, seconds in watch.seconds.items()}


def _timed_chunks(watch: Stopwatch, chunks: Callable[[], Iterator[object]]) -> Callable[[], object]:
    def run() -> Iterator[object]:
        source = chunks()
        following = watch.timed("search", lambda: next(source, None))
        while (chunk := following()) is not None:
            yield chunk

    return run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=20_000)
    parser.add_argument("--quality", action="append")
    options = parser.parse_args()
    frames = options.frames
    print(f"{frames:,} frames of {WIDTH}x{HEIGHT}, two boards, one step a frame")
    costs = parts(comparison(min(frames, 3000)), min(frames, 3000))
    print("a frame, part by part, in ms of processor time:")
    for name in ("search", "snapshot", "panels", "conversion", "hand-over"):
        print(f"  {name:12} {costs[name]:7.3f}")
    own = sum(costs.values()) - costs["hand-over"]
    with tempfile.TemporaryDirectory() as folder:
        for quality in options.quality or ["draft", "standard", "archive"]:
            film = comparison(frames, quality=quality)
            drawn(comparison(60, quality=quality), 60, Path(folder) / "warm.mp4")
            alone = finished(film, frames, Path(folder) / "finished.mp4")
            ours = drawn(film, frames, Path(folder) / "drawn.mp4")
            equal = (Path(folder) / "finished.mp4").read_bytes() == (
                Path(folder) / "drawn.mp4"
            ).read_bytes()
            print(
                f"{quality:9} encoder alone {frames / alone.wall:5.0f} frames/s, film "
                f"{frames / ours.wall:5.0f} frames/s: ratio {ours.wall / alone.wall:.3f} "
                "(budget 1.1)\n"
                f"{'':9} processor time {1000 * alone.processor / frames:.2f} and "
                f"{1000 * ours.processor / frames:.2f} ms a frame: ratio "
                f"{ours.processor / alone.processor:.3f}; drawing and converting is "
                f"{100 * own * frames / 1000 / alone.processor:.1f} % of encoding (budget 10 %); "
                f"{'the same file' if equal else 'DIFFERENT FILES'}",
                flush=True,
            )


if __name__ == "__main__":
    main()
