"""How often a film flashes, by the general and the red flash threshold of WCAG 2.3.1.

The rule (W3C, Web Content Accessibility Guidelines 2.2, success criterion 2.3.1): a general flash
is a pair of opposing changes of relative luminance by a tenth of the most or more, the darker side
below 0.8. A red flash is a pair of opposing changes to or from a saturated red, one of which red is
four fifths of the light or more, by more than 0.2 in the chromaticity diagram of CIE 1976. There
may be no more than three of either in any second, unless the parts that flash together take less
than a quarter of every field of 341×256 pixels.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from render.canvas import Frame
from render.flashfields import BLOCK_HEIGHT, BLOCK_WIDTH, FIELD, MOST_FLASHES, Fields
from solver.compiled import compiled

__all__ = ["FIELD", "MOST_FLASHES", "FlashMeter", "Flashes", "watched"]

CHANGE, DARKER = 0.1, 0.8  # of relative luminance
RED, SHIFT = 0.8, 0.2  # the share of red in saturated red; a distance of chromaticities


@dataclass(frozen=True, slots=True)
class Flashes:
    """What was measured: the most flashes that one field showed in any second (half a flash is one
    change without its opposite), general or red, and the seconds of the film at which a limit was
    passed; `red` is the most red ones."""

    most: Fraction
    over: tuple[Fraction, ...]
    red: Fraction = Fraction(0)

    @property
    def safe(self) -> bool:
        return not self.over


def _linear() -> NDArray[np.float32]:
    """Of each sRGB sample, its share of light (IEC 61966-2-1)."""
    sample = np.arange(256) / 255
    light = np.where(sample <= 0.04045, sample / 12.92, ((sample + 0.055) / 1.055) ** 2.4)
    return light.astype(np.float32)


@compiled
def _chromaticity(red: float, green: float, blue: float) -> tuple[float, float]:
    """u′ and v′ (CIE 1976) of linear sRGB light; black has those of white."""
    x = 0.4124 * red + 0.3576 * green + 0.1805 * blue
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = 0.0193 * red + 0.1192 * green + 0.9505 * blue
    whole = x + 15 * y + 3 * z
    if whole <= 0:
        return 0.1978, 0.4683
    return 4 * x / whole, 9 * y / whole


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
    plainest: NDArray[np.float32],
    reddest: NDArray[np.float32],
    red_direction: NDArray[np.int8],
    redder: NDArray[np.int32],
    plainer: NDArray[np.int32],
    every: int,
) -> tuple[int, int]:
    """Follow each pixel between its turning points, and count, per block, the pixels that by this
    frame have changed enough against their last direction. Returns how many did in luminance, and
    how many in red.

    `plainest` and `reddest` (height, width, 3) are the least and the most red of the pixel's states
    since it turned, by u′: u′, v′, and 1 where that is a saturated red.
    """
    found = found_red = 0
    area = every * every
    for rect in range(len(rects)):
        top = (rects[rect, 1] + every - 1) // every * every
        left = (rects[rect, 0] + every - 1) // every * every
        for y in range(top, rects[rect, 3], every):
            for x in range(left, rects[rect, 2], every):
                red, green = light[pixels[y, x, 0]], light[pixels[y, x, 1]]
                blue = light[pixels[y, x, 2]]
                luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
                low, high = min(darkest[y, x], luminance), max(brightest[y, x], luminance)
                way = direction[y, x]
                if way <= 0 and luminance - low >= CHANGE and low < DARKER:
                    direction[y, x] = 1
                    brighter[y // BLOCK_HEIGHT, x // BLOCK_WIDTH] += area
                    found += 1
                    low = high = luminance
                elif way >= 0 and high - luminance >= CHANGE and luminance < DARKER:
                    direction[y, x] = -1
                    darker[y // BLOCK_HEIGHT, x // BLOCK_WIDTH] += area
                    found += 1
                    low = high = luminance
                darkest[y, x], brightest[y, x] = low, high

                u, v = _chromaticity(red, green, blue)
                saturated = red > 0 and red >= RED * (red + green + blue)
                least, most = plainest[y, x], reddest[y, x]
                way = red_direction[y, x]
                turned = False
                if saturated and way <= 0:
                    turned = (u - least[0]) ** 2 + (v - least[1]) ** 2 > SHIFT**2 and u > least[0]
                    if turned:
                        red_direction[y, x] = 1
                        redder[y // BLOCK_HEIGHT, x // BLOCK_WIDTH] += area
                if not turned and most[2] and way >= 0:
                    turned = (u - most[0]) ** 2 + (v - most[1]) ** 2 > SHIFT**2 and u < most[0]
                    if turned:
                        red_direction[y, x] = -1
                        plainer[y // BLOCK_HEIGHT, x // BLOCK_WIDTH] += area
                found_red += turned
                if turned or u < least[0]:
                    least[0], least[1], least[2] = u, v, saturated
                if turned or u > most[0]:
                    most[0], most[1], most[2] = u, v, saturated
    return found, found_red


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
        # Every state is less dark and less bright than these, so that the first frame begins them.
        self._darkest = np.full((height, width), 2, np.float32)
        self._brightest = np.full((height, width), -1, np.float32)
        self._direction = np.zeros((height, width), np.int8)
        self._plainest = np.full((height, width, 3), 2, np.float32)
        self._reddest = np.full((height, width, 3), (-1, 0, 0), np.float32)
        self._red_direction = np.zeros((height, width), np.int8)
        self._general = Fields(width, height, self._fps)
        self._red = Fields(width, height, self._fps)
        self._ticks = 0
        self._over: list[Fraction] = []

    def watch(self, frame: Frame) -> None:
        """Take in the next frame."""
        if self._ticks:
            rects = np.array([(x, y, x + w, y + h) for (x, y, w, h), _ in frame.changes], np.int64)
            if len(rects):
                self._follow(frame, rects)
        else:
            height, width = self._direction.shape
            self._look(frame, np.array([(0, 0, width, height)], np.int64))
            self._direction[:] = self._red_direction[:] = 0
        self._ticks += frame.ticks

    def _follow(self, frame: Frame, rects: NDArray[np.int64]) -> None:
        self._general.clear()
        self._red.clear()
        found, found_red = self._look(frame, rects)
        over = bool(found) and self._general.count(self._ticks)
        over |= bool(found_red) and self._red.count(self._ticks)
        if over:
            self._over.append(self._ticks / self._fps)

    def _look(self, frame: Frame, rects: NDArray[np.int64]) -> tuple[int, int]:
        found, found_red = _changes(
            frame.pixels,
            rects,
            self._light,
            self._darkest,
            self._brightest,
            self._direction,
            self._general.forth,
            self._general.back,
            self._plainest,
            self._reddest,
            self._red_direction,
            self._red.forth,
            self._red.back,
            self._every,
        )
        return found, found_red

    def flashes(self) -> Flashes:
        """What has been measured so far; counts stop at the first above the limit."""
        most = max(self._general.most, self._red.most)
        return Flashes(Fraction(most, 2), tuple(self._over), Fraction(self._red.most, 2))


def watched(frames: Iterator[Frame], meter: FlashMeter) -> Iterator[Frame]:
    """The frames, shown to the meter on their way."""
    for frame in frames:
        meter.watch(frame)
        yield frame
