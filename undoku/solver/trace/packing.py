"""Events of several searches, packed to one block for a page.

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

import numpy as np

from undoku.h264.loops import I64
from undoku.solver.search.ops import OP_ELIMINATE, OP_FORCED, OP_GUESS, OP_RESTORE, OP_UNDO
from undoku.solver.trace.trace import Events

_BYTE = 256


def pack_searches(
    searches: Sequence[Events], cells: Sequence[int]
) -> tuple[list[dict[str, int]], bytes]:
    """The deflated events of searches on boards with a number of cells, and the information for
    unpacking each: its number of `events`, and whether its undos and restorations have cells."""
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
        found.append(
            {"events": len(events), "undoCells": undo_cells, "restoreCells": restore_cells}
        )
    return found, zlib.compress(b"".join(pieces), 9)


def _latest_first(events: Events, opening: Sequence[int], closing: int) -> bool:
    """Whether each `closing` event reverses the latest `opening` one that has not been reversed."""
    opens = np.isin(events["op"], opening)
    paired = events[opens | (events["op"] == closing)]
    opens = np.isin(paired["op"], opening)
    # An opening event and the one that reverses it have the same level.
    level = np.cumsum(np.where(opens, 1, -1)) + ~opens
    if not len(paired) or level.min() < 1:
        return not len(paired)
    order: I64 = np.argsort(level, kind="stable")
    closes = np.flatnonzero(~opens[order])
    first, last = paired[order[closes - 1]], paired[order[closes]]
    same = (first["cell"] == last["cell"]) & (first["value"] == last["value"])
    return bool(same.all())
