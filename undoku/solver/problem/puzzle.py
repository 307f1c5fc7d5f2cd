"""The puzzle: a problem with givens; boards of rows and columns."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from html import escape
from itertools import product

import numpy as np
from numpy.typing import NDArray

from undoku.errors import PuzzleError
from undoku.solver.problem.appearance import SYMBOLS, Form, Variable, symbols_of
from undoku.solver.problem.problem import Problem, Unit

SMALLEST, LARGEST = 4, len(SYMBOLS)  # values of a board


@dataclass(frozen=True)
class Geometry(Problem):
    """A board of rows and columns: `size` values, size × size cells, called "r2c5", from 1
    on, and the units of them. Two geometries are equal if size and units are. `box` is (rows,
    columns) of a box, or None if the regions are not rectangles or there are none.
    `undoku.solver.problem.variants` makes boards other than the standard one.

    Raises PuzzleError when the size is not 4 to 25, and as `Problem` does.
    """

    box: tuple[int, int] | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        _check_size(self.size)
        places = product(range(self.size), repeat=2)
        cells = tuple(Variable(f"r{row + 1}c{column + 1}", (row, column)) for row, column in places)
        object.__setattr__(self, "variables", cells)
        super().__post_init__()

    __hash__ = Problem.__hash__


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
    if box := usual_box(size):
        return box
    raise PuzzleError(
        f"a board of size {size} has no rectangular boxes",
        remedy='say "box: none" for a Latin square, or give "regions:"',
    )


def usual_box(size: int) -> tuple[int, int] | None:
    """As `box_shape`; None for a size without boxes."""
    for rows in range(int(size**0.5), 1, -1):
        if size % rows == 0:
            return rows, size // rows
    return None


@lru_cache(maxsize=32)
def standard_geometry(size: int = 9, box: tuple[int, int] | None = None) -> Geometry:
    """Rows, columns and rectangular boxes.

    `size` 4..25; `box` is (rows, columns), by default `box_shape(size)`. Raises PuzzleError.

    >>> len(undoku.standard_geometry(6, (2, 3)).units)
    18
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


@dataclass(frozen=True)
class Puzzle:
    """Givens on a problem, by default a standard board. `givens` holds one value per cell, 0 for
    empty cells. Raises PuzzleError if the number of values is wrong, a value is out of range, or
    two givens exclude each other.
    """

    givens: tuple[int, ...]
    problem: Problem = field(default_factory=standard_geometry)
    title: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        problem = self.problem
        if len(self.givens) != problem.cells:
            raise PuzzleError(
                f"{len(self.givens)} cells, but a board of size {problem.size} has {problem.cells}"
            )
        for cell, value in enumerate(self.givens):
            if not 0 <= value <= problem.size:
                raise PuzzleError(
                    f"{problem.cell_name(cell)} holds {value}, but values go from 1 to "
                    f"{problem.size}"
                )
        if conflict := problem.conflict(self.givens):
            raise PuzzleError(conflict, remedy="correct one of the two givens")

    @property
    def size(self) -> int:
        return self.problem.size

    @cached_property
    def board(self) -> NDArray[np.uint8]:
        """(cells,) uint8, read-only: the givens, 0 where a cell is empty."""
        board = np.array(self.givens, np.uint8)
        board.setflags(write=False)
        return board

    @cached_property
    def empty_cells(self) -> tuple[int, ...]:
        return tuple(cell for cell, value in enumerate(self.givens) if not value)

    def __repr__(self) -> str:
        problem, look = self.problem, self.problem.appearance
        title = f" {self.title!r}:" if self.title else ""
        size, board = f"{problem.cells} {look.variable}s, {problem.size} values", ""
        if look.form is Form.GRID:
            size, board = "{}×{}".format(*problem.extent), f": {self}" if self.size <= 9 else ""
        givens = problem.cells - len(self.empty_cells)
        return f"<puzzle{title} {size}, {givens} given{'s' * (givens != 1)}{board}>"

    def _repr_html_(self) -> str | None:
        """The board as a table, in a notebook; None if it has no rows and columns."""
        problem = self.problem
        if problem.appearance.form is not Form.GRID:
            return None
        cells = {problem.position(cell): cell for cell in range(problem.cells)}
        regions = {at: problem.region_of[cell] for at, cell in cells.items()}
        rows, columns = problem.extent

        def shown(row: int, column: int) -> str:
            own = row, column
            if own not in cells:
                return "<td></td>"
            around = (row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)
            widths = " ".join("1px" if regions.get(at) == regions[own] else "3px" for at in around)
            value = self.givens[cells[own]]
            mark = escape(problem.appearance.value_name(value)) if value else ""
            style = f"border: solid; border-width: {widths}; min-width: 1.2em; text-align: center"
            return f'<td style="{style}">{mark}</td>'

        lines = ("".join(shown(row, column) for column in range(columns)) for row in range(rows))
        table = "".join(f'<tr style="height: 1.8em">{line}</tr>' for line in lines)
        return f'<table style="border-collapse: collapse">{table}</table>'

    def __str__(self) -> str:
        """One line, `.` where a cell is empty."""
        return symbols_of(self.givens)
