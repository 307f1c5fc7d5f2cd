"""Follows rectangles on which sprites replace one another.

A *tile* is a rectangle that has a pattern (tile_patterns.py). As long as it has, `Turning.now` is
outdated there; it is written when something else is drawn over a part of the tile. Tiles do not
overlap. tile_transitions.py gives the next pattern of a tile.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undoku.machine_code.jit import inner, lean
from undoku.render.film.extrema import (
    HEIGHT,
    KEPT,
    WIDTH,
    Turning,
    X,
    Y,
    has_room,
    remove_unused,
    sampled,
)
from undoku.render.film.tile_patterns import (
    FIRST,
    KEY,
    PAST_COUNT,
    PATTERN,
    PATTERN_COUNT,
    TILE_COUNT,
    WORD,
    Tiles,
    number_pattern,
)

__all__ = [
    "expand_tiles",
    "forget_patterns",
    "has_room_for_tiles",
    "move_tile",
    "release",
    "tile_of",
    "write_tile",
]

_I64 = NDArray[np.int64]

_FEWEST, _MOST = 32, 1 << 12  # the sampled pixels of a tile
_MAX_EVERY = 4  # so that a phase has four bits

_NONE = -1


@inner
def write_tile(tile: int, every: int, turning: Turning, tiles: Tiles) -> None:
    """Write the pasts of a tile's pixels to turning.now."""
    rect, now = tiles.rects[tile], turning.now
    x, y = int(rect[X]), int(rect[Y])
    columns = sampled(x, int(rect[WIDTH]), every)
    rows = sampled(y, int(rect[HEIGHT]), every)
    left, top = (x + every - 1) // every, (y + every - 1) // every
    at = int(tiles.patterns[int(rect[PATTERN]), FIRST])
    for line in range(top, top + rows):
        row, pasts = now[line][left : left + columns], tiles.pasts[at : at + columns]
        for index in range(len(row)):
            row[index] = pasts[index]
        at += columns


@inner
def _expand(tile: int, every: int, turning: Turning, tiles: Tiles) -> None:
    """Let a rectangle no longer be a tile."""
    if tiles.rects[tile, PATTERN] != _NONE:
        write_tile(tile, every, turning, tiles)
        tiles.rects[tile, PATTERN] = _NONE


@lean
def expand_tiles(every: int, turning: Turning, tiles: Tiles) -> None:
    """Forget all tiles: afterwards turning.now has the pasts of all pixels."""
    for tile in range(tiles.used[TILE_COUNT]):
        _expand(tile, every, turning, tiles)
    tiles.used[TILE_COUNT] = 0
    for slot in range(len(tiles.finder)):
        tiles.finder[slot] = 0


@lean
def release(area: _I64, every: int, turning: Turning, tiles: Tiles) -> None:
    """Let no rectangle that an area overlaps be a tile."""
    left, top = int(area[X]), int(area[Y])
    right, bottom = left + int(area[WIDTH]), top + int(area[HEIGHT])
    rects = tiles.rects
    for tile in range(tiles.used[TILE_COUNT]):
        x, y = int(rects[tile, X]), int(rects[tile, Y])
        if (
            rects[tile, PATTERN] != _NONE
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
    if used[TILE_COUNT] + count > len(tiles.rects):
        expand_tiles(every, turning, tiles)
    if (
        used[PATTERN_COUNT] + 2 * count > len(tiles.patterns)
        or used[PAST_COUNT] + 2 * pixels > len(tiles.pasts)
        or not has_room(pixels, turning)
    ):
        forget_patterns(every, turning, tiles)
    return has_room(pixels, turning)


@lean
def forget_patterns(every: int, turning: Turning, tiles: Tiles) -> None:
    """Forget all tiles and patterns, and the pasts that no pixel has any more."""
    expand_tiles(every, turning, tiles)
    tiles.used[PATTERN_COUNT] = tiles.used[PAST_COUNT] = 0
    for slot in range(len(tiles.pattern_finder)):
        tiles.pattern_finder[slot] = 0
    for slot in range(len(tiles.transitions)):
        tiles.transitions[slot, KEY] = 0
    remove_unused(turning)


@inner
def _find(area: _I64, tiles: Tiles) -> int:
    """The number of an area among the rectangles; a new one has no pattern yet."""
    rects, finder = tiles.rects, tiles.finder
    x, y, width, height = int(area[X]), int(area[Y]), int(area[WIDTH]), int(area[HEIGHT])
    number = (x * 40503 + y * 10949 + width * 3571 + height * 709) & WORD
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
    tile = int(tiles.used[TILE_COUNT])
    finder[slot] = tile + 1
    tiles.used[TILE_COUNT] = tile + 1
    for part in range(PATTERN):
        rects[tile, part] = area[part]
    rects[tile, PATTERN] = _NONE
    return tile


@lean
def tile_of(area: _I64, every: int, turning: Turning, tiles: Tiles) -> int:
    """The tile of an area, with its pattern; -1 if it can't be one. There must be room."""
    wide = sampled(int(area[X]), int(area[WIDTH]), every)
    high = sampled(int(area[Y]), int(area[HEIGHT]), every)
    if area[KEPT] == 0 or not _FEWEST <= wide * high <= _MOST:
        return _NONE
    tile = _find(area, tiles)
    if tiles.rects[tile, PATTERN] == _NONE:
        release(area, every, turning, tiles)
        left, top = (int(area[X]) + every - 1) // every, (int(area[Y]) + every - 1) // every
        at = int(tiles.used[PAST_COUNT])
        for line in range(top, top + high):
            row, pasts = turning.now[line][left : left + wide], tiles.pasts[at : at + wide]
            for index in range(len(row)):
                pasts[index] = row[index]
            at += wide
        tiles.rects[tile, PATTERN] = number_pattern(wide * high, tiles)
    return tile


@inner
def move_tile(tile: int, pattern: int, tiles: Tiles) -> None:
    """Give a tile its next pattern."""
    tiles.rects[tile, PATTERN] = pattern
