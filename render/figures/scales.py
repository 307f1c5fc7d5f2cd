"""Scales of figures: which values an axis names, and how short it writes them.

Every tick stands at the value that its label says, exactly, and labels never touch: there are as
many as have room.
"""

from __future__ import annotations

import math
from collections.abc import Callable

__all__ = ["count_text", "decades", "linear_ticks", "log_range", "log_ticks", "ratio_text"]

_NICE = (1.0, 2.0, 5.0)
_UNITS = ((10**12, "T"), (10**9, "G"), (10**6, "M"), (10**3, "k"))
_SHORT = 10_000
"""From here on counts are written with a unit."""

_SMALLEST = 0.01
"""Below, ratios are written as fractions."""

_MOST = 7
"""Ticks of an axis."""

Width = Callable[[str], float]
"""How long a text is."""


def count_text(value: float) -> str:
    """A tick's value, exactly: "1,000", "20k", "1.5M", "0.25", "1/500"."""
    if 0 < value < _SMALLEST and abs(1 / value - round(1 / value)) < 1e-6 / value:
        return f"1/{count_text(round(1 / value))}"
    if abs(value) >= _SHORT:
        for unit, mark in _UNITS:
            if abs(value) >= unit:
                return f"{value / unit:.12g}{mark}"
    return f"{value:,.12g}"


def ratio_text(value: float) -> str:
    """A ratio in three digits: "5.29", "0.425", "1/148"."""
    if 0 < value < _SMALLEST:
        return f"1/{float(f'{1 / value:.3g}'):,.0f}"
    return f"{float(f'{value:.3g}'):,.12g}"


def decades(value: float) -> int:
    """The exponent of the largest power of ten that is not above `value` > 0."""
    exponent = math.floor(math.log10(value))
    return exponent + (10.0 ** (exponent + 1) <= value) - (10.0**exponent > value)


def log_range(low: float, high: float, least: float = 1.0) -> tuple[float, float]:
    """The powers of ten around values from `low` to `high`, at least `least` powers apart."""
    first, last = decades(low), decades(high)
    last += 10.0**last < high
    while last - first < least:
        last += 1
    return 10.0**first, 10.0**last


def linear_ticks(high: float, room: float, width: Width, *, whole: bool = True) -> list[float]:
    """0 and evenly spaced round values up to `high`, whose labels have room side by side on an
    axis `room` long; `whole` allows whole numbers only. Labels at the ends stand half beyond."""
    if high <= 0:
        return [0.0]
    power = decades(high) - 2
    while True:
        for nice in _NICE:
            step = nice * 10.0**power
            if whole and step < 1:
                continue
            count = math.floor(high / step * (1 + 1e-12))
            if count >= _MOST:
                continue
            ticks = [float(f"{step * number:.12g}") for number in range(count + 1)]
            widest = max(width(count_text(tick)) for tick in ticks)
            if count == 0 or widest <= room * step / high:
                return ticks
        power += 1


def log_ticks(low: float, high: float, room: float, width: Width) -> list[float]:
    """Powers of ten from `low` to `high`, which are such, as many as have room; of a few decades
    also their doubles and fives, where there is room for all of them."""
    first, last = decades(low), decades(high)
    decade = room / max(1, last - first)
    fine = [
        float(f"{nice * 10.0**power:.12g}")
        for power in range(first, last + 1)
        for nice in _NICE
        if nice * 10.0**power <= high
    ]
    wide = max(map(width, map(count_text, fine)))
    if len(fine) <= _MOST and wide <= decade * math.log10(2):
        return fine
    stride = 1
    while True:
        ticks = [float(f"1e{power}") for power in range(first, last + 1, stride)]
        widest = max(width(count_text(tick)) for tick in ticks)
        if len(ticks) == 1 or (widest <= decade * stride and len(ticks) <= _MOST):
            return ticks
        stride += 1
