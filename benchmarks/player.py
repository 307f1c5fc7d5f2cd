"""The time that the player takes in a browser's main thread: to load, to play and to seek.

    python -m benchmarks player [--seconds 5] [--seeks 200]

Pages are opened in Debian's Chromium without a graphics card. The times are those of the main
thread's own clock (the Performance domain of the DevTools protocol in "threadTicks"). It advances
only while the thread runs, so other processes hardly matter; wall times are printed, too. A frame
that takes less than 16.7 ms can be shown 60 times per second. Loading lasts from the start of the
navigation to the first picture, a seek from the call to the picture of its step.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import mean
from typing import Any

from tests.support.browser_pages import WHY_NOT, OpenedPage, opened_browser, opened_page
from undoku import Limits, search
from undoku.player.html_page import film_page
from undoku.render.film.film import Film
from undoku.render.settings.settings import settings_of
from undoku.solver.problem.sources import read

PUZZLES = Path(__file__).parent.parent / "examples" / "puzzles"

NEXT_PICTURE = "() => new Promise((r) => requestAnimationFrame(() => setTimeout(r)))"

PLAY = """(seconds) => new Promise((done) => {
  const times = [];
  const long = [];
  new PerformanceObserver((list) => long.push(...list.getEntries().map((one) => one.duration)))
    .observe({ type: "longtask" });
  const first = undoku.step;
  undoku.play();
  const frame = (now) => {
    times.push(now);
    if (now - times[0] < 1000 * seconds) requestAnimationFrame(frame);
    else {
      undoku.pause();
      done({ frames: times.length - 1, wall: now - times[0], long: long.length,
        steps: undoku.step - first,
        late: times.filter((time, at) => at && time - times[at - 1] > 25).length });
    }
  };
  requestAnimationFrame(frame);
})"""


class Clock:
    """The main thread's clock, in milliseconds."""

    def __init__(self, page: OpenedPage) -> None:
        self._session = page.page.context.new_cdp_session(page.page.context.pages[0])
        self._session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def now(self) -> float:
        reported: Any = self._session.send("Performance.getMetrics")["metrics"]
        return 1000 * float(next(one["value"] for one in reported if one["name"] == "ThreadTime"))


def race(puzzle: str, nodes: int, **given: Any) -> Film:
    """Two searches of a puzzle with at most `nodes` nodes each."""
    found = read(str(PUZZLES / f"{puzzle}.txt"))
    limits = Limits(nodes)
    traces = [search(found, one, limits) for one in ("row-major", "column-major")]
    return Film(traces, settings_of(given))


@contextmanager
def opened(browser: Any, film: Film, folder: Path) -> Iterator[tuple[OpenedPage, Clock]]:
    """The page of a film; prints how long it took to load."""
    text = film_page(film)
    (folder / "page.html").write_text(text, encoding="utf-8")
    with opened_page(browser) as page:
        clock = Clock(page)
        loads, walls = [], []
        for _ in range(5):
            page.page.goto("about:blank")
            before = clock.now()
            page.open((folder / "page.html").as_uri())
            page.run(NEXT_PICTURE)
            after = clock.now()
            loads.append(after - before if after > before else after)
            walls.append(float(page.run("document.getElementById('undoku-player').dataset.ready")))
        steps = sum(tally.steps for tally in film.tallies)
        print(
            f"{steps:9,} steps, {len(text.encode()) / 1000:4.0f} kB: loads in {min(loads):5.0f} ms "
            f"of the main thread, {min(walls):5.0f} ms of wall"
        )
        yield page, clock


def plays(page: OpenedPage, clock: Clock, seconds: float) -> None:
    """Play for some seconds."""
    page.run("undoku.seek(20)")
    page.run(NEXT_PICTURE)
    before = clock.now()
    played = page.run(PLAY, seconds)
    frames = played["frames"]
    each = (clock.now() - before) / frames
    rate = 1000 * played["steps"] / played["wall"]
    print(
        f"          plays {rate:6,.0f} steps a second: {each:4.1f} ms of the main thread a frame "
        f"({each / 16.667:4.0%} of a frame of 1/60 s), {1000 * frames / played['wall']:3.0f} "
        f"frames a second here, {played['late']} of {frames} late, {played['long']} long tasks"
    )


def seeks(page: OpenedPage, clock: Clock, count: int) -> None:
    """Go to random steps."""
    dice = random.Random(3)
    last = int(page.run("undoku.length"))
    times = []
    for _ in range(count):
        step = dice.randint(0, last)
        before = clock.now()
        page.run(f"undoku.seek({step})")
        page.run(NEXT_PICTURE)
        times.append(clock.now() - before)
    times.sort()
    print(
        f"          seeks {count} steps: {mean(times):4.1f} ms of the main thread on average with "
        f"the picture, {times[int(0.95 * len(times))]:4.1f} in 95 %, {times[-1]:4.1f} at most"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--seeks", type=int, default=200)
    options = parser.parse_args()
    if WHY_NOT:
        raise SystemExit(WHY_NOT)
    with tempfile.TemporaryDirectory() as name, opened_browser() as browser:
        folder = Path(name)
        with opened(browser, race("medium", 10**6), folder):
            pass
        for nodes in (13_500, 425_000):
            film = race("hard", nodes, steps_per_second="1000")
            with opened(browser, film, folder) as (page, clock):
                plays(page, clock, options.seconds)
                seeks(page, clock, options.seeks)


if __name__ == "__main__":
    main()
