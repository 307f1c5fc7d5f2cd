"""Films of random changes, and what two independent programs read back from a file."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import imageio_ffmpeg
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tests.support.films import sink_context
from undoku.render.draw.canvas import Canvas, Frame, Rect
from undoku.render.write.apng import ApngSink
from undoku.render.write.gif import GifSink
from undoku.render.write.sink import Written
from undoku.render.write.staging import Staging
from undoku.render.write.webp import WebpSink

SINKS: dict[str, type[GifSink | ApngSink | WebpSink]] = {
    ".gif": GifSink,
    ".apng": ApngSink,
    ".webp": WebpSink,
}
ABOUT = (("title", "One & <two>\norders"), ("command", "undoku render p.txt -o 'a\\b.gif'"))


@dataclass(frozen=True)
class Scribble:
    """A film: what is filled with which colour before each frame, and how long that stands."""

    width: int
    height: int
    fps: Fraction
    frames: tuple[tuple[tuple[tuple[Rect, tuple[int, int, int]], ...], int], ...]

    def __iter__(self) -> Iterator[Frame]:
        canvas = Canvas(self.width, self.height)
        canvas.touch(Rect(0, 0, self.width, self.height))
        for fills, ticks in self.frames:
            for rect, colour in fills:
                canvas.fill(rect, colour)
            yield canvas.frame(ticks)

    def pictures(self) -> list[NDArray[np.uint8]]:
        """A copy of every frame."""
        return [frame.pixels.copy() for frame in self]

    @property
    def duration(self) -> Fraction:
        return sum(ticks for _, ticks in self.frames) / self.fps


def scribble(
    seed: int,
    width: int,
    height: int,
    frames: int,
    *,
    fps: Fraction = Fraction(25),
    colours: int = 40,
    longest: int = 1,
    fills: int = 3,
    side: int = 40,
) -> Scribble:
    """A random film of areas of at most `side` pixels a side; the same seed gives the same."""
    random = np.random.default_rng(seed)
    palette = random.integers(0, 256, (colours, 3))
    steps = []
    for _ in range(frames):
        drawn = []
        for _ in range(int(random.integers(0, fills + 1))):
            x, y = int(random.integers(width)), int(random.integers(height))
            rect = Rect(
                x,
                y,
                int(random.integers(1, min(width - x, side) + 1)),
                int(random.integers(1, min(height - y, side) + 1)),
            )
            red, green, blue = palette[random.integers(colours)].tolist()
            drawn.append((rect, (red, green, blue)))
        steps.append((tuple(drawn), int(random.integers(1, longest + 1))))
    return Scribble(width, height, fps, tuple(steps))


def write(path: Path, film: Scribble, plays: int = 0) -> Written:
    """Write a film in the format of the suffix."""
    context = sink_context(film.width, film.height, film.fps, "draft", ABOUT, loop=plays)
    with SINKS[path.suffix](Staging(path, overwrite=True), context) as sink:
        for frame in film:
            sink.write(frame)
        return sink.finish()


def by_pillow(path: Path) -> list[tuple[NDArray[np.uint8], int]]:
    """(picture, milliseconds) of every stored frame."""
    found = []
    with Image.open(path) as file:
        for number in range(getattr(file, "n_frames", 1)):
            file.seek(number)
            file.load()
            milliseconds = round(file.info.get("duration", 0))
            found.append((np.asarray(file.convert("RGB")), milliseconds))
    return found


def by_ffmpeg(path: Path, width: int, height: int) -> tuple[list[NDArray[np.uint8]], list[float]]:
    """(pictures, the seconds at which they appear) of every stored frame."""
    command = [imageio_ffmpeg.get_ffmpeg_exe(), "-v", "info", "-nostdin", "-i", f"file:{path}"]
    command += ["-fps_mode", "passthrough", "-vf", "showinfo", "-f", "rawvideo"]
    command += ["-pix_fmt", "rgb24", "-"]
    done = subprocess.run(command, capture_output=True, check=True)
    pictures = np.frombuffer(done.stdout, np.uint8).reshape(-1, height, width, 3)
    seconds = re.findall(r"pts_time:([\d.]+)", done.stderr.decode())
    return list(pictures), [float(second) for second in seconds]
