"""Determines what a cell shows that held several values within a frame: a compiled loop over
arrays.

Frames of many steps are summarised over a fifth of a second. Each cell is updated at times of its
own (its turns), every few frames, and then shows what happened since its previous turn, so that the
cells of a board change one after the other. Turns depend only on the frame number, so that a film
is the same wherever drawing begins.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undoku.machine_code.jit import inner
from undoku.render.draw.cell_look import HEAT, PAYLOAD, STRENGTH, CellKind

__all__ = ["choose_ghost", "turn_of"]

_GUESS, _FORCED, _GHOST = int(CellKind.GUESS), int(CellKind.FORCED), int(CellKind.GHOST)

# In 64ths of the time since the last turn. The digit that was in the cell longest is shown if its
# share is at least _MIN_SHARE, in full strength from _STRONG_SHARE on. The remaining share is shown
# as warmth 1, 2 or 3 from _WARM, _WARMER and _WARMEST on. The display changes only if a share is
# beyond its bound by _SLACK.
_MIN_SHARE, _STRONG_SHARE = 8, 32
_WARM, _WARMER, _WARMEST = 9, 24, 40
_SLACK = 3


@inner
def turn_of(cell: int, frame: int, turn: int) -> int:
    """The number of the current turn of a cell, which lasts `turn` frames. Adjacent cells need not
    begin their turns on the same frame."""
    return (frame + (cell * 0x9E3779B1 >> 16) % turn) // turn


@inner
def choose_ghost(stood: NDArray[np.int64], now: int, before: int) -> tuple[int, int]:
    """(payload, value) of a cell from the time that each value was in it, `stood` (values,), its
    current value `now`, and its previous look `before`: the payload of a ghost, or -1 and the only
    value, 0 for none."""
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
    if share < (_MIN_SHARE - _SLACK if shown else _MIN_SHARE):
        return warm << HEAT, 0
    strong = int(share >= (_STRONG_SHARE - _SLACK if shown and strength else _STRONG_SHARE))
    return longest | strong << STRENGTH | warm << HEAT, longest
