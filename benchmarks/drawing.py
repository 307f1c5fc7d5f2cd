"""What drawing a frame costs, apart from converting and encoding it.

    python -m benchmarks.drawing [--panels board,counters,depth,tree]

A 720p comparison of two searches is drawn from its first frame to its last, at several speeds;
each panel's share is measured by leaving it out of the scene.
"""

from __future__ import annotations

import argparse
import time
from fractions import Fraction

from render.panels.contract import Moment
from render.pipeline import Film
from render.scene import Scene
from render.settings import FilmSettings
from render.snapshot import Player
from render.timeline import Pace, Phase
from solver import Limits, search

MEDIUM = "000670020701000900800053000010020060009006000300000780005000307200300500000005040"
FIFTY = "000060080020000000001000000070000102500030000000000400004201000300700600000000050"


def measure(film: Film) -> tuple[int, float, float, dict[str, float]]:
    """(frames, seconds a frame for playing, for drawing, for each kind of panel)"""
    scene = Scene(film.script)
    players = [Player(trace, scene.recorders(n)) for n, trace in enumerate(film.traces)]
    playing = drawing = 0.0
    parts: dict[str, float] = {}
    count = 0
    for shot in film.timeline.shots():
        if shot.phase is Phase.CARD:
            break
        start = time.perf_counter()
        snapshots = [player.advance(n) for player, n in zip(players, shot.steps, strict=True)]
        played = time.perf_counter()
        moment = Moment(shot, film.timeline, snapshots)
        before = time.perf_counter()
        for panel in scene.panels:
            panel.draw(scene.canvas, moment)
            after = time.perf_counter()
            name = type(panel).__name__
            if count:
                parts[name] = parts.get(name, 0.0) + after - before
            before = after
        scene.canvas.frame(shot.ticks)
        if count:  # the first frame compiles and draws everything
            playing += played - start
            drawing += time.perf_counter() - played
        count += 1
    return (
        count,
        playing / count,
        drawing / count,
        {name: spent / count for name, spent in parts.items()},
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--panels", default="board,counters,depth,tree")
    options = parser.parse_args()
    settings = FilmSettings(panels=tuple(options.panels.split(",")))
    print("microseconds a frame, 1280×720, row-major and mrv")
    for name, grid, nodes, pace in (
        ("one step a frame", MEDIUM, None, Pace(Fraction(1))),
        ("20 steps a frame", MEDIUM, None, Pace(Fraction(20))),
        ("5,000 steps a frame", FIFTY, 5_000_000, Pace(Fraction(5000))),
    ):
        traces = [search(grid, order, Limits(nodes)) for order in ("row-major", "mrv")]
        film = Film(traces, FilmSettings(pace=pace, panels=settings.panels))
        _ = film.tallies
        count, playing, drawing, parts = measure(film)
        print(f"{name}: {count:,} frames, playing {playing * 1e6:.0f}, drawing {drawing * 1e6:.0f}")
        for part, spent in sorted(parts.items(), key=lambda item: -item[1]):
            print(f"    {part:<14} {spent * 1e6:6.1f}")


if __name__ == "__main__":
    main()
