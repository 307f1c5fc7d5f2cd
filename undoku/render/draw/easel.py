"""A canvas that records the drawing as geometry, for vector documents.

Panels draw on it as on any canvas. Cells, texts and areas are recorded as such; pixels that are
painted directly are recorded as the figure that the panel declares, or else as pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from undoku.render.draw.canvas import Canvas, Change, DrawnShapes, Pixels, Rect, Sprite
from undoku.render.draw.colour_space import Colour
from undoku.render.draw.fonts import DEFAULT, Typeface
from undoku.render.draw.lettering import set_typeface
from undoku.render.draw.shapes import Polygon, Stroke
from undoku.render.draw.sprites import Area, BoxedText, Cell
from undoku.render.draw.theme import Theme


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


class Easel(Canvas):
    """A canvas for pictures in the colours of a theme; `drawing` returns its current contents."""

    def __init__(self, width: int, height: int, theme: Theme) -> None:
        super().__init__(width, height)
        self._theme = theme
        # None: the pixels that are there when the drawing is requested
        self._marks: dict[tuple[Rect, bool], Drawn | DrawnShapes | None] = {}

    def fill(self, rect: Rect, colour: Colour) -> None:
        super().fill(rect, colour)
        if rect.width > 0 and rect.height > 0:
            self._note(rect, Area(rect, colour))

    def blit(self, sprite: Sprite, x: int, y: int) -> None:
        super().blit(sprite, x, y)
        height, width, _ = sprite.pixels.shape
        self._show(Rect(x, y, width, height), sprite.content)

    def note(self, changes: Sequence[Change], contents: Sequence[object]) -> None:
        super().note(changes, contents)
        for change, content in zip(changes, contents, strict=True):
            self._show(change.rect, content)

    def _show(self, rect: Rect, content: object) -> None:
        """Note what a sprite shows that was drawn in `rect`."""
        if isinstance(content, Area | Cell | BoxedText):
            self._note(rect, content._replace(rect=rect))
        else:
            self._note(rect, None)

    def put(self, pixels: Pixels, x: int, y: int, figure: DrawnShapes | None = None) -> None:
        super().put(pixels, x, y)
        height, width, _ = pixels.shape
        self._note(figure.rect if figure else Rect(x, y, width, height), figure)

    def touch(self, rect: Rect) -> None:
        super().touch(rect)
        self._note(rect, None)

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
        return Drawing(self.width, self.height, self._theme, drawn, set_typeface())
