"""The load that samples put on a decoder, from which the level of a film follows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["SampleLoad"]

_I64 = NDArray[np.int64]

_MAX_ADDED = 1 << 12
"""Samples that are added up in one step."""


class SampleLoad:
    """The largest of all samples, and the most bytes of the samples that begin within any `window`
    units of time."""

    def __init__(self, window: int) -> None:
        self._window = window
        self._largest = self._busiest = 0
        self._added: list[tuple[int, int]] = []
        """(bytes, duration) of single samples that were not added up yet."""
        self._sizes = np.empty(0, np.int64)
        self._starts = np.empty(0, np.int64)
        """Bytes and times of the samples within the last window."""
        self._end = 0

    def add(self, size: int, duration: int) -> None:
        """Add a sample of `size` bytes, with its length field, that lasts `duration`."""
        self._added.append((size, duration))
        if len(self._added) == _MAX_ADDED:
            self._settle()

    def add_many(self, sizes: _I64, durations: _I64) -> None:
        """Add n samples, as `add` does; both are (n,) int64."""
        self._settle()
        self._sum(sizes, durations)

    @property
    def largest(self) -> int:
        """Bytes of the largest sample."""
        self._settle()
        return self._largest

    @property
    def busiest(self) -> int:
        """The most bytes within a window."""
        self._settle()
        return self._busiest

    def _settle(self) -> None:
        if self._added:
            sizes, durations = np.array(self._added, np.int64).T
            self._added.clear()
            self._sum(sizes, durations)

    def _sum(self, sizes: _I64, durations: _I64) -> None:
        if not len(sizes):
            return
        known = len(self._sizes)
        ends = self._end + np.cumsum(durations)
        starts = np.concatenate((self._starts, ends - durations))
        sizes = np.concatenate((self._sizes, sizes))
        until = np.concatenate((np.zeros(1, np.int64), np.cumsum(sizes)))
        first = np.searchsorted(starts, starts[known:] - self._window, "right")
        within = until[known + 1 :] - until[first]
        self._largest = max(self._largest, int(sizes[known:].max()))
        self._busiest = max(self._busiest, int(within.max()))
        self._end = int(ends[-1])
        self._starts, self._sizes = starts[first[-1] :], sizes[first[-1] :]
