"""What a plain search infers: rules to a fixed point, nogoods, probes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.support.plain_search.finds import Find, Levels, UnfillableError
from tests.support.plain_search.state import FailedError, PlainState
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.trace.trace import Op

__all__ = ["PROBE", "PlainInference", "Rule"]

Rule = Callable[[PlainState], list[Find]]
PROBE = -1
"""The level of what a probe puts into a cell."""


class PlainInference(PlainState):
    """A board on which rules run."""

    def __init__(self, puzzle: Puzzle, givens: Sequence[int], *, explains: bool) -> None:
        super().__init__(puzzle, givens, explains=explains)
        self.rules: Sequence[Rule] = ()
        self.nogoods: list[list[tuple[int, int]]] = []

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
                self.blame(error.unit)
                raise FailedError(self.because(error.cells)) from None
            changed = [find for find in finds if self.apply(find)]
            number = 0 if changed else number + 1

    def apply(self, find: Find) -> bool:
        """Whether the find was new."""
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
            open_ones: list[tuple[int, int]] = []
            for cell, value in nogood:
                if self.board[cell] != value:
                    open_ones.append((cell, value))
                    if len(open_ones) > 1:
                        break
            if len(open_ones) > 1:
                continue
            levels = self.because([c for c, v in nogood if self.board[c] == v])
            if not open_ones:
                raise FailedError(levels)
            ((cell, value),) = open_ones
            if not self.board[cell] and value in self.candidates[cell]:
                self.remove(value, cell, levels)
                changed = True
        return changed

    def probe_all(self) -> None:
        """Debruyne and Bessière 1997, SAC-1: each candidate in turn, until none has been removed
        since each was probed."""
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
            mark = self.mark()
            refuted: Levels | None = None
            try:
                self.place(Op.GUESS, value, cell, frozenset({PROBE}))
                self.infer()
            except FailedError as failure:
                refuted = failure.levels
            self.take_back(mark, reported=False)
            if refuted is not None:
                left = len(every)
                self.remove(value, cell, refuted - {PROBE})
                self.infer()
