"""Backtracking in plain Python: what each part of a strategy does, event by event."""

from __future__ import annotations

from collections.abc import Collection

from tests.support.plain_search.choices import (
    CELL_ORDERS,
    VALUE_ORDERS,
    Choice,
    Option,
    names,
)
from tests.support.plain_search.finds import Levels
from tests.support.plain_search.inference import PlainInference
from tests.support.plain_search.random_numbers import luby_sequence
from tests.support.plain_search.rules import RULES
from tests.support.plain_search.state import FailedError
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.search.specification import number_of
from undoku.solver.search.strategy import Strategy
from undoku.solver.search.strategy_part import PartKind
from undoku.solver.trace.trace import Op

__all__ = ["REFERENCES", "PlainSearch"]

REFERENCES: dict[PartKind, Collection[str]] = {
    PartKind.CELLS: CELL_ORDERS.keys(),
    PartKind.VALUES: VALUE_ORDERS.keys(),
    PartKind.INFERENCE: {*RULES, "forward", "sac"},
    PartKind.PRIORITY: {"last-conflict"},
    PartKind.BACK: {"chronological", "cbj", "nogoods", "lds"},
    PartKind.RESTART: {"luby"},
}
"""The parts that a plain search knows."""


class _RestartError(Exception):
    pass


class _OverError(Exception):
    pass


def _split(part: str) -> tuple[str, int]:
    return part.partition(":")[0], number_of(part) if ":" in part else 0


class PlainSearch(PlainInference):
    """One search, run when it is made: its `events`. It stops with `most` nodes."""

    def __init__(
        self, puzzle: Puzzle, spec: str, *, exhaustive: bool = False, most: int = 100
    ) -> None:
        how = Strategy.parse(spec)
        order, seed = _split(how.values)
        self.labels = [0, *names(order, seed, puzzle.size)]
        own = [self.labels.index(value) if value else 0 for value in puzzle.givens]
        super().__init__(puzzle, own, explains=how.back in ("cbj", "nogoods"))
        self.order_values = VALUE_ORDERS[order](seed)
        name, seed = _split(how.cells)
        self.choose = CELL_ORDERS[name](self, seed)
        self.how, self.exhaustive, self.most = how, exhaustive, most
        self.learning = how.back == "nogoods"
        self.recorded = 0
        self.guesses: list[Option] = []
        self.choices: list[Choice] = []
        self.conflict: Choice | None = None
        self.nodes, self.solutions, self.dead_ends, self.begun = 1, 0, 0, 0
        self.going_back = False
        self.wave: int | None = 0 if how.back == "lds" else None
        self.left_out = False
        restart = _split(how.restart)[1]
        self.runs = (restart * term for term in luby_sequence()) if restart else None
        self.limit = next(self.runs) if self.runs else None
        self.search()
        self.events = [(op, self.labels[value], cell) for op, value, cell in self.events]

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
            self.infer_all()
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

    def infer_all(self) -> None:
        with self.telling():
            self.infer()
            if self.probing:
                self.probe_all()

    def next_choice(self) -> Choice:
        """Lecoutre, Saïs, Tabary and Vidal 2009: the last conflict first, while it is open."""
        if self.conflict and self.is_open(self.conflict):
            return self.conflict
        return self.choose(self)

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
        choice = self.next_choice()
        options, at_fault = self.options(choice)
        if not options and self.choices:
            self.note_conflict(self.choices[-1])
        for rank, (cell, value) in enumerate(self.order_values(self, options)):
            cost = min(rank, 1)
            if self.wave is not None and spent + cost > self.wave:
                self.left_out = True
                break
            if self.nodes == self.most:
                raise _OverError
            if self.is_shown(cell, value, spent + cost):
                continue
            self.check_run()
            self.nodes += 1
            mark = self.mark()
            failed = self.guess(cell, value, level)
            below = failed is None
            if failed is None:
                self.guesses.append((cell, value))
                self.choices.append(choice)
                try:
                    failed = self.visit(spent + cost)
                except _RestartError:
                    self.take_back(mark)
                    raise
                finally:
                    self.guesses.pop()
                    self.choices.pop()
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

    def is_shown(self, cell: int, value: int, spent: int) -> bool:
        """Whether this guess leads to a full board that an earlier wave has shown."""
        if self.wave is None or spent >= self.wave:
            return False
        mark = self.mark()
        try:
            self.place(Op.GUESS, value, cell, frozenset())
            self.infer()
        except FailedError:
            full = False
        else:
            full = all(self.board)
        self.take_back(mark, reported=False)
        return full

    def failed(self, levels: Levels) -> Levels:
        """The search goes back for these guesses. Dechter 1990: a set of them is recorded."""
        if self.learning and 1 <= len(levels) <= 12:
            # The slots of the latest thousand are filled in turn.
            nogood = [self.guesses[level] for level in sorted(levels)]
            if self.recorded < 1000:
                self.nogoods.append(nogood)
            else:
                self.nogoods[self.recorded % 1000] = nogood
            self.recorded += 1
            self.tell(Op.LEARN, 0, len(levels))
        return levels

    def guess(self, cell: int, value: int, level: int) -> Levels | None:
        """Guess and infer; the guesses that are at fault where it fails."""
        before = [set(values) for values in self.candidates]
        self.going_back = False
        with self.telling():
            try:
                try:
                    self.place(Op.GUESS, value, cell, frozenset({level}))
                    self.infer()
                finally:
                    self.note_activity(before)
                if self.probing:
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
