"""Follows rectangles on which sprites replace one another: the states of all their pixels are one
number.

The pasts (extrema.py) of the sampled pixels of a rectangle, row by row, are its *pattern*. Patterns
are numbered, too. The transition from a pattern to the next one by a sprite is computed pixel by
pixel once, and cached. It depends on which pixels are sampled (the phase of the rectangle), but not
on where the rectangle is. This is the lazy construction of a deterministic automaton, as in Cox,
"Regular Expression Matching: the Virtual Machine Approach" (2009): when its memory is full, it is
cleared, and begins anew.

A *tile* is a rectangle that has a pattern. As long as it has, `Turning.now` is outdated there; it
is written when something else is drawn over a part of the tile. Tiles do not overlap.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from render.flashing.extrema import (
    HEIGHT,
    KEPT,
    KINDS,
    ROW,
    START,
    WIDTH,
    Turning,
    X,
    Y,
    follow_row,
    has_room,
    remove_unused,
    sampled,
)
from solver.jit import inner, lean

__all__ = [
    "Tiles",
    "advance_tile",
    "clear_transitions",
    "expand_tiles",
    "forget_patterns",
    "has_room_for_tiles",
    "move_tile",
    "no_tiles",
    "release",
    "tile_of",
    "write_tile",
]

_U8 = NDArray[np.uint8]
_I32 = NDArray[np.int32]
_I64 = NDArray[np.int64]

_TRANSITIONS = 1 << 15
_FEWEST, _MOST = 32, 1 << 12  # the sampled pixels of a tile
_MAX_EVERY = 4  # so that a phase has four bits

_PATTERN = 4
"""In a row of `rects`, after X, Y, WIDTH and HEIGHT."""
_NONE = -1

_HASH, _FIRST, _LENGTH = range(3)
_KEY, _AFTER, _TURNS = range(3)
_TILES, _PATTERNS, _PASTS = range(3)
_TURN_BITS = 16  # of the count of each kind of turns
_WORD = (1 << 40) - 1


class Tiles(NamedTuple):
    """The tiles of a film, preallocated.

    rects        (n, 5) int64   X, Y, WIDTH, HEIGHT and the pattern of each tile, -1 for none
    finder       (2^k,) int32   a hash table of tiles: 1 + number, 0 where there is none
    patterns     (m, 3) int64   of each: its hash, the index of its first past, and their number
    pattern_finder (2^k,) int32 a hash table of patterns, like `finder`
    pasts        (p,) int32     the pasts of all patterns
    transitions  (2^k, 3) int64 a cache: 1 + the pattern, sprite and phase in one number; the next
                                pattern; how many pixels turned, _TURN_BITS for each kind
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
        rects=np.empty((most, _PATTERN + 1), np.int64),
        finder=np.zeros(4 * most, np.int32),
        patterns=np.empty((patterns, 3), np.int64),
        pattern_finder=np.zeros(4 * patterns, np.int32),
        pasts=np.empty(pasts, np.int32),
        transitions=np.zeros((_TRANSITIONS, 3), np.int64),
        used=np.zeros(3, np.int64),
    )


def clear_transitions(tiles: Tiles) -> None:
    """Forget the transitions, because other sprites begin at the same bytes."""
    tiles.transitions[:, _KEY] = 0


@inner
def write_tile(tile: int, every: int, turning: Turning, tiles: Tiles) -> None:
    """Write the pasts of a tile's pixels to turning.now."""
    rect, now = tiles.rects[tile], turning.now
    x, y = int(rect[X]), int(rect[Y])
    columns = sampled(x, int(rect[WIDTH]), every)
    rows = sampled(y, int(rect[HEIGHT]), every)
    left, top = (x + every - 1) // every, (y + every - 1) // every
    at = int(tiles.patterns[int(rect[_PATTERN]), _FIRST])
    for line in range(top, top + rows):
        row, pasts = now[line][left : left + columns], tiles.pasts[at : at + columns]
        for index in range(len(row)):
            row[index] = pasts[index]
        at += columns


@inner
def _expand(tile: int, every: int, turning: Turning, tiles: Tiles) -> None:
    """Let a rectangle no longer be a tile."""
    if tiles.rects[tile, _PATTERN] != _NONE:
        write_tile(tile, every, turning, tiles)
        tiles.rects[tile, _PATTERN] = _NONE


