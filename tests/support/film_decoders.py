"""Foreign decoders that read a film as I420: pictures one behind the other."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.waiting import PATIENCE

__all__ = ["by_ffmpeg", "by_gstreamer", "by_pyav"]


def by_ffmpeg(program: str, decoder: str, path: Path) -> bytes:
    """By an ffmpeg that stops at the slightest doubt, and must have none."""
    command = [program, "-v", "error", "-err_detect", "explode", "-c:v", decoder]
    command += ["-i", f"file:{path}", "-fps_mode", "passthrough", "-f", "rawvideo"]
    done = subprocess.run([*command, "-pix_fmt", "yuv420p", "-"], capture_output=True, check=True)
    assert done.stderr.decode() == ""
    return done.stdout


def by_gstreamer(decoder: str, path: Path) -> bytes:
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
    return raw.read_bytes()


def by_pyav(path: Path) -> bytes:
    av = pytest.importorskip("av", reason="needs PyAV")
    planes = []
    with av.open(str(path)) as film:
        for frame in film.decode(video=0):
            planes.append(frame.to_ndarray(format="yuv420p").tobytes())
    return b"".join(planes)
