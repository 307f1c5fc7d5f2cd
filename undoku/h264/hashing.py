"""The hash that identifies pixels of macroblocks, their parts, and blocks of macroblocks.

Each step is a bijection of the hash. The probability that two different inputs have the same hash
is about 2^-62.
"""

from __future__ import annotations

import numpy as np

from undoku.machine_code.jit import inner

__all__ = ["SEED", "mix", "number_of"]

SEED = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)
_ONE = np.uint64(1)


@inner
def mix(value: np.uint64, word: np.uint64) -> np.uint64:
    """The hash `value` with one more word."""
    value = (value ^ word) * SEED
    return np.uint64(value ^ value >> _HALF)


@inner
def number_of(value: np.uint64) -> int:
    """A hash as a number in 1..2^63-1; 0 is reserved for "unknown"."""
    return int(np.int64(value >> _ONE)) | 1
