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

from render.drawing.canvas import Frame
from render.drawing.sprite_run import SpriteRun
from render.flashing.kernels import AREA, look, look_run
from render.flashing.turning_points import BLANK, KINDS, STEPS, linear
from render.flashing.window_rule import FIELD, MOST_FLASHES, QUARTER, Fields

__all__ = ["FIELD", "MOST_FLASHES", "FlashMeter", "Flashes"]


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
        rows, columns = -(-height // every), -(-width // every)
        # Two pasts for each pixel are always enough; few films fill more than the first hundreds.
        most = 2 * rows * columns + 2
        pasts = np.empty((most, 6), np.int32)
        pasts[0] = BLANK
        self._general = Fields(width, height, self._fps)
        self._red = Fields(width, height, self._fps)
        self._blocks = np.zeros((KINDS, *self._general.blocks), np.int32)
        self._state = (
            every,
            int(QUARTER),
            np.zeros((rows, columns), np.int32),
            pasts,
            np.zeros(1 << (2 * most).bit_length(), np.int32),
            np.zeros((STEPS, 2), np.int64),
            np.ones(1, np.int64),
            np.empty(most, np.int32),
            linear(),
            np.empty((5, 4), np.float32),
            np.empty(rows * columns, np.uint8),
            self._blocks,
            np.zeros(KINDS, np.int64),
        )
        self._areas = np.empty((64, AREA), np.int64)
        self._whole = np.array([(0, 0, width, height)], np.int32)
        self._ticks = 0
        self._over: list[Fraction] = []

    def watch(self, frame: Frame) -> None:
        """Take in the next frame."""
        if self._ticks:
            rects = np.array([rect for rect, _ in frame.changes], np.int32)
            if len(rects) and self._look(frame, rects):
                self._count(self._ticks)
        else:
            self._look(frame, self._whole)
        self._ticks += frame.ticks

    def watch_run(self, run: SpriteRun) -> None:
        """Take in the next frames, none of which is the film's first, before they are played."""
        if not self._ticks:
            raise ValueError("the film's first frame has not been watched")
        frame, sheet = 0, run.sheet
        areas = self._room(int(np.diff(run.first).max(initial=0)))
        while frame < len(run):
            frame = look_run(
                sheet.pixels, sheet.shapes, run.first, run.placed, frame, areas, *self._state
            )
            if frame < len(run):
                self._count(self._ticks + frame)
                frame += 1
        self._ticks += len(run)

    def watched(self, parts: Iterable[Frame | SpriteRun]) -> Iterator[Frame | SpriteRun]:
        """The same frames and runs, taken in as they pass."""
        for part in parts:
            if isinstance(part, SpriteRun):
                self.watch_run(part)
            else:
                self.watch(part)
            yield part

    def _look(self, frame: Frame, rects: NDArray[np.int32]) -> bool:
        across, areas = frame.pixels.shape[1], self._room(len(rects))
        return look(frame.pixels.reshape(-1), across, rects, areas, *self._state)

    def _room(self, rects: int) -> NDArray[np.int64]:
        """The scratch of frames that change so many rectangles."""
        if rects > len(self._areas):
            self._areas = np.empty((2 * rects, AREA), np.int64)
        return self._areas

    def _count(self, ticks: int) -> None:
        """Count what `_blocks` tells of the frame that begins after `ticks`."""
        brighter, darker, redder, plainer = self._blocks
        over = self._general.count(brighter, darker, ticks)
        over |= self._red.count(redder, plainer, ticks)
        self._blocks[:] = 0
        if over:
            self._over.append(ticks / self._fps)

    def flashes(self) -> Flashes:
        """What has been measured so far; counts stop at the first above the limit."""
        most = max(self._general.most, self._red.most)
        return Flashes(Fraction(most, 2), tuple(self._over), Fraction(self._red.most, 2))
