"""Whole hundredths of a second for frames that stand for fractions of one."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from solver.errors import SettingsError

__all__ = ["FASTEST", "Slots", "legal_rate"]

FASTEST = Fraction(50)
"""Frames per second. Browsers play a delay of one hundredth or none as ten."""


def legal_rate(fps: Fraction) -> Fraction:
    """The steady rate 100/n frames per second, n >= 2, that is nearest to `fps` (> 0), the slower
    of two: 60 becomes 50, 30 becomes 100/3, 25 stays.

    Raises SettingsError when `fps` is not above 0.
    """
    if fps <= 0:
        raise SettingsError(f"{fps} frames per second is no rate", remedy="give more than 0")
    longer = max(2, ceil(100 / Fraction(fps)))
    shorter = max(2, longer - 1)
    return min(Fraction(100, longer), Fraction(100, shorter), key=lambda rate: abs(rate - fps))


class Slots:
    """Says when each frame appears, in hundredths of a second from the start of the film.

    Up to 50 frames per second every frame appears, at the hundredth nearest to its time. Above,
    there is a slot every two hundredths, and the frame that stands in the middle of a slot gets
    it; a frame that stands in the middle of none is skipped. Delays are differences of such times,
    so that no error adds up; none is below two hundredths, and the end is true to one hundredth.
    """

    def __init__(self, fps: Fraction) -> None:
        if fps <= 0:
            raise SettingsError(f"{fps} frames per second is no rate", remedy="give more than 0")
        self.rate = min(Fraction(fps), FASTEST)
        self._length = 2 if fps > FASTEST else 1
        self._per_tick = 100 / Fraction(fps)
        self._ticks = 0

    def _slot(self) -> int:
        """The first slot whose middle is not before now."""
        now = self._ticks * self._per_tick
        return ceil(now / self._length - Fraction(1, 2))

    def place(self, ticks: int) -> int | None:
        """When the next frame, which stands for `ticks` (>= 1), appears, or None if it does not."""
        first = self._slot()
        self._ticks += ticks
        return first * self._length if self._slot() > first else None

    def end(self) -> int:
        """When the film so far ends."""
        return self._slot() * self._length
