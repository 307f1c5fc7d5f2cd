"""The transitions of tiles (tiles.py) from a pattern to the next one by a sprite.

A transition is computed pixel by pixel once, and cached. It depends on which pixels are sampled
(the phase of the rectangle), but not on where the rectangle is. This is the lazy construction of a
deterministic automaton, as in Cox, "Regular Expression Matching: the Virtual Machine Approach"
(2009): when its memory is full, it is cleared, and begins anew.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undoku.machine_code.jit import inner, lean
from undoku.render.film.extrema import (
    HEIGHT,
    KINDS,
    ROW,
    START,
    WIDTH,
    Turning,
    X,
    Y,
    follow_row,
    sampled,
)
from undoku.render.film.tile_patterns import (
    AFTER,
    FIRST,
    KEY,
    LENGTH,
    PAST_COUNT,
    PATTERN,
    TURN_BITS,
    TURNS,
    Tiles,
    number_pattern,
)

__all__ = ["advance_tile", "clear_transitions"]

_U8 = NDArray[np.uint8]
_I64 = NDArray[np.int64]


def clear_transitions(tiles: Tiles) -> None:
    """Forget the transitions, because other sprites begin at the same bytes."""
    tiles.transitions[:, KEY] = 0


@lean
def advance_tile(
    tile: int, pixels: _U8, area: _I64, every: int, turning: Turning, tiles: Tiles
) -> int:
    """The pattern of a tile after the sprite of an area is drawn; adds the pixels that turned to
    turning.totals. The tile itself does not change."""
    x, y, start = int(area[X]), int(area[Y]), int(area[START])
    pattern = int(tiles.rects[tile, PATTERN])
    transitions, totals = tiles.transitions, turning.totals
    phase = x % every * every + y % every
    key = (pattern << 40 | start << 4 | phase) + 1
    slot = (pattern * 40503 + start * 10949 + phase * 3571 >> 3) & (len(transitions) - 1)
    if transitions[slot, KEY] != key:
        turns = _compute(pattern, pixels, area, every, turning, tiles)
        length = int(tiles.patterns[pattern, LENGTH])
        transitions[slot, AFTER] = number_pattern(length, tiles)
        transitions[slot, TURNS] = turns
        transitions[slot, KEY] = key
    turns = int(transitions[slot, TURNS])
    if turns:
        for kind in range(KINDS):
            count = turns >> kind * TURN_BITS & ((1 << TURN_BITS) - 1)
            totals[kind] += count * every * every
    return int(transitions[slot, AFTER])


@inner
def _compute(
    pattern: int, pixels: _U8, area: _I64, every: int, turning: Turning, tiles: Tiles
) -> int:
    """Write the pasts of a pattern after a sprite after those in use; returns the turns."""
    x, y, width, height = int(area[X]), int(area[Y]), int(area[WIDTH]), int(area[HEIGHT])
    begun, to = int(tiles.patterns[pattern, FIRST]), int(tiles.used[PAST_COUNT])
    left, columns = (-x) % every, sampled(x, width, every)
    turned = turning.turned
    at = 0
    for line in range((-y) % every, height, every):
        start = int(area[START]) + line * int(area[ROW])
        follow_row(
            pixels[start + 3 * left : start + 3 * width],
            every,
            tiles.pasts[begun + at : begun + at + columns],
            tiles.pasts[to + at : to + at + columns],
            turned[at : at + columns],
            turning,
        )
        at += columns
    turns = 0
    for index in range(at):
        turn = int(np.int64(turned[index]))
        if turn:
            for kind in range(KINDS):
                turns += (turn >> kind & 1) << kind * TURN_BITS
    return turns
