"""Strategies: which cell is tried next, and its values in which order."""

from __future__ import annotations

import difflib
from dataclasses import dataclass

from solver.errors import StrategyError

__all__ = ["CELL_ORDERS", "CellOrder", "Strategy"]


@dataclass(frozen=True, slots=True)
class CellOrder:
    """A way to choose the next cell: its name, one sentence, and where it comes from."""

    name: str
    sentence: str
    source: str


CELL_ORDERS: dict[str, CellOrder] = {
    order.name: order
    for order in (
        CellOrder(
            "row-major",
            "Takes the empty cells in reading order.",
            "the textbook backtracker",
        ),
        CellOrder(
            "mrv",
            "Takes the cell with the fewest candidates; ties go to the lowest cell.",
            "Haralick and Elliott 1980, fail first",
        ),
    )
}


@dataclass(frozen=True, slots=True)
class Strategy:
    """How a search chooses. Its text is what a person says and a manifest holds."""

    cells: str

    @classmethod
    def parse(cls, text: str) -> Strategy:
        """Read a spec such as "mrv". Raises StrategyError naming the nearest known one."""
        name = text.strip().lower()
        if name in CELL_ORDERS:
            return cls(name)
        near = difflib.get_close_matches(name, CELL_ORDERS, 1)
        raise StrategyError(
            f"there is no strategy {text!r}",
            remedy=f"did you mean {near[0]}?" if near else "known: " + ", ".join(CELL_ORDERS),
        )

    @classmethod
    def of(cls, strategy: Strategy | str) -> Strategy:
        return strategy if isinstance(strategy, Strategy) else cls.parse(strategy)

    def __str__(self) -> str:
        return self.cells
