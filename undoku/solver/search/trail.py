"""The changes of a board in a search with inference: guess, place, remove, undo; and their events.

Every depth has a row of candidates of its own, in which its removals are made, so backtracking
restores candidates by returning to the row above. Changes that become events are appended to a
trail, which is written as events, and which backtracking undoes from its end.
"""

from __future__ import annotations

from undoku.h264.loops import I64, inner, low_bit
from undoku.solver.problem.problem import WIDE, Tables
from undoku.solver.search.conflict_sets import WORD, add_removal_levels
from undoku.solver.search.nogoods import INDEX_BITS, begin_depth, update_watches
from undoku.solver.search.ops import OP_ELIMINATE, OP_FORCED, OP_GUESS, OP_RESTORE, OP_UNDO
from undoku.solver.search.search_state import (
    BACKTRACKING,
    BACKTRACKS,
    BY_CHOICE,
    DEAD_ENDS,
    FILLED,
    FORCED,
    OTHERS,
    TRAIL,
    UNDOS,
    WRITTEN,
    Output,
    SearchArrays,
)


@inner
def _mark_stale(tables: Tables, stale: I64, cell: int, rule_mask: int) -> None:
    for k in range(tables.cell_units.shape[1]):
        stale[tables.cell_units[cell, k]] |= rule_mask


@inner
def _append_to_trail(arrays: SearchArrays, event: int, reason: int, rule: int) -> None:
    """Append an event to the trail, with its reason."""
    at = int(arrays.registers[TRAIL])
    arrays.trail[at] = event
    arrays.reasons[at, 0] = rule
    arrays.reasons[at, 1] = reason
    arrays.registers[TRAIL] += 1


@inner
def place_value(
    tables: Tables,
    arrays: SearchArrays,
    candidates: I64,
    event: int,
    reason: int,
    rule: int,
    rule_mask: int,
    explaining: bool,
) -> int:
    """Place a value that is a candidate, and remove it from the peers; returns the first cell that
    has no candidate left, -1 if there is none."""
    registers = arrays.registers
    size = tables.size
    cell = event >> 16
    value = event >> 8 & 0xFF
    bit = 1 << (value - 1)
    wide = bit << WIDE
    if explaining:
        for index in range(size):
            if int(candidates[cell]) >> index & 1:
                arrays.removal_levels[cell * size + index] = arrays.cause_levels[0]
    candidates[cell] = bit
    arrays.board[cell] = value
    _append_to_trail(arrays, event, reason, rule)
    registers[FILLED] += 1
    update_watches(arrays.nogoods, arrays.board, cell << INDEX_BITS | value - 1)
    if rule_mask:
        _mark_stale(tables, arrays.stale, cell, rule_mask)
    emptied = -1
    for at in range(tables.peers.shape[1]):
        peer = int(tables.peers[cell, at])
        if peer < 0:
            break
        left = int(candidates[peer])
        lost = left & wide >> tables.falls[cell, at]
        if lost:
            left ^= lost
            candidates[peer] = left
            if rule_mask:
                _mark_stale(tables, arrays.stale, peer, rule_mask)
            if explaining:
                removed = peer * size + low_bit(lost)
                arrays.removal_levels[removed] = arrays.cause_levels[0]
            if left == 0 and emptied < 0:
                emptied = peer
    if emptied >= 0:
        _count_failure(tables, arrays.learned.weights, cell, emptied)
    return emptied


