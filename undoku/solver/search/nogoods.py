"""Nogood learning: guesses that can't all be correct are recorded and used for inference.

A nogood is the conflict set of a backjump: a set of guesses without a common solution. A guess is
on the board if its cell holds its value, whether it was chosen or inferred. If all guesses of a
nogood but one are on the board, the cell of that one loses the value. As in the learning of limited
size by Dechter (1990), a nogood of more than MAX_GUESSES guesses is not recorded; the latest
MAX_NOGOODS are kept.

Nogoods are found by two watched guesses each, as clauses are by two watched literals (Moskewicz,
Madigan, Zhao, Zhang and Malik 2001). A place examines only the nogoods that watch its guess. If the
cell of the other watched guess holds another value, the nogood has no consequence; this remains so
until the present place has been undone. Otherwise the nogood watches another guess that is not on
the board; if there is none, it becomes pending: it is to be checked at this depth. An undo changes
no watches. Its removals are undone with the depth, so every depth has its own set of pending
nogoods, which begins as a copy of the set of the depth above.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from undoku.h264.loops import I16, I32, I32_2D, I64, I64_2D, U8, count_bits, group, inner, low_bit
from undoku.solver.search.conflict_sets import WORD

MAX_GUESSES = 12
MAX_NOGOODS = 1000

# A guess is written cell << INDEX_BITS | value - 1.
INDEX_BITS = 5
INDEX = (1 << INDEX_BITS) - 1
# Results of `open_guess`: every guess is on the board, or several are not.
NONE_OPEN, SEVERAL_OPEN = -1, -2


@group
class Nogoods(NamedTuple):
    """The nogoods of a search: `m` slots for nogoods of at most `k` guesses; m is 0 for a search
    without learning. The nogood in slot s has the watches 2s and 2s + 1. All watches of one guess
    form a doubly linked list.

    guesses   (m, k) int32: the guesses of each nogood, in the order in which they were made
    lengths   (m,) int64: their number, 0 for an empty slot
    watched   (2m,) int32: the guess that each watch watches
    pending   (depths, 1 + w) int64: per depth the slots to be checked, as a set of bits: WORD slots
              per word, from word 1 on. Word 0 has a bit for each of these words that is valid; the
              others count as 0.
    depth     (1,) int64: the depth at which values are placed
    first     (cells << INDEX_BITS or 0,) int16: the first watch of each guess, -1 for none
    following (2m,) int16: the next watch of the same guess, -1 for none
    preceding (2m,) int16: the previous watch of the same guess, -1 for none
    recorded  (1,) int64: the number of nogoods recorded so far; the next one uses slot
              `recorded` mod m
    """

    guesses: I32_2D
    lengths: I64
    watched: I32
    pending: I64_2D
    depth: I64
    first: I16
    following: I16
    preceding: I16
    recorded: I64


def empty_nogoods(cells: int, *, learning: bool) -> Nogoods:
    """The arrays of a search on a board of `cells` cells, without a nogood; without `learning` they
    have length 0."""
    most = MAX_NOGOODS if learning else 0
    return Nogoods(
        np.zeros((most, MAX_GUESSES), np.int32),
        np.zeros(most, np.int64),
        np.zeros(2 * most, np.int32),
        np.zeros((cells + 2 if learning else 1, 1 - (-most // WORD)), np.int64),
        np.zeros(1, np.int64),
        np.full(cells << INDEX_BITS if learning else 0, -1, np.int16),
        np.full(2 * most, -1, np.int16),
        np.full(2 * most, -1, np.int16),
        np.zeros(1, np.int64),
    )


@inner
def begin_depth(nogoods: Nogoods, depth: int) -> None:
    """Begin `depth` (>= 1) with the pending nogoods of the depth above."""
    if len(nogoods.first) == 0:
        return
    nogoods.depth[0] = depth
    words = int(nogoods.pending[depth - 1, 0])
    nogoods.pending[depth, 0] = words
    while words:
        word = low_bit(words)
        words &= words - 1
        nogoods.pending[depth, word] = nogoods.pending[depth - 1, word]


@inner
def _set_pending(nogoods: Nogoods, depth: int, slot: int) -> None:
    word = 1 + slot // WORD
    slots = 1 << (slot % WORD)
    if int(nogoods.pending[depth, 0]) >> word & 1:
        slots |= int(nogoods.pending[depth, word])
    nogoods.pending[depth, 0] |= 1 << word
    nogoods.pending[depth, word] = slots


@inner
def _on_board(board: U8, guess: int) -> bool:
    return int(board[guess >> INDEX_BITS]) == (guess & INDEX) + 1


@inner
def update_watches(nogoods: Nogoods, board: U8, guess: int) -> None:
    """Update every nogood that watches `guess`, which was just placed: let it watch another guess
    that is not on the board, or make it pending if there is none."""
    if len(nogoods.first) == 0:
        return
    watch = int(nogoods.first[guess])
    while watch >= 0:
        after = int(nogoods.following[watch])
        other = int(nogoods.watched[watch ^ 1])
        value = int(board[other >> INDEX_BITS])
        if value == 0 or value == (other & INDEX) + 1:
            slot = watch >> 1
            found = -1
            for number in range(nogoods.lengths[slot]):
                candidate = int(nogoods.guesses[slot, number])
                if candidate != other and not _on_board(board, candidate):
                    found = candidate
                    break
            if found >= 0:
                _remove_watch(nogoods, watch)
                _add_watch(nogoods, found, watch)
            elif value == 0:
                _set_pending(nogoods, int(nogoods.depth[0]), slot)
        watch = after


@inner
def open_guess(nogoods: Nogoods, board: U8, slot: int) -> int:
    """The only guess of the nogood in `slot` that is not on the board; NONE_OPEN if all are on it,
    SEVERAL_OPEN if several are not."""
    found = NONE_OPEN
    for number in range(nogoods.lengths[slot]):
        guess = int(nogoods.guesses[slot, number])
        if not _on_board(board, guess):
            if found != NONE_OPEN:
                return SEVERAL_OPEN
            found = guess
    return found


@inner
def _count_levels(levels: I64) -> int:
    """The number of levels in a set."""
    count = 0
    for word in range(len(levels)):
        count += count_bits(levels[word])
    return count


@inner
def learn(
    nogoods: Nogoods,
    levels: I64,
    options: I64_2D,
    following: I64,
) -> int:
    """Record the guesses of a set of levels, all of which are on the board, as a nogood; returns
    their number, or 0 if there are none or more than MAX_GUESSES, and nothing was recorded.

    `options` and `following` are `options` and `next` of SearchArrays: the guess of a level is the
    option before the next one.
    """
    count = _count_levels(levels)
    if count == 0 or count > MAX_GUESSES:
        return 0
    slot = int(nogoods.recorded[0]) % len(nogoods.lengths)
    nogoods.recorded[0] += 1
    if nogoods.lengths[slot] > 1:
        _remove_watch(nogoods, 2 * slot)
        _remove_watch(nogoods, 2 * slot + 1)
    number = 0
    last = before = -1
    for word in range(len(levels)):
        left = int(levels[word])
        while left:
            level = word * WORD + low_bit(left)
            left &= left - 1
            before = last
            last = level
            option = int(options[level, following[level] - 1])
            nogoods.guesses[slot, number] = option >> 16 << INDEX_BITS | (option >> 8 & 0xFF) - 1
            number += 1
    nogoods.lengths[slot] = count
    # The last two guesses are undone first, so they are watched. A nogood of one guess needs no
    # watches: it is pending from depth 0 on.
    if count > 1:
        _add_watch(nogoods, int(nogoods.guesses[slot, count - 1]), 2 * slot)
        _add_watch(nogoods, int(nogoods.guesses[slot, count - 2]), 2 * slot + 1)
    # At these depths all guesses but the last are on the board.
    for depth in range(before + 1, last + 1):
        _set_pending(nogoods, depth, slot)
    return count


@inner
def _add_watch(nogoods: Nogoods, guess: int, watch: int) -> None:
    first = int(nogoods.first[guess])
    nogoods.watched[watch] = guess
    nogoods.following[watch] = first
    nogoods.preceding[watch] = -1
    if first >= 0:
        nogoods.preceding[first] = watch
    nogoods.first[guess] = watch


@inner
def _remove_watch(nogoods: Nogoods, watch: int) -> None:
    before = int(nogoods.preceding[watch])
    after = int(nogoods.following[watch])
    if before < 0:
        nogoods.first[nogoods.watched[watch]] = after
    else:
        nogoods.following[before] = after
    if after >= 0:
        nogoods.preceding[after] = before
