"""The line of small letters above a chart, and the chart's box below it."""

from __future__ import annotations

from collections.abc import Sequence

from render.drawing.canvas import Canvas, Rect
from render.drawing.sprites import Align, SpriteBook
from render.layout.page import TextSizes
from render.style.lettering import Face, line_height, text_width
from render.texts import wording as say
from render.texts.language import number, spoken

__all__ = ["RunningNodes", "chart_box", "draw_caption", "node_form", "node_texts"]


def chart_box(box: Rect, text: TextSizes) -> Rect:
    """What is left of a panel's box below its caption."""
    line = line_height(Face.REGULAR, text.label)
    return Rect(box.x, box.y + line, box.width, box.height - line)


def draw_caption(
    canvas: Canvas,
    sprites: SpriteBook,
    text: TextSizes,
    box: Rect,
    left: Sequence[str],
    right: Sequence[str],
) -> None:
    """Write the first of `left` and the first of `right` that fit side by side, the fullest text
    first in both; what is on the right gives way first."""
    size = text.label
    gap = text_width("  ", Face.REGULAR, size)
    for name in left:
        for scale in right:
            name_width = text_width(name, Face.REGULAR, size) if name else 0
            scale_width = text_width(scale, Face.REGULAR, size) if scale else 0
            if name_width + scale_width + (gap if scale else 0) > box.width:
                continue
            if name:
                sprite = sprites.text(name, Face.REGULAR, size, sprites.theme.muted, name_width)
                canvas.blit(sprite, box.x, box.y)
            if scale:
                sprite = sprites.text(
                    scale, Face.REGULAR, size, sprites.theme.muted, scale_width, align=Align.RIGHT
                )
                canvas.blit(sprite, box.right - scale_width, box.y)
            return


def node_texts(nodes: int) -> list[str]:
    """What a caption says of so many nodes, the fullest text first; a number is shortened, never
    rounded up."""
    return [say.NODES(count=nodes), number(nodes), _short(nodes), ""]


def _short(nodes: int) -> str:
    """Three digits and a unit."""
    for unit, size in ((" G", 10**9), (" M", 10**6), (" k", 10**3)):
        if nodes >= size:
            whole = str(nodes // size)
            digits = str(nodes * 100 // size).removeprefix(whole)[: 3 - len(whole)].rstrip("0")
            point = spoken().decimals
            return f"{whole}{point}{digits}{unit}" if digits else f"{whole}{unit}"
    return str(nodes)


def node_form(most: int, text: TextSizes, width: int) -> int:
    """Which of `node_texts` the captions of trees of up to `most` nodes, `width` pixels wide, have
    room for: all say it in the same words."""
    size = text.label
    left = width - text_width(f"{say.TREE()}  ", Face.REGULAR, size)
    texts = node_texts(most)
    if most >= 1000:
        texts[2] = f"88{spoken().decimals}8 M"  # on its way a number can be wider than in the end
    wide = [_width_in_slots(said, size) for said in texts]
    if not _begins_with_number(most):
        wide[0] = left + 1
    return next(form for form, each in enumerate(wide) if each <= left or not each)


def _begins_with_number(nodes: int) -> bool:
    """Whether the language writes the number of nodes first, from left to right, so that its digits
    can change alone."""
    return say.NODES(count=nodes).startswith(f"{number(nodes)} ") and not spoken().right_to_left


def _cut(text: str) -> tuple[str, str]:
    """A text as the number that it begins with and what follows."""
    figures, space, unit = text.partition(" ")
    return figures, space + unit


def _width_in_slots(text: str, size: int) -> int:
    figures, unit = _cut(text)
    return sum(text_width(mark, Face.REGULAR, size) for mark in figures) + (
        text_width(unit, Face.REGULAR, size) if unit else 0
    )


class RunningNodes:
    """The number of nodes so far, at the right end of a caption. Each digit has a slot of its own,
    and only those that differ are drawn."""

    def __init__(self, sprites: SpriteBook, text: TextSizes, box: Rect, most: int) -> None:
        self._sprites = sprites
        self._size = text.label
        self._box = box
        self._form = node_form(most, text, box.width)
        self._nodes = 0
        self._unit: str | None = None
        self._shown: list[tuple[str, int]] = []

    def show(self, canvas: Canvas, nodes: int) -> None:
        """Write so many nodes, at least as many as before."""
        if nodes == self._nodes:
            return
        self._nodes = nodes
        figures, unit = _cut(node_texts(nodes)[self._form])
        if not figures:
            return
        right = self._box.right - (text_width(unit, Face.REGULAR, self._size) if unit else 0)
        if unit != self._unit:
            self._clear(canvas)
            self._unit, self._shown = unit, []
            if unit:
                self._write(canvas, unit, right, self._box.right - right)
        shown: list[tuple[str, int]] = []
        for mark in reversed(figures):
            wide = text_width(mark, Face.REGULAR, self._size)
            right -= wide
            shown.append((mark, right))
            if shown[-1:] != self._shown[len(shown) - 1 : len(shown)]:
                self._write(canvas, mark, right, wide)
        self._shown = shown

    def _clear(self, canvas: Canvas) -> None:
        if self._shown:
            line = line_height(Face.REGULAR, self._size)
            left = self._shown[-1][1]
            rect = Rect(left, self._box.y, self._box.right - left, line)
            canvas.fill(rect, self._sprites.theme.ground)

    def _write(self, canvas: Canvas, text: str, x: int, wide: int) -> None:
        ink = self._sprites.theme.muted
        canvas.blit(self._sprites.text(text, Face.REGULAR, self._size, ink, wide), x, self._box.y)
