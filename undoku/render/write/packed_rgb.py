"""A picture of packed RGB numbers that tracks the box of its changes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.machine_code.jit import inner, lean
from undoku.render.draw.canvas import Pixels
from undoku.render.write.changed_box import Rects

__all__ = ["Box", "PackedPicture"]

LEFT, TOP, RIGHT, BOTTOM = range(4)
NOTHING = 1 << 24
"""The value of a pixel before the first frame. It is not a 24-bit colour; read as 0xAARRGGBB, its
alpha is 1, which films with alpha never have."""


@inner
def _packed(pixels: NDArray[np.uint8], y: int, x: int) -> int:
    rgb = int(pixels[y, x, 0]) << 16 | int(pixels[y, x, 1]) << 8 | int(pixels[y, x, 2])
    return rgb | int(pixels[y, x, 3]) << 24 if pixels.shape[2] == 4 else rgb


@lean
def _differs(
    pixels: NDArray[np.uint8], rects: NDArray[np.int64], shown: NDArray[np.uint32]
) -> bool:
    for rect in range(len(rects)):
        for y in range(rects[rect, 1], rects[rect, 3]):
            for x in range(rects[rect, 0], rects[rect, 2]):
                rgb = _packed(pixels, y, x)
                if rgb != shown[y, x]:
                    return True
    return False


@lean
def _adopt(
    pixels: NDArray[np.uint8],
    rects: NDArray[np.int64],
    shown: NDArray[np.uint32],
    fresh: NDArray[np.uint8],
    box: NDArray[np.int64],
) -> None:
    for rect in range(len(rects)):
        for y in range(rects[rect, 1], rects[rect, 3]):
            for x in range(rects[rect, 0], rects[rect, 2]):
                rgb = _packed(pixels, y, x)
                if rgb != shown[y, x]:
                    shown[y, x] = rgb
                    fresh[y, x] = 1
                    box[LEFT] = min(int(box[LEFT]), x)
                    box[TOP] = min(int(box[TOP]), y)
                    box[RIGHT] = max(int(box[RIGHT]), x + 1)
                    box[BOTTOM] = max(int(box[BOTTOM]), y + 1)


class Box(NamedTuple):
    """A part of a picture: its upper left corner in pixels, its colours, and its changed pixels."""

    x: int
    y: int
    rgb: NDArray[np.uint32]
    """(height, width): 0xRRGGBB, or 0xAARRGGBB in a film with alpha."""
    fresh: NDArray[np.bool_]
    """(height, width): the pixel has changed."""


class PackedPicture:
    """The picture that a file shows, for formats without a limit on colours."""

    def __init__(self, width: int, height: int) -> None:
        self._shown = np.full((height, width), NOTHING, np.uint32)
        self._fresh = np.zeros((height, width), np.uint8)
        self._box = np.zeros(4, np.int64)
        self._forget_box()

    def _forget_box(self) -> None:
        self._box[:] = (1 << 30, 1 << 30, 0, 0)

    def differs(self, pixels: Pixels, rects: Rects) -> bool:
        return _differs(pixels, rects, self._shown)

    def adopt(self, pixels: Pixels, rects: Rects) -> None:
        _adopt(pixels, rects, self._shown, self._fresh, self._box)

    def take(self, step: int = 1) -> Box:
        """The box around all changes, which then count as written. Its left and upper edges are
        multiples of `step`."""
        left, top, right, bottom = self._box.tolist()
        left, top = left // step * step, top // step * step
        part = slice(top, bottom), slice(left, right)
        box = Box(left, top, self._shown[part].copy(), self._fresh[part].astype(np.bool_))
        self._fresh[part] = 0
        self._forget_box()
        return box
