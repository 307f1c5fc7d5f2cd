"""The board: givens, placed digits tinted by depth, the cell being tried or undone."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from render.canvas import Canvas, Rect, Sprite
from render.cells import pencil_size, strong_width
from render.layout import Block
from render.looks import CellLook, Kind, packed, unpacked
from render.panels.contract import Moment, Panel
from render.recorders.history import History
from render.snapshot import Snapshot
from render.sprites import SpriteBook
from render.theme import TINTS
from render.timeline import Phase
from solver.puzzle import Geometry, Puzzle
from solver.state import unit_table
from solver.trace import Outcome

__all__ = ["BoardPanel", "edges"]

_BLUR, _SHARP = 4, 2
"""A frame of so many steps shows how long each digit stood; of so few, the last board again. In
between it stays as it was, so that a pace of 3.5 steps doesn't flicker."""

_SLOW = 12
"""Steps per second that leave time to read pencil marks."""

_MOST_KNOWN = 4096
"""Sprites that a board looks up by itself; the book keeps them too, within its bounds."""

_FADE = 0.15
"""Seconds for which the eye still sees an undone digit."""


def edges(geometry: Geometry) -> list[tuple[bool, bool]]:
    """For each cell, whether the line on its left and the one above it are strong: at the border
    of the board and between two boxes or regions."""
    size = geometry.size
    box_of = [0] * geometry.cells
    for unit in geometry.units:
        if unit.kind in ("box", "region"):
            for cell in unit.cells:
                box_of[cell] = unit.index
    strong = []
    for cell in range(geometry.cells):
        row, column = divmod(cell, size)
        left = column == 0 or box_of[cell] != box_of[cell - 1]
        top = row == 0 or box_of[cell] != box_of[cell - size]
        strong.append((left, top))
    return strong


def ground_looks(puzzle: Puzzle) -> list[CellLook]:
    """Each cell's look before the first step: its lines, its diagonals, its given."""
    crossed: dict[int, set[int]] = {1: set(), 2: set()}
    for unit in puzzle.geometry.units:
        if unit.kind == "diagonal":
            crossed[unit.index] |= set(unit.cells)
    return [
        CellLook(
            Kind.GIVEN if value else Kind.EMPTY,
            value,
            left=left,
            top=top,
            down=cell in crossed[1],
            up=cell in crossed[2],
        )
        for cell, (value, (left, top)) in enumerate(
            zip(puzzle.givens, edges(puzzle.geometry), strict=True)
        )
    ]


class BoardPanel(Panel):
    """One search's board. `deepest` is the depth that the last tint stands for; `plain` shows the
    last board of every frame, whatever happened in it."""

    def __init__(
        self,
        number: int,
        block: Block,
        puzzle: Puzzle,
        sprites: SpriteBook,
        deepest: int,
        history: History,
        *,
        plain: bool = False,
    ) -> None:
        self._number = number
        self._block = block
        self._puzzle = puzzle
        self._sprites = sprites
        self._deepest = deepest
        self._removed = history.removed
        self._plain = plain
        cells = puzzle.geometry.cells
        self._fixed = np.array([packed(look) for look in ground_looks(puzzle)], np.int64)
        self._shown = np.full(cells, -1, np.int64)
        self._differing = np.zeros(cells, np.int32)
        self._shares = np.zeros((cells, puzzle.size + 1), np.uint8)
        self._heats = np.zeros(cells, np.uint8)
        self._faded = np.zeros(cells, np.uint8)
        self._fading = np.zeros(cells, np.uint8)
        self._used = np.zeros(len(puzzle.geometry.units), np.uint32)
        self._open_to = np.zeros(cells, np.uint32)
        self._known: dict[int, Sprite] = {}
        self._started = False
        self._finished = False
        self._blurred = False

    @cached_property
    def _corners(self) -> list[tuple[int, int]]:
        """The left upper corner of each cell."""
        board, side, size = self._block.board, self._block.cell, self._puzzle.size
        return [
            (board.x + cell % size * side, board.y + cell // size * side)
            for cell in range(size * size)
        ]

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        snapshot = moment.snapshots[self._number]
        if self._started and not snapshot.span and not self._fading.any():
            return
        if not self._started:
            self._draw_closing_lines(canvas)
        count = self._look_over(snapshot, moment)
        self._started = True
        known, shown, corners = self._known, self._shown, self._corners
        for cell in self._differing[:count].tolist():
            look = int(shown[cell])
            sprite = known.get(look)
            if sprite is None:
                if len(known) > _MOST_KNOWN:
                    known.clear()
                sprite = known[look] = self._sprites.cell(unpacked(look), self._block.cell)
            canvas.blit(sprite, *corners[cell])
        if snapshot.finished and not self._finished and snapshot.steps:
            self._finished = True
            self._draw_ring(canvas, snapshot.outcome)

    def _look_over(self, snapshot: Snapshot, moment: Moment) -> int:
        """Bring the looks up to date; returns how many cells differ."""
        from render.panels import boardlooks  # loads numba, which takes half a second

        fps = moment.timeline.fps
        # The first picture has no frame before it, and a still is the state after its last step.
        plain = self._plain or not self._started or moment.shot.phase is Phase.STILL
        if snapshot.span:
            self._blurred = snapshot.span >= (_SHARP + 1 if self._blurred else _BLUR)
        shows = boardlooks.PLAIN
        if snapshot.finished:
            self._fading[:] = 0
        elif self._blurred and not plain:
            shows |= boardlooks.BLURRED
        else:
            slow = moment.timeline.mean_rate * fps <= _SLOW or moment.shot.phase is Phase.STILL
            if slow and pencil_size(self._block.cell, max(9, self._puzzle.size)):
                shows |= boardlooks.PENCILS
            if slow:
                shows |= boardlooks.SPOTS_FAILURES
            if not plain:
                shows |= boardlooks.FADES_OUT
        op, cell, value = -1, -1, 0
        if snapshot.last is not None and not snapshot.finished:
            op, cell, value = snapshot.last
        geometry = self._puzzle.geometry
        return boardlooks.look_over(
            shows,
            snapshot.span,
            int(op),
            cell,
            value,
            TINTS,
            self._deepest,
            max(1, round(fps * _FADE)),
            snapshot.board,
            snapshot.kinds,
            snapshot.depths,
            snapshot.stood,
            self._fixed,
            unit_table(geometry),
            geometry.cell_units,
            self._removed,
            self._shown,
            self._differing,
            self._shares,
            self._heats,
            self._faded,
            self._fading,
            self._used,
            self._open_to,
        )

    def _draw_closing_lines(self, canvas: Canvas) -> None:
        board, width = self._block.board, strong_width(self._block.cell)
        colour = self._sprites.theme.strong_line
        canvas.fill(Rect(board.right - width, board.y, width, board.height), colour)
        canvas.fill(Rect(board.x, board.bottom - width, board.width, width), colour)

    def _draw_ring(self, canvas: Canvas, outcome: Outcome) -> None:
        """A finished board is framed, so that the eye finds it without reading."""
        theme = self._sprites.theme
        colour = theme.accent if outcome is Outcome.SOLVED else theme.undoing
        board, width = self._block.board, strong_width(self._block.cell)
        outer = board.inset(-width)
        canvas.fill(Rect(outer.x, outer.y, outer.width, width), colour)
        canvas.fill(Rect(outer.x, outer.bottom - width, outer.width, width), colour)
        canvas.fill(Rect(outer.x, outer.y, width, outer.height), colour)
        canvas.fill(Rect(outer.right - width, outer.y, width, outer.height), colour)
