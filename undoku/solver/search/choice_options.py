"""The options of a choice, and its conflict set: the guesses that caused its failures."""

from __future__ import annotations

from undoku.machine_code.jit import inner
from undoku.solver.problem.geometry_arrays import Tables
from undoku.solver.search.conflict_sets import WORD, add_reason_levels
from undoku.solver.search.search_arrays import SearchArrays

__all__ = ["begin_conflict_set", "extend_conflict_set", "list_options"]


@inner
def list_options(tables: Tables, arrays: SearchArrays, depth: int, choice: int) -> int:
    """Write the options of a choice to arrays.options[depth], ascending; returns their number."""
    candidates = arrays.candidates[depth]
    size = tables.size
    count = 0
    if choice >= 0:
        for index in range(size):
            if int(candidates[choice]) >> index & 1:
                arrays.options[depth, count] = (index + 1) << 8 | choice << 16
                count += 1
    else:
        unit = (-1 - choice) // size
        index = (-1 - choice) % size
        for at in range(size):
            cell = int(tables.units[unit, at])
            if int(candidates[cell]) >> index & 1:
                arrays.options[depth, count] = (index + 1) << 8 | cell << 16
                count += 1
    return count


@inner
def begin_conflict_set(tables: Tables, arrays: SearchArrays, depth: int, choice: int) -> None:
    """Initialise the conflict set of a choice: the guesses that removed its other options."""
    conflicts = arrays.conflict_sets[depth]
    for word in range(len(conflicts)):
        conflicts[word] = 0
    candidates = arrays.candidates[depth]
    size = tables.size
    if choice >= 0:
        add_reason_levels(tables, candidates, arrays.removal_levels, -1 - choice, conflicts)
        return
    unit = (-1 - choice) // size
    index = (-1 - choice) % size
    for at in range(size):
        cell = int(tables.units[unit, at])
        if not int(candidates[cell]) >> index & 1:
            for word in range(len(conflicts)):
                conflicts[word] |= arrays.removal_levels[cell * size + index, word]


@inner
def extend_conflict_set(arrays: SearchArrays, depth: int) -> None:
    """Add the guesses in arrays.cause_levels, which caused a guess at `depth` to fail, to the
    conflict set of its choice."""
    words = arrays.conflict_sets.shape[1]
    if arrays.cause_levels[0, depth // WORD] >> (depth % WORD) & 1:
        for word in range(words):
            arrays.conflict_sets[depth, word] |= arrays.cause_levels[0, word]
        arrays.conflict_sets[depth, depth // WORD] ^= 1 << (depth % WORD)
    else:
        # This guess did not contribute to the failure, so other options would fail, too.
        for word in range(words):
            arrays.conflict_sets[depth, word] = arrays.cause_levels[0, word]
        arrays.end[depth] = 0
