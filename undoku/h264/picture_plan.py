"""Plans a picture: which macroblocks change, the source of each copy, what the atlas keeps."""

from __future__ import annotations

from undoku.h264.atlas_slots import free_place, singles_end
from undoku.h264.block_copies import keep_blocks, match_block
from undoku.h264.canvas import RGB_BYTES, DeferredCanvas, copy_rgb, fingerprint
from undoku.h264.encoder_arrays import (
    BLOCK_HIGH,
    BLOCK_WIDE,
    CHANGED,
    COLUMNS,
    FIRST,
    HEIGHT,
    LAST,
    LIST,
    LOOK,
    MOVES,
    PICTURE,
    SOURCE,
    TODO,
    UNKNOWN,
    VISIBLE_HEIGHT,
    VISIBLE_WIDTH,
    WIDTH,
    Plan,
    Scratch,
)
from undoku.h264.loops import I32_2D, I64, inner
from undoku.h264.previous_picture import (
    BEFORE,
    NEXT,
    SEEN,
    USED,
    exchangeable,
    find,
    has_returned,
    link,
    nearest,
    reachable,
    unlink,
)

LEFT, TOP, RIGHT, BOTTOM, HASHES, SPRITE = range(6)
"""Of a changed rectangle: its edges in pixels; the index of its first fingerprint, if it covers
whole macroblocks and nothing overlaps it, else -1; 1 for a sprite, which may occur again."""
RECT = 6


@inner
def find_changes(
    canvas: DeferredCanvas,
    rects: I32_2D,
    count: int,
    fingerprints: I64,
    plan: Plan,
    scratch: Scratch,
) -> int:
    """Find the macroblocks in rects[:count] (n, RECT) that differ from the previous picture;
    returns their number. They are written to grid[LIST], their contents to contents[NEXT], and
    their sources to grid[SOURCE], -1 for none."""
    registers, contents, grid = plan.registers, plan.contents, plan.grid
    registers[PICTURE] += 1
    changed = _differing(canvas, rects, count, fingerprints, plan, scratch)
    width, wide, high = int(registers[WIDTH]), registers[BLOCK_WIDE], registers[BLOCK_HIGH]
    if changed and wide:
        for number in range(count):
            left, top = int(rects[number, LEFT]), int(rects[number, TOP])
            right, bottom = int(rects[number, RIGHT]), int(rects[number, BOTTOM])
            if (left | top) & 15 == 0 and right - left == 16 * wide and bottom - top == 16 * high:
                corner = (top >> 4) * width + (left >> 4)
                match_block(corner, plan)
    for index in range(changed):
        mb = int(grid[LIST, index])
        if grid[SOURCE, mb] == UNKNOWN:
            grid[SOURCE, mb] = _source(mb, plan)
        if grid[SOURCE, mb] >= 0:
            contents[USED, grid[SOURCE, mb]] = registers[PICTURE]
    return changed


@inner
def _differing(
    canvas: DeferredCanvas,
    rects: I32_2D,
    count: int,
    fingerprints: I64,
    plan: Plan,
    scratch: Scratch,
) -> int:
    """The part of `find_changes` that compares pixels."""
    registers, contents, grid = plan.registers, plan.contents, plan.grid
    pixels, words = canvas.pixels, canvas.words
    samples, rgb_words = scratch.samples, scratch.rgb_words
    picture, width = registers[PICTURE], int(registers[WIDTH])
    across, lines = int(registers[VISIBLE_WIDTH]), int(registers[VISIBLE_HEIGHT])
    rgb = samples[:RGB_BYTES]
    changed = 0
    for number in range(count):
        left, right = int(rects[number, LEFT]) >> 4, (int(rects[number, RIGHT]) + 15) >> 4
        top, bottom = int(rects[number, TOP]) >> 4, (int(rects[number, BOTTOM]) + 15) >> 4
        known = int(rects[number, HASHES])
        for row in range(top, bottom):
            for column in range(left, right):
                mb = row * width + column
                if contents[SEEN, mb] == picture:
                    continue
                contents[SEEN, mb] = picture
                if known >= 0:
                    content = int(
                        fingerprints[known + (row - top) * (right - left) + column - left]
                    )
                elif len(words) and 16 * row + 16 <= lines and 16 * column + 16 <= across:
                    stride = 3 * across // 8
                    content = fingerprint(words, 16 * row * stride + 6 * column, stride)
                else:
                    copy_rgb(pixels, across, lines, column, row, rgb)
                    content = fingerprint(rgb_words, 0, 6)
                if content != contents[BEFORE, mb]:
                    grid[SOURCE, mb] = UNKNOWN
                    grid[TODO, mb] = CHANGED
                    grid[LIST, changed] = mb
                    changed += 1
                    contents[NEXT, mb] = content
    return changed


