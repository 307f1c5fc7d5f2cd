"""Tells what each macroblock shows, where a content can be copied from, and what the atlas keeps.

A content is the fingerprint of a macroblock's pixels; 0 is none. `contents` is (5, macroblocks)
int64: BEFORE, the content in the picture before; NOW, the content in the lists; NEXT, the content
that it is about to get; USED and SEEN, the last picture that copied from here and that looked here.
Macroblocks with a content hang in lists, one per bucket of `buckets` ((a power of two,) int32): the
first two rows of `grid`, (rows, macroblocks) int32, hold the next one and the one before, -1 for
none.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from render.sinks.h264.bits import signed_length
from render.sinks.h264.levels import HORIZONTAL_REACH, VERTICAL_REACH
from solver.jit import lean

__all__ = [
    "BEFORE",
    "NEXT",
    "NOW",
    "SEEN",
    "USED",
    "exchangeable",
    "find",
    "free_place",
    "has_returned",
    "link",
    "nearest",
    "note_coded",
    "reachable",
    "shows",
    "unlink",
]

BEFORE, NOW, NEXT, USED, SEEN = range(5)

_I32 = NDArray[np.int32]
_I64 = NDArray[np.int64]

# In macroblocks. To the left and up a vector may point one further than to the right and down; to
# the left that one is not used.
_ACROSS = HORIZONTAL_REACH // 16 - 1
_UP, _DOWN = VERTICAL_REACH // 16, VERTICAL_REACH // 16 - 1
_PATIENCE = 256  # members of a list that are looked at
_CANDIDATES = 8
_SMALL = 16  # columns
_RECENT = 40  # pictures for which a small atlas keeps what was used


@lean
def reachable(source: int, mb: int, width: int) -> bool:
    """Whether a motion vector of macroblock `mb` can name `source`."""
    across = source % width - mb % width
    down = source // width - mb // width
    return -_ACROSS <= across <= _ACROSS and -_UP <= down <= _DOWN


@lean
def exchangeable(one: int, other: int, width: int) -> bool:
    """Whether each of two macroblocks can be copied to the other: only then is a content worth
    keeping there."""
    return reachable(one, other, width) and reachable(other, one, width)


@lean
def shows(contents: _I64, mb: int, width: int, right: int, down: int, content: int) -> bool:
    """Whether the macroblock (right, down) samples from `mb` showed `content` in the picture
    before, and a vector reaches it."""
    column = mb % width + right // 16
    source = mb + down // 16 * width + right // 16
    return bool(
        (right | down) & 15 == 0
        and 0 <= column < width
        and 0 <= source < contents.shape[1]
        and contents[BEFORE, source] == content
        and reachable(source, mb, width)
    )


@lean
def link(contents: _I64, buckets: _I32, grid: _I32, mb: int, content: int) -> None:
    """Note that `mb` shows `content` now."""
    contents[NOW, mb] = content
    if content == 0:
        return
    bucket = content >> 1 & (len(buckets) - 1)
    first = buckets[bucket]
    grid[0, mb] = first
    grid[1, mb] = -1
    if first >= 0:
        grid[1, first] = mb
    buckets[bucket] = mb


@lean
def unlink(contents: _I64, buckets: _I32, grid: _I32, mb: int) -> None:
    """Forget what `mb` shows now."""
    content = int(contents[NOW, mb])
    if content == 0:
        return
    after, before = grid[0, mb], grid[1, mb]
    if before >= 0:
        grid[0, before] = after
    else:
        buckets[content >> 1 & (len(buckets) - 1)] = after
    if after >= 0:
        grid[1, after] = before
    contents[NOW, mb] = 0


@lean
def find(contents: _I64, buckets: _I32, grid: _I32, content: int, mb: int, width: int) -> int:
    """A macroblock that shows `content` and that `mb` can copy; -1 for none."""
    at = int(buckets[content >> 1 & (len(buckets) - 1)])
    for _ in range(_PATIENCE):
        if at < 0:
            break
        if contents[NOW, at] == content and reachable(at, mb, width):
            return at
        at = int(grid[0, at])
    return -1


@lean
def nearest(contents: _I64, buckets: _I32, grid: _I32, content: int, mb: int, width: int) -> int:
    """Of the first places that `find` might give, the one with the shortest vector."""
    best = -1
    least = 1 << 30
    found = 0
    at = int(buckets[content >> 1 & (len(buckets) - 1)])
    for _ in range(_PATIENCE):
        if at < 0 or found == _CANDIDATES:
            break
        if contents[NOW, at] == content and reachable(at, mb, width):
            found += 1
            length = signed_length(at % width - mb % width)
            length += signed_length(at // width - mb // width)
            if length < least:
                least = length
                best = at
        at = int(grid[0, at])
    return best


@lean
def note_coded(returned: _I64, content: int) -> None:
    """Note in returned (a power of two,) that `content` had to be coded between key frames. If it
    was lost before, it returns: from now on it is worth keeping."""
    at = content >> 1 & (len(returned) - 1)
    if returned[at] | 1 == content:
        returned[at] = content


@lean
def has_returned(returned: _I64, content: int) -> bool:
    """Whether a content that is about to be lost has returned before; notes that it is lost."""
    at = content >> 1 & (len(returned) - 1)
    if returned[at] | 1 != content:
        returned[at] = content - 1
    return bool(returned[at] == content)


@lean
def free_place(
    contents: _I64, mb: int, width: int, height: int, columns: int, behind: int, picture: int
) -> int:
    """The place of the atlas, in `columns`..`behind` - 1, that was not used for longest among those
    that `mb` can be copied to and from; -1 when there is none or all are in use in this picture."""
    # A small atlas would only be written over and over.
    oldest = picture - (_RECENT if width - columns < _SMALL else 0)
    best = -1
    row, column = mb // width, mb % width
    # A vector leads to the place now, and one back from it later: _DOWN is the shorter of both.
    first, last = max(columns, column - _ACROSS), min(behind, column + _ACROSS + 1)
    for line in range(max(0, row - _DOWN), min(height, row + _DOWN + 1)):
        for column in range(first, last):
            at = line * width + column
            if contents[USED, at] < oldest:
                oldest = contents[USED, at]
                best = at
    return best
