"""The patterns of tiles (tiles.py): the states of all pixels of a rectangle are one number.

The pasts (extrema.py) of the sampled pixels of a rectangle, row by row, are its *pattern*. Patterns
are numbered; equal ones have the same number.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.machine_code.jit import inner

__all__ = [
    "AFTER",
    "FIRST",
    "KEY",
    "LENGTH",
    "PAST_COUNT",
    "PATTERN",
    "PATTERN_COUNT",
    "TILE_COUNT",
    "TURNS",
    "TURN_BITS",
    "WORD",
    "Tiles",
    "no_tiles",
    "number_pattern",
]

_I32 = NDArray[np.int32]
_I64 = NDArray[np.int64]

_TRANSITIONS = 1 << 15

PATTERN = 4
"""In a row of `rects`, after X, Y, WIDTH and HEIGHT."""

_HASH, FIRST, LENGTH = range(3)
TILE_COUNT, PATTERN_COUNT, PAST_COUNT = range(3)

KEY, AFTER, TURNS = range(3)
"""In a row of `transitions`."""

TURN_BITS = 16  # of the count of each kind of turns
WORD = (1 << 40) - 1  # the bits of a hash


class Tiles(NamedTuple):
    """The tiles of a film, preallocated.

    rects        (n, 5) int64   X, Y, WIDTH, HEIGHT and the pattern of each tile, -1 for none
    finder       (2^k,) int32   a hash table of tiles: 1 + number, 0 where there is none
    patterns     (m, 3) int64   of each: its hash, the index of its first past, and their number
    pattern_finder (2^k,) int32 a hash table of patterns, like `finder`
    pasts        (p,) int32     the pasts of all patterns
    transitions  (2^k, 3) int64 a cache: 1 + the pattern, sprite and phase in one number; the next
                                pattern; how many pixels turned, TURN_BITS for each kind
    used         (3,) int64     the number of tiles, patterns and pasts
    """

    rects: _I64
    finder: _I32
    patterns: _I64
    pattern_finder: _I32
    pasts: _I32
    transitions: _I64
    used: _I64


def no_tiles(most: int = 1 << 10, patterns: int = 1 << 14, pasts: int = 1 << 22) -> Tiles:
    """The arrays, without tiles, for so many tiles and patterns (powers of two) and their pasts.
    The system gives no memory to those that are never used."""
    return Tiles(
        rects=np.empty((most, PATTERN + 1), np.int64),
        finder=np.zeros(4 * most, np.int32),
        patterns=np.empty((patterns, 3), np.int64),
        pattern_finder=np.zeros(4 * patterns, np.int32),
        pasts=np.empty(pasts, np.int32),
        transitions=np.zeros((_TRANSITIONS, 3), np.int64),
        used=np.zeros(3, np.int64),
    )


@inner
def number_pattern(length: int, tiles: Tiles) -> int:
    """The number of the pattern of the `length` pasts after the last one in use: that of an equal
    one, or a new one."""
    patterns, finder, pasts, used = tiles.patterns, tiles.pattern_finder, tiles.pasts, tiles.used
    first = int(used[PAST_COUNT])
    new = pasts[first : first + length]
    number = length
    for index in range(length):
        number += (int(np.int64(new[index])) + 1) * ((index + 1) * 0x9E3779B1 & 0xFFFFFF | 1)
    number &= WORD
    slot = (number ^ number >> 16) & (len(finder) - 1)
    while finder[slot]:
        old = int(np.int64(finder[slot])) - 1
        if patterns[old, _HASH] == number and patterns[old, LENGTH] == length:
            begun = int(patterns[old, FIRST])
            other = pasts[begun : begun + length]
            differ = 0
            for index in range(length):
                differ |= int(np.int64(other[index])) ^ int(np.int64(new[index]))
            if differ == 0:
                return old
        slot = (slot + 1) & (len(finder) - 1)
    pattern = int(used[PATTERN_COUNT])
    finder[slot] = pattern + 1
    patterns[pattern, _HASH] = number
    patterns[pattern, FIRST] = first
    patterns[pattern, LENGTH] = length
    used[PATTERN_COUNT] = pattern + 1
    used[PAST_COUNT] = first + length
    return pattern
