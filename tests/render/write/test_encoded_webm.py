"""WebM films hold every frame of the canvas, say what they are, and are the same each time."""

from __future__ import annotations

import subprocess
from fractions import Fraction
from pathlib import Path

import pytest

from tests.support.board_films import HEIGHT, WIDTH, board_film, decode, psnr
from tests.support.film_index import film_index
from tests.support.sink_contexts import sink_context
from undoku.render.write.ffmpeg import executable
from undoku.render.write.sink import Written
from undoku.render.write.staging import Staging
from undoku.render.write.webm import WebmSink
from undoku.render.write.yuv import Planes


def film(
    path: Path, frames: int = 30, fps: Fraction = Fraction(60), quality: str = "standard"
) -> Written:
    about = (("title", "Two searches"), ("comment", "mrv"))
    with WebmSink(Staging(path), sink_context(WIDTH, HEIGHT, fps, quality, about)) as sink:
        for frame in board_film(frames):
            sink.write(frame)
        return sink.finish()


@pytest.mark.parametrize(("quality", "floor"), [("draft", 36), ("standard", 40), ("archive", 46)])
def test_every_decoded_frame_is_the_canvas_frame(
    tmp_path: Path, quality: str, floor: float
) -> None:
    written = film(tmp_path / "film.webm", quality=quality)
    planes = Planes(WIDTH, HEIGHT)
    decoded = decode(written.path, "yuv420p", planes.bytes.size)
    assert len(decoded) == written.frames == 30
    for found, frame in zip(decoded, board_film(30), strict=True):
        planes.update(frame.pixels, frame.changes)
        assert psnr(found, planes.bytes) > floor


@pytest.mark.parametrize("fps", [Fraction(60), Fraction(30000, 1001), Fraction(1, 2)])
def test_the_file_lasts_its_frames_to_the_millisecond(tmp_path: Path, fps: Fraction) -> None:
    written = film(tmp_path / "film.webm", frames=11, fps=fps)
    assert abs(written.duration - 11 / fps) <= Fraction(1, 1000)
    assert film_index(written.path).frames == 11


def test_the_file_says_what_it_is(tmp_path: Path) -> None:
    written = film(tmp_path / "film.webm")
    found = film_index(written.path)
    assert (found.width, found.height, found.colour) == (WIDTH, HEIGHT, (1, 1, 1, 1))
    message = subprocess.run(
        [executable(), "-hide_banner", "-i", f"file:{written.path}"],
        capture_output=True,
        text=True,
        check=False,
    ).stderr
    assert "vp9 (Profile 0), yuv420p(tv, bt709" in message
    assert "Two searches" in message
