"""Turns frames into coded pictures, one by one, in memory that doesn't grow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from render.canvas import Change, Pixels
from render.sinks.h264.blocks import MOST_SLOTS, clear, divide
from render.sinks.h264.foresee import SHADES
from render.sinks.h264.hand import TABLE
from render.sinks.h264.pictures import draw
from render.sinks.h264.plan import survey
from render.sinks.h264.prints import Prints
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
from render.sinks.h264.strips import MADE, USED, code_strip
from render.sinks.h264.tiles import TILE_BYTES
from render.strip import Strip

__all__ = ["Coder", "Samples", "Tally"]

_MEMORY = 1 << 16
_NO_PRINTS = np.empty(0, np.int64)
_BATCH = 1 << 19  # bytes after which the samples of a strip are handed over
_ROOM = 3200 // 8  # bytes that a macroblock may take, clause A.3.1


class Tally(NamedTuple):
    """Macroblocks of the P pictures so far: copied by a vector that was written, coded anew, and
    how many of those, or in key frames, as raw samples."""

    copied: int
    coded: int
    raw: int


class Samples(NamedTuple):
    """Some in a row: `units` (n,) uint8, each after four bytes that say its length; how long it is
    with these, how many ticks it stands, and whether it is a key frame. Valid until the next call.
    """

    units: NDArray[np.uint8]
    sizes: NDArray[np.int64]
    stands: NDArray[np.int64]
    keys: NDArray[np.int64]


class Coder:
    """Codes the pictures of one film.

    `size` is the macroblocks across that are seen, across with the atlas, and down; `visible` the
    pixels across and down, which the first and the last of them cover; `qp` 12..29 the step of
    quantisation. Call `survey` once for each frame, then at most one of `key` and `delta`, or
    `strip` for many frames at once; the first picture must be a key.
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
        self._words = self._samples[:TILE_BYTES].view(np.uint64)
        self._levels = np.zeros((27, 16), np.int32)
        self._numbers = np.zeros(32 + SHADES + TABLE, np.int32)
        self._rects = np.empty((64, 5), np.int32)
        self._prints = Prints()
        self._out = np.empty(0, np.uint8)
        self._made = np.empty((3, 0), np.int64)
        self._pixels: NDArray[np.uint8] | None = None
        self._changed = 0

    def survey(self, pixels: Pixels, changes: Sequence[Change]) -> tuple[int, int]:
        """How many macroblocks differ from the picture before, and how many of them show what
        stands nowhere in it. `pixels` (height, width, 3) is read again by `key` and `delta`."""
        if len(changes) > len(self._rects):
            self._rects = np.empty((2 * len(changes), 5), np.int32)
        if not self._registers[BLOCK_WIDE]:
            self._divide(changes)
        flat: list[int] = []
        for (x, y, width, height), _ in changes:
            flat += (x, y, x + width, y + height, -1)
        self._rects.reshape(-1)[: len(flat)] = flat
        self._pixels = pixels.reshape(-1)
        self._changed = survey(
            self._pixels,
            self._rects,
            len(changes),
            _NO_PRINTS,
            self._registers,
            self._places,
            self._grid,
            self._heads,
            self._memory,
            self._slots,
            self._samples,
            self._words,
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
            self._levels,
            self._numbers,
        )
        return self._unit[:size].data

    def strip(self, strip: Strip, frame: int, ledger: NDArray[np.int64]) -> tuple[int, Samples]:
        """Play a strip from `frame` on and code it, as `ledger` (strips.py) decides: the frame to
        go on with, and the samples that were made."""
        sheet, first = strip.sheet, strip.first
        self._prints.learn(sheet)
        most = int(np.diff(first).max(initial=0))
        if most > len(self._rects):
            self._rects = np.empty((2 * most, 5), np.int32)
        if not len(self._out):
            self._out = np.empty(_BATCH + 4 + len(self._unit), np.uint8)
        if len(strip) > self._made.shape[1]:
            self._made = np.empty((3, len(strip)), np.int64)
        self._pixels = None
        frame = code_strip(
            strip.pixels.reshape(-1),
            sheet.pixels,
            sheet.shapes,
            sheet.kept,
            first,
            strip.placed,
            frame,
            self._prints.starts,
            self._prints.of,
            self._rects,
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
            self._samples,
            self._words,
            self._levels,
            self._numbers,
            ledger,
            self._made,
            self._out,
            _BATCH,
        )
        made = self._made[:, : ledger[MADE]]
        return frame, Samples(self._out[: ledger[USED]], *made)

    @property
    def state(self) -> dict[str, NDArray[Any]]:
        """All that is remembered from picture to picture, and the scratch, by name."""
        return {name[1:]: held for name, held in vars(self).items() if isinstance(held, np.ndarray)}

    def tally(self) -> Tally:
        return Tally(*(int(self._registers[at]) for at in (COPIED, CODED, RAW)))

    def decoded(self) -> NDArray[np.uint8]:
        """The picture as a decoder has it, atlas included: (macroblocks, 384), row by row."""
        picture: NDArray[np.uint8] = self._tiles[0]
        return picture
