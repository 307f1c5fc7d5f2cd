"""The frame buffer: one picture that is changed in place, with a list of what changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.render.draw.colour_space import Colour
from undoku.render.draw.shapes import Polygon, Stroke

Pixels = NDArray[np.uint8]
"""(height, width, 3) uint8, RGB; in frames of transparent films (height, width, 4), RGBA with
straight alpha."""


class Rect(NamedTuple):
    """A rectangle of pixels; (x, y) is its upper left corner."""

    x: int
    y: int
    width: int
    height: int

    @property
    def right(self) -> int:
        return self.x + self.width

    @property
    def bottom(self) -> int:
        return self.y + self.height

    def inset(self, by: int) -> Rect:
        return Rect(self.x + by, self.y + by, self.width - 2 * by, self.height - 2 * by)

    def overlaps(self, other: Rect) -> bool:
        return (
            self.x < other.right
            and other.x < self.right
            and self.y < other.bottom
            and other.y < self.bottom
        )

    def contains(self, other: Rect) -> bool:
        return (
            self.x <= other.x
            and self.y <= other.y
            and other.right <= self.right
            and other.bottom <= self.bottom
        )


def bounding(rects: Iterable[Rect]) -> Rect | None:
    """The smallest rectangle that contains all of `rects`; None if there are none."""
    found = list(rects)
    if not found:
        return None
    x, y = min(rect.x for rect in found), min(rect.y for rect in found)
    right, bottom = max(rect.right for rect in found), max(rect.bottom for rect in found)
    return Rect(x, y, right - x, bottom - y)


@dataclass(frozen=True, slots=True, eq=False)
class Sprite:
    """A small picture drawn once and copied often. `number` is its identity: two changes with the
    same number put the same pixels. `content` is what it shows, for documents: one of the classes
    of `undoku.render.draw.sprites`, at (0, 0); None for pixels that show nothing else."""

    number: int
    pixels: Pixels
    content: object = None


class Change(NamedTuple):
    """A rectangle that was drawn, and the number of the sprite it was copied from (-1: none)."""

    rect: Rect
    sprite: int = -1


def corners(changes: Iterable[Change]) -> NDArray[np.int32]:
    """(n, 4): left, top, right and bottom of the changed rectangles."""
    rects = [(rect.x, rect.y, rect.right, rect.bottom) for rect, _ in changes]
    return np.array(rects, np.int32).reshape(-1, 4)


def packed(pixels: Pixels) -> NDArray[np.uint32]:
    """The colour of each pixel, (height, width) or another shape: 0xRRGGBB; in transparent films
    0xAARRGGBB."""
    rgb = np.zeros(pixels.shape[:-1], np.uint32)
    for channel, bits in zip(range(pixels.shape[-1]), (16, 8, 0, 24), strict=False):
        rgb |= pixels[..., channel].astype(np.uint32) << bits
    return rgb


def covering(changes: Sequence[Change]) -> list[Rect]:
    """The rectangles of `changes`, without those that lie within the largest one."""
    rects = list(dict.fromkeys(rect for rect, _ in changes))
    if len(rects) < 2:
        return rects
    largest = max(rects, key=lambda rect: rect.width * rect.height)
    return [rect for rect in rects if rect is largest or not largest.contains(rect)]


class DrawnShapes(NamedTuple):
    """The shapes of pixels painted directly into `rect` of a canvas, for documents: `shapes`
    returns their current state, the lowest first."""

    rect: Rect
    shapes: Callable[[], Sequence[Polygon | Stroke]]


class Frame(NamedTuple):
    """The input of a sink: the whole picture, its changes since the previous frame (all of it in
    the first), and its duration in ticks of the film's frame rate (>= 1). It is `passing` if it is
    one of a transition: what it changes is drawn again by a later frame, so it need not be exact.

    `pixels` is the canvas's own buffer, valid until the next frame: copy what you keep. Changes
    may overlap; they never leave the picture, and pixels outside all of them are as they were.
    """

    pixels: Pixels
    changes: tuple[Change, ...]
    ticks: int = 1
    passing: bool = False


def whole(pixels: Pixels) -> tuple[Change]:
    """The change of a frame whose whole picture is new."""
    height, width, _ = pixels.shape
    return (Change(Rect(0, 0, width, height)),)


class Canvas:
    """An RGB buffer (height, width, 3) that records every rectangle drawn on it."""

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self.pixels: Pixels = np.zeros((height, width, 3), np.uint8)
        self._changes: list[Change] = []

    def fill(self, rect: Rect, colour: Colour) -> None:
        """Fill a rectangle, which must lie inside, with one colour."""
        area = self.pixels[rect.y : rect.bottom, rect.x : rect.right]
        area[:1] = colour
        area[1:] = area[:1]  # whole rows are copied in a fifth of the time
        self._changes.append(Change(rect))

    def blit(self, sprite: Sprite, x: int, y: int) -> None:
        """Copy a sprite to (x, y), its upper left corner; it must lie inside the picture."""
        height, width, _ = sprite.pixels.shape
        self.pixels[y : y + height, x : x + width] = sprite.pixels
        self._changes.append(Change(Rect(x, y, width, height), sprite.number))

    def put(self, pixels: Pixels, x: int, y: int, figure: DrawnShapes | None = None) -> None:
        """Copy a picture (height, width, 3) that is used once to (x, y). It may show part of a
        `figure`."""
        height, width, _ = pixels.shape
        self.pixels[y : y + height, x : x + width] = pixels
        self._changes.append(Change(Rect(x, y, width, height)))

    def note(self, changes: Sequence[Change], contents: Sequence[object]) -> None:
        """Record changes painted directly into `pixels`, and what each shows, as in `Sprite`."""
        self._changes += changes

    def touch(self, rect: Rect) -> None:
        """Record that `rect` was painted directly into `pixels`."""
        self._changes.append(Change(rect))

    def frame(self, ticks: int = 1, *, passing: bool = False) -> Frame:
        """The frame with everything drawn since the last call."""
        changes, self._changes = tuple(self._changes), []
        return Frame(self.pixels, changes, ticks, passing)

    def __iter__(self) -> Iterator[Change]:
        return iter(self._changes)
