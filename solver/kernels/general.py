"""The compiled loop of a search that chooses, infers and goes back in any of the ways there are."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from solver.geometry_arrays import Tables
from solver.jit import inner, lean
from solver.kernels.conflict_sets import WORD, explain, level_of
from solver.kernels.fixed_order import (
    BACKTRACKS,
    CUT,
    DEAD_ENDS,
    DEPTH,
    FILLED,
    FORCED,
    GUESSES,
    MAX_DEPTH,
    NODE_LIMIT,
    OTHERS,
    PHASE,
    PHASE_CAPPED,
    PHASE_ENTER,
    PHASE_EXHAUSTED,
    PHASE_ROOT,
    PHASE_SOLVED,
    PHASE_TRY,
    RETREATING,
    SOLUTIONS,
    TRAIL,
    UNDOS,
    WAVE,
    WRITTEN,
)
from solver.kernels.propagation import State, infer, settle, take_back
from solver.ops import OP_ELIMINATE, OP_FORCED

__all__ = ["CHRONOLOGICAL", "CONFLICT_DIRECTED", "LIMITED_DISCREPANCY", "advance_general"]

CHRONOLOGICAL, CONFLICT_DIRECTED, LIMITED_DISCREPANCY = range(3)


Function = Callable[..., int]


@inner
def _list_options(tables: Tables, state: State, depth: int, choice: int) -> int:
    """Write what a choice can try to state.options[depth], ascending; returns how many."""
    candidates = state.candidates[depth]
    size = tables.size
    count = 0
    if choice >= 0:
        for index in range(size):
            if int(candidates[choice]) >> index & 1:
                state.options[depth, count] = (index + 1) << 8 | choice << 16
                count += 1
    else:
        unit = (-1 - choice) // size
        index = (-1 - choice) % size
        for at in range(size):
            cell = int(tables.units[unit, at])
            if int(candidates[cell]) >> index & 1:
                state.options[depth, count] = (index + 1) << 8 | cell << 16
                count += 1
    return count


@inner
def _excuse(tables: Tables, state: State, depth: int, choice: int) -> None:
    """Begin the conflicts of a choice: why it has no more options than it has."""
    conflicts = state.conflicts[depth]
    for word in range(len(conflicts)):
        conflicts[word] = 0
    candidates = state.candidates[depth]
    size = tables.size
    if choice >= 0:
        explain(tables, candidates, state.why, -1 - choice, conflicts)
        return
    unit = (-1 - choice) // size
    index = (-1 - choice) % size
    for at in range(size):
        cell = int(tables.units[unit, at])
        if not int(candidates[cell]) >> index & 1:
            for word in range(len(conflicts)):
                conflicts[word] |= state.why[cell * size + index, word]


@inner
def _tell(
    state: State,
    mark: int,
    labels: NDArray[np.uint8],
    recording: bool,
    events: NDArray[np.uint32],
) -> None:
    """Write the trail from `mark` on as events, and count what is forced and eliminated."""
    registers = state.registers
    for at in range(mark, registers[TRAIL]):
        event = int(state.trail[at])
        registers[FORCED] += event & 0xFF == OP_FORCED
        registers[OTHERS] += event & 0xFF == OP_ELIMINATE
        if recording:
            label = int(labels[(event >> 8 & 0xFF) - 1])
            events[registers[WRITTEN]] = event & 0xFF | label << 8 | event >> 16 << 16
        registers[WRITTEN] += 1


@inner
def _retreat(
    state: State,
    mark: int,
    labels: NDArray[np.uint8],
    recording: bool,
    events: NDArray[np.uint32],
) -> None:
    """Take a guess and its consequences back, tell it, and count it: the first guess taken back
    after a place met a dead end, unless it completed a solution; each further one is a
    backtrack."""
    registers = state.registers
    full = registers[FILLED] == len(state.board)
    if registers[RETREATING]:
        registers[BACKTRACKS] += 1
    elif not full:
        registers[DEAD_ENDS] += 1
    registers[RETREATING] = 1
    for at in range(mark, registers[TRAIL]):
        eliminated = int(state.trail[at]) & 0xFF == OP_ELIMINATE
        registers[OTHERS] += eliminated
        registers[UNDOS] += not eliminated
    if not recording:
        registers[WRITTEN] += registers[TRAIL] - mark
    take_back(state, mark, labels, recording, events)


@lean
def advance_general(
    choose: tuple[Function, ...],
    rank: tuple[Function, ...],
    rules: tuple[Function, ...],
    tables: Tables,
    state: State,
    order: NDArray[np.int64],
    rule_count: int,
    strict: bool,
    back: int,
    exhaustive: bool,
    recording: bool,
    room: int,
    reserve: int,
    labels: NDArray[np.uint8],
    events: NDArray[np.uint32],
    solution: NDArray[np.uint8],
) -> int:
    """Go on with the search until it ends or fewer than `reserve` events of `room` are left;
    returns how many events happened. As `solver.kernels.fixed_order.advance` in what it returns and
    ends with.

    choose, rank  one function each: see `solver.strategies.dynamic_orders`
    rules         SLOTS functions, of which the first `rule_count` are run: see
    `solver.inference.singles` order         (n,) int64: the empty cells of the puzzle in the
    strategy's fixed order strict        a cell without candidates is a failure at once, not only
    when it is chosen reserve       no more events than a guess and its undo, or a whole way back,
    can make labels        (size,) uint8: the value that the loop's value v stands for, at v-1
    """
    registers = state.registers
    explaining = back == CONFLICT_DIRECTED
    cells = len(state.board)
    everyone = (1 << rule_count) - 1
    words = state.conflicts.shape[1]
    guess_limit = registers[NODE_LIMIT] - 1
    depth = registers[DEPTH]
    phase = registers[PHASE]
    registers[WRITTEN] = 0

    while registers[WRITTEN] + reserve <= room:
        if phase == PHASE_ROOT:
            for unit in range(len(state.stale)):
                state.stale[unit] = everyone
            sound = 1
            for cell in range(cells):
                if strict and state.candidates[0, cell] == 0:
                    sound = 0
            if sound:
                sound = infer(rules, rule_count, tables, state, depth, explaining)
            _tell(state, depth, labels, recording, events)
            if not sound:
                registers[DEAD_ENDS] += 1
                phase = PHASE_EXHAUSTED
                break
            phase = PHASE_ENTER
            continue
        if phase == PHASE_ENTER:
            phase = PHASE_TRY
            state.next[depth] = 0
            if registers[FILLED] == cells:
                if registers[SOLUTIONS] == 0:
                    for cell in range(cells):
                        solution[cell] = labels[state.board[cell] - 1]
                registers[SOLUTIONS] += 1
                if not exhaustive:
                    phase = PHASE_SOLVED
                    break
                state.end[depth] = 0
                if explaining:
                    # Further solutions may differ in any guess, so all of them are at fault.
                    for word in range(words):
                        state.conflicts[depth, word] = 0
                    for level in range(depth):
                        state.conflicts[depth, level // WORD] |= 1 << (level % WORD)
            else:
                candidates = state.candidates[depth]
                choice = choose[0](tables, candidates, state.board, order, state.weights)
                end = _list_options(tables, state, depth, choice)
                options = state.options[depth, :end]
                rank[0](tables, candidates, state.board, state.scratch, options)
                state.end[depth] = end
                if explaining:
                    _excuse(tables, state, depth, choice)
                if depth == 0 and end == 0:
                    registers[DEAD_ENDS] += 1

        at = int(state.next[depth])
        allowed = back != LIMITED_DISCREPANCY or at == 0 or state.spent[depth] < registers[WAVE]
        if at < state.end[depth] and allowed:
            if guess_limit >= 0 and registers[GUESSES] >= guess_limit:
                phase = PHASE_CAPPED
                break
            state.next[depth] = at + 1
            state.spent[depth + 1] = state.spent[depth] + (at > 0)
            mark = registers[TRAIL]
            state.marks[depth] = mark
            option = state.options[depth, at]
            sound = settle(tables, state, depth, option, strict, everyone, explaining)
            if sound:
                sound = infer(rules, rule_count, tables, state, depth + 1, explaining)
            if not sound:
                for unit in range(len(state.stale)):
                    state.stale[unit] = 0
            repeated = back == LIMITED_DISCREPANCY and state.spent[depth + 1] < registers[WAVE]
            if repeated and registers[FILLED] == cells:
                # An earlier wave has shown this board: it is passed over without a word.
                take_back(state, mark, labels, recording and not repeated, events)
                continue
            _tell(state, mark, labels, recording, events)
            registers[GUESSES] += 1
            registers[RETREATING] = 0
            registers[MAX_DEPTH] = max(registers[MAX_DEPTH], depth + 1)
            if sound:
                depth += 1
                phase = PHASE_ENTER
                continue
            _retreat(state, mark, labels, recording, events)
            if explaining:
                if state.cause[0, depth // WORD] >> (depth % WORD) & 1:
                    for word in range(words):
                        state.conflicts[depth, word] |= state.cause[0, word]
                    state.conflicts[depth, depth // WORD] ^= 1 << (depth % WORD)
                else:
                    # This guess had no part in the failure, so no other one in its place helps.
                    for word in range(words):
                        state.conflicts[depth, word] = state.cause[0, word]
                    state.end[depth] = 0
            continue

        if at < state.end[depth]:
            registers[CUT] = 1
        if depth == 0:
            if registers[CUT]:
                registers[CUT] = 0
                registers[WAVE] += 1
                phase = PHASE_ENTER
                continue
            phase = PHASE_EXHAUSTED
            break
        target = depth - 1
        if explaining:
            target = level_of(state.conflicts[depth])
        last = max(target, 0)
        for level in range(depth - 1, last - 1, -1):
            _retreat(state, state.marks[level], labels, recording, events)
        if target < 0:
            depth = 0
            phase = PHASE_EXHAUSTED
            break
        if explaining:
            for word in range(words):
                state.conflicts[target, word] |= state.conflicts[depth, word]
            state.conflicts[target, target // WORD] ^= 1 << (target % WORD)
        depth = target

    registers[DEPTH] = depth
    registers[PHASE] = phase
    return int(registers[WRITTEN])
