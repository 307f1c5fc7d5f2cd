"""How often and how recently blocks of macroblocks were used, which decides what the atlas keeps.

Each use counts USE and decays to a half in _HALF pictures, as in LRFU: D. Lee and others, "LRFU: a
spectrum of policies that subsumes the least recently used and least frequently used policies", IEEE
Transactions on Computers 50 (2001).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undoku.machine_code.jit import lean

__all__ = ["USE", "decayed", "empty_uses", "note_uses", "uses_of"]

USE = 1 << 20
_HALF = 300  # pictures

_BLOCK, _USES, _SINCE = range(3)
_ROWS = 1 << 13

_I64 = NDArray[np.int64]


def empty_uses() -> _I64:
    """A table (a power of two, 4): hashes of blocks, their uses, and the pictures for which these
    are. Of two blocks with the same row, the last one is remembered."""
    return np.zeros((_ROWS, 4), np.int64)


@lean
def decayed(uses: int, pictures: int) -> int:
    """What is left of `uses` after a number of pictures >= 0: linear between powers of two."""
    halved = uses >> min(pictures // _HALF, 62)
    return halved - halved * (pictures % _HALF) // (2 * _HALF)


@lean
def uses_of(table: _I64, block: int, picture: int) -> int:
    """The uses of the block with this hash, decayed until `picture`."""
    row = table[block >> 1 & (len(table) - 1)]
    return decayed(int(row[_USES]), picture - int(row[_SINCE])) if row[_BLOCK] == block else 0


@lean
def note_uses(table: _I64, block: int, uses: int, picture: int) -> None:
    """Record that a block has these uses at `picture`."""
    row = table[block >> 1 & (len(table) - 1)]
    row[_BLOCK], row[_USES], row[_SINCE] = block, uses, picture
