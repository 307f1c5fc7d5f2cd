"""The pictures of cells that boards of one cell size show, drawn once and copied from then on."""

from __future__ import annotations

from collections.abc import Sequence

from render.canvas import Canvas, Change, Pixels, Rect
from render.cells import draw_cell
from render.looks import unpacked
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
        self._pictures: list[Pixels] = []
        self._windows: dict[Rect, Pixels] = {}
        self._canvas: Canvas | None = None
        self._most = max(1024, _MOST_BYTES // (side * side * 3))

    def paint(self, canvas: Canvas, looks: Sequence[int], rects: Sequence[Rect]) -> None:
        """Paint rects[n], a cell's place, as looks[n] (`render.looks.packed`)."""
        known, windows = self._slots, self._windows
        if len(known) + len(looks) > self._most:
            self._first += len(known)
            known.clear()
            self._pictures.clear()
        if canvas is not self._canvas:
            self._canvas = canvas
            windows.clear()
        for rect in rects:
            if rect not in windows:
                windows[rect] = canvas.window(rect)
        slots = [known[look] if look in known else self._draw(look) for look in looks]
        first, pictures = self._first, self._pictures
        for rect, slot in zip(rects, slots, strict=True):
            windows[rect][:] = pictures[slot]
        canvas.note(map(Change, rects, [first + slot for slot in slots]))

    def _draw(self, look: int) -> int:
        """Draw a look that is not known yet; returns its slot."""
        slot = self._slots[look] = len(self._slots)
        picture = draw_cell(unpacked(look), self._side, self._theme)
        self._pictures.append(picture.reshape(self._side, -1))
        return slot
