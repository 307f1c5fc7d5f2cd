"""The puzzle: its geometry (cells, units, peers) and its givens."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from undoku.errors import PuzzleError

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "LARGEST",
    "SMALLEST",
    "SYMBOLS",
    "Geometry",
    "Puzzle",
    "Unit",
    "box_shape",
    "find_clash",
    "lines",
    "standard_geometry",
]

# The marks of the values 1, 2, … in text. Puzzles with nine values use only digits.
SYMBOLS = "123456789ABCDEFGHIJKLMNOP"

SMALLEST, LARGEST = 4, len(SYMBOLS)  # values of a board


@dataclass(frozen=True, slots=True)
class Unit:
    """Cells that must all differ. `kind` is "row", "column", "box" or the name of an extra unit;
    `index` counts from 1 within its kind. An extra unit may have fewer cells than the board has
    values; then it need not contain every value.
    """

    kind: str
    index: int
    cells: tuple[int, ...]

    @property
    def name(self) -> str:
        return f"{self.kind} {self.index}"


@dataclass(frozen=True)
class Geometry:
    """The board without its givens: `size` values, size × size cells and the units of them. Two
    geometries are equal if size and units are. `box` is (rows, columns) of a box, or None if the
    regions are not rectangles or there are none. `undoku.solver.problem.variants` makes boards
    other than the standard one.

    Raises PuzzleError when the size is not 4 to 25, when a cell is in no unit, or when a unit has
    a cell off the board, a cell twice or more cells than there are values.
    """

    size: int
    units: tuple[Unit, ...] = field(repr=False)
    box: tuple[int, int] | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        _check_size(self.size)
        covered: set[int] = set()
        for unit in self.units:
            if len(set(unit.cells)) != len(unit.cells):
                raise PuzzleError(f"{unit.name} has a cell twice")
            if len(unit.cells) > self.size:
                raise PuzzleError(
                    f"{unit.name} has {len(unit.cells)} cells, but only {self.size} values "
                    "can differ"
                )
            covered.update(unit.cells)
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
        return hash((self.size, tuple(unit.cells for unit in self.units)))

    @property
    def cells(self) -> int:
        return self.size * self.size

    @cached_property
    def units_of(self) -> tuple[tuple[int, ...], ...]:
        """For each cell the numbers of its units, ascending."""
        of_cell: list[list[int]] = [[] for _ in range(self.cells)]
        for number, unit in enumerate(self.units):
            for cell in unit.cells:
                of_cell[cell].append(number)
        return tuple(map(tuple, of_cell))

    @cached_property
    def cell_units(self) -> NDArray[np.int16]:
        """(cells, k) int16: the units of each cell. A cell in fewer than k units repeats one of
        them, which is harmless where the units are combined into a set."""
        widest = max(map(len, self.units_of))
        table = np.empty((self.cells, widest), np.int16)
        for cell, units in enumerate(self.units_of):
            table[cell] = units + units[:1] * (widest - len(units))
        return table

    @cached_property
    def peers(self) -> tuple[tuple[int, ...], ...]:
        """For each cell the other cells that share a unit with it, ascending."""
        together: list[set[int]] = [set() for _ in range(self.cells)]
        for unit in self.units:
            for cell in unit.cells:
                together[cell].update(unit.cells)
        return tuple(tuple(sorted(cells - {cell})) for cell, cells in enumerate(together))

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

    @property
    def side(self) -> int:
        """The width and the height of the board in cells."""
        return self.size

    def position(self, cell: int) -> tuple[int, int]:
        """(row, column) of a cell on the board, from 0."""
        return divmod(cell, self.side)

    def neighbours(self, cell: int) -> tuple[int, int, int, int]:
        """The cells on the left, above, on the right and below, -1 beyond the edge."""
        row, column = self.position(cell)
        last = self.side - 1
        return (
            cell - 1 if column else -1,
            cell - self.side if row else -1,
            cell + 1 if column < last else -1,
            cell + self.side if row < last else -1,
        )

    def cell_name(self, cell: int) -> str:
        """The usual name of a cell: "r2c5", both numbers from 1."""
        row, column = self.position(cell)
        return f"r{row + 1}c{column + 1}"


def _check_size(size: int) -> None:
    if not SMALLEST <= size <= LARGEST:
        raise PuzzleError(
            f"size {size} is out of range: a board has {SMALLEST} to {LARGEST} values"
        )


def box_shape(size: int) -> tuple[int, int]:
    """The usual box (rows, columns) of a board of this size: the shape nearest to a square, wider
    than high. Raises PuzzleError for a size outside 4..25, and for a prime, which has no boxes.
    """
    _check_size(size)
    for rows in range(int(size**0.5), 1, -1):
        if size % rows == 0:
            return rows, size // rows
    raise PuzzleError(f"a board of size {size} has no rectangular boxes")


@lru_cache(maxsize=32)
def standard_geometry(size: int = 9, box: tuple[int, int] | None = None) -> Geometry:
    """Rows, columns and rectangular boxes.

    `size` 4..25; `box` is (rows, columns), by default `box_shape(size)`. Raises PuzzleError.
    """
    _check_size(size)
    height, width = box or box_shape(size)
    if height * width != size or height < 1:
        raise PuzzleError(f"boxes of {height}×{width} cells don't fit a board of size {size}")
    boxes = []
    for b in range(size):
        top, left = b // (size // width) * height, b % (size // width) * width
        cells = ((top + r) * size + left + c for r in range(height) for c in range(width))
        boxes.append(Unit("box", b + 1, tuple(cells)))
    return Geometry(size, (*lines(size), *boxes), (height, width))


def lines(size: int) -> tuple[Unit, ...]:
    """The rows of a board, then its columns. Raises PuzzleError for a size outside 4..25."""
    _check_size(size)
    span = range(size)
    rows = (Unit("row", r + 1, tuple(r * size + c for c in span)) for r in span)
    columns = (Unit("column", c + 1, tuple(r * size + c for r in span)) for c in span)
    return (*rows, *columns)


def find_clash(givens: Sequence[int], geometry: Geometry) -> tuple[Unit, int, int] | None:
    """A unit with two equal givens and these two cells, or None: the first clash in reading order.

    `givens` holds one value per cell, 0 where a cell is empty.
    """
    used = [0] * len(geometry.units)
    for cell, value in enumerate(givens):
        if value:
            bit = 1 << value
            for number in geometry.units_of[cell]:
                if used[number] & bit:
                    unit = geometry.units[number]
                    first = min(c for c in unit.cells if c < cell and givens[c] == value)
                    return unit, first, cell
                used[number] |= bit
    return None


@dataclass(frozen=True)
class Puzzle:
    """Givens on a geometry. `givens` holds one value per cell, row by row, 0 for empty cells.
    Raises PuzzleError if the number of values is wrong, a value is out of range, or two equal
    givens share a unit.
    """

    givens: tuple[int, ...]
    geometry: Geometry = field(default_factory=standard_geometry)
    title: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        geometry = self.geometry
        if len(self.givens) != geometry.cells:
            raise PuzzleError(
                f"{len(self.givens)} cells, but a board of size {geometry.size} has "
                f"{geometry.cells}"
            )
        if min(self.givens) < 0 or max(self.givens) > geometry.size:
            outside = (k for k, value in enumerate(self.givens) if not 0 <= value <= geometry.size)
            cell = next(outside)
            raise PuzzleError(
                f"{geometry.cell_name(cell)} holds {self.givens[cell]}, but values go from 1 to "
                f"{geometry.size}"
            )
        if clash := find_clash(self.givens, geometry):
            unit, first, second = clash
            raise PuzzleError(
                f"{geometry.cell_name(first)} and {geometry.cell_name(second)} both hold "
                f"{SYMBOLS[self.givens[first] - 1]}, but {unit.name} may hold it only once",
                remedy="correct one of the two givens",
            )

    @property
    def size(self) -> int:
        return self.geometry.size

    @cached_property
    def board(self) -> NDArray[np.uint8]:
        """(cells,) uint8, read-only: the givens, 0 where a cell is empty."""
        board = np.array(self.givens, np.uint8)
        board.setflags(write=False)
        return board

    @cached_property
    def empty_cells(self) -> tuple[int, ...]:
        return tuple(cell for cell, value in enumerate(self.givens) if not value)

    def __str__(self) -> str:
        """One line, `.` where a cell is empty."""
        return "".join(SYMBOLS[value - 1] if value else "." for value in self.givens)
