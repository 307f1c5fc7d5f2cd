"""PNG: one picture, lossless, with a palette where its colours fit into one."""

from __future__ import annotations

import zlib
from collections.abc import Iterable

import numpy as np

from render.drawing.canvas import Frame, Pixels
from render.sinks.contract import FilmShape, FrameSink, Written
from render.sinks.png import png_chunks
from render.sinks.staging import Staging, write_error
from solver.errors import OutputError

__all__ = ["PngSink", "encode_png"]


def encode_png(pixels: Pixels, about: Iterable[tuple[str, str]] = (), *, effort: int = 9) -> bytes:
    """A PNG file of (height, width, 3) uint8 RGB: up to 256 colours as a palette of 1, 2, 4 or 8
    bits, more as true colour. `about` becomes text chunks; `effort` is zlib's, 0..9."""
    height, width, _ = pixels.shape
    wide = pixels.astype(np.uint32)
    rgb = wide[..., 0] << 16 | wide[..., 1] << 8 | wide[..., 2]
    colours, numbers = np.unique(rgb, return_inverse=True)
    pieces = []
    if len(colours) <= 256:
        depth = next(depth for depth in (1, 2, 4, 8) if len(colours) <= 1 << depth)
        pieces.append(png_chunks.start(width, height, depth, png_chunks.INDEXED))
        table = np.stack([colours >> 16, colours >> 8 & 0xFF, colours & 0xFF], axis=1)
        pieces.append(png_chunks.chunk(b"PLTE", table.astype(np.uint8).tobytes()))
        lines = png_chunks.packed_rows(numbers.reshape(height, width).astype(np.uint8), depth)
    else:
        pieces.append(png_chunks.start(width, height, 8, png_chunks.TRUE))
        lines = png_chunks.filtered(pixels)
    pieces.append(png_chunks.texts(about))
    pieces.append(png_chunks.chunk(b"IDAT", zlib.compress(lines, effort)))
    pieces.append(png_chunks.chunk(b"IEND", b""))
    return b"".join(pieces)


class PngSink(FrameSink):
    """Writes the last frame that it is given as one PNG."""

    def __init__(self, staging: Staging, shape: FilmShape) -> None:
        super().__init__(staging, shape)
        self._picture = np.zeros((shape.height, shape.width, 3), np.uint8)
        self._ticks = 0

    def write(self, frame: Frame) -> None:
        if not self._ticks:
            self._picture[:] = frame.pixels
        for (x, y, width, height), _ in frame.changes:
            box = slice(y, y + height), slice(x, x + width)
            self._picture[box] = frame.pixels[box]
        self._ticks = frame.ticks

    def finish(self) -> Written:
        if not self._ticks:
            self.abort()
            raise OutputError(f"{str(self.staging.final)!r} would be a picture without a frame")
        content = encode_png(self._picture, self.shape.about)
        try:
            self.staging.temporary.write_bytes(content)
            for _ in png_chunks.chunks_of(self.staging.temporary):
                pass
        except OSError as error:
            self.abort()
            raise write_error(self.staging.final, error) from None
        except OutputError:
            self.abort()
            raise
        self.staging.commit()
        return Written(
            path=self.staging.final,
            frames=1,
            duration=self._ticks / self.shape.fps,
            bytes=len(content),
            width=self.shape.width,
            height=self.shape.height,
            fps=self.shape.fps,
        )

    def abort(self) -> None:
        self.staging.discard()
