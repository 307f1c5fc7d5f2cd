"""Studies of nodes that are given, without a search."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from undoku.solver.problem.puzzle import standard_geometry
from undoku.solver.study.journal import COLUMNS, CountedBlock, Journal
from undoku.solver.study.summary import Summary, WinSummary, summarise, wins_of

SOLVED, EXHAUSTED, CAPPED = range(3)
"""The outcomes as journals number them."""


def study_of(
    path: Path,
    nodes: list[list[int]],
    outcomes: list[list[int]] | None = None,
    seed: int = 0,
    solutions: list[list[int]] | None = None,
) -> Summary:
    """The summary of a journal that holds these nodes, (puzzles, strategies)."""
    journal = Journal(path / "j", ("a", "b", "c")[: len(nodes[0])], 1000, False)
    counts = np.zeros((len(nodes), len(nodes[0]), len(COLUMNS)), np.int64)
    counts[:, :, COLUMNS.index("nodes")] = nodes
    ended = counts[:, :, COLUMNS.index("outcome")]
    ended[:] = 0 if outcomes is None else outcomes
    found = (ended == SOLVED) if solutions is None else solutions
    counts[:, :, COLUMNS.index("solutions")] = found
    numbers, boards = np.arange(1, len(nodes) + 1), np.zeros((len(nodes), 16), np.uint8)
    journal.add(CountedBlock(standard_geometry(4), numbers, boards, counts))
    try:
        return summarise(journal, seed=seed)
    finally:
        journal.remove()


def wins_of_nodes(
    folder: Path,
    nodes: list[list[int]],
    *,
    names: tuple[str, ...] = ("a", "b", "c"),
    givens: list[int] | None = None,
    backtracks: list[list[int]] | None = None,
    capped: list[list[int]] | None = None,
) -> WinSummary:
    """Of a journal with these nodes, (puzzles, strategies)."""
    count, width = len(nodes), len(nodes[0])
    journal = Journal(folder / "j", names[:width], 1000, False)
    counts = np.zeros((count, width, len(COLUMNS)), np.int64)
    counts[:, :, COLUMNS.index("nodes")] = nodes
    counts[:, :, COLUMNS.index("backtracks")] = 0 if backtracks is None else backtracks
    counts[:, :, COLUMNS.index("outcome")] = 0 if capped is None else CAPPED * np.array(capped)
    boards = np.zeros((count, 16), np.uint8)
    for board, number in zip(boards, givens or [4] * count, strict=True):
        board[:number] = 1
    journal.add(CountedBlock(standard_geometry(4), np.arange(1, count + 1), boards, counts))
    try:
        return wins_of(journal)
    finally:
        journal.remove()
