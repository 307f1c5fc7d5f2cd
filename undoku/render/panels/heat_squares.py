"""The map of tries: compiled loops that draw the squares whose shades have changed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.machine_code.jit import inner, lean
from undoku.render.draw.run_draft import DraftArrays, put_sprite
from undoku.render.draw.sprite_index import sprite_number
from undoku.solver.search.ops import OP_UNDO

__all__ = ["HeatArrays", "put_heat", "put_run_of_heat"]


class HeatArrays(NamedTuple):
    """The last drawn state of a map.

    tries    (cells,) int64      how often a value was placed in each cell
    stops    (s,) int64          the tries from which each shade is shown, ascending
    shown    (cells,) int64      the shades; -1 initially
    squares  (cells, 2) int32    x and y
    kinds    (cells,) int32      the kinds of the squares, in the index of sprites, by shade
    """

    tries: NDArray[np.int64]
    stops: NDArray[np.int64]
    shown: NDArray[np.int64]
    squares: NDArray[np.int32]
    kinds: NDArray[np.int32]


@inner
def _put(frame: int, cell: int, heat: HeatArrays, draft: DraftArrays) -> None:
    """Draw a cell's square if its shade differs."""
    shade = 0
    while shade < len(heat.stops) and heat.stops[shade] <= heat.tries[cell]:
        shade += 1
    if shade != heat.shown[cell]:
        heat.shown[cell] = shade
        sprite = sprite_number(shade, int(heat.kinds[cell]), draft.sprites)
        put_sprite(frame, sprite, int(heat.squares[cell, 0]), int(heat.squares[cell, 1]), draft)


@lean
def put_heat(heat: HeatArrays, draft: DraftArrays) -> None:
    """Draw the squares that differ on a single frame."""
    for cell in range(len(heat.shown)):
        _put(0, cell, heat, draft)


@lean
def put_run_of_heat(
    ends: NDArray[np.int64],
    events: NDArray[np.uint32],
    begun: int,
    heat: HeatArrays,
    draft: DraftArrays,
) -> None:
    """Draw the squares that differ on each frame of a run. Frame n shows the events
    events[ends[n - 1] : ends[n]]; the first frame begins at `begun`."""
    at = begun
    for frame in range(len(ends)):
        first = at
        while at < ends[frame]:
            if events[at] & 0xFF < OP_UNDO:
                heat.tries[events[at] >> 16] += 1
            at += 1
        if at > first:
            for cell in range(len(heat.shown)):
                _put(frame, cell, heat, draft)
