"""Measures how often a film flashes, by the general and the red flash threshold of WCAG 2.3.1.

The rule (W3C, Web Content Accessibility Guidelines 2.2, success criterion 2.3.1): a general flash
is a pair of opposing changes of relative luminance by 10 % of the maximum or more, if the darker
colour is below 0.8. A red flash is a pair of opposing changes to or from a saturated red (red has
80 % of the light or more) by more than 0.2 in the chromaticity diagram of CIE 1976. At most three
of either are allowed in any second, unless the parts that flash together cover less than a quarter
of every field of 341×256 pixels.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from undoku.render.draw.canvas import Change, Frame, covering, whole
from undoku.render.draw.sprite_run import SpriteRun
from undoku.render.film.extrema import (
    AREA,
    BLANK,
    KEPT,
    KINDS,
    PAST,
    ROW,
    START,
    STEPS,
    Turning,
    linear,
)
from undoku.render.film.kernels import follow_frames
from undoku.render.film.tile_patterns import no_tiles
from undoku.render.film.tile_transitions import clear_transitions
from undoku.render.film.window_rule import FIELD, MAX_FLASHES, QUARTER, Fields

__all__ = ["FIELD", "MAX_FLASHES", "FlashMeter", "Flashes"]

_U8 = NDArray[np.uint8]
_I64 = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Flashes:
    """The measurements: the highest number of flashes of one field in a second (half a flash is
    one change without its opposite), general or red, and the seconds of the film at which a limit
    was exceeded; `red` is the highest number of red flashes."""

    most: Fraction
    over: tuple[Fraction, ...]
    red: Fraction = Fraction(0)

    @property
    def safe(self) -> bool:
        return not self.over


class FlashMeter:
    """Watches the frames of a film, `width` × `height` pixels at `fps` frames per second, shown
    one pixel to one pixel of the screen. It samples every `every`-th pixel in both directions,
    which represents those around it.

        meter = FlashMeter(1280, 720, fps)
        for frame in frames:
            meter.watch(frame)
        meter.flashes()
    """

    def __init__(self, width: int, height: int, fps: Fraction, every: int = 1) -> None:
        self._fps = Fraction(fps)
        self._every = every
        rows, columns = -(-height // every), -(-width // every)
        # Two pasts for each pixel are always enough; few films use more than some hundred.
        most = 2 * rows * columns + 2
        pasts = np.empty((most, PAST), np.int32)
        pasts[0] = BLANK
        self._general = Fields(width, height, self._fps)
        self._red = Fields(width, height, self._fps)
        self._turning = Turning(
            now=np.zeros((rows, columns), np.int32),
            pasts=pasts,
            finder=np.zeros(1 << (2 * most).bit_length(), np.int32),
            steps=np.zeros((STEPS, 2), np.int64),
            used=np.ones(1, np.int64),
            moved=np.empty(most, np.int32),
            light=linear(),
            tones=np.empty((5, 4), np.float32),
            turned=np.empty(rows * columns, np.uint8),
            blocks=np.zeros((KINDS, *self._general.blocks), np.int32),
            totals=np.zeros(KINDS, np.int64),
        )
        self._tiles = no_tiles()
        self._areas = np.empty((0, AREA), np.int64)
        self._sheet: tuple[object, int] | None = None
        """The identity and the edition of the sheet to whose sprites the tiles' transitions
        belong."""
        self._ticks = 0
        self._over: list[Fraction] = []

    def watch(self, frame: Frame) -> None:
        """Process the next frame."""
        changes = frame.changes if self._ticks else whole(frame.pixels)
        self._follow(frame.pixels.reshape(-1), *_changed(frame.pixels.shape[1], changes))
        self._ticks += frame.ticks

    def watch_run(self, run: SpriteRun) -> None:
        """Process the next frames, none of which is the first of the film, before they are
        played."""
        if not self._ticks:
            raise ValueError("the film's first frame has not been watched")
        sheet = run.sheet.identity, run.sheet.edition
        if sheet != self._sheet:
            self._sheet = sheet
            clear_transitions(self._tiles)
        start, stop = run.first[[0, -1]].tolist()
        if stop - start > len(self._areas):
            self._areas = np.empty((2 * (stop - start), AREA), np.int64)
        areas = self._areas[: stop - start]
        _fill(areas, run)
        self._follow(run.sheet.pixels, areas, run.first - start)
        self._ticks += len(run)

    def watched(self, parts: Iterable[Frame | SpriteRun]) -> Iterator[Frame | SpriteRun]:
        """Yield the frames and runs unchanged, and process each of them."""
        for part in parts:
            if isinstance(part, SpriteRun):
                self.watch_run(part)
            else:
                self.watch(part)
            yield part

    def _follow(self, pixels: _U8, areas: _I64, first: _I64) -> None:
        """Process frames, given as the arguments of `follow_frames`."""
        frame, frames = 0, len(first) - 1
        while frame < frames:
            frame = follow_frames(
                *(pixels, areas, first, frame, self._every, int(QUARTER)),
                *(self._turning, self._tiles),
            )
            if frame < frames:
                self._count(self._ticks + frame)
                frame += 1

    def _count(self, ticks: int) -> None:
        """Count the turns in the blocks for the frame that begins after `ticks`."""
        brighter, darker, redder, plainer = self._turning.blocks
        over = self._general.count(brighter, darker, ticks)
        over |= self._red.count(redder, plainer, ticks)
        self._turning.blocks[:] = 0
        if over:
            self._over.append(ticks / self._fps)

    def flashes(self) -> Flashes:
        """The measurements so far; counting stops at the first value above the limit."""
        most = max(self._general.most, self._red.most)
        return Flashes(Fraction(most, 2), tuple(self._over), Fraction(self._red.most, 2))


def _changed(across: int, changes: Sequence[Change]) -> tuple[_I64, _I64]:
    """The areas of a frame that is `across` pixels wide, as a run of one frame, and `first`."""
    areas = [
        (x, y, width, height, 3 * (y * across + x), 3 * across, 0, 0, 0)
        for x, y, width, height in covering(changes)
    ]
    found = np.array(areas, np.int64).reshape(-1, AREA)
    return found, np.array((0, len(found)), np.int64)


def _fill(areas: _I64, run: SpriteRun) -> None:
    """Write the areas of a run's frames."""
    start, stop = run.first[[0, -1]].tolist()
    placed = run.placed[start:stop]
    shapes = run.sheet.shapes.take(placed[:, 0], axis=0)
    areas[:, :2] = placed[:, 1:]
    areas[:, 2:4] = shapes[:, 1:]
    areas[:, START] = shapes[:, 0]
    areas[:, ROW] = 3 * shapes[:, 1]
    areas[:, KEPT] = placed[:, 0] < run.sheet.kept
