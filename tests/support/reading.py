"""Reads boards back from decoded pictures, by comparing each cell with all looks it can have."""

from __future__ import annotations

from functools import lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from undoku import Puzzle
from undoku.render.draw.canvas import Pixels
from undoku.render.draw.cell_look import FADES, CellKind, CellLook, StepMark
from undoku.render.draw.cells import draw_cell
from undoku.render.draw.look import Look
from undoku.render.draw.theme import TINTS, load_theme
from undoku.render.layout.blocks import Block

Templates = tuple[NDArray[np.int16], list[CellLook]]


@lru_cache(maxsize=64)
def templates(theme: str, side: int, left: bool, top: bool, size: int) -> Templates:
    """All looks of a cell with these lines: (looks, side * side * 3) and the looks themselves."""
    looks = [
        CellLook(CellKind.EMPTY, left=left, top=top),
        *(
            CellLook(CellKind.PENCIL, mark=mark, left=left, top=top)  # dead ends
            for mark in (StepMark.NONE, StepMark.PASSING)
        ),
    ]
    for value in range(1, size + 1):
        looks.append(CellLook(CellKind.GIVEN, value, left=left, top=top))
        looks.append(CellLook(CellKind.EMPTY, value, mark=StepMark.UNDOING, left=left, top=top))
        for kind, mark in product(
            (CellKind.GUESS, CellKind.FORCED), (StepMark.TRYING, StepMark.PASSING)
        ):
            looks.append(CellLook(kind, value, mark=mark, left=left, top=top))
        for level in range(1, FADES + 1):
            looks.append(CellLook(CellKind.FADING, value, level, left=left, top=top))
        for kind, tint in product((CellKind.GUESS, CellKind.FORCED), range(TINTS)):
            looks.append(CellLook(kind, value, tint, left=left, top=top))
    pictures = [draw_cell(look, side, load_theme(theme)).reshape(-1) for look in looks]
    return np.array(pictures, np.int16), looks


class BoardReader:
    """Reads one board of a film, frame after frame; a cell that looks as before is not read."""

    def __init__(self, puzzle: Puzzle, block: Block, theme: str) -> None:
        self._puzzle = puzzle
        self._block = block
        self._theme = theme
        self._edges = Look(puzzle.problem).strong_lines()
        cells = puzzle.problem.cells
        self._before = np.full((cells, block.cell * block.cell * 3), -1, np.int16)
        self._board = np.zeros(cells, np.uint8)
        self.looks: dict[int, CellLook] = {}
        self.worst = 0.0
        """The largest mean difference between a cell and the look it was taken for, 0..255."""

    def read(self, pixels: Pixels) -> NDArray[np.uint8]:
        """(cells,) uint8: the values on the board; a digit that is being undone, or that
        fades after it was, counts as gone."""
        side, corner, size = self._block.cell, self._block.board, self._puzzle.size
        board = pixels[corner.y : corner.y + size * side, corner.x : corner.x + size * side]
        rows = board.reshape(size, side, size, side, 3).swapaxes(1, 2)
        seen = rows.reshape(self._before.shape).astype(np.int16)
        for cell in np.flatnonzero(np.abs(seen - self._before).mean(axis=1) > 0.5).tolist():
            self._before[cell] = seen[cell]
            look = self.looks[cell] = self._recognise(cell, seen[cell])
            gone = look.mark is StepMark.UNDOING or look.kind is CellKind.FADING
            self._board[cell] = 0 if gone else look.value
        return self._board.copy()

    def _recognise(self, cell: int, seen: NDArray[np.int16]) -> CellLook:
        left, top = self._edges[cell]
        pictures, looks = templates(self._theme, self._block.cell, left, top, self._puzzle.size)
        distance = np.abs(pictures - seen).mean(1)
        best = int(distance.argmin())
        self.worst = max(self.worst, float(distance[best]))
        return looks[best]

    @property
    def marks(self) -> dict[int, StepMark]:
        """The cells that are being tried or undone."""
        return {
            cell: look.mark
            for cell, look in self.looks.items()
            if look.mark is not StepMark.NONE and look.kind is not CellKind.PENCIL
        }
