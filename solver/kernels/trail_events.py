"""Writes the trail of a search as events: forwards as it grows, backwards as it is undone."""

from __future__ import annotations

from solver.jit import inner
from solver.kernels.board_changes import take_back
from solver.kernels.bookkeeping import (
    BACKTRACKS,
    DEAD_ENDS,
    FILLED,
    FORCED,
    OTHERS,
    RETREATING,
    TRAIL,
    UNDOS,
    WRITTEN,
    Output,
)
from solver.kernels.search_arrays import SearchArrays
from solver.ops import OP_ELIMINATE, OP_FORCED

__all__ = ["labelled", "retreat", "tell_mark", "tell_trail", "withdraw"]


@inner
def tell_trail(
    arrays: SearchArrays,
    mark: int,
    recording: bool,
    output: Output,
) -> None:
    """Write the trail from `mark` on as events, and count forced places and eliminations."""
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
def labelled(event: int, output: Output) -> int:
    """An event with the original value in place of the loop's value."""
    return event & 0xFF | int(output.labels[(event >> 8 & 0xFF) - 1]) << 8 | event >> 16 << 16


@inner
def tell_mark(arrays: SearchArrays, event: int, recording: bool, output: Output) -> None:
    """Write an event that does not change the board."""
    registers = arrays.registers
    registers[OTHERS] += 1
    if recording:
        output.events[registers[WRITTEN]] = event
    registers[WRITTEN] += 1


@inner
def retreat(
    arrays: SearchArrays,
    mark: int,
    recording: bool,
    output: Output,
) -> None:
    """Undo a guess and its consequences, write the events, and count it: the first guess taken back
    after a place is a dead end, unless it completed a solution; each further one is a backtrack."""
    registers = arrays.registers
    full = registers[FILLED] == len(arrays.board)
    if registers[RETREATING]:
        registers[BACKTRACKS] += 1
    elif not full:
        registers[DEAD_ENDS] += 1
    registers[RETREATING] = 1
    withdraw(arrays, mark, recording, output)


@inner
def withdraw(
    arrays: SearchArrays,
    mark: int,
    recording: bool,
    output: Output,
) -> None:
    """Undo the trail back to `mark` and write the events."""
    registers = arrays.registers
    for at in range(mark, registers[TRAIL]):
        eliminated = int(arrays.trail[at]) & 0xFF == OP_ELIMINATE
        registers[OTHERS] += eliminated
        registers[UNDOS] += not eliminated
    if not recording:
        registers[WRITTEN] += registers[TRAIL] - mark
    take_back(arrays, mark, recording, output)
