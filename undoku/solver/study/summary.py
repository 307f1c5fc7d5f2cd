"""The summary of a study: nodes of each strategy, ratios; and which strategy wins where.

The ratio of a pair of strategies is the geometric mean, over the puzzles, of the nodes of one
divided by those of the other. Its interval is the percentile bootstrap (Efron 1979): puzzles are
drawn again with replacement, and the middle 95 % of the ratios found that way are reported.

A strategy wins a puzzle if only this strategy needs the fewest nodes; a capped search never wins.
Wins are counted by givens, by difficulty for the plain search, and in pairs. Of a pair the strategy
with fewer nodes wins; if both are capped, or need the same number, the puzzle is a tie. The
interval of a win rate is Wilson's (1927), 95 %. A tail index is Hill's estimate (1975) over the
largest twentieth of the nodes: below 2 their variance is infinite, below 1 their mean is, too
(heavy tails, Gomes, Selman, Crato and Kautz 2000). Capped searches enter it as censored values, by
the maximum likelihood of a Pareto distribution.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from undoku.solver.study.journal import OUTCOMES, Journal
from undoku.solver.trace.trace import Outcome

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)

_RESAMPLES = 2000
_MAX_DRAWN = 200_000_000  # puzzles drawn in all; huge collections are resampled less often
_MIN_RESAMPLES = 200


@dataclass(frozen=True, slots=True)
class StrategySummary:
    """One strategy. `quantiles` are nodes at QUANTILES; from index `exact` on they depend on capped
    searches, so the true ones are at least that large. `solved` is the share of puzzles with a
    solution found, `forced` that of places whose cell had no other option, `wins` counts puzzles on
    which only this strategy needs the fewest nodes; `ratio` is its nodes divided by those of the
    first strategy, (low, high) the 95 % interval, None for a single puzzle; a `bound` ratio depends
    on capped searches, so it is not exact. Shares are 0..1."""

    name: str
    quantiles: tuple[float, ...]
    exact: int
    most: int
    mean: float
    solved: float
    capped: float
    forced: float
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
    alone = _wins_alone(nodes, capped)
    forced = journal.column("forced").sum(axis=0) / np.maximum(
        journal.column("places").sum(axis=0), 1
    )
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
            float(forced[k]),
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


def _wins_alone(nodes: NDArray[np.int64], capped: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(puzzles, strategies) bool: where a strategy alone needs the fewest nodes. The true number of
    nodes of a capped search is unknown, so it never wins."""
    needed = np.where(capped, np.iinfo(np.int64).max, nodes)
    best = (needed == needed.min(axis=1, keepdims=True)) & ~capped
    alone: NDArray[np.bool_] = best & (best.sum(axis=1, keepdims=True) == 1)
    return alone


def _exact(nodes: NDArray[np.int64], capped: NDArray[np.bool_]) -> int:
    """How many of QUANTILES do not depend on capped searches: a quantile between two counts depends
    on both, and on all that are lower."""
    known = np.sort(nodes) == np.sort(np.where(capped, np.inf, nodes))
    unknown = 1 - np.minimum.accumulate(known.astype(np.int8))
    return int((np.quantile(unknown, QUANTILES, method="higher") == 0).sum())


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


PLAIN = "row-major"
"""The search by whose backtracks puzzles are grouped, if the study includes it; otherwise the
first."""

_MAX_GROUPS = 6
_Z = 1.959963984540054  # of 95 %
_TAIL = 20  # one of this many puzzles is in the tail
_MIN_TAIL = 20  # puzzles in it


@dataclass(frozen=True, slots=True)
class GroupWins:
    """The puzzles of a group, those with `least` to `most` givens or backtracks: how many each
    strategy wins alone, and the medians of its nodes; medians marked in `bound` depend on capped
    searches. `name` is the range of the group, "100–999"."""

    name: str
    least: int
    most: int
    puzzles: int
    wins: tuple[int, ...]
    ties: int
    medians: tuple[float, ...]
    bound: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class PairWins:
    """On how many puzzles strategy number `first` needs fewer nodes than number `second`, and vice
    versa. `rate` is the share of the first's wins among puzzles without a tie, 0..1, (low, high)
    its 95 % interval; None if all are ties."""

    first: int
    second: int
    wins: int
    losses: int
    ties: int
    rate: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class WinSummary:
    """The wins of a study. `plain` is the strategy whose backtracks group the puzzles in
    `by_backtracks`; `tails` has the tail index of each strategy, None for too few puzzles or a
    tail of capped searches alone. In a study of several `seeds` each search counts as a puzzle."""

    strategies: tuple[str, ...]
    plain: str
    by_givens: tuple[GroupWins, ...]
    by_backtracks: tuple[GroupWins, ...]
    pairs: tuple[PairWins, ...]
    tails: tuple[float | None, ...]
    seeds: int = 1


