"""Films written directly in the sizes that people publish: read by several witnesses, within the
limits of the level that they declare."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support.board_films import psnr
from tests.support.direct_films import samples, stream, write
from tests.support.film_decoders import by_ffmpeg, by_gstreamer, by_pyav
from tests.support.h264.limits import check_level
from tests.support.h264.reader import Stream
from tests.support.sink_contexts import sink_context
from undoku.render.draw.canvas import Canvas, Frame, Rect, Sprite
from undoku.render.write.ffmpeg import executable
from undoku.render.write.sink import SinkContext
from undoku.render.write.yuv import Planes

SIZES = [(1920, 1080), (1080, 1920), (2560, 1440), (3840, 2160)]
FPS = Fraction(60)
FRAMES = 8


def film(width: int, height: int) -> Iterator[Frame]:
    """Cells near both sides and in the middle, whose looks return, two of them after they were not
    in the picture, and one cell that slides by a pixel a frame."""
    random = np.random.default_rng(width)
    looks = [
        Sprite(n, random.integers(0, 256, (6, 6, 3), np.uint8).repeat(16, 0).repeat(16, 1))
        for n in range(6)
    ]
    canvas = Canvas(width, height)
    canvas.fill(Rect(0, 0, width, height), (18, 20, 28))
    places = [(at * (width // 96 - 1) // 4 * 96, 96 * (at % 3 + 1)) for at in range(5)]
    for frame in range(FRAMES):
        for at, (x, y) in enumerate(places):
            canvas.blit(looks[(frame + at) % 4 if at < 4 else 4 + frame % 2], x, y)
        canvas.put(looks[0].pixels, 31 + frame, height - 131)
        yield canvas.frame()


@dataclass(frozen=True)
class Filmed:
    path: Path
    shape: SinkContext
    stream: Stream
    pictures: NDArray[np.uint8]
    """As ffmpeg's own decoder shows them: (frames, bytes) I420."""


@pytest.fixture(
    scope="module",
    params=[pytest.param(size, marks=pytest.mark.long if size[0] > 1920 else ()) for size in SIZES],
    ids=lambda size: f"{size[0]}x{size[1]}",
)
def filmed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Filmed:
    width, height = request.param
    path = tmp_path_factory.mktemp("sizes") / f"{width}.mp4"
    shape = sink_context(width, height, FPS)
    write(path, shape, film(width, height))
    shown = np.frombuffer(by_ffmpeg(executable(), "h264", path), np.uint8)
    return Filmed(path, shape, stream(path), shown.reshape(FRAMES, -1))


def test_every_frame_is_the_canvas(filmed: Filmed) -> None:
    width, height = filmed.shape.settings.width, filmed.shape.settings.height
    planes, luma = Planes(width, height), width * height
    for frame, shown in zip(film(width, height), filmed.pictures, strict=True):
        planes.update(frame.pixels, frame.changes)
        assert psnr(shown[:luma], planes.bytes[:luma]) >= 50


@pytest.mark.parametrize("witness", ["openh264", "PyAV", "avdec_h264"])
def test_all_decoders_show_the_same_pictures(filmed: Filmed, witness: str) -> None:
    if witness == "openh264":
        raw = by_ffmpeg(executable(), "libopenh264", filmed.path)
    elif witness == "PyAV":
        raw = by_pyav(filmed.path)
    else:
        raw = by_gstreamer(witness, filmed.path, filmed.stream.sequence.visible)
    assert np.array_equal(np.frombuffer(raw, np.uint8).reshape(FRAMES, -1), filmed.pictures)


def test_the_stream_keeps_to_its_level(filmed: Filmed) -> None:
    """Sizes, speeds, and the bytes of each second."""
    sizes = [len(unit) + 4 for unit in samples(filmed.path)]
    check_level(filmed.stream.sequence, sizes, [1 / FPS] * FRAMES)
    assert filmed.stream.sequence.level <= 52
    assert filmed.stream.sequence.visible == (
        filmed.shape.settings.width,
        filmed.shape.settings.height,
    )


def test_removed_contents_return_from_the_atlas(filmed: Filmed) -> None:
    """Looks that return are copied from the invisible columns on the right."""
    stop = filmed.shape.settings.width
    seen = [part for picture in filmed.stream.pictures for part in picture.parts if part.x < stop]
    assert any(part.x + part.vector[0] // 4 >= stop for part in seen)
