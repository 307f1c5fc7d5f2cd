"""A geometry as arrays for compiled loops."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.solver.problem.puzzle import Geometry, lines

__all__ = ["Candidates", "Tables", "tables_of"]

Candidates = NDArray[np.int64]
"""(cells,) int64: bit v-1 is set while the cell may hold v. A filled cell has only the bit of its
value, so that rules need no special case for it."""


class Tables(NamedTuple):
    """One geometry. `u` units, the largest with `size` cells; short rows are padded with -1.

    size        values 1..size
    units       (u, size) int64: the cells of a unit, ascending; a unit with fewer than `size`
                cells ends in -1, and need not contain every value
    cell_units  (cells, k) int64: the units of a cell; a short row repeats its first
    peers       (cells, p) int64: the cells that share a unit with a cell, ascending
    crossings   (c, 3) int64: (unit, other unit, mask): two units that share two or more cells;
                bit i of the mask is set if the other unit contains the i-th cell of the first
    first_crossing (u + 1,) int64: the crossings of unit n are first_crossing[n] up to
                first_crossing[n + 1]
    lines       1 when the first `size` units are the rows and the next `size` the columns
    """

    size: int
    units: NDArray[np.int64]
    cell_units: NDArray[np.int64]
    peers: NDArray[np.int64]
    crossings: NDArray[np.int64]
    first_crossing: NDArray[np.int64]
    lines: int


@lru_cache(maxsize=8)
def tables_of(geometry: Geometry) -> Tables:
    """The tables of `geometry`; cached for the next search on the same board."""
    size = geometry.size
    units = np.full((len(geometry.units), size), -1, np.int64)
    for number, unit in enumerate(geometry.units):
        units[number, : len(unit.cells)] = sorted(unit.cells)
    peers = np.full((geometry.cells, max(map(len, geometry.peers))), -1, np.int64)
    for cell, others in enumerate(geometry.peers):
        peers[cell, : len(others)] = others
    crossings: list[tuple[int, int, int]] = []
    first = [0]
    for number, unit in enumerate(geometry.units):
        cells = sorted(unit.cells)
        for other, crossed in enumerate(geometry.units):
            shared = set(crossed.cells)
            mask = sum(1 << at for at, cell in enumerate(cells) if cell in shared)
            if other != number and mask.bit_count() > 1:
                crossings.append((number, other, mask))
        first.append(len(crossings))
    rows_and_columns = [unit.cells for unit in lines(size)]
    lined = [tuple(sorted(unit.cells)) for unit in geometry.units[: 2 * size]] == rows_and_columns
    return Tables(
        size,
        units,
        geometry.cell_units.astype(np.int64),
        peers,
        np.array(crossings, np.int64).reshape(-1, 3),
        np.array(first, np.int64),
        int(lined),
    )
