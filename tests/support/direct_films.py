"""Films written directly: made of random changes, decoded by two foreign decoders, cut up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.support.film_decoders import by_ffmpeg
from tests.support.sink_contexts import sink_context
from undoku.render.draw.canvas import Canvas, Frame, Rect, Sprite
from undoku.render.write.mp4_direct import DirectSink
from undoku.render.write.sink import SinkContext, Written
from undoku.render.write.staging import Staging
from undoku.render.write.yuv import Planes


def write(path: Path, shape: SinkContext, frames: Iterable[Frame]) -> Written:
    with DirectSink(Staging(path), shape) as sink:
        for frame in frames:
            sink.write(frame)
        return sink.finish()


def decode(path: Path, context: SinkContext, decoder: str, *options: str) -> NDArray[np.uint8]:
    """(pictures, bytes) as I420; fails at the slightest complaint of the decoder."""
    size = context.settings.width * context.settings.height * 3 // 2
    return np.frombuffer(by_ffmpeg(path, decoder, *options), np.uint8).reshape(-1, size)


def stored_pictures(
    frames: Iterable[Frame], context: SinkContext
) -> Iterator[tuple[NDArray[np.uint8], int]]:
    """What the file of a film stores: pictures as I420, each with its ticks. At a variable rate a
    frame that shows nothing new only extends the previous picture."""
    planes = Planes(context.settings.width, context.settings.height)
    shown: NDArray[np.uint8] | None = None
    held, ticks = planes.bytes, 0
    for frame in frames:
        planes.update(frame.pixels, frame.changes)
        if not context.settings.variable_rate:
            yield from [(planes.bytes, 1)] * frame.ticks
            continue
        if shown is None or not np.array_equal(shown, frame.pixels):
            if ticks:
                yield held, ticks
            shown, held, ticks = frame.pixels.copy(), planes.bytes.copy(), 0
        ticks += frame.ticks
    if ticks:
        yield held, ticks


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
