"""GIF: exact colours, changed boxes only, written while the film is drawn."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from undoku.errors import OutputError
from undoku.render.draw.direct_loop import direct
from undoku.render.write import colour_numbers, gif_blocks, lzw
from undoku.render.write.changed_box import BoxSink, split
from undoku.render.write.frame_slots import Slots, legal_rate
from undoku.render.write.indexed_picture import IndexedPicture
from undoku.render.write.opening import Opening
from undoku.render.write.sink import FilmShape
from undoku.render.write.staging import Staging
from undoku.texts.text_lines import write_about

__all__ = ["GifSink", "legal_rate"]


class BoxEncoder:
    """Encodes boxes of up to `pixels` pixels, in buffers that are reused."""

    def __init__(self, pixels: int) -> None:
        self._symbols: NDArray[np.uint8] = np.zeros(pixels, np.uint8)
        self._loose: NDArray[np.uint8] = np.zeros(pixels, np.uint8)
        self._starts = np.zeros(pixels // 2 + 2, np.int32)
        self._ends = np.zeros(pixels // 2 + 2, np.int32)
        self._dictionary = lzw.new_dictionary()
        self._codes = np.zeros(lzw.room_for(pixels), np.uint8)
        self._unroll: Callable[..., int] | None = None
        self._encode: Callable[..., int] | None = None

    def image(self, picture: IndexedPicture, delay: int) -> bytes:
        """The blocks of the picture's changed box, which then counts as written; `delay` is in
        hundredths of a second."""
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
    """Writes a GIF with one global palette of exact colours, which is written at the end.

    A colour gets its number when it first occurs; the first pictures are then renumbered (see
    Opening). The main colours of the shape and the first others, 255 in all, are exact. Each
    further colour is replaced by the nearest of them, always the same one, without dithering. Every
    picture is the bounding box of the changed pixels. An unchanged pixel in the box is written as
    transparent or as its colour, whichever is shorter.

    `plays` is how many times the film plays, 0: endlessly. Rates above 50 frames per second are
    sampled, because browsers show a delay of 1/100 s as 1/10 s (see Slots).
    """

    picture: IndexedPicture

    def __init__(self, staging: Staging, shape: FilmShape, *, plays: int = 0) -> None:
        super().__init__(staging, shape, Slots(shape.fps), largest_side=65535)
        self.picture = IndexedPicture(shape.width, shape.height, shape.main_colours())
        self._coder = BoxEncoder(shape.width * shape.height)
        self._opening: Opening | None = Opening()
        self._images = 0
        self._abort_on_error(lambda: self._begin(plays))

    def _begin(self, plays: int) -> None:
        self._file.write(bytes(gif_blocks.HEADER_ROOM) + gif_blocks.looping(plays))
        # Before the pictures: many readers stop reading at the first one.
        if text := write_about(self.shape.about).encode():
            self._file.write(gif_blocks.comment(text))

    def _draw(self, delay: int) -> None:
        if self._opening is None:
            self._write_image(delay)
            return
        self._opening.hold(self.picture, delay)
        if self._opening.full:
            self._write_opening(self._opening)

    def _write_opening(self, opening: Opening) -> None:
        """Write the pictures of the opening."""
        self._opening = None
        for delay in opening.replay(self.picture):
            self._write_image(delay)

    def _write_image(self, delay: int) -> None:
        first, *further = split(delay, gif_blocks.MAX_DELAY, self._slots.shortest)
        self._file.write(self._coder.image(self.picture, first))
        self._file.writelines(gif_blocks.pause(part) for part in further)
        self._images += 1 + len(further)

    def _seal(self) -> None:
        if self._opening is not None:
            self._write_opening(self._opening)
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
