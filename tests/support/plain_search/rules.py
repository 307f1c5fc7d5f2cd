"""Rules of inference, from their definitions in the cited sources."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

from tests.support.plain_search.state import Find, PlainState

Rule = Callable[[PlainState], list[Find]]
FindsInUnit = Callable[[PlainState, int, Sequence[int]], list[Find]]


def of_the_first_unit(finds_in: FindsInUnit) -> Rule:
    """What is found in the first unit in which anything is."""

    def rule(state: PlainState) -> list[Find]:
        found = (finds_in(state, unit, cells) for unit, cells in enumerate(state.units))
        return next(filter(None, found), [])

    return rule


def places_of(state: PlainState, cells: Sequence[int]) -> dict[int, list[int]]:
    """For each value the cells that can hold it."""
    return {v: [c for c in cells if v in state.candidates[c]] for v in state.all}


def naked_singles(state: PlainState) -> list[Find]:
    return [
        Find(True, min(state.candidates[cell]), cell, (cell,))
        for cell in state.empty
        if len(state.candidates[cell]) == 1
    ]


def hidden_singles(state: PlainState) -> list[Find]:
    finds = []
    for unit, cells in enumerate(state.units):
        if len(cells) == state.size:
            places = places_of(state, cells)
            alone = {v: only[0] for v, only in places.items() if len(only) == 1}
            if not all(places.values()) or len(set(alone.values())) < len(alone):
                state.fail(unit, cells)
            found = [(cell, v) for v, cell in alone.items() if not state.board[cell]]
            finds += [Find(True, v, cell, cells, unit) for cell, v in sorted(found)]
    return finds


def locked_in(state: PlainState, unit: int, cells: Sequence[int]) -> list[Find]:
    """A value that a unit can only hold in cells of another one, with which it has two cells or
    more in common."""
    if len(cells) < state.size:
        return []
    places = places_of(state, cells)
    return [
        Find(False, value, cell, cells, unit)
        for number, other in enumerate(state.units)
        if number != unit and len(set(cells) & set(other)) > 1
        for cell in other
        for value in sorted(state.candidates[cell])
        if places[value] and cell not in places[value] and set(places[value]) <= set(other)
    ]


def subsets(count: int) -> Rule:
    """So many cells with as many values between them, naked or hidden."""

    def finds_in(state: PlainState, unit: int, cells: Sequence[int]) -> list[Find]:
        empty = [cell for cell in cells if not state.board[cell]]
        some = [cell for cell in empty if 2 <= len(state.candidates[cell]) <= count]
        lost: list[tuple[int, int]] = []
        for chosen in combinations(some, count):
            values = set[int]().union(*(state.candidates[cell] for cell in chosen))
            if len(values) == count:
                others = [cell for cell in empty if cell not in chosen]
                lost += [(v, c) for c in others for v in sorted(values & state.candidates[c])]
        places = places_of(state, empty if len(cells) == state.size else [])
        few = [value for value in state.all if 2 <= len(places[value]) <= count]
        for values_ in combinations(few, count):
            held = set[int]().union(*(places[value] for value in values_))
            if len(held) == count:
                rest = set(state.all) - set(values_)
                lost += [(v, c) for c in sorted(held) for v in sorted(rest & state.candidates[c])]
        return [Find(False, value, cell, cells, unit) for value, cell in lost]

    return of_the_first_unit(finds_in)


def fish(count: int) -> Rule:
    """Where so many lines can hold a value only in as many crossing lines, two to so many places
    each, the other lines can't hold it there."""

    def rule(state: PlainState) -> list[Find]:
        finds = []
        units = [unit.kind for unit in state.problem.units]
        for kind in ("row", "column"):
            side = [number for number, each in enumerate(units) if each == kind]
            lines = [state.units[number] for number in side]
            for value in state.all:
                places = [
                    {at for at, cell in enumerate(line) if value in state.candidates[cell]}
                    for line in lines
                ]
                usable = [n for n, at in enumerate(places) if 2 <= len(at) <= count]
                for chosen in combinations(usable, count):
                    across = set[int]().union(*(places[n] for n in chosen))
                    because = [cell for n in chosen for cell in lines[n]]
                    finds += [
                        Find(False, value, lines[n][at], because, side[chosen[0]])
                        for n in range(state.size)
                        if n not in chosen and len(across) == count
                        for at in sorted(places[n] & across)
                    ]
        return finds

    return rule


def xy_wing(state: PlainState) -> list[Find]:
    """For the lowest cell x, y from which anything follows."""
    peers = state.problem.peers
    two = {cell: state.candidates[cell] for cell in state.empty if len(state.candidates[cell]) == 2}
    for pivot, values in two.items():
        finds = []
        for first, second in combinations([cell for cell in peers[pivot] if cell in two], 2):
            shared = two[first] & two[second]
            if len(shared) == 1 and two[first] ^ two[second] == values:
                finds += [
                    Find(False, min(shared), cell, (pivot, first, second))
                    for cell in sorted(set(peers[first]) & set(peers[second]))
                    if shared <= state.candidates[cell]
                ]
        if finds:
            return finds
    return []


def alldiff_in(state: PlainState, unit: int, cells: Sequence[int]) -> list[Find]:
    """All ways of filling a unit with different values, cell by cell, by the values used so far."""
    before = [{frozenset[int]()}]
    for cell in cells:
        before.append({s | {v} for s in before[-1] for v in state.candidates[cell] - s})
    if not before[-1]:
        state.fail(unit, cells)
    after = before.pop()
    finds: list[Find] = []
    for cell in reversed(cells):
        ways = [
            (s, v) for s in before.pop() for v in state.candidates[cell] - s if s | {v} in after
        ]
        after = {used for used, _ in ways}
        lost = state.candidates[cell] - {value for _, value in ways}
        finds[:0] = [Find(False, value, cell, cells, unit) for value in sorted(lost)]
    return finds


RULES: dict[str, Rule] = {
    "naked-singles": naked_singles,
    "hidden-singles": hidden_singles,
    "locked": of_the_first_unit(locked_in),
    "pairs": subsets(2),
    "triples": subsets(3),
    "x-wing": fish(2),
    "swordfish": fish(3),
    "xy-wing": xy_wing,
    "alldiff": of_the_first_unit(alldiff_in),
}
"""By the part's name."""
