"""How often a film flashes, by the general and the red flash threshold of WCAG 2.3.1.

The rule (W3C, Web Content Accessibility Guidelines 2.2, success criterion 2.3.1): a general flash
is a pair of opposing changes of relative luminance by a tenth of the most or more, the darker side
below 0.8. A red flash is a pair of opposing changes to or from a saturated red, one of which red is
four fifths of the light or more, by more than 0.2 in the chromaticity diagram of CIE 1976. There
may be no more than three of either in any second, unless the parts that flash together take less
than a quarter of every field of 341×256 pixels.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from render.canvas import Frame
from render.flashfields import BLOCK_HEIGHT, BLOCK_WIDTH, FIELD, MOST_FLASHES, QUARTER, Fields
from solver.compiled import lean

__all__ = ["FIELD", "MOST_FLASHES", "FlashMeter", "Flashes"]

CHANGE, DARKER = 0.1, 0.8  # of relative luminance
_TONES = 4096  # colours that are remembered, a power of two
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


@lean
def _tone(
    colour: int, light: NDArray[np.float32], known: NDArray[np.int32], tones: NDArray[np.float32]
) -> int:
    """The row of `tones` that tells of a colour (red << 16 | green << 8 | blue): its relative
    luminance, u′ and v′ (CIE 1976; black has those of white), and 1 where it is a saturated red.
    A film has few colours; `known` says which colour each row is of."""
    row = (colour * 40503 >> 7) & (len(known) - 1)
    if known[row] != colour:
        known[row] = colour
        red, green, blue = light[colour >> 16], light[colour >> 8 & 255], light[colour & 255]
        x = 0.4124 * red + 0.3576 * green + 0.1805 * blue
        y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
        z = 0.0193 * red + 0.1192 * green + 0.9505 * blue
        whole = x + 15 * y + 3 * z
        tones[row, 0] = y
        tones[row, 1] = 4 * x / whole if whole > 0 else 0.1978
        tones[row, 2] = 9 * y / whole if whole > 0 else 0.4683
        tones[row, 3] = red > 0 and red >= RED * (red + green + blue)
    return row


@lean
def _changes(
    pixels: NDArray[np.uint8],
    rects: NDArray[np.int64],
    light: NDArray[np.float32],
    known: NDArray[np.int32],
    tones: NDArray[np.float32],
    seen: NDArray[np.int32],
    darkest: NDArray[np.float32],
    brightest: NDArray[np.float32],
    direction: NDArray[np.int8],
    plainest: NDArray[np.float32],
    reddest: NDArray[np.float32],
    red_direction: NDArray[np.int8],
    blocks: NDArray[np.int32],
    totals: NDArray[np.int64],
    every: int,
    quarter: int,
) -> bool:
    """Follow each pixel between its turning points, and count, per block, the pixels that by this
    frame have changed enough against their last direction: blocks[0] those that got brighter,
    blocks[1] darker, blocks[2] redder, blocks[3] less red; `totals` (4,) are their sums. Returns
    whether one of these is more than a `quarter` of a field; if not, the blocks are cleared.

    What is known of pixel (y, x) stands at (y // every, x // every): in `seen` its last colour, in
    `darkest` and `brightest` the least and the most luminance since it turned, in `plainest` and
    `reddest`, which have a third axis of 3, the least and the most red of its states since, by u′:
    u′, v′, and 1 where that is a saturated red.
    """
    area = every * every
    for kind in range(4):
        totals[kind] = 0
    for rect in range(len(rects)):
        top = (rects[rect, 1] + every - 1) // every * every
        left = (rects[rect, 0] + every - 1) // every * every
        for y in range(top, rects[rect, 3], every):
            row = y // every
            for x in range(left, rects[rect, 2], every):
                colour = (
                    int(np.int64(pixels[y, x, 0])) << 16
                    | int(np.int64(pixels[y, x, 1])) << 8
                    | int(np.int64(pixels[y, x, 2]))
                )
                column = x // every
                if colour == seen[row, column]:
                    continue
                seen[row, column] = colour
                tone = _tone(colour, light, known, tones)
                luminance = tones[tone, 0]
                low = min(darkest[row, column], luminance)
                high = max(brightest[row, column], luminance)
                way = direction[row, column]
                tall, wide = y // BLOCK_HEIGHT, x // BLOCK_WIDTH
                if way <= 0 and luminance - low >= CHANGE and low < DARKER:
                    direction[row, column] = 1
                    blocks[0, tall, wide] += area
                    totals[0] += area
                    low = high = luminance
                elif way >= 0 and high - luminance >= CHANGE and luminance < DARKER:
                    direction[row, column] = -1
                    blocks[1, tall, wide] += area
                    totals[1] += area
                    low = high = luminance
                darkest[row, column], brightest[row, column] = low, high

                u, v, saturated = tones[tone, 1], tones[tone, 2], tones[tone, 3] != 0
                least, most = plainest[row, column], reddest[row, column]
                way = red_direction[row, column]
                turned = False
                if saturated and way <= 0:
                    turned = (u - least[0]) ** 2 + (v - least[1]) ** 2 > SHIFT**2 and u > least[0]
                    if turned:
                        red_direction[row, column] = 1
                        blocks[2, tall, wide] += area
                        totals[2] += area
                if not turned and most[2] and way >= 0:
                    turned = (u - most[0]) ** 2 + (v - most[1]) ** 2 > SHIFT**2 and u < most[0]
                    if turned:
                        red_direction[row, column] = -1
                        blocks[3, tall, wide] += area
                        totals[3] += area
                if turned or u < least[0]:
                    least[0], least[1], least[2] = u, v, saturated
                if turned or u > most[0]:
                    most[0], most[1], most[2] = u, v, saturated
    if max(totals[0], totals[1], totals[2], totals[3]) > quarter:
        return True
    if totals[0] or totals[1] or totals[2] or totals[3]:
        for rect in range(len(rects)):
            for row in range(rects[rect, 1] // BLOCK_HEIGHT, -(-rects[rect, 3] // BLOCK_HEIGHT)):
                for column in range(
                    rects[rect, 0] // BLOCK_WIDTH, -(-rects[rect, 2] // BLOCK_WIDTH)
                ):
                    for kind in range(4):
                        blocks[kind, row, column] = 0
    return False


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
        self._whole = np.array([(0, 0, width, height)], np.int64)
        looked_at = -(-height // every), -(-width // every)
        # Every state is less dark and less bright than these, so that the first frame begins them.
        self._darkest = np.full(looked_at, 2, np.float32)
        self._brightest = np.full(looked_at, -1, np.float32)
        self._direction = np.zeros(looked_at, np.int8)
        self._plainest = np.full((*looked_at, 3), 2, np.float32)
        self._reddest = np.full((*looked_at, 3), (-1, 0, 0), np.float32)
        self._red_direction = np.zeros(looked_at, np.int8)
        self._seen = np.full(looked_at, -1, np.int32)
        self._known = np.full(_TONES, -1, np.int32)
        self._tones = np.zeros((_TONES, 4), np.float32)
        self._general = Fields(width, height, self._fps)
        self._red = Fields(width, height, self._fps)
        self._blocks = np.zeros((4, *self._general.blocks), np.int32)
        self._totals = np.zeros(4, np.int64)
        self._ticks = 0
        self._over: list[Fraction] = []

    def watch(self, frame: Frame) -> None:
        """Take in the next frame."""
        if self._ticks:
            rects = np.array([(x, y, x + w, y + h) for (x, y, w, h), _ in frame.changes], np.int64)
            if len(rects):
                self._follow(frame, rects)
        else:
            self._look(frame, self._whole)
            self._direction[:] = self._red_direction[:] = 0
            self._blocks[:] = 0
        self._ticks += frame.ticks

    def watched(self, frames: Iterable[Frame]) -> Iterator[Frame]:
        """The same frames, taken in as they pass."""
        for frame in frames:
            self.watch(frame)
            yield frame

    def _follow(self, frame: Frame, rects: NDArray[np.int64]) -> None:
        if not self._look(frame, rects):
            return
        brighter, darker, redder, plainer = self._blocks
        over = self._general.count(brighter, darker, self._ticks)
        over |= self._red.count(redder, plainer, self._ticks)
        self._blocks[:] = 0
        if over:
            self._over.append(self._ticks / self._fps)

    def _look(self, frame: Frame, rects: NDArray[np.int64]) -> bool:
        return _changes(
            frame.pixels,
            rects,
            self._light,
            self._known,
            self._tones,
            self._seen,
            self._darkest,
            self._brightest,
            self._direction,
            self._plainest,
            self._reddest,
            self._red_direction,
            self._blocks,
            self._totals,
            self._every,
            int(QUARTER),
        )

    def flashes(self) -> Flashes:
        """What has been measured so far; counts stop at the first above the limit."""
        most = max(self._general.most, self._red.most)
        return Flashes(Fraction(most, 2), tuple(self._over), Fraction(self._red.most, 2))
