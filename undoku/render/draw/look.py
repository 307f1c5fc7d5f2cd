"""What a problem looks like: places, lines and marks of its cells, marks of its values, nouns."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.render.draw.canvas import Rect
from undoku.render.draw.cell_look import USUAL_VALUES, CellKind, CellLook
from undoku.render.draw.colour_space import named_colours
from undoku.render.draw.unit_marks import LEVELS_OF_CAGES, strong_width
from undoku.solver.problem.appearance import SYMBOLS, Form
from undoku.solver.problem.problem import Problem, Unit
from undoku.texts import wording as say

_USUAL = ("row", "column", "box", "region")
_LINED = (*_USUAL, "diagonal")
"""The kinds of units that are shown by the lines of the board."""

_MAX_SLOTS = 25

_MAX_MARKED = 200
"""The maximum number of further units that are marked on a board."""

_PIECES = {"queen": "♛", "knight": "♞", "rook": "♜", "king": "♚"}
"""The marks of values that are pieces."""

_COLOURS = say.BLUE, say.PINK, say.CYAN, say.GREY, say.INDIGO
"""The names of the first colours of values."""


class Field(NamedTuple):
    """A square of a board: its cell; the row and the column of its upper left corner, in squares;
    and the value that it stands for, 0 for all."""

    cell: int
    row: float
    column: float
    value: int = 0


@dataclass(frozen=True)
class Look:
    """The look of a problem, for panels, charts, documents, sentences and pages."""

    problem: Problem

    @property
    def form(self) -> Form:
        return self.problem.appearance.form

    def value_name(self, value: int) -> str:
        """The name of a value, from 1, in sentences."""
        appearance = self.problem.appearance
        own = named_colours(appearance.names)
        if appearance.coloured and not own and value <= len(_COLOURS):
            return _COLOURS[value - 1]()
        return appearance.value_name(value)

    @property
    def names(self) -> list[str]:
        """The names of all values."""
        return [self.value_name(value) for value in range(1, self.problem.size + 1)]

    @property
    def symbols(self) -> tuple[str, ...]:
        """The mark of each value on the board."""
        appearance = self.problem.appearance
        if self.form is Form.FIELDS:
            return (_PIECES.get(appearance.value, "●"),) * self.problem.size
        if appearance.coloured:
            return tuple(n if n.isdecimal() else n[:1].upper() for n in self.names)
        names = appearance.names
        if max(map(len, names), default=3) < 3:
            return names
        return tuple(SYMBOLS[: self.problem.size])

    def cell_name(self, cell: int) -> str:
        """ "row 2, column 5", in the current language."""
        return say.cell_name(self.problem, cell)

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """The fields of all cells, in the order of cells."""
        problem, form = self.problem, self.form
        if form is Form.NODES and not problem.appearance.placed:
            places: Sequence[tuple[float, float]] = _spread(problem)
        else:
            places = [problem.position(cell) for cell in range(problem.cells)]
        found = []
        for cell, place in enumerate(places):
            squares = problem.variables[cell].fields if problem.variables else ()
            for number, square in enumerate(squares or (place,), 1):
                found.append(Field(cell, *square, number if form is Form.FIELDS else 0))
        return tuple(found)

    @property
    def side(self) -> int:
        """The width and the height of the board in squares."""
        return round(max(self._extent) + 0.49)

    @cached_property
    def _extent(self) -> tuple[float, float]:
        """The rows and columns that the fields cover."""
        rows, columns = ([field[axis] for field in self.fields] for axis in (1, 2))
        return max(rows) - min(rows) + 1, max(columns) - min(columns) + 1

    def squares(self, x: int, y: int, side: int) -> list[Rect]:
        """The square of each field, `side` pixels wide, on a board whose upper left corner is
        (x, y); the fields are in its middle."""
        tops, lefts = ([field[axis] for field in self.fields] for axis in (1, 2))
        height, width = self._extent
        left = x + round((self.side - width) * side / 2)
        top = y + round((self.side - height) * side / 2)
        first, start = min(tops), min(lefts)
        return [
            Rect(
                left + round((field.column - start) * side),
                top + round((field.row - first) * side),
                side,
                side,
            )
            for field in self.fields
        ]

    def closing_lines(self, board: Rect, side: int) -> list[Rect]:
        """The lines on the right of fields and below them where no other field has them, on a
        board with squares of `side` pixels."""
        if self.form is Form.NODES:
            return []
        width, places = strong_width(side), self.squares(board.x, board.y, side)
        taken = {(place.x, place.y) for place in places}
        ends = sorted((each.x, each.y) for each in places if (each.right, each.y) not in taken)
        feet = sorted((each.y, each.x) for each in places if (each.x, each.bottom) not in taken)
        lines = [Rect(x + side, y, width, high + width) for x, y, high in _joined(ends, side)]
        return lines + [
            Rect(x, y + side, wide + width, width) for y, x, wide in _joined(feet, side)
        ]

    def edges(self, board: Rect, side: int) -> list[tuple[float, float, float, float]]:
        """The lines between nodes, from (x0, y0) to (x1, y1), relative to the board's corner."""
        if self.form is not Form.NODES:
            return []
        at = [(place.x + side / 2, place.y + side / 2) for place in self.squares(0, 0, side)]
        return [(*at[one], *at[other]) for one, other in self.problem.edges]

    @cached_property
    def _cell_at(self) -> Mapping[tuple[float, float], int]:
        return {(field.row, field.column): field.cell for field in self.fields}

    def _around(self, field: Field) -> tuple[int, int, int, int]:
        """The cells on the left of a field, above, on the right and below; -1 for none."""
        row, column = field.row, field.column
        places = (row, column - 1), (row - 1, column), (row, column + 1), (row + 1, column)
        left, above, right, below = (self._cell_at.get(place, -1) for place in places)
        return left, above, right, below

    @cached_property
    def neighbours(self) -> tuple[tuple[int, int, int, int], ...]:
        """The cells on the left of each cell of a grid, above, on the right and below; -1 for none,
        and for cells that are not squares."""
        if self.form is not Form.GRID:
            return ((-1, -1, -1, -1),) * self.problem.cells
        return tuple(map(self._around, self.fields))

    def strong_lines(self) -> list[tuple[bool, bool]]:
        """For each field, whether the line on its left and the one above it are strong: at the
        border of the board, and between two boxes or regions."""
        if self.form is Form.NODES:
            return [(False, False)] * len(self.fields)
        part_of = self.problem.region_of.tolist()
        if self.form is Form.REGIONS:
            part_of = [*range(self.problem.cells)]
        elif self.form is Form.FIELDS:
            part_of = [0] * self.problem.cells
        strong = []
        for field in self.fields:
            left, above, _, _ = self._around(field)
            own = part_of[field.cell]
            strong.append((left < 0 or part_of[left] != own, above < 0 or part_of[above] != own))
        return strong

    def backgrounds(self, givens: Sequence[int], *, story: bool = False) -> list[CellLook]:
        """Each field's look before the first step, in a story or not: the marks of its units, its
        given (0: none)."""
        problem, form = self.problem, self.form
        marks = self._unit_marks() if form is Form.GRID else {}
        symbols, coloured = self.symbols, problem.appearance.coloured
        edges: dict[int, list[int]] = defaultdict(list)
        for one, other in problem.edges if form is Form.NODES else ():
            edges[one].append(other)
            edges[other].append(one)
        looks = []
        for field, (left, top) in zip(self.fields, self.strong_lines(), strict=True):
            cell, value = field.cell, givens[field.cell]
            if field.value and value != field.value:
                value = 0
            around, place = self._around(field), problem.position(cell)
            sides = sum(1 << side for side, beside in enumerate(around) if beside != cell)
            if form is Form.NODES:  # a disc has none
                sides = 0
            own = self.fields[cell]
            dark = form is Form.FIELDS and (field.row + field.column) % 2 == 1
            looks.append(
                CellLook(
                    CellKind.GIVEN if value else CellKind.EMPTY,
                    value,
                    left=left,
                    top=top,
                    values=0 if problem.size == USUAL_VALUES else problem.size,
                    story=story,
                    form=form,
                    symbols=symbols,
                    coloured=coloured,
                    place=field.value,
                    bare=form is Form.REGIONS and place != (field.row, field.column),
                    sides=sides,
                    edges=tuple(
                        (self.fields[end].column - own.column, self.fields[end].row - own.row)
                        for end in edges[cell]
                    ),
                    text=self._texts[cell],
                    **marks.get(cell, {"extra": dark}),
                )
            )
        return looks

    @cached_property
    def _texts(self) -> Sequence[str]:
        """What empty cells show: short names of regions and nodes if nothing else is known."""
        problem = self.problem
        names = [problem.cell_name(cell) for cell in range(problem.cells)]
        short = self.form in (Form.REGIONS, Form.NODES) and max(map(len, names)) < 4
        return problem.appearance.texts or (names if short else [""] * problem.cells)

    def _unit_marks(self) -> Mapping[int, dict[str, Any]]:
        """The marks of the cells of further units, as in `CellLook`.

        The cells of diagonals, and of other connected extra units, are tinted. Units that touch
        others also have outlines, and scattered units have tabs, because a tint does not show
        which cells belong together."""
        problem = self.problem
        extra = [
            unit
            for unit in problem.units
            if unit.kind not in _LINED and not unit.shifts and len(unit.cells) > 1
        ]
        if len(extra) > _MAX_MARKED:
            extra = []
        tinted = [unit for unit in extra if self._is_connected(unit.cells)]
        scattered = [unit for unit in extra if unit not in tinted]
        diagonals = [unit for unit in problem.units if unit.kind == "diagonal"]
        if len(scattered) == 1 and not tinted and not diagonals:
            tinted, scattered = scattered, []
        cages = [0] * problem.cells
        taken: list[set[int]] = [set() for _ in range(LEVELS_OF_CAGES)]
        for unit in tinted:
            others = (other.cells for other in [*tinted, *diagonals] if other is not unit)
            if not self._touches(unit.cells, {cell for cells in others for cell in cells}):
                continue
            level = next((n for n, cells in enumerate(taken) if not cells & {*unit.cells}), -1)
            if level < 0:
                scattered.append(unit)
                continue
            taken[level] |= {*unit.cells}
            for cell, sides in self._outline(unit.cells):
                cages[cell] |= sides << (4 * level)
        shaded = {cell for unit in [*tinted, *diagonals] for cell in unit.cells}
        slots = min(_MAX_SLOTS, max(len(scattered), 3)) if scattered else 0
        tabs = _tabs(scattered, problem.cells, slots)
        return {
            cell: {
                "extra": cell in shaded,
                "cages": cages[cell],
                "slots": slots if tabs[cell] else 0,
                "tabs": tabs[cell],
            }
            for cell in range(problem.cells)
        }

    def content(self, givens: Sequence[int]) -> dict[str, Any]:
        """The look of a board with these givens as plain objects, for the JSON of a page."""
        problem, unit = self.problem, 1000
        board = Rect(0, 0, self.side * unit, self.side * unit)
        extra = {c for unit in problem.units if unit.kind not in _USUAL for c in unit.cells}
        return {
            "size": problem.size,
            "side": self.side,
            "form": self.form.value,
            "coloured": problem.appearance.coloured,
            "symbols": list(self.symbols),
            "names": self.names,
            "cells": [self.cell_name(cell) for cell in range(problem.cells)],
            "givens": list(givens),
            "domains": list(problem.domains),
            "units": [
                {
                    "cells": list(unit.cells),
                    "shifts": list(unit.shifts),
                    "name": say.unit_text(unit),
                    "key": unit.name,
                }
                for unit in problem.units
            ],
            "fields": self._placed_fields(),
            "edges": [[at / unit for at in edge] for edge in self.edges(board, unit)],
            "extra": sorted(extra) if self.form is Form.GRID else [],
        }

    def _placed_fields(self) -> list[list[Any]]:
        """For each field its cell, row and column on the board, value, whether it is bare, and the
        sides on which its cell ends and those with a strong line."""
        unit, found = 1000, []
        looks = self.backgrounds([0] * self.problem.cells)
        for field, look, square in zip(self.fields, looks, self.squares(0, 0, unit), strict=True):
            around = self._around(field)
            ends = sum(1 << side for side, beside in enumerate(around) if beside < 0)
            strong = look.left | look.top << 1
            strong = strong | ends if self.form is Form.REGIONS else strong & ~ends
            place = square.y / unit, square.x / unit
            found.append([field.cell, *place, field.value, look.bare, look.sides, strong])
        return found

    def _is_connected(self, cells: Sequence[int]) -> bool:
        """Whether all cells are connected by their sides."""
        reached = [cells[0]]
        left = {*cells[1:]}
        for cell in reached:
            for beside in left.intersection(self.neighbours[cell]):
                left.remove(beside)
                reached.append(beside)
        return not left

    def _touches(self, cells: Sequence[int], others: set[int]) -> bool:
        """Whether a unit shares cells with `others`, or is adjacent to one."""
        return any(others & {cell, *self.neighbours[cell]} for cell in cells)

    def _outline(self, cells: Sequence[int]) -> Iterable[tuple[int, int]]:
        """(cell, sides) of each cell: the sides on which the unit ends, as in `CellLook.cages`."""
        for cell in cells:
            sides = enumerate(self.neighbours[cell])
            yield cell, sum(1 << side for side, beside in sides if beside not in cells)


