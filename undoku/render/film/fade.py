"""Fades changes so that a film that would flash doesn't."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from undoku.render.draw.canvas import Change, Frame, Pixels, Rect, bounding
from undoku.render.film.flash_meter import FlashMeter

SHARES = (1 / 4, 1 / 8, 1 / 16, 1 / 32, 1 / 64)
"""From the mildest fade to the strongest: the share of the difference to the new picture that each
frame applies. Alternations faster than the fade become a faint flicker."""

_CLOSE = 1.0  # of 255: a pixel closer than this is set to its new colour


def faded(frames: Iterable[Frame], share: float) -> Iterator[Frame]:
    """The frames with every change spread over the following ones. `share` is 0..1, one of SHARES.
    A frame of many ticks becomes frames of one tick until the fade is complete, and one frame for
    the rest. The number of ticks does not change.
    """
    shown: NDArray[np.float32] | None = None
    pixels: Pixels
    moving: Rect | None = None
    for frame in frames:
        if shown is None:
            shown, pixels = frame.pixels.astype(np.float32), frame.pixels.copy()
            yield Frame(pixels, frame.changes, frame.ticks)
            continue
        left = frame.ticks
        region = bounding([change.rect for change in frame.changes] + ([moving] if moving else []))
        while left:
            if region is None:
                yield Frame(pixels, (), left)
                break
            x, y, width, height = region
            part = shown[y : y + height, x : x + width]
            target = frame.pixels[y : y + height, x : x + width]
            distance = target - part
            part += distance * share
            arrived = float(np.abs(distance).max()) * (1 - share) < _CLOSE
            if arrived:
                part[:] = target
            pixels[y : y + height, x : x + width] = np.rint(part)
            yield Frame(pixels, (Change(region),), 1)
            left -= 1
            region = None if arrived else region
        moving = region


def unflashing(
    frames: Callable[[], Iterator[Frame]], meter: Callable[[], FlashMeter]
) -> Iterator[Frame]:
    """The film with the mildest fade, or none, that keeps it below the limit for flashing; if none
    does, with the strongest. `frames` restarts the film, `meter` returns a new meter for it."""
    for share in (1.0, *SHARES):
        watching = meter()
        for frame in faded(frames(), share):
            watching.watch(frame)
        if watching.flashes().safe:
            break
    return faded(frames(), share)
