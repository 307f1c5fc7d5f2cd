"""The speed of writing and reading traces: python -m benchmarks.trace_files [NODES]

Prints events per second of processor time for each format, for one search (the fifty-minutes
puzzle, row-major); for comparison, also for the search itself and for Python's json module.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from undoku import Limits, Trace, open_trace, search, write_trace

PUZZLE = "000060080020000000001000000070000102500030000000000400004201000300700600000000050"


def drain(trace: Trace) -> None:
    for _ in trace:
        pass


def with_json(path: Path) -> None:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            json.loads(line)


def seconds(work: Callable[[], object]) -> float:
    """The better of two runs, so that compiling isn't counted."""
    taken = []
    for _ in range(2):
        started = time.process_time()
        work()
        taken.append(time.process_time() - started)
    return min(taken)


def main() -> None:
    nodes = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000_000
    trace = search(PUZZLE, "row-major", Limits(max_nodes=nodes))
    events = trace.tally().events
    print(f"{events:,} events\n\n{'':<22}{'M events/s':>12}{'MiB':>9}")
    print(f"{'search alone':<22}{events / seconds(lambda: drain(trace)) / 1e6:>12.1f}")
    with tempfile.TemporaryDirectory() as folder:
        for form in ("jsonl", "jsonl.gz", "parquet"):
            path = Path(folder) / f"search.{form}"
            write = seconds(lambda path=path: write_trace(trace, str(path)))  # type: ignore[misc]
            read = seconds(lambda path=path: drain(open_trace(str(path))))  # type: ignore[misc]
            size = path.stat().st_size / (1 << 20)
            print(f"{'write ' + form:<22}{events / write / 1e6:>12.1f}{size:>9.1f}")
            print(f"{'read ' + form:<22}{events / read / 1e6:>12.1f}")
        python = seconds(lambda: with_json(Path(folder) / "search.jsonl"))
        print(f"{'json.loads, unchecked':<22}{events / python / 1e6:>12.1f}")


if __name__ == "__main__":
    main()
