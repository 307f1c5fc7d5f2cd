"""The arrays that a film's encoder keeps from picture to picture, in named groups.

`mbs` is the number of macroblocks in the coded picture, atlas included; they are numbered row by
row.
"""

from __future__ import annotations

from typing import NamedTuple

from undoku.h264.loops import I32, I32_2D, I64, I64_2D, U8, U8_2D, U64, group

HELD, BITS, BYTE, LAST_QP = range(4)
CURSOR = 4
WIDTH, HEIGHT, COLUMNS, VISIBLE_WIDTH, VISIBLE_HEIGHT = range(CURSOR, CURSOR + 5)
PICTURE, FRAME_NUM, KEYS, COPIED, CODED, PCM = range(CURSOR + 5, CURSOR + 11)
BLOCK_WIDE, BLOCK_HIGH, BLOCK_TOP, SLOTS, TAKEN_AWAY = range(CURSOR + 11, CURSOR + 16)
FILM_QP, LIMIT, QP, ERROR, FORECAST, TO_CODE, ROOM = range(CURSOR + 16, CURSOR + 23)
WIDE_SEARCHES, MUCH_NEW, TAKEN, NOTED, NOTED_ERROR, PASSING = range(CURSOR + 23, CURSOR + 29)
REGISTERS = CURSOR + 29

TODO, SOURCE, LIST, FIRST, LAST = range(5, 10)
ROWS = 26

CHANGED, LOOK, CODED_NEW, MOVES = range(1, 5)
"""Values in TODO: the macroblock changes; a neighbour of it changes; it is coded, not copied; it is
copied as a part of its block."""

UNKNOWN = -2
"""In SOURCE: not searched for yet; -1 is not found."""

STALE, OUTDATED = range(2)
"""Rows of the changes of a block index."""


@group
class Plan(NamedTuple):
    """The arrays from which pictures are planned.

    registers  (REGISTERS,) int64: the first four are the cursor of bits.py
    contents   (5, mbs) int64: see previous_picture.py
    grid       (ROWS, mbs) int32: see previous_picture.py and motion_vectors.py; TODO, SOURCE and
               LIST are the plan of the picture, FIRST and LAST the first and the last column of
               each row that TODO is set in; those from 10 on are BLOCK_VECTORS of motion_vectors.py
    buckets    (a power of two,) int32: see previous_picture.py
    returned   (a power of two,) int64: see previous_picture.py
    slots      (5, n) int64: see atlas_slots.py
    uses       (a power of two, 4) int64: see atlas_slots.py
    recent     (2, RECENT) int32: see motion_vectors.py
    """

    registers: I64
    contents: I64_2D
    grid: I32_2D
    buckets: I32
    returned: I64
    slots: I64_2D
    uses: I64_2D
    recent: I32_2D


@group
class BlockIndex(NamedTuple):
    """The arrays of block_index.py for blocks of one size, 4 or 16 of which make a macroblock. The
    blocks of row n of `remembered` have the numbers 4 (or 16) * n + 0.. row by row.

    positions   (a power of two,) int64: block numbers in buckets of four by their hash, with a
                part of the hash, see block_index.py; -1 for none; entries may be outdated
    changes     (2, mbs + 1) int32: row OUTDATED holds the macroblocks that have changed since the
                index was updated, and as its last element their count; STALE is 1 for them
    remembered  (a power of two, 2 + 4 or 16) int64: contents and the hashes of their blocks
    """

    positions: I64
    changes: I32_2D
    remembered: I64_2D


@group
class DecodedPictures(NamedTuple):
    """The arrays of previous_picture.py. A macroblock is 256 luma, 64 Cb and 64 Cr samples.

    samples  (mbs, 384) uint8: the different macroblocks of the previous picture
    current  (mbs, 384) uint8: the macroblocks that are coded in the present picture, and copies of
             their neighbours; others are outdated
    before   (mbs,) int32: the row of `samples` of each macroblock of the previous picture
    now      (mbs,) int32: the same for the picture being coded; -1 for those in `current`
    errors   (mbs,) int32: the luma error of each row of `samples`, see quantiser_control.py
    coded_errors  (mbs,) int32: the same for `current`; 0 in the atlas
    uses     (mbs,) int32: how many elements of `before` have the number of each row
    unused   (mbs + 1,) int32: the rows that none has; the last element is their number
    """

    samples: U8_2D
    current: U8_2D
    before: I32
    now: I32
    errors: I32
    coded_errors: I32
    uses: I32
    unused: I32


@group
class Pictures(NamedTuple):
    """The further arrays from which pictures are coded.

    blocks8, blocks4  the blocks of 8x8 and of 4x4 pixels
    decoded     the previous picture and the one being coded
    luma        (mbs * 256,) uint8: the luma of the previous picture, row by row
    stale_luma  (mbs,) uint8: 1 for macroblocks whose luma in `luma` is outdated
    rows        (128,) uint8: rows of two blocks that are compared
    neighbours  (mbs, 40) uint8: see cavlc.py
    rbsp        (n,) uint8: the bytes of one picture before emulation prevention
    """

    blocks8: BlockIndex
    blocks4: BlockIndex
    decoded: DecodedPictures
    luma: U8
    stale_luma: U8
    rows: U8
    neighbours: U8_2D
    rbsp: U8


@group
class SavedCoding(NamedTuple):
    """The coding of one macroblock: see mode_decision.py.

    bytes       (n,) uint8: the whole bytes that it wrote
    samples     (384,) uint8: its decoded samples
    neighbours  (40,) uint8: its row of `neighbours`
    cursor      (4,) int64: the cursor of bits.py after it
    motion      (19,) int32: its REF_IDX, MV_X, MV_Y and BLOCK_VECTORS
    """

    bytes: U8
    samples: U8
    neighbours: U8
    cursor: I64
    motion: I32


@group
class Scratch(NamedTuple):
    """Memory for intermediate results, whose contents don't survive a picture, or a call
    (`deferred`).

    samples    (1536,) uint8: 768 RGB bytes of a macroblock, its 384 original samples, and its 384
               predicted samples
    rgb_words  (96,) uint64: a view of the first 768 bytes of `samples`
    levels     (27, 16) int32: see transform.py
    numbers    (n,) int32: a block, the edge of a block, its predictors, candidate vectors
    saved      the shortest coding of a macroblock so far
    deferred   (2, mbs + 1) int64: see `DeferredCanvas`
    work       views of these arrays and of those of the pictures
    """

    samples: U8
    rgb_words: U64
    levels: I32_2D
    numbers: I32
    saved: SavedCoding
    deferred: I64_2D
    work: MacroblockArrays


@group
class MacroblockArrays(NamedTuple):
    """The arrays from which and to which one macroblock is coded.

    rbsp, cursor  the bytes of the picture and the position of the next bit: see bits.py
    original      (384,) uint8: the samples to be coded
    current       (mbs, 384) uint8: the picture being coded, as a decoder has it
    neighbours    (mbs, 40) uint8: see cavlc.py
    levels        (27, 16) int32, scratch: see transform.py
    block         (16,) int32, scratch
    prediction    (384,) uint8, scratch: the predicted samples
    """

    rbsp: U8
    cursor: I64
    original: U8
    current: U8_2D
    neighbours: U8_2D
    levels: I32_2D
    block: I32
    prediction: U8
