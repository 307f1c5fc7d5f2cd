"""Codes a picture as planned: macroblocks with a source are copied, the others are coded. A slice
is always a whole picture.
"""

from __future__ import annotations

from undoku.h264.atlas_slots import clear_slots
from undoku.h264.bits import escape, position_of, put, put_signed, put_unsigned, rewind, trail
from undoku.h264.block_index import note_change, refresh
from undoku.h264.canvas import DeferredCanvas
from undoku.h264.encoder_arrays import (
    BYTE,
    CODED,
    CODED_NEW,
    COLUMNS,
    COPIED,
    CURSOR,
    FILM_QP,
    FIRST,
    FRAME_NUM,
    HEIGHT,
    KEYS,
    LAST,
    LAST_QP,
    LIST,
    LOOK,
    MOVES,
    MUCH_NEW,
    PCM,
    QP,
    ROOM,
    SOURCE,
    TAKEN,
    TODO,
    WIDE_SEARCHES,
    WIDTH,
    DecodedPictures,
    Pictures,
    Plan,
    Scratch,
)
from undoku.h264.intra_prediction import clear_neighbours
from undoku.h264.loops import I64, U8, inner
from undoku.h264.mode_decision import code_macroblock
from undoku.h264.motion_vectors import (
    MOVED,
    STILL,
    offset_of,
    predict_vector,
    set_vector,
    skip_vector,
    write_copy,
)
from undoku.h264.near_copies import COPIED_NEARLY, NOT_COPIED, copy_nearly
from undoku.h264.nearest_candidates import MAX_WIDE_SEARCHES
from undoku.h264.parameters import FINEST
from undoku.h264.picture_plan import index_changes, mark_columns, plan_atlas
from undoku.h264.previous_picture import (
    BEFORE,
    NOW,
    advance_decoded,
    copy_decoded,
    note_coded,
    shows,
    unlink,
)
from undoku.h264.quantiser_control import (
    choose_quantiser,
    code_again,
    is_coarse,
    refine_key,
    refine_quantiser,
)


@inner
def finish_nal_unit(registers: I64, rbsp: U8, nal_unit: U8, kind: int) -> int:
    """End the slice data and write it to `nal_unit`; returns the number of bytes. `kind` is the
    header of the NAL unit."""
    trail(rbsp, registers)
    nal_unit[0] = kind
    return escape(rbsp, int(registers[BYTE]), nal_unit, 1)


@inner
def slice_header(registers: I64, rbsp: U8, key: bool) -> None:
    """slice_header(), clause 7.3.3, for one slice that is the whole picture."""
    registers[:CURSOR] = 0
    put_unsigned(rbsp, registers, 0)  # first_mb_in_slice
    put_unsigned(rbsp, registers, 2 if key else 0)  # slice_type: I or P
    put_unsigned(rbsp, registers, 0)  # pic_parameter_set_id
    put(rbsp, registers, int(registers[FRAME_NUM]) & 15, 4)  # frame_num
    if key:
        # idr_pic_id, 1 or 2: codes of one length, so that a splice can change one to the other
        # without moving what follows. Raw samples must stay at whole bytes.
        put_unsigned(rbsp, registers, 1 + (int(registers[KEYS]) & 1))
        put(rbsp, registers, 0, 2)  # no_output_of_prior_pics_flag, long_term_reference_flag
    else:
        put(rbsp, registers, 0, 1)  # num_ref_idx_active_override_flag
        put(rbsp, registers, 1, 1)  # ref_pic_list_modification_flag_l0
        # The previous picture is listed twice (see motion_vectors.py): one picture back, then
        # MaxPicNum further.
        put_unsigned(rbsp, registers, 0)  # modification_of_pic_nums_idc: back
        put_unsigned(rbsp, registers, 0)  # abs_diff_pic_num_minus1
        put_unsigned(rbsp, registers, 0)  # modification_of_pic_nums_idc: back
        put_unsigned(rbsp, registers, 15)  # abs_diff_pic_num_minus1
        put_unsigned(rbsp, registers, 3)  # modification_of_pic_nums_idc: end
        put(rbsp, registers, 0, 1)  # adaptive_ref_pic_marking_mode_flag
    put_signed(rbsp, registers, int(registers[QP] - registers[FILM_QP]))  # slice_qp_delta
    registers[LAST_QP] = registers[QP]
    put_unsigned(rbsp, registers, 1)  # disable_deblocking_filter_idc


