"""What panels drew, as geometry: a canvas that remembers it, for documents that are no pixels.

Panels draw on it as on any canvas and don't know. Cells, texts and areas are remembered as such;
what is painted straight into the pixels is remembered as the figure that the panel says it is, or
else as its pixels.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from render.drawing.canvas import Canvas, Change, Figure, Pixels, Rect, Sprite
from render.drawing.cell_atlas import Atlas, Place
from render.drawing.shapes import Polygon, Stroke
from render.drawing.sprites import Align, SpriteBook
from render.style.cell_look import CellLook, unpacked
from render.style.lettering import Face
from render.style.theme import Colour, Theme

__all__ = ["Area", "Cell", "Drawing", "Drawn", "Easel", "Line", "Painted", "Shaped"]


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle of one colour."""

    rect: Rect
    colour: Colour


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a board, as `render.drawing.cells.draw_cell` draws it."""

    rect: Rect
    look: CellLook


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text in a box, as `SpriteBook.text` draws it."""

    rect: Rect
    text: str
    face: Face
    size: int
    ink: Colour
    ground: Colour
    align: Align


@dataclass(frozen=True, slots=True, eq=False)
class Painted:
    """Pixels without a meaning of their own."""

    rect: Rect
    pixels: Pixels


@dataclass(frozen=True, slots=True)
class Shaped:
    """A figure, the lowest of its shapes first."""

    rect: Rect
    shapes: tuple[Polygon | Stroke, ...]


Drawn = Area | Cell | Line | Painted | Shaped


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture of `width` × `height` pixels: what was drawn on it, the lowest first."""

    width: int
    height: int
    theme: Theme
    drawn: tuple[Drawn, ...]


class _Atlas(Atlas):
    """An atlas that tells the easel what it paints."""

    def paint(self, canvas: Canvas, looks: Sequence[int], places: Sequence[Place]) -> None:
        super().paint(canvas, looks, places)
        if isinstance(canvas, Easel):
            whole = [look | place.shelf.plot for look, place in zip(looks, places, strict=True)]
            canvas.paint(whole, [place.rect for place in places])


class _Book(SpriteBook):
    """A book that knows what each of its sprites shows."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.lines: dict[int, Line] = {}

    def atlas(self, side: int) -> Atlas:
        if side not in self._atlases:
            self._atlases[side] = _Atlas(self.theme, side, len(self._atlases))
        return self._atlases[side]

    def text(
        self,
        text: str,
        face: Face,
        size: int,
        ink: Colour,
        width: int,
        *,
        height: int = 0,
        align: Align = Align.LEFT,
        ground: Colour | None = None,
    ) -> Sprite:
        sprite = super().text(
            text, face, size, ink, width, height=height, align=align, ground=ground
        )
        under = self.theme.ground if ground is None else ground
        box = Rect(0, 0, width, sprite.pixels.shape[0])
        self.lines[sprite.number] = Line(box, text, face, size, ink, under, align)
        return sprite


class Easel(Canvas):
    """A canvas with its book of sprites; `drawing` is what stands on it."""

    def __init__(self, width: int, height: int, theme: Theme) -> None:
        super().__init__(width, height)
        self.book: SpriteBook = _Book(theme)
        # None: whatever the pixels are in the end
        self._marks: dict[tuple[Rect, bool], Drawn | Figure | None] = {}

    def fill(self, rect: Rect, colour: Colour) -> None:
        super().fill(rect, colour)
        if rect.width > 0 and rect.height > 0:
            self._note(rect, Area(rect, colour))

    def blit(self, sprite: Sprite, x: int, y: int) -> None:
        super().blit(sprite, x, y)
        assert isinstance(self.book, _Book)
        height, width, _ = sprite.pixels.shape
        rect = Rect(x, y, width, height)
        line = self.book.lines.get(sprite.number)
        self._note(rect, replace(line, rect=rect) if line else None)

    def paint(self, looks: Iterable[int], rects: Iterable[Rect]) -> None:
        """Remember cells that were painted."""
        for look, rect in zip(looks, rects, strict=True):
            self._note(rect, Cell(rect, unpacked(look)))

    def note(self, changes: Iterable[Change]) -> None:
        noted = list(changes)
        super().note(noted)
        for change in noted:
            self._note(change.rect, None)

    def put(self, pixels: Pixels, x: int, y: int, figure: Figure | None = None) -> None:
        super().put(pixels, x, y)
        height, width, _ = pixels.shape
        self._note(figure.rect if figure else Rect(x, y, width, height), figure)

    def touch(self, rect: Rect, figure: Figure | None = None) -> None:
        super().touch(rect)
        self._note(figure.rect if figure else rect, figure)

    def _note(self, rect: Rect, mark: Drawn | Figure | None) -> None:
        """Put `mark` on top. A figure doesn't take the place of the area that it stands on."""
        key = rect, isinstance(mark, Figure)
        self._marks.pop(key, None)
        self._marks[key] = mark

    def drawing(self) -> Drawing:
        """What stands on the canvas now and can be seen. Areas that nothing but cells, texts and
        figures cover stay: where a viewer smooths edges of those, it is they that show through."""
        assert isinstance(self.book, _Book)
        covered = np.zeros((self.height, self.width), bool)
        areas: list[Rect] = []
        seen: list[Drawn] = []
        for (rect, _), mark in reversed(self._marks.items()):
            place = slice(rect.y, rect.bottom), slice(rect.x, rect.right)
            if isinstance(mark, Area):
                if any(area.contains(rect) for area in areas):
                    continue
                areas.append(rect)
            elif covered[place].all():
                continue
            covered[place] = True
            if isinstance(mark, Figure):
                seen.append(Shaped(rect, tuple(mark.shapes())))
            else:
                seen.append(mark or Painted(rect, self.pixels[place].copy()))
        return Drawing(self.width, self.height, self.book.theme, tuple(reversed(seen)))
