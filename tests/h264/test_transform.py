"""The quantisation of residual blocks."""

from __future__ import annotations

import numpy as np
import pytest

from undoku.h264.transform import QUANT, SCAN, quantise

QP = 18


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        # A small coefficient is dropped after zeros and kept beside others.
        ({0: 0.8, 1: -0.8}, {0: 1, 1: -1}),
        ({0: 3, 1: 0.8}, {0: 3, 1: 1}),
        ({10: 0.8}, {}),
        ({9: 3, 10: 0.8}, {9: 3, 10: 1}),
        # One of a step is kept wherever it is; levels above 1 are rounded to the nearest.
        *(({index: 1.05}, {index: 1}) for index in range(16)),
        ({0: 4.4, 3: -2.7}, {0: 4, 3: -3}),
    ],
)
def test_coefficients_of_so_many_steps_of_the_quantiser_have_these_levels(
    steps: dict[int, float], expected: dict[int, int]
) -> None:
    """By their index in scan order; those that are not named are zero."""
    block, levels = np.zeros(16, np.int32), np.zeros((27, 16), np.int32)
    for index, share in steps.items():
        at = int(SCAN[index])
        block[at] = round(share * (1 << (15 + QP // 6)) / int(QUANT[QP % 6, at]))
    assert quantise(block, levels, 0, 0, QP, 55) == len(expected)
    assert {index: levels[0, index] for index in np.flatnonzero(levels[0])} == expected
