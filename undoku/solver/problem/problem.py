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

How a problem is drawn and worded is in its `variables` and its `appearance`:
`undoku.solver.problem.appearance` has the contract. The lines between nodes are `edges`. A solver
reads nothing of it but the places, which some orders follow.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.errors import PuzzleError
from undoku.h264.loops import I64, I64_2D, group
from undoku.solver.problem.appearance import Appearance, Variable

MAX_VALUES = 25
MAX_VARIABLES = 1000
MAX_UNITS = 32_000
MAX_UNITS_OF_A_CELL = 1000
_MAX_RESOURCES = 62
WIDE = 31
"""The bits by which the bit of a placement is raised before it falls to its place in a peer."""

Candidates = NDArray[np.int64]
"""(cells,) int64: bit v-1 is set while the cell may hold v. A filled cell has only the bit of its
value, so that rules need no special case for it."""


@dataclass(frozen=True, slots=True)
class Unit:
    """Cells that exclude each other: those whose value + shift is equal. `kind` is "row", "column",
    "box" or another name; `index` counts from 1 within its kind, and is 0 for the only unit of its
    kind. `shifts` has one number >= 0 for each cell; it is empty if all of them are 0: cells that
    must all differ. A unit may have fewer cells than there are values; then it need not contain
    every value.
    """

    kind: str
    index: int
    cells: tuple[int, ...]
    shifts: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        return f"{self.kind} {self.index}" if self.index else self.kind

    def check(self, size: int) -> None:
        """Raises PuzzleError for a cell twice, wrong shifts, or more cells than resources of a
        problem with `size` values."""
        largest = max(self.shifts, default=0)
        if len(set(self.cells)) != len(self.cells):
            raise PuzzleError(f"{self.name} has a cell twice")
        if self.shifts and (
            len(self.shifts) != len(self.cells)
            or min(self.shifts) < 0
            or largest + size > _MAX_RESOURCES
        ):
            raise PuzzleError(f"{self.name} needs a shift from 0 on for each cell")
        if len(self.cells) > size + largest:
            raise PuzzleError(
                f"{self.name} has {len(self.cells)} cells that must differ, and there "
                + (f"are {size} values" if size != 1 else "is 1 value")
            )


@dataclass(frozen=True)
class Problem:
    """At most 1,000 cells with values 1 to `size`, at most 25, and at most 32,000 units,
    1,000 of them with the same cell; those without shifts come first. `domains` has the values that
    each cell may take at all, as a mask: bit v-1 for value v; it is empty if each may take all. Two
    problems are equal if size, units and domains are.

    Raises PuzzleError when there are too many of them, when a cell is in no unit or has no value,
    or when a unit has a cell that does not exist, a cell twice, more cells than resources, or wrong
    shifts.
    """

    size: int
    units: tuple[Unit, ...] = field(repr=False)
    variables: tuple[Variable, ...] = field(default=(), kw_only=True, repr=False, compare=False)
    domains: tuple[int, ...] = field(default=(), kw_only=True, repr=False)
    appearance: Appearance = field(default=Appearance(), kw_only=True, repr=False, compare=False)

    def __post_init__(self) -> None:
        units_of = Counter(cell for unit in self.units for cell in unit.cells)
        for count, most, what in (
            (self.size, MAX_VALUES, "values"),
            (self.cells, MAX_VARIABLES, "variables"),
            (len(self.units), MAX_UNITS, "units"),
            (max(units_of.values(), default=1), MAX_UNITS_OF_A_CELL, "units of one variable"),
        ):
            if not 1 <= count <= most:
                raise PuzzleError(f"{count:,} {what} are out of range: 1 to {most:,}")
        for unit in self.units:
            unit.check(self.size)
        if sorted(self.units, key=lambda unit: bool(unit.shifts)) != list(self.units):
            raise PuzzleError("units with shifts must follow those without")
        if stray_cells := units_of.keys() ^ range(self.cells):
            stray = min(stray_cells)
            raise PuzzleError(
                f"cell {stray} is in no unit"
                if 0 <= stray < self.cells
                else f"there is no cell {stray}: the board has the cells 0 to {self.cells - 1}"
            )
        if self.domains and (
            len(self.domains) != self.cells
            or not all(0 < mask <= self.all_values for mask in self.domains)
        ):
            raise PuzzleError("the domains are not one mask of values for each cell")

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        # Numbers only: their hashes are the same in every process, so a pickled hash stays valid.
        units = tuple((unit.cells, unit.shifts) for unit in self.units)
        return hash((self.size, units, self.domains))

    @property
    def cells(self) -> int:
        return len(self.variables)

    @property
    def all_values(self) -> int:
        """The mask of all values."""
        return (1 << self.size) - 1

    def cell_name(self, cell: int) -> str:
        return self.variables[cell].name

    def position(self, cell: int) -> tuple[int, int]:
        """(row, column) of a cell on a picture, from 0, rounded to whole fields."""
        row, column = self.variables[cell].place
        return round(row), round(column)

    @property
    def edges(self) -> tuple[tuple[int, int], ...]:
        """The pairs of cells that can clash, the lower one first, ascending."""
        pairs = ((cell, peer) for cell, peers in enumerate(self.peers) for peer in peers)
        return tuple((cell, peer) for cell, peer in pairs if peer > cell)

    def fields(self, cell: int) -> tuple[tuple[int, int], ...]:
        """The (row, column) of each field of a cell on a picture, in whole fields."""
        return self.variables[cell].fields or (self.position(cell),)

    @cached_property
    def extent(self) -> tuple[int, int]:
        """The rows and columns of a picture of all fields."""
        corners = [corner for cell in range(self.cells) for corner in self.fields(cell)]
        rows, columns = (1 + max(numbers) for numbers in zip(*corners, strict=True))
        return rows, columns

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

    @cached_property
    def is_free(self) -> bool:
        """Whether nothing excludes anything: then who solves it decides what is solved."""
        return not self.domains and not any(self.peers)

    def candidates(self, board: Sequence[int]) -> list[int]:
        """For each cell the values of its domain that no peer excludes, as a mask: bit v-1 for
        value v; a filled cell has the bit of its value. `board` holds one value per cell, 0 where a
        cell is empty."""
        domains = self.domains or (self.all_values,) * self.cells
        masks = [
            1 << value - 1 if value else mask for value, mask in zip(board, domains, strict=True)
        ]
        for cell, value in enumerate(board):
            for peer, offset in self.exclusions[cell] if value else ():
                if not board[peer] and 1 <= value + offset <= self.size:
                    masks[peer] &= ~(1 << value + offset - 1)
        return masks

    @cached_property
    def interchangeable(self) -> bool:
        """Whether values can be exchanged for each other: there are neither shifts nor domains."""
        return not self.domains and not any(unit.shifts for unit in self.units)

    def clash(self, board: Sequence[int]) -> tuple[Unit, int, int] | None:
        """A unit in which two cells of a board exclude each other, and these cells, or None: the
        first clash in the order of cells."""
        used: dict[tuple[int, int], int] = {}
        for cell, value in enumerate(board):
            for number, shift in self.resources_of[cell] if value else ():
                first = used.setdefault((number, value + shift), cell)
                if first != cell:
                    return self.units[number], first, cell
        return None

    def conflict(self, board: Sequence[int]) -> str:
        """A sentence on the first value of a board that its domain does not have, or on the first
        clash, without a full stop; "" if there is neither."""
        name, shown = self.cell_name, self.appearance.value_name
        for cell, mask in enumerate(self.domains):
            if board[cell] and not mask >> board[cell] - 1 & 1:
                return f"{name(cell)} can't take {shown(board[cell])}"
        found = self.clash(board)
        if not found:
            return ""
        unit, first, second = found
        both = f"{name(first)} and {name(second)}"
        values = shown(board[first]), shown(board[second])
        if values[0] == values[1]:
            return f"{both} both hold {values[0]}, which {unit.name} may hold only once"
        return f"{both} hold {values[0]} and {values[1]}, which {unit.name} excludes"


