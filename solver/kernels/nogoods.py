"""Nogoods: sets of guesses that can't all stand, recorded each time the search goes back.

The set is the one that conflict-directed backjumping goes back by. A place that agrees with a guess
of the set counts as that guess, whoever made it. As in the learning of limited size after Dechter
(1990), a nogood of more than LONGEST guesses is not recorded; the latest MOST are kept.

Each nogood counts how many of its guesses stand, as in counter-based unit propagation (Dowling and
Gallier 1984). It is asked when at most one doesn't. What it rules out then is gone at all depths
below, so each depth lists those that have been asked neither there nor above.
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
    "OPENED",
    "OPEN_SUM",
    "Nogoods",
    "begin_depth",
    "learn",
    "no_nogoods",
    "note_place",
    "note_undo",
]

LONGEST = 12
MOST = 1000

# A guess is written cell << INDEX_BITS | value - 1.
INDEX_BITS = 5
INDEX = (1 << INDEX_BITS) - 1
# A place of a nogood is written slot << PLACE_BITS | how many guesses come before it, in 16 bits:
# lists of places are walked so often that they have to stay in the first-level cache.
PLACE_BITS = 4
# What of a nogood doesn't stand is written how many << OPENED | the sum of these guesses.
OPENED = 32
OPEN_SUM = (1 << OPENED) - 1


class Nogoods(NamedTuple):
    """The nogoods of a search, `m` of at most `k` guesses; m is 0 for a search that learns none.

    guesses   (m, k) int64: in the order in which they were made
    lengths   (m,) int64: how many; 0 where there is no nogood yet
    open      (m,) int64: how many of them don't stand on the board, and their sum, which is the
              guess itself where one doesn't
    due       (depths, w) int64: per depth a bit for each slot, WORD to a word: those to be asked
    depth     (1,) int64: the depth at which values are placed
    first     (all guesses or 0,) int64: the place of a nogood with this guess, -1 for none
    following (all places,) int16: the next place with the same guess, -1 for none
    preceding (all places,) int16: the one before, -1 for none
    recorded  (1,) int64: how many there have been; the next one takes slot `recorded` mod m
    """

    guesses: NDArray[np.int64]
    lengths: NDArray[np.int64]
    open: NDArray[np.int64]
    due: NDArray[np.int64]
    depth: NDArray[np.int64]
    first: NDArray[np.int64]
    following: NDArray[np.int16]
    preceding: NDArray[np.int16]
    recorded: NDArray[np.int64]


def no_nogoods(cells: int, *, learning: bool) -> Nogoods:
    """The empty arrays of a search; without `learning` of length 0."""
    most = MOST if learning else 0
    return Nogoods(
        np.zeros((most, LONGEST), np.int64),
        np.zeros(most, np.int64),
        np.zeros(most, np.int64),
        np.zeros((cells + 2 if learning else 1, -(-most // WORD)), np.int64),
        np.zeros(1, np.int64),
        np.full(cells << INDEX_BITS if learning else 0, -1, np.int64),
        np.full(most << PLACE_BITS, -1, np.int16),
        np.full(most << PLACE_BITS, -1, np.int16),
        np.zeros(1, np.int64),
    )


@inner
def begin_depth(nogoods: Nogoods, depth: int) -> None:
    """Go on at this depth, with what is due above it."""
    if len(nogoods.first) == 0:
        return
    nogoods.depth[0] = depth
    for word in range(nogoods.due.shape[1]):
        nogoods.due[depth, word] = nogoods.due[depth - 1, word]


@inner
def note_place(nogoods: Nogoods, guess: int) -> None:
    """Count a place in every nogood that has it."""
    if len(nogoods.first) == 0:
        return
    at = int(nogoods.first[guess])
    weight = 1 << OPENED | guess
    while at >= 0:
        slot = at >> PLACE_BITS
        left = int(nogoods.open[slot]) - weight
        nogoods.open[slot] = left
        if left >> OPENED == 1:
            nogoods.due[nogoods.depth[0], slot // WORD] |= 1 << (slot % WORD)
        at = int(nogoods.following[at])


@inner
def note_undo(nogoods: Nogoods, guess: int) -> None:
    """Count a place no more."""
    if len(nogoods.first) == 0:
        return
    at = int(nogoods.first[guess])
    weight = 1 << OPENED | guess
    while at >= 0:
        slot = at >> PLACE_BITS
        nogoods.open[slot] += weight
        at = int(nogoods.following[at])


@inner
def _count_guesses(levels: NDArray[np.int64]) -> int:
    """How many levels are in a set."""
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
    board: NDArray[np.uint8],
) -> int:
    """Record the guesses of a set of levels; returns how many they are, 0 where they are too many.

    `options` and `following` are those of SearchArrays: the guess of a level is the option before
    the next.
    """
    count = _count_guesses(levels)
    if count == 0 or count > LONGEST:
        return 0
    slot = int(nogoods.recorded[0]) % len(nogoods.lengths)
    nogoods.recorded[0] += 1
    for number in range(nogoods.lengths[slot]):
        _unlink(nogoods, int(nogoods.guesses[slot, number]), slot << PLACE_BITS | number)
    number = 0
    left_open = 0
    last = before = -1
    for word in range(len(levels)):
        left = int(levels[word])
        while left:
            level = word * WORD + low_bit(left)
            left &= left - 1
            before = last
            last = level
            option = int(options[level, following[level] - 1])
            cell = option >> 16
            value = option >> 8 & 0xFF
            guess = cell << INDEX_BITS | value - 1
            nogoods.guesses[slot, number] = guess
            _link(nogoods, guess, slot << PLACE_BITS | number)
            if board[cell] != value:
                left_open += 1 << OPENED | guess
            number += 1
    nogoods.lengths[slot] = count
    nogoods.open[slot] = left_open
    # At these depths all of the guesses stand but the last.
    for depth in range(before + 1, last + 1):
        nogoods.due[depth, slot // WORD] |= 1 << (slot % WORD)
    return count


@inner
def _link(nogoods: Nogoods, guess: int, place: int) -> None:
    first = int(nogoods.first[guess])
    nogoods.following[place] = first
    nogoods.preceding[place] = -1
    if first >= 0:
        nogoods.preceding[first] = place
    nogoods.first[guess] = place


@inner
def _unlink(nogoods: Nogoods, guess: int, place: int) -> None:
    before = int(nogoods.preceding[place])
    after = int(nogoods.following[place])
    if before < 0:
        nogoods.first[guess] = after
    else:
        nogoods.following[before] = after
    if after >= 0:
        nogoods.preceding[after] = before
