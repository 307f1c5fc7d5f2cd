"""The settings of a film's encoder, and the parameter sets that follow from them, which a decoder
needs before the first picture.

Plain Python is fast enough: a film has only two parameter sets.
"""

from __future__ import annotations

import math
import struct
from fractions import Fraction
from typing import NamedTuple

from undoku.h264.levels import LEVELS, CodedSize, Level, StreamLoad, coded_size, level_for

PROFILE = bytes([66, 0xC0])
"""profile_idc 66, constraint_set0_flag, constraint_set1_flag: Constrained Baseline, A.2.1.1."""


class StreamParameters(NamedTuple):
    """The parameters of a video track: visible size in pixels, units of its clock per second, and
    the NAL units of the sequence and the picture parameter set."""

    width: int
    height: int
    timescale: int
    sequence: bytes
    picture: bytes

    @property
    def configuration(self) -> bytes:
        """AVCDecoderConfigurationRecord, ISO/IEC 14496-15 clause 5.3.3.1: version 1, profile,
        compatibility and level; NAL units after four bytes of length; one set of each kind."""
        sequence, picture = self.sequence, self.picture
        return b"".join(
            (
                b"\x01" + sequence[1:4] + b"\xff\xe1",
                struct.pack(">H", len(sequence)) + sequence,
                b"\x01" + struct.pack(">H", len(picture)) + picture,
            )
        )


FINEST, COARSEST = 12, 35
"""Quantisers. Levels with finer ones may need longer codes than Baseline has. With coarser ones the
constant part of Intra_16x16 is scaled in another way (8.5.10)."""

_USUAL = 3600  # macroblocks of 1280x720
MAX_MACROBLOCKS = 20_000
"""Of all pictures that are encoded at the same time: a macroblock takes 2.5 kB of memory, and
parts that wait take more."""


