"""The transition between two pictures of a story: boards move and change their size with easing,
and boards that stay where they are fade to their new brightness. Everything else first fades out,
then the new contents fade in, so that two texts are never visible at once. And the transition back
to empty boards, cell by cell.

Each picture of the transition is completely new, which takes time and bytes, so the cross-fade has
a few steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from undoku.render.draw.canvas import Canvas, Pixels, Rect, bounding
from undoku.render.draw.colour_space import Colour
from undoku.render.timeline.easing import eased

_FADES, _FADES_OF_ALL = 2, 4
"""Steps of the cross-fade of everything except the boards, and of everything."""

_SEEN = 1 / 4, 1 / 2, 3 / 4
"""The shares of their ways at which boards must not cover each other."""

_GAP = 16
"""The minimum number of rows, a macroblock, between two parts of the picture that fade."""

_ROWS = 128
"""The maximum height of such a part."""

_LEAVING = 1 / 3
"""The share of its way for which a board leaves a small place above a large one."""


class Transition:
    """The transition to the picture `after` in `frames` frames."""

    def __init__(self, after: Pixels, frames: int) -> None:
        self._after, self._frames = after, frames

    def draw(self, canvas: Canvas, frame: int) -> bool:
        """Draw the picture after `frame` frames, 1..frames; returns whether it is the last one,
        which is `after`."""
        if frame >= self._frames:
            self.arrive(canvas)
            return True
        self._draw(canvas, eased(frame / self._frames))
        return False

    def arrive(self, canvas: Canvas) -> None:
        """Draw the last picture."""
        _show(canvas, self._after)

    def _draw(self, canvas: Canvas, way: float) -> None:
        """Draw the picture after a share (0..1) of the way."""
        raise NotImplementedError


class BoardMove(Transition):
    """The transition from the picture `before` to `after` in `frames` frames. `old` and `new`
    are the places of the boards in both pictures; the `edge` pixels around each belong to it: the
    ring of a finished search. Without boards everything fades. Both
    pictures must not be used elsewhere."""

    def __init__(
        self,
        before: Pixels,
        after: Pixels,
        old: Sequence[Rect],
        new: Sequence[Rect],
        background: Colour,
        frames: int,
        edge: int = 4,
    ) -> None:
        super().__init__(after, frames)
        self._fades = _FADES if old else _FADES_OF_ALL
        pairs = [*zip(old, new, strict=True)]
        staying = [start.inset(-edge) for start, end in pairs if start == end]
        # Boards that shrink move below one that grows.
        self._ways = sorted((each for each in pairs if each[0] != each[1]), key=_new_width)
        self._boards = [_larger(before, after, start, end) for start, end in self._ways]
        self._background = background
        self._fading = [
            _Fading(each, _window(before, each).copy(), _window(after, each).copy(), self._fades)
            for each in (_within(each, before) for each in staying)
        ]
        _clear(before, old, edge, background)
        self._fading += _fading(before, after, new, edge, background, self._fades)
        self._behind = before
        """The picture without the boards that move."""
        for fading in self._fading[: len(staying)]:
            fading.blend(before, 0, background)
        self._weight = -1
        self._places: list[Rect] = []

    def _draw(self, canvas: Canvas, way: float) -> None:
        # While boards move, there are no texts that they could cover.
        weight = self._fades // 2 if self._ways else round(self._fades * way)
        behind: list[Rect] = []
        if weight != self._weight:
            for fading in self._fading:
                fading.blend(self._behind, weight, self._background)
            behind = [fading.area for fading in self._fading]
        if self._weight < 0:
            behind = [Rect(0, 0, canvas.width, canvas.height)]
        self._weight = weight
        for rect in (*behind, *self._places):
            _window(canvas.pixels, rect)[:] = _window(self._behind, rect)
        places = [_on_the_way(start, end, way) for start, end in self._ways]
        for board, place in zip(self._boards, places, strict=True):
            _put(canvas.pixels, board, place)
        before = self._places or places
        self._places = places
        moved = (bounding(both) for both in zip(before, places, strict=True))
        for rect in (*behind, *filter(None, moved)):
            canvas.touch(rect)


class _Fading(NamedTuple):
    """A part of the picture that fades in so many steps: its place; what it shows before and after,
    without boards that move; and which of its pixels belong to it (height, width, 1), None for a
    board that stays."""

    area: Rect
    before: Pixels
    after: Pixels
    fades: int
    fading: NDArray[np.bool_] | None = None

    def blend(self, pixels: Pixels, weight: int, background: Colour) -> None:
        """Draw the part after `weight` steps, computed with integers, so that it is the same on
        every machine. A board fades from one picture to the other; other pixels fade to the
        background in the first half, and from it in the second half."""
        if self.fading is None:
            mixed = self.before * np.uint16(self.fades - weight) + self.after * np.uint16(weight)
            _window(pixels, self.area)[:] = mixed // self.fades
            return
        half = self.fades // 2
        share = abs(half - weight)
        empty = np.array(background, np.uint16) * (half - share)
        mixed = ((self.before, self.after)[weight >= half] * np.uint16(share) + empty) // half
        np.copyto(_window(pixels, self.area), mixed.astype(np.uint8), where=self.fading)


def _fading(
    before: Pixels,
    after: Pixels,
    boards: Sequence[Rect],
    edge: int,
    background: Colour,
    fades: int,
) -> list[_Fading]:
    """The parts in which the picture `before`, without boards, differs from `after` without its
    `boards`. All that they show fades, because letters of two texts may have pixels in common. They
    are at most _ROWS rows high, so that few pixels are copied at a time."""
    empty = np.array(background, np.uint8)
    found = []
    for top in range(0, len(before), _ROWS):
        one, other = before[top : top + _ROWS], after[top : top + _ROWS].copy()
        _clear(other, [board._replace(y=board.y - top) for board in boards], edge, background)
        differs = _differ(one, other)
        rows = np.flatnonzero(differs.any(1))
        for band in np.split(rows, np.flatnonzero(np.diff(rows) > _GAP) + 1) if len(rows) else ():
            columns = np.flatnonzero(differs[band[0] : band[-1] + 1].any(0))
            left, right = int(columns[0]), int(columns[-1]) + 1
            area = Rect(left, int(band[0]), right - left, int(band[-1] - band[0]) + 1)
            shown, later = _window(one, area).copy(), _window(other, area).copy()
            mask = (_differ(shown, empty) | _differ(later, empty))[..., None]
            found.append(_Fading(area._replace(y=top + area.y), shown, later, fades, mask))
    return found


def crosses(old: Sequence[Rect], new: Sequence[Rect]) -> bool:
    """Whether boards would cover each other on their ways from their places to new ones."""
    for share in _SEEN:
        places = [_on_the_way(*pair, share) for pair in zip(old, new, strict=True)]
        if any(one.overlaps(other) for one, other in combinations(places, 2)):
            return True
    return False


def _new_width(pair: tuple[Rect, Rect]) -> int:
    return pair[1].width


def _within(rect: Rect, pixels: Pixels) -> Rect:
    """The part of a rectangle that is inside a picture."""
    x, y = max(0, rect.x), max(0, rect.y)
    return Rect(x, y, min(rect.right, pixels.shape[1]) - x, min(rect.bottom, pixels.shape[0]) - y)


def _larger(before: Pixels, after: Pixels, start: Rect, end: Rect) -> Image.Image:
    """The picture of a board where it is larger."""
    large, place = (before, start) if start.width > end.width else (after, end)
    return Image.fromarray(np.ascontiguousarray(_window(large, place)))


def _window(pixels: Pixels, rect: Rect) -> Pixels:
    return pixels[rect.y : rect.bottom, rect.x : rect.right]


def _clear(pixels: Pixels, boards: Sequence[Rect], edge: int, background: Colour) -> None:
    """Remove the boards, which may lie partly outside, from a picture."""
    for board in boards:
        around = board.inset(-edge)
        rows = slice(max(0, around.y), max(0, around.bottom))
        pixels[rows, max(0, around.x) : around.right] = background


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


def _put(pixels: Pixels, board: Image.Image, place: Rect) -> None:
    """Draw a board, scaled to the size of `place`, there."""
    size = (max(1, place.width), max(1, place.height))
    scaled = board.resize(size, Image.Resampling.BOX)
    pixels[place.y : place.y + size[1], place.x : place.x + size[0]] = np.asarray(scaled)


class Rewind(Transition):
    """The transition in `frames` frames from a picture of `boards` to `after`, where they are
    empty: the `cells` of each board (their places) change in this order. All else is gone at
    once."""

    def __init__(
        self,
        before: Pixels,
        after: Pixels,
        boards: Sequence[Rect],
        cells: Sequence[Sequence[Rect]],
        frames: int,
    ) -> None:
        super().__init__(after, frames)
        self._first = after.copy()
        for board in boards:
            _window(self._first, board)[:] = _window(before, board)
        self._cells = cells
        self._share = 0.0
        """The share of the cells that have changed."""

    def _draw(self, canvas: Canvas, way: float) -> None:
        if not self._share:
            _show(canvas, self._first)
        before, self._share = self._share, way
        for cells in self._cells:
            for cell in cells[int(len(cells) * before) : int(len(cells) * self._share)]:
                _window(canvas.pixels, cell)[:] = _window(self._after, cell)
                canvas.touch(cell)


def _show(canvas: Canvas, pixels: Pixels) -> None:
    """Draw a whole picture."""
    canvas.pixels[:] = pixels
    canvas.touch(Rect(0, 0, canvas.width, canvas.height))
