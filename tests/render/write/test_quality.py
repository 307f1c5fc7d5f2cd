"""The named qualities keep what they promise, on a real film of a second."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from pathlib import Path

import pytest

from tests.support.amounts import long
from undoku.render.delivery.outputs import context_of
from undoku.render.draw.canvas import Frame
from undoku.render.film.film import Film
from undoku.render.settings.settings import FilmSettings
from undoku.render.timeline.timeline import Pace
from undoku.render.write.ffmpeg import COLOUR, executable
from undoku.render.write.mp4_x264 import Mp4FullChromaSink, Mp4Sink
from undoku.render.write.quality import QUALITIES
from undoku.render.write.staging import Staging
from undoku.render.write.yuv import Planes
from undoku.solver.trace.search_trace import Limits, search

PUZZLE = "000060080020000000001000000070000102500030000000000400004201000300700600000000050"

WIDTH, HEIGHT, FRAMES = 640, 360, 150


@dataclass(frozen=True)
class Seen:
    """What a file measures against the frames it was made from."""

    size: int
    luma: float
    chroma: float
    ssim: float


def comparison(name: str) -> Film:
    none = Fraction(0)
    settings = FilmSettings(
        WIDTH, HEIGHT, pace=Pace(Fraction(2)), quality=name, intro=none, hold=none, card=none
    )
    strategies = ("row-major", "mrv")
    return Film([search(PUZZLE, strategy, Limits(2 * FRAMES)) for strategy in strategies], settings)


def frames(name: str) -> list[Frame] | islice[Frame]:
    return islice(comparison(name).frames(), FRAMES)


def measured(path: Path, raw: Path, pixel_format: str = "yuv420p") -> Seen:
    """PSNR and SSIM as ffmpeg's own filters compute them."""
    command = [executable(), "-hide_banner", "-i", str(path), "-f", "rawvideo"]
    command += ["-pix_fmt", pixel_format, "-s", f"{WIDTH}x{HEIGHT}", "-framerate", "60"]
    command += [
        *COLOUR,
        "-i",
        str(raw),
        "-lavfi",
        "[0]split[a][b];[1]split[c][d];[a][c]psnr;[b][d]ssim",
    ]
    message = subprocess.run(
        [*command, "-f", "null", "-"], capture_output=True, text=True, check=True
    )
    noise = re.search(r"PSNR y:([\d.]+) u:([\d.]+) v:([\d.]+)", message.stderr)
    alike = re.search(r"SSIM .*All:([\d.]+)", message.stderr)
    assert noise
    assert alike
    luma, blue, red = map(float, noise.groups())
    return Seen(path.stat().st_size, luma, (blue + red) / 2, float(alike[1]))


@lru_cache
def finished(folder: Path, full_chroma: bool) -> Path:
    planes = Planes(WIDTH, HEIGHT, full_chroma=full_chroma)
    path = folder / f"{full_chroma}.yuv"
    with path.open("wb") as file:
        for frame in frames("standard"):
            planes.update(frame.pixels, frame.changes)
            file.write(planes.bytes.data)
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("quality")


@lru_cache
def ours(folder: Path, name: str, kind: type[Mp4Sink] = Mp4Sink) -> Seen:
    path = folder / f"{name}.mp4"
    with kind(Staging(path, overwrite=True), context_of(comparison(name))) as sink:
        for frame in frames(name):
            sink.write(frame)
        sink.finish()
    full = kind.full_chroma
    return measured(path, finished(folder, full), "yuv444p" if full else "yuv420p")


@pytest.mark.parametrize(
    ("name", "kind", "luma", "chroma", "ssim"),
    [
        ("draft", Mp4Sink, 46.5, 47.5, 0.993),
        ("standard", Mp4Sink, 43.5, 47.5, 0.994),
        long("archive", Mp4Sink, 55.0, 56.5, 0.999),
        ("standard", Mp4FullChromaSink, 44, 46, 0.989),
    ],
)
def test_a_quality_stays_above_its_floors(
    folder: Path, name: str, kind: type[Mp4Sink], luma: float, chroma: float, ssim: float
) -> None:
    seen = ours(folder, name, kind)
    assert seen.luma > luma
    assert seen.chroma > chroma
    assert seen.ssim > ssim


def test_standard_is_better_than_ffmpegs_default_and_about_as_large(folder: Path) -> None:
    default = folder / "default.mp4"
    command = [executable(), "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "yuv420p"]
    command += ["-s", f"{WIDTH}x{HEIGHT}", "-framerate", "60", *COLOUR]
    command += ["-i", str(finished(folder, False)), "-threads", "4", *COLOUR, str(default)]
    subprocess.run(command, check=True)
    theirs, standard = measured(default, finished(folder, False)), ours(folder, "standard")
    assert standard.size < 1.05 * theirs.size
    assert standard.luma >= theirs.luma + 1
    assert standard.chroma >= theirs.chroma + 1
    assert standard.ssim >= theirs.ssim


def test_a_quality_says_what_it_measured() -> None:
    for name, one in QUALITIES.items():
        assert name == one.name
        assert one.figures.processor_ms < 11.1
        assert f"{one.figures.bytes_per_frame:,} bytes a frame" in one.sentence
        assert one.purpose in one.sentence
    assert QUALITIES["archive"].figures.ssim > QUALITIES["standard"].figures.ssim
