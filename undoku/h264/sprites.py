"""The pictures that the encoder takes: frames with the rectangles that changed, and runs of frames
as sprites and the places where they are put."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = ["Change", "Pixels", "Sheet", "SpriteRun"]

Pixels = NDArray[np.uint8]
"""(height, width, 3) uint8, RGB."""

Change = tuple[tuple[int, int, int, int], int]
"""A rectangle that changed: its left edge, upper edge, width and height in pixels; and the number
of the sprite that it shows, -1 for none. Contents of sprites may occur again."""


class Sheet(Protocol):
    """The pictures of runs, by number. Those with numbers below `kept` do not change as long as
    `identity` and `edition` are the same; the others belong to a single run."""

    @property
    def pixels(self) -> NDArray[np.uint8]:
        """(n,): RGB pixels of the pictures that are kept, one picture after the other."""

    @property
    def temporary(self) -> NDArray[np.uint8]:
        """(n,): the same of the others."""

    @property
    def shapes(self) -> NDArray[np.int64]:
        """(m, 3): offset in `pixels` or `temporary`, width and height of each picture."""

    @property
    def kept(self) -> int: ...

    @property
    def edition(self) -> int: ...

    @property
    def identity(self) -> object: ...


class SpriteRun(Protocol):
    """Consecutive frames of one tick each. Frame n draws the rows first[n] to first[n + 1] - 1 of
    `placed` (k, 3) int32: picture, x, y. The pictures of one frame do not overlap. `pixels` shows
    the frame before the run, and its last frame once it is encoded. `first` is (frames + 1,)
    int64."""

    @property
    def pixels(self) -> Pixels: ...

    @property
    def sheet(self) -> Sheet: ...

    @property
    def first(self) -> NDArray[np.int64]: ...

    @property
    def placed(self) -> NDArray[np.int32]: ...
