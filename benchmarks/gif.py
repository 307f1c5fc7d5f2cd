"""Speed and file size of GIFs, compared with other programs.

    python -m benchmarks.gif [--frames 2000] [--size 640x360] [--only NAME]…

Every writer gets the same frames of two searches and runs in its own process, so that its peak
memory can be measured. The times exclude drawing and reading frames, except for `command`: a whole
process of `undoku render`.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from undoku.render.draw.canvas import Frame

RATE = 50
PUZZLE = "000060080020000000001000000070000102500030000000000400004201000300700600000000050"


def film(width: int, height: int, frames: int) -> Iterator[Frame]:
    """The first frames of a comparison, one step of each search per frame; boards and counters
    without charts, the film for which the budgets were set."""
    from undoku.render.film.film import (
        Film,  # imported here, so that the other programs don't load it
    )
    from undoku.render.settings.settings import FilmSettings
    from undoku.render.timeline.timeline import Pace
    from undoku.solver.trace.search_trace import Limits, search

    none = Fraction(0)
    settings = FilmSettings(
        width,
        height,
        Fraction(RATE),
        Pace(Fraction(1)),
        intro=none,
        hold=none,
        card=none,
        panels=("board", "counters"),
    )
    traces = [search(PUZZLE, strategy, Limits(frames)) for strategy in ("row-major", "mrv")]
    return islice(Film(traces, settings).frames(), frames)


class Job:
    """Frames for one writer: newly drawn ones, or finished pictures from a raw file."""

    def __init__(self, folder: Path, frames: int, width: int, height: int) -> None:
        self.raw, self.output = folder / "frames.rgb", folder / "film.gif"
        self.frames, self.width, self.height = frames, width, height
        self.reading = 0.0
        self.memory: float | None = None

    def pictures(self) -> Iterator[NDArray[np.uint8]]:
        size = self.width * self.height * 3
        with self.raw.open("rb") as file:
            for _ in range(self.frames):
                started = time.perf_counter()
                picture = np.frombuffer(file.read(size), np.uint8)
                self.reading += time.perf_counter() - started
                yield picture.reshape(self.height, self.width, 3)


def floor(job: Job) -> float:
    """Imports and one search only: the base of the memory figures."""
    import undoku.render.delivery.write
    from undoku.solver.trace.search_trace import Limits, search

    assert undoku.render.delivery.write
    started = time.perf_counter()
    search(PUZZLE, "row-major", Limits(job.frames)).tally()
    job.output.touch()
    return time.perf_counter() - started


def drawing(job: Job) -> float:
    """Drawing only: the memory that it takes."""
    started = time.perf_counter()
    for _ in film(job.width, job.height, job.frames):
        pass
    job.output.touch()
    return time.perf_counter() - started


def undoku(job: Job) -> float:
    from tests.support.films import sink_context
    from undoku.render.write.gif import GifSink
    from undoku.render.write.staging import Staging

    shape = sink_context(job.width, job.height, Fraction(RATE))
    with GifSink(Staging(job.output, overwrite=True), shape) as sink:
        for frame in film(job.width, job.height, 3):
            sink.write(frame)  # loads the compiled loops, once per process
    spent = 0.0
    with GifSink(Staging(job.output, overwrite=True), shape) as sink:
        for frame in film(job.width, job.height, job.frames):
            started = time.perf_counter()
            sink.write(frame)
            spent += time.perf_counter() - started
        started = time.perf_counter()
        sink.finish()
    return spent + time.perf_counter() - started


def command(job: Job) -> float:
    """The whole command, with cached compiled loops."""
    given = ["undoku", "render", PUZZLE, "--strategy", "row-major", "--strategy", "mrv"]
    given += ["--max-nodes", str(job.frames), "--panels", "board,counters", "--fps", str(RATE)]
    given += ["--size", f"{job.width}x{job.height}", "--intro", "0", "--hold", "0", "--card", "0"]
    given += ["--steps-per-frame", "1", "--to-step", str(job.frames), "-q", "-y", "-o"]
    code = (
        "import sys; from undoku.cli.main import main; from benchmarks.gif import peak;"
        f"sys.argv = {[*given, str(job.output)]!r}; main(); print(peak(), file=sys.stderr)"
    )
    for _ in range(2):  # the first run compiles if nothing is cached
        started = time.perf_counter()
        run = [sys.executable, "-c", code]
        done = subprocess.run(run, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        spent = time.perf_counter() - started
    job.memory = float(done.stderr)
    return spent


def pillow(job: Job) -> float:
    from PIL import Image

    pictures = (Image.fromarray(picture) for picture in job.pictures())
    started = time.perf_counter()
    next(pictures).save(
        job.output, save_all=True, append_images=pictures, duration=1000 // RATE, loop=0
    )
    return time.perf_counter() - started - job.reading


def imageio(job: Job) -> float:
    import imageio.v2

    started = time.perf_counter()
    writer: Any = imageio.v2.get_writer(job.output, mode="I", duration=1000 // RATE, loop=0)
    with writer:
        for picture in job.pictures():
            writer.append_data(picture)
    return time.perf_counter() - started - job.reading


def _ffmpeg(job: Job, options: str) -> float:
    import imageio_ffmpeg

    command = [imageio_ffmpeg.get_ffmpeg_exe(), "-v", "error", "-y", "-f", "rawvideo"]
    command += ["-pix_fmt", "rgb24", "-s", f"{job.width}x{job.height}", "-r", str(RATE)]
    command += ["-i", str(job.raw), "-filter_complex"]
    command += [f"split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=none{options}"]
    started = time.perf_counter()
    subprocess.run([*command, str(job.output)], check=True)
    return time.perf_counter() - started


def ffmpeg(job: Job) -> float:
    return _ffmpeg(job, "")


def ffmpeg_diff(job: Job) -> float:
    return _ffmpeg(job, ":diff_mode=rectangle")


def gifski(job: Job) -> float:
    from PIL import Image

    folder = job.output.parent / "stills"
    folder.mkdir(exist_ok=True)
    names = []
    for number, picture in enumerate(job.pictures()):
        names.append(str(folder / f"{number:06d}.png"))
        Image.fromarray(picture).save(names[-1], compress_level=1)
    started = time.perf_counter()
    command = ["gifski", "--quiet", "--fps", str(RATE), "-o", str(job.output)]
    subprocess.run(command + names, check=True)
    return time.perf_counter() - started


def gifsicle(job: Job) -> float:
    """A pass of gifsicle -O3 over undoku's file."""
    undoku(job)
    started = time.perf_counter()
    subprocess.run(["gifsicle", "-O3", "--batch", str(job.output)], check=True)
    return time.perf_counter() - started


