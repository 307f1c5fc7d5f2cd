"""The marks on the cells of a board, as arrays for compiled loops.

Marks are numbered from 1; 0 means no mark.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.machine_code.jit import inner
from undoku.solver.trace.state import STEPS, StateArrays

__all__ = ["FOLLOWS", "LIGHTS", "TELLS", "MarkArrays", "follows", "mark_of", "note_steps"]

FOLLOWS, LIGHTS, TELLS = 1, 2, 4
"""The sources of marks on a frame, as a sum: the current state of the search and its latest steps;
the steps of the frame, whose cells begin to glow; the story."""


class MarkArrays(NamedTuple):
    """The marks of the frames of a run, and the last drawn ones.

    bases    (frames,) uint8          the sources of marks, 0 for no marks
    from_story (frames, cells) int32  the marks from the story: -1 for no mark, 0 if the story has
                                      none; no rows if no frame has any
    ages     (k,) int32               the marks of a cell by the frames since its last step
    weights  (steps, cells) int32     the marks of empty cells after each of the first steps
    kinds    (marks, plots) int32     the kind, in the index of sprites, of cells with each mark
    plots    (cells,) int32           the fixed parts of the looks of cells
    touched  (cells,) int64           the frame of the film on which a glowing cell was last
                                      changed; before all frames for other cells
    shown    (cells,) int32           the mark of each cell
    """

    bases: NDArray[np.uint8]
    from_story: NDArray[np.int32]
    ages: NDArray[np.int32]
    weights: NDArray[np.int32]
    kinds: NDArray[np.int32]
    plots: NDArray[np.int32]
    touched: NDArray[np.int64]
    shown: NDArray[np.int32]


@inner
def follows(frame: int, basis: int, marks: MarkArrays) -> bool:
    """Whether `basis` is a source of the marks of a frame of the run."""
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
    from_story = 0
    if follows(frame, TELLS, marks):
        from_story = int(marks.from_story[frame, cell])
    if from_story or not follows(frame, FOLLOWS, marks):
        return max(0, from_story)
    age, steps = now - int(marks.touched[cell]), int(search.registers[STEPS])
    if age < len(marks.ages):
        return int(marks.ages[age])
    if steps < len(marks.weights) and search.board[cell] == 0:
        return int(marks.weights[steps, cell])
    return 0
