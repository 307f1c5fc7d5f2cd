"""Writes the header and the end of a slice, which is always a whole picture."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undoku.h264.bits import BYTE, CURSOR, LAST_QP, escape, put, put_signed, put_unsigned, trail
from undoku.h264.encoder_arrays import FILM_QP, FRAME_NUM, KEYS, QP
from undoku.machine_code.jit import lean

__all__ = ["finish_nal_unit", "slice_header"]

_U8 = NDArray[np.uint8]
_I64 = NDArray[np.int64]


@lean
def finish_nal_unit(registers: _I64, rbsp: _U8, nal_unit: _U8, kind: int) -> int:
    """End the slice data and write it to `nal_unit`; returns the number of bytes. `kind` is the
    header of the NAL unit."""
    trail(rbsp, registers)
    nal_unit[0] = kind
    return escape(rbsp, int(registers[BYTE]), nal_unit, 1)


@lean
def slice_header(registers: _I64, rbsp: _U8, key: bool) -> None:
    """slice_header(), clause 7.3.3, for one slice that is the whole picture."""
    for index in range(CURSOR):
        registers[index] = 0
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
