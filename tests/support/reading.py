"""Reads boards back from decoded pictures, by comparing each cell with all looks it can have."""

from __future__ import annotations

from functools import lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from render.drawing.canvas import Pixels
from render.drawing.cells import draw_cell
from render.layout.blocks import Block
from render.panels.unit_lines import edges
from render.style.cell_look import FADES, CellKind, CellLook, StepMark
from render.style.theme import TINTS, load_theme
from solver import Puzzle

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
        self._edges = edges(puzzle.geometry)
        self._before: dict[int, NDArray[np.int16]] = {}
        self.looks: dict[int, CellLook] = {}
        self.worst = 0.0
        """The largest mean difference between a cell and the look it was taken for, 0..255."""

    def read(self, pixels: Pixels) -> NDArray[np.uint8]:
        """(cells,) uint8: the values on the board; a digit that is being undone, or that
        fades after it was, counts as gone."""
        board = np.zeros(self._puzzle.geometry.cells, np.uint8)
        side, corner = self._block.cell, self._block.board
        for cell in range(len(board)):
            row, column = divmod(cell, self._puzzle.size)
            y, x = corner.y + row * side, corner.x + column * side
            seen = pixels[y : y + side, x : x + side].astype(np.int16)
            before = self._before.get(cell)
            if before is None or np.abs(seen - before).mean() > 0.5:
                self._before[cell] = seen
                self.looks[cell] = self._recognise(cell, seen.reshape(-1))
            look = self.looks[cell]
            gone = look.mark is StepMark.UNDOING or look.kind is CellKind.FADING
            board[cell] = 0 if gone else look.value
        return board

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
