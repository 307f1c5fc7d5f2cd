"""What a plain search guesses next, and in which order: cell orders and value orders."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from random import Random
from typing import NamedTuple

from tests.support.plain_search.random_numbers import XorShift
from tests.support.plain_search.state import PlainState
from undoku.solver.search.dynamic_orders import register_of

__all__ = ["CELL_ORDERS", "VALUE_ORDERS", "Choice", "ChooseCell", "Option", "OrderValues", "names"]

Option = tuple[int, int]
"""Cell, value."""


class Choice(NamedTuple):
    """A cell to fill, or a value that a unit needs: then `unit` is its number, else -1."""

    cell: int
    unit: int = -1
    value: int = 0


ChooseCell = Callable[[PlainState], Choice]
OrderValues = Callable[[PlainState, list[Option]], list[Option]]


def listed(order: Sequence[int]) -> ChooseCell:
    """The first empty cell of an order fixed in advance."""
    return lambda state: Choice(next(cell for cell in order if not state.board[cell]))


def row_major(state: PlainState, seed: int) -> ChooseCell:
    return listed(range(len(state.board)))


def column_major(state: PlainState, seed: int) -> ChooseCell:
    size = state.size
    return listed([row * size + column for column in range(size) for row in range(size)])


def box_major(state: PlainState, seed: int) -> ChooseCell:
    """Box by box, or region by region; cells without one come last, in reading order."""
    kinds = ("box", "region")
    boxes = [unit.cells for unit in state.geometry.units if unit.kind in kinds]
    inside = [cell for box in boxes for cell in sorted(box)]
    return listed(inside + [c for c in range(len(state.board)) if c not in inside])


def spiral(state: PlainState, seed: int) -> ChooseCell:
    """Straight on, and to the right where the board ends or has been walked."""
    walked: list[int] = []
    row, column, down, right = 0, 0, 0, 1
    while len(walked) < len(state.board):
        walked.append(row * state.size + column)
        for _ in range(2):
            ahead = (row + down, column + right)
            inside = min(ahead) >= 0 and max(ahead) < state.size
            if inside and ahead[0] * state.size + ahead[1] not in walked:
                break
            down, right = right, -down
        row, column = row + down, column + right
    return listed(walked)


def random_order(state: PlainState, seed: int) -> ChooseCell:
    """Python's own generator shuffles the empty cells."""
    empty = state.empty
    Random(seed).shuffle(empty)
    return listed(empty)


def static(state: PlainState, seed: int) -> ChooseCell:
    """By the candidates in the puzzle as it is given."""
    return listed(sorted(state.empty, key=lambda cell: (len(state.candidates[cell]), cell)))


def mrv(state: PlainState, seed: int) -> ChooseCell:
    """Haralick and Elliott 1980."""
    return lambda state: Choice(min(state.empty, key=lambda cell: len(state.candidates[cell])))


def most(state: PlainState, seed: int) -> ChooseCell:
    return lambda state: Choice(max(state.empty, key=lambda cell: len(state.candidates[cell])))


def mrv_random(state: PlainState, seed: int) -> ChooseCell:
    """Gomes, Selman and Kautz 1998: one number is drawn for each choice."""
    dice = XorShift(register_of(seed))

    def choose(state: PlainState) -> Choice:
        least = min(len(state.candidates[cell]) for cell in state.empty)
        equals = [cell for cell in state.empty if len(state.candidates[cell]) == least]
        return Choice(equals[dice.below(len(equals))])

    return choose


def bivalue(state: PlainState, seed: int) -> ChooseCell:
    def choose(state: PlainState) -> Choice:
        two = [cell for cell in state.empty if len(state.candidates[cell]) <= 2]
        return Choice((two or state.empty)[0])

    return choose


def mrv_degree(state: PlainState, seed: int) -> ChooseCell:
    """Brélaz 1979: saturation, then the degree among the nodes that have no colour yet."""

    def rank(state: PlainState, cell: int) -> tuple[int, int]:
        degree = sum(not state.board[peer] for peer in state.geometry.peers[cell])
        return len(state.candidates[cell]), -degree

    return lambda state: Choice(min(state.empty, key=lambda cell: rank(state, cell)))