def wins_of(journal: Journal) -> WinSummary:
    """The wins in a complete journal."""
    names = journal.strategies
    plain = PLAIN if PLAIN in names else names[0]
    nodes = journal.column("nodes")
    capped = journal.column("outcome") == OUTCOMES.index(Outcome.CAPPED)
    filled = (np.count_nonzero(block.rows["board"], axis=1) for block in journal.blocks())
    givens = np.concatenate([np.empty(0, np.int64), *filled])
    backtracks = journal.column("backtracks")[:, names.index(plain)]
    pairs = [(a, b) for a in range(len(names)) for b in range(a + 1, len(names))]
    return WinSummary(
        names,
        plain,
        tuple(_group(*ends, rows, nodes, capped) for ends, rows in _by_givens(givens)),
        tuple(_group(*ends, rows, nodes, capped) for ends, rows in _by_decades(backtracks)),
        tuple(_pair(a, b, nodes, capped) for a, b in pairs),
        tuple(_tail_index(nodes[:, k], capped[:, k]) for k in range(len(names))),
        journal.seeds,
    )


def solved_within(
    nodes: NDArray[np.int64], solved: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The share of solved puzzles as a function of nodes, from the nodes of a strategy on each
    puzzle and whether it ended there: (numbers of nodes, ascending; share of the puzzles that need
    at most that many, 0..1)."""
    steps, counts = np.unique(nodes[solved], return_counts=True)
    return steps, np.cumsum(counts) / max(1, len(nodes))


_Group = tuple[tuple[int, int], NDArray[np.bool_]]
"""The least and the greatest number of a group, and which puzzles are in it."""


def _by_givens(givens: NDArray[np.int64]) -> list[_Group]:
    """Groups of adjacent numbers of givens, as equal in size as possible."""
    numbers, counts = np.unique(givens, return_counts=True)
    groups: list[list[int]] = []
    most = len(givens) / _MAX_GROUPS
    filled = 0
    for number, count in zip(numbers.tolist(), counts.tolist(), strict=True):
        if not groups or (filled + count / 2 > most and len(groups) < _MAX_GROUPS):
            groups.append([])
            filled = 0
        groups[-1].append(number)
        filled += count
    return [((group[0], group[-1]), np.isin(givens, group)) for group in groups]


def _by_decades(counts: NDArray[np.int64]) -> list[_Group]:
    """Groups 0, 1 to 9, 10 to 99, …"""
    groups: list[_Group] = []
    low, high = 0, 0
    while len(counts) and low <= int(counts.max()):
        rows = (counts >= low) & (counts <= high)
        if rows.any():
            groups.append(((low, high), rows))
        low, high = high + 1, high * 10 + 9
    return groups


def _group(
    least: int,
    most: int,
    rows: NDArray[np.bool_],
    nodes: NDArray[np.int64],
    capped: NDArray[np.bool_],
) -> GroupWins:
    nodes, capped = nodes[rows], capped[rows]
    alone = _wins_alone(nodes, capped)
    medians = np.median(nodes, axis=0)
    bound = np.median(np.where(capped, np.inf, nodes), axis=0) > medians
    return GroupWins(
        f"{least:,}" if least == most else f"{least:,}–{most:,}",
        least,
        most,
        len(nodes),
        tuple(alone.sum(axis=0).tolist()),
        len(nodes) - int(alone.sum()),
        tuple(medians.tolist()),
        tuple(bound.tolist()),
    )


def _pair(first: int, second: int, nodes: NDArray[np.int64], capped: NDArray[np.bool_]) -> PairWins:
    needed = np.where(capped, np.iinfo(np.int64).max, nodes)
    wins = int((needed[:, first] < needed[:, second]).sum())
    losses = int((needed[:, first] > needed[:, second]).sum())
    decided = wins + losses
    if not decided:
        return PairWins(first, second, 0, 0, len(nodes), None, None, None)
    low, high = _wilson(wins, decided)
    ties = len(nodes) - decided
    return PairWins(first, second, wins, losses, ties, wins / decided, low, high)


def _wilson(wins: int, count: int) -> tuple[float, float]:
    """Wilson's interval of the share `wins` of `count`."""
    share, z = wins / count, _Z * _Z / count
    middle = (share + z / 2) / (1 + z)
    half = _Z * math.sqrt(share * (1 - share) / count + z / (4 * count)) / (1 + z)
    return max(0.0, middle - half), min(1.0, middle + half)


def _tail_index(nodes: NDArray[np.int64], capped: NDArray[np.bool_]) -> float | None:
    order = np.argsort(nodes, kind="stable")
    size = len(nodes) // _TAIL
    if size < _MIN_TAIL:
        return None
    tail = order[-size:]
    threshold = float(nodes[order[-size - 1]])
    ended = int(np.count_nonzero(~capped[tail]))
    total = float(np.log(nodes[tail] / threshold).sum())
    return ended / total if ended and total > 0 else None
