"""The named qualities compared with ffmpeg's defaults: python -m benchmarks.qualities [--frames N]

Each encoder encodes finished frames of the comparison film, at 1 and at 12 steps per frame. The
table has frames per second, processor time, bytes, PSNR of luma and chroma, and SSIM of luma and of
all planes; ffmpeg's filters compute the last four.
"""

from __future__ import annotations

import argparse
import re
import resource
import subprocess
import tempfile
import time
from pathlib import Path

from benchmarks.comparison import HEIGHT, WIDTH, batches, comparison
from undoku.render.delivery.outputs import context_of
from undoku.render.film.film import Film
from undoku.render.write.ffmpeg import COLOUR, FfmpegProcess, executable, raw_input
from undoku.render.write.ffmpeg_sink import EncodedSink
from undoku.render.write.mp4_x264 import Mp4FullChromaSink, Mp4Sink
from undoku.render.write.staging import Staging
from undoku.render.write.webm import WebmSink

ROWS: dict[str, tuple[type[EncodedSink], str, list[str] | None]] = {
    "ffmpeg's default": (Mp4Sink, "standard", ["-c:v", "libx264"]),
    "ffmpeg -preset veryfast": (Mp4Sink, "standard", ["-c:v", "libx264", "-preset", "veryfast"]),
    **{f"MP4 {name}": (Mp4Sink, name, None) for name in ("draft", "standard", "archive")},
    "MP4 4:4:4 standard": (Mp4FullChromaSink, "standard", None),
    **{f"WebM {name}": (WebmSink, name, None) for name in ("draft", "standard", "archive")},
}


def seen(path: Path, raw: Path, pixel_format: str) -> tuple[float, float, float, float]:
    """PSNR of luma and chroma, SSIM of luma and of all planes."""
    # WebM rounds times to milliseconds, so frames are matched by number.
    count = "settb=1/60,setpts=N,split"
    filters = f"[0]{count}[a][b];[1]{count}[c][d];[a][c]psnr;[b][d]ssim"
    command = [executable(), "-hide_banner", "-i", str(path), "-f", "rawvideo"]
    command += ["-pix_fmt", pixel_format, "-s", f"{WIDTH}x{HEIGHT}", "-framerate", "60", *COLOUR]
    command += ["-i", str(raw), "-lavfi", filters, "-f", "null", "-"]
    message = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    noise = re.search(r"PSNR y:([\d.]+) u:([\d.]+) v:([\d.]+)", message)
    alike = re.search(r"SSIM Y:([\d.]+) .*All:([\d.]+)", message)
    assert noise is not None
    assert alike is not None
    luma, blue, red = map(float, noise.groups())
    return luma, (blue + red) / 2, float(alike[1]), float(alike[2])


def _processor() -> float:
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in both)


def measure(name: str, film: Film, frames: int, folder: Path) -> str:
    kind, _, arguments = ROWS[name]
    pixel_format = "yuv444p" if kind.full_chroma else "yuv420p"
    path = folder / ("film.webm" if kind is WebmSink else "film.mp4")
    sink = kind(Staging(path, overwrite=True), context_of(film))
    arguments = arguments or sink.encoder_arguments()
    sink.abort()
    raw = folder / "film.yuv"
    (batch,) = batches(film, frames, frames, full_chroma=kind.full_chroma)
    batch.tofile(raw)
    started, before = time.perf_counter(), _processor()
    process = FfmpegProcess(
        [
            *raw_input(WIDTH, HEIGHT, context_of(film).settings.fps, pixel_format),
            *arguments,
            *COLOUR,
        ],
        path,
        path,
    )
    for planes in batch:
        process.write(planes)
    process.finish()
    seconds, spent = time.perf_counter() - started, _processor() - before
    luma, chroma, ssim, ssim_all = seen(path, raw, pixel_format)
    return (
        f"{name:24} {frames / seconds:5.0f} {1000 * spent / frames:9.2f} "
        f"{path.stat().st_size / frames:12.0f} {luma:7.2f} {chroma:7.2f} {ssim:8.5f} "
        f"{ssim_all:8.5f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=1200)
    parser.add_argument("--only", action="append", choices=ROWS)
    parser.add_argument("--pace", action="append", type=int)
    options = parser.parse_args()
    for pace in options.pace or [1, 12]:
        print(f"{options.frames:,} frames of {WIDTH}x{HEIGHT}, two boards, {pace} steps a frame")
        print(
            f"{'':24} {'fps':>5} {'ms (CPU)':>9} {'bytes/frame':>12} "
            f"{'luma':>7} {'chroma':>7} {'SSIM Y':>8} {'SSIM':>8}"
        )
        for name in options.only or ROWS:
            film = comparison(options.frames, pace, quality=ROWS[name][1])
            with tempfile.TemporaryDirectory() as folder:
                print(measure(name, film, options.frames, Path(folder)), flush=True)


if __name__ == "__main__":
    main()
