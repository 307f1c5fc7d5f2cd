"""What a plain search guesses next, and in which order: cell orders and value orders; random
numbers and lengths of runs, as published."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random
from typing import Any, NamedTuple

from tests.support.plain_search.state import PlainState
from undoku.solver.search.dynamic_orders import register_of

Option = tuple[int, int]
"""Cell, value."""


class Choice(NamedTuple):
    """A cell to fill, or a value that a unit needs: then `unit` is its number, else -1."""

    cell: int
    unit: int = -1
    value: int = 0


class Dice:
    """Marsaglia 2003, 32 bits, shifts 13, 17, 5; a number below n is the register times n, divided
    by 2^32."""

    def __init__(self, seed: int) -> None:
        self.register = register_of(seed)

    def below(self, count: int) -> int:
        x = self.register
        x ^= (x << 13) % 2**32
        x ^= x >> 17
        x ^= (x << 5) % 2**32
        self.register = x
        return x * count // 2**32


def luby_sequence() -> Iterator[int]:
    """Luby, Sinclair and Zuckerman 1993: every second time that 2^k has been said twice as many
    times as needed, 2^(k + 1) is said once. (Knuth's reluctant doubling.)"""
    u, v = 1, 1
    while True:
        yield v
        u, v = (u + 1, 1) if u & -u == v else (u, 2 * v)


def row_major(state: PlainState, seed: int) -> list[int]:
    return list(range(len(state.board)))


def column_major(state: PlainState, seed: int) -> list[int]:
    return sorted(range(len(state.board)), key=lambda cell: divmod(cell, state.size)[::-1])


def box_major(state: PlainState, seed: int) -> list[int]:
    """Box by box, or region by region; cells without one come last, in reading order."""
    boxes = [unit for unit in state.problem.units if unit.kind in ("box", "region")]
    inside = [cell for box in boxes for cell in sorted(box.cells)]
    return inside + [cell for cell in range(len(state.board)) if cell not in inside]


def spiral(state: PlainState, seed: int) -> list[int]:
    """Around the edge of what is left, from its upper left."""
    board = row_major(state, seed)
    rows = [board[start : start + state.size] for start in board[:: state.size]]
    walked: list[int] = []
    while rows:
        walked += rows.pop(0)
        rows = [list(column) for column in zip(*rows, strict=True)][::-1]  # turned to the left
    return walked


def random_order(state: PlainState, seed: int) -> list[int]:
    """Python's own generator shuffles the empty cells."""
    empty = state.empty
    Random(seed).shuffle(empty)
    return empty


def static(state: PlainState, seed: int) -> list[int]:
    """By the candidates in the puzzle as it is given."""
    return sorted(state.empty, key=lambda cell: len(state.candidates[cell]))


FIXED_ORDERS: dict[str, Callable[[PlainState, int], list[int]]] = {
    "row-major": row_major,
    "column-major": column_major,
    "box-major": box_major,
    "spiral": spiral,
    "random": random_order,
    "static": static,
}
"""By the part's name, of the board at the start and the seed: the first empty cell is next."""


def mrv(state: PlainState, cell: int) -> int:
    """Haralick and Elliott 1980."""
    return len(state.candidates[cell])


def most(state: PlainState, cell: int) -> int:
    return -len(state.candidates[cell])


def bivalue(state: PlainState, cell: int) -> bool:
    return len(state.candidates[cell]) > 2


def mrv_degree(state: PlainState, cell: int) -> tuple[int, int]:
    """Brélaz 1979: saturation, then the degree among the nodes that have no colour yet."""
    degree = sum(not state.board[peer] for peer in state.problem.peers[cell])
    return len(state.candidates[cell]), -degree


def dom_wdeg(state: PlainState, cell: int) -> Fraction:
    """Boussemart, Hemery, Lecoutre and Sais 2004."""
    weight = sum(
        state.weights[number]
        for number in state.problem.units_of[cell]
        if any(other != cell and not state.board[other] for other in state.units[number])
    )
    return Fraction(len(state.candidates[cell]), max(weight, 1))


CELL_KEYS: dict[str, Callable[[PlainState, int], Any]] = {
    "mrv": mrv,
    "most": most,
    "bivalue": bivalue,
    "mrv-degree": mrv_degree,
    "dom-wdeg": dom_wdeg,
}
"""By the part's name: the first of the empty cells for which this is least is next."""


def mrv_random(state: PlainState, dice: Dice) -> Choice:
    """Gomes, Selman and Kautz 1998: one number is drawn for each choice."""
    least = min(len(state.candidates[cell]) for cell in state.empty)
    equals = [cell for cell in state.empty if len(state.candidates[cell]) == least]
    return Choice(equals[dice.below(len(equals))])


def activity(state: PlainState, dice: Dice) -> Choice:
    """Michel and Van Hentenryck 2012."""
    best = state.empty[0]
    for cell in state.empty:
        if not state.candidates[cell]:
            return Choice(cell)
        # Products and not quotients: those of equal cells are equal to the last bit.
        ours = state.activity[cell] * len(state.candidates[best])
        if ours > state.activity[best] * len(state.candidates[cell]):
            best = cell
    return Choice(best)


def exact_cover(state: PlainState, dice: Dice) -> Choice:
    """Knuth 2000: the item with the fewest options, the first of several."""
    items = [(len(state.candidates[cell]), Choice(cell)) for cell in state.empty]
    for unit, cells in enumerate(state.units):
        held = {state.board[cell] for cell in cells}
        for value in sorted(set(state.all) - held) if len(cells) == state.size else ():
            count = sum(value in state.candidates[cell] for cell in cells)
            items.append((count, Choice(-1, unit, value)))
    return min(items, key=lambda item: item[0])[1]


CHOICES: dict[str, Callable[[PlainState, Dice], Choice]] = {
    "mrv-random": mrv_random,
    "activity": activity,
    "exact-cover": exact_cover,
}
"""By the part's name."""

VALUE_ORDERS = ("ascending", "descending", "random", "shuffled", "lcv", "most-constraining")


def ordered(order: str, state: PlainState, options: list[Option], dice: Dice) -> list[Option]:
    """The options in the order in which they are tried; some orders only rename values."""

    def lost(option: Option) -> int:
        """How many candidates an option takes from the empty peers."""
        peers = (peer for peer in state.problem.peers[option[0]] if not state.board[peer])
        return sum(option[1] in state.candidates[peer] for peer in peers)

    if order == "shuffled":
        # The last is exchanged with the one drawn, then the last but one, down to the second.
        for last in range(len(options) - 1, 0, -1):
            other = dice.below(last + 1)
            options[last], options[other] = options[other], options[last]
    elif order in ("lcv", "most-constraining"):
        options.sort(key=lost, reverse=order != "lcv")
    return options


def names(order: str, seed: int, size: int) -> list[int]:
    """What the search's own values 1, 2, … stand for."""
    values = list(range(1, size + 1))
    if order == "descending":
        values.reverse()
    elif order == "random":
        Random(seed).shuffle(values)
    return values
