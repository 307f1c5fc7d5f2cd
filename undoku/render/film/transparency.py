"""Transparent films, computed from the same film on black and on white.

A pixel of colour F and opacity a on a background G has the colour a F + (1 - a) G, for all
drawings: overlapping letters, charts, cross-fades. Two backgrounds therefore determine a and F of
every pixel, without any change in panels; black and white determine them best:

    on white - on black = 255 (1 - a),   on black = a F
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from undoku.render.draw.canvas import Change, Frame, Pixels, whole

BLACK, WHITE = "#000000", "#ffffff"
"""The two backgrounds, in the form of settings."""

_MIN_ALPHA = 2
"""The minimum alpha: smaller ones are rounding errors of the two pictures."""


def _solve(on_black: Pixels, on_white: Pixels) -> Pixels:
    """The pixels with alpha of a part of the film."""
    black, white = on_black.astype(np.int32), on_white.astype(np.int32)
    alpha = 255 - (2 * (white - black).sum(axis=2, keepdims=True) + 3) // 6
    alpha[alpha < _MIN_ALPHA] = 0
    colours = np.minimum(255, (255 * black + alpha // 2) // np.maximum(1, alpha))
    return np.concatenate((np.where(alpha > 0, colours, 0), alpha), axis=2).astype(np.uint8)


def without_background(on_black: Iterable[Frame], on_white: Iterable[Frame]) -> Iterator[Frame]:
    """The frames of a film with alpha, RGBA, from the same film on BLACK and on WHITE. They share
    one buffer, valid until the next frame. Composited over any background they differ from the
    film drawn on it by at most 2 of 255."""
    found: Pixels | None = None
    for black, white in zip(on_black, on_white, strict=True):
        changes: tuple[Change, ...] = tuple(dict.fromkeys((*black.changes, *white.changes)))
        if found is None:
            height, width, _ = black.pixels.shape
            found = np.zeros((height, width, 4), np.uint8)
            changes = whole(found)
        for rect, _ in changes:
            part = slice(rect.y, rect.bottom), slice(rect.x, rect.right)
            found[part] = _solve(black.pixels[part], white.pixels[part])
        yield Frame(found, changes, black.ticks)
