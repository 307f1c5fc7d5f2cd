"""Boxes beside each other and below each other, from which all layouts are made.

Each box has a least and a most size. One rule divides a rectangle among the parts of a box: each
has its least size, and all grow by the same number of pixels until they have their most. What is
left is around them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import NamedTuple

from undoku.render.draw.canvas import Rect

FREE = 1 << 16
"""The most pixels of a box that may have any size."""


class Size(NamedTuple):
    """Pixels."""

    width: int
    height: int


class Box(NamedTuple):
    """A box, whose place has the name `key`; None if nobody asks for it. A box of `parts` has them
    beside each other (`is_row`) or below each other, with `gap` pixels between them. A `square`
    has its least size wherever it is in its place, on the grid."""

    least: Size
    most: Size
    key: Hashable = None
    parts: tuple[Box, ...] = ()
    gap: int = 0
    is_row: bool = False
    square: int = 0

    def at_most(self, width: int) -> Box:
        """The same box, not wider than necessary if it has `width` pixels."""
        most = max(self.least.width, min(self.most.width, width))
        return self._replace(most=self.most._replace(width=most))


def leaf(
    key: Hashable, width: int, height: int, most_width: int = FREE, most_height: int = 0
) -> Box:
    """A box of at least `width` × `height` pixels, which may be wider, but not higher unless
    `most_height` permits it."""
    most = Size(max(width, most_width), max(height, most_height))
    return Box(Size(width, height), most, key)


def square(key: Hashable, side: int, grid: int, finest: int) -> Box:
    """A square of `side` pixels that is on the grid if there is room for that, otherwise on a finer
    one, at least on the `finest`."""
    least, most = side + finest - 1, side + grid - 1
    return Box(Size(least, least), Size(most, most), key, square=side)


def row(*parts: Box | None, gap: int = 0, key: Hashable = None) -> Box:
    """Boxes beside each other; without those that are None."""
    return _joined(parts, gap, key, is_row=True)


def column(*parts: Box | None, gap: int = 0, key: Hashable = None) -> Box:
    """Boxes below each other; without those that are None."""
    return _joined(parts, gap, key, is_row=False)


def _joined(parts: tuple[Box | None, ...], gap: int, key: Hashable, *, is_row: bool) -> Box:
    shown = tuple(part for part in parts if part)
    gaps = gap * max(0, len(shown) - 1)
    # A film tries thousands of boxes: loops are faster than sums and maxima of lists.
    least_along = most_along = gaps
    least_across = most_across = 0
    along, across = (0, 1) if is_row else (1, 0)
    for part in shown:
        least, most = part.least, part.most
        least_along += least[along]
        most_along += most[along]
        least_across = max(least_across, least[across])
        most_across = max(most_across, most[across])
    if is_row:
        least, most = Size(least_along, least_across), Size(most_along, most_across)
    else:
        least, most = Size(least_across, least_along), Size(most_across, most_along)
    return Box(least, most, key, shown, gap, is_row)


def places(box: Box, room: Rect, grid: int) -> dict[Hashable, Rect]:
    """The places of all boxes with a name, when `box` is in the middle of `room`, which must be
    large enough."""
    size = box.square
    wide, high = size or min(room.width, box.most.width), size or min(room.height, box.most.height)
    x, y = room.x + (room.width - wide) // 2, room.y + (room.height - high) // 2
    if size:
        x = on_grid(x, room.x, room.right - size, grid)
        y = on_grid(y, room.y, room.bottom - size, grid)
    found: dict[Hashable, Rect] = {box.key: Rect(x, y, wide, high)} if box.key else {}
    axis = 0 if box.is_row else 1
    spare = (wide, high)[axis] - box.least[axis]
    grown = _grown([part.most[axis] - part.least[axis] for part in box.parts], spare)
    for part, more in zip(box.parts, grown, strict=True):
        length = part.least[axis] + more
        own = Rect(x, y, length, high) if box.is_row else Rect(x, y, wide, length)
        found |= places(part, own, grid)
        x, y = (own.right + box.gap, y) if box.is_row else (x, own.bottom + box.gap)
    return found


def _grown(limits: list[int], spare: int) -> list[int]:
    """Equal parts of `spare`, none above its limit; what some leave is divided among the others."""
    grown = [0] * len(limits)
    order = sorted(range(len(limits)), key=limits.__getitem__)
    for before, number in enumerate(order):
        grown[number] = min(limits[number], spare // (len(order) - before))
        spare -= grown[number]
    return grown


def largest(make: Callable[[int], Box], room: Rect, most: int, least: int, size: int) -> int:
    """The largest side of cells, `least`..`most`, with which the box that `make` returns for it
    fits into `room`; 0 if there is none. `size` pixels are saved for each pixel of the side."""
    cell = most
    while cell >= least:
        box = make(cell)
        over = max(box.least.width - room.width, box.least.height - room.height)
        if over <= 0:
            return cell
        cell -= max(1, over // size)
    return 0


def slots(room: Rect, count: int, rows: int, gap: int) -> list[Rect]:
    """`count` equal places in `rows` rows; a last row that is not full is in the middle."""
    columns = -(-count // rows)
    wide = (room.width - (columns - 1) * gap) // columns
    high = (room.height - (rows - 1) * gap) // rows
    found = []
    for number in range(count):
        at, place = divmod(number, columns)
        empty = max(0, columns - (count - at * columns))
        x = room.x + place * (wide + gap) + empty * (wide + gap) // 2
        found.append(Rect(x, room.y + at * (high + gap), wide, high))
    return found


def row_counts(count: int) -> list[int]:
    """The numbers of rows in which `count` places can be without an empty row."""
    return [rows for rows in range(1, count + 1) if (rows - 1) * -(-count // rows) < count]


def on_grid(wanted: int, low: int, high: int, grid: int) -> int:
    """The position nearest to `wanted` in low..high on the grid, or on a finer one."""
    for step in (grid, 8, 4, 2):
        near = (wanted + step // 2) // step * step
        for each in (near, near - step, near + step):
            if low <= each <= high:
                return each
    return wanted
