"""PNG: one picture, lossless, with a palette if it has few colours. Pillow writes it."""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from undoku.errors import OutputError
from undoku.render.draw.canvas import Frame, Pixels
from undoku.render.write import png_chunks
from undoku.render.write.sink import FilmShape, FrameSink, Written
from undoku.render.write.staging import Staging, write_error

if TYPE_CHECKING:
    from PIL import Image

__all__ = ["PngSink", "encode_png"]


def encode_png(pixels: Pixels, about: Iterable[tuple[str, str]] = (), *, effort: int = 9) -> bytes:
    """A PNG file. `pixels` is (height, width, 3) uint8 RGB, written with a palette of 1, 2, 4 or 8
    bits for up to 256 colours and in true colour for more; or (height, width, 4) uint8 RGBA,
    written in true colour with alpha. `about` is written as text chunks; `effort` is zlib's level,
    0..9."""
    from PIL import Image
    from PIL.PngImagePlugin import PngInfo

    picture = Image.fromarray(pixels)
    if pixels.shape[2] == 3 and (colours := picture.getcolors(256)):
        picture = _with_palette(pixels, np.array([colour for _, colour in colours], np.uint8))
    texts = PngInfo()
    for name, text in about:
        texts.add_itxt(png_chunks.keyword(name), text)
    file = io.BytesIO()
    picture.save(file, "PNG", compress_level=effort, pnginfo=texts)
    return file.getvalue()


def _with_palette(pixels: Pixels, colours: NDArray[np.uint8]) -> Image.Image:
    """The picture with a palette of its `colours`, (n, 3). Pillow's own conversion to a palette
    isn't exact, because it compares only some bits of each colour."""
    from PIL import Image

    palette = colours[np.argsort(_packed(colours))]  # sorted: the same picture, the same file
    # The system allocates only the memory pages that are written.
    numbers = np.zeros(1 << 24, np.uint8)
    numbers[_packed(palette)] = np.arange(len(palette))
    picture = Image.fromarray(numbers[_packed(pixels)])
    picture.putpalette(palette.tobytes())
    return picture


def _packed(rgb: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """Each colour of the last axis as one number, 0xRRGGBB."""
    packed = rgb[..., 0].astype(np.uint32)
    for sample in (1, 2):  # in place, so that large pictures take memory only once
        packed <<= 8
        packed |= rgb[..., sample]
    return packed


class PngSink(FrameSink):
    """Writes the last frame that it is given as a PNG file."""

    def __init__(self, staging: Staging, shape: FilmShape) -> None:
        super().__init__(staging, shape)
        self._picture = np.zeros((shape.height, shape.width, shape.samples), np.uint8)
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
