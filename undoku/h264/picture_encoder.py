"""The encoder of pictures: owns the arrays kept from picture to picture, whose size is constant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.h264.atlas_slots import MAX_SLOTS, clear_slots, empty_uses
from undoku.h264.block_index import clear_index, empty_index
from undoku.h264.canvas import RGB_BYTES, DeferredCanvas
from undoku.h264.encoder_arrays import (
    BLOCK_HIGH,
    BLOCK_TOP,
    BLOCK_WIDE,
    CODED,
    COLUMNS,
    COPIED,
    FILM_QP,
    FIRST,
    FORECAST,
    FRAME_NUM,
    HEIGHT,
    KEYS,
    LAST,
    LIMIT,
    PASSING,
    PCM,
    PICTURE,
    REGISTERS,
    ROWS,
    SLOTS,
    TAKEN_AWAY,
    VISIBLE_HEIGHT,
    VISIBLE_WIDTH,
    WIDTH,
    MacroblockArrays,
    Pictures,
    Plan,
    Scratch,
)
from undoku.h264.intra_prediction import PREDICTORS
from undoku.h264.levels import CodedSize
from undoku.h264.loops import I64, U8
from undoku.h264.mode_decision import empty_coding
from undoku.h264.motion_candidates import CANDIDATES
from undoku.h264.motion_vectors import RECENT
from undoku.h264.picture_plan import RECT
from undoku.h264.previous_picture import empty_pictures
from undoku.h264.quantiser_control import first_forecast
from undoku.h264.run_encoder import RunArrays, encode_run
from undoku.h264.sprites import Change, Pixels, SheetFingerprints, SpriteRun

_OF_FILM = [WIDTH, HEIGHT, COLUMNS, VISIBLE_WIDTH, VISIBLE_HEIGHT, FILM_QP, LIMIT]
_OF_GROUP = [PICTURE, FRAME_NUM, BLOCK_WIDE, BLOCK_HIGH, BLOCK_TOP, SLOTS, TAKEN_AWAY, FORECAST]
"""Registers that are set once, and those that are cleared for each group of pictures."""

_RETURNED = 1 << 16
_ONE_FRAME = RunArrays(
    first=np.zeros(2, np.int64),
    placed=np.empty((0, 3), np.int32),
    sheet=np.empty(0, np.uint8),
    temporary=np.empty(0, np.uint8),
    shapes=np.empty((0, 3), np.int64),
    starts=np.empty(0, np.int64),
    fingerprints=np.empty(0, np.int64),
)
"""A frame without pictures."""
_NO_WORDS = np.empty(0, np.uint64)
BATCH_BYTES = 1 << 19  # bytes after which the samples of a run are returned
_MACROBLOCK_BYTES = 3200 // 8  # the limit of a macroblock, clause A.3.1


class MacroblockCounts(NamedTuple):
    """Numbers of macroblocks: in P pictures `copied` by an explicit vector and `coded`
    otherwise; in all pictures `pcm`, coded as I_PCM."""

    copied: int
    coded: int
    pcm: int


class EncodedPart(NamedTuple):
    """Consecutive samples, and the macroblocks in them; a key frame is alone. `bytes` (n,) uint8
    are their NAL units, each after four bytes with its length; `sizes` (m,) are bytes with these
    four. Valid until the next call."""

    bytes: U8
    sizes: I64
    key: bool
    counts: MacroblockCounts

    def copy(self) -> EncodedPart:
        """A copy that stays valid."""
        return self._replace(bytes=self.bytes.copy(), sizes=self.sizes.copy())


def _words_of(pixels: U8, width: int) -> NDArray[np.uint64]:
    """The bytes of a picture (n,) as words, if each row of `width` pixels consists of whole words;
    otherwise an empty array."""
    if width % 8:
        return _NO_WORDS
    words = pixels.view(np.uint64)
    return words if words.flags.aligned else _NO_WORDS


class PictureEncoder:
    """Encodes the pictures of one film.

    `visible` is the visible width and height in pixels; `qp` 12..29 is the quantiser.
    """

    def __init__(
        self, size: CodedSize, visible: tuple[int, int], qp: int, limit: int = 1 << 60
    ) -> None:
        columns, width, height = size
        mbs = width * height
        registers = np.zeros(REGISTERS, np.int64)
        registers[_OF_FILM] = (width, height, columns, *visible, qp, limit)
        neighbours = np.zeros((mbs, 40), np.uint8)
        neighbours[:, 24:] = 2
        self._plan = Plan(
            registers,
            contents=np.empty((5, mbs), np.int64),
            grid=np.empty((ROWS, mbs), np.int32),
            buckets=np.empty(1 << (4 * mbs).bit_length(), np.int32),
            returned=np.empty(_RETURNED, np.int64),
            slots=np.empty((5, MAX_SLOTS), np.int64),
            uses=empty_uses(),
            recent=np.zeros((2, RECENT), np.int32),
        )
        self._pictures = Pictures(
            blocks8=empty_index(mbs, 8),
            blocks4=empty_index(mbs, 4),
            decoded=empty_pictures(mbs),
            luma=np.empty(256 * mbs, np.uint8),
            stale_luma=np.zeros(mbs, np.uint8),
            rows=np.zeros(128, np.uint8),
            neighbours=neighbours,
            rbsp=np.empty(mbs * _MACROBLOCK_BYTES + 64, np.uint8),
        )
        samples = np.zeros(1536, np.uint8)
        levels = np.zeros((27, 16), np.int32)
        numbers = np.zeros(32 + PREDICTORS + CANDIDATES, np.int32)
        self._scratch = Scratch(
            samples,
            rgb_words=samples[:RGB_BYTES].view(np.uint64),
            levels=levels,
            numbers=numbers,
            saved=empty_coding(),
            deferred=np.zeros((2, mbs + 1), np.int64),
            work=MacroblockArrays(
                self._pictures.rbsp,
                registers,
                original=samples[768:1152],
                current=self._pictures.decoded.current,
                neighbours=neighbours,
                levels=levels,
                block=numbers[:16],
                prediction=samples[1152:1536],
            ),
        )
        # Room for one picture at first; runs need more. Emulation prevention inserts at most one
        # byte after every two.
        self._sizes = np.empty(1, np.int64)
        self._output = np.empty(len(self._pictures.rbsp) * 3 // 2 + 68, np.uint8)
        self._rects = np.empty((64, RECT), np.int32)
        self._fingerprints = SheetFingerprints()
        self.begin(1)

    def begin(self, number: int, known: I64 | None = None) -> None:
        """Begin a group of pictures, the `number`th of the film: of earlier ones only the returned
        contents that are `known` (see gop_encoder.py) affect its bytes. The first picture
        must be a key frame with the whole picture as its change."""
        registers, contents, grid, buckets, returned, slots, uses, recent = self._plan
        registers[_OF_GROUP] = 0
        registers[KEYS] = number - 1
        registers[FORECAST] = first_forecast(int(registers[FILM_QP]))
        contents[:] = 0
        grid[:] = 0
        grid[FIRST] = registers[WIDTH]
        grid[LAST] = -1
        buckets[:] = -1
        returned[:] = 0 if known is None else known
        slots[:] = 0
        uses[:] = 0
        recent[:] = 0
        clear_slots(self._plan)
        clear_index(self._pictures.blocks8)
        clear_index(self._pictures.blocks4)

    def frame(
        self, pixels: Pixels, changes: Sequence[Change], *, key: bool, passing: bool = False
    ) -> EncodedPart:
        """Encode a key frame or a P picture; the first must be a key frame. `pixels` is (height,
        width, 3) uint8. A `passing` one is coded coarsely."""
        self._make_space(len(changes), 1)
        self._plan.registers[PASSING] = passing
        flat: list[int] = []
        for (x, y, width, height), sprite in changes:
            flat += (x, y, x + width, y + height, -1, sprite >= 0)
        self._rects.reshape(-1)[: len(flat)] = flat
        return self._encode(pixels, _ONE_FRAME, 0, 0, len(changes), key=key)

    def run(self, run: SpriteRun, frame: int) -> EncodedPart:
        """Play a run from `frame` on and encode it, up to its end or a number of bytes."""
        sheet, known = run.sheet, self._fingerprints
        if sheet.kept:
            known.learn(sheet)
        self._make_space(int(np.diff(run.first).max(initial=0)), len(run.first) - 1, BATCH_BYTES)
        self._plan.registers[PASSING] = 0
        arrays = RunArrays(
            *(run.first, run.placed, sheet.pixels, sheet.temporary, sheet.shapes),
            *(known.starts, known.of),
        )
        return self._encode(run.pixels, arrays, sheet.kept, frame, 0, key=False)

    def _encode(
        self,
        pixels: Pixels,
        run: RunArrays,
        kept: int,
        frame: int,
        drawn: int,
        *,
        key: bool,
    ) -> EncodedPart:
        before = self._counts()
        flat = pixels.reshape(-1)
        words, deferred = _words_of(flat, pixels.shape[1]), self._scratch.deferred
        made = encode_run(
            DeferredCanvas(flat, words, run.sheet, run.shapes, deferred),
            run,
            kept,
            frame,
            self._rects,
            drawn,
            BATCH_BYTES,
            key,
            self._plan,
            self._pictures,
            self._scratch,
            self._sizes,
            self._output,
        )
        sizes = self._sizes[:made]
        counts = MacroblockCounts(*(self._counts() - before).tolist())
        return EncodedPart(self._output[: sizes.sum()], sizes, key, counts)

    def _make_space(self, changes: int, samples: int, batch: int = 0) -> None:
        """Make room for `changes` changes per frame, `samples` samples, and `batch` bytes before
        the last sample."""
        if changes > len(self._rects):
            self._rects = np.empty((2 * changes, RECT), np.int32)
        if samples > len(self._sizes):
            self._sizes = np.empty(samples, np.int64)
        wanted = len(self._pictures.rbsp) * 3 // 2 + 68 + batch
        if wanted > len(self._output):
            self._output = np.empty(wanted, np.uint8)

    def learned(self) -> I64:
        """A copy of the table of returned contents."""
        return self._plan.returned.copy()

    def _counts(self) -> I64:
        """(3,): MacroblockCounts of all pictures."""
        return self._plan.registers[[COPIED, CODED, PCM]]

    def decoded(self) -> U8:
        """The decoded picture, atlas included: (macroblocks, 384) uint8, row by row."""
        decoded = self._pictures.decoded
        picture: U8 = decoded.samples[decoded.before]
        return picture
