"""The standard's tables for residuals: scan, quantisation, and the CAVLC codes (ITU-T H.264).

A code is stored as its length and its bits, in arrays that are constants of the compiled loops.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "BLOCK_COLUMN",
    "BLOCK_ROW",
    "CBP_INTER",
    "CBP_INTRA",
    "DEQUANT",
    "QUANT",
    "RUN_BITS",
    "RUN_LENGTH",
    "SCAN",
    "TOKEN_BITS",
    "TOKEN_LENGTH",
    "ZEROS_BITS",
    "ZEROS_CHROMA_BITS",
    "ZEROS_CHROMA_LENGTH",
    "ZEROS_LENGTH",
]

_I32 = NDArray[np.int32]


def _table(*rows: str) -> _I32:
    """Rows of numbers, padded with zeros to the longest."""
    numbers = [[int(word) for word in row.split()] for row in rows]
    table = np.zeros((len(rows), max(map(len, numbers))), np.int32)
    for row, line in zip(table, numbers, strict=True):
        row[: len(line)] = line
    return table


# Clause 6.4.3: the column and the row of each 4x4 luma block in its macroblock, in blocks.
BLOCK_COLUMN: _I32 = np.array([0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3], np.int32)
BLOCK_ROW: _I32 = np.array([0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3], np.int32)

# Table 8-13, frame scan: the raster index (4 * row + column) of each coefficient in scan order.
SCAN: _I32 = np.array([0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15], np.int32)

# Table 8-15's factors v(m, n) by QP % 6, spread over the 16 raster positions of a block (8-315).
_EVEN_ODD_MIXED = np.array([0, 2, 0, 2, 2, 1, 2, 1, 0, 2, 0, 2, 2, 1, 2, 1])
DEQUANT: _I32 = _table("10 16 13", "11 18 14", "13 20 16", "14 23 18", "16 25 20", "18 29 23")[
    :, _EVEN_ODD_MIXED
].astype(np.int32)

# The encoder's own reciprocal: level = (coefficient * QUANT + rounding) >> (15 + QP // 6). The
# norms of the transform's rows (4 and 10) make the three classes differ.
_SCALE = np.array([16.0, 100.0 / 4.0, 20.0])[_EVEN_ODD_MIXED]
QUANT: _I32 = np.rint(2.0**21 / (DEQUANT * _SCALE)).astype(np.int32)

# Table 9-4 for chroma format 4:2:0: the codeNum of each coded_block_pattern.
_INTRA_ORDER = (
    "47 31 15 0 23 27 29 30 7 11 13 14 39 43 45 46 16 3 5 10 12 19 21 26 28 35 37 42 44 1 2 4 8 "
    "17 18 20 24 6 9 22 25 32 33 34 36 40 38 41"
)
_INTER_ORDER = (
    "0 16 1 2 4 8 32 3 5 10 12 15 47 7 11 13 14 6 9 31 35 37 42 44 33 34 36 40 39 43 45 46 17 18 "
    "20 24 19 21 26 28 23 27 29 30 22 25 38 41"
)
CBP_INTRA: _I32 = np.argsort([int(word) for word in _INTRA_ORDER.split()]).astype(np.int32)
CBP_INTER: _I32 = np.argsort([int(word) for word in _INTER_ORDER.split()]).astype(np.int32)

# Table 9-5, coeff_token by nC class (0..1, 2..3, 4..7, 8 and more, chroma DC), at
# [class, 4 * total coefficients + trailing ones].
TOKEN_LENGTH: _I32 = _table(
    "1 0 0 0 6 2 0 0 8 6 3 0 9 8 7 5 10 9 8 6 11 10 9 7 13 11 10 8 13 13 11 9 13 13 13 10 "
    "14 14 13 11 14 14 14 13 15 15 14 14 15 15 15 14 16 15 15 15 16 16 16 15 16 16 16 16 "
    "16 16 16 16",
    "2 0 0 0 6 2 0 0 6 5 3 0 7 6 6 4 8 6 6 4 8 7 7 5 9 8 8 6 11 9 9 6 11 11 11 7 12 11 11 9 "
    "12 12 12 11 12 12 12 11 13 13 13 12 13 13 13 13 13 14 13 13 14 14 14 13 14 14 14 14",
    "4 0 0 0 6 4 0 0 6 5 4 0 6 5 5 4 7 5 5 4 7 5 5 4 7 6 6 4 7 6 6 4 8 7 7 5 8 8 7 6 9 8 8 7 "
    "9 9 8 8 9 9 9 8 10 9 9 9 10 10 10 10 10 10 10 10 10 10 10 10",
    " ".join(["6"] * 68),
    "2 0 0 0 6 1 0 0 6 6 3 0 6 7 7 6 6 8 8 7",
)
TOKEN_BITS: _I32 = _table(
    "1 0 0 0 5 1 0 0 7 4 1 0 7 6 5 3 7 6 5 3 7 6 5 4 15 6 5 4 11 14 5 4 8 10 13 4 15 14 9 4 "
    "11 10 13 12 15 14 9 12 11 10 13 8 15 1 9 12 11 14 13 8 7 10 9 12 4 6 5 8",
    "3 0 0 0 11 2 0 0 7 7 3 0 7 10 9 5 7 6 5 4 4 6 5 6 7 6 5 8 15 6 5 4 11 14 13 4 15 10 9 4 "
    "11 14 13 12 8 10 9 8 15 14 13 12 11 10 9 12 7 11 6 8 9 8 10 1 7 6 5 4",
    "15 0 0 0 15 14 0 0 11 15 13 0 8 12 14 12 15 10 11 11 11 8 9 10 9 14 13 9 8 10 9 8 "
    "15 14 13 13 11 14 10 12 15 10 13 12 11 14 9 12 8 10 13 8 13 7 9 12 9 12 11 10 5 8 7 6 "
    "1 4 3 2",
    "3 0 0 0 "
    + " ".join(str(4 * (total - 1) + ones) for total in range(1, 17) for ones in range(4)),
    "1 0 0 0 7 1 0 0 4 6 1 0 3 3 2 5 2 3 2 0",
)

# Tables 9-7 and 9-8, total_zeros at [total coefficients - 1, zeros].
ZEROS_LENGTH: _I32 = _table(
    "1 3 3 4 4 5 5 6 6 7 7 8 8 9 9 9",
    "3 3 3 3 3 4 4 4 4 5 5 6 6 6 6",
    "4 3 3 3 4 4 3 3 4 5 5 6 5 6",
    "5 3 4 4 3 3 3 4 3 4 5 5 5",
    "4 4 4 3 3 3 3 3 4 5 4 5",
    "6 5 3 3 3 3 3 3 4 3 6",
    "6 5 3 3 3 2 3 4 3 6",
    "6 4 5 3 2 2 3 3 6",
    "6 6 4 2 2 3 2 5",
    "5 5 3 2 2 2 4",
    "4 4 3 3 1 3",
    "4 4 2 1 3",
    "3 3 1 2",
    "2 2 1",
    "1 1",
)
ZEROS_BITS: _I32 = _table(
    "1 3 2 3 2 3 2 3 2 3 2 3 2 3 2 1",
    "7 6 5 4 3 5 4 3 2 3 2 3 2 1 0",
    "5 7 6 5 4 3 4 3 2 3 2 1 1 0",
    "3 7 5 4 6 5 4 3 3 2 2 1 0",
    "5 4 3 7 6 5 4 3 2 1 1 0",
    "1 1 7 6 5 4 3 2 1 1 0",
    "1 1 5 4 3 3 2 1 1 0",
    "1 1 1 3 3 2 2 1 0",
    "1 0 1 3 2 1 1 1",
    "1 0 1 3 2 1 1",
    "0 1 1 2 1 3",
    "0 1 1 1 1",
    "0 1 1 1",
    "0 1 1",
    "0 1",
)
# Table 9-9 (a), total_zeros of the four chroma DC coefficients.
ZEROS_CHROMA_LENGTH: _I32 = _table("1 2 3 3", "1 2 2", "1 1")
ZEROS_CHROMA_BITS: _I32 = _table("1 1 1 0", "1 1 0", "1 0")

# Table 9-10, run_before at [min(zeros left, 7) - 1, run].
RUN_LENGTH: _I32 = _table(
    "1 1",
    "1 2 2",
    "2 2 2 2",
    "2 2 2 3 3",
    "2 2 3 3 3 3",
    "2 3 3 3 3 3 3",
    "3 3 3 3 3 3 3 4 5 6 7 8 9 10 11",
)
RUN_BITS: _I32 = _table(
    "1 0",
    "1 1 0",
    "3 2 1 0",
    "3 2 1 1 0",
    "3 2 3 2 1 0",
    "3 0 1 3 2 5 4",
    "7 6 5 4 3 2 1 1 1 1 1 1 1 1 1",
)
