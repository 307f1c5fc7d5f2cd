"""Measures how often a film flashes, by the general and the red flash threshold of WCAG 2.3.1.

The rule (W3C, Web Content Accessibility Guidelines 2.2, success criterion 2.3.1): a general flash
is a pair of opposing changes of relative luminance by 10 % of the maximum or more, if the darker
colour is below 0.8. A red flash is a pair of opposing changes to or from a saturated red (red has
80 % of the light or more) by more than 0.2 in the chromaticity diagram of CIE 1976. At most three
of either are allowed in any second, unless the parts that flash together cover less than a quarter
of every field of 341×256 pixels, ten degrees of the visual field on a screen of 1024×768.

The meter looks at every `EVERY`-th pixel in both directions, which represents those around it, and
only where a frame differs from the one before. Fields consist of these pixels.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.h264.loops import (
    F32,
    F32_2D,
    I8_2D,
    I32,
    I64,
    I64_2D,
    U8,
    U8_2D,
    group,
    inner,
    loop,
)
from undoku.render.draw.canvas import Frame, covering, whole
from undoku.render.draw.sprite_run import SpriteRun

FIELD = (341, 256)
"""The width and height of a field in pixels."""
QUARTER = FIELD[0] * FIELD[1] / 4
"""A quarter of the pixels of a field."""
MAX_FLASHES = 3
"""The maximum number of flashes in a second; a flash is a change and its opposite."""

EVERY = 8
"""The distance of the pixels that a meter looks at: little that flashes is smaller than this."""

_CHANGES = 2 * MAX_FLASHES + 1  # in a second, that are more than three pairs
_NEVER = -(1 << 30)  # ticks

_CHANGE, _DARK = 0.1, 0.8  # of relative luminance
_RED, _SHIFT = 0.8, 0.2  # the share of red in saturated red; a distance of chromaticities

_BRIGHTER, _DARKER, _REDDER, _LESS_RED = range(4)
"""The kinds of turns of a pixel, in pairs of opposing ones."""

_TONES = 1 << 12  # colours whose tones are cached; most films have fewer

_U8 = NDArray[np.uint8]
_Mask = NDArray[np.bool_]
_I64 = NDArray[np.int64]


class Flashes(NamedTuple):
    """The measurements: the highest number of flashes of one field in a second (half a flash is
    one change without its opposite), general or red, and the seconds of the film at which a limit
    was exceeded; `red` is the highest number of red flashes."""

    most: Fraction
    over: tuple[Fraction, ...]
    red: Fraction = Fraction(0)

    @property
    def safe(self) -> bool:
        return not self.over


@group
class _Samples(NamedTuple):
    """The states of the n = rows × columns pixels that are looked at.

    shown    (n,) int32                 the colour, red << 16 | green << 8 | blue; -1 at first
    extremes (n, 7) float32             since the last turn: the lowest and highest luminance; the
                                        u′ and v′ (CIE 1976) of the least red and of the most red
                                        colour, and 1 if the latter was a saturated red
    ways     (n, 2) int8                the direction of the last turn: 1 brighter or redder, -1
                                        darker or less red, 0 before the first
    light    (256,) float32             the linear intensity of each sRGB sample (IEC 61966-2-1)
    colours  (_TONES,) int32            the colour of each row of tones; -1 for none
    tones    (_TONES, 4) float32        a cache of luminances, u′, v′, and 1 for saturated reds
    turns    (rows, columns) uint8      the turns of each pixel in a frame, bit k for kind k
    """

    shown: I32
    extremes: F32_2D
    ways: I8_2D
    light: F32
    colours: I32
    tones: F32_2D
    turns: U8_2D


@inner
def _tone(colour: int, samples: _Samples) -> int:
    """The row of samples.tones that describes a colour."""
    slot = (colour * 10949 >> 6) & _TONES - 1
    if samples.colours[slot] != colour:
        light, tones = samples.light, samples.tones
        red, green, blue = light[colour >> 16], light[colour >> 8 & 255], light[colour & 255]
        x = 0.4124 * red + 0.3576 * green + 0.1805 * blue
        y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
        z = 0.0193 * red + 0.1192 * green + 0.9505 * blue
        whole = x + 15 * y + 3 * z
        tones[slot, 0] = y
        # Black has the chromaticity of white.
        tones[slot, 1] = 4 * x / whole if whole > 0 else 0.1978
        tones[slot, 2] = 9 * y / whole if whole > 0 else 0.4683
        tones[slot, 3] = red > 0 and red >= _RED * (red + green + blue)
        samples.colours[slot] = colour
    return slot


@inner
def _turns(pixel: int, slot: int, samples: _Samples) -> int:
    """The turns of a pixel, bit k for kind k, when it shows a colour with the tone in a row of
    samples.tones. Updates its extremes and ways."""
    tones, extremes, ways = samples.tones, samples.extremes, samples.ways
    luminance, u, v, saturated = tones[slot, 0], tones[slot, 1], tones[slot, 2], tones[slot, 3]
    turns = 0
    low, high = min(extremes[pixel, 0], luminance), max(extremes[pixel, 1], luminance)
    if ways[pixel, 0] <= 0 and luminance - low >= _CHANGE and low < _DARK:
        turns = 1 << _BRIGHTER
        ways[pixel, 0] = 1
    elif ways[pixel, 0] >= 0 and high - luminance >= _CHANGE and luminance < _DARK:
        turns = 1 << _DARKER
        ways[pixel, 0] = -1
    extremes[pixel, 0], extremes[pixel, 1] = (luminance, luminance) if turns else (low, high)
    red_turns = 0
    if (
        saturated > 0
        and ways[pixel, 1] <= 0
        and u > extremes[pixel, 2]
        and (u - extremes[pixel, 2]) ** 2 + (v - extremes[pixel, 3]) ** 2 > _SHIFT**2
    ):
        red_turns = 1 << _REDDER
        ways[pixel, 1] = 1
    elif (
        extremes[pixel, 6] > 0
        and ways[pixel, 1] >= 0
        and u < extremes[pixel, 4]
        and (u - extremes[pixel, 4]) ** 2 + (v - extremes[pixel, 5]) ** 2 > _SHIFT**2
    ):
        red_turns = 1 << _LESS_RED
        ways[pixel, 1] = -1
    if red_turns or u < extremes[pixel, 2]:
        extremes[pixel, 2], extremes[pixel, 3] = u, v
    if red_turns or u > extremes[pixel, 4]:
        extremes[pixel, 4], extremes[pixel, 5], extremes[pixel, 6] = u, v, saturated
    return turns + red_turns


@inner
def _look_at(pixels: U8, areas: I64_2D, every: int, samples: _Samples) -> int:
    """Update the states of the pixels of the areas (n, 6) of a frame; returns how many of them
    turned."""
    turned, columns = 0, samples.turns.shape[1]
    for number in range(len(areas)):
        x, y, width, height = (
            int(areas[number, 0]),
            int(areas[number, 1]),
            int(areas[number, 2]),
            int(areas[number, 3]),
        )
        start, across = int(areas[number, 4]), int(areas[number, 5])
        left, right = (x + every - 1) // every, (x + width - 1) // every + 1
        for line in range((y + every - 1) // every, (y + height - 1) // every + 1):
            at = start + (line * every - y) * across + 3 * (left * every - x)
            for column in range(left, right):
                pixel = line * columns + column
                colour = int(pixels[at]) << 16 | int(pixels[at + 1]) << 8 | int(pixels[at + 2])
                at += 3 * every
                if samples.shown[pixel] == colour:
                    continue
                samples.shown[pixel] = colour
                turns = _turns(pixel, _tone(colour, samples), samples)
                samples.turns[line, column] |= turns
                turned += turns > 0
    return turned


@loop
def _follow(
    pixels: U8, areas: I64_2D, first: I64, frame: int, every: int, samples: _Samples
) -> int:
    """Process frames from `frame` on. Frame n changes areas[first[n] : first[n + 1]], each (x, y,
    width, height, the offset in `pixels` (m,) of its upper left pixel, the bytes from row to row).
    Returns the first frame on which a quarter of the pixels of a field turned, or the number of
    frames; samples.turns holds these turns, and was empty before."""
    while frame < len(first) - 1:
        shown = areas[first[frame] : first[frame + 1]]
        turned = _look_at(pixels, shown, every, samples)
        if turned * every * every >= QUARTER:
            return frame
        if turned:
            samples.turns[:, :] = 0
        frame += 1
    return frame


class _Fields:
    """The fields of a picture in which a meter looks at every `every`-th pixel, `columns` × `rows`
    of them, at `fps` frames per second, for one kind of flash."""

    def __init__(self, columns: int, rows: int, fps: Fraction, every: int) -> None:
        self._fps = fps
        self._size = min(rows, -(-FIELD[1] // every)), min(columns, -(-FIELD[0] // every))
        self._quarter = QUARTER / every**2
        fields = rows - self._size[0] + 1, columns - self._size[1] + 1
        self._last = np.zeros(fields, np.int8)  # direction of each field's last change
        self._when = np.full((_CHANGES, *fields), _NEVER, np.int32)  # the latest first, in ticks
        self.most = 0
        """The maximum number of changes of one field in any second; counting stops at seven."""

    def count(self, forth: _Mask, back: _Mask, ticks: int) -> bool:
        """Record the fields of which a quarter or more changed in one direction in the frame that
        begins after `ticks`: `forth` and `back` (rows, columns) mark the pixels that changed in
        either direction. Returns whether a field has flashed too often."""
        recent = [self._changes(way, turned, ticks) for way, turned in ((1, forth), (-1, back))]
        self.most = max(self.most, *recent)
        return max(recent) == _CHANGES

    def _changes(self, way: int, turned: _Mask, ticks: int) -> int:
        """The maximum number of changes within a second of the fields that changed."""
        if np.count_nonzero(turned) < self._quarter:
            return 0
        high, wide = self._size
        sums = np.zeros((turned.shape[0] + 1, turned.shape[1] + 1), np.int64)
        sums[1:, 1:] = turned.cumsum(0, np.int64).cumsum(1)
        areas = (
            sums[high:, wide:] - sums[:-high, wide:] - sums[high:, :-wide] + sums[:-high, :-wide]
        )
        changed = (areas >= self._quarter) & (self._last != way)
        if not changed.any():
            return 0
        self._last[changed] = way
        self._when[1:, changed] = self._when[:-1, changed]
        self._when[0, changed] = ticks
        return int((self._when[:, changed] > float(ticks - self._fps)).sum(axis=0).max())


class FlashMeter:
    """Watches the frames of a film, `width` × `height` pixels at `fps` frames per second, shown
    one pixel to one pixel of the screen.

        meter = FlashMeter(1280, 720, fps)
        for frame in frames:
            meter.watch(frame)
        meter.flashes()
    """

    def __init__(self, width: int, height: int, fps: Fraction, every: int = EVERY) -> None:
        self._fps = Fraction(fps)
        self._every = every
        columns, rows = -(-width // every), -(-height // every)
        self._general, self._red = (_Fields(columns, rows, self._fps, every) for _ in range(2))
        sample = np.arange(256) / 255
        light = np.where(sample <= 0.04045, sample / 12.92, ((sample + 0.055) / 1.055) ** 2.4)
        samples = columns * rows
        self._samples = _Samples(
            shown=np.full(samples, -1, np.int32),
            extremes=np.full((samples, 7), (9, -9, 9, 9, -9, -9, 0), np.float32),
            ways=np.zeros((samples, 2), np.int8),
            light=light.astype(np.float32),
            colours=np.full(_TONES, -1, np.int32),
            tones=np.empty((_TONES, 4), np.float32),
            turns=np.zeros((rows, columns), np.uint8),
        )
        self._ticks = 0
        self._over: list[Fraction] = []

    def watch(self, frame: Frame) -> None:
        """Process the next frame."""
        across = 3 * frame.pixels.shape[1]
        areas = [
            (*rect, rect.y * across + 3 * rect.x, across)
            for rect in covering(frame.changes if self._ticks else whole(frame.pixels))
        ]
        first = np.array((0, len(areas)), np.int64)
        self._process(frame.pixels.reshape(-1), np.array(areas, np.int64).reshape(-1, 6), first)
        self._ticks += frame.ticks

    def watch_run(self, run: SpriteRun) -> None:
        """Process the next frames, none of which is the first of the film, before they are
        played."""
        if not self._ticks:
            raise ValueError("the film's first frame has not been watched")
        start, stop = run.first[[0, -1]].tolist()
        placed = run.placed[start:stop]
        shapes = run.sheet.shapes.take(placed[:, 0], axis=0)
        areas: _I64 = np.column_stack(
            (placed[:, 1:], shapes[:, 1:], shapes[:, 0], 3 * shapes[:, 1])
        )
        self._process(run.sheet.pixels, areas, run.first - start)
        self._ticks += len(run)

    def watched(self, parts: Iterable[Frame | SpriteRun]) -> Iterator[Frame | SpriteRun]:
        """Yield the frames and runs unchanged, and process each of them."""
        for part in parts:
            if isinstance(part, SpriteRun):
                self.watch_run(part)
            else:
                self.watch(part)
            yield part

    def _process(self, pixels: _U8, areas: _I64, first: _I64) -> None:
        """Process frames, given as for `_follow`."""
        frame, frames, turns = 0, len(first) - 1, self._samples.turns
        while frame < frames:
            frame = _follow(pixels, areas, first, frame, self._every, self._samples)
            if frame < frames:
                ticks = self._ticks + frame
                kinds = [turns & 1 << kind > 0 for kind in range(4)]
                over = self._general.count(kinds[_BRIGHTER], kinds[_DARKER], ticks)
                if self._red.count(kinds[_REDDER], kinds[_LESS_RED], ticks) or over:
                    self._over.append(ticks / self._fps)
                turns[:] = 0
                frame += 1

    def flashes(self) -> Flashes:
        """The measurements so far; counting stops at the first value above the limit."""
        most = max(self._general.most, self._red.most)
        return Flashes(Fraction(most, 2), tuple(self._over), Fraction(self._red.most, 2))
