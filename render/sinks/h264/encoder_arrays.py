"""The arrays that a film's coder keeps from picture to picture (mbs = macroblocks of the coded
picture, atlas included): the names of their rows and registers.

    registers (REGISTERS,) int64; the first three are the pen of bits.py
    places    (5, mbs) int64     see places.py
    grid      (ROWS, mbs) int32  see places.py and motion.py; TODO, SOURCE and LIST are the plan of
                                 the picture, FIRST and LAST the columns of each row that have
                                 something to do; those from 10 on are motion.py's PARTS
    heads     (buckets,) int32   see places.py
    memory    (a power of two,) int64  see places.py
    slots     (4, n) int64       see blocks.py
"""

from __future__ import annotations

from render.sinks.h264.bits import PEN

__all__ = [
    "ACROSS",
    "BLOCK_HIGH",
    "BLOCK_TOP",
    "BLOCK_WIDE",
    "CHANGED",
    "CODED",
    "CODED_NEW",
    "COLUMNS",
    "COPIED",
    "FIRST",
    "FRAME_NUM",
    "HEIGHT",
    "KEYS",
    "LAST",
    "LINES",
    "LIST",
    "LOOK",
    "LOST",
    "MOVES",
    "PICTURE",
    "QP",
    "RAW",
    "REGISTERS",
    "ROWS",
    "SLOTS",
    "SOURCE",
    "TAKEN_AWAY",
    "TODO",
    "UNKNOWN",
    "WIDTH",
]

WIDTH, HEIGHT, COLUMNS, ACROSS, LINES, QP = range(PEN, PEN + 6)
PICTURE, FRAME_NUM, KEYS, COPIED, CODED, RAW, LOST = range(PEN + 6, PEN + 13)
BLOCK_WIDE, BLOCK_HIGH, BLOCK_TOP, SLOTS, TAKEN_AWAY = range(PEN + 13, PEN + 18)
REGISTERS = PEN + 18

TODO, SOURCE, LIST, FIRST, LAST = range(5, 10)
ROWS = 26

CHANGED, LOOK, CODED_NEW, MOVES = range(1, 5)
"""What is to do with a macroblock: it changes; its neighbour does; it was coded and not copied; it
is copied with its block."""

UNKNOWN = -2
"""In SOURCE: nobody has looked yet; -1 is nowhere."""
