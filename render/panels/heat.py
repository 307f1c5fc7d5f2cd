"""How often each cell was tried, as a map of the board."""

from __future__ import annotations

import numpy as np

from render.canvas import Canvas, Rect
from render.layout import TextSizes
from render.panels.captions import chart_box, draw_caption
from render.panels.contract import Moment, Panel
from render.recorders.history import History
from render.sprites import SpriteBook
from render.theme import mix
from solver.puzzle import Puzzle

__all__ = ["SHADES", "HeatPanel", "shades_of"]

SHADES = 7
"""Grounds from never to most often tried."""


def shades_of(tries: np.ndarray, most: int) -> np.ndarray:
    """(cells,) int64, 0..SHADES - 1: 0 for a cell that was never tried, then by the logarithm of
    its `tries`, for some cells are tried once and others a million times; `most` gets the last."""
    shades = np.zeros(len(tries), np.int64)
    tried = tries > 0
    scale = np.log(max(2, most) + 1)
    shades[tried] = 1 + (np.log(tries[tried]) * (SHADES - 1) / scale).astype(np.int64)
    return np.minimum(shades, SHADES - 1)


class HeatPanel(Panel):
    """A square for each cell, the hotter the more often a value was placed in it; `most` tries
    are the hottest. Givens stay as they are."""

    def __init__(
        self,
        number: int,
        box: Rect,
        puzzle: Puzzle,
        history: History,
        most: int,
        sprites: SpriteBook,
        text: TextSizes,
    ) -> None:
        self._number = number
        self._box = box
        self._history = history
        self._most = most
        self._sprites = sprites
        self._text = text
        chart = chart_box(box, text)
        size = puzzle.size
        side = max(1, min(chart.width, chart.height) // size)
        self._squares = [
            Rect(
                chart.x + cell % size * side,
                chart.y + cell // size * side,
                side - (side > 3),
                side - (side > 3),
            )
            for cell in range(size * size)
        ]
        self._given = puzzle.board > 0
        theme = sprites.theme
        self._colours = [
            mix(theme.cell, theme.undoing, shade / (SHADES - 1)) for shade in range(SHADES)
        ]
        self._shown = np.full(size * size, -1, np.int64)

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        snapshot = moment.snapshots[self._number]
        if self._shown[0] < 0:
            draw_caption(
                canvas, self._sprites, self._text, self._box,
                ["tries", ""], [f"up to {self._most:,}", f"{self._most:,}", ""],
            )  # fmt: skip
        elif not snapshot.span:
            return
        shades = shades_of(self._history.tries, self._most)
        for cell in np.flatnonzero(shades != self._shown).tolist():
            given = self._given[cell]
            colour = self._sprites.theme.given_cell if given else self._colours[shades[cell]]
            canvas.fill(self._squares[cell], colour)
        self._shown = shades
