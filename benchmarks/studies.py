"""The speed of studies, in puzzles per second.

    python -m benchmarks studies [--puzzles 20000]

The puzzles are like those in newspapers: 28 to 32 givens, with rotational symmetry. The rate by
processor time is that of one idle core; the rate by wall time is printed, too. Both include reading
the collection, counting, and writing the table.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from itertools import islice
from pathlib import Path

from undoku.solver.problem.sources import collection
from undoku.solver.study.generate import PuzzleRequirements, puzzles
from undoku.solver.study.journal import write_table
from undoku.solver.study.runner import Study, run_study


def processor_seconds() -> float:
    """User and system time of this process and of its ended children."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def measure(source: Path, strategies: list[str], jobs: int, folder: Path) -> None:
    journal_path = folder / "journal"
    journal_path.unlink(missing_ok=True)
    wall, used = time.perf_counter(), processor_seconds()
    journal = run_study(collection(source), Study.of(strategies), journal_path, jobs=jobs)
    wall, used = time.perf_counter() - wall, processor_seconds() - used
    count = len(journal.column("nodes"))
    rows = time.process_time()
    write_table(journal, folder / "study.csv", ".csv")
    rows = time.process_time() - rows
    journal.close()
    print(
        f"{'+'.join(strategies):<14} {jobs} workers  {count / used:8,.0f} puzzles a second of "
        f"processor, {count / wall:8,.0f} of wall; {count / (used + rows):8,.0f} with the table"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--puzzles", type=int, default=20_000)
    count = parser.parse_args().puzzles
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = folder / "newspaper.sdm"
        required = PuzzleRequirements(givens=(28, 32), symmetry="half-turn")
        distinct = [f"{puzzle}\n" for puzzle in islice(puzzles(required, seed=7), min(count, 2000))]
        source.write_text("".join(distinct) * max(1, count // len(distinct)))
        for strategies in (["mrv"], ["row-major", "mrv"]):
            measure(source, strategies, 0, folder)  # compiles, too
            for jobs in (0, 1, 2):
                measure(source, strategies, jobs, folder)


if __name__ == "__main__":
    main()
