"""What a level allows: ITU-T H.264, table A-1 and clause A.3.1, held against what was read."""

from __future__ import annotations

from collections.abc import Sequence as Row
from fractions import Fraction
from itertools import pairwise

from tests.support.h264.headers import Sequence
from tests.support.h264.reader import Part, Picture

__all__ = ["check_level", "check_vectors"]

# level_idc: MaxMBPS, MaxFS, MaxDpbMbs, MaxBR in 1200 bits/s, vertical vectors in samples, MinCR.
_LEVELS = {
    31: (108000, 3600, 18000, 14000, 512, 4),
    32: (216000, 5120, 20480, 20000, 512, 4),
    40: (245760, 8192, 32768, 20000, 512, 4),
    41: (245760, 8192, 32768, 50000, 512, 2),
    42: (522240, 8704, 34816, 50000, 512, 2),
    50: (589824, 22080, 110400, 135000, 512, 2),
    51: (983040, 36864, 184320, 240000, 512, 2),
    52: (2073600, 36864, 184320, 240000, 512, 2),
    60: (4177920, 139264, 696320, 240000, 8192, 2),
    61: (8355840, 139264, 696320, 480000, 8192, 2),
    62: (16711680, 139264, 696320, 800000, 8192, 2),
}
_ACROSS = 2048
"""Samples, horizontal vectors: clause A.3.1 for the levels below 6."""
_MAX_VECTORS = 16
"""MaxMvsPer2Mb from level 3.1 on."""


def check_vectors(sequence: Sequence, pictures: Row[Picture]) -> None:
    """No vector leaves the picture (where the stream says so), its range, or what it declares; no
    two macroblocks have more of them than the level allows."""
    across, down = 4 * _ACROSS, 4 * _LEVELS[sequence.level][4]
    for picture in pictures:
        for part in picture.parts:
            assert -across <= part.vector[0] < across
            assert -down <= part.vector[1] < down
            for axis in (0, 1):
                # log2_max_mv_length_…, clause E.2.1: the upper end is one less.
                longest = sequence.usability.longest[axis]
                assert -longest <= part.vector[axis] < longest
            if not sequence.usability.over_edges:
                _check_inside(sequence, part)
        counts = [len(macroblock.parts) for macroblock in picture.macroblocks]
        assert all(one + other <= _MAX_VECTORS for one, other in pairwise(counts))


def _check_inside(sequence: Sequence, part: Part) -> None:
    """Clause E.2.1, motion_vectors_over_pic_boundaries_flag: nothing outside is used, not even by
    the six taps that make a sample between two (the chroma samples' two reach less far)."""
    for start, length, by, side in (
        (part.x, part.width, part.vector[0], 16 * sequence.width),
        (part.y, part.height, part.vector[1], 16 * sequence.height),
    ):
        first, between = start + by // 4, by % 4 != 0
        assert first - 2 * between >= 0
        assert first + length + 3 * between <= side


def check_level(sequence: Sequence, sizes: Row[int], seconds: Row[Fraction]) -> None:
    """`sizes` are the pictures' bytes, `seconds` how long they stand."""
    speed, size, kept, rate, _, ratio = _LEVELS[sequence.level]
    count = sequence.width * sequence.height
    assert count <= size
    assert max(sequence.width, sequence.height) ** 2 <= 8 * size
    assert sequence.references * count <= kept
    fps = Fraction(sequence.usability.ticks[1], 2 * sequence.usability.ticks[0])
    assert count * fps <= speed
    for bytes_, stands in zip(sizes, seconds, strict=True):
        assert stands * fps >= 1
        assert bytes_ <= 384 * speed / fps / ratio
    # The bits of any second.
    times = [sum(seconds[:at], Fraction(0)) for at in range(len(seconds))]
    first, within = 0, 0
    for at, bytes_ in enumerate(sizes):
        within += bytes_
        while times[at] - times[first] >= 1:
            within -= sizes[first]
            first += 1
        assert 8 * within <= 1200 * rate
