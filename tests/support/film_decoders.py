"""Foreign decoders that read a film as I420: pictures one behind the other."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from tests.support.waiting import PATIENCE
from undoku.render.write.ffmpeg import executable

DECODERS = ("h264", "libopenh264")
"""ffmpeg's names of two decoders."""


def by_ffmpeg(film: Path | bytes, decoder: str, *options: str, program: str | None = None) -> bytes:
    """A file or a bare stream, by an ffmpeg that stops at the slightest doubt, and must have
    none."""
    source = ["-i", f"file:{film}"] if isinstance(film, Path) else ["-f", "h264", "-i", "-"]
    done = subprocess.run(
        [
            *(program or executable(), "-v", "error", "-err_detect", "explode", "-c:v", decoder),
            *(*options, *source, "-fps_mode", "passthrough", "-f", "rawvideo"),
            *("-pix_fmt", "yuv420p", "-"),
        ],
        input=film if isinstance(film, bytes) else None,
        capture_output=True,
        check=True,
    )
    assert done.stderr.decode() == ""
    return done.stdout


def by_gstreamer(decoder: str, path: Path, size: tuple[int, int]) -> bytes:
    """By an element of GStreamer. `size` is that of the pictures: GStreamer pads each row to a
    multiple of four bytes (its video formats, "I420")."""
    if not shutil.which("gst-launch-1.0"):
        pytest.skip("there is no GStreamer on this machine")
    known = subprocess.run(["gst-inspect-1.0", "--exists", decoder, "qtdemux"], check=False)
    if known.returncode:
        pytest.skip(f"GStreamer here has no {decoder}")
    raw = path.with_suffix(f".{decoder}.yuv")
    line = f"filesrc location={path} ! qtdemux ! h264parse ! {decoder} ! video/x-raw,format=I420"
    subprocess.run(
        ["gst-launch-1.0", "-q", *line.split(), "!", "filesink", f"location={raw}"],
        check=True,
        capture_output=True,
        timeout=PATIENCE,
    )
    return _without_padding(raw.read_bytes(), *size)


def _without_padding(raw: bytes, width: int, height: int) -> bytes:
    """Pictures whose rows have no padding."""
    luma, chroma = -(-width // 4) * 4, -(-width // 8) * 4
    pictures = np.frombuffer(raw, np.uint8).reshape(-1, height * (luma + chroma))
    first = pictures[:, : height * luma].reshape(-1, height, luma)[:, :, :width]
    others = pictures[:, height * luma :].reshape(-1, height, chroma)[:, :, : width // 2]
    parts = [part.reshape(len(pictures), -1) for part in (first, others)]
    return np.concatenate(parts, axis=1).tobytes()


def by_pyav(path: Path) -> bytes:
    av = pytest.importorskip("av", reason="needs PyAV")
    planes = []
    with av.open(str(path)) as film:
        for frame in film.decode(video=0):
            planes.append(frame.to_ndarray(format="yuv420p").tobytes())
    return b"".join(planes)
