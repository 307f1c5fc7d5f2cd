"""Turns frames into coded pictures, one by one, in memory that doesn't grow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from render.drawing.canvas import Change, Pixels
from render.drawing.sprite_run import SpriteRun
from render.sinks.h264.block_copies import MOST_SLOTS, clear, divide
from render.sinks.h264.block_index import blank
from render.sinks.h264.encoder_arrays import (
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
from render.sinks.h264.fingerprints import Prints
from render.sinks.h264.intra_prediction import SHADES
from render.sinks.h264.macroblock_pixels import TILE_BYTES
from render.sinks.h264.motion_candidates import TABLE
from render.sinks.h264.picture_coding import draw
from render.sinks.h264.picture_plan import survey
from render.sinks.h264.run_encoder import MADE, USED, code_run

__all__ = ["Coder", "Samples", "Tally"]

_U8 = NDArray[np.uint8]
_I32 = NDArray[np.int32]
_I64 = NDArray[np.int64]

_MEMORY = 1 << 16
_NO_PRINTS = np.empty(0, np.int64)
_BATCH = 1 << 19  # bytes after which the samples of a run are handed over
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

    units: _U8
    sizes: _I64
    stands: _I64
    keys: _I64


class _Plan(NamedTuple):
    """What pictures are planned from, in the order in which loops take it; see state.py."""

    registers: _I64
    places: _I64
    grid: _I32
    heads: _I32
    memory: _I64
    slots: _I64


class _Work(NamedTuple):
    """What pictures are coded from beside it, in that order, too; see pictures.py."""

    quarters: _I64
    fours: _I64
    tiles: _U8
    around: _U8
    page: _U8


class _Scratch(NamedTuple):
    samples: _U8
    levels: _I32
    numbers: _I32


class Coder:
    """Codes the pictures of one film.

    `size` is the macroblocks across that are seen, across with the atlas, and down; `visible` the
    pixels across and down, which the first and the last of them cover; `qp` 12..29 the step of
    quantisation. Call `survey` once for each frame, then at most one of `key` and `delta`, or
    `run` for many frames at once; the first picture must be a key.
    """

    def __init__(self, size: tuple[int, int, int], visible: tuple[int, int], qp: int) -> None:
        columns, width, height = size
        mbs = width * height
        registers = np.zeros(REGISTERS, np.int64)
        registers[[WIDTH, HEIGHT, COLUMNS, ACROSS, LINES, QP]] = (
            width,
            height,
            columns,
            *visible,
            qp,
        )
        grid = np.zeros((ROWS, mbs), np.int32)
        grid[FIRST] = width
        grid[LAST] = -1
        slots = np.zeros((4, MOST_SLOTS), np.int64)
        clear(registers, slots)
        around = np.zeros((mbs, 40), np.uint8)
        around[:, 24:] = 2
        self._plan = _Plan(
            registers,
            places=np.zeros((5, mbs), np.int64),
            grid=grid,
            heads=np.full(1 << (4 * mbs).bit_length(), -1, np.int32),
            memory=np.zeros(_MEMORY, np.int64),
            slots=slots,
        )
        self._work = _Work(
            quarters=blank(mbs, 8),
            fours=blank(mbs, 4),
            tiles=np.full((2, mbs, 384), 128, np.uint8),
            around=around,
            page=np.empty(mbs * _ROOM + 64, np.uint8),
        )
        self._scratch = _Scratch(
            samples=np.zeros(1536, np.uint8),
            levels=np.zeros((27, 16), np.int32),
            numbers=np.zeros(32 + SHADES + TABLE, np.int32),
        )
        self._words = self._scratch.samples[:TILE_BYTES].view(np.uint64)
        self._unit = np.empty(len(self._work.page) * 3 // 2 + 64, np.uint8)
        self._rects = np.empty((64, 5), np.int32)
        self._prints = Prints()
        self._out = np.empty(0, np.uint8)
        self._made = np.empty((3, 0), np.int64)
        self._pixels: _U8 | None = None
        self._changed = 0

    def survey(self, pixels: Pixels, changes: Sequence[Change]) -> tuple[int, int]:
        """How many macroblocks differ from the picture before, and how many of them show what
        stands nowhere in it. `pixels` (height, width, 3) is read again by `key` and `delta`."""
        if len(changes) > len(self._rects):
            self._rects = np.empty((2 * len(changes), 5), np.int32)
        if not self._plan.registers[BLOCK_WIDE]:
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
            *self._plan,
            self._words,
            self._scratch.samples,
        )
        return self._changed, int(self._plan.registers[LOST])

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
            divide(width // 16, height // 16, row, *self._plan[:4])

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
            *self._plan,
            *self._work,
            self._unit,
            *self._scratch,
        )
        return self._unit[:size].data

    def run(self, run: SpriteRun, frame: int, ledger: _I64) -> tuple[int, Samples]:
        """Play a run from `frame` on and code it, as `ledger` (run_encoder.py) decides: the frame
        to go on with, and the samples that were made."""
        sheet, first = run.sheet, run.first
        self._prints.learn(sheet)
        most = int(np.diff(first).max(initial=0))
        if most > len(self._rects):
            self._rects = np.empty((2 * most, 5), np.int32)
        if not len(self._out):
            self._out = np.empty(_BATCH + 4 + len(self._unit), np.uint8)
        if len(run) > self._made.shape[1]:
            self._made = np.empty((3, len(run)), np.int64)
        self._pixels = None
        frame = code_run(
            run.pixels.reshape(-1),
            sheet.pixels,
            sheet.shapes,
            sheet.kept,
            first,
            run.placed,
            frame,
            self._prints.starts,
            self._prints.of,
            self._rects,
            *self._plan,
            *self._work,
            self._words,
            *self._scratch,
            ledger,
            self._made,
            self._out,
            _BATCH,
        )
        made = self._made[:, : ledger[MADE]]
        return frame, Samples(self._out[: ledger[USED]], *made)

    def tally(self) -> Tally:
        return Tally(*(int(self._plan.registers[at]) for at in (COPIED, CODED, RAW)))

    def decoded(self) -> _U8:
        """The picture as a decoder has it, atlas included: (macroblocks, 384), row by row."""
        picture: _U8 = self._work.tiles[0]
        return picture
