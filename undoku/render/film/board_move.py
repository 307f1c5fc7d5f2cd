"""The transition between two pictures of a story: boards move and change their size with easing,
and boards that stay where they are change to their new brightness. Everything else first
disappears, then the new contents appear, so that two texts are never visible at once. And the
transition back to empty boards, cell by cell.

Each new picture takes time and bytes, so there is only one between the two, or two if no board
stays: half of the first one, then half of the second one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from undoku.render.draw.canvas import Canvas, Pixels, Rect, bounding
from undoku.render.draw.colour_space import Colour
from undoku.render.timeline.easing import eased

_T = TypeVar("_T", bound=np.generic)

_SEEN = 1 / 4, 1 / 2, 3 / 4
"""The shares of their ways at which boards must not cover each other."""

_GAP = 16
"""The minimum number of rows, a macroblock, between two parts of the picture that change."""

_NEAR = 3 / 4
"""The share of its size down to which a board only loses rows and columns of pixels; a smaller one
has means of several."""

_BAND = 256
"""The rows that are copied at once."""

_LEAVING = 1 / 3
"""The share of its way for which a board leaves a small place above a large one."""


class Transition:
    """The transition to the picture `after` in `frames` frames."""

    passes = False
    """Whether its pictures, except the last one, are soon drawn anew and so need not be exact."""

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
    ring of a finished search. In the middle of the time, or as long as boards move, the rest shows
    what both pictures have in common, and boards that stay are in between. Without boards
    everything fades. Both pictures must not be used elsewhere, and the canvas must show `before`
    at first: three large pictures are enough."""

    passes = True

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
        pairs = [*zip(old, new, strict=True)]
        # Boards that shrink move below one that grows.
        self._ways = sorted((each for each in pairs if each[0] != each[1]), key=_new_width)
        self._boards = [_larger(before, after, start, end) for start, end in self._ways]
        staying = [start.inset(-edge) for start, end in pairs if start == end]
        means = [_mean(_window(before, board), _window(after, board)) for board in staying]
        middle = before
        _clear(middle, old, edge, background)
        differs = _differs(middle, after)
        for board in new:
            place = board.inset(-edge)
            _window(differs, place)[:] = _differs(_window(middle, place), background)
        for area in _areas(differs):
            _window(middle, area)[:] = background
        for board, mean in zip(staying, means, strict=True):
            _window(middle, board)[:] = mean
        self._pictures = middle, after
        self._stages = (0, 2, 4) if old else (0, 1, 3, 4)
        """The pictures: these two, or a mean before each of them, without the dark one between."""
        self._shown = -1
        """The number of the one that is shown behind the boards that move."""
        self._places: list[Rect] = []

    def _draw(self, canvas: Canvas, way: float) -> None:
        # While boards move, there are no texts that they could cover.
        shown = 2 if self._ways else self._stages[round((len(self._stages) - 1) * way)]
        pictures = canvas.pixels, *self._pictures
        pair = pictures[shown // 2], pictures[(shown + 1) // 2]
        if shown != self._shown:
            self._shown = shown
            _show(canvas, pair[0])
            if shown % 2:
                for row, other in zip(canvas.pixels, pair[1], strict=True):
                    row[:] = _mean(row, other)  # a mean of whole pictures takes three more
        for place in self._places:
            _window(canvas.pixels, place)[:] = _window(pair[0], place)
        places = [_on_the_way(start, end, way) for start, end in self._ways]
        for board, place in zip(self._boards, places, strict=True):
            _put(canvas.pixels, board, place)
        before = self._places or places
        self._places = places
        for both in zip(before, places, strict=True):
            if moved := bounding(both):
                canvas.touch(moved)


def _mean(one: Pixels, other: Pixels) -> Pixels:
    """The mean of two pictures, rounded down: what both have, and half of the rest, without wider
    integers, which would take several times the memory."""
    mean = one ^ other
    mean >>= 1
    mean += one & other
    return mean


def _differs(one: Pixels, other: Pixels | Colour) -> NDArray[np.bool_]:
    """Where a picture differs from another one or from a colour, (height, width)."""
    against = np.asarray(other)
    differs: NDArray[np.bool_] = one[..., 0] != against[..., 0]
    for colour in (1, 2):  # any() along a short axis takes longer
        differs |= one[..., colour] != against[..., colour]
    return differs


def _areas(differs: NDArray[np.bool_]) -> Iterator[Rect]:
    """The parts in which two pictures differ. All that they show changes at once, because letters
    of two texts may have pixels in common."""
    rows = np.flatnonzero(differs.any(1))
    for band in np.split(rows, np.flatnonzero(np.diff(rows) > _GAP) + 1) if len(rows) else ():
        columns = np.flatnonzero(differs[band[0] : band[-1] + 1].any(0))
        left, top = int(columns[0]), int(band[0])
        yield Rect(left, top, int(columns[-1]) + 1 - left, int(band[-1]) + 1 - top)


def crosses(old: Sequence[Rect], new: Sequence[Rect]) -> bool:
    """Whether boards would cover each other on their ways from their places to new ones."""
    for share in _SEEN:
        places = [_on_the_way(*pair, share) for pair in zip(old, new, strict=True)]
        if any(one.overlaps(other) for one, other in combinations(places, 2)):
            return True
    return False


def _new_width(pair: tuple[Rect, Rect]) -> int:
    return pair[1].width


def _larger(before: Pixels, after: Pixels, start: Rect, end: Rect) -> Image.Image:
    """The picture of a board where it is larger."""
    large, place = (before, start) if start.width > end.width else (after, end)
    return Image.fromarray(np.ascontiguousarray(_window(large, place)))


def _window(pixels: NDArray[_T], rect: Rect) -> NDArray[_T]:
    """The part of a rectangle that is inside a picture."""
    return pixels[max(0, rect.y) : rect.bottom, max(0, rect.x) : rect.right]


def _clear(pixels: Pixels, boards: Sequence[Rect], edge: int, background: Colour) -> None:
    """Remove the boards from a picture."""
    for board in boards:
        area = _window(pixels, board.inset(-edge))
        area[:1] = background
        area[1:] = area[:1]  # whole rows are copied in a fifth of the time


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
    width, height = max(1, place.width), max(1, place.height)
    # The nearest pixels of a board of about this size take a fifth of the time of means.
    near = width >= _NEAR * board.width
    how = Image.Resampling.NEAREST if near else Image.Resampling.BOX
    scaled = board.resize((width, height), how)
    for top in range(0, height, _BAND):  # an array of all of it takes twice the memory
        band = np.asarray(scaled.crop((0, top, width, min(height, top + _BAND))))
        pixels[place.y + top : place.y + top + len(band), place.x : place.x + width] = band


class Rewind(Transition):
    """The transition in `frames` frames from the pictures of `boards` to `after`, where they are
    empty: the `cells` of each board (their places) change in this order. All else is gone at
    once."""

    def __init__(
        self,
        before: Sequence[Pixels],
        after: Pixels,
        boards: Sequence[Rect],
        cells: Sequence[Sequence[Rect]],
        frames: int,
    ) -> None:
        super().__init__(after, frames)
        self._before = [*zip(boards, before, strict=True)]
        self._cells = cells
        self._share = 0.0
        """The share of the cells that have changed."""

    def _draw(self, canvas: Canvas, way: float) -> None:
        if not self._share:
            _show(canvas, self._after)
            for board, pixels in self._before:
                _window(canvas.pixels, board)[:] = pixels
        before, self._share = self._share, way
        for cells in self._cells:
            for cell in cells[int(len(cells) * before) : int(len(cells) * self._share)]:
                _window(canvas.pixels, cell)[:] = _window(self._after, cell)
                canvas.touch(cell)


def _show(canvas: Canvas, pixels: Pixels) -> None:
    """Draw a whole picture."""
    canvas.pixels[:] = pixels
    canvas.touch(Rect(0, 0, canvas.width, canvas.height))
