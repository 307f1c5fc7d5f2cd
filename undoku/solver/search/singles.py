"""Rules of inference: the contract, and the rules for single candidates.

A rule of another package is a Python function `rule(tables, candidates, board, stale, turn,
scratch, found)`; those here are loops that take what they need of these. It changes neither
candidates nor board. It writes its deductions to `found` and returns their number, or -(1 + unit)
if a unit can't be filled. The search applies them and calls the rules again, from the first on,
until none finds anything.

    tables      undoku.solver.problem.problem.Tables
    candidates  (cells,) int64: bit v-1 set while a cell may hold v; a filled cell has one bit, an
                empty one at least one
    board       (cells,) uint8: 0 where a cell is empty
    stale       (u,) int64: bit `turn` is set where the unit changed since the rule last looked;
                the rule clears it where it finds nothing more
    turn        the bit of the rule
    scratch     (m,) int64, m >= 5 * size + size ** 3 // 3: working memory
    found       (m, 2) int64: per find an event `op | value << 8 | cell << 16`, with OP_FORCED or
                OP_ELIMINATE of `undoku.solver.search.ops`, and its reason: the unit whose
                candidates it follows from, with two or three units `first | (1 + second) << 16 | (1
                + third) << 32`; -(1 + cell) when it follows from that cell's candidates alone, with
                two or three cells -(1 + (first | (1 + second) << 16 | (1 + third) << 32))

A rule may write fewer deductions than there are, and some twice; it is called again after each
change.
"""

from __future__ import annotations

from undoku.h264.loops import I64, I64_2D, U8, inner, low_bit
from undoku.solver.problem.problem import Tables
from undoku.solver.search.ops import OP_ELIMINATE, OP_FORCED
from undoku.solver.search.search_state import OUTSIDE, SearchArrays

(
    NAKED_SINGLES,
    HIDDEN_SINGLES,
    LOCKED,
    PAIRS,
    TRIPLES,
    X_WING,
    SWORDFISH,
    XY_WING,
    ALLDIFF,
) = range(OUTSIDE + 1, OUTSIDE + 10)
"""The numbers of the rules."""


@inner
def note(found: I64_2D, count: int, event: int, reason: int) -> int:
    """Record a deduction after `count` others; returns their new number."""
    if count < len(found):
        found[count, 0] = event
        found[count, 1] = reason
        count += 1
    return count


@inner
def remove(found: I64_2D, count: int, cell: int, mask: int, reason: int) -> int:
    """Record that `cell` loses the candidates in `mask`; returns the new number of deductions."""
    value = 1
    while mask:
        if mask & 1:
            count = note(found, count, OP_ELIMINATE | value << 8 | cell << 16, reason)
        mask >>= 1
        value += 1
    return count


@inner
def take_stale(stale: I64, turn: int) -> int:
    """Whether any unit has changed since a rule last looked; clears the marks of the rule."""
    changed = 0
    for unit in range(len(stale)):
        changed |= stale[unit] & turn
        stale[unit] &= ~turn
    return changed


@inner
def naked_singles(candidates: I64, board: U8, found: I64_2D) -> int:
    """An empty cell with one candidate holds it."""
    count = 0
    for cell in range(len(board)):
        mask = int(candidates[cell])
        if mask & (mask - 1) == 0 and board[cell] == 0:
            value = 1 + low_bit(mask) if mask else 1
            count = note(found, count, OP_FORCED | value << 8 | cell << 16, -(1 + cell))
    return count


@inner
def hidden_singles(
    tables: Tables, candidates: I64, board: U8, stale: I64, turn: int, found: I64_2D
) -> int:
    """If only one cell of a unit can hold a value, it holds it."""
    size = tables.size
    full = (1 << size) - 1
    count = 0
    for unit in range(tables.aligned):
        if not stale[unit] & turn:
            continue
        stale[unit] ^= turn
        if tables.units[unit, size - 1] < 0:
            continue
        once = 0
        twice = 0
        for at in range(size):
            mask = int(candidates[tables.units[unit, at]])
            twice |= once & mask
            once |= mask
        if once != full:
            return -(1 + unit)
        alone = once & ~twice
        for at in range(size):
            cell = int(tables.units[unit, at])
            hit = int(candidates[cell]) & alone
            if hit and board[cell] == 0:
                if hit & (hit - 1):
                    return -(1 + unit)  # this is the only cell of two values
                value = 1 + low_bit(hit)
                count = note(found, count, OP_FORCED | value << 8 | cell << 16, unit)
    return count


@inner
def locked(unit: int, tables: Tables, arrays: SearchArrays, candidates: I64) -> int:
    """If a unit can hold a value only in cells of another unit, the rest of the other unit can't
    hold it. A value confined to the intersection of a box and a row is removed from the rest of the
    row (pointing) or of the box (claiming); units of any shape are treated alike.
    """
    found = arrays.found
    size = tables.size
    count = 0
    for crossing in range(tables.first_crossing[unit], tables.first_crossing[unit + 1]):
        other = tables.crossings[crossing, 1]
        shared = int(tables.crossings[crossing, 2])
        inside = 0
        outside = 0
        for at in range(size):
            mask = int(candidates[tables.units[unit, at]])
            if shared >> at & 1:
                inside |= mask
            else:
                outside |= mask
        confined = inside & ~outside
        if not confined:
            continue
        at_unit = 0
        for at in range(size):
            cell = int(tables.units[other, at])
            if cell < 0:
                break
            # Both rows ascend, so one pass finds the shared cells.
            while at_unit < size - 1 and tables.units[unit, at_unit] < cell:
                at_unit += 1
            if tables.units[unit, at_unit] != cell and int(candidates[cell]) & confined:
                count = remove(found, count, cell, int(candidates[cell]) & confined, unit)
    return count
