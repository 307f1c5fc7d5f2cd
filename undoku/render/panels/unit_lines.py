"""The units on an empty board: lines, tinted cells, cages and tabs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from undoku.render.draw.cell_look import USUAL_VALUES, CellKind, CellLook
from undoku.render.draw.unit_marks import LEVELS_OF_CAGES
from undoku.solver.problem.puzzle import Geometry, Puzzle, Unit

__all__ = ["edges", "ground_looks"]

_LINED = ("row", "column", "box", "region", "diagonal")
"""The kinds of units that are shown by the lines of the board."""

_MAX_SLOTS = 25


def edges(geometry: Geometry) -> list[tuple[bool, bool]]:
    """For each cell, whether the line on its left and the one above it are strong: at the border
    of the board and between two boxes or regions."""
    box_of = [0] * geometry.cells
    for unit in geometry.units:
        if unit.kind in ("box", "region"):
            for cell in unit.cells:
                box_of[cell] = unit.index
    strong = []
    for cell in range(geometry.cells):
        left, above, _, _ = geometry.neighbours(cell)
        own = box_of[cell]
        strong.append((left < 0 or box_of[left] != own, above < 0 or box_of[above] != own))
    return strong


def ground_looks(puzzle: Puzzle) -> list[CellLook]:
    """Each cell's look before the first step: the marks of its units, its given.

    The cells of diagonals, and of other connected extra units, are tinted. Units that touch others
    also have outlines, and scattered units have tabs, because a tint does not show which cells
    belong together."""
    geometry = puzzle.geometry
    extra = [unit for unit in geometry.units if unit.kind not in _LINED]
    tinted = [unit for unit in extra if _is_connected(unit.cells, geometry)]
    scattered = [unit for unit in extra if not _is_connected(unit.cells, geometry)]
    diagonals = [unit for unit in geometry.units if unit.kind == "diagonal"]
    if len(scattered) == 1 and not tinted and not diagonals:
        tinted, scattered = scattered, []
    cages = [0] * geometry.cells
    taken: list[set[int]] = [set() for _ in range(LEVELS_OF_CAGES)]
    for unit in tinted:
        others = (other.cells for other in [*tinted, *diagonals] if other is not unit)
        if not _touches(unit.cells, {cell for cells in others for cell in cells}, geometry):
            continue
        level = next((n for n, cells in enumerate(taken) if not cells & {*unit.cells}), -1)
        if level < 0:
            scattered.append(unit)
            continue
        taken[level] |= {*unit.cells}
        for cell, sides in _outline(unit.cells, geometry):
            cages[cell] |= sides << (4 * level)
    shaded = {cell for unit in [*tinted, *diagonals] for cell in unit.cells}
    slots = min(_MAX_SLOTS, max(len(scattered), 3)) if scattered else 0
    tabs = _tabs(scattered, geometry.cells, slots)
    return [
        CellLook(
            CellKind.GIVEN if value else CellKind.EMPTY,
            value,
            left=left,
            top=top,
            extra=cell in shaded,
            cages=cages[cell],
            slots=slots if tabs[cell] else 0,
            tabs=tabs[cell],
            values=0 if puzzle.size == USUAL_VALUES else puzzle.size,
        )
        for cell, (value, (left, top)) in enumerate(
            zip(puzzle.givens, edges(geometry), strict=True)
        )
    ]


def _is_connected(cells: Sequence[int], geometry: Geometry) -> bool:
    """Whether all cells are connected by their sides."""
    members, reached = {*cells}, [cells[0]]
    left = members - {cells[0]}
    for cell in reached:
        for beside in geometry.neighbours(cell):
            if beside in left:
                left.remove(beside)
                reached.append(beside)
    return not left


def _touches(cells: Sequence[int], others: set[int], geometry: Geometry) -> bool:
    """Whether a unit shares cells with `others`, or is adjacent to one."""
    return any(
        cell in others or any(beside in others for beside in geometry.neighbours(cell))
        for cell in cells
    )


def _outline(cells: Sequence[int], geometry: Geometry) -> Iterable[tuple[int, int]]:
    """(cell, sides) of each cell: the sides on which the unit ends, as in `CellLook.cages`."""
    members = {*cells}
    for cell in cells:
        sides = enumerate(geometry.neighbours(cell))
        yield cell, sum(1 << side for side, beside in sides if beside not in members)


def _tabs(units: Sequence[Unit], cells: int, slots: int) -> list[int]:
    """For each cell the slots of its `units`; if there are more units than slots, some share
    one."""
    found = [0] * cells
    for number, unit in enumerate(units):
        for cell in unit.cells:
            found[cell] |= 1 << number % slots
    return found
