"""Decides what a cell shows in which several values stood in turn: a compiled loop over arrays.

Frames of many steps are summarised for a fifth of a second at a time. Each cell is updated at its
own turns, every few frames, and then shows what happened since its last turn, so that the cells of
a board change one after the other. A turn depends only on the frame number, so that a film is the
same wherever drawing begins.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from render.style.cell_look import HEAT, PAYLOAD, STRENGTH, CellKind
from solver.jit import inner

__all__ = ["choose_ghost", "turn_of"]

_GUESS, _FORCED, _GHOST = int(CellKind.GUESS), int(CellKind.FORCED), int(CellKind.GHOST)

# All in 64ths of the time since the last turn. The digit that stood longest is shown from _LEAST
# on, strongly from _STRONG on. The rest of the time is churn, which is told by warmth 1, 2, 3 from
# these bounds on. What is shown stays until the share is _SLACK beyond its bound.
_LEAST, _STRONG = 8, 32
_WARM, _WARMER, _WARMEST = 9, 24, 40
_SLACK = 3


@inner
def turn_of(cell: int, frame: int, turn: int) -> int:
    """The number of the turn of `turn` frames that a cell is in; no two cells side by side, and
    none above each other, need begin theirs on one frame."""
    return (frame + (cell * 0x9E3779B1 >> 16) % turn) // turn


@inner
def choose_ghost(stood: NDArray[np.int64], now: int, before: int) -> tuple[int, int]:
    """(payload, value) of a cell by how long each value `stood` (values,), by the value that it
    holds `now`, and by its look `before`: the payload of a ghost, or -1 and the value that settled,
    0 for none."""
    whole, longest, most = stood[0], 0, np.int64(0)
    for value in range(1, len(stood)):
        whole += stood[value]
        if stood[value] > most:
            longest, most = value, stood[value]
    if not whole:
        return -1, now
    shown = heat = strength = 0
    kind = before & 7
    if before >= 0 and (kind in (_GUESS, _FORCED, _GHOST)):
        shown = before >> PAYLOAD & 31
        strength = 1
        if kind == _GHOST:
            strength = before >> (PAYLOAD + STRENGTH) & 1
            heat = before >> (PAYLOAD + HEAT) & 3
    if 0 < shown < len(stood) and stood[shown] * 5 >= most * 4 and stood[shown]:
        longest = shown
    else:
        shown = 0
    churn = 64 - max(most, stood[0]) * 64 // whole
    warm = int(churn >= (_WARM - _SLACK if heat >= 1 else _WARM))
    warm += int(churn >= (_WARMER - _SLACK if heat >= 2 else _WARMER))
    warm += int(churn >= (_WARMEST - _SLACK if heat >= 3 else _WARMEST))
    if not warm:
        return -1, longest if most > stood[0] else 0
    share = stood[longest] * 64 // whole if longest else 0
    if share < (_LEAST - _SLACK if shown else _LEAST):
        return warm << HEAT, 0
    strong = int(share >= (_STRONG - _SLACK if shown and strength else _STRONG))
    return longest | strong << STRENGTH | warm << HEAT, longest
