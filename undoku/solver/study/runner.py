"""Counts the searches of every puzzle of a collection by several strategies, in parallel.

A study stores its counts in a journal beside its result, so that it continues where it was
interrupted. Its result depends only on the puzzles and the settings.
"""

from __future__ import annotations

import pickle
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from undoku.errors import PuzzleError, SettingsError
from undoku.solver.problem.problem import Problem
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.search.strategy import Strategy
from undoku.solver.study.journal import BLOCK, OUTCOMES, Block, Journal, row_type
from undoku.solver.study.own_solver import OwnSolver
from undoku.solver.trace.search_trace import Limits, search
from undoku.solver.trace.trace import Tally
from undoku.worker_process import InlineExecutor, Workers, workers_of

_AHEAD = 16  # blocks that each worker may be ahead of the slowest

Progress = Callable[[int], None]
"""Called with the number of puzzles counted so far."""

# Strategies with a loop for many puzzles at once: whether it chooses each cell dynamically.
_COUNTED = {"row-major": False, "mrv": True}


@dataclass(frozen=True, slots=True)
class Study:
    """The settings of a study: the strategies, and the limits of searches. Raises SettingsError if
    there is none, for a strategy named twice, or a limit below 1; StrategyError for an unknown one.

    Each puzzle is searched `seeds` times by every strategy; 0, 1, 2, … is added to its seeds. A
    strategy without seeds does the same each time. If `timed`, the time of each search is measured;
    that of an own solver includes its start and the recording."""

    strategies: tuple[Strategy | OwnSolver, ...]
    max_nodes: int | None = 1_000_000
    exhaustive: bool = False
    seeds: int = 1
    timed: bool = False
    max_seconds: float | None = None

    def __post_init__(self) -> None:
        self.limits()
        if self.seeds < 1:
            raise SettingsError(f"the number of seeds must be at least 1, not {self.seeds}")
        names = [str(strategy) for strategy in self.strategies]
        if not names:
            raise SettingsError("a study needs a strategy", remedy="name one, such as mrv")
        for name in names:
            if names.count(name) > 1:
                raise SettingsError(f"strategy {name} is named twice", remedy="name it once")

    @classmethod
    def of(
        cls,
        strategies: Iterable[Strategy | OwnSolver | str],
        max_nodes: int | None = 1_000_000,
        exhaustive: bool = False,
        seeds: int = 1,
        *,
        timed: bool = False,
        max_seconds: float | None = None,
    ) -> Study:
        """A study of strategies, given as texts or strategies, and of own solvers."""
        found = (one if isinstance(one, OwnSolver) else Strategy.of(one) for one in strategies)
        return cls(tuple(found), max_nodes, exhaustive, seeds, timed, max_seconds)

    def limits(self) -> Limits:
        return Limits(self.max_nodes, self.exhaustive, self.max_seconds)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(str(strategy) for strategy in self.strategies)


def blocks_of(puzzles: Iterable[Puzzle | PuzzleError], study: Study) -> Iterator[Block]:
    """The puzzles in order, each as often as the study has seeds, in blocks of at most BLOCK of one
    problem, without counts. An error represents an invalid puzzle: it is skipped, but counts in
    the numbering."""
    problem: Problem | None = None
    kept: list[tuple[int, int, bytes]] = []

    def block(problem: Problem) -> Block:
        rows = np.zeros(len(kept), row_type(problem.cells, len(study.strategies)))
        rows["number"], rows["run"], boards = zip(*kept, strict=True)
        rows["board"] = np.frombuffer(b"".join(boards), np.uint8).reshape(len(kept), -1)
        return Block(problem, rows)

    for number, puzzle in enumerate(puzzles, 1):
        if isinstance(puzzle, PuzzleError):
            continue
        if problem is not puzzle.problem and problem != puzzle.problem:
            if problem is not None:
                yield block(problem)
            problem, kept = puzzle.problem, []
        for run in range(study.seeds):
            if len(kept) == BLOCK:
                yield block(problem)
                kept = []
            kept.append((number, run, bytes(puzzle.givens)))
    if problem is not None:
        yield block(problem)


def count_block(study: Study, block: Block) -> Block:
    """The block with the counts of every puzzle by every strategy."""
    rows, runs = block.rows.copy(), block.rows["run"].tolist()
    counts = rows["counts"]
    limits = study.limits()
    together = not study.timed and study.max_seconds is None
    for number, strategy in enumerate(study.strategies):
        if str(strategy) in _COUNTED and together:
            counts[:, number] = _counted_together(study, block, _COUNTED[str(strategy)])
            continue
        for row, run in enumerate(runs):
            drawn = strategy.reseeded(run)
            if run and row and drawn is strategy:  # a repetition of the same search
                counts[row, number] = counts[row - 1, number]
                continue
            puzzle = Puzzle(tuple(rows["board"][row].tolist()), block.problem)
            tally, spent = _searched(drawn, puzzle, limits)
            counts[row, number] = (
                OUTCOMES.index(tally.outcome),
                tally.solutions,
                tally.nodes,
                tally.places,
                tally.forced,
                tally.guessed,
                tally.undos,
                tally.backtracks,
                tally.dead_ends,
                tally.max_depth,
                spent if study.timed else 0,
            )
    return Block(block.problem, rows)


