"""Codes a picture: what changed is found on the canvas, then copied, or coded where it is new.

State that lives from picture to picture (mbs = macroblocks of the coded picture):
    registers (REGISTERS,) int64; the first three are the pen
    places    (5, mbs) int64     see places.py
    grid      (ROWS, mbs) int32  see places.py and motion.py; TODO, SOURCE and LIST are the plan,
                                 FIRST and LAST the columns of each row that have something to do
    heads     (buckets,) int32   see places.py
    memory    (a power of two,) int64  see places.py
    tiles     (2, mbs, 384) uint8  the picture before and the one being coded, as decoded
    around    (mbs, 40) uint8    see cavlc.py
    page      (n,) uint8         room for one RBSP; unit (m,) uint8, for its NAL unit
    samples   (1536,) uint8, numbers (503,) int32: scratch
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from render.sinks.h264.bits import BYTE, PEN, escape, put, put_unsigned, trail, written
from render.sinks.h264.macroblock import (
    best_luma,
    code_intra4,
    code_intra16,
    code_raw,
    code_residual,
    forget,
)
from render.sinks.h264.motion import (
    DOWN,
    INTRA,
    RIGHT,
    foresee_vector,
    skip_vector,
    write_copy,
)
from render.sinks.h264.places import (
    BEFORE,
    NEXT,
    NOW,
    SEEN,
    USED,
    find,
    link,
    missed,
    reachable,
    spare,
    unlink,
    worth_keeping,
)
from render.sinks.h264.tiles import TILE_BYTES, convert, fingerprint, gather
from solver.compiled import compiled

__all__ = [
    "ACROSS",
    "CODED",
    "COLUMNS",
    "COPIED",
    "FRAME_NUM",
    "HEIGHT",
    "KEYS",
    "LINES",
    "LOST",
    "PICTURE",
    "QP",
    "RAW",
    "REGISTERS",
    "ROWS",
    "WIDTH",
    "draw_delta",
    "draw_key",
    "survey",
]

WIDTH, HEIGHT, COLUMNS, ACROSS, LINES, QP = range(PEN, PEN + 6)
PICTURE, FRAME_NUM, KEYS, COPIED, CODED, RAW, LOST = range(PEN + 6, PEN + 13)
REGISTERS = PEN + 13

TODO, SOURCE, LIST, FIRST, LAST = 5, 6, 7, 8, 9
ROWS = 10
_CHANGED, _LOOK, _CODED = 1, 2, 3
_MOST_BITS = 3100  # a macroblock may have 3200, clause A.3.1

_U8 = NDArray[np.uint8]
_I32 = NDArray[np.int32]
_I64 = NDArray[np.int64]


@compiled
def survey(
    pixels: _U8,
    rects: _I32,
    count: int,
    registers: _I64,
    places: _I64,
    grid: _I32,
    heads: _I32,
    samples: _U8,
) -> int:
    """Find which macroblocks differ from the picture before, in rects[:count] (left, top, right,
    bottom); returns how many. They stand in grid[LIST], what they show in places[NEXT], and where
    that can be copied from, or -1, in grid[SOURCE]; LOST counts those."""
    registers[PICTURE] += 1
    picture = registers[PICTURE]
    width = int(registers[WIDTH])
    across, lines = int(registers[ACROSS]), int(registers[LINES])
    taken = samples[:TILE_BYTES]
    words = taken.view(np.uint64)
    changed = 0
    lost = 0
    for number in range(count):
        left, right = int(rects[number, 0]) >> 4, (int(rects[number, 2]) + 15) >> 4
        top, bottom = int(rects[number, 1]) >> 4, (int(rects[number, 3]) + 15) >> 4
        for row in range(top, bottom):
            for column in range(left, right):
                mb = row * width + column
                if places[SEEN, mb] == picture:
                    continue
                places[SEEN, mb] = picture
                gather(pixels, across, lines, column, row, taken)
                content = fingerprint(words)
                if content == places[BEFORE, mb]:
                    continue
                # What the left or the upper neighbour copies from goes on beside: one vector.
                source = -1
                for beside in (1, width):
                    if (column if beside == 1 else row) and grid[TODO, mb - beside] == _CHANGED:
                        near = grid[SOURCE, mb - beside] + beside
                        if (
                            near >= beside
                            and near < places.shape[1]
                            and places[BEFORE, near] == content
                            and reachable(near, mb, width)
                        ):
                            source = near
                            break
                if source < 0:
                    source = find(places, heads, grid, content, mb, width)
                if source < 0:
                    lost += 1
                else:
                    places[USED, source] = picture
                grid[SOURCE, mb] = source
                grid[TODO, mb] = _CHANGED
                grid[LIST, changed] = mb
                changed += 1
                places[NEXT, mb] = content
    registers[LOST] = lost
    return changed


@compiled
def _commit(
    changed: int, registers: _I64, places: _I64, grid: _I32, heads: _I32, memory: _I64
) -> int:
    """Take the new contents into the lists; returns how many macroblocks change, those of the
    atlas included that keep a content which would be lost and has returned before."""
    width, height = int(registers[WIDTH]), int(registers[HEIGHT])
    columns, picture = int(registers[COLUMNS]), int(registers[PICTURE])
    for index in range(changed):
        unlink(places, heads, grid, int(grid[LIST, index]))
    for index in range(changed):
        mb = int(grid[LIST, index])
        link(places, heads, grid, mb, int(places[NEXT, mb]))
    total = changed
    last, slot = -1, -1
    for index in range(changed):
        mb = int(grid[LIST, index])
        content = int(places[BEFORE, mb])
        if content == 0 or find(places, heads, grid, content, mb, width) >= 0:
            continue
        if not worth_keeping(memory, content):
            continue
        # What stood together is kept together, so that one vector brings it back.
        near = slot + mb - last if slot >= 0 else -1
        if (
            near >= 0
            and near < width * height
            and near % width >= columns
            and near // width - slot // width == mb // width - last // width
            and places[USED, near] < picture
            and reachable(mb, near, width)
        ):
            slot = near
        else:
            slot = spare(places, mb, width, height, columns, picture)
        if slot < 0:
            break
        last = mb
        unlink(places, heads, grid, slot)
        link(places, heads, grid, slot, content)
        places[USED, slot] = picture
        grid[SOURCE, slot] = mb
        grid[TODO, slot] = _CHANGED
        grid[LIST, total] = slot
        total += 1
    return total


@compiled
def _settle(total: int, places: _I64, grid: _I32, tiles: _U8, around: _U8) -> None:
    """Make the picture that was coded the picture before."""
    for index in range(total):
        mb = int(grid[LIST, index])
        for at in range(384):
            tiles[0, mb, at] = tiles[1, mb, at]
        if grid[TODO, mb] == _CODED:
            forget(around, mb)
        grid[RIGHT, mb] = 0
        grid[DOWN, mb] = 0
        grid[INTRA, mb] = 0
        grid[TODO, mb] = 0
        places[BEFORE, mb] = places[NOW, mb]


@compiled
def _finish(registers: _I64, page: _U8, unit: _U8, kind: int) -> int:
    """End the slice data and make a NAL unit of it; returns its bytes."""
    trail(page, registers)
    unit[0] = kind
    return escape(page, int(registers[BYTE]), unit, 1)


@compiled
def _slice_header(registers: _I64, page: _U8, key: bool) -> None:
    """slice_header(), clause 7.3.3, for one slice that is the whole picture."""
    for index in range(PEN):
        registers[index] = 0
    put_unsigned(page, registers, 0)  # first_mb_in_slice
    put_unsigned(page, registers, 2 if key else 0)  # slice_type: I or P
    put_unsigned(page, registers, 0)  # pic_parameter_set_id
    put(page, registers, int(registers[FRAME_NUM]) & 15, 4)  # frame_num
    if key:
        put_unsigned(page, registers, int(registers[KEYS]) & 1)  # idr_pic_id
        put(page, registers, 0, 2)  # no_output_of_prior_pics_flag, long_term_reference_flag
    else:
        put(page, registers, 0, 1)  # num_ref_idx_active_override_flag
        put(page, registers, 0, 1)  # ref_pic_list_modification_flag_l0
        put(page, registers, 0, 1)  # adaptive_ref_pic_marking_mode_flag
    put_unsigned(page, registers, 0)  # slice_qp_delta
    put_unsigned(page, registers, 1)  # disable_deblocking_filter_idc


@compiled
def draw_key(
    pixels: _U8,
    changed: int,
    registers: _I64,
    places: _I64,
    grid: _I32,
    heads: _I32,
    memory: _I64,
    tiles: _U8,
    around: _U8,
    page: _U8,
    unit: _U8,
    samples: _U8,
    numbers: _I32,
) -> int:
    """An IDR picture of everything that stands on the canvas, after `survey` found `changed`;
    returns the bytes of its NAL unit. The atlas is empty after it."""
    width, height = int(registers[WIDTH]), int(registers[HEIGHT])
    columns, qp = int(registers[COLUMNS]), int(registers[QP])
    across, lines = int(registers[ACROSS]), int(registers[LINES])
    taken, wanted = samples[:TILE_BYTES], samples[768:1152]
    foreseen = samples[1152:1536]
    levels, block = numbers[:432].reshape(27, 16), numbers[432:448]
    edge, shades = numbers[448:464], numbers[464:]
    current = tiles[1]
    for index in range(changed):
        unlink(places, heads, grid, int(grid[LIST, index]))
    for index in range(changed):
        mb = int(grid[LIST, index])
        link(places, heads, grid, mb, int(places[NEXT, mb]))
    for row in range(height):
        for column in range(columns, width):
            unlink(places, heads, grid, row * width + column)
    registers[FRAME_NUM] = 0
    registers[KEYS] += 1
    _slice_header(registers, page, True)
    for mb in range(width * height):
        start = written(registers)
        held, bits, byte = registers[0], registers[1], registers[2]
        column = mb % width
        if column < columns:
            gather(pixels, across, lines, column, mb // width, taken)
            convert(taken, wanted)
            found = best_luma(wanted, current, mb, width, foreseen)
        else:
            # Nothing is seen of the atlas: it goes on as the picture ends.
            wanted[:] = current[mb - 1]
            for index in range(256):
                wanted[index] = current[mb - 1, index | 15]
            for index in range(256, 384):
                wanted[index] = current[mb - 1, index | 7]
            found = best_luma(wanted, current, mb, width, foreseen)
        if found >> 2 == 0 or _even(wanted, foreseen):
            code_intra16(
                page, registers, wanted, current, around, mb, width, qp, 0, found & 3,
                levels, block, foreseen,
            )  # fmt: skip
        else:
            code_intra4(
                page, registers, wanted, current, around, mb, width, qp, 0,
                levels, block, foreseen, edge, shades,
            )  # fmt: skip
        if written(registers) - start > _MOST_BITS:
            registers[0], registers[1], registers[2] = held, bits, byte
            code_raw(page, registers, wanted, current, around, mb, 0)
            registers[RAW] += 1
    size = _finish(registers, page, unit, 0x65)
    for mb in range(width * height):
        grid[LIST, mb] = mb
        grid[TODO, mb] = _CODED
    _settle(width * height, places, grid, tiles, around)
    registers[FRAME_NUM] = 1
    return size


@compiled
def _even(wanted: _U8, foreseen: _U8) -> bool:
    """Whether the luma residual is one value all over: a DC that Intra_16x16 sends cheaply."""
    first = int(wanted[0]) - int(foreseen[0])
    for index in range(256):
        if abs(int(wanted[index]) - int(foreseen[index]) - first) > 1:
            return False
    return True


@compiled
def _arrange(total: int, width: int, grid: _I32) -> None:
    """Note which columns of each row must be looked at: those of grid[LIST, :total], and what
    stands still on their right, which may need to say so."""
    for index in range(total):
        mb = int(grid[LIST, index])
        row, column = mb // width, mb % width
        grid[FIRST, row] = min(grid[FIRST, row], column)
        if column < width - 1:
            column += 1
            if grid[TODO, mb + 1] == 0:
                grid[TODO, mb + 1] = _LOOK
        grid[LAST, row] = max(grid[LAST, row], column)


@compiled
def draw_delta(
    pixels: _U8,
    changed: int,
    registers: _I64,
    places: _I64,
    grid: _I32,
    heads: _I32,
    memory: _I64,
    tiles: _U8,
    around: _U8,
    page: _U8,
    unit: _U8,
    samples: _U8,
    numbers: _I32,
) -> int:
    """A P picture of the `changed` macroblocks that `survey` found; returns the bytes of its NAL
    unit."""
    width = int(registers[WIDTH])
    mbs = width * int(registers[HEIGHT])
    total = _commit(changed, registers, places, grid, heads, memory)
    _arrange(total, width, grid)
    _slice_header(registers, page, False)
    done = -1  # the last macroblock that is written or belongs to a run that is
    for row in range(int(registers[HEIGHT])):
        first, last = grid[FIRST, row], grid[LAST, row]
        grid[FIRST, row] = width
        grid[LAST, row] = -1
        for mb in range(row * width + first, row * width + last + 1):
            todo = grid[TODO, mb]
            if todo == 0:
                continue
            right, down = skip_vector(grid, mb, width)
            if todo == _LOOK:
                grid[TODO, mb] = 0
                if right or down:
                    put_unsigned(page, registers, mb - done - 1)  # mb_skip_run
                    write_copy(page, registers, grid, mb, width, 0, 0)
                    done = mb
                continue
            content = places[NOW, mb]
            if _shows(places, mb, width, right, down, content):
                grid[RIGHT, mb] = right
                grid[DOWN, mb] = down
                _copy(tiles, mb, mb + down // 16 * width + right // 16)
                continue
            put_unsigned(page, registers, mb - done - 1)  # mb_skip_run
            done = mb
            right, down = foresee_vector(grid, mb, width)
            source = int(grid[SOURCE, mb])
            if _shows(places, mb, width, right, down, content):
                source = mb + down // 16 * width + right // 16
            if source >= 0:
                right = 16 * (source % width - mb % width)
                down = 16 * (source // width - mb // width)
                write_copy(page, registers, grid, mb, width, right, down)
                _copy(tiles, mb, source)
                registers[COPIED] += 1
            else:
                missed(memory, content)
                grid[TODO, mb] = _CODED
                _code_new(pixels, mb, registers, grid, tiles, around, page, samples, numbers)
    if done < mbs - 1:
        put_unsigned(page, registers, mbs - 1 - done)  # mb_skip_run
    size = _finish(registers, page, unit, 0x41)
    _settle(total, places, grid, tiles, around)
    registers[FRAME_NUM] += 1
    return size


@compiled
def _shows(places: _I64, mb: int, width: int, right: int, down: int, content: int) -> bool:
    """Whether (right, down) of `mb` there stood `content`."""
    column = mb % width + right // 16
    source = mb + down // 16 * width + right // 16
    return bool(
        0 <= column < width
        and 0 <= source < places.shape[1]
        and places[BEFORE, source] == content
        and reachable(source, mb, width)
    )


@compiled
def _copy(tiles: _U8, mb: int, source: int) -> None:
    for index in range(384):
        tiles[1, mb, index] = tiles[0, source, index]


@compiled
def _code_new(
    pixels: _U8,
    mb: int,
    registers: _I64,
    grid: _I32,
    tiles: _U8,
    around: _U8,
    page: _U8,
    samples: _U8,
    numbers: _I32,
) -> None:
    """Code what stands nowhere: as the difference to what stood here, or from its neighbours,
    whichever is shorter, or as it is."""
    width, qp = int(registers[WIDTH]), int(registers[QP])
    taken, wanted = samples[:TILE_BYTES], samples[768:1152]
    foreseen = samples[1152:1536]
    levels, block = numbers[:432].reshape(27, 16), numbers[432:448]
    edge, shades = numbers[448:464], numbers[464:]
    current = tiles[1]
    gather(
        pixels, int(registers[ACROSS]), int(registers[LINES]), mb % width, mb // width, taken
    )
    convert(taken, wanted)
    held, bits, byte = registers[0], registers[1], registers[2]
    start = written(registers)
    right, down = foresee_vector(grid, mb, width)
    shortest = 1 << 30
    choice = 0
    for turn in range(4):
        # Three tries, then the best of them again, unless it was the last.
        way = choice if turn == 3 else turn
        if turn == 3 and way == 2:
            break
        registers[0], registers[1], registers[2] = held, bits, byte
        if way == 0:
            foreseen[:] = tiles[0, mb]
            code_residual(
                page, registers, wanted, current, around, mb, width, qp, -4 * right, -4 * down,
                levels, block, foreseen,
            )  # fmt: skip
        elif way == 1:
            mode = best_luma(wanted, current, mb, width, foreseen) & 3
            code_intra16(
                page, registers, wanted, current, around, mb, width, qp, 5, mode,
                levels, block, foreseen,
            )  # fmt: skip
        else:
            code_intra4(
                page, registers, wanted, current, around, mb, width, qp, 5,
                levels, block, foreseen, edge, shades,
            )  # fmt: skip
        length = written(registers) - start
        if turn < 3 and length < shortest:
            shortest = length
            choice = way
    grid[INTRA, mb] = 0 if choice == 0 else 1
    if shortest > _MOST_BITS:
        registers[0], registers[1], registers[2] = held, bits, byte
        code_raw(page, registers, wanted, current, around, mb, 5)
        grid[INTRA, mb] = 1
        registers[RAW] += 1
    registers[CODED] += 1
