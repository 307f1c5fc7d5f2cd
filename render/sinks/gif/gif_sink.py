"""GIF: exact colours, only what changed, streamed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from render.drawing.direct_loop import direct
from render.metadata.text_lines import write_about
from render.sinks.changed_box import BoxSink, split
from render.sinks.contract import FilmShape
from render.sinks.frame_slots import Slots, legal_rate
from render.sinks.gif import colour_numbers, gif_blocks, lzw
from render.sinks.gif.indexed_picture import NumberedPicture
from render.sinks.gif.opening import Opening
from render.sinks.staging import Staging
from solver.errors import OutputError

__all__ = ["GifSink", "legal_rate"]


class BoxCoder:
    """Room for coding boxes of pictures up to a size, used again for each."""

    def __init__(self, pixels: int) -> None:
        self._symbols: NDArray[np.uint8] = np.zeros(pixels, np.uint8)
        self._loose: NDArray[np.uint8] = np.zeros(pixels, np.uint8)
        self._starts = np.zeros(pixels // 2 + 2, np.int32)
        self._ends = np.zeros(pixels // 2 + 2, np.int32)
        self._dictionary = lzw.new_dictionary()
        self._codes = np.zeros(lzw.room_for(pixels), np.uint8)
        self._unroll: Callable[..., int] | None = None
        self._encode: Callable[..., int] | None = None

    def image(self, picture: NumberedPicture, delay: int) -> bytes:
        """The blocks of the picture's changed box, which then counts as written."""
        left, top, right, bottom = picture.box()
        size = (right - left) * (bottom - top)
        shown = picture.shown, picture.fresh, picture.words, picture.registers
        row = self._symbols, self._loose, self._starts, self._ends
        if self._unroll is None:
            self._unroll = direct(colour_numbers.unroll, *shown, *row)
        highest = self._unroll(*shown, *row)
        picture.forget_box()
        least = max(2, highest.bit_length())
        symbols, loose, *runs = row
        given = symbols, loose, size, *runs, least, self._dictionary, self._codes
        if self._encode is None:
            self._encode = direct(lzw.encode, *given)
        length = self._encode(*given)
        transparent = bool(self._starts[0] < size)
        codes = self._codes[:length].tobytes()
        return gif_blocks.image(left, top, right - left, bottom - top, delay, transparent, codes)


class GifSink(BoxSink):
    """Writes a GIF with one palette of exact colours, which is filled in at the end.

    A colour gets its number when it is first seen, but numbers are dealt anew after the first few
    hundred pictures (see Opening). The first 255 colours are exact; each later one is shown as the
    nearest of them, always the same, without dithering. Every picture is the box
    around the pixels that really changed; in it, unchanged pixels are transparent or not, as the
    coder likes.

    `plays` is how often the film runs, 0 for ever. Rates above 50 frames per second are sampled,
    because browsers play a delay of one hundredth as ten (see Slots).
    """

    picture: NumberedPicture

    def __init__(self, staging: Staging, shape: FilmShape, *, plays: int = 0) -> None:
        super().__init__(staging, shape, Slots(shape.fps), largest_side=65535)
        self.picture = NumberedPicture(shape.width, shape.height)
        self._coder = BoxCoder(shape.width * shape.height)
        self._opening: Opening | None = Opening()
        self._images = 0
        self._guarded(lambda: self._begin(plays))

    def _begin(self, plays: int) -> None:
        self._file.write(bytes(gif_blocks.HEADER_ROOM) + gif_blocks.looping(plays))
        # Before the pictures: many readers stop at the first one.
        if text := write_about(self.shape.about).encode():
            self._file.write(gif_blocks.comment(text))

    def _draw(self, delay: int) -> None:
        if self._opening is None:
            self._write_image(delay)
            return
        self._opening.hold(self.picture, delay)
        if self._opening.full:
            self._release(self._opening)

    def _release(self, opening: Opening) -> None:
        """Write what was held back."""
        self._opening = None
        for delay in opening.replay(self.picture):
            self._write_image(delay)

    def _write_image(self, delay: int) -> None:
        first, *further = split(delay, gif_blocks.LONGEST_DELAY, self._slots.shortest)
        self._file.write(self._coder.image(self.picture, first))
        self._file.writelines(gif_blocks.pause(part) for part in further)
        self._images += 1 + len(further)

    def _seal(self) -> None:
        if self._opening is not None:
            self._release(self._opening)
        palette = self.picture.palette[: self.picture.colours]
        start = gif_blocks.header(self.shape.width, self.shape.height, palette)
        self._file.write(gif_blocks.TRAILER)
        self._file.seek(0)
        self._file.write(start)

    def _verify(self) -> int:
        counted = gif_blocks.count_blocks(self.staging.temporary)
        if (counted.images, counted.delay) != (self._images, self._units):
            raise OutputError(
                f"{str(self.staging.final)!r} came out with {counted.images} pictures instead of "
                f"{self._images}",
                remedy="check the disk",
            )
        return counted.images