@inner
def _count_failure(tables: Tables, weights: I64, cell: int, emptied: int) -> None:
    """Count a failure for every unit that contains both cells."""
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
def place_guess(
    tables: Tables,
    arrays: SearchArrays,
    depth: int,
    option: int,
    strict: bool,
    rule_mask: int,
    explaining: bool,
) -> int:
    """Apply a guess to the candidates of depth + 1; returns 1, or 0 if it fails at once. With
    `strict`, a cell without candidates is a failure; otherwise it fails when it is chosen.
    """
    candidates = arrays.candidates[depth + 1]
    candidates[:] = arrays.candidates[depth]
    if explaining:
        arrays.cause_levels[0, :] = 0
        arrays.cause_levels[0, depth // WORD] = 1 << (depth % WORD)
    begin_depth(arrays.nogoods, depth + 1)
    event = option | OP_GUESS
    emptied = place_value(tables, arrays, candidates, event, 0, BY_CHOICE, rule_mask, explaining)
    if emptied < 0 or not strict:
        return 1
    if explaining:
        add_removal_levels(
            arrays.removal_levels,
            emptied,
            (1 << tables.size) - 1,
            tables.size,
            arrays.cause_levels[0],
        )
    return 0


@inner
def remove_candidate(
    tables: Tables,
    arrays: SearchArrays,
    candidates: I64,
    event: int,
    reason: int,
    rule: int,
    rule_mask: int,
    explaining: bool,
) -> int:
    """Remove a candidate; returns 1, or -1 if its cell has no other candidate. With `explaining`,
    arrays.cause_levels holds the guesses that caused the removal, and after -1 those that caused
    the failure."""
    size = tables.size
    cell = event >> 16
    value = event >> 8 & 0xFF
    if explaining:
        arrays.removal_levels[cell * size + value - 1] = arrays.cause_levels[0]
    candidates[cell] = int(candidates[cell]) ^ 1 << (value - 1)
    if arrays.board[cell] == 0:
        _append_to_trail(arrays, event, reason, rule)
    _mark_stale(tables, arrays.stale, cell, rule_mask)
    if candidates[cell] != 0:
        return 1
    if rule >= 0 and reason >= 0:
        arrays.learned.weights[reason & 0xFFFF] += 1
    if explaining:
        add_removal_levels(
            arrays.removal_levels, cell, (1 << size) - 1, size, arrays.cause_levels[0]
        )
    return -1


@inner
def _write(arrays: SearchArrays, event: int, recording: bool, output: Output) -> None:
    """Write an event with the original value in place of the loop's value."""
    registers = arrays.registers
    if recording:
        value = event >> 8 & 0xFF
        label = int(output.labels[value - 1]) if value else 0
        output.events[registers[WRITTEN]] = event & 0xFF | label << 8 | event >> 16 << 16
    registers[WRITTEN] += 1


@inner
def undo_trail(
    arrays: SearchArrays, mark: int, counting: bool, recording: bool, output: Output
) -> None:
    """Undo the trail back to `mark`, the last entry first; if `counting`, count and write the
    events."""
    registers = arrays.registers
    while registers[TRAIL] > mark:
        registers[TRAIL] -= 1
        event = int(arrays.trail[registers[TRAIL]])
        eliminated = event & 0xFF == OP_ELIMINATE
        if not eliminated:
            arrays.board[event >> 16] = 0
            registers[FILLED] -= 1
        if counting:
            registers[OTHERS if eliminated else UNDOS] += 1
            op = OP_RESTORE if eliminated else OP_UNDO
            _write(arrays, event >> 8 << 8 | op, recording, output)


@inner
def write_trail(arrays: SearchArrays, mark: int, recording: bool, output: Output) -> None:
    """Write the entries of the trail from index `mark` on as events, and count forced places and
    eliminations."""
    registers = arrays.registers
    for at in range(mark, registers[TRAIL]):
        event = int(arrays.trail[at])
        registers[FORCED] += event & 0xFF == OP_FORCED
        registers[OTHERS] += event & 0xFF == OP_ELIMINATE
        if recording and len(output.reasons):
            output.reasons[registers[WRITTEN]] = arrays.reasons[at]
        _write(arrays, event, recording, output)


@inner
def write_mark(arrays: SearchArrays, event: int, recording: bool, output: Output) -> None:
    """Write an event that does not change the board."""
    arrays.registers[OTHERS] += 1
    _write(arrays, event, recording, output)


@inner
def backtrack(arrays: SearchArrays, depth: int, recording: bool, output: Output) -> None:
    """Undo the guess of a depth and its consequences, write the events, and count it. The first
    guess undone after a place is a dead end, unless it completed a solution; each further one is a
    backtrack."""
    registers = arrays.registers
    if registers[BACKTRACKING]:
        registers[BACKTRACKS] += 1
    elif registers[FILLED] < len(arrays.board):
        registers[DEAD_ENDS] += 1
    registers[BACKTRACKING] = 1
    undo_trail(arrays, arrays.marks[depth], True, recording, output)
