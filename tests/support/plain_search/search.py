"""Backtracking in plain Python: what each part of a strategy does, event by event."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from itertools import cycle, product

from tests.support.plain_search.choices import (
    CELL_KEYS,
    CHOICES,
    FIXED_ORDERS,
    VALUE_ORDERS,
    Choice,
    Dice,
    Option,
    luby_sequence,
    names,
    ordered,
)
from tests.support.plain_search.rules import RULES, Rule
from tests.support.plain_search.state import FailedError, Find, Levels, PlainState
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.search.specification import number_of
from undoku.solver.search.strategy import Strategy
from undoku.solver.search.strategy_part import PartKind
from undoku.solver.trace.trace import Op

REFERENCES: dict[PartKind, Collection[str]] = {
    PartKind.CELLS: {*FIXED_ORDERS, *CELL_KEYS, *CHOICES},
    PartKind.VALUES: VALUE_ORDERS,
    PartKind.INFERENCE: {*RULES, "forward", "sac"},
    PartKind.PRIORITY: {"last-conflict"},
    PartKind.BACK: {"chronological", "cbj", "nogoods", "lds"},
    PartKind.RESTART: {"luby"},
}
"""The parts that a plain search knows."""

PROBE = -1
"""The level of what a probe puts into a cell."""


class _RestartError(Exception):
    pass


class _OverError(Exception):
    pass


def _split(part: str) -> tuple[str, int]:
    return part.partition(":")[0], number_of(part) if ":" in part else 0


class PlainSearch(PlainState):
    """One search, run when it is made: its `events`. It stops with `most` nodes."""

    def __init__(
        self, puzzle: Puzzle, spec: str, *, exhaustive: bool = False, most: int = 100
    ) -> None:
        how = Strategy.parse(spec)
        self.value_order, seed = _split(how.values)
        labels = [0, *names(self.value_order, seed, puzzle.size)]
        givens = [labels.index(value) for value in puzzle.givens]
        super().__init__(puzzle, givens, explains=how.back in ("cbj", "nogoods"))
        self.value_dice = Dice(seed)
        self.cell_order, seed = _split(how.cells)
        self.cell_dice = Dice(seed)
        fixed = FIXED_ORDERS.get(self.cell_order)
        self.fixed = fixed(self, seed) if fixed else []
        self.how, self.exhaustive, self.most = how, exhaustive, most
        self.nogoods: list[list[Option]] = []
        self.recorded = 0
        self.guesses: list[tuple[Option, Choice]] = []
        self.conflict: Choice | None = None
        self.nodes, self.solutions, self.dead_ends, self.begun = 1, 0, 0, 0
        self.going_back = False
        self.wave: int | None = 0 if how.back == "lds" else None
        self.left_out = False
        restart = _split(how.restart)[1]
        self.runs = (restart * term for term in luby_sequence()) if restart else None
        self.limit = next(self.runs) if self.runs else None
        self.search()
        self.events = [(op, labels[value], cell) for op, value, cell in self.events]

    def use(self, rules: tuple[str, ...]) -> None:
        """These rules run from now on. Any of them includes `forward`."""
        self.forward = bool(rules)
        self.rules = [rule for name, rule in RULES.items() if name in rules]
        self.probing = "sac" in rules

    def search(self) -> None:
        self.use((*self.how.inference, *self.how.presolve))
        try:
            if self.forward and not all(self.candidates):
                return
            self.infer()
            self.probe_all()
        except FailedError:
            return
        self.use(self.how.inference)
        while True:
            try:
                self.left_out = False
                self.visit(0)
            except _RestartError:
                self.begun = self.dead_ends
                assert self.runs
                self.limit = next(self.runs)
            except _OverError:
                return
            else:
                if self.wave is None or not self.left_out:
                    return
                self.wave += 1

    def infer(self) -> None:
        """The rules from the first, and again from the first after every find, then the nogoods."""
        number = 0
        while number <= len(self.rules):
            last = number == len(self.rules)
            found = self.exclude() if last else self.apply(self.rules[number])
            number = 0 if found else number + 1

    def apply(self, rule: Rule) -> bool:
        """Whether anything that a rule finds was new."""
        new = [self.apply_find(find) for find in rule(self)]
        return any(new)

    def apply_find(self, find: Find) -> bool:
        forced, value, cell, because, unit = find
        gone = value not in self.candidates[cell]
        if self.board[cell] == value if forced else gone:
            return False
        levels = self.because(because)
        if forced and gone:
            self.blame(unit)
            raise FailedError(levels | self.why.get((cell, value), frozenset()))
        if forced:
            self.place(Op.FORCED, value, cell, levels)
        else:
            self.remove(value, cell, levels, unit)
        return True

    def exclude(self) -> bool:
        """Each nogood in turn: where all of its guesses but one stand, that one can't."""
        changed = False
        for nogood in self.nogoods:
            open_ones = [(cell, value) for cell, value in nogood if self.board[cell] != value]
            if len(open_ones) > 1:
                continue
            levels = frozenset[int]().union(
                *(self.why.get(one, frozenset()) for one in nogood if one not in open_ones)
            )
            if not open_ones:
                raise FailedError(levels)
            ((cell, value),) = open_ones
            if not self.board[cell] and value in self.candidates[cell]:
                self.remove(value, cell, levels)
                changed = True
        return changed

    def trial(self, cell: int, value: int) -> tuple[Levels | None, bool]:
        """What a guess leads to, of which nothing is told: the guesses for which it fails, or None;
        and whether it fills the board."""
        mark, failed = self.mark(), None
        self.silent = True
        try:
            self.place(Op.GUESS, value, cell, frozenset({PROBE}))
            self.infer()
        except FailedError as failure:
            failed = failure.levels - {PROBE}
        full = failed is None and all(self.board)
        self.take_back(mark)
        self.silent = False
        return failed, full

    def probe_all(self) -> None:
        """Debruyne and Bessière 1997, SAC-1: each candidate in turn, until none has been removed
        since each was probed."""
        every = list(product(range(len(self.board)), self.all)) if self.probing else []
        kept = 0
        for cell, value in cycle(every):
            if kept == len(every):
                return
            kept += 1
            if len(self.candidates[cell]) > 1 and value in self.candidates[cell]:
                self.tell(Op.PROBE, value, cell)
                refuted, _ = self.trial(cell, value)
                if refuted is not None:
                    kept = 0
                    self.remove(value, cell, refuted)
                    self.infer()

    def is_shown(self, cell: int, value: int, spent: int) -> bool:
        """Whether this guess leads to a full board that an earlier wave has shown."""
        return self.wave is not None and spent < self.wave and self.trial(cell, value)[1]

    def choose(self) -> Choice:
        """Lecoutre, Saïs, Tabary and Vidal 2009: the last conflict first, while it is open."""
        if self.conflict and self.is_open(self.conflict):
            return self.conflict
        if self.fixed:
            return Choice(next(cell for cell in self.fixed if not self.board[cell]))
        if self.cell_order in CHOICES:
            return CHOICES[self.cell_order](self, self.cell_dice)
        return Choice(min(self.empty, key=partial(CELL_KEYS[self.cell_order], self)))

    def is_open(self, choice: Choice) -> bool:
        if choice.unit < 0:
            return not self.board[choice.cell]
        return choice.value not in {self.board[cell] for cell in self.units[choice.unit]}

    def note_conflict(self, choice: Choice) -> None:
        if self.how.priority:
            self.conflict = choice

    def options(self, choice: Choice) -> tuple[list[Option], Levels]:
        """What can be tried, and the guesses for which the rest can't."""
        if choice.unit < 0:
            found = [(choice.cell, value) for value in sorted(self.candidates[choice.cell])]
            return found, self.because([choice.cell])
        cells, value = self.units[choice.unit], choice.value
        found = [(cell, value) for cell in cells if value in self.candidates[cell]]
        return found, self.because(cells, [value])

    def visit(self, spent: int) -> Levels:
        """Search below the guesses that stand; the guesses for which that has failed."""
        level = len(self.guesses)
        if all(self.board):
            self.solutions += 1
            self.conflict = None
            if not self.exhaustive:
                raise _OverError
            return self.failed(frozenset(range(level)))
        choice = self.choose()
        options, at_fault = self.options(choice)
        if not options and self.guesses:
            self.note_conflict(self.guesses[-1][1])
        for rank, (cell, value) in enumerate(
            ordered(self.value_order, self, options, self.value_dice)
        ):
            cost = spent + min(rank, 1)
            if self.wave is not None and cost > self.wave:
                self.left_out = True
                break
            if self.nodes == self.most:
                raise _OverError
            if self.is_shown(cell, value, cost):
                continue
            self.check_run()
            self.nodes += 1
            mark = self.mark()
            failed = self.guess(cell, value, level)
            below = failed is None
            if failed is None:
                self.guesses.append(((cell, value), choice))
                try:
                    failed = self.visit(cost)
                except _RestartError:
                    self.take_back(mark)
                    raise
                finally:
                    self.guesses.pop()
            else:
                self.note_conflict(choice)
            if not self.going_back and not all(self.board):
                self.dead_ends += 1
            self.going_back = True
            self.take_back(mark)
            if self.explains and level not in failed:
                # One set of guesses for one way back, however many choices it passes.
                return failed if below else self.failed(failed)
            at_fault |= failed - {level}
        return self.failed(at_fault)

    def failed(self, levels: Levels) -> Levels:
        """The search goes back for these guesses. Dechter 1990: a set of them is recorded."""
        if self.how.back == "nogoods" and 1 <= len(levels) <= 12:
            # The slots of the latest thousand are filled in turn.
            slot = self.recorded % 1000
            self.nogoods[slot : slot + 1] = [[self.guesses[level][0] for level in sorted(levels)]]
            self.recorded += 1
            self.tell(Op.LEARN, 0, len(levels))
        return levels

    def guess(self, cell: int, value: int, level: int) -> Levels | None:
        """Guess and infer; the guesses that are at fault where it fails."""
        before = [set(values) for values in self.candidates]
        self.going_back = False
        try:
            try:
                self.place(Op.GUESS, value, cell, frozenset({level}))
                self.infer()
            finally:
                self.note_activity(before)
            self.probe_all()
        except FailedError as failure:
            return failure.levels
        return None

    def note_activity(self, before: list[set[int]]) -> None:
        """Michel and Van Hentenryck 2012."""
        for cell, values in enumerate(before):
            if len(values) > 1:
                self.activity[cell] *= 0.999
                if values != self.candidates[cell]:
                    self.activity[cell] += 1.0

    def check_run(self) -> None:
        """Give up all guesses where the run has had its dead ends."""
        if self.limit is None or self.solutions or self.dead_ends - self.begun < self.limit:
            return
        self.tell(Op.RESTART, 0, 0)
        raise _RestartError
