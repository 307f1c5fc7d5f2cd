"""Studies of nodes that are given, without a search."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from undoku.solver.problem.puzzle import standard_geometry
from undoku.solver.study.journal import COLUMNS, Block, Journal, row_type
from undoku.solver.study.summary import Summary, WinSummary, summarise, wins_of

SOLVED, EXHAUSTED, CAPPED = range(3)
"""The outcomes as journals number them."""


def journal_of(
    path: Path,
    names: tuple[str, ...],
    givens: list[int],
    *,
    cap: int = 1000,
    seeds: int = 1,
    **columns: object,
) -> Journal:
    """A journal of puzzles with these numbers of givens; `columns` are counts by name, each as
    (puzzles, strategies) or one number for all."""
    journal = Journal(path, names, cap, False, seeds)
    rows = np.zeros(len(givens), row_type(16, len(names)))
    rows["number"] = np.arange(1, len(givens) + 1)
    for board, number in zip(rows["board"], givens, strict=True):
        board[:number] = 1
    for name, counts in columns.items():
        rows["counts"][:, :, COLUMNS.index(name)] = counts
    journal.add(Block(standard_geometry(4), rows))
    return journal


def study_of(
    path: Path,
    nodes: list[list[int]],
    outcomes: list[list[int]] | None = None,
    seed: int = 0,
    solutions: list[list[int]] | None = None,
) -> Summary:
    """The summary of a journal that holds these nodes, (puzzles, strategies)."""
    names = ("a", "b", "c")[: len(nodes[0])]
    ended = np.zeros_like(nodes) if outcomes is None else np.array(outcomes)
    found = ended == SOLVED if solutions is None else solutions
    journal = journal_of(
        path / "j", names, [0] * len(nodes), nodes=nodes, outcome=ended, solutions=found
    )
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
    journal = journal_of(
        folder / "j",
        names[: len(nodes[0])],
        givens or [4] * len(nodes),
        nodes=nodes,
        backtracks=0 if backtracks is None else backtracks,
        outcome=0 if capped is None else CAPPED * np.array(capped),
    )
    try:
        return wins_of(journal)
    finally:
        journal.remove()