@group
class Tables(NamedTuple):
    """A problem as arrays for compiled loops: `n` cells, `u` units; short rows are padded with -1.

    size        values 1..size
    aligned     the number of units without shifts, which come first
    units       (u, at least size) int64: the cells of a unit, ascending; a unit without shifts must
                contain every value if it has `size` cells
    cell_units  (n, k) int64: the units of a cell; a short row repeats its first
    cell_shifts (n or 0, k) int64: the shift of the cell in each of them; no rows if all are 0
    peers       (n, p) int64: the peers of a cell, ascending; a peer that it excludes in several
                ways occurs several times
    falls       (n, p) int64: the bit of the value that a placement excludes in each peer is
                `1 << (value - 1 + WIDE) >> fall`
    crossings   (c, 3) int64: (unit, other unit, mask): a unit that must contain every value, and
                another without shifts that has two or more of its cells; bit i of the mask is set
                if the other unit contains the i-th cell of the first
    first_crossing (u + 1,) int64: the crossings of unit n are first_crossing[n] up to
                first_crossing[n + 1]
    lines       1 when the first `size` units are the rows and the next `size` the columns
    domains     (n,) int64: the values that a cell may take at all, bit v-1 for value v
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
    domains: I64


@lru_cache(maxsize=8)
def tables_of(problem: Problem) -> Tables:
    """The tables of a problem; cached for the next search of the same problem."""
    size = problem.size
    aligned = [sorted(unit.cells) for unit in problem.units if not unit.shifts]
    crossings: list[tuple[int, int, int]] = []
    first = [0]
    for number, cells in enumerate(aligned):
        shared: dict[int, int] = defaultdict(int)
        for at, cell in enumerate(cells if len(cells) == size else ()):
            for other in problem.units_of[cell]:
                shared[other] |= 1 << at
        crossings += (
            (number, other, mask)
            for other, mask in sorted(shared.items())
            if number != other < len(aligned) and mask.bit_count() > 1
        )
        first.append(len(crossings))
    first += first[-1:] * (len(problem.units) - len(aligned))
    rows = [tuple(range(row * size, (row + 1) * size)) for row in range(size)]
    lined = [tuple(cells) for cells in aligned[: 2 * size]]
    shifts = _padded([tuple(shift for _, shift in pairs) for pairs in problem.resources_of])
    return Tables(
        size,
        len(aligned),
        _table([sorted(unit.cells) for unit in problem.units], size),
        problem.cell_units.astype(np.int64),
        shifts[: len(shifts) if shifts.any() else 0].astype(np.int64),
        _table([[peer for peer, _ in pairs] for pairs in problem.exclusions]),
        _table([[WIDE - offset for _, offset in pairs] for pairs in problem.exclusions]),
        np.array(crossings, np.int64).reshape(-1, 3),
        np.array(first, np.int64),
        int(lined == rows + list(zip(*rows, strict=True))),
        np.array(problem.domains or [problem.all_values] * problem.cells, np.int64),
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
