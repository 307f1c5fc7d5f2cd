"""The marks on the cells of a board as compiled loops take them: which one a cell has on a frame.

Marks are numbered from 1; 0 stands for none.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.jit import inner
from solver.state import STEPS, StateArrays

__all__ = ["FOLLOWS", "LIGHTS", "TELLS", "MarkArrays", "follows", "mark_of", "note_steps"]

FOLLOWS, LIGHTS, TELLS = 1, 2, 4
"""What marks on a frame depend on: the search as it stands and its latest steps; the steps of the
frame, whose cells begin to glow; what the story tells. Several together."""


class MarkArrays(NamedTuple):
    """The marks of the frames of a run, and those that were drawn last.

    bases    (frames,) uint8          what marks depend on, 0 where there are none
    told     (frames, cells) int32    what a cell has whatever else there is, -1 for no mark at all,
                                      0 where nothing is told; no frames where none tells anything
    ages     (k,) int32               of a cell so many frames after its last step
    weights  (steps, cells) int32     of the empty cells after each of the first steps
    kinds    (marks, plots) int32     the kind, in the index of sprites, of cells with each mark
    plots    (cells,) int32           the cells' plots
    touched  (cells,) int64           the frame of the film on which a cell that glows was changed
                                      last, before all frames where none is
    shown    (cells,) int32           each cell's mark
    """

    bases: NDArray[np.uint8]
    told: NDArray[np.int32]
    ages: NDArray[np.int32]
    weights: NDArray[np.int32]
    kinds: NDArray[np.int32]
    plots: NDArray[np.int32]
    touched: NDArray[np.int64]
    shown: NDArray[np.int32]


@inner
def follows(frame: int, basis: int, marks: MarkArrays) -> bool:
    """Whether the marks of a frame of the run depend on this."""
    return bool(int(np.int64(marks.bases[frame])) & basis)


@inner
def note_steps(now: int, changed: NDArray[np.uint8], marks: MarkArrays) -> None:
    """Let the cells that were changed on frame `now` of the film glow."""
    for cell in range(len(changed)):
        if changed[cell]:
            marks.touched[cell] = now


@inner
def mark_of(cell: int, frame: int, now: int, search: StateArrays, marks: MarkArrays) -> int:
    """The mark of a cell on a frame of the run, frame `now` of the film."""
    if not marks.bases[frame]:
        return 0
    told = 0
    if follows(frame, TELLS, marks):
        told = int(marks.told[frame, cell])
    if told or not follows(frame, FOLLOWS, marks):
        return max(0, told)
    age, steps = now - int(marks.touched[cell]), int(search.registers[STEPS])
    if age < len(marks.ages):
        return int(marks.ages[age])
    if steps < len(marks.weights) and search.board[cell] == 0:
        return int(marks.weights[steps, cell])
    return 0