def dom_wdeg(state: PlainState, seed: int) -> ChooseCell:
    """Boussemart, Hemery, Lecoutre and Sais 2004."""

    def quotient(state: PlainState, cell: int) -> Fraction:
        weight = sum(
            state.weights[number]
            for number in state.geometry.units_of[cell]
            if any(other != cell and not state.board[other] for other in state.units[number])
        )
        return Fraction(len(state.candidates[cell]), max(weight, 1))

    return lambda state: Choice(min(state.empty, key=lambda cell: quotient(state, cell)))


def activity(state: PlainState, seed: int) -> ChooseCell:
    """Michel and Van Hentenryck 2012."""

    def choose(state: PlainState) -> Choice:
        for cell in state.empty:
            if not state.candidates[cell]:
                return Choice(cell)
        best = state.empty[0]
        for cell in state.empty:
            # Products and not quotients: those of equal cells are equal to the last bit.
            ours = state.activity[cell] * len(state.candidates[best])
            if ours > state.activity[best] * len(state.candidates[cell]):
                best = cell
        return Choice(best)

    return choose


def exact_cover(state: PlainState, seed: int) -> ChooseCell:
    """Knuth 2000: the item with the fewest options, the first of several."""

    def choose(state: PlainState) -> Choice:
        items = [(len(state.candidates[cell]), Choice(cell)) for cell in state.empty]
        for unit, cells in enumerate(state.units):
            held = {state.board[cell] for cell in cells}
            for value in state.all:
                if len(cells) == state.size and value not in held:
                    count = sum(value in state.candidates[cell] for cell in cells)
                    items.append((count, Choice(-1, unit, value)))
        return min(items, key=lambda item: item[0])[1]

    return choose


CELL_ORDERS: dict[str, Callable[[PlainState, int], ChooseCell]] = {
    "row-major": row_major,
    "column-major": column_major,
    "box-major": box_major,
    "spiral": spiral,
    "random": random_order,
    "static": static,
    "mrv": mrv,
    "mrv-random": mrv_random,
    "bivalue": bivalue,
    "mrv-degree": mrv_degree,
    "dom-wdeg": dom_wdeg,
    "activity": activity,
    "most": most,
    "exact-cover": exact_cover,
}
"""By the part's name, of the board at the start and the seed."""


def as_they_come(seed: int) -> OrderValues:
    return lambda state, options: options


def shuffled(seed: int) -> OrderValues:
    """The last is exchanged with the one drawn, then the last but one, down to the second."""
    dice = XorShift(register_of(seed))

    def order(state: PlainState, options: list[Option]) -> list[Option]:
        for last in range(len(options) - 1, 0, -1):
            other = dice.below(last + 1)
            options[last], options[other] = options[other], options[last]
        return options

    return order


def _lost(state: PlainState, option: Option) -> int:
    """How many candidates an option takes from the empty peers."""
    cell, value = option
    peers = (peer for peer in state.geometry.peers[cell] if not state.board[peer])
    return sum(value in state.candidates[peer] for peer in peers)


def lcv(seed: int) -> OrderValues:
    return lambda state, options: sorted(options, key=lambda option: _lost(state, option))


def most_constraining(seed: int) -> OrderValues:
    return lambda state, options: sorted(options, key=lambda option: -_lost(state, option))


VALUE_ORDERS: dict[str, Callable[[int], OrderValues]] = {
    "ascending": as_they_come,
    "descending": as_they_come,
    "random": as_they_come,
    "shuffled": shuffled,
    "lcv": lcv,
    "most-constraining": most_constraining,
}
"""By the part's name, of the seed. Some only rename values: see `names`."""


def names(order: str, seed: int, size: int) -> list[int]:
    """What the search's own values 1, 2, … stand for."""
    values = list(range(1, size + 1))
    if order == "descending":
        values.reverse()
    elif order == "random":
        Random(seed).shuffle(values)
    return values