def _searched(strategy: Strategy | OwnSolver, puzzle: Puzzle, limits: Limits) -> tuple[Tally, int]:
    """The counts of one search, and its time in nanoseconds."""
    if isinstance(strategy, Strategy):
        tally = search(puzzle, strategy, limits).tally()
        return tally, round(tally.seconds * 1e9)
    begun = time.perf_counter_ns()
    tally = strategy.tally(puzzle, limits)
    return tally, time.perf_counter_ns() - begun


def _counted_together(study: Study, block: Block, dynamic: bool) -> NDArray[np.int64]:
    """(n, columns) int64: the counts of every puzzle by one strategy with a loop of its own."""
    from undoku.solver.search import search_state
    from undoku.solver.search.many_searches import count_many
    from undoku.solver.search.plain_loops import plain_arrays

    boards, again = np.unique(block.rows["board"], axis=0, return_inverse=True)
    counts = np.zeros((len(boards), search_state.REGISTERS), np.int64)
    count_many(
        dynamic,
        study.exhaustive,
        study.max_nodes or 0,
        boards,
        plain_arrays(block.problem, fewest=dynamic),
        search_state.no_output(block.problem),
        counts,
    )
    counts = counts[again.ravel()]
    places, guessed = counts[:, search_state.GUESSES], counts[:, search_state.GUESSED]
    return np.stack(
        [
            counts[:, search_state.PHASE] - search_state.PHASE_SOLVED,
            counts[:, search_state.SOLUTIONS],
            places + 1,
            places,
            places - guessed,
            guessed,
            counts[:, search_state.UNDOS],
            counts[:, search_state.BACKTRACKS],
            counts[:, search_state.DEAD_ENDS],
            counts[:, search_state.MAX_DEPTH],
            np.zeros(len(counts), np.int64),
        ],
        axis=1,
    )


def run_study(
    puzzles: Iterable[Puzzle | PuzzleError],
    study: Study,
    journal_path: Path,
    *,
    jobs: int | None = None,
    progress: Progress | None = None,
    replace: bool = True,
) -> Journal:
    """Count every puzzle by every strategy and return the complete journal.

    `jobs` worker processes share the work (None: one for each core; 0: it is done in this process).
    Blocks that the journal at `journal_path` already contains, from the same settings and the same
    puzzles, are not counted again. An interrupted study leaves a journal from which it can
    continue. Errors among `puzzles` (see `undoku.solver.problem.sources.readings`) are skipped.
    Raises SettingsError for fewer than 0 jobs, and for solvers that can't be sent to worker
    processes; PuzzleError from `puzzles`; OutputError if the journal can't be written, if another
    study is using it, and, without `replace`, if it comes from other settings or puzzles.
    """
    workers = workers_of(jobs)
    journal = Journal(
        journal_path, study.names, study.max_nodes, study.exhaustive, study.seeds,
        timed=study.timed, max_seconds=study.max_seconds, replace=replace,
    )  # fmt: skip
    try:
        for counted in _fill(journal, puzzles, study, workers):
            if progress:
                progress(counted)
    except BaseException:
        journal.close()
        raise
    return journal


def _fill(
    journal: Journal, puzzles: Iterable[Puzzle | PuzzleError], study: Study, jobs: int
) -> Iterator[int]:
    """Complete the journal; yields the number of puzzles in it."""
    counted = 0
    blocks = blocks_of(puzzles, study)
    for block in blocks:
        if not journal.confirm(block):
            blocks = chain([block], blocks)
            break
        counted += len(block.rows)
        yield counted
    else:
        blocks = iter(())
    journal.forget_rest()
    for block in _counted(blocks, study, jobs):
        journal.add(block)
        counted += len(block.rows)
        yield counted


def _counted(blocks: Iterator[Block], study: Study, jobs: int) -> Iterator[Block]:
    """The blocks with their counts, in their order."""
    if jobs:
        try:
            pickle.dumps(study)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise SettingsError(
                f"a solver can't be sent to worker processes: {error}",
                remedy="let it be a function of a module, or give jobs=0",
            ) from None
    waiting: deque[Future[Block]] = deque()
    with Workers(jobs) if jobs else InlineExecutor() as workers:
        for block in blocks:
            waiting.append(workers.submit(count_block, study, block))
            if len(waiting) > _AHEAD * jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
