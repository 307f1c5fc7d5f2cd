"""Records a search from the boards that a solver has written, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import Any
from warnings import warn

from undoku.errors import TraceError
from undoku.solver.problem.puzzle import LARGEST, Puzzle
from undoku.solver.problem.puzzle_text import VALUES
from undoku.solver.search.strategy import Strategy
from undoku.solver.trace.search_trace import Limits, SearchTrace
from undoku.solver.trace.trace import Outcome, Trace
from undoku.solver.trace.tracer import Tracer

_EMPTY = (0, None, "", " ", ".", "0", "_", "*", "-")
_FOLLOWED = "copies are followed if they are made by .copy(), [:] or copy.deepcopy"

OTHER_RULES = (
    'if it is no standard board, give puzzle=, such as its text with "box: none", "queens:8", or '
    '\'{"rows": 5, "columns": 5, "values": 25}\' for a board without rules'
)

_TRIALS = 20
"""Searches at random that must all take something back, before a trace without undos is doubted."""


class Marks(dict[object, int]):
    """The value of what a cell holds: 0 for the mark of an empty cell, but also for a number that
    is no value, with which some solvers end their loops, and for a text of several candidates."""

    def __init__(self, empty: object, size: int = LARGEST, values: Sequence[object] = ()) -> None:
        super().__init__(dict.fromkeys(_EMPTY if empty is None else (empty, None), 0))
        self.update({mark: value for value, mark in enumerate(values, 1)})
        self.size = 0 if values else size

    def __missing__(self, mark: Any) -> int:
        try:
            value = VALUES[mark] if isinstance(mark, str) and mark in VALUES else int(mark)
            if not value:
                raise ValueError(mark)
        except (ValueError, TypeError):
            raise TraceError(
                f"a cell holds {repr(mark)[:40]}, which is neither a value nor an empty cell",
                remedy="name the mark of an empty cell, as in watch(grid, empty='x'), or all "
                "values, as in values=range(8)",
            ) from None
        self[mark] = value if 0 < value <= self.size else 0
        return self[mark]

    def read(self, cells: Iterable[Any]) -> list[int]:
        """The values of what cells hold. Raises TraceError."""
        return self._read(self.__getitem__, cells)

    def filled(self, row: Iterable[Any]) -> list[int]:
        """0 for each empty field of a row, whatever marks the others, unless values are named: then
        only these do. Raises TraceError."""
        return self._read(lambda mark: self.get(mark, self.size), row)

    def _read(self, value_of: Callable[[Any], int], cells: Iterable[Any]) -> list[int]:
        try:
            return [*map(value_of, cells)]
        except TypeError:
            raise TraceError(
                "a cell holds a list or a set", remedy="watch a grid of values"
            ) from None


def board_values(
    rows: Sequence[Sequence[Any]], marks: Marks, cells: int, *, in_fields: bool
) -> list[int]:
    """The values on a board of rows, or on one list of all `cells`, of which the last ones may be
    missing if they are empty. On a board that is `in_fields`, such as a chessboard of queens, the
    value of a row is the number, from 1, of its first field that is not empty. Raises TraceError.
    """
    if in_fields:
        return [next((n for n, one in enumerate(marks.filled(row), 1) if one), 0) for row in rows]
    values = marks.read(chain.from_iterable(rows))
    return values + [0] * (cells - len(values) if len(rows) == 1 else 0)


class Recording(Tracer):
    """The trace of a solver whose boards are watched."""

    def __init__(
        self,
        puzzle: Puzzle,
        marks: Marks,
        title: str = "",
        *,
        in_fields: bool = False,
    ) -> None:
        """Boards that are `in_fields` have a field for each value of a cell: see `board_values`."""
        super().__init__(puzzle, title=title)
        self.marks, self._in_fields = marks, in_fields
        self.rows = len(puzzle.givens) if in_fields else 1
        """The rows in which `read` wants the cells of an array."""
        self.fields = len(puzzle.givens) * (puzzle.size if in_fields else 1)
        """The number of fields of a whole board."""
        self.values = list(puzzle.givens)
        """One for each cell, as recorded so far."""
        self.board: object = None
        """The board that was written last, of several copies."""
        self._written = self.values
        self._placed: list[int] = []

    def read(self, rows: Sequence[Sequence[object]]) -> list[int]:
        """The values of a board. Raises TraceError."""
        return board_values(rows, self.marks, len(self.values), in_fields=self._in_fields)

    def write(self, values: list[int], changed: Iterable[int]) -> None:
        """Record that the solver's board has these values, one for each cell, 0 for empty ones, and
        that the cells `changed` were written. Raises TraceError if something is placed while a
        given is missing."""
        self._written = values
        if any(values[cell] and values[cell] != self.values[cell] for cell in changed):
            self._catch_up()

    def _catch_up(self) -> None:
        """Take back what is no longer there. What was placed later and is still there is placed
        again, as forced, so that no decision counts twice."""
        recorded, written = self.values, self._written
        changed = {cell for cell, value in enumerate(written) if value != recorded[cell]}
        kept = len(self._placed)
        if changed.intersection(self._placed):
            kept = next(n for n, cell in enumerate(self._placed) if cell in changed)
        taken, self._placed = self._placed[kept:], self._placed[:kept]
        for cell in reversed(taken):
            self.undo(cell)
            recorded[cell] = 0
        again = [cell for cell in taken if cell not in changed]
        for cell in (*again, *sorted(changed)):
            if self.puzzle.givens[cell]:
                raise TraceError(
                    f"{self.puzzle.problem.cell_name(cell)} is a given of the watched grid, but "
                    f"holds {written[cell] or 'nothing'}",
                    remedy="watch a new grid for each puzzle",
                )
            if written[cell]:
                self.place(cell, written[cell], forced=cell not in changed)
                recorded[cell] = written[cell]
                self._placed.append(cell)

    def trace(self, outcome: Outcome | str | None = None) -> Trace:
        self._catch_up()
        if not self._replay.events and self.puzzle.empty_cells:
            raise TraceError(
                "nothing was written into the watched grid",
                remedy=f"run the solver on the grid that undoku.watch returned; {_FOLLOWED}",
            )
        if self._replay.solved and not self._replay.undos and not self._luck_is_plausible():
            warn(
                "each value was written once, and none was taken back: if the solver searched on a "
                "copy of the watched grid, only its result is shown; let it search on the grid "
                f"that undoku.watch returned ({_FOLLOWED})",
                RuntimeWarning,
                stacklevel=2,
            )
        if conflict := self._replay.conflict():
            warn(f"on the last board {conflict}; {OTHER_RULES}", RuntimeWarning, stacklevel=2)
        return super().trace(outcome)

    def _luck_is_plausible(self) -> bool:
        """Whether a search that tries values at random sometimes takes nothing back, either: one
        in the order of the cells, if they were filled in it, or else one with much inference."""
        inferring = "mrv-random:{0}/shuffled:{0}+singles+locked+pairs+triples+x-wing"
        ascending = self._placed == sorted(self._placed)
        spec = "row-major/shuffled:{0}" if ascending else inferring
        limits = Limits(max_nodes=len(self._placed) + 1)
        searches = (
            SearchTrace(self.puzzle, Strategy.parse(spec.format(seed)), limits)
            for seed in range(_TRIALS)
        )
        return any(search.tally().solutions and not search.tally().undos for search in searches)
