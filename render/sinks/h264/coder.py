"""Turns frames into coded pictures, one by one, in memory that doesn't grow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from render.canvas import Change, Pixels
from render.sinks.h264.blocks import MOST_SLOTS, clear, divide
from render.sinks.h264.foresee import SHADES
from render.sinks.h264.hand import TABLE
from render.sinks.h264.pictures import draw
from render.sinks.h264.plan import survey
from render.sinks.h264.quarters import blank
from render.sinks.h264.state import (
    ACROSS,
    BLOCK_WIDE,
    CODED,
    COLUMNS,
    COPIED,
    FIRST,
    HEIGHT,
    LAST,
    LINES,
    LOST,
    QP,
    RAW,
    REGISTERS,
    ROWS,
    WIDTH,
)

__all__ = ["Coder", "Tally"]

_MEMORY = 1 << 16
_ROOM = 3200 // 8  # bytes that a macroblock may take, clause A.3.1


class Tally(NamedTuple):
    """Macroblocks of the P pictures so far: copied by a vector that was written, coded anew, and
    how many of those, or in key frames, as raw samples."""

    copied: int
    coded: int
    raw: int


class Coder:
    """Codes the pictures of one film.

    `size` is the macroblocks across that are seen, across with the atlas, and down; `visible` the
    pixels across and down, which the first and the last of them cover; `qp` 12..29 the step of
    quantisation. Call `survey` once for each frame, then at most one of `key` and `delta`; the
    first picture must be a key.
    """

    def __init__(self, size: tuple[int, int, int], visible: tuple[int, int], qp: int) -> None:
        columns, width, height = size
        mbs = width * height
        self._registers = np.zeros(REGISTERS, np.int64)
        self._registers[[WIDTH, HEIGHT, COLUMNS, ACROSS, LINES, QP]] = (
            width,
            height,
            columns,
            *visible,
            qp,
        )
        self._places = np.zeros((5, mbs), np.int64)
        self._grid = np.zeros((ROWS, mbs), np.int32)
        self._grid[FIRST] = width
        self._grid[LAST] = -1
        self._heads = np.full(1 << (4 * mbs).bit_length(), -1, np.int32)
        self._memory = np.zeros(_MEMORY, np.int64)
        self._slots = np.zeros((4, MOST_SLOTS), np.int64)
        clear(self._registers, self._slots)
        self._quarters, self._fours = blank(mbs, 8), blank(mbs, 4)
        self._tiles = np.full((2, mbs, 384), 128, np.uint8)
        self._around = np.zeros((mbs, 40), np.uint8)
        self._around[:, 24:] = 2
        self._page = np.empty(mbs * _ROOM + 64, np.uint8)
        self._unit = np.empty(len(self._page) * 3 // 2 + 64, np.uint8)
        self._samples = np.zeros(1536, np.uint8)
        self._numbers = np.zeros(464 + SHADES + TABLE, np.int32)
        self._rects = np.empty((64, 4), np.int32)
        self._pixels: NDArray[np.uint8] | None = None
        self._changed = 0

    def survey(self, pixels: Pixels, changes: Sequence[Change]) -> tuple[int, int]:
        """How many macroblocks differ from the picture before, and how many of them show what
        stands nowhere in it. `pixels` (height, width, 3) is read again by `key` and `delta`."""
        if len(changes) > len(self._rects):
            self._rects = np.empty((2 * len(changes), 4), np.int32)
        if not self._registers[BLOCK_WIDE]:
            self._divide(changes)
        flat: list[int] = []
        for (x, y, width, height), _ in changes:
            flat += (x, y, x + width, y + height)
        self._rects.reshape(-1)[: len(flat)] = flat
        self._pixels = pixels.reshape(-1)
        self._changed = survey(
            self._pixels,
            self._rects,
            len(changes),
            self._registers,
            self._places,
            self._grid,
            self._heads,
            self._memory,
            self._slots,
            self._samples,
        )
        return self._changed, int(self._registers[LOST])

    def _divide(self, changes: Sequence[Change]) -> None:
        """Give the atlas slots for the commonest sprite that covers whole macroblocks, if any."""
        sizes = Counter(
            rect[2:]
            for rect, sprite in changes
            if sprite >= 0 and min(rect.width, rect.height) >= 32 and not any(n % 16 for n in rect)
        )
        if sizes:
            (width, height), _ = sizes.most_common(1)[0]
            row = next(rect.y for rect, _ in changes if rect[2:] == (width, height)) // 16
            state = self._registers, self._places, self._grid, self._heads
            divide(width // 16, height // 16, row, *state)

    def key(self) -> memoryview:
        """The NAL unit of a picture that needs no other; valid until the next call."""
        return self._draw(True)

    def delta(self) -> memoryview:
        """The NAL unit of a picture made from the one before; valid until the next call."""
        return self._draw(False)

    def _draw(self, key: bool) -> memoryview:
        assert self._pixels is not None
        size = draw(
            self._pixels,
            self._changed,
            key,
            self._registers,
            self._places,
            self._grid,
            self._heads,
            self._memory,
            self._slots,
            self._quarters,
            self._fours,
            self._tiles,
            self._around,
            self._page,
            self._unit,
            self._samples,
            self._numbers,
        )
        return self._unit[:size].data

    def tally(self) -> Tally:
        return Tally(*(int(self._registers[at]) for at in (COPIED, CODED, RAW)))

    def decoded(self) -> NDArray[np.uint8]:
        """The picture as a decoder has it, atlas included: (macroblocks, 384), row by row."""
        picture: NDArray[np.uint8] = self._tiles[0]
        return picture
