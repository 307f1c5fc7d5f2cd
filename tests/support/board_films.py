"""Small films that look like the real ones: boards with digits that come and go."""

from __future__ import annotations

import math
import subprocess
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from undoku.render.draw.canvas import Canvas, Frame, Pixels, Rect, Sprite
from undoku.render.write.ffmpeg import executable

WIDTH, HEIGHT, CELL = 320, 180, 16


@lru_cache
def sprite(value: int, tint: int) -> Sprite:
    picture = Image.new("RGB", (CELL, CELL), (26 + tint, 30 + tint // 2, 40))
    if value:
        ImageDraw.Draw(picture).text((5, 2), str(value), fill=(240, 240, 250))
    return Sprite(value * 256 + tint, np.asarray(picture).copy())


def board_film(
    frames: int, *, size: tuple[int, int] = (WIDTH, HEIGHT), ticks: int = 1, seed: int = 3
) -> Iterator[Frame]:
    """Two 9 x 9 boards where each frame places or removes a digit on both, after a first frame
    that is drawn whole. Each frame stands for `ticks`."""
    random = np.random.default_rng(seed)
    canvas = Canvas(*size)
    canvas.fill(Rect(0, 0, *size), (18, 20, 28))
    for number in range(frames):
        for left in (8, size[0] - 9 * CELL - 8):
            cell, value, tint = random.integers(0, (81, 10, 3))
            x, y = left + CELL * int(cell % 9), 16 + CELL * int(cell // 9)
            canvas.blit(sprite(int(value), 80 * int(tint)), x, y)
        canvas.fill(Rect(number % size[0], size[1] - 9, 1, 5), (90, 160, 240))
        yield canvas.frame(ticks)


def pictures(frames: Iterator[Frame]) -> list[Pixels]:
    """Copies of the pictures, each as often as it has ticks."""
    return [pixels for frame in frames for pixels in [frame.pixels.copy()] * frame.ticks]


def decode(path: Path, pixel_format: str, frame_bytes: int) -> NDArray[np.uint8]:
    """(frames, frame_bytes) uint8: the stored frames, no more and no fewer, decoded by ffmpeg."""
    command = [executable(), "-v", "error", "-i", f"file:{path}", "-fps_mode", "passthrough"]
    command += ["-f", "rawvideo", "-pix_fmt", pixel_format, "-"]
    decoded = subprocess.run(command, check=True, capture_output=True).stdout
    return np.frombuffer(decoded, np.uint8).reshape(-1, frame_bytes)


def psnr(found: NDArray[np.uint8], right: NDArray[np.uint8]) -> float:
    """Peak signal-to-noise ratio in dB over all samples."""
    error = float(np.mean((found.astype(np.float32) - right.astype(np.float32)) ** 2))
    return 10 * math.log10(255**2 / max(error, 1e-9))
