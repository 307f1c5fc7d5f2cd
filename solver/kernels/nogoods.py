"""Nogoods: sets of guesses that can't all stand, recorded each time the search goes back.

The set is the one that conflict-directed backjumping goes back by. A place that agrees with a guess
of the set counts as that guess, whoever made it. As in the learning of limited size after Dechter
(1990), a nogood of more than LONGEST guesses is not recorded; the latest MOST are kept.

Two guesses of each nogood are watched, as in the propagation of clauses (Moskewicz, Madigan, Zhao,
Zhang and Malik 2001). A place looks only at the nogoods that watch its guess. Where the cell of the
other watched guess has another value, nothing follows, and this place is undone before that value
is. Else another guess that doesn't stand is watched in place of this one; where there is none, the
nogood is due. An undo has nothing to do. What a nogood rules out is gone at all depths below, so
each depth lists those that have been asked neither there nor above.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.jit import inner, low_bit
from solver.kernels.conflict_sets import WORD

__all__ = [
    "INDEX",
    "INDEX_BITS",
    "LONGEST",
    "MOST",
    "NONE_OPEN",
    "SEVERAL_OPEN",
    "Nogoods",
    "begin_depth",
    "learn",
    "no_nogoods",
    "note_place",
    "open_guess",
]

LONGEST = 12
MOST = 1000

# A guess is written cell << INDEX_BITS | value - 1.
INDEX_BITS = 5
INDEX = (1 << INDEX_BITS) - 1
# What `open_guess` returns where no guess is open, and where several are.
NONE_OPEN, SEVERAL_OPEN = -1, -2


class Nogoods(NamedTuple):
    """The nogoods of a search, `m` of at most `k` guesses; m is 0 for a search that learns none.

    guesses   (m, k) int32: in the order in which they were made
    lengths   (m,) int64: how many; 0 where there is no nogood yet
    watched   (2m,) int32: the two guesses of slot s that are watched, at 2s and 2s + 1
    due       (depths, 1 + w) int64: per depth a bit for each slot that is to be asked, WORD to a
              word from 1 on; word 0 has a bit for each of these words that isn't outdated
    depth     (1,) int64: the depth at which values are placed
    first     (all guesses or 0,) int16: the watch (2s or 2s + 1) of this guess, -1 for none
    following (2m,) int16: the next watch of the same guess, -1 for none
    preceding (2m,) int16: the one before, -1 for none
    recorded  (1,) int64: how many there have been; the next one takes slot `recorded` mod m
    """

    guesses: NDArray[np.int32]
    lengths: NDArray[np.int64]
    watched: NDArray[np.int32]
    due: NDArray[np.int64]
    depth: NDArray[np.int64]
    first: NDArray[np.int16]
    following: NDArray[np.int16]
    preceding: NDArray[np.int16]
    recorded: NDArray[np.int64]


def no_nogoods(cells: int, *, learning: bool) -> Nogoods:
    """The empty arrays of a search; without `learning` of length 0."""
    most = MOST if learning else 0
    return Nogoods(
        np.zeros((most, LONGEST), np.int32),
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
    """Begin a depth, with the nogoods that are due above it."""
    if len(nogoods.first) == 0:
        return
    nogoods.depth[0] = depth
    words = int(nogoods.due[depth - 1, 0])
    nogoods.due[depth, 0] = words
    while words:
        word = low_bit(words)
        words &= words - 1
        nogoods.due[depth, word] = nogoods.due[depth - 1, word]


@inner
def _set_due(nogoods: Nogoods, depth: int, slot: int) -> None:
    word = 1 + slot // WORD
    due = 1 << (slot % WORD)
    if int(nogoods.due[depth, 0]) >> word & 1:
        due |= int(nogoods.due[depth, word])
    nogoods.due[depth, 0] |= 1 << word
    nogoods.due[depth, word] = due


@inner
def _stands(board: NDArray[np.uint8], guess: int) -> bool:
    return int(board[guess >> INDEX_BITS]) == (guess & INDEX) + 1


@inner
def note_place(nogoods: Nogoods, board: NDArray[np.uint8], guess: int) -> None:
    """Look for another guess to watch in every nogood that watches this one, which now stands."""
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
                if candidate != other and not _stands(board, candidate):
                    found = candidate
                    break
            if found >= 0:
                _unlink(nogoods, watch)
                _link(nogoods, found, watch)
            elif value == 0:
                _set_due(nogoods, int(nogoods.depth[0]), slot)
        watch = after


@inner
def open_guess(nogoods: Nogoods, board: NDArray[np.uint8], slot: int) -> int:
    """The guess of a nogood that doesn't stand; NONE_OPEN, or SEVERAL_OPEN."""
    found = NONE_OPEN
    for number in range(nogoods.lengths[slot]):
        guess = int(nogoods.guesses[slot, number])
        if not _stands(board, guess):
            if found != NONE_OPEN:
                return SEVERAL_OPEN
            found = guess
    return found


@inner
def _count_guesses(levels: NDArray[np.int64]) -> int:
    """The number of levels in a set."""
    count = 0
    for word in range(len(levels)):
        left = int(levels[word])
        while left:
            left &= left - 1
            count += 1
    return count


@inner
def learn(
    nogoods: Nogoods,
    levels: NDArray[np.int64],
    options: NDArray[np.int64],
    following: NDArray[np.int64],
) -> int:
    """Record the guesses of a set of levels, all of which stand; returns how many they are, 0 where
    they are too many.

    `options` and `following` are those of SearchArrays: the guess of a level is the option before
    the next.
    """
    count = _count_guesses(levels)
    if count == 0 or count > LONGEST:
        return 0
    slot = int(nogoods.recorded[0]) % len(nogoods.lengths)
    nogoods.recorded[0] += 1
    if nogoods.lengths[slot] > 1:
        _unlink(nogoods, 2 * slot)
        _unlink(nogoods, 2 * slot + 1)
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
    # The last two guesses are the first to be taken back. A nogood of one guess is asked at the
    # first depth, and nothing is left to watch for.
    if count > 1:
        _link(nogoods, int(nogoods.guesses[slot, count - 1]), 2 * slot)
        _link(nogoods, int(nogoods.guesses[slot, count - 2]), 2 * slot + 1)
    # At these depths all guesses but the last are on the board.
    for depth in range(before + 1, last + 1):
        _set_due(nogoods, depth, slot)
    return count


@inner
def _link(nogoods: Nogoods, guess: int, watch: int) -> None:
    first = int(nogoods.first[guess])
    nogoods.watched[watch] = guess
    nogoods.following[watch] = first
    nogoods.preceding[watch] = -1
    if first >= 0:
        nogoods.preceding[first] = watch
    nogoods.first[guess] = watch


@inner
def _unlink(nogoods: Nogoods, watch: int) -> None:
    before = int(nogoods.preceding[watch])
    after = int(nogoods.following[watch])
    if before < 0:
        nogoods.first[nogoods.watched[watch]] = after
    else:
        nogoods.following[before] = after
    if after >= 0:
        nogoods.preceding[after] = before
