"""The compiled steps of a search with inference: place, remove, run the rules, take back.

Every candidate that goes is taken from the row of the present depth, so that going back restores
the row above it by forgetting this one. What has to be told as events is kept on a trail, in the
order in which it happened; going back reads it from its end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.geometry_arrays import Candidates, Tables
from solver.jit import inner, low_bit
from solver.kernels.bookkeeping import BY_CHOICE, BY_NOGOOD, FILLED, TRAIL, WRITTEN, Output
from solver.kernels.conflict_sets import WORD, because, explain
from solver.kernels.nogoods import Nogoods, note_place
from solver.ops import OP_ELIMINATE, OP_FORCED, OP_GUESS, OP_RESTORE, OP_UNDO
from solver.strategies.learned import Learned

__all__ = ["SLOTS", "SearchArrays", "infer", "remove_candidate", "settle", "take_back"]

SLOTS = 12
"""The most rules that a loop takes without being compiled anew."""


Rules = tuple[Callable[..., int], ...]


class SearchArrays(NamedTuple):
    """Everything the search knows, preallocated. n cells, u units, w words to a set of levels.

    Sets of levels are kept only for conflict-directed backjumping; see
    `solver.kernels.conflict_sets`.

    candidates  (n + 2, n) int64: per depth
    board       (n,) uint8
    trail       (t,) int64: the places and eliminations in force, as events
    marks       (n + 1,) int64: per depth, where the trail of its guess begins
    options     (n + 1, size) int64: per depth, value << 8 | cell << 16 in the order of trial
    next, end   (n + 1,) int64: per depth, the option that is next, and how many there are
    spent       (n + 2,) int64: per depth, departures from the first option on the way there
    choices     (n + 1,) int64: per depth, what was chosen: see `solver.strategies.dynamic_orders`
    conflict    (1,) int64: the choice that comes first: see `solver.kernels.last_conflict`
    why         (n × size or 1, w) int64: the levels for which a candidate is gone
    cause       (1, w) int64: the levels from which the present find, then the failure, follows
    conflicts   (n + 2, w) int64: per depth, the levels for which its options have failed
    stale       (u,) int64: see `solver.inference.singles`
    learned     what cell orders go by; its weights are 1 + the failures of each unit
    nogoods     see `solver.kernels.nogoods`
    reasons     (t, 2) int64: per entry of the trail the rule and its reason, as Output.reasons
    scratch     (5 × size,) int64
    found       (m, 2) int64
    registers   (REGISTERS,) int64: see `solver.kernels.bookkeeping`
    """

    candidates: NDArray[np.int64]
    board: NDArray[np.uint8]
    trail: NDArray[np.int64]
    marks: NDArray[np.int64]
    options: NDArray[np.int64]
    next: NDArray[np.int64]
    end: NDArray[np.int64]
    spent: NDArray[np.int64]
    choices: NDArray[np.int64]
    conflict: NDArray[np.int64]
    why: NDArray[np.int64]
    cause: NDArray[np.int64]
    conflicts: NDArray[np.int64]
    stale: NDArray[np.int64]
    learned: Learned
    nogoods: Nogoods
    reasons: NDArray[np.int64]
    scratch: NDArray[np.int64]
    found: NDArray[np.int64]
    registers: NDArray[np.int64]


@inner
def _touch(tables: Tables, stale: NDArray[np.int64], cell: int, everyone: int) -> None:
    for k in range(tables.cell_units.shape[1]):
        stale[tables.cell_units[cell, k]] |= everyone


@inner
def _note(arrays: SearchArrays, event: int, reason: int, rule: int) -> None:
    """Put an event on the trail, with its reason."""
    at = int(arrays.registers[TRAIL])
    arrays.trail[at] = event
    arrays.reasons[at, 0] = rule
    arrays.reasons[at, 1] = reason
    arrays.registers[TRAIL] = at + 1


@inner
def _place(
    tables: Tables,
    arrays: SearchArrays,
    candidates: Candidates,
    event: int,
    reason: int,
    rule: int,
    everyone: int,
    explaining: bool,
) -> int:
    """Put a value that is a candidate; returns a cell that is left without any, or -1.

    With `explaining`, arrays.cause says why the value stands here.
    """
    registers = arrays.registers
    size = tables.size
    cell = event >> 16
    value = event >> 8 & 0xFF
    bit = 1 << (value - 1)
    words = arrays.cause.shape[1]
    if explaining:
        others = int(candidates[cell]) & ~bit
        for index in range(size):
            if others >> index & 1:
                for word in range(words):
                    arrays.why[cell * size + index, word] = arrays.cause[0, word]
    candidates[cell] = bit
    arrays.board[cell] = value
    _note(arrays, event, reason, rule)
    registers[FILLED] += 1
    note_place(arrays.nogoods, cell * size + value - 1, 1)
    if everyone:
        _touch(tables, arrays.stale, cell, everyone)
    emptied = -1
    for at in range(tables.peers.shape[1]):
        peer = int(tables.peers[cell, at])
        if peer < 0:
            break
        left = int(candidates[peer])
        if left & bit:
            left ^= bit
            candidates[peer] = left
            if everyone:
                _touch(tables, arrays.stale, peer, everyone)
            if explaining:
                for word in range(words):
                    arrays.why[peer * size + value - 1, word] = arrays.cause[0, word]
            if left == 0 and emptied < 0:
                emptied = peer
    if emptied >= 0:
        _blame(tables, arrays.learned.weights, cell, emptied)
    return emptied


@inner
def _blame(tables: Tables, weights: NDArray[np.int64], cell: int, emptied: int) -> None:
    """One failure more for every unit that holds both cells."""
    width = tables.cell_units.shape[1]
    for k in range(width):
        unit = tables.cell_units[cell, k]
        if k > 0 and unit == tables.cell_units[cell, 0]:
            continue
        for other in range(width):
            if tables.cell_units[emptied, other] == unit:
                weights[unit] += 1
                break


@inner
def settle(
    tables: Tables,
    arrays: SearchArrays,
    depth: int,
    option: int,
    strict: bool,
    everyone: int,
    explaining: bool,
) -> int:
    """Guess an option into the candidates of depth + 1; returns 1, or 0 when it fails at once.

    A cell left without candidates is a failure when `strict`; else it is left for its turn.
    """
    candidates = arrays.candidates[depth + 1]
    above = arrays.candidates[depth]
    for cell in range(len(above)):
        candidates[cell] = above[cell]
    if explaining:
        for word in range(arrays.cause.shape[1]):
            arrays.cause[0, word] = 0
        arrays.cause[0, depth // WORD] = 1 << (depth % WORD)
    event = option | OP_GUESS
    emptied = _place(tables, arrays, candidates, event, 0, BY_CHOICE, everyone, explaining)
    if emptied < 0 or not strict:
        return 1
    if explaining:
        because(arrays.why, emptied, (1 << tables.size) - 1, tables.size, arrays.cause[0])
    return 0


@inner
def _apply(
    tables: Tables,
    arrays: SearchArrays,
    candidates: Candidates,
    event: int,
    reason: int,
    rule: int,
    everyone: int,
    explaining: bool,
) -> int:
    """Apply a find of a rule: returns 1 when it changed something, 0 when it was known, -1 when it
    fails. Then arrays.cause holds the guesses that this follows from, when `explaining`."""
    size = tables.size
    cell = event >> 16
    value = event >> 8 & 0xFF
    bit = 1 << (value - 1)
    left = int(candidates[cell])
    forced = event & 0xFF == OP_FORCED
    if (forced and arrays.board[cell] == value) or (not forced and not left & bit):
        return 0
    if explaining:
        for word in range(arrays.cause.shape[1]):
            arrays.cause[0, word] = 0
        explain(tables, candidates, arrays.why, reason, arrays.cause[0])
    if not forced:
        return remove_candidate(
            tables, arrays, candidates, event, reason, rule, everyone, explaining
        )
    if not left & bit:
        # An earlier find of the same round took the value away.
        if explaining:
            because(arrays.why, cell, bit, size, arrays.cause[0])
        if reason >= 0:
            arrays.learned.weights[reason & 0xFFFF] += 1
        return -1
    emptied = _place(tables, arrays, candidates, event, reason, rule, everyone, explaining)
    if emptied < 0:
        return 1
    if explaining:
        because(arrays.why, emptied, (1 << size) - 1, size, arrays.cause[0])
    return -1


@inner
def remove_candidate(
    tables: Tables,
    arrays: SearchArrays,
    candidates: Candidates,
    event: int,
    reason: int,
    rule: int,
    everyone: int,
    explaining: bool,
) -> int:
    """Take a candidate away, for the guesses in arrays.cause; returns 1, or -1 when its cell has no
    other. arrays.cause then holds the guesses that this follows from, when `explaining`."""
    size = tables.size
    cell = event >> 16
    value = event >> 8 & 0xFF
    if explaining:
        for word in range(arrays.cause.shape[1]):
            arrays.why[cell * size + value - 1, word] = arrays.cause[0, word]
    candidates[cell] = int(candidates[cell]) ^ 1 << (value - 1)
    if arrays.board[cell] == 0:
        _note(arrays, event, reason, rule)
    _touch(tables, arrays.stale, cell, everyone)
    if candidates[cell] != 0:
        return 1
    if rule >= 0 and reason >= 0:
        arrays.learned.weights[reason & 0xFFFF] += 1
    if explaining:
        because(arrays.why, cell, (1 << size) - 1, size, arrays.cause[0])
    return -1


@inner
def _exclude(tables: Tables, arrays: SearchArrays, candidates: Candidates, everyone: int) -> int:
    """Ask every nogood in turn, the first slot first: where all of its guesses but one stand, the
    cell of that one loses the value; returns 1 when any did, 0 when none, -1 when the cell has no
    other value, or all guesses of a nogood stand. After a failure arrays.cause holds the guesses
    that it follows from."""
    nogoods, size = arrays.nogoods, tables.size
    changed = 0
    for tight in range(len(nogoods.tight)):
        left = int(nogoods.tight[tight])
        while left:
            slot = tight * WORD + low_bit(left)
            left &= left - 1
            length = int(nogoods.lengths[slot])
            last = -1
            if nogoods.standing[slot] < length:
                for place in range(length):
                    guess = int(nogoods.guesses[slot, place])
                    if arrays.board[guess // size] != guess % size + 1:
                        last = guess
                cell, index = last // size, last % size
                if arrays.board[cell] != 0 or not int(candidates[cell]) >> index & 1:
                    continue
            for word in range(arrays.cause.shape[1]):
                arrays.cause[0, word] = 0
            for place in range(length):
                guess = int(nogoods.guesses[slot, place])
                if guess != last:
                    others = (1 << size) - 1 & ~(1 << guess % size)
                    because(arrays.why, guess // size, others, size, arrays.cause[0])
            if last < 0:
                return -1
            event = OP_ELIMINATE | (last % size + 1) << 8 | last // size << 16
            changed = remove_candidate(
                tables, arrays, candidates, event, slot, BY_NOGOOD, everyone, True
            )
            if changed < 0:
                return -1
    return changed


@inner
def infer(
    rules: Rules,
    count: int,
    everyone: int,
    tables: Tables,
    arrays: SearchArrays,
    depth: int,
    explaining: bool,
) -> int:
    """Run those of the first `count` rules that have their bit in `everyone`, and then the nogoods,
    on the candidates of `depth` until none finds anything, the first again after every find;
    returns 1, or 0 when the board can't be filled."""
    candidates = arrays.candidates[depth]
    at = 0
    while True:
        if at == count:
            outcome = _exclude(tables, arrays, candidates, everyone)
            if outcome <= 0:
                return 1 + outcome
            at = 0
            continue
        if not everyone >> at & 1:
            at += 1
            continue
        finds = rules[at](
            tables, candidates, arrays.board, arrays.stale, 1 << at, arrays.scratch, arrays.found
        )
        if finds < 0:
            unit = -1 - finds
            arrays.learned.weights[unit] += 1
            if explaining:
                for word in range(arrays.cause.shape[1]):
                    arrays.cause[0, word] = 0
                explain(tables, candidates, arrays.why, unit, arrays.cause[0])
            return 0
        changed = 0
        for number in range(finds):
            outcome = _apply(
                tables,
                arrays,
                candidates,
                arrays.found[number, 0],
                arrays.found[number, 1],
                at,
                everyone,
                explaining,
            )
            if outcome < 0:
                return 0
            changed |= outcome
        at = 0 if changed else at + 1


@inner
def take_back(
    arrays: SearchArrays,
    mark: int,
    recording: bool,
    output: Output,
) -> None:
    """Take the trail back to `mark`, the last entry first, and write its events if `recording`."""
    registers, labels, events = arrays.registers, output.labels, output.events
    while registers[TRAIL] > mark:
        registers[TRAIL] -= 1
        event = int(arrays.trail[registers[TRAIL]])
        op = OP_RESTORE if event & 0xFF == OP_ELIMINATE else OP_UNDO
        if op == OP_UNDO:
            arrays.board[event >> 16] = 0
            registers[FILLED] -= 1
            guess = (event >> 16) * arrays.options.shape[1] + (event >> 8 & 0xFF) - 1
            note_place(arrays.nogoods, guess, -1)
        if recording:
            label = int(labels[(event >> 8 & 0xFF) - 1])
            events[registers[WRITTEN]] = op | label << 8 | event >> 16 << 16
            registers[WRITTEN] += 1
