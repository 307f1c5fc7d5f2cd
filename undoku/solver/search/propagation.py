"""The compiled inference of a search: rules and nogoods run to a fixed point."""

from __future__ import annotations

from undoku.machine_code.jit import inner, low_bit
from undoku.solver.problem.geometry_arrays import Candidates, Tables
from undoku.solver.search.board_changes import place_value, remove_candidate
from undoku.solver.search.bookkeeping import BY_NOGOOD
from undoku.solver.search.conflict_sets import WORD, add_reason_levels, add_removal_levels
from undoku.solver.search.nogoods import INDEX, INDEX_BITS, NONE_OPEN, SEVERAL_OPEN, open_guess
from undoku.solver.search.ops import OP_ELIMINATE, OP_FORCED
from undoku.solver.search.search_arrays import Rules, SearchArrays

__all__ = ["infer"]


@inner
def _apply(
    tables: Tables,
    arrays: SearchArrays,
    candidates: Candidates,
    event: int,
    reason: int,
    rule: int,
    rule_mask: int,
    explaining: bool,
) -> int:
    """Apply a deduction of a rule; returns 1 if it changed something, 0 if it was known, -1 if it
    fails. With `explaining`, arrays.cause_levels then holds the guesses that caused the failure."""
    size = tables.size
    cell = event >> 16
    value = event >> 8 & 0xFF
    bit = 1 << (value - 1)
    left = int(candidates[cell])
    forced = event & 0xFF == OP_FORCED
    if (forced and arrays.board[cell] == value) or (not forced and not left & bit):
        return 0
    if explaining:
        for word in range(arrays.cause_levels.shape[1]):
            arrays.cause_levels[0, word] = 0
        add_reason_levels(tables, candidates, arrays.removal_levels, reason, arrays.cause_levels[0])
    if not forced:
        return remove_candidate(
            tables, arrays, candidates, event, reason, rule, rule_mask, explaining
        )
    if not left & bit:
        # An earlier deduction of the same round removed the value.
        if explaining:
            add_removal_levels(arrays.removal_levels, cell, bit, size, arrays.cause_levels[0])
        if reason >= 0:
            arrays.learned.weights[reason & 0xFFFF] += 1
        return -1
    emptied = place_value(tables, arrays, candidates, event, reason, rule, rule_mask, explaining)
    if emptied < 0:
        return 1
    if explaining:
        add_removal_levels(
            arrays.removal_levels, emptied, (1 << size) - 1, size, arrays.cause_levels[0]
        )
    return -1


@inner
def _apply_nogoods(
    tables: Tables, arrays: SearchArrays, candidates: Candidates, depth: int, rule_mask: int
) -> int:
    """Apply the pending nogoods in the order of their slots: if all guesses of a nogood but one are
    on the board, the cell of that one loses the value. Returns 1 if any cell lost a value, 0 if
    none did, -1 if a cell lost its last value, or all guesses of a nogood are on the board. After a
    failure arrays.cause_levels holds the guesses that caused it."""
    nogoods, size = arrays.nogoods, tables.size
    if len(nogoods.first) == 0:
        return 0
    changed = 0
    words = int(nogoods.pending[depth, 0])
    nogoods.pending[depth, 0] = 0
    while words:
        set_word = low_bit(words)
        words &= words - 1
        left = int(nogoods.pending[depth, set_word])
        while left:
            slot = (set_word - 1) * WORD + low_bit(left)
            left &= left - 1
            last = open_guess(nogoods, arrays.board, slot)
            if last == SEVERAL_OPEN:
                continue  # a later nogood has replaced the pending one in this slot
            if last != NONE_OPEN:
                cell, index = last >> INDEX_BITS, last & INDEX
                if arrays.board[cell] != 0 or not int(candidates[cell]) >> index & 1:
                    continue
            for word in range(arrays.cause_levels.shape[1]):
                arrays.cause_levels[0, word] = 0
            for number in range(nogoods.lengths[slot]):
                guess = int(nogoods.guesses[slot, number])
                if guess != last:
                    others = (1 << size) - 1 & ~(1 << (guess & INDEX))
                    add_removal_levels(
                        arrays.removal_levels,
                        guess >> INDEX_BITS,
                        others,
                        size,
                        arrays.cause_levels[0],
                    )
            if last == NONE_OPEN:
                return -1
            event = OP_ELIMINATE | (last & INDEX) + 1 << 8 | last >> INDEX_BITS << 16
            changed = remove_candidate(
                tables, arrays, candidates, event, slot, BY_NOGOOD, rule_mask, True
            )
            if changed < 0:
                return -1
    return changed


@inner
def infer(
    rules: Rules,
    count: int,
    rule_mask: int,
    tables: Tables,
    arrays: SearchArrays,
    depth: int,
    explaining: bool,
) -> int:
    """Run those of the first `count` rules whose bit is set in `rule_mask`, and then the nogoods,
    on the candidates of `depth`, again from the first rule after every deduction, until none finds
    anything. Returns 1, or 0 if the board can't be filled; with `explaining`, arrays.cause_levels
    then holds the guesses that caused this."""
    candidates = arrays.candidates[depth]
    arrays.nogoods.depth[0] = depth
    at = 0
    while True:
        if at == count:
            outcome = _apply_nogoods(tables, arrays, candidates, depth, rule_mask)
            if outcome <= 0:
                return 1 + outcome
            at = 0
            continue
        if not rule_mask >> at & 1:
            at += 1
            continue
        finds = rules[at](
            tables, candidates, arrays.board, arrays.stale, 1 << at, arrays.scratch, arrays.found
        )
        if finds < 0:
            unit = -1 - finds
            arrays.learned.weights[unit] += 1
            if explaining:
                for word in range(arrays.cause_levels.shape[1]):
                    arrays.cause_levels[0, word] = 0
                add_reason_levels(
                    tables, candidates, arrays.removal_levels, unit, arrays.cause_levels[0]
                )
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
                rule_mask,
                explaining,
            )
            if outcome < 0:
                return 0
            changed |= outcome
        at = 0 if changed else at + 1
