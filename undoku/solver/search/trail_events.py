"""Writes the trail of a search as events: its new entries, and the undoing of entries."""

from __future__ import annotations

from undoku.machine_code.jit import inner
from undoku.solver.search.board_changes import undo_trail
from undoku.solver.search.bookkeeping import (
    BACKTRACKING,
    BACKTRACKS,
    DEAD_ENDS,
    FILLED,
    FORCED,
    OTHERS,
    TRAIL,
    UNDOS,
    WRITTEN,
    Output,
)
from undoku.solver.search.ops import OP_ELIMINATE, OP_FORCED
from undoku.solver.search.search_arrays import SearchArrays

__all__ = ["backtrack", "undo_and_count", "with_label", "write_mark", "write_trail"]


@inner
def write_trail(
    arrays: SearchArrays,
    mark: int,
    recording: bool,
    output: Output,
) -> None:
    """Write the entries of the trail from index `mark` on as events, and count forced places and
    eliminations."""
    registers, labels, events = arrays.registers, output.labels, output.events
    for at in range(mark, registers[TRAIL]):
        event = int(arrays.trail[at])
        registers[FORCED] += event & 0xFF == OP_FORCED
        registers[OTHERS] += event & 0xFF == OP_ELIMINATE
        if recording:
            label = int(labels[(event >> 8 & 0xFF) - 1])
            events[registers[WRITTEN]] = event & 0xFF | label << 8 | event >> 16 << 16
            if len(output.reasons):
                output.reasons[registers[WRITTEN], 0] = arrays.reasons[at, 0]
                output.reasons[registers[WRITTEN], 1] = arrays.reasons[at, 1]
        registers[WRITTEN] += 1


@inner
def with_label(event: int, output: Output) -> int:
    """An event with the original value in place of the loop's value."""
    return event & 0xFF | int(output.labels[(event >> 8 & 0xFF) - 1]) << 8 | event >> 16 << 16


@inner
def write_mark(arrays: SearchArrays, event: int, recording: bool, output: Output) -> None:
    """Write an event that does not change the board."""
    registers = arrays.registers
    registers[OTHERS] += 1
    if recording:
        output.events[registers[WRITTEN]] = event
    registers[WRITTEN] += 1


@inner
def backtrack(
    arrays: SearchArrays,
    mark: int,
    recording: bool,
    output: Output,
) -> None:
    """Undo a guess and its consequences, write the events, and count it. The first guess undone
    after a place is a dead end, unless it completed a solution; each further one is a backtrack."""
    registers = arrays.registers
    full = registers[FILLED] == len(arrays.board)
    if registers[BACKTRACKING]:
        registers[BACKTRACKS] += 1
    elif not full:
        registers[DEAD_ENDS] += 1
    registers[BACKTRACKING] = 1
    undo_and_count(arrays, mark, recording, output)


@inner
def undo_and_count(
    arrays: SearchArrays,
    mark: int,
    recording: bool,
    output: Output,
) -> None:
    """Undo the trail back to `mark`, write the events, and count them."""
    registers = arrays.registers
    for at in range(mark, registers[TRAIL]):
        eliminated = int(arrays.trail[at]) & 0xFF == OP_ELIMINATE
        registers[OTHERS] += eliminated
        registers[UNDOS] += not eliminated
    if not recording:
        registers[WRITTEN] += registers[TRAIL] - mark
    undo_trail(arrays, mark, recording, output)
