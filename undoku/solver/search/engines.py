"""The resumable search of a strategy: its loops, with their arrays for a puzzle."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from warnings import warn

import numpy as np
from numpy.typing import NDArray

from undoku.errors import StrategyError
from undoku.h264.loops import I64
from undoku.solver.problem.problem import Problem, tables_of
from undoku.solver.search import search_state
from undoku.solver.search.conflict_sets import WORD
from undoku.solver.search.dynamic_orders import AS_PREFERRED, AS_THEY_COME, LISTED, register_of
from undoku.solver.search.fixed_orders import fixed_cells, fixed_values
from undoku.solver.search.general_loop import NO_CHOICE, advance_general
from undoku.solver.search.nogoods import empty_nogoods
from undoku.solver.search.ops import OP_ELIMINATE, OP_FORCED
from undoku.solver.search.part_registry import loaded, parts
from undoku.solver.search.plain_loops import PlainArrays, advance, plain_arrays, prepare
from undoku.solver.search.search_state import (
    CHOOSE,
    RANK,
    Learned,
    Output,
    OutsideParts,
    SearchArrays,
)
from undoku.solver.search.specification import number_of
from undoku.solver.search.strategy import FIXED_VALUES, Strategy
from undoku.solver.search.strategy_part import Part, PartKind


class Engine:
    """A resumable search by the fastest loops that make the choices of `strategy` on a board,
    (cells,) uint8 with 0 where a cell is empty: the general loop runs the rules at the root, and,
    unless a plain loop can search the board that they leave, all else.

    `registers` (search_state.REGISTERS,) int64 hold its state, `solution` (cells,) uint8 the first
    solution. `reserve` is the number of events for which the loop needs room before it continues.
    `reasons` is empty, or receives the reasons of events: see
    `undoku.solver.search.search_state.Output`; `rules` are the parts to which the numbers in it
    refer. Raises StrategyError if a part of another package can't be loaded.
    """

    reserve = 1
    rules: tuple[Part, ...] = ()
    reasons: NDArray[np.int64] = np.empty((0, 2), np.int64)

    def __init__(
        self, problem: Problem, board: NDArray[np.uint8], strategy: Strategy, exhaustive: bool
    ) -> None:
        self.exhaustive = exhaustive
        self.registers = np.zeros(search_state.REGISTERS, np.int64)
        self.solution = np.zeros(problem.cells, np.uint8)
        self._problem, self._tables, self._strategy = problem, tables_of(problem), strategy
        self._order = np.array(fixed_cells(problem, board.tolist(), strategy), np.int64)
        self._values = np.array(fixed_values(problem, strategy), np.uint8)
        # The loops number values in the order of trial, unless their numbers have a meaning; this
        # is the board in these numbers.
        numbered = np.arange(1, problem.size + 1, dtype=np.uint8)
        self._labels = self._values if problem.interchangeable else numbered
        inner = np.zeros(problem.size + 1, np.uint8)
        inner[self._labels] = numbered
        self._board: NDArray[np.uint8] = inner[board]
        self._failures: list[BaseException] = []
        plain = _searched_plainly(strategy)
        self._presolving = plain and bool(strategy.presolve)
        if self._presolving or not plain:
            self._begin_general()
        else:
            self._begin_plain()

    @property
    def finished(self) -> bool:
        return int(self.registers[search_state.PHASE]) >= search_state.PHASE_SOLVED

    def advance(self, events: NDArray[np.uint32], room: int, recording: bool) -> int:
        """Continue until the search ends or fewer than `reserve` of `room` events are left; returns
        the number of events. Writes them to `events`, (room,), if `recording`."""
        registers = self.registers
        output = Output(self._labels, events, self.solution, self.reasons[: len(events)])
        if isinstance(self._arrays, PlainArrays):
            limit, fewest = 0 if self.exhaustive else 1, self._strategy.cells == "mrv"
            return advance(fewest, limit, recording, room, self._arrays, output, registers)
        limit = int(registers[search_state.NODE_LIMIT])
        if self._presolving:
            registers[search_state.NODE_LIMIT] = 1  # stops before the first guess
        written = advance_general(self._tables, self._arrays, self._plan, recording, room, output)
        if self._failures:
            raise self._failures[0]
        if self._presolving:
            registers[search_state.NODE_LIMIT] = limit
            if registers[search_state.PHASE] == search_state.PHASE_CAPPED:
                self._presolving = False
                registers[search_state.PHASE] = search_state.PHASE_TRY
                if not registers[search_state.OTHERS]:  # plain loops know no eliminations
                    self._begin_plain()
        return written

    def _begin_plain(self) -> None:
        """Let a plain loop search the board."""
        problem, fewest = self._problem, self._strategy.cells == "mrv"
        ascending = self._labels is self._values or self._strategy.values == "ascending"
        trials = np.tile(self._values - np.uint8(1), (0 if ascending else problem.cells, 1))
        self._arrays: PlainArrays | SearchArrays = plain_arrays(
            problem, fewest=fewest, trials=trials
        )
        empty = prepare(fewest, self._arrays, self._board)
        self._arrays.order[:empty] = self._order[self._board[self._order] == 0]
        self.registers[search_state.PHASE] = search_state.PHASE_ENTER

    def _begin_general(self) -> None:
        """Let the general loop search the board."""
        problem, strategy = self._problem, self._strategy
        self.registers[search_state.PHASE] = search_state.PHASE_ROOT
        self.registers[search_state.PRIORITY] = NO_CHOICE
        self.registers[search_state.FILLED] = np.count_nonzero(self._board)
        size, cells, units = problem.size, problem.cells, len(problem.units)
        most_events = cells * (size + 1)
        self.reserve = 2 * most_events + 2  # and a probe, a restart or a nogood
        learning = strategy.back == "nogoods"
        explaining = learning or strategy.back == "cbj"
        words = cells // WORD + 1 if explaining else 1
        candidates = np.zeros((cells + 2, cells), np.int64)
        candidates[0] = problem.candidates(self._board.tolist())
        self._arrays = arrays = SearchArrays(
            candidates=candidates,
            board=self._board,
            trail=np.zeros(most_events, np.int64),
            marks=np.zeros(cells + 1, np.int64),
            options=np.zeros((cells + 1, size), np.int64),
            next=np.zeros(cells + 1, np.int64),
            end=np.zeros(cells + 1, np.int64),
            discrepancies=np.zeros(cells + 2, np.int64),
            choices=np.zeros(cells + 1, np.int64),
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
        self.rules = tuple(
            part for part in parts(PartKind.INFERENCE) if part.name in named and part.function
        )
        rules = [loaded(part) for part in self.rules]
        choose = _function(PartKind.CELLS, strategy.cells, LISTED)
        in_order = AS_THEY_COME if self._labels is self._values else AS_PREFERRED
        rank = _function(PartKind.VALUES, strategy.values, in_order)
        if any(map(callable, (choose, rank, *rules))):
            warn(
                f"{strategy.spec} has a part that is a Python function of another package; the "
                "search calls it at every node, which takes longer than a built-in part",
                RuntimeWarning,
                stacklevel=2,
            )
        at_nodes = [part.name in strategy.inference for part in self.rules]
        self._plan = search_state.SearchPlan(
            order=self._order,
            cell_order=_number(choose),
            value_order=_number(rank),
            preference=np.argsort(self._values).astype(np.int64),
            rules=np.array([_number(rule) for rule in rules], np.int64),
            outside=self._outside(choose, rank, rules, arrays),
            node_rules=sum(here << number for number, here in enumerate(at_nodes)),
            strict=bool(strategy.inference),
            root_fails=bool(named) and not candidates[0].all(),
            backtracking={
                "chronological": search_state.CHRONOLOGICAL,
                "cbj": search_state.CONFLICT_DIRECTED,
                "nogoods": search_state.CONFLICT_DIRECTED,
                "lds": search_state.LIMITED_DISCREPANCY,
            }[strategy.back],
            last_conflict=strategy.priority == "last-conflict",
            shuffling=strategy.values.startswith("shuffled:"),
            activity=strategy.cells == "activity",
            probing=search_state.PROBES_EVERYWHERE
            if "sac" in strategy.inference
            else search_state.PROBES_AT_ROOT
            if "sac" in strategy.presolve
            else search_state.PROBES_NOWHERE,
            restart=number_of(strategy.restart) if strategy.restart else 0,
            exhaustive=self.exhaustive,
            reserve=self.reserve,
        )

    def _outside(
        self,
        choose: Callable[..., int] | int,
        rank: Callable[..., int] | int,
        rules: Sequence[Callable[..., int] | int],
        arrays: SearchArrays,
    ) -> OutsideParts:
        """Calls the Python functions among the parts, with the arrays that their contracts name.
        An exception that they raise is raised again when the loop returns."""
        tables, board, scratch = self._tables, arrays.board, arrays.scratch
        lowest = -len(tables.units) * tables.size

        def chosen(choose: Callable[..., int], candidates: I64) -> int:
            choice = choose(tables, candidates, board, self._order, arrays.learned)
            if not lowest <= choice < len(board) or (choice >= 0 and board[choice]):
                raise StrategyError(f"a cell order returned {choice}, which is no empty cell")
            return choice

        def ranked(rank: Callable[..., int], candidates: I64, options: I64) -> int:
            before = sorted(options.tolist())
            rank(tables, candidates, board, scratch, options)
            if sorted(options.tolist()) != before:
                raise StrategyError("a value order changed the options that it was to sort")
            return 0

        def deduced(rule: Callable[..., int], candidates: I64, turn: int) -> int:
            count = rule(tables, candidates, board, arrays.stale, turn, scratch, arrays.found)
            if not -len(tables.units) <= count <= len(arrays.found):
                raise StrategyError(f"a rule returned {count} deductions, which is impossible")
            for event in arrays.found[: max(count, 0), 0].tolist():
                op, value, cell = event & 0xFF, event >> 8 & 0xFF, event >> 16
                known = op in (OP_FORCED, OP_ELIMINATE) and 1 <= value <= tables.size
                if not known or not 0 <= cell < len(board):
                    raise StrategyError(f"a rule deduced {event}, which is no event of this puzzle")
            return count

        def call(number: int, depth: int) -> int:
            candidates, options = arrays.candidates[depth], arrays.options[depth]
            part = {CHOOSE: choose, RANK: rank}[number] if number < 0 else rules[number]
            assert callable(part)
            try:
                if number == CHOOSE:
                    return int(chosen(part, candidates))
                if number == RANK:
                    return ranked(part, candidates, options[: arrays.end[depth]])
                return int(deduced(part, candidates, 1 << number))
            except BaseException as failure:
                self._failures.append(failure)
                self.registers[search_state.NODE_LIMIT] = 1  # ends the search before a guess
                return 0

        return call


def _searched_plainly(strategy: Strategy) -> bool:
    """Whether a plain loop makes the same choices as the general one, after the rules that run at
    the root."""
    cells, values = (written.partition(":")[0] for written in (strategy.cells, strategy.values))
    if strategy.presolve and cells in ("static", "random"):
        return False  # these orders of cells depend on which cells are empty
    as_listed = values in FIXED_VALUES and not strategy.priority and not strategy.restart
    # A cell without candidates is the next choice anyway, so forward checking changes nothing.
    fewest = cells == "mrv" and strategy.inference in ((), ("forward",))
    fixed = strategy.has_fixed_order and not strategy.inference
    return as_listed and strategy.back == "chronological" and (fewest or fixed)


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
