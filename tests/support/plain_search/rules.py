"""Rules of inference, from their definitions in the cited sources."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

from tests.support.plain_search.finds import Find, UnfillableError
from tests.support.plain_search.state import PlainState

__all__ = ["RULES"]


def naked_singles(state: PlainState) -> list[Find]:
    return [
        Find(True, min(state.candidates[cell]), cell, (cell,))
        for cell in state.empty
        if len(state.candidates[cell]) == 1
    ]


def _places(state: PlainState, cells: tuple[int, ...]) -> dict[int, list[int]]:
    """For each value the cells that can hold it."""
    return {v: [c for c in cells if v in state.candidates[c]] for v in state.all}


def hidden_singles(state: PlainState) -> list[Find]:
    finds = []
    for unit, cells in enumerate(state.units):
        if len(cells) < state.size:
            continue
        places = _places(state, cells)
        alone = {v: only[0] for v, only in places.items() if len(only) == 1}
        if not all(places.values()) or len(set(alone.values())) < len(alone):
            raise UnfillableError(unit, cells)
        found = [(cell, v) for v, cell in alone.items() if not state.board[cell]]
        finds += [Find(True, v, cell, cells, unit) for cell, v in sorted(found)]
    return finds


def locked(state: PlainState) -> list[Find]:
    """A value that a unit can only hold in cells of another one, with which it has two cells or
    more in common: the first unit that tells."""
    for unit, cells in enumerate(state.units):
        if len(cells) < state.size:
            continue
        places = _places(state, cells)
        finds = [
            Find(False, value, cell, cells, unit)
            for number, other in enumerate(state.units)
            if number != unit and len(set(cells) & set(other)) > 1
            for cell in other
            for value in sorted(state.candidates[cell])
            if places[value] and cell not in places[value] and set(places[value]) <= set(other)
        ]
        if finds:
            return finds
    return []


def _subsets(count: int) -> Callable[[PlainState], list[Find]]:
    """So many cells with as many values between them, naked or hidden: of the first unit."""

    def rule(state: PlainState) -> list[Find]:
        for unit, cells in enumerate(state.units):
            empty = [cell for cell in cells if not state.board[cell]]
            finds = []
            some = [cell for cell in empty if 2 <= len(state.candidates[cell]) <= count]
            for chosen in combinations(some, count):
                values = set().union(*(state.candidates[cell] for cell in chosen))
                if len(values) == count:
                    finds += [
                        Find(False, value, cell, cells, unit)
                        for cell in empty
                        if cell not in chosen
                        for value in sorted(values & state.candidates[cell])
                    ]
            if len(cells) == state.size:
                places = _places(state, tuple(empty))
                few = [value for value in state.all if 2 <= len(places[value]) <= count]
                for values_ in combinations(few, count):
                    held = set[int]().union(*(places[value] for value in values_))
                    if len(held) == count:
                        finds += [
                            Find(False, value, cell, cells, unit)
                            for cell in sorted(held)
                            for value in sorted(state.candidates[cell] - set(values_))
                        ]
            if finds:
                return finds
        return []

    return rule


def _fish(lines: int) -> Callable[[PlainState], list[Find]]:
    """Where so many lines can hold a value only in as many crossing lines, two to so many places
    each, the other lines can't hold it there."""

    def rule(state: PlainState) -> list[Find]:
        size, finds = state.size, []
        kinds = ("row", "column")
        sides = [
            [(n, state.units[n]) for n, u in enumerate(state.geometry.units) if u.kind == kind]
            for kind in kinds
        ]
        for side in sides:
            for value in state.all:
                places = [
                    {at for at, cell in enumerate(line) if value in state.candidates[cell]}
                    for _, line in side
                ]
                usable = [n for n, at in enumerate(places) if 2 <= len(at) <= lines]
                for chosen in combinations(usable, lines):
                    across = set().union(*(places[n] for n in chosen))
                    if len(across) != lines:
                        continue
                    because = tuple(cell for n in chosen for cell in side[n][1])
                    finds += [
                        Find(False, value, side[n][1][at], because, side[chosen[0]][0])
                        for n in range(size)
                        if n not in chosen
                        for at in sorted(places[n] & across)
                    ]
        return finds

    return rule


def xy_wing(state: PlainState) -> list[Find]:
    """For the lowest cell x, y from which anything follows."""
    peers = state.geometry.peers
    two = {cell: state.candidates[cell] for cell in state.empty if len(state.candidates[cell]) == 2}
    for pivot, values in two.items():
        finds = []
        near = [cell for cell in peers[pivot] if cell in two]
        for first, second in combinations(near, 2):
            shared = two[first] & two[second]
            if len(shared) != 1 or shared & values or two[first] | two[second] != values | shared:
                continue
            (lost,) = shared
            finds += [
                Find(False, lost, cell, (pivot, first, second))
                for cell in sorted(set(peers[first]) & set(peers[second]))
                if lost in state.candidates[cell]
            ]
        if finds:
            return finds
    return []


def alldiff(state: PlainState) -> list[Find]:
    """All ways of filling a unit with different values, cell by cell, by the values used so far."""
    for unit, cells in enumerate(state.units):
        before = [{frozenset[int]()}]
        for cell in cells:
            sets = before[-1]
            before.append({s | {v} for s in sets for v in state.candidates[cell] - s})
        if not before[-1]:
            raise UnfillableError(unit, cells)
        after = before.pop()
        finds = []
        for cell in reversed(cells):
            good = set()
            kept = set()
            for used in before.pop():
                for value in state.candidates[cell] - used:
                    if used | {value} in after:
                        kept.add(used)
                        good.add(value)
            after = kept
            lost = sorted(state.candidates[cell] - good)
            finds.append([Find(False, value, cell, cells, unit) for value in lost])
        if any(finds):
            return [find for of_cell in reversed(finds) for find in of_cell]
    return []


RULES: dict[str, Callable[[PlainState], list[Find]]] = {
    "naked-singles": naked_singles,
    "hidden-singles": hidden_singles,
    "locked": locked,
    "pairs": _subsets(2),
    "triples": _subsets(3),
    "x-wing": _fish(2),
    "swordfish": _fish(3),
    "xy-wing": xy_wing,
    "alldiff": alldiff,
}
"""By the part's name."""
