"""Scales of figures: the ticks of an axis and their labels.

Every tick is exactly at the value of its label, and labels never touch: there are as many as have
room.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING

from undoku.texts import wording as say
from undoku.texts.language import decimal, number

if TYPE_CHECKING:
    from matplotlib.axis import Axis
    from matplotlib.ticker import Locator

_FINE = (1.0, 2.0, 5.0)
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
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


def axis_share(axis: Axis, value: float) -> float:
    """Where a value is on an axis whose scale and ends are set, 0..1 from its beginning."""
    axes = axis.axes
    number = 0 if axis is axes.xaxis else 1
    return float(axes.transLimits.transform(axes.transScale.transform((value, value)))[number])


def ticks_of(axis: Axis, room: float, width: Width, *, whole: bool = True) -> list[float]:
    """Round values on an axis whose scale and ends are set, as many as their labels (`width` tells
    how long each is) have room side by side on its `room`; `whole` allows whole numbers only. On a
    log scale they are powers of ten, for a few decades also 2 and 5 times these."""
    from matplotlib.ticker import LogLocator, MaxNLocator

    low, high = sorted(axis.get_view_interval())
    locators: list[Locator]
    if axis.get_scale() == "log":
        locators = [LogLocator(numticks=count) for count in range(_MAX_TICKS, 1, -1)]
        locators.insert(0, LogLocator(subs=_FINE, numticks=_MAX_TICKS))
    else:
        locators = [
            MaxNLocator(count, steps=_STEPS, integer=whole, min_n_ticks=1)
            for count in range(_MAX_TICKS - 1, 0, -1)
        ]
    ticks = [low]
    for locator in locators:
        rounded = [float(f"{tick:.12g}") for tick in locator.tick_values(low, high)]
        ticks = [tick for tick in rounded if low <= tick <= high] or ticks
        places = [room * axis_share(axis, tick) for tick in ticks]
        nearest = min((abs(end - start) for start, end in pairwise(places)), default=room)
        if len(ticks) <= _MAX_TICKS and max(map(width, ticks)) <= nearest:
            break
    return ticks
