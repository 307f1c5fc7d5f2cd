"""Speed and memory of searches, compared with recursive solvers in plain Python.

    python -m benchmarks.searches [--nodes 2000000] [--seconds 4]

Rates are nodes per second of processor time, without compiling. For a search of a few dozen nodes
the time is mostly that of its preparation. The recursive solvers were written for this comparison;
they use the algorithms of the articles' programs and search the same trees.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.problem.sources import parse_puzzle
from undoku.solver.trace.search_trace import Limits, search
from undoku.solver.trace.trace import Outcome

PUZZLES = Path(__file__).parents[1] / "examples" / "puzzles"
NAMES = ("easy", "medium", "hard", "very-hard", "extreme", "worlds-hardest", "fifty-minutes")
STRATEGIES = (
    "row-major",
    "column-major",
    "box-major",
    "spiral",
    "random:7",
    "static",
    "mrv",
    "mrv-degree",
    "dom-wdeg",
    "most",
    "bivalue",
    "exact-cover",
    "mrv-random:1",
    "mrv-random:1/shuffled:1",
    "mrv-random:1/shuffled:1+luby:10",
    "activity",
    "mrv+sac",
    "mrv+singles+sac",
    "row-major/lcv",
    "row-major+forward",
    "row-major+naked-singles",
    "row-major+singles",
    "row-major+singles+locked",
    "row-major+singles+pairs",
    "row-major+singles+triples",
    "row-major+singles+x-wing",
    "row-major+alldiff",
    "row-major+singles+swordfish",
    "row-major+singles+xy-wing",
    "row-major+cbj",
    "row-major+nogoods",
    "row-major+forward+cbj",
    "row-major+forward+nogoods",
    "mrv+cbj",
    "mrv+nogoods",
    "mrv+last-conflict",
    "mrv+lds",
    "row-major+singles@root",
    "row-major/descending",
    "row-major/random:7",
    "row-major/shuffled:7",
    "row-major/most-constraining",
    "row-major+hidden-singles",
)
PROBLEMS = (
    ("queens:12", "row-major"),
    ("queens:12", "mrv"),
    ("queens:20", "row-major"),
    ("queens:20", "row-major/descending"),
    ("queens:20", "mrv/random:7"),
    ("map:usa:3", "row-major"),
    ("map:usa", "mrv"),
)
EVENTS = 300_000_000


class _TimeUpError(Exception):
    """The time for the recursive solver is up."""


def recursive(puzzle: Puzzle, *, fewest: bool, seconds: float) -> tuple[int, float]:
    """Plain recursive backtracking to the first solution; returns (calls, seconds).

    `fewest` takes the cell with the fewest candidates, otherwise cells come in reading order.
    """
    peers = puzzle.problem.peers
    board = list(puzzle.givens)
    values = range(1, puzzle.size + 1)
    calls = 0
    started = time.process_time()

    def candidates(cell: int) -> list[int]:
        taken = {board[peer] for peer in peers[cell]}
        return [value for value in values if value not in taken]

    def solve() -> bool:
        nonlocal calls
        calls += 1
        if calls % 1000 == 0 and time.process_time() - started > seconds:
            raise _TimeUpError
        empty = [cell for cell, value in enumerate(board) if not value]
        if not empty:
            return True
        cell = min(empty, key=lambda cell: len(candidates(cell))) if fewest else empty[0]
        for value in candidates(cell):
            board[cell] = value
            if solve():
                return True
        board[cell] = 0
        return False

    with suppress(_TimeUpError):
        solve()
    return calls, time.process_time() - started


def rate(puzzle: Puzzle, spec: str, limits: Limits, *, recording: bool) -> tuple[int, float, bool]:
    """(nodes, nodes per second, whether the search was capped) of one search."""
    search(puzzle, spec, Limits(max_nodes=1)).tally()  # compiles
    trace = search(puzzle, spec, limits)
    started = time.process_time()
    if recording:
        for _ in trace.chunks():
            pass
    tally = trace.tally()
    took = time.process_time() - started
    return tally.nodes, tally.nodes / max(took, 1e-6), tally.outcome is Outcome.CAPPED


def best(puzzle: Puzzle, spec: str, limits: Limits, times: int = 3) -> tuple[int, float, bool]:
    """The fastest of several searches, since other load on the machine only adds time."""
    results = [rate(puzzle, spec, limits, recording=True) for _ in range(times)]
    return max(results, key=lambda result: result[1])


def peak_memory(events: int) -> tuple[int, float]:
    """(events read, peak MB) of an interpreter that reads a row-major search of that length."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.searches", "--read", str(events)],
        check=True,
        capture_output=True,
        text=True,
    )
    read, peak = json.loads(done.stdout)
    return read, peak


