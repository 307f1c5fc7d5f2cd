"""Films written directly: what their files store, and what foreign decoders show of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tests.support.decoding import by_ffmpeg
from undoku.render.draw.canvas import Frame
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
