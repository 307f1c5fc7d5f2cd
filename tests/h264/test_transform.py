"""The quantisation of residual blocks."""

from __future__ import annotations

import numpy as np

from undoku.h264.transform import QUANT, SCAN, quantise

QP = 18


def levels_of(steps: dict[int, float], least: int = 55) -> list[int]:
    """The levels of a block whose coefficients, by their index in scan order, are that many steps
    of the quantiser."""
    block = np.zeros(16, np.int32)
    for index, share in steps.items():
        at = int(SCAN[index])
        block[at] = round(share * (1 << (15 + QP // 6)) / int(QUANT[QP % 6, at]))
    levels = np.zeros((27, 16), np.int32)
    assert quantise(block, levels, 0, 0, QP, least) == np.count_nonzero(levels[0])
    found: list[int] = levels[0].tolist()
    return found


def test_a_small_coefficient_is_dropped_after_zeros_and_kept_beside_others() -> None:
    assert levels_of({0: 0.8, 1: -0.8})[:2] == [1, -1]
    assert levels_of({0: 3, 1: 0.8})[:2] == [3, 1]
    assert not any(levels_of({10: 0.8}))
    assert levels_of({9: 3, 10: 0.8})[9:11] == [3, 1]


def test_a_coefficient_of_a_step_is_kept_wherever_it_is() -> None:
    for index in range(16):
        assert levels_of({index: 1.05})[index] == 1


def test_levels_above_1_are_rounded_to_the_nearest() -> None:
    assert levels_of({0: 4.4, 3: -2.7})[:4] == [4, 0, 0, -3]
