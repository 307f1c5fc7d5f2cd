"""How often a film flashes, by the general flash threshold of WCAG 2.3.1.

The rule (W3C, Web Content Accessibility Guidelines 2.2, success criterion 2.3.1): a general flash
is a pair of opposing changes of relative luminance by a tenth of the most or more, the darker side
below 0.8. There may be no more than three in any second, unless the parts that flash together take
less than a quarter of every field of 341×256 pixels. (Saturated red has a rule of its own, which
is not measured here.)
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from render.canvas import Frame
from solver.compiled import compiled

__all__ = ["FIELD", "MOST_FLASHES", "FlashMeter", "Flashes"]

FIELD = (341, 256)
"""Pixels, width and height: ten degrees of sight on a screen of 1024×768."""
MOST_FLASHES = 3
CHANGE, DARKER = 0.1, 0.8  # of relative luminance
BLOCK_WIDTH, BLOCK_HEIGHT = 11, 8  # fields begin at multiples of it, and are 31 × 32 of it
_KEPT = 2 * MOST_FLASHES + 1  # changes in a second that are more than three pairs


@dataclass(frozen=True, slots=True)
class Flashes:
    """What was measured: the most flashes that one field showed in any second (half a flash is one
    change without its opposite), and the seconds of the film at which the limit was passed."""

    most: Fraction
    over: tuple[Fraction, ...]

    @property
    def safe(self) -> bool:
        return not self.over


def _linear() -> NDArray[np.float32]:
    """Of each sRGB sample, its share of light (IEC 61966-2-1)."""
    sample = np.arange(256) / 255
    light = np.where(sample <= 0.04045, sample / 12.92, ((sample + 0.055) / 1.055) ** 2.4)
    return light.astype(np.float32)


@compiled
def _changes(
    pixels: NDArray[np.uint8],
    rects: NDArray[np.int64],
    light: NDArray[np.float32],
    darkest: NDArray[np.float32],
    brightest: NDArray[np.float32],
    direction: NDArray[np.int8],
    brighter: NDArray[np.int32],
    darker: NDArray[np.int32],
    every: int,
) -> int:
    """Follow each pixel's luminance between its turning points, and count the pixels that by this
    frame have changed by a tenth against their last direction, per block. Returns how many."""
    found = 0
    for rect in range(len(rects)):
        top = (rects[rect, 1] + every - 1) // every * every
        left = (rects[rect, 0] + every - 1) // every * every
        for y in range(top, rects[rect, 3], every):
            for x in range(left, rects[rect, 2], every):
                luminance = (
                    0.2126 * light[pixels[y, x, 0]]
                    + 0.7152 * light[pixels[y, x, 1]]
                    + 0.0722 * light[pixels[y, x, 2]]
                )
                low, high = min(darkest[y, x], luminance), max(brightest[y, x], luminance)
                way = direction[y, x]
                if way <= 0 and luminance - low >= CHANGE and low < DARKER:
                    direction[y, x] = 1
                    brighter[y // BLOCK_HEIGHT, x // BLOCK_WIDTH] += every * every
                    found += 1
                    low = high = luminance
                elif way >= 0 and high - luminance >= CHANGE and luminance < DARKER:
                    direction[y, x] = -1
                    darker[y // BLOCK_HEIGHT, x // BLOCK_WIDTH] += every * every
                    found += 1
                    low = high = luminance
                darkest[y, x], brightest[y, x] = low, high
    return found


class FlashMeter:
    """Watches the frames of a film, `width` × `height` pixels at `fps` frames per second, shown
    one pixel to one pixel of the screen. It looks at every `every`-th pixel in both directions,
    which stands for those around it.

        meter = FlashMeter(1280, 720, fps)
        for frame in frames:
            meter.watch(frame)
        meter.flashes()
    """

    def __init__(self, width: int, height: int, fps: Fraction, every: int = 1) -> None:
        self._fps = Fraction(fps)
        self._every = every
        self._light = _linear()
        self._darkest = np.zeros((height, width), np.float32)
        self._brightest = np.zeros((height, width), np.float32)
        self._direction = np.zeros((height, width), np.int8)
        columns, rows = -(-width // BLOCK_WIDTH), -(-height // BLOCK_HEIGHT)
        self._brighter = np.zeros((rows, columns), np.int32)
        self._darker = np.zeros((rows, columns), np.int32)
        self._field = min(rows, FIELD[1] // BLOCK_HEIGHT), min(columns, FIELD[0] // BLOCK_WIDTH)
        fields = rows - self._field[0] + 1, columns - self._field[1] + 1
        self._last = np.zeros(fields, np.int8)  # direction of each field's last change
        self._when = np.full((_KEPT, *fields), -(1 << 40), np.int64)  # the latest first, in ticks
        self._ticks = 0
        self._most = 0
        self._over: list[Fraction] = []

    def watch(self, frame: Frame) -> None:
        """Take in the next frame."""
        if self._ticks:
            rects = np.array([(x, y, x + w, y + h) for (x, y, w, h), _ in frame.changes], np.int64)
            if len(rects) and self._look(frame, rects):
                self._count(1, self._brighter)
                self._count(-1, self._darker)
        else:
            luminance = self._light[frame.pixels] @ np.array([0.2126, 0.7152, 0.0722], np.float32)
            self._darkest[:] = self._brightest[:] = luminance
        self._ticks += frame.ticks

    def _look(self, frame: Frame, rects: NDArray[np.int64]) -> int:
        self._brighter[:] = 0
        self._darker[:] = 0
        return _changes(
            frame.pixels,
            rects,
            self._light,
            self._darkest,
            self._brightest,
            self._direction,
            self._brighter,
            self._darker,
            self._every,
        )

    def _count(self, way: int, counts: NDArray[np.int32]) -> None:
        """Note the fields of which more than a quarter went the same way in this frame."""
        quarter = FIELD[0] * FIELD[1] / 4
        if counts.sum() <= quarter:
            return
        high, wide = self._field
        sums = np.zeros((counts.shape[0] + 1, counts.shape[1] + 1), np.int64)
        sums[1:, 1:] = counts.cumsum(0).cumsum(1)
        areas = (
            sums[high:, wide:] - sums[:-high, wide:] - sums[high:, :-wide] + sums[:-high, :-wide]
        )
        turned = (areas >= quarter) & (self._last != way)
        if not turned.any():
            return
        self._last[turned] = way
        self._when[1:, turned] = self._when[:-1, turned]
        self._when[0, turned] = self._ticks
        recent = (self._when[:, turned] > float(self._ticks - self._fps)).sum(axis=0).max()
        self._most = max(self._most, int(recent))
        if recent == _KEPT:
            self._over.append(self._ticks / self._fps)

    def flashes(self) -> Flashes:
        """What has been measured so far; counts stop at the first above the limit."""
        return Flashes(Fraction(self._most, 2), tuple(self._over))
