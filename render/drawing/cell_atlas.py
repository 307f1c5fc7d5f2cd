"""The pictures of cells that boards of one cell size show, drawn once and copied from then on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from render.drawing.canvas import Canvas, Change, Pixels, Rect
from render.drawing.cells import draw_cell
from render.drawing.ghosts import Ghosts
from render.style.cell_look import Kind, unpacked
from render.style.theme import Theme

__all__ = ["Atlas", "Place", "Shelf"]

_MOST_BYTES = 64 << 20
"""Films seldom show so many looks; when one does, all are drawn anew, under new numbers."""

_SPAN = 1 << 40
"""Numbers of sprites that each atlas has for itself."""


class Shelf(dict[int, int]):
    """The slots of all looks that share a `plot` (`render.style.cell_look`); one that is asked for
    is drawn. A look without its plot is a small number, which a dictionary finds in a third of the
    time."""

    def __init__(self, atlas: Atlas, plot: int) -> None:
        super().__init__()
        self.plot = plot
        self._atlas = atlas

    def __missing__(self, look: int) -> int:
        slot = self[look] = self._atlas.drawn(look | self.plot)
        return slot


class Place(NamedTuple):
    """A cell's place on a canvas: its rectangle, its `Canvas.window`, and where its looks are."""

    rect: Rect
    window: Pixels
    shelf: Shelf


class Atlas:
    """Pictures of cells of `side` × `side` pixels; `number` tells atlases of a film apart."""

    def __init__(self, theme: Theme, side: int, number: int) -> None:
        self._theme = theme
        self._side = side
        self._first = (number + 1) * _SPAN
        self._shelves: dict[int, Shelf] = {}
        self._ghosts = Ghosts(theme, side)
        self._pictures: list[Pixels] = []
        self._most = max(1024, _MOST_BYTES // (side * side * 3))

    def shelf(self, plot: int) -> Shelf:
        """Where the looks with this plot are."""
        if plot not in self._shelves:
            self._shelves[plot] = Shelf(self, plot)
        return self._shelves[plot]

    def paint(self, canvas: Canvas, looks: Sequence[int], places: Sequence[Place]) -> None:
        """Paint places[n] as looks[n] (`render.style.cell_look.packed`, without the plot)."""
        self._make_room(len(looks))
        pictures, first = self._pictures, self._first
        changes = []
        for look, (rect, window, shelf) in zip(looks, places, strict=True):
            slot = shelf[look]
            window[:] = pictures[slot]
            changes.append(Change(rect, first + slot))
        canvas.note(changes)

    def picture(self, look: int, shelf: Shelf) -> Pixels:
        """(side, side, 3): the picture of one look, without its plot, on its shelf."""
        self._make_room(1)
        return self._pictures[shelf[look]].reshape(self._side, self._side, 3)

    def _make_room(self, looks: int) -> None:
        """Forget all pictures where so many more would be too many."""
        if len(self._pictures) + looks > self._most:
            self._first += len(self._pictures)
            self._pictures.clear()
            for shelf in self._shelves.values():
                shelf.clear()

    def drawn(self, look: int) -> int:
        """Draw a look with its plot that is not known yet; returns its slot."""
        if look & 7 == Kind.GHOST:
            picture = self._ghosts.draw(look)
        else:
            picture = draw_cell(unpacked(look), self._side, self._theme)
        self._pictures.append(picture.reshape(self._side, -1))
        return len(self._pictures) - 1