def _tabs(units: Sequence[Unit], cells: int, slots: int) -> list[int]:
    """For each cell the slots of its `units`; if there are more units than slots, some share
    one."""
    tabs = [0] * cells
    for number, unit in enumerate(units):
        for cell in unit.cells:
            tabs[cell] |= 1 << number % slots
    return tabs


def _joined(squares: Iterable[tuple[int, int]], side: int) -> Iterable[tuple[int, int, int]]:
    """Runs of adjacent squares, (line, place) each, ascending, as (line, first place, length)."""
    placed = enumerate(squares)
    for (line, _), run in groupby(placed, lambda each: (each[1][0], each[1][1] - each[0] * side)):
        places = [place for _, (_, place) in run]
        yield line, places[0], places[-1] - places[0] + side


_APART = 1.5
"""The minimum distance of the centres of two nodes, in fields."""


_MAX_PUSHES = 30_000_000
"""The pairs of nodes that are looked at; up to 300 times each, in large graphs less often."""


@lru_cache(maxsize=8)
def _spread(problem: Problem) -> list[tuple[float, float]]:
    """Places of nodes, as (row, column): springs pull neighbours together, and all nodes push each
    other apart, from a circle on. Cached for the next board of the problem."""
    count = problem.cells
    turn = np.arange(count) * 2 * np.pi / count
    at: NDArray[np.float64] = np.stack([-np.cos(turn), np.sin(turn)], axis=1)
    linked, part = np.zeros((count, count, 1)), np.arange(count)
    for one, other in problem.edges:
        linked[one, other] = linked[other, one] = 1
        part[part == part[other]] = part[one]
    # Parts without a path between them would drift apart for ever.
    first, *others = (int(np.argmax(part == number)) for number in dict.fromkeys(part.tolist()))
    for other in others:
        linked[first, other] = linked[other, first] = 1
    usual = 2 / np.sqrt(count)
    for heat in np.linspace(0.2, 0.005, min(300, _MAX_PUSHES // count**2)):
        way = at[:, None] - at[None]
        far = np.maximum(np.hypot(way[..., 0], way[..., 1]), 1e-3)[..., None]
        force = (way / far * (usual**2 / far - linked * far**2 / usual)).sum(1)
        strength = np.maximum(np.hypot(force[:, 0], force[:, 1]), 1e-9)[:, None]
        at += force / strength * np.minimum(strength, heat)
    apart = np.hypot(*(at[:, None] - at[None]).transpose(2, 0, 1)) + 9 * np.eye(count)
    most = 3 * np.sqrt(count) / np.ptp(at, axis=0).max() if count > 1 else 1.0
    at = (at - at.min(0)) * min(_APART / apart.min(), max(3.0, most))
    return [(row, column) for row, column in at.round(3).tolist()]
