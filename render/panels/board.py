"""The board: givens, placed digits tinted by depth, the cell being tried or undone."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from render.canvas import Canvas, Rect
from render.layout import Block
from render.panels.contract import Moment, Panel
from render.snapshot import Snapshot
from render.sprites import CellLook, Kind, Mark, SpriteBook, strong_width, tint_of
from solver.puzzle import Geometry, Puzzle
from solver.trace import Op, Outcome

__all__ = ["BoardPanel", "edges"]


def edges(geometry: Geometry) -> list[tuple[bool, bool]]:
    """For each cell, whether the line on its left and the one above it are strong: at the border
    of the board and between two boxes."""
    size = geometry.size
    box_of = [0] * geometry.cells
    for unit in geometry.units:
        if unit.kind == "box":
            for cell in unit.cells:
                box_of[cell] = unit.index
    strong = []
    for cell in range(geometry.cells):
        row, column = divmod(cell, size)
        left = column == 0 or box_of[cell] != box_of[cell - 1]
        top = row == 0 or box_of[cell] != box_of[cell - size]
        strong.append((left, top))
    return strong


class BoardPanel(Panel):
    """One search's board. `deepest` is the depth that the last tint stands for."""

    def __init__(
        self, number: int, block: Block, puzzle: Puzzle, sprites: SpriteBook, deepest: int
    ) -> None:
        self._number = number
        self._block = block
        self._puzzle = puzzle
        self._sprites = sprites
        self._deepest = deepest
        self._edges = edges(puzzle.geometry)
        self._marked: set[int] = set()
        self._started = False
        self._finished = False

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        snapshot = moment.snapshots[self._number]
        cells: Iterable[int]
        mark, marked, struck = self._mark(snapshot)
        if not self._started:
            self._started = True
            self._draw_closing_lines(canvas)
            cells = range(self._puzzle.geometry.cells)
        else:
            changed = set(np.flatnonzero(snapshot.changed).tolist())
            cells = sorted(changed | self._marked | ({marked} if marked >= 0 else set()))
        side = self._block.cell
        for cell in cells:
            look = self._look(snapshot, cell, mark if cell == marked else Mark.NONE, struck)
            row, column = divmod(cell, self._puzzle.size)
            board = self._block.board
            canvas.blit(
                self._sprites.cell(look, side), board.x + column * side, board.y + row * side
            )
        self._marked = {marked} if marked >= 0 else set()
        if snapshot.finished and not self._finished and snapshot.steps:
            self._finished = True
            self._draw_ring(canvas, snapshot.outcome)

    def _mark(self, snapshot: Snapshot) -> tuple[Mark, int, int]:
        """(mark, its cell or -1, the value taken back)"""
        last = snapshot.last
        if last is None or snapshot.finished:
            return Mark.NONE, -1, 0
        op, cell, value = last
        return (Mark.UNDOING if op is Op.UNDO else Mark.TRYING), cell, value

    def _look(self, snapshot: Snapshot, cell: int, mark: Mark, struck: int) -> CellLook:
        left, top = self._edges[cell]
        value = int(snapshot.board[cell])
        if self._puzzle.givens[cell]:
            return CellLook(Kind.GIVEN, value, left=left, top=top)
        if mark is Mark.UNDOING:
            return CellLook(Kind.EMPTY, struck, mark=mark, left=left, top=top)
        if not value:
            return CellLook(Kind.EMPTY, left=left, top=top)
        kind = Kind.FORCED if snapshot.kinds[cell] == Op.FORCED else Kind.GUESS
        if mark is Mark.TRYING:
            return CellLook(kind, value, mark=mark, left=left, top=top)
        tint = tint_of(int(snapshot.depths[cell]), self._deepest)
        return CellLook(kind, value, tint, left=left, top=top)

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
