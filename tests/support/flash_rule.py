"""The thresholds of WCAG 2.3.1 once more, pixel by pixel in arrays of numpy: what the flash meter
must find, by a way of its own."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from undoku.render.draw.canvas import Frame
from undoku.render.film.flash_meter import Flashes

QUARTER = 341 * 256 / 4


class PlainMeter:
    """Looks at every `every`-th pixel of each frame, changed or not."""

    def __init__(self, width: int, height: int, fps: Fraction, every: int) -> None:
        self._fps, self._every, self._ticks = fps, every, 0
        self._turns: list[list[tuple[int, Any, Any]]] = [[], []]
        """Of general and of red flashes: the ticks of frames with many turns, and the fields, as
        masks, that turned forth and back in it."""
        self._seen: Any = None

    def watch(self, frame: Frame) -> None:
        shown = frame.pixels[:: self._every, :: self._every]
        sample = np.arange(256) / 255
        light = np.where(sample <= 0.04045, sample / 12.92, ((sample + 0.055) / 1.055) ** 2.4)
        linear = light.astype(np.float32)[shown].astype(np.float64)
        red, green, blue = np.moveaxis(linear, 2, 0)
        x = 0.4124 * red + 0.3576 * green + 0.1805 * blue
        y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
        z = 0.0193 * red + 0.1192 * green + 0.9505 * blue
        whole = x + 15 * y + 3 * z
        lit = whole > 0
        u = np.where(lit, 4 * x / np.where(lit, whole, 1), 0.1978).astype(np.float32)
        v = np.where(lit, 9 * y / np.where(lit, whole, 1), 0.4683).astype(np.float32)
        saturated = (red > 0) & (red >= 0.8 * (red + green + blue))
        light_now = y.astype(np.float32)
        if self._seen is None:
            self._dark, self._bright = light_now.copy(), light_now.copy()
            self._least = np.stack((u, v, saturated), -1).astype(np.float32)
            self._most = self._least.copy()
            self._way = np.zeros(u.shape, int)
            self._red_way = np.zeros(u.shape, int)
        else:
            new = (shown != self._seen).any(2)
            self._follow(new, light_now, u, v, saturated)
        self._seen = shown.copy()
        self._ticks += frame.ticks

    def _follow(self, new: Any, light: Any, u: Any, v: Any, saturated: Any) -> None:
        low, high = np.minimum(self._dark, light), np.maximum(self._bright, light)
        up = new & (self._way <= 0) & (light - low >= 0.1) & (low < 0.8)
        down = new & ~up & (self._way >= 0) & (high - light >= 0.1) & (light < 0.8)
        turned = up | down
        self._way[up], self._way[down] = 1, -1
        self._dark = np.where(turned, light, low)
        self._bright = np.where(turned, light, high)

        def far(from_: Any) -> Any:
            return (u - from_[..., 0]) ** 2 + (v - from_[..., 1]) ** 2 > 0.2**2

        redder = new & saturated & (self._red_way <= 0) & far(self._least)
        redder &= u > self._least[..., 0]
        plainer = new & ~redder & (self._most[..., 2] != 0) & (self._red_way >= 0)
        plainer &= far(self._most) & (u < self._most[..., 0])
        red_turned = redder | plainer
        self._red_way[redder], self._red_way[plainer] = 1, -1
        state = np.stack((u, v, saturated), -1).astype(np.float32)
        less = new & (red_turned | (u < self._least[..., 0]))
        more = new & (red_turned | (u > self._most[..., 0]))
        self._least[less], self._most[more] = state[less], state[more]
        kinds = [self._fields(kind) for kind in (up, down, redder, plainer)]
        for turns, forth, back in zip(self._turns, kinds[::2], kinds[1::2], strict=True):
            turns.append((self._ticks, forth, back))

    def _fields(self, turned: Any) -> Any:
        """For each field, whether a quarter of it turned."""
        field = -(-256 // self._every), -(-341 // self._every)
        size = tuple(map(min, turned.shape, field))
        windows = np.lib.stride_tricks.sliding_window_view(turned, size)
        return windows.sum((2, 3)) * self._every**2 >= QUARTER

    def flashes(self) -> Flashes:
        """A field's changes are its turns that oppose the one before; seven in a second are too
        many."""
        most, over = [0, 0], set()
        for kind, turns in enumerate(self._turns):
            fields = np.stack([np.stack(pair[1:]) for pair in turns]) if turns else np.zeros((0,))
            for place in np.ndindex(fields.shape[2:]):
                way, changes = 0, list[int]()
                for (ticks, _, _), both in zip(turns, fields[(..., *place)], strict=True):
                    for new, turned in zip((1, -1), both, strict=True):
                        if turned and way != new:
                            way = new
                            changes.append(ticks)
                            recent = sum(ticks - one < self._fps for one in changes)
                            most[kind] = max(most[kind], min(recent, 7))
                            if recent >= 7:
                                over.add(ticks / self._fps)
        return Flashes(Fraction(max(most), 2), tuple(sorted(over)), Fraction(most[1], 2))
