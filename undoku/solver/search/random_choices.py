"""Random choices during a search: among equal cells, and among values.

The generator is Marsaglia's xorshift with 32 bits (2003, shifts 13, 17, 5); its state is never 0. A
random number below n is state × n >> 32.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undoku.machine_code.jit import count_bits, inner, lean
from undoku.solver.problem.geometry_arrays import Candidates, Tables
from undoku.solver.search.learned import Learned

__all__ = ["CELL_DICE", "VALUE_DICE", "draw", "fewest_at_random", "register_of", "shuffle"]

CELL_DICE, VALUE_DICE = range(2)
"""The generators in `Learned.dice`: one for the cell, one for its values."""

_WORD = 0xFFFFFFFF


def register_of(seed: int) -> int:
    """The initial state for a seed >= 0: its bits mixed by the finaliser of MurmurHash3 (64 bits),
    so that neighbouring seeds give different numbers."""
    mixed = (seed + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
    for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        mixed = (mixed ^ mixed >> 33) * factor & 0xFFFFFFFFFFFFFFFF
    return (mixed >> 32) or 1


@inner
def draw(dice: NDArray[np.int64], which: int, below: int) -> int:
    """A random number from 0 to below - 1, below < 2^31."""
    register = int(dice[which])
    register ^= register << 13 & _WORD
    register ^= register >> 17
    register ^= register << 5 & _WORD
    dice[which] = register
    return register * below >> 32


@inner
def shuffle(dice: NDArray[np.int64], options: NDArray[np.int64]) -> None:
    """Shuffle the options in place (Fisher and Yates), from the last one down to the second."""
    for last in range(len(options) - 1, 0, -1):
        other = draw(dice, VALUE_DICE, last + 1)
        kept = options[last]
        options[last] = options[other]
        options[other] = kept


@lean
def fewest_at_random(
    tables: Tables,
    candidates: Candidates,
    board: NDArray[np.uint8],
    order: NDArray[np.int64],
    learned: Learned,
) -> int:
    """One of the cells with the fewest candidates; a number is drawn for every choice, even if
    there is only one such cell."""
    least = 64
    equals = 0
    for cell in range(len(board)):
        if board[cell] == 0:
            count = count_bits(candidates[cell])
            if count < least:
                least = count
                equals = 0
            equals += count == least
    wanted = draw(learned.dice, CELL_DICE, equals)
    for cell in range(len(board)):
        if board[cell] == 0 and count_bits(candidates[cell]) == least:
            if wanted == 0:
                return cell
            wanted -= 1
    return 0
