"""The transition between two layouts: boards move and change their size with easing. Everything
else first fades out, then the new contents fade in, so that two texts are never visible at once.

Each picture of the transition is completely new, which takes time and bytes. There are at most
thirty a second (render.timing.easing), and the cross-fade has a few steps.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from render.drawing.canvas import Canvas, Pixels, Rect, bounding
from render.style.colour_space import Colour
from render.timing.easing import drawn_frame, eased

__all__ = ["BoardMove"]

_FADES = 4
"""Steps of the cross-fade of everything except the boards."""

_LEAVING = 1 / 3
"""The share of its way for which a board leaves a small place above a large one."""


class BoardMove:
    """The transition from the picture `before` to `after` in `frames` frames; each picture is shown
    for `each` of them. `old` and `new` are the places of the boards in both pictures; the `edge`
    pixels around each belong to it: the ring of a finished search."""

    def __init__(
        self,
        before: Pixels,
        after: Pixels,
        old: Sequence[Rect],
        new: Sequence[Rect],
        ground: Colour,
        frames: int,
        each: int,
        edge: int = 4,
    ) -> None:
        self._pictures = before, after
        # Boards that shrink move below one that grows.
        self._ways = sorted(zip(old, new, strict=True), key=lambda pair: pair[1].width)
        self._ground = ground
        self._rests = _without(before, old, edge, ground), _without(after, new, edge, ground)
        self._changing = np.flatnonzero(_differ(*self._rests))
        """The indices of the pixels, row by row, that differ in the pictures without boards."""
        self._frames, self._each = frames, each
        self._drawn = -1
        self._weight = -1
        self._behind = before
        self._places: list[Rect] = []

    def draw(self, canvas: Canvas, frame: int) -> bool:
        """Draw the picture after `frame` frames, 1..frames; returns whether it is the last one,
        which is `after`."""
        at = drawn_frame(frame, self._each)
        if at >= self._frames:
            self.arrive(canvas)
            return True
        if at != self._drawn:
            self._drawn = at
            self._draw(canvas, eased(at / self._frames))
        return False

    def arrive(self, canvas: Canvas) -> None:
        """Draw the last picture."""
        canvas.pixels[:] = self._pictures[1]
        canvas.touch(Rect(0, 0, canvas.width, canvas.height))

    def _draw(self, canvas: Canvas, way: float) -> None:
        before, after = self._pictures
        weight = round(_FADES * way)
        if weight != self._weight:
            self._weight = weight
            self._behind = self._blended(weight)
            canvas.pixels[:] = self._behind
            canvas.touch(Rect(0, 0, canvas.width, canvas.height))
        else:
            for place in self._places:
                window = slice(place.y, place.bottom), slice(place.x, place.right)
                canvas.pixels[window] = self._behind[window]
        places = []
        for start, end in self._ways:
            large, place = (before, start) if start.width > end.width else (after, end)
            picture = large[place.y : place.bottom, place.x : place.right]
            places.append(_on_the_way(start, end, way))
            _put(canvas.pixels, picture, places[-1])
        if changed := bounding([*self._places, *places]):
            canvas.touch(changed)
        self._places = places

    def _blended(self, weight: int) -> Pixels:
        """The picture without boards after `weight` of _FADES steps, computed with integers, so
        that it is the same on every machine. Pixels that differ fade to the background in the first
        half, and from it in the second half."""
        half = _FADES // 2
        share = abs(half - weight)
        empty = np.array(self._ground, np.uint16) * (half - share)
        mixed = self._rests[weight >= half].copy()
        flat = mixed.reshape(-1, 3)
        flat[self._changing] = (flat[self._changing] * np.uint16(share) + empty) // half
        return mixed


def _without(pixels: Pixels, boards: Sequence[Rect], edge: int, ground: Colour) -> Pixels:
    """A picture without its boards."""
    found = pixels.copy()
    for board in boards:
        around = board.inset(-edge)
        found[max(0, around.y) : around.bottom, max(0, around.x) : around.right] = ground
    return found


def _differ(one: Pixels, other: Pixels) -> NDArray[np.bool_]:
    """(height, width): whether a pixel differs in two pictures."""
    red, green, blue = np.moveaxis(one != other, 2, 0)
    differs: NDArray[np.bool_] = red | green | blue  # any() along a short axis takes longer
    return differs


def _on_the_way(start: Rect, end: Rect, share: float) -> Rect:
    """The place of a board after a share of its way. A small place above a large one is beside
    texts: from there a board first moves down without growing, so that it covers none."""
    if start.width > end.width:
        return _on_the_way(end, start, 1 - share)
    if start.width == end.width or start.bottom > end.y:
        return _between(start, end, share)
    corner = start._replace(y=end.y)
    if share < _LEAVING:
        return _between(start, corner, share / _LEAVING)
    return _between(corner, end, (share - _LEAVING) / (1 - _LEAVING))


def _between(start: Rect, end: Rect, share: float) -> Rect:
    return Rect(*(round(a + (b - a) * share) for a, b in zip(start, end, strict=True)))


def _put(pixels: Pixels, picture: Pixels, place: Rect) -> None:
    """Draw a picture, scaled to the size of `place`, there."""
    size = (max(1, place.width), max(1, place.height))
    scaled = Image.fromarray(np.ascontiguousarray(picture)).resize(size, Image.Resampling.BOX)
    pixels[place.y : place.y + size[1], place.x : place.x + size[0]] = np.asarray(scaled)
