"""What a problem looks like: places, lines and marks of its cells, glyphs of its values, nouns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from undoku.render.draw.canvas import Rect
from undoku.render.draw.cell_look import USUAL_VALUES, CellKind, CellLook
from undoku.render.draw.unit_marks import LEVELS_OF_CAGES
from undoku.solver.problem.appearance import SYMBOLS
from undoku.solver.problem.problem import Problem, Unit
from undoku.texts.wording import cell_name, unit_text

_USUAL = ("row", "column", "box", "region")
_LINED = (*_USUAL, "diagonal")
"""The kinds of units that are shown by the lines of the board."""

_MAX_SLOTS = 25


def glyph(value: int) -> str:
    """The glyph of a value, from 1."""
    return SYMBOLS[value - 1]


@dataclass(frozen=True)
class Look:
    """The look of a problem, for panels, charts, documents, sentences and pages."""

    problem: Problem

    @property
    def glyphs(self) -> str:
        """The glyph of each value, from value 1 on."""
        return SYMBOLS[: self.problem.size]

    def cell_name(self, cell: int) -> str:
        """ "row 2, column 5", in the current language."""
        return cell_name(self.problem, cell)

    def squares(self, x: int, y: int, side: int) -> list[Rect]:
        """The square of each cell, `side` pixels wide, on a board whose upper left corner is
        (x, y)."""
        places = map(self.problem.position, range(self.problem.cells))
        return [Rect(x + column * side, y + row * side, side, side) for row, column in places]

    def strong_lines(self) -> list[tuple[bool, bool]]:
        """For each cell, whether the line on its left and the one above it are strong: at the
        border of the board and between two boxes or regions."""
        region_of = self.problem.region_of.tolist()
        strong = []
        for cell, own in enumerate(region_of):
            left, above, _, _ = self.problem.neighbours(cell)
            strong.append(
                (left < 0 or region_of[left] != own, above < 0 or region_of[above] != own)
            )
        return strong

    def backgrounds(self, givens: Sequence[int]) -> list[CellLook]:
        """Each cell's look before the first step: the marks of its units, its given (0: none).

        The cells of diagonals, and of other connected extra units, are tinted. Units that touch
        others also have outlines, and scattered units have tabs, because a tint does not show
        which cells belong together."""
        problem = self.problem
        extra = [unit for unit in problem.units if unit.kind not in _LINED]
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
                values=0 if problem.size == USUAL_VALUES else problem.size,
            )
            for cell, (value, (left, top)) in enumerate(
                zip(givens, self.strong_lines(), strict=True)
            )
        ]

    def content(self, givens: str) -> dict[str, Any]:
        """The look of a board with these givens as plain objects, for the JSON of a page."""
        problem = self.problem
        extra = {c for unit in problem.units if unit.kind not in _USUAL for c in unit.cells}
        return {
            "size": problem.size,
            "symbols": self.glyphs,
            "givens": givens,
            "units": [
                {"cells": list(unit.cells), "name": unit_text(unit), "key": unit.name}
                for unit in problem.units
            ],
            "regions": problem.region_of.tolist(),
            "extra": sorted(extra),
        }

    def _is_connected(self, cells: Sequence[int]) -> bool:
        """Whether all cells are connected by their sides."""
        reached = [cells[0]]
        left = {*cells[1:]}
        for cell in reached:
            for beside in left.intersection(self.problem.neighbours(cell)):
                left.remove(beside)
                reached.append(beside)
        return not left

    def _touches(self, cells: Sequence[int], others: set[int]) -> bool:
        """Whether a unit shares cells with `others`, or is adjacent to one."""
        return any(others & {cell, *self.problem.neighbours(cell)} for cell in cells)

    def _outline(self, cells: Sequence[int]) -> Iterable[tuple[int, int]]:
        """(cell, sides) of each cell: the sides on which the unit ends, as in `CellLook.cages`."""
        for cell in cells:
            sides = enumerate(self.problem.neighbours(cell))
            yield cell, sum(1 << side for side, beside in sides if beside not in cells)


def _tabs(units: Sequence[Unit], cells: int, slots: int) -> list[int]:
    """For each cell the slots of its `units`; if there are more units than slots, some share
    one."""
    tabs = [0] * cells
    for number, unit in enumerate(units):
        for cell in unit.cells:
            tabs[cell] |= 1 << number % slots
    return tabs
