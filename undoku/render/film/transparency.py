"""Transparent films, computed from the same film on black and on white.

A pixel of colour F and opacity a on a background G has the colour a F + (1 - a) G, for all
drawings: overlapping letters, charts, cross-fades. Two backgrounds therefore determine a and F of
every pixel, without any change in panels; black and white determine them best:

    on white - on black = 255 (1 - a),   on black = a F
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from undoku.h264.loops import I64_2D, U8_3D, loop
from undoku.render.draw.canvas import Change, Frame, whole

BLACK, WHITE = "#000000", "#ffffff"
"""The two backgrounds, in the form of settings."""

_MIN_ALPHA = 2
"""The minimum alpha: smaller ones are rounding errors of the two pictures."""


@loop
def _solve(
    on_black: U8_3D,
    on_white: U8_3D,
    rects: I64_2D,
    found: U8_3D,
) -> None:
    """Compute the pixels in `rects` (n, 4: left, top, right, bottom) of `found`, (height, width, 4)
    uint8."""
    for rect in range(len(rects)):
        for y in range(rects[rect, 1], rects[rect, 3]):
            for x in range(rects[rect, 0], rects[rect, 2]):
                through = 0
                for shade in range(3):
                    through += int(on_white[y, x, shade]) - int(on_black[y, x, shade])
                alpha = 255 - (2 * through + 3) // 6
                if alpha < _MIN_ALPHA:
                    alpha = 0
                for shade in range(3):
                    colour = 0
                    if alpha:
                        colour = (255 * int(on_black[y, x, shade]) + alpha // 2) // alpha
                    found[y, x, shade] = min(255, colour)
                found[y, x, 3] = alpha


def without_background(on_black: Iterable[Frame], on_white: Iterable[Frame]) -> Iterator[Frame]:
    """The frames of a film with alpha, RGBA, from the same film on BLACK and on WHITE. They share
    one buffer, valid until the next frame. Composited over any background they differ from the
    film drawn on it by at most 2 of 255."""
    found: NDArray[np.uint8] | None = None
    for black, white in zip(on_black, on_white, strict=True):
        changes: tuple[Change, ...] = tuple(dict.fromkeys((*black.changes, *white.changes)))
        if found is None:
            height, width, _ = black.pixels.shape
            found = np.zeros((height, width, 4), np.uint8)
            changes = whole(found)
        corners = [(rect.x, rect.y, rect.right, rect.bottom) for rect, _ in changes]
        rects = np.array(corners, np.int64).reshape(-1, 4)
        _solve(black.pixels, white.pixels, rects, found)
        yield Frame(found, changes, black.ticks)