_SCATTERING = 15_485_863  # a prime number


@inner
def _advance(total: int, plan: Plan, pictures: Pictures) -> None:
    """Make the coded picture the previous picture."""
    contents, grid = plan.contents, plan.grid
    neighbours, stale_luma = pictures.neighbours, pictures.stale_luma
    changes8, changes4 = pictures.blocks8.changes, pictures.blocks4.changes
    advance_decoded(total, plan, pictures.decoded)
    for index in range(total):
        mb = int(grid[LIST, index])
        stale_luma[mb] = 1
        if grid[TODO, mb] == CODED_NEW:
            clear_neighbours(neighbours, mb)
        set_vector(grid, mb, 0, 0, STILL)
        grid[TODO, mb] = 0
        if contents[BEFORE, mb] != contents[NOW, mb]:
            contents[BEFORE, mb] = contents[NOW, mb]
            note_change(changes8, mb)
            note_change(changes4, mb)


@inner
def encode_picture(
    canvas: DeferredCanvas,
    changed: int,
    key: bool,
    plan: Plan,
    pictures: Pictures,
    nal_unit: U8,
    scratch: Scratch,
) -> int:
    """Encode a picture with the `changed` macroblocks that `find_changes` found; returns the bytes
    of its NAL unit. With `key` it is an IDR picture of the whole canvas, after which the atlas is
    empty; otherwise a P picture, which has only skipped macroblocks if none changed."""
    registers, contents, grid, buckets = plan.registers, plan.contents, plan.grid, plan.buckets
    blocks8, blocks4, rbsp = pictures.blocks8, pictures.blocks4, pictures.rbsp
    samples = scratch.samples
    width, height = int(registers[WIDTH]), int(registers[HEIGHT])
    columns = int(registers[COLUMNS])
    total = width * height
    registers[TAKEN] = -1
    # Only the first macroblocks of a list are examined. After a key frame they lie all over the
    # picture, so that vectors reach some of them.
    index_changes(changed, _SCATTERING if key else 1, plan)
    if key:
        registers[FRAME_NUM] = 0
        registers[KEYS] += 1
        clear_slots(plan)
        for mb in range(total):
            if mb % width >= columns:
                unlink(contents, buckets, grid, mb)
            grid[LIST, mb] = mb * _SCATTERING % total
            grid[TODO, mb] = CODED_NEW
        raw = registers[PCM]
        registers[QP] = registers[FILM_QP]
        again = True
        while again:
            registers[PCM] = raw
            slice_header(registers, rbsp, True)
            for mb in range(total):
                code_macroblock(canvas, mb, True, plan, pictures, scratch)
            again = refine_key(registers, pictures.decoded.coded_errors)
        size = finish_nal_unit(registers, rbsp, nal_unit, 0x65)
    else:
        total = plan_atlas(changed, plan)
        choose_quantiser(total, plan, pictures.decoded)
        mark_columns(total, width, grid)
        size = write_p_picture(canvas, plan, pictures, nal_unit, scratch)
    _advance(total, plan, pictures)
    if key:
        # The canvas no longer shows these pixels when the next picture is encoded.
        refresh(canvas, plan, blocks8, samples)
        refresh(canvas, plan, blocks4, samples)
    registers[FRAME_NUM] += 1
    return size


@inner
def _code_within_limit(
    canvas: DeferredCanvas, mb: int, plan: Plan, pictures: Pictures, scratch: Scratch
) -> None:
    """Code a macroblock of a P picture, again with a finer quantiser as long as the picture has too
    large an error with it."""
    registers = plan.registers
    position = position_of(registers)
    copied, coded, raw = int(registers[COPIED]), int(registers[CODED]), int(registers[PCM])
    code_macroblock(canvas, mb, False, plan, pictures, scratch)
    while registers[ROOM] < 0 and registers[QP] > FINEST:
        rewind(registers, position)
        registers[COPIED], registers[CODED], registers[PCM] = copied, coded, raw
        code_again(int(pictures.decoded.coded_errors[mb]), registers)
        code_macroblock(canvas, mb, False, plan, pictures, scratch)


