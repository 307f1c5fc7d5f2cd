"""The hash that stands for pixels: of macroblocks, of their blocks, and of blocks of macroblocks.

Each step is a bijection of the hash, so that different words give different hashes but for a chance
of 2^-62 for each pair compared.
"""

from __future__ import annotations

import numpy as np

from solver.jit import inner

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
    """A hash as a number in 1..2^63-1; 0 stays free for what is unknown."""
    return int(np.int64(value >> _ONE)) | 1
