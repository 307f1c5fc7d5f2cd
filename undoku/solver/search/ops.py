"""The op codes of events, as plain integers that are constants in compiled loops.

A loop represents an event as one number, `op | value << 8 | cell << 16`: see
`undoku.solver.trace.trace.EVENT`.
The steps, which a viewer counts, come first, and of them the places, so that `op <= OP_UNDO` means
"a step" and `op <= OP_FORCED` "a place".
"""

from __future__ import annotations

OP_GUESS, OP_FORCED, OP_UNDO, OP_ELIMINATE, OP_RESTORE, OP_RESTART, OP_LEARN, OP_PROBE = range(8)
