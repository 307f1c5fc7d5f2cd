"""The pictures of cells that boards of one cell size show, drawn once and copied from then on."""

from __future__ import annotations

from collections.abc import Sequence

from render.canvas import Canvas, Change, Pixels, Rect
from render.cells import draw_cell
from render.ghosts import Ghosts
from render.looks import Kind, unpacked
from render.theme import Theme

__all__ = ["Atlas"]

_MOST_BYTES = 64 << 20
"""Films seldom show so many looks; when one does, all are drawn anew, under new numbers."""

_SPAN = 1 << 40
"""Numbers of sprites that each atlas has for itself."""


class Atlas:
    """Pictures of cells of `side` × `side` pixels; `number` tells atlases of a film apart."""

    def __init__(self, theme: Theme, side: int, number: int) -> None:
        self._theme = theme
        self._side = side
        self._first = (number + 1) * _SPAN
        self._slots: dict[int, int] = {}
        self._ghosts = Ghosts(theme, side)
        self._pictures: list[Pixels] = []
        self._most = max(1024, _MOST_BYTES // (side * side * 3))

    def paint(
        self,
        canvas: Canvas,
        looks: Sequence[int],
        rects: Sequence[Rect],
        windows: Sequence[Pixels],
    ) -> None:
        """Paint rects[n], a cell's place, as looks[n] (`render.looks.packed`); windows[n] is its
        `Canvas.window`."""
        known, pictures = self._slots, self._pictures
        if len(known) + len(looks) > self._most:
            self._first += len(known)
            known.clear()
            pictures.clear()
        first = self._first
        changes = []
        for look, rect, window in zip(looks, rects, windows, strict=True):
            slot = known.get(look)
            if slot is None:
                slot = self._draw(look)
            window[:] = pictures[slot]
            changes.append(Change(rect, first + slot))
        canvas.note(changes)

    def _draw(self, look: int) -> int:
        """Draw a look that is not known yet; returns its slot."""
        slot = self._slots[look] = len(self._slots)
        if look & 7 == Kind.GHOST:
            picture = self._ghosts.draw(look)
        else:
            picture = draw_cell(unpacked(look), self._side, self._theme)
        self._pictures.append(picture.reshape(self._side, -1))
        return slot
