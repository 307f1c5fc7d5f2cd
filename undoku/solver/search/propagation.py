"""The inference of a search: rules and nogoods run to a fixed point, and probing.

Probing is singleton arc consistency by SAC-1 of Debruyne and Bessière (1997): each candidate in
turn is placed in its cell, the rules run, and everything is undone; a candidate that they refute is
removed, and the rules run on the rest. It ends when every candidate has been probed since the last
removal.
"""

from __future__ import annotations

from undoku.h264.loops import I64, call_outside, inner, low_bit
from undoku.solver.problem.problem import Tables
from undoku.solver.search.chains import alldiff, xy_wing
from undoku.solver.search.conflict_sets import WORD, add_reason_levels, add_removal_levels
from undoku.solver.search.nogoods import INDEX, INDEX_BITS, NONE_OPEN, SEVERAL_OPEN, open_guess
from undoku.solver.search.ops import OP_ELIMINATE, OP_FORCED
from undoku.solver.search.search_state import (
    BY_NOGOOD,
    BY_PROBE,
    OUTSIDE,
    PROBE_AT,
    PROBES_LEFT,
    TRAIL,
    Output,
    OutsideParts,
    SearchArrays,
    SearchPlan,
)
from undoku.solver.search.singles import (
    ALLDIFF,
    HIDDEN_SINGLES,
    LOCKED,
    NAKED_SINGLES,
    PAIRS,
    SWORDFISH,
    TRIPLES,
    X_WING,
    XY_WING,
    hidden_singles,
    locked,
    naked_singles,
)
from undoku.solver.search.subsets import fish, subsets_of_unit
from undoku.solver.search.trail import place_guess, place_value, remove_candidate, undo_trail


