"""Nogoods: sets of guesses that can't all stand, recorded each time the search goes back.

The set is the one that conflict-directed backjumping goes back by. A place that agrees with a guess
of the set counts as that guess, whoever made it. As in the learning of limited size after Dechter
(1990), a nogood of more than LONGEST guesses is not recorded; the latest MOST are kept. Each nogood
counts how many of its guesses stand, as in counter-based unit propagation (Dowling and Gallier
1984).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.jit import inner
from solver.kernels.conflict_sets import WORD

__all__ = ["LONGEST", "MOST", "Nogoods", "count_guesses", "learn", "no_nogoods", "note_place"]

LONGEST = 12
MOST = 1000


class Nogoods(NamedTuple):
    """The nogoods of a search, `m` of at most `k` guesses; m is 0 for a search that learns none.

    guesses   (m, k) int64: cell × size + value - 1, in the order in which they were made
    lengths   (m,) int64: how many; 0 where there is no nogood yet
    standing  (m,) int64: how many of them stand on the board
    tight     (w,) int64: a bit for each slot, WORD to a word: whether at most one doesn't stand
    first     (cells × size or 0,) int64: slot × k + place of a nogood with this guess, -1 for none
    following (m × k,) int64: the next one with the same guess
    recorded  (1,) int64: how many there have been; the next one takes slot `recorded` mod m
    """

    guesses: NDArray[np.int64]
    lengths: NDArray[np.int64]
    standing: NDArray[np.int64]
    tight: NDArray[np.int64]
    first: NDArray[np.int64]
    following: NDArray[np.int64]
    recorded: NDArray[np.int64]


def no_nogoods(cells: int, size: int, *, learning: bool) -> Nogoods:
    """The empty arrays of a search; without `learning` of length 0."""
    most = MOST if learning else 0
    return Nogoods(
        np.zeros((most, LONGEST), np.int64),
        np.zeros(most, np.int64),
        np.zeros(most, np.int64),
        np.zeros(-(-most // WORD), np.int64),
        np.full(cells * size if learning else 0, -1, np.int64),
        np.full(most * LONGEST, -1, np.int64),
        np.zeros(1, np.int64),
    )


@inner
def note_place(nogoods: Nogoods, guess: int, change: int) -> None:
    """Count a place, `change` 1, or its undo, -1, in every nogood that has it."""
    if len(nogoods.first) == 0:
        return
    at = int(nogoods.first[guess])
    while at >= 0:
        slot = at // LONGEST
        nogoods.standing[slot] += change
        _note_tight(nogoods, slot)
        at = int(nogoods.following[at])


@inner
def _note_tight(nogoods: Nogoods, slot: int) -> None:
    bit = 1 << (slot % WORD)
    if nogoods.standing[slot] >= nogoods.lengths[slot] - 1:
        nogoods.tight[slot // WORD] |= bit
    else:
        nogoods.tight[slot // WORD] &= ~bit


@inner
def count_guesses(levels: NDArray[np.int64]) -> int:
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
    size: int,
) -> int:
    """Record the guesses of a set of levels; returns how many they are, 0 where they are too many.

    `options` and `following` are those of SearchArrays: the guess of a level is the option before
    the next.
    """
    count = count_guesses(levels)
    if count == 0 or count > LONGEST:
        return 0
    slot = int(nogoods.recorded[0]) % len(nogoods.lengths)
    nogoods.recorded[0] += 1
    for place in range(nogoods.lengths[slot]):
        _unlink(nogoods, int(nogoods.guesses[slot, place]), slot * LONGEST + place)
    place = 0
    standing = 0
    for word in range(len(levels)):
        left = int(levels[word])
        level = word * WORD
        while left:
            if left & 1:
                option = int(options[level, following[level] - 1])
                cell = option >> 16
                value = option >> 8 & 0xFF
                guess = cell * size + value - 1
                nogoods.guesses[slot, place] = guess
                nogoods.following[slot * LONGEST + place] = nogoods.first[guess]
                nogoods.first[guess] = slot * LONGEST + place
                standing += board[cell] == value
                place += 1
            left >>= 1
            level += 1
    nogoods.lengths[slot] = count
    nogoods.standing[slot] = standing
    _note_tight(nogoods, slot)
    return count


@inner
def _unlink(nogoods: Nogoods, guess: int, node: int) -> None:
    at = int(nogoods.first[guess])
    if at == node:
        nogoods.first[guess] = nogoods.following[node]
        return
    while nogoods.following[at] != node:
        at = int(nogoods.following[at])
    nogoods.following[at] = nogoods.following[node]