@lean
def expand_tiles(every: int, turning: Turning, tiles: Tiles) -> None:
    """Forget all tiles: afterwards turning.now has the pasts of all pixels."""
    for tile in range(tiles.used[_TILES]):
        _expand(tile, every, turning, tiles)
    tiles.used[_TILES] = 0
    for slot in range(len(tiles.finder)):
        tiles.finder[slot] = 0


@lean
def release(area: _I64, every: int, turning: Turning, tiles: Tiles) -> None:
    """Let no rectangle that an area overlaps be a tile."""
    left, top = int(area[X]), int(area[Y])
    right, bottom = left + int(area[WIDTH]), top + int(area[HEIGHT])
    rects = tiles.rects
    for tile in range(tiles.used[_TILES]):
        x, y = int(rects[tile, X]), int(rects[tile, Y])
        if (
            rects[tile, _PATTERN] != _NONE
            and x < right
            and y < bottom
            and left < x + rects[tile, WIDTH]
            and top < y + rects[tile, HEIGHT]
        ):
            _expand(tile, every, turning, tiles)


@lean
def has_room_for_tiles(areas: _I64, every: int, turning: Turning, tiles: Tiles) -> bool:
    """Whether the areas of a frame may be tiles. Forgets others if there is no room otherwise."""
    used = tiles.used
    count, pixels = 0, 0
    for one in range(len(areas)):
        if areas[one, KEPT]:
            count += 1
            wide = sampled(int(areas[one, X]), int(areas[one, WIDTH]), every)
            pixels += wide * sampled(int(areas[one, Y]), int(areas[one, HEIGHT]), every)
    if (
        count == 0
        or every > _MAX_EVERY
        or count > len(tiles.rects)
        or 2 * count > len(tiles.patterns)
        or 2 * pixels > len(tiles.pasts)
    ):
        return False
    if used[_TILES] + count > len(tiles.rects):
        expand_tiles(every, turning, tiles)
    if (
        used[_PATTERNS] + 2 * count > len(tiles.patterns)
        or used[_PASTS] + 2 * pixels > len(tiles.pasts)
        or not has_room(pixels, turning)
    ):
        forget_patterns(every, turning, tiles)
    return has_room(pixels, turning)


@lean
def forget_patterns(every: int, turning: Turning, tiles: Tiles) -> None:
    """Forget all tiles and patterns, and the pasts that no pixel has any more."""
    expand_tiles(every, turning, tiles)
    tiles.used[_PATTERNS] = tiles.used[_PASTS] = 0
    for slot in range(len(tiles.pattern_finder)):
        tiles.pattern_finder[slot] = 0
    for slot in range(len(tiles.transitions)):
        tiles.transitions[slot, _KEY] = 0
    remove_unused(turning)


@inner
def _numbered(length: int, tiles: Tiles) -> int:
    """The number of the pattern of the `length` pasts after the last one in use: that of an equal
    one, or a new one."""
    patterns, finder, pasts, used = tiles.patterns, tiles.pattern_finder, tiles.pasts, tiles.used
    first = int(used[_PASTS])
    new = pasts[first : first + length]
    number = length
    for index in range(length):
        number += (int(np.int64(new[index])) + 1) * ((index + 1) * 0x9E3779B1 & 0xFFFFFF | 1)
    number &= _WORD
    slot = (number ^ number >> 16) & (len(finder) - 1)
    while finder[slot]:
        old = int(np.int64(finder[slot])) - 1
        if patterns[old, _HASH] == number and patterns[old, _LENGTH] == length:
            begun = int(patterns[old, _FIRST])
            other = pasts[begun : begun + length]
            differ = 0
            for index in range(length):
                differ |= int(np.int64(other[index])) ^ int(np.int64(new[index]))
            if differ == 0:
                return old
        slot = (slot + 1) & (len(finder) - 1)
    pattern = int(used[_PATTERNS])
    finder[slot] = pattern + 1
    patterns[pattern, _HASH] = number
    patterns[pattern, _FIRST] = first
    patterns[pattern, _LENGTH] = length
    used[_PATTERNS] = pattern + 1
    used[_PASTS] = first + length
    return pattern


