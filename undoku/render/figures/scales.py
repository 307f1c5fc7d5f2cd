"""Scales of figures: the ticks of an axis and their labels.

Every tick is exactly at the value of its label, and labels never touch: there are as many as have
room.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from undoku.texts import wording as say
from undoku.texts.language import decimal, number

__all__ = [
    "count_text",
    "decades",
    "digits_text",
    "linear_ticks",
    "log_range",
    "log_ticks",
    "percent_text",
    "ratio_text",
    "share_text",
]

_NICE = (1.0, 2.0, 5.0)
_UNITS = (
    (10**12, say.TRILLIONS),
    (10**9, say.BILLIONS),
    (10**6, say.MILLIONS),
    (10**3, say.THOUSANDS),
)
_SHORT = 10_000
"""From this value on, counts are written with a unit."""

_SMALLEST = 0.01
"""Below this value, ratios are written as fractions."""

_MAX_TICKS = 7
"""Ticks of an axis."""

Width = Callable[[float], float]
"""How long the label of a tick is."""


def count_text(value: float) -> str:
    """A tick's value, exactly: "1,000", "20k", "1.5M", "0.25", "1/500"."""
    if 0 < value < _SMALLEST and abs(1 / value - round(1 / value)) < 1e-6 / value:
        return say.SHARE(factor=count_text(round(1 / value)))
    if abs(value) >= _SHORT:
        for unit, text in _UNITS:
            if abs(value) >= unit:
                return text(number=_exact_text(value / unit))
    return _exact_text(value)


def _exact_text(value: float) -> str:
    """A number in as many decimals as it has, of at most twelve digits."""
    whole = len(f"{abs(value):.0f}")
    return decimal(value, max(0, 12 - whole))


def percent_text(percent: float) -> str:
    """So many percent, exactly: "50%", "0.01%"."""
    return say.PERCENT(number=_exact_text(percent))


def share_text(share: float, places: int = 2) -> str:
    """A share of 0..1 in percent, with so many decimals; neither none nor all unless it is."""
    least = 10.0**-places
    percent = 100 * share
    if 0 < percent < least:
        return say.LESS_THAN(number=percent_text(least))
    if 100 - least < percent < 100:
        return say.MORE_THAN(number=percent_text(100 - least))
    return say.PERCENT(number=decimal(percent, places, all_places=True))


def ratio_text(value: float) -> str:
    """A ratio in three digits: "5.29", "0.425", "1/148"."""
    if 0 < value < _SMALLEST:
        return say.SHARE(factor=number(int(float(f"{1 / value:.3g}"))))
    return digits_text(value, 3)


def digits_text(value: float, digits: int) -> str:
    """A number in so many digits: "5.287", "0.01155", "12,350"."""
    return _exact_text(float(f"{value:.{digits}g}"))


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
    """0 and evenly spaced round values up to `high`, whose labels (`width` tells how long each is)
    have room side by side on an axis `room` long; `whole` allows whole numbers only. Labels at the
    ends stand half beyond."""
    if high <= 0:
        return [0.0]
    power = decades(high) - 2
    while True:
        for nice in _NICE:
            step = nice * 10.0**power
            if whole and step < 1:
                continue
            count = math.floor(high / step * (1 + 1e-12))
            if count >= _MAX_TICKS:
                continue
            ticks = [float(f"{step * number:.12g}") for number in range(count + 1)]
            widest = max(map(width, ticks))
            if count == 0 or widest <= room * step / high:
                return ticks
        power += 1


def log_ticks(low: float, high: float, room: float, width: Width) -> list[float]:
    """Powers of ten from `low` to `high`, which are powers of ten, as many as have room; for a few
    decades also 2 and 5 times these, if there is room for all."""
    first, last = decades(low), decades(high)
    decade = room / max(1, last - first)
    fine = [
        float(f"{nice * 10.0**power:.12g}")
        for power in range(first, last + 1)
        for nice in _NICE
        if nice * 10.0**power <= high
    ]
    wide = max(map(width, fine))
    if len(fine) <= _MAX_TICKS and wide <= decade * math.log10(2):
        return fine
    stride = 1
    while True:
        ticks = [float(f"1e{power}") for power in range(first, last + 1, stride)]
        widest = max(map(width, ticks))
        if len(ticks) == 1 or (widest <= decade * stride and len(ticks) <= _MAX_TICKS):
            return ticks
        stride += 1
