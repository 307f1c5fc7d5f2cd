"""What a rule answers, in the plain programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["Event", "Find", "Levels", "UnfillableError"]

Event = tuple[int, int, int]
"""Op, value, cell."""
Levels = frozenset[int]
"""Guesses, by how many stand before each."""


class Find(NamedTuple):
    """What a rule finds: the value of a cell, or a value that it can't have; the cells whose lost
    candidates this follows from; and the number of the unit it was inferred from, -1 for a cell."""

    forced: bool
    value: int
    cell: int
    because: tuple[int, ...]
    unit: int = -1


class UnfillableError(Exception):
    """A rule finds that this unit can't be filled."""

    def __init__(self, unit: int, cells: Sequence[int]) -> None:
        self.unit, self.cells = unit, tuple(cells)
