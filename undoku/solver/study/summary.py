"""The summary of a study: the distribution of each strategy's nodes, wins, and ratios.

The ratio of a pair of strategies is the geometric mean, over the puzzles, of the nodes of one
divided by those of the other. Its interval is the percentile bootstrap (Efron 1979): puzzles are
drawn again with replacement, and the middle 95 % of the ratios found that way are reported.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from undoku.solver.study.journal import OUTCOMES, Journal
from undoku.solver.trace.trace import Outcome

__all__ = [
    "QUANTILES",
    "StrategySummary",
    "Summary",
    "summarise",
]

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)

_RESAMPLES = 2000
_MAX_DRAWN = 200_000_000  # puzzles drawn in all; huge collections are resampled less often
_MIN_RESAMPLES = 200


@dataclass(frozen=True, slots=True)
class StrategySummary:
    """One strategy. `quantiles` are nodes at QUANTILES; from index `exact` on they depend on capped
    searches, so the true ones are at least that large. `solved` is the share of puzzles with a
    solution found, `wins` counts puzzles on which only this strategy needs the fewest nodes;
    `ratio` is its nodes divided by those of the first strategy, (low, high) the 95 % interval, None
    for a single puzzle; a `bound` ratio depends on capped searches, so it is not exact. Shares are
    0..1."""

    name: str
    quantiles: tuple[float, ...]
    exact: int
    most: int
    mean: float
    solved: float
    capped: float
    wins: int
    ratio: float
    low: float | None
    high: float | None
    bound: bool

    @property
    def median(self) -> float:
        return self.quantiles[QUANTILES.index(0.5)]


@dataclass(frozen=True, slots=True)
class Summary:
    """A study in numbers. `puzzles` is the number of searches of each strategy: the puzzles of the
    collection, each as often as there are `seeds`. `ties` counts those without a single winner,
    `unsolvable` those proved to have no solution; `resamples` is the number of resamples for the
    intervals."""

    puzzles: int
    strategies: tuple[StrategySummary, ...]
    ties: int
    unsolvable: int
    resamples: int
    seeds: int = 1


def summarise(journal: Journal, *, seed: int = 0) -> Summary:
    """The summary of a complete journal; `seed` fixes the bootstrap's draws."""
    nodes, outcomes = journal.column("nodes"), journal.column("outcome")
    count = len(nodes)
    if not count:
        return Summary(0, (), 0, 0, 0, journal.seeds)
    capped = outcomes == OUTCOMES.index(Outcome.CAPPED)
    solved = (
        journal.column("solutions") > 0
    )  # an exhaustive search ends exhausted even if it finds solutions
    unsolvable = ((outcomes == OUTCOMES.index(Outcome.EXHAUSTED)) & ~solved).any(axis=1)
    # The true number of nodes of a capped search is unknown, so it never wins.
    needed = np.where(capped, np.iinfo(np.int64).max, nodes)
    fewest = needed.min(axis=1, keepdims=True)
    best = (needed == fewest) & ~capped
    alone = best & (best.sum(axis=1, keepdims=True) == 1)
    logs = np.log(nodes / nodes[:, :1])
    resamples = int(np.clip(_MAX_DRAWN // count, _MIN_RESAMPLES, _RESAMPLES))
    low, high = _interval(logs, resamples, seed)
    summaries = tuple(
        StrategySummary(
            name,
            tuple(float(value) for value in np.quantile(nodes[:, k], QUANTILES)),
            _exact(nodes[:, k], capped[:, k]),
            int(nodes[:, k].max()),
            float(nodes[:, k].mean()),
            float(solved[:, k].mean()),
            float(capped[:, k].mean()),
            int(alone[:, k].sum()),
            float(np.exp(logs[:, k].mean())),
            float(np.exp(low[k])) if count > 1 else None,
            float(np.exp(high[k])) if count > 1 else None,
            bool(k and (capped[:, k] | capped[:, 0]).any()),
        )
        for k, name in enumerate(journal.strategies)
    )
    ties = count - int(alone.sum())
    drawn = resamples if count > 1 else 0
    return Summary(count, summaries, ties, int(unsolvable.sum()), drawn, journal.seeds)


def _exact(nodes: NDArray[np.int64], capped: NDArray[np.bool_]) -> int:
    """How many of QUANTILES do not depend on capped searches: a quantile between two counts depends
    on both."""
    needed = np.where(capped, np.inf, nodes)
    return int(np.isfinite(np.quantile(needed, QUANTILES, method="higher")).sum())


def _interval(
    logs: NDArray[np.float64], resamples: int, seed: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The 2.5 and 97.5 percentiles of resampled column means of (n, k) `logs`."""
    draws = np.random.Generator(np.random.PCG64(seed))
    means = np.empty((resamples, logs.shape[1]))
    for number in range(resamples):
        means[number] = logs[draws.integers(0, len(logs), len(logs))].mean(axis=0)
    low, high = np.quantile(means, (0.025, 0.975), axis=0)
    return low, high