@inner
def _forget_coarse(mb: int, plan: Plan, decoded: DecodedPictures) -> None:
    """Let the macroblock have no content, as if something else were shown, if it must not stay as
    it is coded: it is not copied, and coded again with the next change."""
    if is_coarse(int(decoded.coded_errors[mb]), plan.registers):
        unlink(plan.contents, plan.buckets, plan.grid, mb)


@inner
def write_p_picture(
    canvas: DeferredCanvas, plan: Plan, pictures: Pictures, nal_unit: U8, scratch: Scratch
) -> int:
    """Write the planned P picture; returns the bytes of its NAL unit. Its slice_data(), clause
    7.3.4, alternates runs of skipped macroblocks and other macroblocks."""
    registers, contents, grid, returned = plan.registers, plan.contents, plan.grid, plan.returned
    decoded, rbsp = pictures.decoded, pictures.rbsp
    slice_header(registers, rbsp, False)
    registers[WIDE_SEARCHES] = MAX_WIDE_SEARCHES if registers[MUCH_NEW] else 0
    width = int(registers[WIDTH])
    mbs = width * int(registers[HEIGHT])
    done = -1  # the last macroblock that is written, by itself or in a run
    for row in range(int(registers[HEIGHT])):
        first, last = grid[FIRST, row], grid[LAST, row]
        grid[FIRST, row] = width
        grid[LAST, row] = -1
        for mb in range(row * width + first, row * width + last + 1):
            todo = grid[TODO, mb]
            if todo == 0:
                continue
            right, down = skip_vector(grid, mb, width)
            if todo == MOVES:
                # A macroblock of a block needs the block's vector, from which the next ones are
                # predicted.
                source = int(grid[SOURCE, mb])
                copy_decoded(decoded, mb, source)
                to_right, to_down = offset_of(source, mb, width)
                if to_right == right and to_down == down:
                    set_vector(grid, mb, right, down, STILL)
                    continue
                right, down = offset_of(source, mb, width)
                put_unsigned(rbsp, registers, mb - done - 1)  # mb_skip_run
                write_copy(rbsp, registers, grid, mb, width, right, down, MOVED)
                done = mb
                registers[COPIED] += 1
                continue
            if todo == LOOK:
                grid[TODO, mb] = 0
                if right or down:
                    put_unsigned(rbsp, registers, mb - done - 1)  # mb_skip_run
                    write_copy(rbsp, registers, grid, mb, width, 0, 0, STILL)
                    done = mb
                continue
            content = contents[NOW, mb]
            if shows(contents, mb, width, right, down, content):
                set_vector(grid, mb, right, down, STILL)
                copy_decoded(decoded, mb, mb + down // 16 * width + right // 16)
                continue
            source = int(grid[SOURCE, mb])
            nearly = registers[MUCH_NEW] or (source < 0 and (right or down))
            if nearly and mb % width < registers[COLUMNS]:
                refine_quantiser(registers)
                how = copy_nearly(canvas, mb, mb - done - 1, right, down, plan, pictures, scratch)
                if how == COPIED_NEARLY:
                    done = mb
                    registers[COPIED] += 1
                if how != NOT_COPIED:
                    _forget_coarse(mb, plan, decoded)
                    continue
            put_unsigned(rbsp, registers, mb - done - 1)  # mb_skip_run
            done = mb
            right, down = predict_vector(grid, mb, width, MOVED)
            if shows(contents, mb, width, right, down, content):
                source = mb + down // 16 * width + right // 16
            if source >= 0:
                right, down = offset_of(source, mb, width)
                write_copy(rbsp, registers, grid, mb, width, right, down, MOVED)
                copy_decoded(decoded, mb, source)
                registers[COPIED] += 1
            else:
                note_coded(returned, content)
                registers[CODED] += 1
                grid[TODO, mb] = CODED_NEW
                refine_quantiser(registers)
                _code_within_limit(canvas, mb, plan, pictures, scratch)
                _forget_coarse(mb, plan, decoded)

    if done < mbs - 1:
        put_unsigned(rbsp, registers, mbs - 1 - done)  # mb_skip_run
    return finish_nal_unit(registers, rbsp, nal_unit, 0x41)