class EncoderSettings(NamedTuple):
    """The settings of a film's encoder: the visible `width` and `height` in pixels, the frame rate,
    the quantiser at 1280x720, the luma PSNR of a picture in dB below which contents get a finer
    one, and the highest number of a level.

    All that is computed from them raises LevelError for odd sides, or a size and frame rate beyond
    the levels of H.264."""

    width: int
    height: int
    fps: Fraction
    qp: int
    psnr: float
    level: int = LEVELS[-1].number

    @property
    def visible(self) -> tuple[int, int]:
        return self.width, self.height

    @property
    def size(self) -> CodedSize:
        return coded_size(self.width, self.height, self.fps, self.level)

    @property
    def quantiser(self) -> int:
        """The quantiser for the film's size. In pictures smaller than 1280x720 a larger share of
        the pixels belongs to edges, so the same error needs a finer one, and in larger pictures a
        coarser one."""
        size = self.size
        return max(
            FINEST, self.qp - math.ceil(1.25 * math.log2(_USUAL / (size.columns * size.height)))
        )

    @property
    def error_limit(self) -> int:
        """The largest luma error of a picture, as a sum of squared differences."""
        return int(255**2 / 10 ** (self.psnr / 10) * self.width * self.height)

    @property
    def concurrent_groups(self) -> int:
        """How many groups of pictures may be encoded at the same time: 3 at 1280x720, 1 at
        1920x1080. It is the same on all machines, because the bytes depend on whether it is 1."""
        return max(1, MAX_MACROBLOCKS // (self.size.width * self.size.height))

    def stream_level(self, largest: int = 0, busiest: int = 0) -> Level:
        """The lowest level for a film whose largest sample has `largest` bytes, and of which
        `busiest` bytes fall into two seconds."""
        size = self.size
        load = StreamLoad(size.width, size.height, self.fps, largest, busiest)
        return level_for(load, self.visible, self.level)

    def stream_parameters(self, timescale: int, largest: int, busiest: int) -> StreamParameters:
        """The parameters of the film's track, whose clock has `timescale` units a second."""
        level = self.stream_level(largest, busiest)
        sequence = sequence_parameters(level, self.size, self.visible, self.fps)
        return StreamParameters(
            self.width, self.height, timescale, sequence, picture_parameters(self.quantiser)
        )


def _u(count: int, value: int) -> str:
    """u(n), clause 7.2, as a text of "0" and "1"."""
    return format(value, f"0{count}b")


def _ue(value: int) -> str:
    """ue(v), clause 9.1."""
    code = format(value + 1, "b")
    return "0" * (len(code) - 1) + code


def _se(value: int) -> str:
    """se(v), clause 9.1.1."""
    return _ue(2 * value - 1 if value > 0 else -2 * value)


def _unit(header: bytes, *elements: str) -> bytes:
    """The NAL unit of syntax elements: trailing bits, then the emulation prevention of clause
    7.4.1.1."""
    text = "".join(elements) + "1"
    text += "0" * (-len(text) % 8)
    found = bytearray(header)
    zeros = 0
    for at in range(0, len(text), 8):
        byte = int(text[at : at + 8], 2)
        if zeros == 2 and byte <= 3:
            found.append(3)
            zeros = 0
        found.append(byte)
        zeros = zeros + 1 if byte == 0 else 0
    return bytes(found)


def sequence_parameters(
    level: Level, size: CodedSize, visible: tuple[int, int], fps: Fraction
) -> bytes:
    """seq_parameter_set_rbsp(), clause 7.3.2.1, as a NAL unit. `visible` is the visible width and
    height in pixels."""
    return _unit(
        b"\x67" + PROFILE,
        _u(8, level.number),
        _ue(0),  # seq_parameter_set_id
        _ue(0),  # log2_max_frame_num_minus4
        _ue(2),  # pic_order_cnt_type: output order is decoding order
        _ue(1),  # max_num_ref_frames
        _u(1, 0),  # gaps_in_frame_num_value_allowed_flag
        _ue(size.width - 1),  # pic_width_in_mbs_minus1
        _ue(size.height - 1),  # pic_height_in_map_units_minus1
        _u(1, 1),  # frame_mbs_only_flag
        _u(1, 1),  # direct_8x8_inference_flag
        _u(1, 1),  # frame_cropping_flag
        _ue(0),  # frame_crop_left_offset
        _ue((16 * size.width - visible[0]) // 2),  # frame_crop_right_offset, in chroma samples
        _ue(0),  # frame_crop_top_offset
        _ue((16 * size.height - visible[1]) // 2),  # frame_crop_bottom_offset
        _u(1, 1),  # vui_parameters_present_flag
        *_vui(fps),
    )


def _vui(fps: Fraction) -> tuple[str, ...]:
    """vui_parameters(), clause E.1.1."""
    return (
        _u(1, 1),  # aspect_ratio_info_present_flag
        _u(8, 1),  # aspect_ratio_idc: square
        _u(1, 0),  # overscan_info_present_flag
        _u(1, 1),  # video_signal_type_present_flag
        _u(3, 5),  # video_format: unspecified
        _u(1, 0),  # video_full_range_flag
        _u(1, 1),  # colour_description_present_flag
        _u(8, 1),  # colour_primaries: BT.709
        _u(8, 1),  # transfer_characteristics
        _u(8, 1),  # matrix_coefficients
        _u(1, 1),  # chroma_loc_info_present_flag
        _ue(1),  # chroma_sample_loc_type_top_field: in the middle of four luma samples
        _ue(1),  # chroma_sample_loc_type_bottom_field
        _u(1, 1),  # timing_info_present_flag
        _u(32, fps.denominator),  # num_units_in_tick
        _u(32, 2 * fps.numerator),  # time_scale: a frame is two ticks
        _u(1, 1),  # fixed_frame_rate_flag
        _u(1, 0),  # nal_hrd_parameters_present_flag
        _u(1, 0),  # vcl_hrd_parameters_present_flag
        _u(1, 0),  # pic_struct_present_flag
        _u(1, 1),  # bitstream_restriction_flag
        _u(1, 0),  # motion_vectors_over_pic_boundaries_flag
        _ue(0),  # max_bytes_per_pic_denom: not limited
        _ue(0),  # max_bits_per_mb_denom: not limited
        _ue(13),  # log2_max_mv_length_horizontal, in quarter samples
        _ue(11),  # log2_max_mv_length_vertical
        _ue(0),  # max_num_reorder_frames
        _ue(1),  # max_dec_frame_buffering
    )


def picture_parameters(qp: int) -> bytes:
    """pic_parameter_set_rbsp(), clause 7.3.2.2, as a NAL unit, for slices quantised with `qp`."""
    return _unit(
        b"\x68",
        _ue(0),  # pic_parameter_set_id
        _ue(0),  # seq_parameter_set_id
        _u(1, 0),  # entropy_coding_mode_flag: CAVLC
        _u(1, 0),  # bottom_field_pic_order_in_frame_present_flag
        _ue(0),  # num_slice_groups_minus1
        _ue(1),  # num_ref_idx_l0_default_active_minus1: the previous picture, listed twice
        _ue(0),  # num_ref_idx_l1_default_active_minus1
        _u(1, 0),  # weighted_pred_flag
        _u(2, 0),  # weighted_bipred_idc
        _se(qp - 26),  # pic_init_qp_minus26
        _se(0),  # pic_init_qs_minus26
        _se(0),  # chroma_qp_index_offset
        _u(1, 1),  # deblocking_filter_control_present_flag
        _u(1, 0),  # constrained_intra_pred_flag
        _u(1, 0),  # redundant_pic_cnt_present_flag
    )
