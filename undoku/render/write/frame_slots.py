"""Rounds frame times to a format's units of time, without accumulating an error."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from undoku.errors import SettingsError

__all__ = ["Slots", "legal_rate"]


def legal_rate(fps: Fraction) -> Fraction:
    """The constant rate 100/n frames per second, n >= 2, that is nearest to `fps` (> 0); of two
    equally near rates the lower one. 60 becomes 50, 30 becomes 100/3, 25 stays 25.

    Raises SettingsError when `fps` is not above 0.
    """
    _check(fps)
    longer = max(2, ceil(100 / Fraction(fps)))
    shorter = max(2, longer - 1)
    return min(Fraction(100, longer), Fraction(100, shorter), key=lambda rate: abs(rate - fps))


def _check(fps: Fraction) -> None:
    if fps <= 0:
        raise SettingsError(f"{fps} frames per second is not a rate", remedy="give more than 0")


class Slots:
    """Computes when each frame of a film appears, in units of 1/`units` second, for a format whose
    frames must last at least `shortest` units.

    Up to the rate units/shortest every frame appears, at the unit nearest to its time. Above that
    rate there is one slot every `shortest` units. A slot shows the frame that is current in its
    middle; frames that are current in the middle of no slot are skipped. Delays are differences of
    these times, so errors don't accumulate, and the end of the film is exact to half a slot.
    """

    def __init__(self, fps: Fraction, units: int = 100, shortest: int = 2) -> None:
        _check(fps)
        fastest = Fraction(units, shortest)
        self.units, self.shortest = units, shortest
        self.rate = min(Fraction(fps), fastest)
        self._length = shortest if fps > fastest else 1
        # Integers: half a slot and two ticks, both times `units` and the rate's numerator.
        self._half = self._length * Fraction(fps).numerator
        self._tick = 2 * units * Fraction(fps).denominator
        self._ticks = 0

    def _slot(self) -> int:
        """The first slot whose middle is not before the current time."""
        return -((self._half - self._ticks * self._tick) // (2 * self._half))

    def place(self, ticks: int) -> int | None:
        """The time at which the next frame, which lasts `ticks` (>= 1), appears; None if it is
        skipped."""
        first = self._slot()
        self._ticks += ticks
        return first * self._length if self._slot() > first else None

    def end(self) -> int:
        """The time at which the film so far ends."""
        return self._slot() * self._length
