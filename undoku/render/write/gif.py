"""GIF (GIF89a specification, 1990): exact colours, changed boxes only, written while the film is
drawn."""

from __future__ import annotations

import struct

import numpy as np
from numpy.typing import NDArray

from undoku.render.write import gif_picture, lzw
from undoku.render.write.changed_box import BoxSink, Slots, split
from undoku.render.write.gif_opening import Opening
from undoku.render.write.gif_picture import IndexedPicture
from undoku.render.write.sink import SinkContext
from undoku.render.write.staging import Staging
from undoku.texts.text_lines import write_about

TABLE = 3 * 256
HEADER_ROOM = 13 + TABLE
"""Bytes from the start of the file to its first extension."""
MAX_DELAY = 65535
TRAILER = b";"


def comment(text: bytes) -> bytes:
    """A comment extension."""
    blocks = [text[start : start + 255] for start in range(0, len(text), 255)]
    return b"!\xfe" + b"".join(bytes([len(block)]) + block for block in blocks) + b"\0"


def _comment_of_length(length: int) -> bytes:
    """An empty comment extension of exactly `length` >= 5 bytes, used as padding."""
    body = length - 3
    return comment(b" " * (body - -(-body // 256)))


def header(width: int, height: int, palette: NDArray[np.uint8]) -> bytes:
    """The first HEADER_ROOM bytes: signature, screen and `palette`, (n, 3) uint8 with n <= 256.

    The palette comes first in the file but is known only at the end, so its space is reserved. The
    space that fewer than 129 colours leave is filled by an empty comment.
    """
    power = max(1, (len(palette) - 1).bit_length())
    table = palette.tobytes().ljust(3 << power, b"\0")
    flags = 0xF0 | power - 1
    start = b"GIF89a" + struct.pack("<HHBBB", width, height, flags, 0, 0) + table
    room = HEADER_ROOM - len(start)
    return start + _comment_of_length(room) if room else start


def looping(plays: int) -> bytes:
    """The extension that repeats the film: 0 plays endlessly; 1 needs no extension."""
    if plays == 1:
        return b""
    repeats = plays - 1 if plays else 0
    return b"!\xff\x0bNETSCAPE2.0\x03\x01" + struct.pack("<H", repeats) + b"\0"


def image(
    x: int, y: int, width: int, height: int, delay: int, transparent: bool, codes: bytes
) -> bytes:
    """A picture that is drawn over the previous one and shown for `delay` hundredths of a second.
    `codes` is its image data."""
    # Disposal method 1: leave the picture in place. Colour 0 is transparent.
    return b"".join(
        (
            struct.pack("<3sBHBB", b"!\xf9\x04", 4 | transparent, delay, 0, 0),
            struct.pack("<cHHHHB", b",", x, y, width, height, 0),
            codes,
        )
    )


def pause(delay: int) -> bytes:
    """One transparent pixel: shows the same picture for another `delay` hundredths of a second."""
    return image(0, 0, 1, 1, delay, True, b"\x02\x02\x44\x01\x00")


class BoxEncoder:
    """Encodes boxes of up to `pixels` pixels, in buffers that are reused."""

    def __init__(self, pixels: int) -> None:
        self._symbols: NDArray[np.uint8] = np.zeros(pixels, np.uint8)
        self._loose: NDArray[np.uint8] = np.zeros(pixels, np.uint8)
        self._starts = np.zeros(pixels // 2 + 2, np.int32)
        self._ends = np.zeros(pixels // 2 + 2, np.int32)
        self._dictionary = lzw.new_dictionary()
        self._codes = np.zeros(lzw.room_for(pixels), np.uint8)

    def image(self, picture: IndexedPicture, delay: int) -> bytes:
        """The blocks of the picture's changed box, which then counts as written; `delay` is in
        hundredths of a second."""
        left, top, right, bottom = picture.box()
        size = (right - left) * (bottom - top)
        shown = picture.shown, picture.fresh, picture.words, picture.registers
        symbols, loose, starts, ends = self._symbols, self._loose, self._starts, self._ends
        highest = gif_picture.unroll(*shown, symbols, loose, starts, ends)
        picture.forget_box()
        least = max(2, highest.bit_length())
        length = lzw.encode(
            symbols, loose, size, starts, ends, least, self._dictionary, self._codes
        )
        transparent = bool(self._starts[0] < size)
        codes = self._codes[:length].tobytes()
        return image(left, top, right - left, bottom - top, delay, transparent, codes)


class GifSink(BoxSink):
    """Writes a GIF with one global palette of exact colours, which is written at the end.

    A colour gets its number when it first occurs; the first pictures are then renumbered (see
    Opening). The main colours of the context and the first others, 255 in all, are exact. Each
    further colour is replaced by the nearest of them, always the same one, without dithering. Every
    picture is the bounding box of the changed pixels. An unchanged pixel in the box is written as
    transparent or as its colour, whichever is shorter.

    Rates above 50 frames per second are sampled, because browsers show a delay of 1/100 s as
    1/10 s (see Slots).
    """

    picture: IndexedPicture

    def __init__(self, staging: Staging, context: SinkContext) -> None:
        super().__init__(staging, context, Slots(context.settings.fps), largest_side=65535)
        self.picture = IndexedPicture(
            self.settings.width, self.settings.height, self.context.main_colours()
        )
        self._coder = BoxEncoder(self.settings.width * self.settings.height)
        self._opening: Opening | None = Opening()
        with self.aborting():
            self.file.write(bytes(HEADER_ROOM) + looping(self.settings.loop))
            # Before the pictures: many readers stop reading at the first one.
            if text := write_about(self.context.about).encode():
                self.file.write(comment(text))

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
        first, *further = split(delay, MAX_DELAY, self._slots.shortest)
        self.file.write(self._coder.image(self.picture, first))
        self.file.writelines(pause(part) for part in further)
        self._images += 1 + len(further)

    def _seal(self) -> None:
        if self._opening is not None:
            self._write_opening(self._opening)
        palette = self.picture.palette[: self.picture.colours]
        start = header(self.settings.width, self.settings.height, palette)
        self.file.write(TRAILER)
        self.file.seek(0)
        self.file.write(start)