@inner
def _apply(
    tables: Tables,
    arrays: SearchArrays,
    candidates: I64,
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
        arrays.cause_levels[0, :] = 0
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
    tables: Tables, arrays: SearchArrays, candidates: I64, depth: int, rule_mask: int
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
            arrays.cause_levels[0, :] = 0
            for number in range(nogoods.lengths[slot]):
                guess = int(nogoods.guesses[slot, number])
                if guess != last:
                    add_removal_levels(
                        arrays.removal_levels,
                        guess >> INDEX_BITS,
                        1 << (guess & INDEX),
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
def _run_on_units(
    rule: int, turn: int, tables: Tables, arrays: SearchArrays, candidates: I64
) -> int:
    """Run a rule on one changed unit after the other, up to the first with deductions."""
    stale = arrays.stale
    for unit in range(tables.aligned):
        if stale[unit] & turn:
            if rule == LOCKED:
                count = locked(unit, tables, arrays, candidates)
            elif rule == PAIRS:
                count = subsets_of_unit(unit, 2, tables, arrays, candidates)
            elif rule == TRIPLES:
                count = subsets_of_unit(unit, 3, tables, arrays, candidates)
            else:
                count = alldiff(unit, tables, arrays, candidates)
            if count:
                return count
            stale[unit] ^= turn
    return 0


@inner
def _run(
    rule: int,
    at: int,
    depth: int,
    tables: Tables,
    arrays: SearchArrays,
    candidates: I64,
    outside: OutsideParts,
) -> int:
    """Run a rule, which is number `at` of the search; returns the number of its deductions."""
    board, stale, turn = arrays.board, arrays.stale, 1 << at
    scratch, found = arrays.scratch, arrays.found
    if rule == OUTSIDE:
        return call_outside(outside, at, depth)
    if rule == NAKED_SINGLES:
        return naked_singles(candidates, board, found)
    if rule == HIDDEN_SINGLES:
        return hidden_singles(tables, candidates, board, stale, turn, found)
    if rule == X_WING:
        return fish(2, tables, candidates, stale, turn, scratch, found)
    if rule == SWORDFISH:
        return fish(3, tables, candidates, stale, turn, scratch, found)
    if rule == XY_WING:
        return xy_wing(tables, candidates, board, stale, turn, found)
    # The rule is a constant in these calls, for which the compiler makes loops of their own.
    if rule == LOCKED:
        return _run_on_units(LOCKED, turn, tables, arrays, candidates)
    if rule == PAIRS:
        return _run_on_units(PAIRS, turn, tables, arrays, candidates)
    if rule == TRIPLES:
        return _run_on_units(TRIPLES, turn, tables, arrays, candidates)
    return _run_on_units(ALLDIFF, turn, tables, arrays, candidates)


@inner
def infer(
    plan: SearchPlan,
    rule_mask: int,
    tables: Tables,
    arrays: SearchArrays,
    depth: int,
    explaining: bool,
) -> int:
    """Run those rules of the plan whose bit is set in `rule_mask`, and then the nogoods,
    on the candidates of `depth`, again from the first rule after every deduction, until none finds
    anything. Returns 1, or 0 if the board can't be filled; with `explaining`, arrays.cause_levels
    then holds the guesses that caused this."""
    candidates = arrays.candidates[depth]
    arrays.nogoods.depth[0] = depth
    at = 0
    while True:
        if at == len(plan.rules):
            outcome = _apply_nogoods(tables, arrays, candidates, depth, rule_mask)
            if outcome <= 0:
                return 1 + outcome
            at = 0
            continue
        if not rule_mask >> at & 1:
            at += 1
            continue
        finds = _run(plan.rules[at], at, depth, tables, arrays, candidates, plan.outside)
        if finds < 0:
            unit = -1 - finds
            arrays.learned.weights[unit] += 1
            if explaining:
                arrays.cause_levels[0, :] = 0
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


@inner
def begin_probes(tables: Tables, arrays: SearchArrays) -> None:
    """Begin with the first candidate of the first cell."""
    arrays.registers[PROBE_AT] = 0
    arrays.registers[PROBES_LEFT] = len(arrays.board) * tables.size


@inner
def next_probe(tables: Tables, arrays: SearchArrays, depth: int) -> int:
    """The next candidate to probe, value << 8 | cell << 16: cyclically, over the empty cells with
    at least two candidates; -1 if all have been probed since the last removal."""
    registers, size = arrays.registers, tables.size
    while registers[PROBES_LEFT] > 0:
        at = int(registers[PROBE_AT])
        registers[PROBES_LEFT] -= 1
        registers[PROBE_AT] = at + 1 if at + 1 < len(arrays.board) * size else 0
        cell, index = at // size, at % size
        mask = int(arrays.candidates[depth, cell])
        if arrays.board[cell] == 0 and mask >> index & 1 and mask & (mask - 1):
            return (index + 1) << 8 | cell << 16
    return -1


@inner
def probe(
    plan: SearchPlan,
    rule_mask: int,
    tables: Tables,
    arrays: SearchArrays,
    depth: int,
    option: int,
    explaining: bool,
    output: Output,
) -> int:
    """Probe a candidate at `depth`; if it fails, remove it and run the rules. Returns 0 if the
    board can't be filled then, otherwise 1. With `explaining`, arrays.cause_levels holds the
    guesses that caused the failure."""
    mark = arrays.registers[TRAIL]
    consistent = place_guess(tables, arrays, depth, option, True, rule_mask, explaining)
    if consistent:
        consistent = infer(plan, rule_mask, tables, arrays, depth + 1, explaining)
    undo_trail(arrays, mark, False, False, output)
    arrays.stale[:] = 0
    if consistent:
        return 1
    if explaining:
        arrays.cause_levels[0, depth // WORD] &= ~(1 << (depth % WORD))
    candidates = arrays.candidates[depth]
    event = option | OP_ELIMINATE
    left = remove_candidate(tables, arrays, candidates, event, 0, BY_PROBE, rule_mask, explaining)
    arrays.registers[PROBES_LEFT] = len(arrays.board) * tables.size
    if left > 0 and infer(plan, rule_mask, tables, arrays, depth, explaining):
        return 1
    arrays.stale[:] = 0
    return 0
