"""Decodes films, independently of what wrote them."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import imageio_ffmpeg
import numpy as np

from undoku.render.draw.canvas import Pixels


def decoded(path: Path, width: int, height: int) -> Iterator[Pixels]:
    """Every frame that ffmpeg's decoder shows, each exactly once, converted by BT.709."""
    process = subprocess.Popen(
        [
            imageio_ffmpeg.get_ffmpeg_exe(),
            *("-v", "error", "-err_detect", "explode", "-i", f"file:{path}"),
            *("-fps_mode", "passthrough", "-sws_flags", "accurate_rnd+full_chroma_int+bitexact"),
            *("-f", "rawvideo", "-pix_fmt", "rgb24", "-"),
        ],
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    size = width * height * 3
    with process.stdout as pipe:
        while raw := pipe.read(size):
            assert len(raw) == size
            yield np.frombuffer(raw, np.uint8).reshape(height, width, 3)
    assert process.wait() == 0
