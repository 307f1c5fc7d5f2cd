"""Compares two ways to pass frames to x264, a pipe and a library: python -m benchmarks.hand_over

Each case encodes the same finished frames with the quality "standard", in its own process: a pipe
to ffmpeg with the default buffer, a pipe with a larger buffer, and PyAV (pip install av), which
runs x264 in the same process.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.comparison import HEIGHT, WIDTH, batches, comparison
from undoku.render.delivery.outputs import context_of
from undoku.render.film.film import Film
from undoku.render.write.ffmpeg import COLOUR, FfmpegProcess, raw_input
from undoku.render.write.mp4_x264 import Mp4Sink
from undoku.render.write.quality import quality
from undoku.render.write.staging import Staging

Batch = NDArray[np.uint8]


def highest(pid: int) -> float:
    """The peak memory of a process in MB; 0 if the system doesn't provide it."""
    status = Path(f"/proc/{pid}/status")
    if status.exists():
        for line in status.read_text().splitlines():
            if line.startswith("VmHWM"):
                return int(line.split()[1]) / 1024
    return 0.0


def pipe(film: Film, batch: Batch, rounds: int, path: Path) -> float:
    sink = Mp4Sink(Staging(path, overwrite=True), context_of(film))
    arguments = sink.encoder_arguments()
    sink.abort()
    process = FfmpegProcess(
        [
            *raw_input(WIDTH, HEIGHT, context_of(film).settings.fps, "yuv420p"),
            *arguments,
            *COLOUR,
        ],
        path,
        path,
    )
    for _ in range(rounds):
        for planes in batch:
            process.write(planes)
    peak = highest(process.pid)
    process.finish()
    return peak


def narrow_pipe(film: Film, batch: Batch, rounds: int, path: Path) -> float:
    FfmpegProcess._enlarge_pipe = lambda self: None  # type: ignore[method-assign]  # noqa: SLF001
    return pipe(film, batch, rounds, path)


def pyav(film: Film, batch: Batch, rounds: int, path: Path) -> float:
    before = highest(os.getpid())
    av: Any = __import__("av")
    chosen = quality(film.settings.quality)
    threads = "threads=4:lookahead-threads=1:sync-lookahead=0:sliced-threads=0"
    settings = f"{chosen.x264(WIDTH, HEIGHT)}:{threads}"
    with av.open(str(path), "w", options={"movflags": "+faststart"}) as container:
        stream = container.add_stream(
            "libx264", rate=60, options={"preset": chosen.preset, "x264-params": settings}
        )
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        for turn in range(rounds):
            for number, planes in enumerate(batch):
                picture = av.VideoFrame.from_numpy_buffer(planes.reshape(-1, WIDTH), "yuv420p")
                picture.pts = turn * len(batch) + number
                container.mux(stream.encode(picture))
        container.mux(stream.encode(None))
    return highest(os.getpid()) - before


WAYS: dict[str, Callable[[Film, Batch, int, Path], float]] = {
    "pipe": narrow_pipe,
    "pipe, 1 MiB": pipe,
    "PyAV": pyav,
}


def child(name: str, frames: int, level: str) -> None:
    film = comparison(300, quality=level)
    batch = next(batches(film, 300, 300))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "film.mp4"
        started = time.perf_counter()
        spent = _processor()
        memory = WAYS[name](film, batch, frames // 300, path)
        result = {
            "rate": frames // 300 * 300 / (time.perf_counter() - started),
            "processor": 1000 * (_processor() - spent) / (frames // 300 * 300),
            "bytes": path.stat().st_size,
            "memory": memory,
        }
    print(json.dumps(result))


def _processor() -> float:
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in both)


def weight(package: str) -> str:
    """The size of an installed package in MB."""
    with contextlib.suppress(PackageNotFoundError):
        found = files(package) or []
        return f"{sum(int(Path(str(one.locate())).stat().st_size) for one in found) / 1e6:.0f} MB"
    return "not installed"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=3000)
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.add_argument("--quality", action="append")
    options = parser.parse_args()
    if options.child:
        child(options.child, options.frames, options.quality[0])
        return
    installed = weight("av") != "not installed"
    print(f"{options.frames:,} finished frames of {WIDTH}x{HEIGHT}, yuv420p")
    print(f"installed: imageio-ffmpeg {weight('imageio-ffmpeg')}, av {weight('av')}")
    for level in options.quality or ["draft", "standard"]:
        for name in WAYS:
            if name == "PyAV" and not installed:
                continue
            command = [sys.executable, "-m", "benchmarks.hand_over", "--child", name]
            command += ["--frames", str(options.frames), "--quality", level]
            result = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
            print(
                f"{level:9} {name:12} {result['rate']:6.0f} frames/s, "
                f"{result['processor']:6.2f} ms of processor a frame, "
                f"{result['memory']:5.0f} MB, {result['bytes'] / options.frames:6.0f} bytes/frame",
                flush=True,
            )


if __name__ == "__main__":
    main()
