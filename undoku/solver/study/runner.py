"""Counts the searches of every puzzle of a collection by several strategies, in parallel.

A study stores its counts in a journal beside its result, so that it continues where it was
interrupted. Its result depends only on the puzzles and the settings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.errors import PuzzleError, SettingsError
from undoku.solver.problem.puzzle import Geometry, Puzzle
from undoku.solver.search.strategy import Strategy
from undoku.solver.study.journal import COLUMNS, OUTCOMES, CountedBlock, Journal
from undoku.solver.trace.search_trace import Limits, search
from undoku.worker_process import InlineExecutor, Workers, cores, ended

__all__ = ["BLOCK", "PuzzleBlock", "Study", "blocks_of", "count_block", "run_study"]

BLOCK = 256
"""Puzzles counted by one task: some milliseconds of the fastest strategy."""

Progress = Callable[[int], None]
"""Called with the number of puzzles counted so far."""

# Strategies with a loop for many puzzles at once: whether it chooses each cell dynamically.
_COUNTED = {"row-major": False, "mrv": True}


@dataclass(frozen=True, slots=True)
class Study:
    """The settings of a study: the strategies, and the limits of searches. Raises SettingsError if
    there is none, for a strategy named twice, or a limit below 1; StrategyError for an unknown one.

    Each puzzle is searched `seeds` times by every strategy; 0, 1, 2, … is added to its seeds. A
    strategy without seeds does the same each time."""

    strategies: tuple[Strategy, ...]
    max_nodes: int | None = 1_000_000
    exhaustive: bool = False
    seeds: int = 1

    def __post_init__(self) -> None:
        Limits(self.max_nodes, self.exhaustive)
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
        strategies: Iterable[Strategy | str],
        max_nodes: int | None = 1_000_000,
        exhaustive: bool = False,
        seeds: int = 1,
    ) -> Study:
        """A study of strategies, given as texts or strategies."""
        return cls(tuple(Strategy.of(one) for one in strategies), max_nodes, exhaustive, seeds)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(str(strategy) for strategy in self.strategies)


class PuzzleBlock(NamedTuple):
    """Puzzles on one board that are counted together: `boards` is (n, cells) uint8, `numbers` (n,)
    int64 their positions in the collection, from 1, `runs` (n,) int64 the numbers added to
    seeds."""

    study: Study
    geometry: Geometry
    numbers: NDArray[np.int64]
    boards: NDArray[np.uint8]
    runs: NDArray[np.int64]


def blocks_of(puzzles: Iterable[Puzzle | PuzzleError], study: Study) -> Iterator[PuzzleBlock]:
    """The puzzles in order, each as often as the study has seeds, in blocks of at most BLOCK of one
    geometry. An error represents an invalid puzzle: it is skipped, but counts in the numbering."""
    geometry: Geometry | None = None
    numbers: list[int] = []
    givens: list[bytes] = []
    runs: list[int] = []

    def block(geometry: Geometry) -> PuzzleBlock:
        boards = np.frombuffer(b"".join(givens), np.uint8).reshape(len(givens), -1).copy()
        return PuzzleBlock(
            study, geometry, np.array(numbers, np.int64), boards, np.array(runs, np.int64)
        )

    for number, puzzle, run in (
        (number, puzzle, run)
        for number, puzzle in enumerate(puzzles, 1)
        for run in range(study.seeds)
    ):
        if isinstance(puzzle, PuzzleError):
            continue
        if geometry is not None and (
            len(givens) == BLOCK
            or (puzzle.geometry is not geometry and puzzle.geometry != geometry)
        ):
            yield block(geometry)
            numbers, givens, runs = [], [], []
        geometry = puzzle.geometry
        numbers.append(number)
        givens.append(bytes(puzzle.givens))
        runs.append(run)
    if geometry is not None:
        yield block(geometry)


def count_block(block: PuzzleBlock) -> NDArray[np.int64]:
    """(n, strategies, columns) int64: the counts of every puzzle by every strategy, with the
    columns of undoku.solver.study.journal.COLUMNS."""
    study, boards = block.study, block.boards
    counted = np.zeros((len(boards), len(study.strategies), len(COLUMNS)), np.int64)
    for number, name in enumerate(study.names):
        if name in _COUNTED:
            counted[:, number] = _counted_together(block, _COUNTED[name])
        else:
            limits = Limits(study.max_nodes, study.exhaustive)
            strategy = study.strategies[number]
            for row, (board, run) in enumerate(zip(boards, block.runs.tolist(), strict=True)):
                drawn = strategy.reseeded(run)
                if run and row and drawn is strategy:  # a repetition of the same search
                    counted[row, number] = counted[row - 1, number]
                    continue
                puzzle = Puzzle(tuple(board.tolist()), block.geometry)
                tally = search(puzzle, drawn, limits).tally()
                counted[row, number] = (
                    OUTCOMES.index(tally.outcome),
                    tally.solutions,
                    tally.nodes,
                    tally.places,
                    tally.undos,
                    tally.backtracks,
                    tally.dead_ends,
                    tally.max_depth,
                )
    return counted


def _counted_together(block: PuzzleBlock, dynamic: bool) -> NDArray[np.int64]:
    from undoku.solver.search import plain_loops, search_state

    study, geometry = block.study, block.geometry
    boards, again = np.unique(block.boards, axis=0, return_inverse=True)
    counts = np.zeros((len(boards), search_state.REGISTERS), np.int64)
    plain_loops.count_many(
        dynamic,
        study.exhaustive,
        study.max_nodes or 0,
        boards,
        plain_loops.plain_arrays(geometry, fewest=dynamic),
        search_state.no_output(geometry),
        counts,
    )
    counts = counts[again.ravel()]
    guesses = counts[:, search_state.GUESSES]
    return np.stack(
        [
            counts[:, search_state.PHASE] - search_state.PHASE_SOLVED,
            counts[:, search_state.SOLUTIONS],
            guesses + 1,
            guesses,
            counts[:, search_state.UNDOS],
            counts[:, search_state.BACKTRACKS],
            counts[:, search_state.DEAD_ENDS],
            counts[:, search_state.MAX_DEPTH],
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
    Raises PuzzleError from `puzzles`, OutputError if the journal can't be written, if another study
    is using it, and, without `replace`, if it comes from other settings or puzzles.
    """
    journal = Journal(
        journal_path, study.names, study.max_nodes, study.exhaustive, study.seeds, replace=replace
    )
    try:
        for counted in _fill(journal, puzzles, study, cores() if jobs is None else jobs):
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
        if not journal.confirm(block.geometry, block.numbers, block.boards):
            blocks = chain([block], blocks)
            break
        counted += len(block.boards)
        yield counted
    else:
        blocks = iter(())
    journal.forget_rest()
    for block, counts in _in_order(blocks, jobs):
        journal.add(CountedBlock(block.geometry, block.numbers, block.boards, counts))
        counted += len(counts)
        yield counted


def _in_order(
    blocks: Iterator[PuzzleBlock], jobs: int
) -> Iterator[tuple[PuzzleBlock, NDArray[np.int64]]]:
    """The counts of each block, in the order of the blocks."""
    waiting: dict[int, tuple[PuzzleBlock, NDArray[np.int64]]] = {}
    turn = 0
    with Workers(jobs) if jobs else InlineExecutor() as workers:
        for (number, block), future in ended(
            workers, _count_numbered, enumerate(blocks), most=max(1, 2 * jobs)
        ):
            waiting[number] = block, future.result()
            while turn in waiting:
                yield waiting.pop(turn)
                turn += 1


def _count_numbered(task: tuple[int, PuzzleBlock]) -> NDArray[np.int64]:
    return count_block(task[1])