WRITERS: dict[str, Callable[[Job], float]] = {
    "floor": floor,
    "drawing": drawing,
    "undoku": undoku,
    "command": command,
    "pillow": pillow,
    "imageio": imageio,
    "ffmpeg": ffmpeg,
    "ffmpeg-diff": ffmpeg_diff,
    "gifski": gifski,
    "gifsicle": gifsicle,
}
PROGRAMS = ("gifski", "gifsicle")
"""Programs that run only if they are installed; gifski is also on npm."""


def version_of(program: str) -> str:
    """The first line of the program's --version."""
    done = subprocess.run([program, "--version"], stdout=subprocess.PIPE, check=True, text=True)
    return done.stdout.splitlines()[0]


def measure(name: str, folder: Path, frames: int, size: tuple[int, int]) -> dict[str, float]:
    """Frames per second, bytes per frame and peak MB of one writer, run in its own process."""
    command = [sys.executable, "-m", "benchmarks.gif", "--child", str(folder), "--only", name]
    command += ["--frames", str(frames), "--size", f"{size[0]}x{size[1]}"]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    result: dict[str, float] = json.loads(done.stdout)
    return result


def peak() -> float:
    """The peak memory of this process in MB."""
    status = Path("/proc/self/status")
    if status.exists():  # ru_maxrss would start with the parent's peak
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def child(name: str, folder: Path, frames: int, size: tuple[int, int]) -> None:
    job = Job(folder, frames, *size)
    seconds = WRITERS[name](job)
    if "ffmpeg" in name or name == "gifski":
        job.memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    result = {
        "rate": frames / seconds,
        "bytes": job.output.stat().st_size / frames,
        "memory": peak() if job.memory is None else job.memory,
    }
    print(json.dumps(result))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=2000)
    parser.add_argument("--size", default="640x360")
    parser.add_argument("--only", action="append", choices=WRITERS)
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    width, height = map(int, options.size.split("x"))
    if options.child:
        child(options.only[0], options.child, options.frames, (width, height))
        return
    names = [name for name in options.only or WRITERS if name not in PROGRAMS or shutil.which(name)]
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        with (Path(folder) / "frames.rgb").open("wb") as raw:
            for frame in film(width, height, options.frames):
                raw.write(frame.pixels.tobytes())
        print(f"{options.frames} frames of {width}×{height}, two boards, one step per frame")
        if found := [version_of(name) for name in names if name in PROGRAMS]:
            print("with " + ", ".join(found))
        print(f"{'':12} {'frames/s':>9} {'bytes/frame':>12} {'peak MB':>8}")
        for name in names:
            result = measure(name, Path(folder), options.frames, (width, height))
            results[name] = result
            print(
                f"{name:12} {result['rate']:9.0f} {result['bytes']:12.1f} {result['memory']:8.0f}",
                flush=True,
            )
    own = ("floor", "drawing", "undoku", "command", "gifsicle")
    rivals = [result for name, result in results.items() if name not in own]
    if "undoku" in results and rivals:
        ours = results["undoku"]
        fastest = max(rival["rate"] for rival in rivals)
        smallest = min(rival["bytes"] for rival in rivals)
        print(f"undoku / fastest rival: {ours['rate'] / fastest:.1f} × (budget: 5)")
        print(f"undoku / smallest rival: {ours['bytes'] / smallest:.3f} of its bytes (budget: 1)")
    if {"drawing", "undoku"} <= results.keys():
        above = results["undoku"]["memory"] - results["drawing"]["memory"]
        print(f"undoku's peak memory above drawing's: {above:.0f} MB")
    if {"floor", "command"} <= results.keys():
        whole, least = results["command"]["memory"], results["floor"]["memory"]
        print(
            f"undoku render's peak memory, the whole process: {whole:.0f} MB (budget: 150), "
            f"{whole - least:.0f} more than our imports and a search"
        )
    if {"undoku", "gifsicle"} <= results.keys():
        kept = results["gifsicle"]["bytes"] / results["undoku"]["bytes"]
        print(f"a pass of gifsicle -O3 leaves {kept:.3f} of undoku's bytes (budget: 0.97)")


if __name__ == "__main__":
    main()
