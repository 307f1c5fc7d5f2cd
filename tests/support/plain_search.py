"""Backtracking in plain Python, written from the definitions in docs/strategies.md alone: what each
part of a strategy does, event by event. Slow, and meant to be read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from solver.puzzle import Puzzle
from solver.trace import Op

__all__ = [
    "Find",
    "PlainSearch",
    "Rule",
    "XorShift",
    "fewest",
    "hidden_singles",
    "lowest",
    "luby_sequence",
    "naked_singles",
    "swordfish",
    "x_wing",
    "xy_wing",
]

Event = tuple[int, int, int]
"""Op, value, cell."""
Levels = frozenset[int]


class Find(NamedTuple):
    """What a rule finds: the value of a cell, or a value that it can't have; and the cells whose
    lost candidates this follows from."""

    forced: bool
    value: int
    cell: int
    because: tuple[int, ...]


class UnfillableError(Exception):
    """A rule finds that these cells can't be filled."""

    def __init__(self, cells: Sequence[int]) -> None:
        self.cells = tuple(cells)


Rule = Callable[["PlainSearch"], list[Find]]
Choose = Callable[["PlainSearch", list[int]], int]


class _FailedError(Exception):
    """The board can't be filled, for the guesses at these levels."""

    def __init__(self, levels: Levels) -> None:
        self.levels = levels


class _RestartError(Exception):
    pass


class _OverError(Exception):
    pass


class XorShift:
    """Marsaglia 2003, 32 bits, shifts 13, 17, 5; a number below n is the register times n, divided
    by 2^32."""

    def __init__(self, register: int) -> None:
        self.register = register

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