@inner
def _find(area: _I64, tiles: Tiles) -> int:
    """The number of an area among the rectangles; a new one has no pattern yet."""
    rects, finder = tiles.rects, tiles.finder
    x, y, width, height = int(area[X]), int(area[Y]), int(area[WIDTH]), int(area[HEIGHT])
    number = (x * 40503 + y * 10949 + width * 3571 + height * 709) & _WORD
    slot = (number ^ number >> 11) & (len(finder) - 1)
    while finder[slot]:
        tile = int(np.int64(finder[slot])) - 1
        if (
            rects[tile, X] == x
            and rects[tile, Y] == y
            and rects[tile, WIDTH] == width
            and rects[tile, HEIGHT] == height
        ):
            return tile
        slot = (slot + 1) & (len(finder) - 1)
    tile = int(tiles.used[_TILES])
    finder[slot] = tile + 1
    tiles.used[_TILES] = tile + 1
    for part in range(_PATTERN):
        rects[tile, part] = area[part]
    rects[tile, _PATTERN] = _NONE
    return tile


@lean
def tile_of(area: _I64, every: int, turning: Turning, tiles: Tiles) -> int:
    """The tile of an area, with its pattern; -1 if it can't be one. There must be room."""
    wide = sampled(int(area[X]), int(area[WIDTH]), every)
    high = sampled(int(area[Y]), int(area[HEIGHT]), every)
    if area[KEPT] == 0 or not _FEWEST <= wide * high <= _MOST:
        return _NONE
    tile = _find(area, tiles)
    if tiles.rects[tile, _PATTERN] == _NONE:
        release(area, every, turning, tiles)
        left, top = (int(area[X]) + every - 1) // every, (int(area[Y]) + every - 1) // every
        at = int(tiles.used[_PASTS])
        for line in range(top, top + high):
            row, pasts = turning.now[line][left : left + wide], tiles.pasts[at : at + wide]
            for index in range(len(row)):
                pasts[index] = row[index]
            at += wide
        tiles.rects[tile, _PATTERN] = _numbered(wide * high, tiles)
    return tile


@inner
def move_tile(tile: int, pattern: int, tiles: Tiles) -> None:
    """Give a tile its next pattern."""
    tiles.rects[tile, _PATTERN] = pattern


@lean
def advance_tile(
    tile: int, pixels: _U8, area: _I64, every: int, turning: Turning, tiles: Tiles
) -> int:
    """The pattern of a tile after the sprite of an area is drawn; adds the pixels that turned to
    turning.totals. The tile itself does not change."""
    x, y, start = int(area[X]), int(area[Y]), int(area[START])
    pattern = int(tiles.rects[tile, _PATTERN])
    transitions, totals = tiles.transitions, turning.totals
    phase = x % every * every + y % every
    key = (pattern << 40 | start << 4 | phase) + 1
    slot = (pattern * 40503 + start * 10949 + phase * 3571 >> 3) & (len(transitions) - 1)
    if transitions[slot, _KEY] != key:
        turns = _compute(pattern, pixels, area, every, turning, tiles)
        length = int(tiles.patterns[pattern, _LENGTH])
        transitions[slot, _AFTER] = _numbered(length, tiles)
        transitions[slot, _TURNS] = turns
        transitions[slot, _KEY] = key
    turns = int(transitions[slot, _TURNS])
    if turns:
        for kind in range(KINDS):
            count = turns >> kind * _TURN_BITS & ((1 << _TURN_BITS) - 1)
            totals[kind] += count * every * every
    return int(transitions[slot, _AFTER])


@inner
def _compute(
    pattern: int, pixels: _U8, area: _I64, every: int, turning: Turning, tiles: Tiles
) -> int:
    """Write the pasts of a pattern after a sprite after those in use; returns the turns."""
    x, y, width, height = int(area[X]), int(area[Y]), int(area[WIDTH]), int(area[HEIGHT])
    begun, to = int(tiles.patterns[pattern, _FIRST]), int(tiles.used[_PASTS])
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
                turns += (turn >> kind & 1) << kind * _TURN_BITS
    return turns
