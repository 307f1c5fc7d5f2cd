"""The panel with a map of how often each cell was tried, and the scale of its shades."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.render.draw.canvas import Canvas, Sprite
from undoku.render.draw.look import Look
from undoku.render.draw.run_draft import Draft
from undoku.render.draw.theme import SHADES
from undoku.render.panels.panel import Panel, PanelContext, chart_box
from undoku.render.playback.next_frames import NextFrames
from undoku.texts import wording as say
from undoku.texts.language import number


class HeatPanel(Panel):
    """A square for each cell, hotter the more often a value was placed in it, on the scale of all
    searches. Givens do not change."""

    changes = ()

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        puzzle, sprites = context.puzzle, context.sprites
        self._most = context.script.most_tried
        chart = chart_box(context.box, context.text)
        look = Look(puzzle.problem)
        side = max(1, min(chart.width, chart.height) // look.side)
        shown = side - (side > 3)
        squares = look.squares(chart.x, chart.y, side)
        self._kind = sprites.index.kind(("heat", shown), self._square)
        self._stops = heat_stops(self._most)
        self._given = puzzle.board > 0
        fields = zip(look.fields, squares, strict=True)
        self._fields = np.array([(of.cell, at.x, at.y) for of, at in fields], np.int64).T
        """(3, n): the cell, x and y of each square."""
        self._shades = np.full((1, puzzle.problem.cells), -1, np.intp)
        """The shown shades; that of a given is the one after the last."""
        self._side = shown
        self.most_rows = len(squares)

    def _square(self, shade: int) -> Sprite:
        colours = *self._theme.shades, self._theme.given_cell
        return self._sprites.area(self._side, self._side, colours[shade])

    def start(self, canvas: Canvas) -> None:
        texts = [say.UP_TO(number=self._most), number(self._most), ""]
        self._draw_caption(canvas, [say.TRIES(), ""], texts)

    def put(self, frames: NextFrames, draft: Draft) -> None:
        events, cells = frames.events(self._number), len(self._given)
        (placed,) = np.nonzero(events.shown.placed)
        on_frame = np.searchsorted(events.ends - events.begun, placed, "right")
        places = on_frame * cells + events.shown.cells[placed]
        tries = np.bincount(places, minlength=len(frames) * cells).reshape(-1, cells)
        # The history has seen the events of all these frames.
        after = self._context.history.tries - tries.sum(0) + tries.cumsum(0)
        found = np.where(self._given, SHADES, np.searchsorted(self._stops, after, "right"))
        shades = np.concatenate((self._shades, found))
        self._shades, (cells_shown, x, y) = shades[-1:], self._fields
        frame, field = np.nonzero(np.diff(shades[:, cells_shown], axis=0))
        draft.look_up(frame, found[frame, cells_shown[field]], self._kind, x[field], y[field])


_CLASSES = SHADES - 1


class HeatStep(NamedTuple):
    """A shade, 0..SHADES - 1, and the numbers of tries that it represents, `least` to `most`."""

    shade: int
    least: int
    most: int


def _bounds(most: int) -> list[int]:
    """The smallest number of each class of counts from 1 to `most`: at equal ratios, rounded to one
    significant digit, and ascending."""
    found = [1]
    for step in range(1, _CLASSES):
        exact = most ** (step / _CLASSES)
        ten = 10 ** max(0, len(str(int(exact))) - 1)
        bound = max(found[-1] + 1, round(exact / ten) * ten)
        if bound <= most:
            found.append(bound)
    return found


def heat_stops(most: int) -> NDArray[np.int64]:
    """(SHADES - 1,) int64, ascending: the shade of a cell is the number of stops that are at most
    its number of tries. `most` (>= 0) is the largest number of tries of a cell at the end. If there
    are few different counts, their shades differ strongly."""
    bounds = _bounds(max(1, most))
    return np.array([bounds[k * len(bounds) // _CLASSES] for k in range(_CLASSES)], np.int64)


def heat_scale(most: int) -> list[HeatStep]:
    """The numbers of tries for each shade that occurs, from 0 to `most`."""
    bounds, found = _bounds(max(1, most)), heat_stops(most)
    steps = [HeatStep(0, 0, 0)]
    for index, bound in enumerate(bounds):
        end = bounds[index + 1] - 1 if index + 1 < len(bounds) else max(1, most)
        steps.append(HeatStep(int(np.searchsorted(found, bound, side="right")), bound, end))
    return steps
