"""Symmetries of the pattern of givens: which cells belong together."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from undoku.errors import SettingsError

__all__ = ["SYMMETRIES", "orbits_of"]

_Move = Callable[[int, int, int], tuple[int, int]]


def _half_turn(row: int, column: int, last: int) -> tuple[int, int]:
    return last - row, last - column


def _quarter_turn(row: int, column: int, last: int) -> tuple[int, int]:
    return column, last - row


def _left_right(row: int, column: int, last: int) -> tuple[int, int]:
    return row, last - column


def _top_bottom(row: int, column: int, last: int) -> tuple[int, int]:
    return last - row, column


def _diagonal(row: int, column: int, last: int) -> tuple[int, int]:
    del last
    return column, row


SYMMETRIES: dict[str, tuple[_Move, ...]] = {
    "none": (),
    "half-turn": (_half_turn,),
    "quarter-turn": (_quarter_turn,),
    "left-right": (_left_right,),
    "top-bottom": (_top_bottom,),
    "diagonal": (_diagonal,),
    "both-mirrors": (_left_right, _top_bottom),
    "full": (_quarter_turn, _left_right),
}
"""The transformations that leave the pattern unchanged; newspapers print half-turn."""


@lru_cache(maxsize=64)
def orbits_of(size: int, symmetry: str) -> NDArray[np.int16]:
    """(n, w) int16, read-only: the sets of cells that a symmetry of a board of size × size cells
    maps to each other, ascending, padded with -1. Raises SettingsError for an unknown name."""
    if symmetry not in SYMMETRIES:
        near = difflib.get_close_matches(symmetry, SYMMETRIES, 1)
        raise SettingsError(
            f"there is no symmetry {symmetry!r}",
            remedy=f"did you mean {near[0]}?" if near else f"choose {', '.join(SYMMETRIES)}",
        )
    found: list[list[int]] = []
    seen: set[int] = set()
    for start in range(size * size):
        if start in seen:
            continue
        orbit, waiting = {start}, [start]
        while waiting:
            row, column = divmod(waiting.pop(), size)
            for move in SYMMETRIES[symmetry]:
                moved_row, moved_column = move(row, column, size - 1)
                cell = moved_row * size + moved_column
                if cell not in orbit:
                    orbit.add(cell)
                    waiting.append(cell)
        seen |= orbit
        found.append(sorted(orbit))
    table = np.full((len(found), max(len(orbit) for orbit in found)), -1, np.int16)
    for number, cells in enumerate(found):
        table[number, : len(cells)] = cells
    table.setflags(write=False)
    return table
