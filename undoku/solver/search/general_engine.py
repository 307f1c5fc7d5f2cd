"""The loop for all combinations of parts, with its arrays prepared for a puzzle."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from undoku.solver.problem.geometry_arrays import tables_of
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.search import bookkeeping, search_plan
from undoku.solver.search.engine import Engine, root_candidates
from undoku.solver.search.part_registry import loaded, parts
from undoku.solver.search.spec_words import number_of
from undoku.solver.search.strategy import Strategy
from undoku.solver.search.strategy_part import PartKind

if TYPE_CHECKING:
    from undoku.solver.search.general_loop import Loop

__all__ = ["GeneralEngine"]


class GeneralEngine(Engine):
    def __init__(self, puzzle: Puzzle, strategy: Strategy, exhaustive: bool) -> None:
        from undoku.machine_code.jit import entry_point
        from undoku.solver.search import dynamic_orders, singles
        from undoku.solver.search.conflict_sets import WORD
        from undoku.solver.search.last_conflict import NO_CHOICE
        from undoku.solver.search.learned import Learned
        from undoku.solver.search.nogoods import empty_nogoods
        from undoku.solver.search.random_choices import register_of
        from undoku.solver.search.search_arrays import SLOTS, SearchArrays

        super().__init__(puzzle, strategy, exhaustive)
        self.registers[bookkeeping.PHASE] = bookkeeping.PHASE_ROOT
        self.registers[bookkeeping.FILLED] = np.count_nonzero(self.board)
        tables = tables_of(puzzle.geometry)
        size, cells, units = puzzle.size, puzzle.geometry.cells, len(puzzle.geometry.units)
        most_events = cells * (size + 1)
        self.reserve = 2 * most_events + 2  # and a probe, a restart or a nogood
        learning = strategy.back == "nogoods"
        explaining = learning or strategy.back == "cbj"
        words = cells // WORD + 1 if explaining else 1
        candidates = np.zeros((cells + 2, cells), np.int64)
        candidates[0] = root_candidates(self.board, puzzle)
        arrays = SearchArrays(
            candidates=candidates,
            board=self.board,
            trail=np.zeros(most_events, np.int64),
            marks=np.zeros(cells + 1, np.int64),
            options=np.zeros((cells + 1, size), np.int64),
            next=np.zeros(cells + 1, np.int64),
            end=np.zeros(cells + 1, np.int64),
            discrepancies=np.zeros(cells + 2, np.int64),
            choices=np.zeros(cells + 1, np.int64),
            priority_choice=np.full(1, NO_CHOICE, np.int64),
            removal_levels=np.zeros((cells * size if explaining else 1, words), np.int64),
            cause_levels=np.zeros((1, words), np.int64),
            conflict_sets=np.zeros((cells + 2, words), np.int64),
            stale=np.zeros(units, np.int64),
            learned=Learned(
                np.ones(units, np.int64),
                np.ones(cells, np.float64),
                np.array([register_of(_seed(strategy.cells)), register_of(_seed(strategy.values))]),
            ),
            nogoods=empty_nogoods(cells, learning=learning),
            reasons=np.zeros((most_events, 2), np.int64),
            scratch=np.zeros(5 * size, np.int64),
            found=np.zeros((max(cells, units) * size, 2), np.int64),
            registers=self.registers,
        )
        named = {*strategy.inference, *strategy.presolve}
        found = [part for part in parts(PartKind.INFERENCE) if part.name in named and part.function]
        self.rules = tuple(found)
        rules = [loaded(part) for part in found]
        choose = (_function(PartKind.CELLS, strategy.cells, dynamic_orders.listed),)
        rank = (_function(PartKind.VALUES, strategy.values, dynamic_orders.as_they_come),)
        slots = max(SLOTS, len(rules))
        filled = (*rules, *[singles.nothing] * (slots - len(rules)))
        backtracking = {
            "chronological": search_plan.CHRONOLOGICAL,
            "cbj": search_plan.CONFLICT_DIRECTED,
            "nogoods": search_plan.CONFLICT_DIRECTED,
            "lds": search_plan.LIMITED_DISCREPANCY,
        }[strategy.back]
        order = self.order.astype(np.int64)
        row = arrays.candidates[0]
        self._functions = (choose, rank, filled)
        self._examples = (
            (tables, row, self.board, order, arrays.learned),
            (tables, row, self.board, arrays.scratch, arrays.options[0]),
            (tables, row, self.board, arrays.stale, 1, arrays.scratch, arrays.found),
        )
        plan = search_plan.SearchPlan(
            order=order,
            rule_count=len(rules),
            node_rules=sum(
                1 << number for number, part in enumerate(found) if part.name in strategy.inference
            ),
            strict=bool(strategy.inference),
            strict_root=bool(named),
            backtracking=backtracking,
            last_conflict=strategy.priority == "last-conflict",
            shuffling=strategy.values.startswith("shuffled:"),
            activity=strategy.cells == "activity",
            learning=learning,
            probing=search_plan.PROBES_EVERYWHERE
            if "sac" in strategy.inference
            else search_plan.PROBES_AT_ROOT
            if "sac" in strategy.presolve
            else search_plan.PROBES_NOWHERE,
            restart=number_of(strategy.restart) if strategy.restart else 0,
            exhaustive=exhaustive,
            reserve=self.reserve,
        )
        self._fixed = (tables, arrays, plan)
        self._entry_point = entry_point
        self._loop: Loop | None = None

    def compile(self) -> None:
        from undoku.solver.search.general_loop import advance_general

        output = self._output(np.empty(1, np.uint32))
        self._loop = self._entry_point(
            advance_general, self._functions, self._examples, (*self._fixed, True, 0, output)
        )

    def advance(self, events: NDArray[np.uint32], room: int, recording: bool) -> int:
        if self._loop is None:
            self.compile()
        assert self._loop is not None
        output = self._output(events)
        return self._loop(*self._functions, *self._fixed, recording, room, output)


def _seed(written: str) -> int:
    """The seed of a part, 0 if it has none."""
    return number_of(written) if ":" in written else 0


def _function(kind: PartKind, written: str, otherwise: Callable[..., int]) -> Callable[..., int]:
    """The function of a cell or value order, or `otherwise` if it needs none."""
    name = written.partition(":")[0]
    part = next(part for part in parts(kind) if part.name == name)
    return loaded(part) if part.function else otherwise
