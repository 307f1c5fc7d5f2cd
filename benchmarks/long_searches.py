"""Memory and time of films of long searches: python -m benchmarks.long_searches [--most N]

Each film is made by its own process from a search of 10^5, 10^6, … events, and lasts ten seconds at
640×360. The searches are row-major on the published fifty-minutes puzzle, stopped by a limit; from
10^9 events on, on a board with only one row given. Peak memory must not grow with the search. Then
the whole fifty-minutes search, 325 million events, is rendered beside mrv as a film of 60 seconds
at 720p: its time, and the time of the encoder alone for the same frames.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from fractions import Fraction
from pathlib import Path

from undoku.render.delivery.write import write_film
from undoku.render.film.film import Film
from undoku.render.settings.settings import FilmSettings
from undoku.render.timeline.timeline import Pace
from undoku.solver.trace.search_trace import Limits, search

FIFTY_MINUTES = "000060080020000000001000000070000102500030000000000400004201000300700600000000050"
OPEN = "123456789" + "." * 72
MIB = 1 << 10  # the kernel counts peak memory in KiB


def make(events: int, path: Path) -> None:
    """Make the film in this process and print its figures."""
    grid = FIFTY_MINUTES if events < 3 * 10**8 else OPEN
    trace = search(grid, "row-major", Limits(max_nodes=events // 2, exhaustive=True))
    settings = FilmSettings(640, 360, Fraction(30), Pace(duration=Fraction(10)))
    started = time.perf_counter()
    report = write_film(Film([trace], settings), [path], overwrite=True)
    seconds = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MIB
    print(f"{report.tallies[0].events:13,} events  {seconds:7.1f} s  {peak:6.0f} MiB")


def whole(folder: Path) -> None:
    """The whole fifty-minutes search beside mrv, in a film of one minute."""
    limits = Limits(exhaustive=True)
    traces = [search(FIFTY_MINUTES, name, limits) for name in ("row-major", "mrv")]
    film = Film(traces, FilmSettings(pace=Pace(duration=Fraction(60))))
    started = time.perf_counter()
    counted = sum(tally.events for tally in film.tallies)
    counting = time.perf_counter() - started
    started = time.perf_counter()
    frames = sum(frame.ticks for frame in film.frames())
    drawing = time.perf_counter() - started
    started = time.perf_counter()
    write_film(film, [folder / "film.mp4"], overwrite=True)
    writing = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MIB
    print(f"{counted:,} events, {frames:,} frames of 1280×720")
    print(f"  counting the steps               {counting:6.1f} s")
    print(f"  searching again, drawing         {drawing:6.1f} s")
    print(f"  the same with encoding           {writing:6.1f} s")
    print(f"  all but the encoder's share      {counting + drawing:6.1f} s  (budget 20)")
    print(f"  peak memory                      {peak:6.0f} MiB")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=10**9, help="the longest search, in events")
    parser.add_argument("--events", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="undoku-") as folder:
        if options.events:
            make(options.events, Path(folder) / "film.mp4")
            return 0
        events = 10**5
        while events <= options.most:
            command = [sys.executable, "-m", "benchmarks.long_searches", "--events", str(events)]
            subprocess.run(command, check=True)
            events *= 10
        whole(Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
