"""GIF: exact colours, only what changed, streamed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from render.canvas import Pixels
from render.sinks import gif_blocks, gif_colours, gif_lzw
from render.sinks.about import write_about
from render.sinks.boxes import BoxSink, Rects, split
from render.sinks.contract import FilmShape
from render.sinks.slots import Slots, legal_rate
from render.sinks.staging import Staging
from solver.errors import OutputError

__all__ = ["GifSink", "NumberedPicture", "legal_rate"]

BOX = slice(gif_colours.LEFT, gif_colours.BOTTOM + 1)


class NumberedPicture:
    """A picture as colour numbers from 1, with a palette that grows as colours are first seen.

    `shown` is (height, width) uint8; `fresh`, padded to eights, is 1 where a change is not yet
    written; `palette` is (256, 3) uint8 of which the first `colours` are in use, number 0 being
    the transparent one.
    """

    def __init__(self, width: int, height: int) -> None:
        self.shown = np.zeros((height, width), np.uint8)
        self.words = np.zeros((height, -(-width // 8)), np.uint64)
        self.fresh = self.words.view(np.uint8)
        self.palette = np.zeros((gif_colours.MOST_COLOURS, 3), np.uint8)
        self.table = np.full(gif_colours.SLOTS, -1, np.int64)
        self.registers = np.zeros(gif_colours.REGISTERS, np.int64)
        self.registers[gif_colours.COLOURS] = 1
        self.forget_box()

    @property
    def colours(self) -> int:
        return int(self.registers[gif_colours.COLOURS])

    def box(self) -> tuple[int, int, int, int]:
        """Left, top, right, bottom of what has changed."""
        left, top, right, bottom = self.registers[BOX].tolist()
        return left, top, right, bottom

    def forget_box(self) -> None:
        self.registers[BOX] = (1 << 30, 1 << 30, 0, 0)

    def differs(self, pixels: Pixels, rects: Rects) -> bool:
        return gif_colours.differs(
            pixels, rects, self.shown, self.table, self.palette, self.registers
        )

    def adopt(self, pixels: Pixels, rects: Rects) -> None:
        gif_colours.adopt(
            pixels, rects, self.shown, self.fresh, self.table, self.palette, self.registers
        )


class BoxCoder:
    """Room for coding boxes of pictures up to a size, used again for each."""

    def __init__(self, pixels: int) -> None:
        self._symbols: NDArray[np.uint8] = np.zeros(pixels, np.uint8)
        self._loose: NDArray[np.uint8] = np.zeros(pixels, np.uint8)
        self._starts = np.zeros(pixels // 2 + 2, np.int32)
        self._ends = np.zeros(pixels // 2 + 2, np.int32)
        self._dictionary = np.zeros(gif_lzw.SLOTS, np.uint32)
        self._codes = np.zeros(gif_lzw.room_for(pixels), np.uint8)

    def image(self, picture: NumberedPicture, delay: int) -> bytes:
        """The blocks of the picture's changed box, which then counts as written."""
        left, top, right, bottom = picture.box()
        size = (right - left) * (bottom - top)
        runs = self._starts, self._ends
        highest = gif_colours.unroll(
            picture.shown,
            picture.fresh,
            picture.words,
            picture.registers,
            self._symbols,
            self._loose,
            *runs,
        )
        picture.forget_box()
        least = max(2, highest.bit_length())
        length = gif_lzw.encode(
            self._symbols, self._loose, size, *runs, least, self._dictionary, self._codes
        )
        transparent = bool(self._starts[0] < size)
        codes = self._codes[:length].tobytes()
        return gif_blocks.image(left, top, right - left, bottom - top, delay, transparent, codes)


class GifSink(BoxSink):
    """Writes a GIF with one palette of exact colours, which is filled in at the end.

    A colour gets its number when it is first seen. The first 255 are exact; each later one is
    shown as the nearest of them, always the same, without dithering. Every picture is the box
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
        self._images = 0
        self._guarded(lambda: self._begin(plays))

    def _begin(self, plays: int) -> None:
        self._file.write(bytes(gif_blocks.HEADER_ROOM) + gif_blocks.looping(plays))

    def _draw(self, delay: int) -> None:
        first, *further = split(delay, gif_blocks.LONGEST_DELAY, self._slots.shortest)
        self._file.write(self._coder.image(self.picture, first))
        self._file.writelines(gif_blocks.pause(part) for part in further)
        self._images += 1 + len(further)

    def _seal(self) -> None:
        text = write_about(self.shape.about).encode()
        palette = self.picture.palette[: self.picture.colours]
        start, held = gif_blocks.header(self.shape.width, self.shape.height, palette, text)
        if text and not held:
            self._file.write(gif_blocks.comment(text))
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
