"""The previous picture, the atlas included: an index from contents to its macroblocks, and its
samples and those of the picture being coded, as a decoder has them.

A content is the fingerprint of a macroblock's pixels; 0 is none. `contents` is (5, macroblocks)
int64: BEFORE, the content in the previous picture; NOW, the content in the lists; NEXT, the content
in the picture being coded; USED and SEEN, the last pictures in which the macroblock was copied and
examined. Macroblocks with a content are in doubly linked lists, one per bucket of `buckets` ((a
power of two,) int32): the first two rows of `grid`, (rows, macroblocks) int32, hold the next and
the previous macroblock, -1 for none.

Most macroblocks of a picture are copies. Its samples are therefore a table with the number of each
macroblock in `samples`, so that a copy moves a number instead of 384 bytes.
"""

from __future__ import annotations

import numpy as np

from undoku.h264.bits import signed_length
from undoku.h264.encoder_arrays import (
    COLUMNS,
    ERROR,
    LIST,
    WIDTH,
    DecodedPictures,
    Plan,
)
from undoku.h264.levels import HORIZONTAL_REACH, VERTICAL_REACH
from undoku.h264.loops import I32, I32_2D, I64, I64_2D, inner

BEFORE, NOW, NEXT, USED, SEEN = range(5)


# In macroblocks. A vector may point one macroblock further left and up than right and down; this is
# not used to the left.
REACH_ACROSS = HORIZONTAL_REACH // 16 - 1
_UP, REACH_DOWN = VERTICAL_REACH // 16, VERTICAL_REACH // 16 - 1
_PATIENCE = 256  # members of a list that are examined
_CANDIDATES = 8


@inner
def reachable(source: int, mb: int, width: int) -> bool:
    """Whether a motion vector of macroblock `mb` can point to `source`."""
    across = source % width - mb % width
    down = source // width - mb // width
    return -REACH_ACROSS <= across <= REACH_ACROSS and -_UP <= down <= REACH_DOWN


@inner
def exchangeable(one: int, other: int, width: int) -> bool:
    """Whether each of two macroblocks can be copied to the other, as a copy to the atlas and back
    needs."""
    return reachable(one, other, width) and reachable(other, one, width)


@inner
def shows(contents: I64_2D, mb: int, width: int, right: int, down: int, content: int) -> bool:
    """Whether the macroblock (right, down) samples from `mb` has `content` in the previous picture
    and is in the range of vectors."""
    column = mb % width + right // 16
    source = mb + down // 16 * width + right // 16
    return bool(
        (right | down) & 15 == 0
        and 0 <= column < width
        and 0 <= source < contents.shape[1]
        and contents[BEFORE, source] == content
        and reachable(source, mb, width)
    )


@inner
def link(contents: I64_2D, buckets: I32, grid: I32_2D, mb: int, content: int) -> None:
    """Insert `mb` into the list of `content`."""
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


@inner
def unlink(contents: I64_2D, buckets: I32, grid: I32_2D, mb: int) -> None:
    """Remove `mb` from its list."""
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


@inner
def find(contents: I64_2D, buckets: I32, grid: I32_2D, content: int, mb: int, width: int) -> int:
    """A macroblock with `content` that `mb` can be copied from; -1 for none."""
    at = int(buckets[content >> 1 & (len(buckets) - 1)])
    for _ in range(_PATIENCE):
        if at < 0:
            break
        if contents[NOW, at] == content and reachable(at, mb, width):
            return at
        at = int(grid[0, at])
    return -1


@inner
def nearest(contents: I64_2D, buckets: I32, grid: I32_2D, content: int, mb: int, width: int) -> int:
    """Like `find`, but of the first candidates the one with the shortest vector."""
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


@inner
def note_coded(returned: I64, content: int) -> None:
    """Record in `returned` (a power of two,) that `content` was coded outside a key frame. If it
    was lost before, it has returned, and the atlas will keep it from now on."""
    at = content >> 1 & (len(returned) - 1)
    if returned[at] | 1 == content:
        returned[at] = content


@inner
def has_returned(returned: I64, content: int) -> bool:
    """Whether a content that is about to be lost has returned before; records the loss."""
    at = content >> 1 & (len(returned) - 1)
    if returned[at] | 1 != content:
        returned[at] = content - 1
    return bool(returned[at] == content)


_CODED = -1
"""In `now`: the macroblock is not a copy; its samples are in `current`."""


def empty_pictures(mbs: int) -> DecodedPictures:
    """A grey picture of `mbs` macroblocks."""
    return DecodedPictures(
        samples=np.full((mbs, 384), 128, np.uint8),
        current=np.full((mbs, 384), 128, np.uint8),
        before=np.arange(mbs, dtype=np.int32),
        now=np.arange(mbs, dtype=np.int32),
        errors=np.zeros(mbs, np.int32),
        coded_errors=np.zeros(mbs, np.int32),
        uses=np.ones(mbs, np.int32),
        unused=np.zeros(mbs + 1, np.int32),
    )


@inner
def copy_decoded(decoded: DecodedPictures, mb: int, source: int) -> None:
    """Copy a macroblock of the previous picture."""
    decoded.now[mb] = decoded.before[source]


@inner
def mark_coded(decoded: DecodedPictures, mb: int) -> None:
    """Note that the samples of a macroblock are in `current`."""
    decoded.now[mb] = _CODED


@inner
def gather_surroundings(decoded: DecodedPictures, mb: int, width: int) -> None:
    """Copy to `current` the samples of the macroblocks from which intra prediction predicts `mb`:
    on the left, above left, above and above right. `width` is that of the picture in
    macroblocks."""
    column = mb % width
    if column:
        _gather(decoded, mb - 1)
    if mb >= width:
        _gather(decoded, mb - width)
        if column:
            _gather(decoded, mb - width - 1)
        if column < width - 1:
            _gather(decoded, mb - width + 1)


@inner
def _gather(decoded: DecodedPictures, mb: int) -> None:
    number = int(decoded.now[mb])
    if number == _CODED:
        return
    decoded.current[mb] = decoded.samples[number]


@inner
def advance_decoded(total: int, plan: Plan, decoded: DecodedPictures) -> None:
    """Make the coded picture the previous one; its macroblocks grid[LIST, :total] may differ, and
    its error with them."""
    samples, current, before, now, errors, coded_errors, uses, unused = decoded
    registers, grid = plan.registers, plan.grid
    width, columns = int(registers[WIDTH]), int(registers[COLUMNS])
    last = len(unused) - 1
    count = int(unused[last])
    # A number that is copied is not released by the macroblock that showed it before.
    for index in range(total):
        number = int(now[grid[LIST, index]])
        if number != _CODED:
            uses[number] += 1
    for index in range(total):
        mb = int(grid[LIST, index])
        number = int(before[mb])
        if mb % width < columns:
            registers[ERROR] -= errors[number]
        uses[number] -= 1
        if uses[number] == 0:
            unused[count] = number
            count += 1
        before[mb] = now[mb]
    for index in range(total):
        mb = int(grid[LIST, index])
        if now[mb] == _CODED:
            count -= 1
            number = int(unused[count])
            samples[number] = current[mb]
            uses[number] = 1
            errors[number] = coded_errors[mb]
            before[mb] = now[mb] = number
        if mb % width < columns:
            registers[ERROR] += errors[before[mb]]
    unused[last] = count