@inner
def _source(mb: int, plan: Plan) -> int:
    """The source from which `mb` can be copied, -1 for none: preferably with the vector of its left
    or upper neighbour, which takes fewer bits."""
    registers, contents, grid, buckets = plan.registers, plan.contents, plan.grid, plan.buckets
    width, content = int(registers[WIDTH]), int(contents[NEXT, mb])
    for beside in (1, width):
        if (mb % width if beside == 1 else mb // width) and grid[TODO, mb - beside] == CHANGED:
            near = grid[SOURCE, mb - beside] + beside
            if (
                near >= beside
                and near < contents.shape[1]
                and contents[BEFORE, near] == content
                and reachable(near, mb, width)
            ):
                return int(near)
    return nearest(contents, buckets, grid, content, mb, width)


@inner
def index_changes(changed: int, step: int, plan: Plan) -> None:
    """Enter the new contents of grid[LIST, :changed] into the content index, in steps of `step`
    rows of that list, which has no common divisor with `changed`."""
    contents, grid, buckets = plan.contents, plan.grid, plan.buckets
    for index in range(changed):
        unlink(contents, buckets, grid, int(grid[LIST, index]))
    for index in range(changed):
        mb = int(grid[LIST, index * step % changed])
        link(contents, buckets, grid, mb, int(contents[NEXT, mb]))


@inner
def plan_atlas(changed: int, plan: Plan) -> int:
    """Plan copies to the atlas of the contents that this picture overwrites and that have returned
    before, after `index_changes`; returns the number of changed macroblocks, atlas included."""
    registers, contents, grid, buckets, returned = (
        plan.registers,
        plan.contents,
        plan.grid,
        plan.buckets,
        plan.returned,
    )
    width, height = int(registers[WIDTH]), int(registers[HEIGHT])
    columns, picture = int(registers[COLUMNS]), int(registers[PICTURE])
    total = keep_blocks(changed, plan)
    behind = singles_end(registers)
    last, slot = -1, -1
    for index in range(changed):
        mb = int(grid[LIST, index])
        if grid[TODO, mb] == MOVES:
            continue
        content = int(contents[BEFORE, mb])
        if content == 0 or find(contents, buckets, grid, content, mb, width) >= 0:
            continue
        if not has_returned(returned, content):
            continue
        # Neighbours are kept next to each other, so that one vector restores both.
        near = slot + mb - last if slot >= 0 else -1
        if (
            near >= 0
            and near < width * height
            and columns <= near % width < behind
            and near // width - slot // width == mb // width - last // width
            and contents[USED, near] < picture
            and exchangeable(mb, near, width)
        ):
            slot = near
        else:
            # With room for the neighbours that may follow.
            wide = 1 + int(mb % width + 1 < columns and grid[TODO, mb + 1] == CHANGED)
            high = 1 + int(mb // width + 1 < height and grid[TODO, mb + width] == CHANGED)
            slot = free_place(mb, wide, high, plan)
            if slot < 0:
                slot = free_place(mb, 1, 1, plan)
        if slot < 0:
            break
        last = mb
        unlink(contents, buckets, grid, slot)
        link(contents, buckets, grid, slot, content)
        contents[USED, slot] = picture
        grid[SOURCE, slot] = mb
        grid[TODO, slot] = CHANGED
        grid[LIST, total] = slot
        total += 1
    return total


@inner
def mark_columns(total: int, width: int, grid: I32_2D) -> None:
    """Record the columns of each row that must be examined: those of grid[LIST, :total], and
    unchanged macroblocks that may need an explicit zero vector because a neighbour moves."""
    for index in range(total):
        mb = int(grid[LIST, index])
        row, column = mb // width, mb % width
        grid[FIRST, row] = min(grid[FIRST, row], column)
        if column < width - 1:
            column += 1
            if grid[TODO, mb + 1] == 0:
                grid[TODO, mb + 1] = LOOK
        grid[LAST, row] = max(grid[LAST, row], column)
