"""Follows pixels between their turning points, by the thresholds of WCAG 2.3.1 (meter.py).

The state of a pixel is its *past*: the darkest, brightest, least red and most red colours since its
last turning point, as far as the next one depends on them: a pixel that has turned brighter can
only turn darker, which does not depend on its darkest colour. The colour that it shows is not part
of its past: shown once more, it changes nothing. A film has few colours, so its pixels have few
different pasts. They are numbered; each pixel has a number, and the transition from a past to the
next one by a colour is computed once and cached. A transition is 16 times the number of the new
past plus bits for the direction in which the pixel turned: 1 brighter, 2 darker, 4 redder, 8 less
red.

An area (AREA,) int64 is a changed rectangle of a frame: X, Y, WIDTH and HEIGHT, and the location of
its pixels: the byte of the upper left one (START) and the bytes from row to row (ROW); KEPT is 1 if
these bytes will be the same whenever this START occurs again. TILE and NEXT are scratch of
tiles.py.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.machine_code.jit import inner, lean
from undoku.render.film.window_rule import BLOCK_HEIGHT, BLOCK_WIDTH

__all__ = [
    "AREA",
    "BLANK",
    "HEIGHT",
    "KEPT",
    "KINDS",
    "NEXT",
    "PAST",
    "ROW",
    "START",
    "STEPS",
    "TILE",
    "WIDTH",
    "Turning",
    "X",
    "Y",
    "count_turns",
    "follow",
    "follow_row",
    "has_room",
    "linear",
    "remove_unused",
    "sampled",
]

CHANGE, DARKER = 0.1, 0.8  # of relative luminance
RED, SHIFT = 0.8, 0.2  # the share of red in saturated red; a distance of chromaticities
KINDS = 4
STEPS = 1 << 15
_POSITIVE = (1 << 31) - 1

X, Y, WIDTH, HEIGHT, START, ROW, KEPT, TILE, NEXT = range(9)
AREA = 9

_DARKEST, _BRIGHTEST, _PLAINEST, _REDDEST, _WAYS = range(5)
PAST = 5
_NOW = _WAYS  # the row of the colour itself among the tones
_NONE = -1
BLANK = (_NONE, _NONE, _NONE, _NONE, 4)
"""The past of a pixel that has shown nothing. Its directions, 3 * (direction + 1) + red direction +
1 with values -1, 0 or 1, are neither brighter nor darker, neither redder nor less red."""

_U8 = NDArray[np.uint8]
_I32 = NDArray[np.int32]
_I64 = NDArray[np.int64]
_F32 = NDArray[np.float32]


class Turning(NamedTuple):
    """The states of the pixels of a film, preallocated.

    now      (rows, columns) int32  the past of each sampled pixel
    pasts    (n, PAST) int32 the colours and directions of each, -1 for a colour that does not
                             matter; n is more than twice the number of pixels
    finder   (2^k,) int32    a hash table of pasts: 1 + number, 0 where there is none
    steps    (STEPS, 2) int64       a cache of transitions: 1 + the past and the colour in one
                                    number, and the transition
    used     (1,) int64      the number of pasts
    moved    (n,) int32, tones (5, 4) float32: scratch
    light    (256,) float32  see `linear`
    turned   (pixels,) uint8 the turns of the pixels of one area, row by row
    blocks   (KINDS, rows, columns) int32, totals (KINDS,) int64: what `count_turns` counts
    """

    now: _I32
    pasts: _I32
    finder: _I32
    steps: _I64
    used: _I64
    moved: _I32
    light: _F32
    tones: _F32
    turned: _U8
    blocks: _I32
    totals: _I64


def linear() -> _F32:
    """The linear intensity of each sRGB sample (IEC 61966-2-1)."""
    sample = np.arange(256) / 255
    light = np.where(sample <= 0.04045, sample / 12.92, ((sample + 0.055) / 1.055) ** 2.4)
    return light.astype(np.float32)


@inner
def _tone(colour: int, light: _F32, tone: _F32) -> None:
    """Write the components of a colour (red << 16 | green << 8 | blue): its relative luminance, u′
    and v′ (CIE 1976; black has those of white), and 1 if it is a saturated red."""
    red, green, blue = light[colour >> 16], light[colour >> 8 & 255], light[colour & 255]
    x = 0.4124 * red + 0.3576 * green + 0.1805 * blue
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = 0.0193 * red + 0.1192 * green + 0.9505 * blue
    whole = x + 15 * y + 3 * z
    tone[0] = y
    tone[1] = 4 * x / whole if whole > 0 else 0.1978
    tone[2] = 9 * y / whole if whole > 0 else 0.4683
    tone[3] = red > 0 and red >= RED * (red + green + blue)


@inner
def _known(turning: Turning, new: int) -> int:
    """The number of the past in row `new` of pasts: that of an equal one, or `new`, which is then
    added."""
    pasts, finder = turning.pasts, turning.finder
    number = 0
    for part in range(PAST):
        number = (number * 31 + int(pasts[new, part])) & 0xFFFFFFFFFF
    slot = number * 40503 >> 8 & (len(finder) - 1)
    while finder[slot]:
        old = finder[slot] - 1
        alike = True
        for part in range(PAST):
            alike = alike and pasts[old, part] == pasts[new, part]
        if alike:
            return int(old)
        slot = (slot + 1) & (len(finder) - 1)
    finder[slot] = new + 1
    turning.used[0] = new + 1
    return new


@inner
def _is_red_flash(across: float, down: float) -> bool:
    """Whether the distance of two chromaticities is that of a red flash."""
    return across * across + down * down > SHIFT * SHIFT


@inner
def _transition(past: int, colour: int, turning: Turning) -> int:
    """The transition from a past when a pixel shows `colour`."""
    pasts, tones = turning.pasts, turning.tones
    for part in range(5):
        known = colour if part == _NOW else int(pasts[past, part])
        if known >= 0:
            _tone(known, turning.light, tones[part])
        else:
            # Beyond all colours, so that the first colour replaces these.
            tones[part, 0] = 2 if part == _DARKEST else -1
            tones[part, 1] = tones[part, 2] = 2 if part == _PLAINEST else -1
            tones[part, 3] = 0
    luminance, u, v, saturated = tones[_NOW, 0], tones[_NOW, 1], tones[_NOW, 2], tones[_NOW, 3] != 0
    ways = int(pasts[past, _WAYS])
    new = int(turning.used[0])
    for part in range(_WAYS):
        pasts[new, part] = pasts[past, part]

    turned = 0
    way = ways // 3 - 1
    low, high = tones[_DARKEST, 0], tones[_BRIGHTEST, 0]
    if luminance < low:
        low = luminance
        pasts[new, _DARKEST] = colour
    if luminance > high:
        high = luminance
        pasts[new, _BRIGHTEST] = colour
    if way <= 0 and luminance - low >= CHANGE and low < DARKER:
        way, turned = 1, 1
    elif way >= 0 and high - luminance >= CHANGE and luminance < DARKER:
        way, turned = -1, 2
    if turned:
        pasts[new, _DARKEST] = pasts[new, _BRIGHTEST] = colour

    red_way, redder = ways % 3 - 1, 0
    least, most = tones[_PLAINEST], tones[_REDDEST]
    if saturated and red_way <= 0 and u > least[1] and _is_red_flash(u - least[1], v - least[2]):
        red_way, redder = 1, 4
    elif most[3] != 0 and red_way >= 0 and u < most[1] and _is_red_flash(u - most[1], v - most[2]):
        red_way, redder = -1, 8
    if redder or u < least[1]:
        pasts[new, _PLAINEST] = colour
    if redder or u > most[1]:
        pasts[new, _REDDEST] = colour
    pasts[new, _WAYS] = 3 * (way + 1) + red_way + 1
    if way:
        pasts[new, _DARKEST if way > 0 else _BRIGHTEST] = _NONE
    if red_way:
        pasts[new, _PLAINEST if red_way > 0 else _REDDEST] = _NONE
    return 16 * _known(turning, new) + turned + redder


@inner
def has_room(pixels: int, turning: Turning) -> bool:
    """Whether there is room for the pasts of so many pixels."""
    return bool(turning.used[0] + pixels < len(turning.pasts))


@inner
def remove_unused(turning: Turning) -> None:
    """Remove the pasts that no pixel has, to make room for others."""
    now, pasts, finder = turning.now, turning.pasts, turning.finder
    steps, used, moved = turning.steps, turning.used, turning.moved
    for past in range(used[0]):
        moved[past] = -1
    for row in range(now.shape[0]):
        for column in range(now.shape[1]):
            moved[now[row, column]] = 0
    for slot in range(len(finder)):
        finder[slot] = 0
    last = used[0]
    used[0] = 0
    for past in range(last):
        if moved[past] == 0:
            new = int(used[0])
            moved[past] = new
            for part in range(PAST):
                pasts[new, part] = pasts[past, part]
            _known(turning, new)
    for row in range(now.shape[0]):
        for column in range(now.shape[1]):
            now[row, column] = moved[now[row, column]]
    for step in range(len(steps)):
        steps[step, 0] = 0


@inner
def sampled(start: int, size: int, every: int) -> int:
    """The number of multiples of `every` in start .. start + size - 1."""
    return (size - (-start) % every + every - 1) // every


@inner
def follow_row(
    source: _U8, every: int, before: _I32, after: _I32, turns: _U8, turning: Turning
) -> None:
    """Process a row of sampled pixels, every `every`-th of `source` (m,), RGB: from their pasts
    `before` (n,) to those `after` (n,), which may be the same array, and their `turns` (n,)."""
    steps = turning.steps
    last, came = 0, 0
    for index in range(len(before)):
        # Masked, because indices that might be negative are checked twice.
        here = 3 * every * index & _POSITIVE
        colour = (
            int(np.int64(source[here])) << 16
            | int(np.int64(source[here + 1])) << 8
            | int(np.int64(source[here + 2]))
        )
        past = int(before[index])
        both = (past << 24 | colour) + 1
        if both != last:  # adjacent pixels are often equal
            last = both
            step = (past * 40503 + colour * 10949 >> 4) & (STEPS - 1)
            if steps[step, 0] != both:
                steps[step, 1] = _transition(past, colour, turning)
                steps[step, 0] = both
            came = steps[step, 1]
        after[index] = came >> 4
        turns[index] = came & 15


@lean
def follow(pixels: _U8, area: _I64, every: int, turning: Turning) -> None:
    """Process an area of a frame, copied from `pixels` (m,), for whose pasts there is room. The
    state of pixel (x, y) is at (y // every, x // every); writes the turns of the sampled pixels to
    turning.turned."""
    x, y, width, height = int(area[X]), int(area[Y]), int(area[WIDTH]), int(area[HEIGHT])
    start, across = int(area[START]), int(area[ROW])
    now, turned = turning.now, turning.turned
    left = (-x) % every
    columns = sampled(x, width, every)
    column = (x + left) // every
    at = 0
    for line in range((-y) % every, height, every):
        begin = start + line * across
        row = now[(y + line) // every][column : column + columns]
        source = pixels[begin + 3 * left : begin + 3 * width]
        follow_row(source, every, row, row, turned[at : at + columns], turning)
        at += columns


@lean
def count_turns(area: _I64, every: int, turning: Turning) -> None:
    """Count the turns that `follow` found in an area, per block and kind, weighting each pixel by
    those that it represents."""
    x, y, width, height = int(area[X]), int(area[Y]), int(area[WIDTH]), int(area[HEIGHT])
    turned, blocks, totals = turning.turned, turning.blocks, turning.totals
    at = 0
    for line in range(y + (-y) % every, y + height, every):
        for column in range(x + (-x) % every, x + width, every):
            turn = int(np.int64(turned[at]))
            at += 1
            if turn:
                for kind in range(KINDS):
                    if turn >> kind & 1:
                        blocks[kind, line // BLOCK_HEIGHT, column // BLOCK_WIDTH] += every * every
                        totals[kind] += every * every
