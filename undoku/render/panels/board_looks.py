"""Determines the look of every cell of a board: a compiled loop over arrays.

Frames of many steps are summarised over a fifth of a second, a turn. All cells are updated on the
first frame of a turn: they show the digits of that moment, a state of the search, and backgrounds
that are the warmer, the more a cell changed since the turn before. Turns depend only on the frame
number, so that a film is the same wherever drawing begins.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from undoku.h264.loops import I32_2D, I64, U8, U32, ReadI16_2D, group, inner
from undoku.render.draw.cell_look import FADES, FAILED, HEAT, MAX_VALUES, PAYLOAD
from undoku.render.draw.theme import TINTS
from undoku.render.playback.history import CellHistory
from undoku.solver.problem.problem import Tables
from undoku.solver.trace.state import (
    FORCED,
    GUESS,
    LAST,
    STEPS,
    UNDO,
    StateArrays,
    options_of,
)

_EMPTY, _GIVEN, _GUESS, _FORCED, _GHOST, _FADING, _PENCIL = range(7)
"""The kinds of `CellKind`."""

# In 64ths of the time since the last turn: the share in which a cell did not hold what it held
# longest, from which on its background has warmth 1, 2 or 3. The warmth changes only if a share is
# beyond its bound by _SLACK.
_WARM, _WARMER, _WARMEST = 9, 24, 40
_SLACK = 3


@inner
def warmth(stood: I64, before: int) -> int:
    """The warmth, 0..3, of a cell from the time that each value was in it, `stood` (values,), and
    its previous look `before`."""
    whole, most = np.int64(0), np.int64(0)
    for value in range(len(stood)):
        whole += stood[value]
        most = max(most, stood[value])
    if not whole:
        return 0
    heat = 0
    if before >= 0 and before & 7 == _GHOST:
        heat = before >> (PAYLOAD + HEAT) & 3
    churn = 64 - most * 64 // whole
    warm = int(churn >= (_WARM - _SLACK if heat >= 1 else _WARM))
    warm += int(churn >= (_WARMER - _SLACK if heat >= 2 else _WARMER))
    warm += int(churn >= (_WARMEST - _SLACK if heat >= 3 else _WARMEST))
    return warm


# What is shown; several together.
BLURRED, PENCILS, SPOTS_FAILURES, FADES_OUT, OPTIONS, NEUTRAL, PLAIN = 1, 2, 4, 8, 16, 32, 0
"""OPTIONS: digits are forced or guessed by the options of their cells, not by who placed them.
NEUTRAL: no digit looks like a guess, and no cell is warm."""
MARKS, QUIET = 1, 2


@group
class View(NamedTuple):
    """The view of a frame: `shows` is the sum of the contents beside the digits, `marks` is MARKS
    if the cell of the last step is marked, QUIET if it must not be highlighted, otherwise 0. Depths
    1..`deepest` share the tints, and an undone digit fades for `fade_frames`. `begun` is the first
    frame of the run; frames that are summarised are those of turns of `turn` frames."""

    shows: int
    marks: int
    deepest: int
    fade_frames: int
    begun: int
    turn: int


@group
class BoardArrays(NamedTuple):
    """The last drawn state of a board; cells = cells of the board.

    fixed      (cells,) int64       a given's whole look without its fixed part, otherwise 0
    beside     (cells, 4) int16     the cells on the left, above, on the right, below; -1 for none
    history    the past of each cell; how long values stood since the last turn or the last frame
               that was not summarised
    stops      (s,) int64           the tries from which each shade is shown, ascending; s = 0 if
                                    backgrounds do not show tries
    fields     (fields, 4) int32    x, y, the cell, and the value that the field stands for, 0 for
                                    all of them
    shown      (cells,) int64       the looks; -1 initially
    drawn      (fields,) int64      the looks that were drawn; -1 initially
    turn       (1,) int64           the number of this turn; -1 while frames are not summarised
    faded, fading (cells,) uint8    a digit that was undone, and the frames until it has faded
    open_to    (cells,) uint32      scratch: masks of values
    """

    fixed: I64
    beside: ReadI16_2D
    history: CellHistory
    stops: I64
    fields: I32_2D
    shown: I64
    drawn: I64
    turn: I64
    faded: U8
    fading: U8
    open_to: U32


_TRYING, _UNDOING, _PASSING = 1 << 3, 2 << 3, 3 << 3
_TRIES = 6


@inner
def _find_candidates(search: StateArrays, board: BoardArrays) -> int:
    """Fill board.open_to with the values that no peer excludes, 0 for a filled cell; returns the
    number of empty cells without a candidate."""
    dead = 0
    for cell in range(len(search.board)):
        free = 0
        if not search.board[cell]:
            free = options_of(cell, search.resources)
            dead += free & ~int(search.removed[cell]) == 0
        board.open_to[cell] = free
    return dead


@inner
def _failed_unit(search: StateArrays, problem: Tables, board: BoardArrays) -> int:
    """The first unit without shifts whose cells can't all differ any more, because it has fewer
    values left than cells, or -1. In a unit of all values, one value then has no cell."""
    units, values, removed, open_to = problem.units, search.board, search.removed, board.open_to
    for unit in range(problem.aligned):
        reach, cells = int(search.resources.taken[unit]), 0
        for cell in units[unit]:
            if cell < 0:
                break
            cells += 1
            if not values[cell]:
                reach |= int(open_to[cell]) & ~int(removed[cell])
        left = reach
        while left:
            left &= left - 1
            cells -= 1
        if cells > 0:
            return unit
    return -1


@inner
def _is_in(cell: int, unit: int, problem: Tables) -> bool:
    found = False
    for own in problem.cell_units[cell]:
        found = found or own == unit
    return found


@inner
def _sides(cell: int, unit: int, problem: Tables, board: BoardArrays) -> int:
    """The sides of a cell on which a unit ends, as in `CellLook.failed`; 0 outside the unit."""
    sides = 0
    if _is_in(cell, unit, problem):
        for side in range(4):
            other = int(board.beside[cell, side])
            if other < 0 or not _is_in(other, unit, problem):
                sides |= 1 << side
    return sides


@inner
def field_look(look: int, place: int) -> int:
    """The part of a cell's look that a field for value `place` shows; for place 0 all of it."""
    kind, lowest = look & 7, 1 << PAYLOAD
    if not place:
        return look
    if kind == _PENCIL:
        own = (lowest | lowest << MAX_VALUES) << (place - 1)
        if look >> PAYLOAD and not look & own:
            return look & (7 << _TRIES)
        return look & (lowest - 1 | own)
    value = look >> PAYLOAD & 31
    if not value or value == place:
        return look
    if kind == _GHOST:
        return look & ~(31 << PAYLOAD)
    return look & (7 << _TRIES)


