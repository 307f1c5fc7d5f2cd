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


def stored_pictures(frames: Iterable[Frame], context: SinkContext) -> Iterator[NDArray[np.uint8]]:
    """The pictures that the file of a film stores, as I420."""
    planes = Planes(context.settings.width, context.settings.height)
    for frame in frames:
        planes.update(frame.pixels, frame.changes)
        yield from [planes.bytes] * frame.ticks
