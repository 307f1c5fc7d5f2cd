"""A canvas that records the drawing as geometry, for vector documents.

Panels draw on it as on any canvas. Cells, texts and areas are recorded as such; pixels that are
painted directly are recorded as the figure that the panel declares, or else as pixels.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from undoku.render.draw.canvas import Canvas, Change, DrawnShapes, Pixels, Rect, Sprite
from undoku.render.draw.cell_look import CellLook, unpacked
from undoku.render.draw.colour_space import Colour
from undoku.render.draw.fonts import DEFAULT, Typeface
from undoku.render.draw.lettering import Face, set_typeface
from undoku.render.draw.shapes import Polygon, Stroke
from undoku.render.draw.sprite_index import SpriteIndex
from undoku.render.draw.sprites import Align, SpriteBook
from undoku.render.draw.theme import Theme

__all__ = ["Area", "BoxedText", "Cell", "Drawing", "Drawn", "Easel", "Painted", "Shaped"]


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle of one colour."""

    rect: Rect
    colour: Colour


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a board, as `undoku.render.draw.cells.draw_cell` draws it."""

    rect: Rect
    look: CellLook


@dataclass(frozen=True, slots=True)
class BoxedText:
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
    """Pixels that represent nothing else in this list."""

    rect: Rect
    pixels: Pixels


@dataclass(frozen=True, slots=True)
class Shaped:
    """A figure; its lowest shape comes first."""

    rect: Rect
    shapes: tuple[Polygon | Stroke, ...]


Drawn = Area | Cell | BoxedText | Painted | Shaped


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture of `width` × `height` pixels: what was drawn on it, the lowest first, with texts in
    `typeface`."""

    width: int
    height: int
    theme: Theme
    drawn: tuple[Drawn, ...]
    typeface: Typeface = DEFAULT


class _Index(SpriteIndex):
    """An index that reports to the easel which sprites it draws."""

    def __init__(self) -> None:
        super().__init__()
        self._numbers: list[int] = []

    def _take(self, drawn: Sequence[Sprite]) -> None:
        del self._numbers[self.sheet.count :]  # numbers from before the index was cleared
        super()._take(drawn)
        self._numbers += (one.number for one in drawn)

    def put(self, canvas: Canvas, placed: NDArray[np.int32]) -> None:
        super().put(canvas, placed)
        if isinstance(canvas, Easel):
            for one, x, y in placed.tolist():
                canvas.show(self._numbers[one], x, y)


class _Book(SpriteBook):
    """A book that records the contents of each of its sprites."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.index = _Index()
        self.shown: dict[int, Area | BoxedText | Cell] = {}

    def area(self, width: int, height: int, colour: Colour) -> Sprite:
        sprite = super().area(width, height, colour)
        self.shown[sprite.number] = Area(Rect(0, 0, width, height), colour)
        return sprite

    def cell(self, side: int, look: int) -> Sprite:
        sprite = super().cell(side, look)
        self.shown[sprite.number] = Cell(Rect(0, 0, side, side), unpacked(look))
        return sprite

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
        self.shown[sprite.number] = BoxedText(box, text, face, size, ink, under, align.as_read)
        return sprite


class Easel(Canvas):
    """A canvas with its book of sprites; `drawing` returns its current contents."""

    def __init__(self, width: int, height: int, theme: Theme) -> None:
        super().__init__(width, height)
        self.book: SpriteBook = _Book(theme)
        # None: the pixels that are there when the drawing is requested
        self._marks: dict[tuple[Rect, bool], Drawn | DrawnShapes | None] = {}

    def fill(self, rect: Rect, colour: Colour) -> None:
        super().fill(rect, colour)
        if rect.width > 0 and rect.height > 0:
            self._note(rect, Area(rect, colour))

    def blit(self, sprite: Sprite, x: int, y: int) -> None:
        super().blit(sprite, x, y)
        height, width, _ = sprite.pixels.shape
        self._note(Rect(x, y, width, height), None)
        self.show(sprite.number, x, y)

    def show(self, sprite: int, x: int, y: int) -> None:
        """Record that the sprite of the book with this number was drawn at (x, y)."""
        assert isinstance(self.book, _Book)
        shown = self.book.shown.get(sprite)
        if shown:
            rect = shown.rect._replace(x=x, y=y)
            self._note(rect, replace(shown, rect=rect))

    def note(self, changes: Iterable[Change]) -> None:
        noted = list(changes)
        super().note(noted)
        for change in noted:
            self._note(change.rect, None)

    def put(self, pixels: Pixels, x: int, y: int, figure: DrawnShapes | None = None) -> None:
        super().put(pixels, x, y)
        height, width, _ = pixels.shape
        self._note(figure.rect if figure else Rect(x, y, width, height), figure)

    def touch(self, rect: Rect, figure: DrawnShapes | None = None) -> None:
        super().touch(rect)
        self._note(figure.rect if figure else rect, figure)

    def _note(self, rect: Rect, mark: Drawn | DrawnShapes | None) -> None:
        """Add `mark` on top. It replaces an earlier mark of the same rectangle; but a figure does
        not replace the area below it."""
        key = rect, isinstance(mark, DrawnShapes)
        self._marks.pop(key, None)
        self._marks[key] = mark

    def drawing(self) -> Drawing:
        """The visible contents of the canvas. Areas that are covered only by cells, texts and
        figures are included, because they show through where a viewer smooths the edges of
        these."""
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
            if isinstance(mark, DrawnShapes):
                seen.append(Shaped(rect, tuple(mark.shapes())))
            else:
                seen.append(mark or Painted(rect, self.pixels[place].copy()))
        drawn = tuple(reversed(seen))
        return Drawing(self.width, self.height, self.book.theme, drawn, set_typeface())
