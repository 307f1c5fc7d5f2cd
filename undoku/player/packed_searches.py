"""Searches packed for a page: the events of all of them as one block of bytes.

The block is the events of the searches one after the other; of each search first the `op` of every
event (uint8), then the cells, in the order of the events (uint8, or uint16 little-endian on boards
of more than 256 cells), then the values (uint8). Only events that need them have a cell and a
value: an undo of the latest place has neither, nor has a restoration of the latest elimination. If
an undo (or restoration) of a search concerns another event, all undos (or restorations) of the
search have their cells, and restorations their values. The block is deflated with a checksum (RFC
1950), which browsers call "deflate".
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from undoku.errors import SettingsError
from undoku.solver.search.ops import OP_ELIMINATE, OP_FORCED, OP_GUESS, OP_RESTORE, OP_UNDO
from undoku.solver.trace.steps import steps_of
from undoku.solver.trace.trace import EVENT, Events, Trace

__all__ = ["MAX_EVENTS", "MAX_STEPS", "PackedSearch", "pack_searches", "read_events"]

MAX_STEPS = 1_000_000
"""The maximum number of steps of all searches of a page."""

MAX_EVENTS = 16_000_000
"""The maximum number of events of all searches of a page, also eliminations and restorations."""

_BYTE = 256


@dataclass(frozen=True, slots=True)
class PackedSearch:
    """The information for unpacking a search: its number of `events`, and whether its undos and its
    restorations have cells."""

    events: int
    undo_cells: bool
    restore_cells: bool


def read_events(trace: Trace, steps: int, room: int = MAX_EVENTS) -> Events:
    """The events of a search up to step `steps`, and the inference after it. Raises SettingsError
    if there are more than `room`."""
    kept: list[Events] = []
    held = 0
    for rows in steps_of(trace):
        left = min(steps - rows.first, len(rows.cells))
        part = rows.events[: rows.starts[left]].view(EVENT)
        held += len(part)
        if held > room:
            raise SettingsError(
                f"the searches have more than {MAX_EVENTS:,} events, too many for a page",
                remedy="make a film of them, or stop them earlier with --max-nodes",
            )
        kept.append(part.copy())
        if len(part) < len(rows.events):
            break
    return np.concatenate(kept) if kept else np.empty(0, EVENT)


def pack_searches(
    searches: Sequence[Events], cells: Sequence[int]
) -> tuple[tuple[PackedSearch, ...], bytes]:
    """The deflated events of searches on boards with a number of cells, and the information for
    unpacking them."""
    found, pieces = [], []
    for events, count in zip(searches, cells, strict=True):
        ops = events["op"]
        undo_cells = not _latest_first(events, (OP_GUESS, OP_FORCED), OP_UNDO)
        restore_cells = not _latest_first(events, (OP_ELIMINATE,), OP_RESTORE)
        placed = (ops != OP_UNDO) & (ops != OP_RESTORE)
        has_value = placed | ((ops == OP_RESTORE) & restore_cells)
        has_cell = has_value | ((ops == OP_UNDO) & undo_cells)
        kind = "<u2" if count > _BYTE else "u1"
        pieces += [
            ops.tobytes(),
            events["cell"][has_cell].astype(kind).tobytes(),
            events["value"][has_value].tobytes(),
        ]
        found.append(PackedSearch(len(events), undo_cells, restore_cells))
    return tuple(found), zlib.compress(b"".join(pieces), 9)


def _latest_first(events: Events, opening: Sequence[int], closing: int) -> bool:
    """Whether each `closing` event reverses the latest `opening` one that has not been reversed."""
    opens = np.isin(events["op"], opening)
    paired = events[opens | (events["op"] == closing)]
    opens = np.isin(paired["op"], opening)
    # An opening event and the one that reverses it have the same level.
    level = np.cumsum(np.where(opens, 1, -1)) + ~opens
    if not len(paired) or level.min() < 1:
        return not len(paired)
    order: NDArray[np.int64] = np.argsort(level, kind="stable")
    closes = np.flatnonzero(~opens[order])
    first, last = paired[order[closes - 1]], paired[order[closes]]
    same = (first["cell"] == last["cell"]) & (first["value"] == last["value"])
    return bool(same.all())
