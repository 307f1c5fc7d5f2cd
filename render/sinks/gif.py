"""GIF: exact colours, only what changed, streamed."""

from __future__ import annotations

import contextlib
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from render.canvas import Change, Frame, Pixels
from render.sinks import gif_blocks, gif_colours, gif_lzw
from render.sinks.about import write_about
from render.sinks.contract import FilmShape, FrameSink, Written
from render.sinks.slots import Slots
from render.sinks.staging import Staging, write_error
from solver.errors import OutputError

__all__ = ["LARGEST_SIDE", "GifSink"]

Rects = NDArray[np.int64]
"""(n, 4): x, y, right, bottom."""

LARGEST_SIDE = 65535
"""Pixels; the format has two bytes for each side."""


class GifSink(FrameSink):
    """Writes a GIF with one palette of exact colours, which is filled in at the end.

    A colour gets its number when it is first seen. The first 255 are exact; each later one is
    shown as the nearest of them, always the same, without dithering. Every picture is the box
    around the pixels that really changed; in it, unchanged pixels are transparent or not, as the
    coder likes. A frame that changes nothing only makes the picture before it stand longer.

    `plays` is how often the film runs, 0 for ever. Rates above 50 frames per second are sampled
    (see Slots). Memory does not depend on the number of frames.
    """

    def __init__(self, staging: Staging, shape: FilmShape, *, plays: int = 0) -> None:
        super().__init__(staging, shape)
        width, height = shape.width, shape.height
        if not (0 < width <= LARGEST_SIDE and 0 < height <= LARGEST_SIDE):
            staging.discard()
            raise OutputError(
                f"a GIF can't be {width}×{height} pixels",
                remedy=f"give sides from 1 to {LARGEST_SIDE}",
            )
        self._slots = Slots(shape.fps)
        self._plays = plays
        self._changes: list[Change] = []
        self._pixels: Pixels | None = None
        self._since: int | None = None  # when the picture that is not yet written appeared
        self._images = 0
        self._total = 0
        self._shown = np.zeros((height, width), np.uint8)
        padded = -(-width // 8) * 8
        self._words = np.zeros((height, padded // 8), np.uint64)
        self._fresh = self._words.view(np.uint8)
        self._palette = np.zeros((gif_colours.MOST_COLOURS, 3), np.uint8)
        self._table = np.full(gif_colours.SLOTS, -1, np.int64)
        self._registers = np.zeros(gif_colours.REGISTERS, np.int64)
        self._registers[gif_colours.COLOURS] = 1
        self._no_box()
        self._symbols = np.zeros(width * height, np.uint8)
        self._loose = np.zeros(width * height, np.uint8)
        self._starts = np.zeros(width * height // 2 + 2, np.int32)
        self._ends = np.zeros(width * height // 2 + 2, np.int32)
        self._dictionary = np.zeros(gif_lzw.SLOTS, np.uint32)
        self._codes = np.zeros(gif_lzw.room_for(width * height), np.uint8)
        try:
            self._file = staging.temporary.open("wb", buffering=1 << 18)
            self._file.write(bytes(gif_blocks.HEADER_ROOM) + gif_blocks.looping(plays))
        except OSError as error:
            staging.discard()
            raise write_error(staging.final, error) from None

    def _no_box(self) -> None:
        self._registers[gif_colours.LEFT : gif_colours.BOTTOM + 1] = (1 << 30, 1 << 30, 0, 0)

    def write(self, frame: Frame) -> None:
        self._changes.extend(frame.changes)
        self._pixels = frame.pixels
        appears = self._slots.place(frame.ticks)
        if appears is not None:
            self._show(appears)

    def _show(self, appears: int) -> None:
        """Make the canvas as it is now the picture that appears at this hundredth."""
        assert self._pixels is not None
        rects = self._rects()
        if self._since is None:
            height, width = self._shown.shape
            self._adopt(np.array([(0, 0, width, height)], np.int64))
            self._since = 0
        elif len(rects) and gif_colours.differs(
            self._pixels, rects, self._shown, self._table, self._palette, self._registers
        ):
            self._put(appears)
            self._adopt(rects)

    def _rects(self) -> Rects:
        """What was drawn since the last call."""
        rects = np.array([(x, y, x + w, y + h) for (x, y, w, h), _ in self._changes], np.int64)
        self._changes.clear()
        return rects.reshape(-1, 4)

    def _adopt(self, rects: Rects) -> None:
        assert self._pixels is not None
        gif_colours.adopt(
            self._pixels,
            rects,
            self._shown,
            self._fresh,
            self._table,
            self._palette,
            self._registers,
        )

    def _put(self, until: int) -> None:
        """Write the picture that stands, now that it is known for how long."""
        assert self._since is not None
        delay = until - self._since
        self._since = until
        self._total += delay
        left, top, right, bottom = self._registers[
            gif_colours.LEFT : gif_colours.BOTTOM + 1
        ].tolist()
        size = (right - left) * (bottom - top)
        highest = gif_colours.unroll(
            self._shown,
            self._fresh,
            self._words,
            self._registers,
            self._symbols,
            self._loose,
            self._starts,
            self._ends,
        )
        length = gif_lzw.encode(
            self._symbols,
            self._loose,
            size,
            self._starts,
            self._ends,
            max(2, highest.bit_length()),
            self._dictionary,
            self._codes,
        )
        self._no_box()
        now = min(delay, gif_blocks.LONGEST_DELAY)
        if 0 < delay - now < 2:
            now -= 2  # a delay of one hundredth would be played as ten
        codes = self._codes[:length].tobytes()
        transparent = bool(self._starts[0] < size)
        image = gif_blocks.image(left, top, right - left, bottom - top, now, transparent, codes)
        pieces = [image]
        left_over = delay - now
        while left_over:
            now = min(left_over, gif_blocks.LONGEST_DELAY)
            if 0 < left_over - now < 2:
                now -= 2
            pieces.append(gif_blocks.pause(now))
            left_over -= now
        self._images += len(pieces)
        try:
            self._file.writelines(pieces)
        except OSError as error:
            self.abort()
            raise write_error(self.staging.final, error) from None

    def finish(self) -> Written:
        if self._pixels is None:
            self.abort()
            raise OutputError(f"{str(self.staging.final)!r} would be a film without frames")
        end = self._slots.end()
        if self._since is None:
            self._show(0)
        elif self._changes:
            # The film ends with frames that got no slot. They take one from a picture that has
            # two, or else become part of the last picture.
            if end - self._since >= 4:
                self._show(end - 2)
            else:
                self._adopt(self._rects())
        assert self._since is not None
        self._put(max(end, self._since + 2))
        colours = int(self._registers[gif_colours.COLOURS])
        text = write_about(self.shape.about).encode()
        start, held = gif_blocks.header(
            self.shape.width, self.shape.height, self._palette[:colours], text
        )
        try:
            if text and not held:
                self._file.write(gif_blocks.comment(text))
            self._file.write(gif_blocks.TRAILER)
            self._file.seek(0)
            self._file.write(start)
            self._file.close()
            size = self.staging.temporary.stat().st_size
            counted = gif_blocks.count_blocks(self.staging.temporary)
        except OSError as error:
            self.abort()
            raise write_error(self.staging.final, error) from None
        except OutputError:
            self.abort()
            raise
        if (counted.images, counted.delay) != (self._images, self._total):
            self.abort()
            raise OutputError(
                f"{str(self.staging.final)!r} came out with {counted.images} pictures instead of "
                f"{self._images}",
                remedy="check the disk",
            )
        self.staging.commit()
        return Written(
            path=self.staging.final,
            frames=self._images,
            duration=Fraction(self._total, 100),
            bytes=size,
            width=self.shape.width,
            height=self.shape.height,
            fps=self._slots.rate,
        )

    def abort(self) -> None:
        with contextlib.suppress(OSError):  # what can't be flushed is thrown away anyway
            self._file.close()
        self.staging.discard()
