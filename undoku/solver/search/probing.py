"""Singleton arc consistency by probing: the consequences of each candidate are computed.

The algorithm is SAC-1 of Debruyne and Bessière (1997): each candidate in turn is placed in its
cell, the rules run, and everything is undone; a candidate that they refute is removed, and the
rules run on the rest. It ends when every candidate has been probed since the last removal.
"""

from __future__ import annotations

from undoku.machine_code.jit import inner
from undoku.solver.problem.geometry_arrays import Tables
from undoku.solver.search.board_changes import place_guess, remove_candidate, undo_trail
from undoku.solver.search.bookkeeping import BY_PROBE, PROBE_AT, PROBES_LEFT, TRAIL, Output
from undoku.solver.search.conflict_sets import WORD
from undoku.solver.search.ops import OP_ELIMINATE
from undoku.solver.search.propagation import infer
from undoku.solver.search.search_arrays import Rules, SearchArrays

__all__ = ["begin_probes", "next_probe", "probe"]


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
    rules: Rules,
    count: int,
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
        consistent = infer(rules, count, rule_mask, tables, arrays, depth + 1, explaining)
    undo_trail(arrays, mark, False, output)
    for unit in range(len(arrays.stale)):
        arrays.stale[unit] = 0
    if consistent:
        return 1
    if explaining:
        arrays.cause_levels[0, depth // WORD] &= ~(1 << (depth % WORD))
    candidates = arrays.candidates[depth]
    event = option | OP_ELIMINATE
    left = remove_candidate(tables, arrays, candidates, event, 0, BY_PROBE, rule_mask, explaining)
    arrays.registers[PROBES_LEFT] = len(arrays.board) * tables.size
    if left > 0 and infer(rules, count, rule_mask, tables, arrays, depth, explaining):
        return 1
    for unit in range(len(arrays.stale)):
        arrays.stale[unit] = 0
    return 0