class PlainSearch:
    """One search, run when it is made: its `events`."""

    def __init__(
        self,
        puzzle: Puzzle,
        choose: Choose,
        *,
        rules: Sequence[Rule] = (),
        forward: bool = False,
        values: XorShift | None = None,
        restart: int = 0,
        activity: bool = False,
        backjumping: bool = False,
        learning: bool = False,
        probing: bool = False,
        exhaustive: bool = False,
        most: int = 100,
    ) -> None:
        self.puzzle, self.choose, self.rules = puzzle, choose, rules
        self.forward = forward or bool(rules)
        self.values, self.learning, self.probing = values, learning, probing
        self.backjumping = backjumping or learning
        self.exhaustive, self.most = exhaustive, most
        self.size = puzzle.size
        self.all = range(1, self.size + 1)
        self.board = list(puzzle.givens)
        self.candidates = [set(self.all) for _ in self.board]
        self.why: dict[tuple[int, int], Levels] = {}
        self.trail: list[Event] = []
        self.events: list[Event] = []
        self.guesses: list[tuple[int, int]] = []
        self.nogoods: list[list[tuple[int, int]]] = []
        self.activity = [1.0] * len(self.board)
        self.active = activity
        self.nodes, self.solutions, self.dead_ends, self.begun = 1, 0, 0, 0
        self.going_back = False
        self.runs = (restart * term for term in luby_sequence()) if restart else None
        self.limit = next(self.runs) if self.runs else None
        for cell, value in enumerate(self.board):
            if value:
                self.candidates[cell] = {value}
                for peer in puzzle.geometry.peers[cell]:
                    self.candidates[peer].discard(value)
        self.run()

    # -- the board ---------------------------------------------------------------------------------

    def tell(self, op: int, value: int, cell: int) -> None:
        self.events.append((op, value, cell))

    def because(self, cells: Sequence[int]) -> Levels:
        """The guesses for which candidates of these cells are gone."""
        gone = [
            self.why.get((cell, value), frozenset())
            for cell in cells
            for value in self.all
            if value not in self.candidates[cell]
        ]
        return frozenset[int]().union(*gone)

    def place(self, op: int, value: int, cell: int, levels: Levels) -> None:
        for other in self.candidates[cell] - {value}:
            self.why[cell, other] = levels
        self.candidates[cell] = {value}
        self.board[cell] = value
        self.trail.append((op, value, cell))
        emptied = None
        for peer in self.puzzle.geometry.peers[cell]:
            if value in self.candidates[peer]:
                self.candidates[peer].remove(value)
                self.why[peer, value] = levels
                if not self.candidates[peer] and emptied is None:
                    emptied = peer
        if emptied is not None and self.forward:
            raise _FailedError(self.because([emptied]))

    def remove(self, value: int, cell: int, levels: Levels) -> None:
        self.candidates[cell].remove(value)
        self.why[cell, value] = levels
        self.trail.append((Op.ELIMINATE, value, cell))
        if not self.candidates[cell]:
            raise _FailedError(self.because([cell]))

    def take_back(self, mark: int, before: list[set[int]], *, told: bool = True) -> None:
        while len(self.trail) > mark:
            op, value, cell = self.trail.pop()
            if op != Op.ELIMINATE:
                self.board[cell] = 0
            if told:
                self.tell(Op.RESTORE if op == Op.ELIMINATE else Op.UNDO, value, cell)
        self.candidates = [set(values) for values in before]

    # -- inference ---------------------------------------------------------------------------------

    def infer(self) -> None:
        """The rules from the first, and again from the first after every find, then the nogoods."""
        number = 0
        while True:
            if number == len(self.rules):
                if not self.exclude():
                    return
                number = 0
                continue
            try:
                finds = self.rules[number](self)
            except UnfillableError as error:
                raise _FailedError(self.because(error.cells)) from None
            changed = False
            for find in finds:
                known = find.value not in self.candidates[find.cell]
                if find.forced:
                    if self.board[find.cell] == find.value:
                        continue
                elif known:
                    continue
                levels = self.because(find.because)
                if find.forced and known:
                    raise _FailedError(levels | self.why.get((find.cell, find.value), frozenset()))
                if find.forced:
                    self.place(Op.FORCED, find.value, find.cell, levels)
                else:
                    self.remove(find.value, find.cell, levels)
                changed = True
            number = 0 if changed else number + 1

    def exclude(self) -> bool:
        """Each nogood in turn: where all of its guesses but one stand, that one can't."""
        changed = False
        for nogood in self.nogoods:
            open_ones = [(c, v) for c, v in nogood if self.board[c] != v]
            if len(open_ones) > 1:
                continue
            levels: Levels = self.because([c for c, v in nogood if self.board[c] == v])
            if not open_ones:
                raise _FailedError(levels)
            ((cell, value),) = open_ones
            if not self.board[cell] and value in self.candidates[cell]:
                self.remove(value, cell, levels)
                changed = True
        return changed

    def probe_all(self) -> None:
        """Each candidate in turn, until none has been removed since each was probed."""
        every = [(cell, value) for cell in range(len(self.board)) for value in self.all]
        at, left = 0, len(every)
        while left:
            cell, value = every[at]
            at, left = (at + 1) % len(every), left - 1
            if self.board[cell] or value not in self.candidates[cell]:
                continue
            if len(self.candidates[cell]) == 1:
                continue
            self.tell(Op.PROBE, value, cell)
            mark, before = len(self.trail), [set(values) for values in self.candidates]
            try:
                self.place(Op.GUESS, value, cell, frozenset())
                self.infer()
            except _FailedError:
                refuted = True
            else:
                refuted = False
            self.take_back(mark, before, told=False)
            if refuted:
                left = len(every)
                self.remove(value, cell, frozenset())
                self.infer()

    def inferred(self, work: Callable[[], None]) -> None:
        """Do this and tell what it puts on the trail, also where it fails."""
        mark = len(self.trail)
        try:
            work()
        finally:
            self.events += self.trail[mark:]

    def probed(self) -> None:
        """As `probe_all`, telling as it goes."""
        told = len(self.trail)

        def tell() -> None:
            nonlocal told
            self.events += self.trail[told:]
            told = len(self.trail)

        # What a probe puts on the trail is gone before anything is told.
        outer = self.tell

        def tell_probe(op: int, value: int, cell: int) -> None:
            tell()
            outer(op, value, cell)

        self.tell = tell_probe  # type: ignore[method-assign]
        try:
            self.probe_all()
        finally:
            self.tell = outer  # type: ignore[method-assign]
            tell()

    # -- the search --------------------------------------------------------------------------------

    def run(self) -> None:
        try:
            if self.forward and not all(self.candidates):
                return
            self.inferred(self.infer)
            if self.probing:
                self.probed()
        except _FailedError:
            return
        while True:
            try:
                self.visit()
                return
            except _RestartError:
                self.begun = self.dead_ends
                assert self.runs
                self.limit = next(self.runs)
            except _OverError:
                return

    def visit(self) -> Levels:
        """Search below the guesses that stand; the guesses for which that has failed."""
        level = len(self.guesses)
        empty = [cell for cell, value in enumerate(self.board) if not value]
        if not empty:
            self.solutions += 1
            if not self.exhaustive:
                raise _OverError
            return self.failed(frozenset(range(level)))
        cell = self.choose(self, empty)
        options = sorted(self.candidates[cell])
        if self.values:
            for last in range(len(options) - 1, 0, -1):
                other = self.values.below(last + 1)
                options[last], options[other] = options[other], options[last]
        at_fault = self.because([cell])
        for value in options:
            if self.nodes == self.most:
                raise _OverError
            self.check_run()
            self.nodes += 1
            mark, before = len(self.trail), [set(values) for values in self.candidates]
            failed = self.guess(cell, value, level)
            below = failed is None
            if failed is None:
                self.guesses.append((cell, value))
                try:
                    failed = self.visit()
                except _RestartError:
                    self.take_back(mark, before)
                    raise
                finally:
                    self.guesses.pop()
            self.go_back(mark, before)
            if level not in failed and self.backjumping:
                # One set of guesses for one way back, however many choices it passes.
                return failed if below else self.failed(failed)
            at_fault |= failed - {level}
        return self.failed(at_fault)

    def failed(self, levels: Levels) -> Levels:
        """The search goes back for these guesses."""
        if self.learning and 1 <= len(levels) <= 12:
            self.nogoods.append([self.guesses[level] for level in sorted(levels)])
            self.tell(Op.LEARN, 0, len(levels))
        return levels

    def guess(self, cell: int, value: int, level: int) -> Levels | None:
        """Guess and infer; the guesses that are at fault where it fails."""
        before = [set(values) for values in self.candidates]
        self.going_back = False

        def work() -> None:
            self.place(Op.GUESS, value, cell, frozenset({level}))
            self.infer()

        try:
            try:
                self.inferred(work)
            finally:
                if self.active:
                    self.note_activity(before)
            if self.probing:
                self.probed()
        except _FailedError as failure:
            return failure.levels
        return None

    def note_activity(self, before: list[set[int]]) -> None:
        for cell, values in enumerate(before):
            if len(values) > 1:
                self.activity[cell] *= 0.999
                if values != self.candidates[cell]:
                    self.activity[cell] += 1.0

    def go_back(self, mark: int, before: list[set[int]]) -> None:
        if not self.going_back and not all(self.board):
            self.dead_ends += 1
        self.going_back = True
        self.take_back(mark, before)

    def check_run(self) -> None:
        """Give up all guesses where the run has had its dead ends."""
        if self.limit is None or self.solutions or self.dead_ends - self.begun < self.limit:
            return
        self.tell(Op.RESTART, 0, 0)
        raise _RestartError