@inner
def _shade(tries: int, stops: I64) -> int:
    """The number of `stops` that are at most `tries`."""
    shade = 0
    while shade < len(stops) and stops[shade] <= tries:
        shade += 1
    return shade


@inner
def update_looks(
    frame: int, view: View, search: StateArrays, problem: Tables, board: BoardArrays
) -> None:
    """Update the looks to the state of a search after the steps of frame `frame` of a run."""
    values, kinds, depths, removed = search.board, search.kinds, search.depths, search.removed
    history, stops, open_to = board.history, board.stops, board.open_to
    shown, fading = board.shown, board.fading
    shows, fade_frames, now = view.shows, view.fade_frames, int(search.registers[STEPS])
    blurred = (shows & BLURRED) != 0
    turn = (view.begun + frame) // view.turn if blurred else -1
    if blurred and turn == board.turn[0]:
        return
    if blurred and board.turn[0] < 0:
        fading[:] = 0
    board.turn[0] = turn
    last_op, last_cell, last_value = -1, -1, 0
    if view.marks and now:
        last = int(search.registers[LAST])
        last_op, last_value, last_cell = last & 0xFF, last >> 8 & 0xFF, last >> 16
    dead = failed = -1
    if blurred:
        last_cell = -1  # the last of many steps is not more important than the others
    else:
        dead = _find_candidates(search, board)
        if shows & SPOTS_FAILURES and not dead and last_cell >= 0 and last_op != UNDO:
            failed = _failed_unit(search, problem, board)
    for cell in range(len(values)):
        look = int(board.fixed[cell])
        if look & 7 != _GIVEN:
            value = int(values[cell])
            warm = 0
            if blurred:
                history.stood[cell, value] += now - history.since[cell]
                history.since[cell] = now
                if not shows & NEUTRAL:
                    warm = warmth(history.stood[cell], shown[cell])
                history.stood[cell] = 0
            if fading[cell]:
                fading[cell] = 0 if value else fading[cell] - 1
            if len(stops):
                look |= (1 + _shade(history.tries[cell], stops)) << _TRIES
            if warm:
                # With `stops` the background shows the number of tries.
                look |= _GHOST | (value | (0 if len(stops) else warm << HEAT)) << PAYLOAD
            elif cell == last_cell and last_op == UNDO:
                if view.marks == QUIET:
                    look |= _FADING | (last_value | FADES << 5) << PAYLOAD
                else:
                    look = _UNDOING | last_value << PAYLOAD
                if shows & FADES_OUT:
                    board.faded[cell] = last_value
                    fading[cell] = fade_frames
            elif value:
                if cell == last_cell:
                    look = _PASSING if view.marks == QUIET else _TRYING
                forced = kinds[cell] != GUESS if shows & OPTIONS else kinds[cell] == FORCED
                if shows & NEUTRAL:
                    forced = True
                look |= _FORCED if forced else _GUESS
                look |= value << PAYLOAD
                if cell != last_cell and not len(stops):
                    tint = (int(depths[cell]) - 1) * TINTS // max(1, view.deepest)
                    look |= min(TINTS - 1, max(0, tint)) << (PAYLOAD + 5)
            elif not blurred and int(open_to[cell]) & ~int(removed[cell]) == 0:
                look = _PENCIL | (_PASSING if view.marks == QUIET else 0)
            elif fading[cell]:
                level = (int(fading[cell]) * FADES + fade_frames - 1) // fade_frames
                look |= _FADING | (int(board.faded[cell]) | level << 5) << PAYLOAD
            elif not blurred and shows & PENCILS:
                gone = int(open_to[cell]) & int(removed[cell])
                look |= _PENCIL | (int(open_to[cell]) & ~gone | gone << 25) << PAYLOAD
        if failed >= 0:
            look |= _sides(cell, failed, problem, board) << FAILED
        shown[cell] = look
