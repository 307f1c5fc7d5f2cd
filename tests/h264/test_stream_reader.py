"""The tests' reader of H.264 is checked with foreign streams, whose vectors ffmpeg reports."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.board_films import board_film
from tests.support.h264.foreign_vectors import vectors
from tests.support.h264.reader import Stream
from undoku.render.draw.canvas import Canvas, Frame, Rect
from undoku.render.write.ffmpeg import executable

SIZE = (208, 112)


def moving_film(frames: int) -> Any:
    """Noise that slides over boards, so that an encoder has vectors of all kinds to find."""
    noise = np.random.default_rng(8).integers(0, 256, (20, 40, 3), np.uint8).repeat(2, 0)
    canvas = Canvas(*SIZE)
    for number, frame in enumerate(board_film(frames, size=(320, 180))):
        canvas.put(frame.pixels[: SIZE[1], : SIZE[0]], 0, 0)
        canvas.put(noise, 3 * number % 150, 7 + number * number % 60)
        canvas.fill(Rect(5 * number % 190, 90, 13, 9), (200, number % 256, 20))
        yield Frame(canvas.pixels, canvas.frame().changes)


def encoded(path: Path, options: str, frames: int = 24) -> bytes:
    """A bare stream by x264 in Constrained Baseline."""
    pictures = b"".join(frame.pixels.tobytes() for frame in moving_film(frames))
    command = [executable(), "-v", "error", "-f", "rawvideo", "-pix_fmt", "rgb24"]
    command += ["-s", f"{SIZE[0]}x{SIZE[1]}", "-r", "25", "-i", "-", "-c:v", "libx264"]
    command += ["-pix_fmt", "yuv420p", "-profile:v", "baseline", "-preset", "slower"]
    command += ["-x264-params", options, "-f", "h264", f"file:{path}"]
    subprocess.run(command, input=pictures, check=True, capture_output=True)
    return path.read_bytes()


def units(content: bytes) -> list[bytes]:
    """The NAL units of a byte stream, annex B."""
    return [unit.rstrip(b"\0") for unit in re.split(b"\0\0\1", content)[1:]]


@pytest.mark.parametrize(
    "options",
    [
        "ref=1:keyint=8:partitions=none:no-deblock=1:aq-mode=0",
        "ref=4:keyint=100:partitions=all:aq-mode=2:subme=9:me=umh",
        "ref=3:keyint=9:partitions=all:slices=3:qp=17:mixed-refs=1",
    ],
)
def test_foreign_streams_are_read_to_their_last_bit(tmp_path: Path, options: str) -> None:
    """Their vectors are those that ffmpeg's decoder finds: prediction from neighbours, halves and
    quarters of macroblocks, several reference pictures, several slices."""
    path = tmp_path / "film.h264"
    parts = units(encoded(path, options))
    kinds = [unit[0] & 31 for unit in parts]
    stream = Stream(parts[kinds.index(7)], parts[kinds.index(8)])
    for unit, kind in zip(parts, kinds, strict=True):
        if kind in (1, 5):
            stream.read(unit)
    pictures = stream.finish()
    assert len(pictures) == 24
    for picture, right in zip(pictures, vectors(path), strict=True):
        # Of quarters that are cut again, ffmpeg tells the first part, as if it were the whole.
        read = {
            (part.x, part.y, max(8, part.width), max(8, part.height), *part.vector)
            for part in picture.parts
            if part.x % 8 == part.y % 8 == 0
        }
        assert read == right
    if "partitions=all" in options:
        sizes = {(part.width, part.height) for picture in pictures for part in picture.parts}
        assert {(16, 16), (16, 8), (8, 16), (8, 8), (4, 4)} <= sizes
        assert len({part.reference for picture in pictures for part in picture.parts}) > 1
    found = {kind for picture in pictures for kind in picture.kinds}
    assert {"skip", "copy", "residual", "intra4"} <= found
