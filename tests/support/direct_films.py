"""Films written directly: made of random changes, decoded by two foreign decoders, cut up."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.support.h264.limits import check_vectors
from tests.support.h264.reader import Stream
from tests.support.sink_contexts import sink_context
from undoku.render.draw.canvas import Canvas, Frame, Rect, Sprite
from undoku.render.write.ffmpeg import executable
from undoku.render.write.mp4_direct import DirectSink
from undoku.render.write.sink import SinkContext, Written
from undoku.render.write.staging import Staging

DECODERS = ("h264", "libopenh264")


def write(path: Path, shape: SinkContext, frames: Iterable[Frame]) -> Written:
    with DirectSink(Staging(path), shape) as sink:
        for frame in frames:
            sink.write(frame)
        return sink.finish()


def decode(path: Path, shape: SinkContext, decoder: str, *options: str) -> NDArray[np.uint8]:
    """(pictures, bytes) as I420; fails at the slightest complaint of the decoder."""
    command = [executable(), "-v", "error", "-err_detect", "explode", "-c:v", decoder, *options]
    command += ["-i", f"file:{path}", "-fps_mode", "passthrough", "-f", "rawvideo"]
    done = subprocess.run([*command, "-pix_fmt", "yuv420p", "-"], capture_output=True, check=True)
    assert done.stderr.decode() == ""
    return np.frombuffer(done.stdout, np.uint8).reshape(
        -1, shape.settings.width * shape.settings.height * 3 // 2
    )


def samples(path: Path) -> list[bytes]:
    """The NAL units of a file that DirectSink wrote: mdat is its last box."""
    content = path.read_bytes()
    at = content.index(b"mdat") + 4
    found = []
    while at < len(content):
        size = int.from_bytes(content[at : at + 4])
        found.append(content[at + 4 : at + 4 + size])
        at += 4 + size
    assert at == len(content)
    return found


def parameter_sets(path: Path) -> tuple[bytes, bytes]:
    """The sequence and the picture parameter set of the avcC box."""
    content = path.read_bytes()
    at = content.index(b"avcC") + 10
    size = int.from_bytes(content[at : at + 2])
    sequence = content[at + 2 : at + 2 + size]
    at += 3 + size
    return sequence, content[at + 2 : at + 2 + int.from_bytes(content[at : at + 2])]


def stream(path: Path) -> Stream:
    """The file's stream, read down to every macroblock; fails where a vector leaves its range."""
    found = Stream(*parameter_sets(path))
    for unit in samples(path):
        found.read(unit)
    check_vectors(found.sequence, found.finish())
    return found


@st.composite
def films(draw: st.DrawFn) -> tuple[SinkContext, list[tuple[list[tuple[int, ...]], int]], int]:
    """A shape, drawing orders per frame (what, x, y, width, height, number) with ticks, a seed."""
    shape = sink_context(
        2 * draw(st.integers(1, 60)),
        2 * draw(st.integers(1, 50)),
        draw(st.sampled_from([Fraction(60), Fraction(30000, 1001), Fraction(1, 2)])),
        draw(st.sampled_from(["draft", "standard", "archive"])),
        variable_rate=draw(st.booleans()),
    )
    grid = draw(st.sampled_from([1, 4, 8, 16]))
    orders = st.tuples(
        st.integers(0, 2),
        st.integers(0, shape.settings.width - 1),
        st.integers(0, shape.settings.height - 1),
        st.integers(1, 48),
        st.integers(1, 48),
        st.integers(0, 5),
    ).map(lambda o: (o[0], o[1] // grid * grid, o[2] // grid * grid, *o[3:]))
    frames = draw(
        st.lists(
            st.tuples(st.lists(orders, max_size=5), st.integers(1, 3)), min_size=1, max_size=14
        )
    )
    return shape, frames, draw(st.integers(0, 99))


def drawn(
    shape: SinkContext, frames: list[tuple[list[tuple[int, ...]], int]], seed: int
) -> Iterable[Frame]:
    """The frames of what `films` drew: fills, noise, and sprites that come again."""
    random = np.random.default_rng(seed)
    sprites = [
        Sprite(n, random.integers(0, 256 >> n, (32, 48, 3), np.uint8).repeat(n + 1, 0)[:32])
        for n in range(6)
    ]
    canvas = Canvas(shape.settings.width, shape.settings.height)
    canvas.fill(Rect(0, 0, shape.settings.width, shape.settings.height), (18, 20, 28))
    for orders, ticks in frames:
        for what, x, y, width, height, number in orders:
            across, down = (
                min(width, shape.settings.width - x),
                min(height, shape.settings.height - y),
            )
            pixels = sprites[number].pixels[:down, :across]
            if what == 0:
                canvas.fill(Rect(x, y, across, down), (40 * number, 255 - 50 * number, 7))
            elif what == 1 and pixels.shape == (32, 48, 3):
                canvas.blit(sprites[number], x, y)
            else:
                canvas.put(pixels, x, y)
        yield canvas.frame(ticks)
