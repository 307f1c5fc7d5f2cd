"""The resumable searches: the fastest loop for a strategy, with its arrays for a puzzle."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from warnings import warn

import numpy as np
from numpy.typing import NDArray

from undoku.errors import StrategyError
from undoku.solver.problem.problem import Problem, Tables, tables_of
from undoku.solver.search import search_state
from undoku.solver.search.fixed_orders import fixed_cells, fixed_values
from undoku.solver.search.ops import OP_ELIMINATE, OP_FORCED
from undoku.solver.search.part_registry import loaded, parts
from undoku.solver.search.search_state import Output, OutsideFunction, SearchArrays
from undoku.solver.search.specification import number_of
from undoku.solver.search.strategy import FIXED_VALUES, Strategy
from undoku.solver.search.strategy_part import Part, PartKind


class Engine(ABC):
    """One resumable search. `registers` (search_state.REGISTERS,) int64 hold its state, `solution`
    (cells,) uint8 the first solution. `reserve` is the number of events for which the loop needs
    room before it continues. `reasons` is empty, or receives the reasons of events: see
    `undoku.solver.search.search_state.Output`; `rules` are the parts to which the numbers in it
    refer.
    """

    reserve = 1
    rules: tuple[Part, ...] = ()
    reasons: NDArray[np.int64] = np.empty((0, 2), np.int64)

    def __init__(
        self, problem: Problem, board: NDArray[np.uint8], strategy: Strategy, exhaustive: bool
    ) -> None:
        self.exhaustive = exhaustive
        self.registers = np.zeros(search_state.REGISTERS, np.int64)
        self.registers[search_state.PHASE] = search_state.PHASE_ENTER
        self.solution = np.zeros(problem.cells, np.uint8)
        self.order = np.array(fixed_cells(problem, board.tolist(), strategy), np.int64)
        self.values = np.array(fixed_values(problem, strategy), np.uint8)
        # The loops number values in the order of trial, unless their numbers have a meaning; this
        # is the board in these numbers.
        numbered = np.arange(1, problem.size + 1, dtype=np.uint8)
        self.labels = self.values if problem.interchangeable else numbered
        inner = np.zeros(problem.size + 1, np.uint8)
        inner[self.labels] = numbered
        self.board: NDArray[np.uint8] = inner[board]

    @abstractmethod
    def advance(self, events: NDArray[np.uint32], room: int, recording: bool) -> int:
        """Continue until the search ends or fewer than `reserve` of `room` events are left; returns
        the number of events. Writes them to `events`, (room,), if `recording`."""

    def _output(self, events: NDArray[np.uint32]) -> Output:
        return Output(self.labels, events, self.solution, self.reasons[: len(events)])

    @property
    def finished(self) -> bool:
        return int(self.registers[search_state.PHASE]) >= search_state.PHASE_SOLVED


class GeneralEngine(Engine):
    def __init__(
        self, problem: Problem, board: NDArray[np.uint8], strategy: Strategy, exhaustive: bool
    ) -> None:
        from undoku.solver.search.conflict_sets import WORD
        from undoku.solver.search.dynamic_orders import (
            AS_PREFERRED,
            AS_THEY_COME,
            LISTED,
            register_of,
        )
        from undoku.solver.search.general_loop import NO_CHOICE
        from undoku.solver.search.nogoods import empty_nogoods
        from undoku.solver.search.search_state import Learned

        super().__init__(problem, board, strategy, exhaustive)
        self.registers[search_state.PHASE] = search_state.PHASE_ROOT
        self.registers[search_state.FILLED] = np.count_nonzero(self.board)
        tables = tables_of(problem)
        size, cells, units = problem.size, problem.cells, len(problem.units)
        most_events = cells * (size + 1)
        self.reserve = 2 * most_events + 2  # and a probe, a restart or a nogood
        learning = strategy.back == "nogoods"
        explaining = learning or strategy.back == "cbj"
        words = cells // WORD + 1 if explaining else 1
        candidates = np.zeros((cells + 2, cells), np.int64)
        candidates[0] = problem.candidates(self.board.tolist())
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
            scratch=np.zeros(5 * size + size**3 // 3, np.int64),
            found=np.zeros((max(cells, units) * size, 2), np.int64),
            registers=self.registers,
        )
        named = {*strategy.inference, *strategy.presolve}
        found = [part for part in parts(PartKind.INFERENCE) if part.name in named and part.function]
        self.rules = tuple(found)
        rules = [loaded(part) for part in found]
        choose = _function(PartKind.CELLS, strategy.cells, LISTED)
        rank = _function(
            PartKind.VALUES,
            strategy.values,
            AS_THEY_COME if self.labels is self.values else AS_PREFERRED,
        )
        backtracking = {
            "chronological": search_state.CHRONOLOGICAL,
            "cbj": search_state.CONFLICT_DIRECTED,
            "nogoods": search_state.CONFLICT_DIRECTED,
            "lds": search_state.LIMITED_DISCREPANCY,
        }[strategy.back]
        self._failures: list[BaseException] = []
        if any(map(callable, (choose, rank, *rules))):
            warn(
                f"{strategy.spec} has a part that is a Python function of another package; the "
                "search calls it at every node, which takes longer than a built-in part",
                RuntimeWarning,
                stacklevel=2,
            )
        plan = search_state.SearchPlan(
            order=self.order,
            cell_order=_number(choose),
            value_order=_number(rank),
            preference=np.argsort(self.values).astype(np.int64),
            rules=np.array([_number(rule) for rule in rules], np.int64),
            outside=self._outside(choose, rank, rules, tables, arrays),
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
            probing=search_state.PROBES_EVERYWHERE
            if "sac" in strategy.inference
            else search_state.PROBES_AT_ROOT
            if "sac" in strategy.presolve
            else search_state.PROBES_NOWHERE,
            restart=number_of(strategy.restart) if strategy.restart else 0,
            exhaustive=exhaustive,
            reserve=self.reserve,
        )
        self._fixed = (tables, arrays, plan)

    def _outside(
        self,
        choose: Callable[..., int] | int,
        rank: Callable[..., int] | int,
        rules: Sequence[Callable[..., int] | int],
        tables: Tables,
        arrays: SearchArrays,
    ) -> search_state.Outside:
        """The Python functions among the parts, with the arrays that their contracts name."""
        board, scratch = arrays.board, arrays.scratch
        lowest = -len(tables.units) * tables.size

        def chosen(depth: int, _: int) -> int:
            assert callable(choose)
            choice = choose(tables, arrays.candidates[depth], board, self.order, arrays.learned)
            if not lowest <= choice < len(board) or (choice >= 0 and board[choice]):
                raise StrategyError(f"a cell order returned {choice}, which is no empty cell")
            return choice

        def ranked(depth: int, count: int) -> int:
            assert callable(rank)
            options = arrays.options[depth, :count]
            before = sorted(options.tolist())
            rank(tables, arrays.candidates[depth], board, scratch, options)
            if sorted(options.tolist()) != before:
                raise StrategyError("a value order changed the options that it was to sort")
            return 0

        def deduced(number: int, depth: int) -> int:
            rule, candidates = rules[number], arrays.candidates[depth]
            assert callable(rule)
            turn, stale = 1 << number, arrays.stale
            count = rule(tables, candidates, board, stale, turn, scratch, arrays.found)
            if not -len(tables.units) <= count <= len(arrays.found):
                raise StrategyError(f"a rule returned {count} deductions, which is impossible")
            for event in arrays.found[: max(count, 0), 0].tolist():
                op, value, cell = event & 0xFF, event >> 8 & 0xFF, event >> 16
                known = op in (OP_FORCED, OP_ELIMINATE) and 1 <= value <= tables.size
                if not known or not 0 <= cell < len(board):
                    raise StrategyError(f"a rule deduced {event}, which is no event of this puzzle")
            return count

        return search_state.Outside(
            self._guarded(chosen), self._guarded(ranked), self._guarded(deduced)
        )

    def _guarded(self, function: OutsideFunction) -> OutsideFunction:
        """The function; an exception that it raises is raised again when the loop returns."""

        def call(first: int, second: int) -> int:
            try:
                return int(function(first, second))
            except BaseException as failure:
                self._failures.append(failure)
                self.registers[search_state.NODE_LIMIT] = 1  # ends the search before a guess
                return 0

        return call

    def advance(self, events: NDArray[np.uint32], room: int, recording: bool) -> int:
        from undoku.solver.search.general_loop import advance_general

        written = advance_general(*self._fixed, recording, room, self._output(events))
        if self._failures:
            raise self._failures[0]
        return written


def _seed(written: str) -> int:
    """The seed of a part, 0 if it has none."""
    return number_of(written) if ":" in written else 0


def _number(part: Callable[..., int] | int) -> int:
    return search_state.OUTSIDE if callable(part) else part


def _function(kind: PartKind, written: str, otherwise: int) -> Callable[..., int] | int:
    """The function or the number of a cell or value order, or `otherwise` if it needs none."""
    name = written.partition(":")[0]
    part = next(part for part in parts(kind) if part.name == name)
    return loaded(part) if part.function else otherwise


def engine_for(
    problem: Problem, board: NDArray[np.uint8], strategy: Strategy, exhaustive: bool
) -> Engine:
    """The fastest loop that makes the choices of `strategy` on a board, (cells,) uint8 with 0 where
    a cell is empty. Raises StrategyError if a part of another package can't be loaded.
    """
    cells = strategy.cells.partition(":")[0]
    values = strategy.values.partition(":")[0]
    as_listed = values in FIXED_VALUES and not strategy.priority and not strategy.restart
    # A cell without candidates is the next choice anyway, so forward checking changes nothing.
    fewest = cells == "mrv" and strategy.inference in ((), ("forward",))
    fixed = strategy.has_fixed_order and not strategy.inference
    if as_listed and strategy.back == "chronological" and (fewest or fixed):
        if not strategy.presolve:
            return PlainEngine(problem, board, strategy, exhaustive)
        # An order that depends on which cells are empty would differ after inference at the root.
        if cells not in ("static", "random"):
            return PresolvedEngine(problem, board, strategy, exhaustive)
    return GeneralEngine(problem, board, strategy, exhaustive)


class PlainEngine(Engine):
    """A search without inference, by fewest candidates or in a fixed order."""

    def __init__(
        self, problem: Problem, board: NDArray[np.uint8], strategy: Strategy, exhaustive: bool
    ) -> None:
        from undoku.solver.search.plain_loops import plain_arrays, prepare

        super().__init__(problem, board, strategy, exhaustive)
        self._fewest = strategy.cells == "mrv"
        ascending = self.labels is self.values or strategy.values == "ascending"
        trials = np.tile(self.values - np.uint8(1), (0 if ascending else problem.cells, 1))
        self._arrays = plain_arrays(problem, fewest=self._fewest, trials=trials)
        prepare(self._fewest, self._arrays, self.board)
        self._arrays.order[: len(self.order)] = self.order

    def advance(self, events: NDArray[np.uint32], room: int, recording: bool) -> int:
        from undoku.solver.search.plain_loops import advance

        limit = 0 if self.exhaustive else 1
        output = self._output(events)
        return advance(self._fewest, limit, recording, room, self._arrays, output, self.registers)


class PresolvedEngine(Engine):
    """The general loop runs the rules at the root; then a faster loop searches the board with the
    values that they placed. If they eliminated candidates, which the faster loops do not support,
    the general loop continues."""

    def __init__(
        self, problem: Problem, board: NDArray[np.uint8], strategy: Strategy, exhaustive: bool
    ) -> None:
        super().__init__(problem, board, strategy, exhaustive)
        self._problem, self._strategy = problem, strategy
        self._root: Engine = GeneralEngine(problem, board, strategy, exhaustive)
        self.registers, self.solution = self._root.registers, self._root.solution
        self.rules = self._root.rules
        self.reserve = self._root.reserve
        self._rest: Engine | None = None

    def advance(self, events: NDArray[np.uint32], room: int, recording: bool) -> int:
        if self._rest is not None:
            self._rest.reasons = self.reasons
            return self._rest.advance(events, room, recording)
        registers = self.registers
        limit = int(registers[search_state.NODE_LIMIT])
        registers[search_state.NODE_LIMIT] = 1  # stops before the first guess
        self._root.reasons = self.reasons
        written = self._root.advance(events, room, recording)
        registers[search_state.NODE_LIMIT] = limit
        if int(registers[search_state.PHASE]) != search_state.PHASE_CAPPED:
            return written  # the search has ended, or there was no room to begin
        if registers[search_state.OTHERS]:
            registers[search_state.PHASE] = search_state.PHASE_TRY
            self._rest = self._root
            return written
        placed = np.concatenate([[0], self.labels])[self._root.board].astype(np.uint8)
        self._rest = PlainEngine(self._problem, placed, self._strategy, self.exhaustive)
        self._rest.registers, self._rest.solution = registers, self.solution
        registers[search_state.PHASE] = search_state.PHASE_ENTER
        return written
