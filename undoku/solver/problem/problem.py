"""Problems: variables, their values, and what excludes what.

A problem has variables, called cells, that take values 1 to `size`. A placement (cell, value) takes
resources, and two placements that share one exclude each other. Resources come in units: in each of
its units a placement takes the resource value + shift of the cell in this unit. A sudoku has rows,
columns and boxes, all without shifts; queens, a cell for each row of the board, have a unit of
columns without shifts and two units of diagonals with shifts ± row; the units of a map are its
borders, two cells each. Everything else is derived here: peers, candidates, clashes, and the arrays
of compiled loops.

A unit without shifts that has as many cells as there are values must contain each value: only such
a unit has hidden singles and places for a value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.errors import PuzzleError
from undoku.h264.loops import I64, I64_2D, group

MAX_VALUES = 25
_MAX_RESOURCES = 62
WIDE = 31
"""The bits by which the bit of a placement is raised before it falls to its place in a peer."""

Candidates = NDArray[np.int64]
"""(cells,) int64: bit v-1 is set while the cell may hold v. A filled cell has only the bit of its
value, so that rules need no special case for it."""


@dataclass(frozen=True, slots=True)
class Unit:
    """Cells that exclude each other: those whose value + shift is equal. `kind` is "row", "column",
    "box" or another name; `index` counts from 1 within its kind. `shifts` has one number >= 0 for
    each cell; it is empty if all of them are 0: cells that must all differ. A unit may have fewer
    cells than there are values; then it need not contain every value.
    """

    kind: str
    index: int
    cells: tuple[int, ...]
    shifts: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        return f"{self.kind} {self.index}"


class Variable(NamedTuple):
    """The name of a cell, and its (row, column) on a picture."""

    name: str
    place: tuple[int, int]


@dataclass(frozen=True)
class Problem:
    """Cells with values 1 to `size` (at most 25), and their units; those without shifts come first.
    Two problems are equal if size and units are.

    Raises PuzzleError when a cell is in no unit, or when a unit has a cell that does not exist, a
    cell twice, more cells than resources, or wrong shifts.
    """

    size: int
    units: tuple[Unit, ...] = field(repr=False)
    variables: tuple[Variable, ...] = field(default=(), kw_only=True, repr=False, compare=False)

    def __post_init__(self) -> None:
        covered: set[int] = set()
        for unit in self.units:
            if len(set(unit.cells)) != len(unit.cells):
                raise PuzzleError(f"{unit.name} has a cell twice")
            if unit.shifts and (
                len(unit.shifts) != len(unit.cells)
                or min(unit.shifts) < 0
                or max(unit.shifts) + self.size > _MAX_RESOURCES
            ):
                raise PuzzleError(f"{unit.name} needs a shift from 0 on for each cell")
            if len(unit.cells) > self.size + max(unit.shifts, default=0):
                raise PuzzleError(
                    f"{unit.name} has {len(unit.cells)} cells, but only {self.size} values "
                    "can differ"
                )
            covered.update(unit.cells)
        if sorted(self.units, key=lambda unit: bool(unit.shifts)) != list(self.units):
            raise PuzzleError("units with shifts must follow those without")
        if not 1 <= self.size <= MAX_VALUES:
            raise PuzzleError(f"{self.size} values are out of range: 1 to {MAX_VALUES}")
        if covered != set(range(self.cells)):
            stray = min(covered ^ set(range(self.cells)))
            raise PuzzleError(
                f"cell {stray} is in no unit"
                if 0 <= stray < self.cells
                else f"there is no cell {stray}: the board has the cells 0 to {self.cells - 1}"
            )

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        # Numbers only: their hashes are the same in every process, so a pickled hash stays valid.
        return hash((self.size, tuple((unit.cells, unit.shifts) for unit in self.units)))

    @property
    def cells(self) -> int:
        return len(self.variables)

    def cell_name(self, cell: int) -> str:
        return self.variables[cell].name

    def position(self, cell: int) -> tuple[int, int]:
        """(row, column) of a cell on a picture, from 0."""
        return self.variables[cell].place

    @cached_property
    def resources_of(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """For each cell the numbers of its units, ascending, and its shift in each."""
        of_cell: list[list[tuple[int, int]]] = [[] for _ in range(self.cells)]
        for number, unit in enumerate(self.units):
            for cell, shift in zip(unit.cells, unit.shifts or [0] * self.size, strict=False):
                of_cell[cell].append((number, shift))
        return tuple(map(tuple, of_cell))

    @cached_property
    def units_of(self) -> tuple[tuple[int, ...], ...]:
        """For each cell the numbers of its units, ascending."""
        return tuple(tuple(unit for unit, _ in pairs) for pairs in self.resources_of)

    @cached_property
    def cell_units(self) -> NDArray[np.int16]:
        """(cells, k) int16: the units of each cell. A cell in fewer than k units repeats its first,
        which is harmless where the units are combined into a set."""
        return _padded(self.units_of)

    @cached_property
    def exclusions(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """For each cell the pairs (peer, offset), ascending: value v in the cell excludes value
        v + offset in the peer."""
        excluded: list[set[tuple[int, int]]] = [set() for _ in range(self.cells)]
        for unit in self.units:
            pairs = {(cell, 0) for cell in unit.cells}
            for cell, shift in zip(unit.cells, unit.shifts or [0] * self.size, strict=False):
                if unit.shifts:
                    offsets = (shift - other for other in unit.shifts)
                    pairs = set(zip(unit.cells, offsets, strict=True))
                excluded[cell] |= pairs
        return tuple(
            tuple(
                sorted(
                    (peer, offset)
                    for peer, offset in pairs
                    if peer != cell and abs(offset) < self.size
                )
            )
            for cell, pairs in enumerate(excluded)
        )

    @cached_property
    def peers(self) -> tuple[tuple[int, ...], ...]:
        """For each cell the other cells with which it can clash, ascending."""
        return tuple(tuple(dict.fromkeys(peer for peer, _ in of)) for of in self.exclusions)

    @cached_property
    def region_of(self) -> NDArray[np.int16]:
        """(cells,) int16: the number of each cell's box or region, from 0 in the order of the
        units; -1 where there are none."""
        table = np.full(self.cells, -1, np.int16)
        regions = [unit for unit in self.units if unit.kind in ("box", "region")]
        for number, unit in enumerate(regions):
            table[list(unit.cells)] = number
        table.setflags(write=False)
        return table

    def candidates(self, board: Sequence[int]) -> list[int]:
        """For each cell the values that no peer excludes, as a mask: bit v-1 for value v; a filled
        cell has the bit of its value. `board` holds one value per cell, 0 where a cell is empty."""
        full = (1 << self.size) - 1
        masks = [1 << value - 1 if value else full for value in board]
        for cell, value in enumerate(board):
            for peer, offset in self.exclusions[cell] if value else ():
                if not board[peer] and 1 <= value + offset <= self.size:
                    masks[peer] &= ~(1 << value + offset - 1)
        return masks

    def clash(self, board: Sequence[int]) -> tuple[Unit, int, int] | None:
        """A unit in which two cells of a board exclude each other, and these cells, or None: the
        first clash in the order of cells."""
        used = [0] * len(self.units)
        resources = self.resources_of
        for cell, value in enumerate(board):
            if value:
                for number, shift in resources[cell]:
                    bit = 1 << value + shift
                    if used[number] & bit:
                        first = next(
                            other
                            for other in range(cell)
                            if board[other]
                            and (number, value + shift - board[other]) in resources[other]
                        )
                        return self.units[number], first, cell
                    used[number] |= bit
        return None


@group
class Tables(NamedTuple):
    """A problem as arrays for compiled loops: `n` cells, `u` units; short rows are padded with -1.

    size        values 1..size
    aligned     the number of units without shifts, which come first
    units       (u, at least size) int64: the cells of a unit, ascending; a unit without shifts must
                contain every value if it has `size` cells
    cell_units  (n, k) int64: the units of a cell; a short row repeats its first
    cell_shifts (n, k) int64: the shift of the cell in each of them
    peers       (n, p) int64: the peers of a cell, ascending; a peer that it excludes in several
                ways occurs several times
    falls       (n, p) int64: the bit of the value that a placement excludes in each peer is
                `1 << (value - 1 + WIDE) >> fall`
    crossings   (c, 3) int64: (unit, other unit, mask): two units without shifts that share two or
                more cells; bit i of the mask is set if the other unit contains the i-th cell of the
                first
    first_crossing (u + 1,) int64: the crossings of unit n are first_crossing[n] up to
                first_crossing[n + 1]
    lines       1 when the first `size` units are the rows and the next `size` the columns
    """

    size: int
    aligned: int
    units: I64_2D
    cell_units: I64_2D
    cell_shifts: I64_2D
    peers: I64_2D
    falls: I64_2D
    crossings: I64_2D
    first_crossing: I64
    lines: int


@lru_cache(maxsize=8)
def tables_of(problem: Problem) -> Tables:
    """The tables of a problem; cached for the next search of the same problem."""
    size = problem.size
    aligned = [frozenset(unit.cells) for unit in problem.units if not unit.shifts]
    crossings: list[tuple[int, int, int]] = []
    first = [0]
    for number, cells in enumerate(aligned):
        for other, crossed in enumerate(aligned):
            shared = cells & crossed
            if other != number and len(shared) > 1:
                mask = sum(1 << at for at, cell in enumerate(sorted(cells)) if cell in shared)
                crossings.append((number, other, mask))
        first.append(len(crossings))
    first += first[-1:] * (len(problem.units) - len(aligned))
    rows = [tuple(range(row * size, (row + 1) * size)) for row in range(size)]
    lined = [tuple(sorted(cells)) for cells in aligned[: 2 * size]]
    return Tables(
        size,
        len(aligned),
        _table([sorted(unit.cells) for unit in problem.units], size),
        problem.cell_units.astype(np.int64),
        _padded([tuple(shift for _, shift in pairs) for pairs in problem.resources_of]).astype(
            np.int64
        ),
        _table([[peer for peer, _ in pairs] for pairs in problem.exclusions]),
        _table([[WIDE - offset for _, offset in pairs] for pairs in problem.exclusions]),
        np.array(crossings, np.int64).reshape(-1, 3),
        np.array(first, np.int64),
        int(lined == rows + list(zip(*rows, strict=True))),
    )


def _table(rows: Sequence[Sequence[int]], least: int = 1) -> NDArray[np.int64]:
    """Rows of different lengths as an array of at least `least` columns, padded with -1."""
    table = np.full((len(rows), max(least, *map(len, rows))), -1, np.int64)
    for number, row in enumerate(rows):
        table[number, : len(row)] = row
    return table


def _padded(rows: Sequence[tuple[int, ...]]) -> NDArray[np.int16]:
    """Rows of different lengths as an array, each padded with its first number."""
    longest = max(map(len, rows))
    return np.array([row + row[:1] * (longest - len(row)) for row in rows], np.int16)