# -- cell orders -----------------------------------------------------------------------------------


def lowest(search: PlainSearch, empty: list[int]) -> int:
    return empty[0]


def fewest(search: PlainSearch, empty: list[int]) -> int:
    return min(empty, key=lambda cell: (len(search.candidates[cell]), cell))


# -- rules -----------------------------------------------------------------------------------------


def naked_singles(search: PlainSearch) -> list[Find]:
    return [
        Find(True, min(values), cell, (cell,))
        for cell, values in enumerate(search.candidates)
        if not search.board[cell] and len(values) == 1
    ]


def hidden_singles(search: PlainSearch) -> list[Find]:
    finds = []
    for unit in search.puzzle.geometry.units:
        cells = sorted(unit.cells)
        if len(cells) < search.size:
            continue
        places = {v: [c for c in cells if v in search.candidates[c]] for v in search.all}
        alone = {v: only[0] for v, only in places.items() if len(only) == 1}
        if not all(places.values()) or len(set(alone.values())) < len(alone):
            raise UnfillableError(cells)
        found = [(cell, v) for v, cell in alone.items() if not search.board[cell]]
        finds += [Find(True, v, cell, tuple(cells)) for cell, v in sorted(found)]
    return finds


def _fish(search: PlainSearch, lines: int) -> list[Find]:
    """Where so many lines can hold a value only in as many crossing lines, two to so many places
    each, the other lines can't hold it there."""
    size, finds = search.size, []
    rows = [[row * size + column for column in range(size)] for row in range(size)]
    columns = [list(column) for column in zip(*rows, strict=True)]
    for side in (rows, columns):
        for value in search.all:
            places = [
                {at for at, cell in enumerate(line) if value in search.candidates[cell]}
                for line in side
            ]
            usable = [n for n, at in enumerate(places) if 2 <= len(at) <= lines]
            for chosen in combinations(usable, lines):
                across = set().union(*(places[n] for n in chosen))
                if len(across) != lines:
                    continue
                because = tuple(cell for n in chosen for cell in side[n])
                finds += [
                    Find(False, value, side[n][at], because)
                    for n in range(size)
                    if n not in chosen
                    for at in sorted(places[n] & across)
                ]
    return finds


def x_wing(search: PlainSearch) -> list[Find]:
    return _fish(search, 2)


def swordfish(search: PlainSearch) -> list[Find]:
    return _fish(search, 3)


def xy_wing(search: PlainSearch) -> list[Find]:
    """For the lowest cell x, y from which anything follows."""
    peers = search.puzzle.geometry.peers
    two = {
        cell: values
        for cell, values in enumerate(search.candidates)
        if not search.board[cell] and len(values) == 2
    }
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
                if lost in search.candidates[cell]
            ]
        if finds:
            return finds
    return []
