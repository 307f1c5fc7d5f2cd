"""Memory, open files and the record of a batch of very many films.

    python -m benchmarks many_films [--films 10000] [--jobs 2]

The films are pictures of the smallest size, each with a different title, so that they share only
the search. After every tenth of them, it measures the resident memory and the open files of this
process and its workers, the processor time of the last tenth, and the size of the record.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import tempfile
import time
from pathlib import Path

from undoku.render.batch.batch import BatchFilm, FilmStatus, make_films

PUZZLE = Path(__file__).parent.parent / "examples" / "puzzles" / "medium.txt"


def manifest(films: int) -> dict[str, object]:
    """A manifest with a job for each film; only the titles differ."""
    names = [f"{number:05}" for number in range(films)]
    defaults = {"size": "320x180", "strategies": "mrv", "formats": "png", "duration": "1s"}
    job = {"puzzles": str(PUZZLE)}
    jobs = [job | {"title": name, "name": f"{name[:2]}/{name}"} for name in names]
    return {"defaults": defaults, "jobs": jobs}


def resident(pid: int | str) -> int:
    """The resident memory of a process in KiB."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1])
    return 0


def files(pid: int | str) -> int:
    """The number of open files of a process."""
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


def children() -> list[int]:
    """The child processes of this one."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit():
                fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
                if int(fields[1]) == os.getpid():
                    found.append(int(entry.name))
        except OSError:
            continue
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--films", type=int, default=10_000)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    if sys.platform != "linux":
        raise SystemExit("this benchmark needs /proc")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        record = folder / ".undoku" / "record.jsonl"
        started, used = time.perf_counter(), time.process_time()
        print("films, this process, its workers, the record, this process's time")

        def watch(film: BatchFilm, done: int, total: int) -> None:
            nonlocal used
            del film
            if done % max(1, total // 10) and done != 100:
                return
            workers = children()
            memory = [resident(pid) // 1024 for pid in workers]
            opened = [files(pid) for pid in workers]
            now = time.process_time()
            print(
                f"{done:6,}   {resident('self') // 1024:4} MiB, {files('self'):3} files   "
                f"{memory} MiB, {opened} files   {record.stat().st_size:9,} bytes   "
                f"{now - used:6.1f} s",
                flush=True,
            )
            used = now

        report = make_films(manifest(options.films), folder, jobs=options.jobs, watch=watch)
        assert report.count(FilmStatus.MADE) == options.films, report.films[0].reason
        wall = time.perf_counter() - started
        gc.collect()
        pages = sorted(path.stat().st_size for path in folder.rglob("*.html"))
        print(
            f"{options.films:,} films in {wall:,.0f} s; record {record.stat().st_size:,} bytes; "
            f"{len(pages)} pages of a report, the largest {pages[-1]:,} bytes"
        )
        before = time.process_time()
        again = make_films(manifest(options.films), folder, jobs=options.jobs)
        assert again.count(FilmStatus.KEPT) == options.films
        print(f"looked through again in {time.process_time() - before:.1f} s of processor time")


if __name__ == "__main__":
    main()