def read_and_report(events: int) -> None:
    """The work of the process that `peak_memory` starts."""
    puzzle = parse_puzzle((PUZZLES / "fifty-minutes.txt").read_text())
    trace = search(puzzle, "row-major", Limits(max_nodes=events // 2, exhaustive=True))
    read = sum(len(chunk) for chunk in trace.chunks())
    print(json.dumps([read, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=2_000_000, help="a limit for each search")
    parser.add_argument("--seconds", type=float, default=4.0, help="a limit for each search")
    parser.add_argument("--read", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.read:
        read_and_report(options.read)
        return
    puzzles = {name: parse_puzzle((PUZZLES / f"{name}.txt").read_text()) for name in NAMES}
    longest = puzzles["fifty-minutes"]

    print("Published puzzles to the first solution: plain recursive Python, and undoku")
    print(f"{'':16} {'':>11} {'nodes':>11} {'Python/s':>10} {'undoku/s':>12} {'ratio':>7}")
    for name, puzzle in puzzles.items():
        for spec, fewest in (("row-major", False), ("mrv", True)):
            calls, seconds = recursive(puzzle, fewest=fewest, seconds=options.seconds)
            limits = Limits(max_seconds=options.seconds)
            nodes, ours, _ = best(puzzle, spec, limits)
            plain = calls / seconds
            rates = f"{plain:10,.0f} {ours:12,.0f} {ours / plain:5.0f} ×"
            print(f"{name:16} {spec:>11} {nodes:11,} {rates}")

    print("\nThe fifty-minutes puzzle, the whole tree (budget: 40 M and 6 M nodes/s with events)")
    for spec in ("row-major", "mrv"):
        for recording in (True, False):
            nodes, ours, _ = rate(longest, spec, Limits(exhaustive=True), recording=recording)
            how = "with events" if recording else "counting only"
            print(f"{spec:12} {how:14} {nodes:12,} nodes {nodes / ours:8.3f} s {ours:14,.0f}/s")

    print(f"\nEvery strategy on it, at most {options.nodes:,} nodes, with events")
    reference = 0.0
    for spec in STRATEGIES:
        limits = Limits(options.nodes, exhaustive=True, max_seconds=options.seconds)
        nodes, ours, capped = best(longest, spec, limits)
        reference = reference or ours
        note = "capped" if capped else "whole tree"
        print(
            f"{spec:28} {nodes:10,} {note:10} {ours:13,.0f}/s {ours / reference:8.4f} of row-major"
        )

    print("\nQueens and colouring, at most as many nodes, with events (budget: 10 M nodes/s)")
    for name, spec in PROBLEMS:
        nodes, ours, _ = best(parse_puzzle(name), spec, Limits(options.nodes, exhaustive=True))
        print(f"{name:12} {spec:21} {nodes:12,} nodes {ours:14,.0f}/s")

    print("\nPeak memory of reading a search (budget: 300 MB, flat)")
    for events in (EVENTS // 100, EVENTS):
        read, peak = peak_memory(events)
        print(f"{read:12,} events {peak:6.0f} MB")


if __name__ == "__main__":
    main()
