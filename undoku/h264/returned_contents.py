"""What the encoder of a group of pictures (GOP) knows of earlier groups: the contents that returned
after they were lost, which its atlas keeps when they are lost the next time."""

from __future__ import annotations

from collections import deque

import numpy as np
from numpy.typing import NDArray

__all__ = ["GAP", "ReturnedContents"]

_I64 = NDArray[np.int64]

GAP = 4
"""A group knows of all groups but the last GAP - 1, so that as many can be encoded at once."""


class ReturnedContents:
    """The tables of returned contents (see content_index.py) after each of the last groups. Groups
    are counted from 1; a group 1 begins a segment, in which nothing is known of earlier ones."""

    def __init__(self) -> None:
        self._after: deque[tuple[int, _I64]] = deque(maxlen=GAP)

    def add(self, number: int, learned: _I64) -> None:
        """Add group `number`, the one after the group that was added last, with its table at the
        end."""
        if number == 1:
            self._after.clear()
        before = self._after[-1][1] if self._after else 0
        # Odd entries are contents that have returned, even ones were lost only.
        self._after.append((number, np.where(learned & 1, learned, before)))

    def known(self, number: int) -> _I64 | None:
        """What is known when group `number` begins; None for the first GAP groups. All groups up to
        number - GAP must have been added."""
        return next((table for group, table in self._after if group == number - GAP), None)
