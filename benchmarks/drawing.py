"""The time of drawing a frame, without conversion and encoding.

    python -m benchmarks drawing [--panels board,counters,depth,tree] [--runs 5]

A 720p comparison of two searches is drawn at several speeds, and each panel is timed. The budget is
200 microseconds per frame for all panels. If frames can be made in runs, the whole film is also
made in runs, including its preparation.
"""

from __future__ import annotations

import argparse
import time
from fractions import Fraction

from undoku import Limits, search
from undoku.render.draw.run_draft import Draft
from undoku.render.draw.sprite_run import SpriteRun
from undoku.render.film.film import Film
from undoku.render.film.scene import Scene
from undoku.render.panels.panel import Moment, show
from undoku.render.panels.panel_registry import panels as known_panels
from undoku.render.playback.player import Player
from undoku.render.settings.settings import FilmSettings
from undoku.render.timeline.timeline import Pace, Phase

MEDIUM = "000670020701000900800053000010020060009006000300000780005000307200300500000005040"
HARD = "007000430300800056500000000070000800000602000020309060000060904200401000050000300"
FIFTY = "000060080020000000001000000070000102500030000000000400004201000300700600000000050"


def measure(film: Film) -> dict[str, list[float]]:
    """The seconds of each frame for "playing" and for each kind of panel. The first frame, which
    draws everything, is left out."""
    scene = Scene(film.script)
    draft = Draft(scene.sprites.index, max(panel.most_rows for panel in scene.panels))
    players = [Player(trace, scene.recorders(n)) for n, trace in enumerate(film.traces)]
    kinds = list(dict.fromkeys(type(panel).__name__ for panel in scene.panels))
    times: dict[str, list[float]] = {name: [] for name in ("playing", *kinds, "Canvas")}
    for shot in film.timeline.shots():
        if shot.phase is Phase.CARD:
            break
        spent = dict.fromkeys(times, 0.0)
        before = time.perf_counter()
        snapshots = [player.advance(n) for player, n in zip(players, shot.steps, strict=True)]
        after = time.perf_counter()
        spent["playing"] = after - before
        moment = Moment(shot, film.timeline, snapshots)
        for panel in scene.panels:
            before = after
            show([panel], scene.canvas, moment, draft)
            after = time.perf_counter()
            spent[type(panel).__name__] += after - before
        scene.canvas.frame(shot.ticks)
        spent["Canvas"] = time.perf_counter() - after
        for name, seconds in spent.items():
            times[name].append(seconds)
    return {name: found[1:] for name, found in times.items()}


def measure_runs(film: Film) -> tuple[int, int, float]:
    """The number of frames, how many of them are in runs, and the total seconds of playing and
    drawing in runs."""
    frames = batched = 0
    before = time.perf_counter()
    for part in film.parts(runs=True):
        if isinstance(part, SpriteRun):
            batched += len(part)
        frames += len(part) if isinstance(part, SpriteRun) else 1
    return frames, batched, time.perf_counter() - before


CASES = (
    ("one step a frame", MEDIUM, None, ("row-major", "mrv"), 1),
    ("one step a frame, small trees", MEDIUM, None, ("mrv", "mrv/lcv"), 1),
    ("20 steps a frame", MEDIUM, None, ("row-major", "mrv"), 20),
    ("200 steps a frame", HARD, None, ("row-major", "row-major/descending"), 200),
    ("5,000 steps a frame", FIFTY, 5_000_000, ("row-major", "mrv"), 5000),
)
"""Name, puzzle, most nodes, strategies, steps a frame."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--panels", default=",".join(kind.name for kind in known_panels()))
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    panels = tuple(options.panels.split(","))
    print(f"microseconds a frame, the least of {options.runs} runs; 1280×720, {options.panels}")
    for name, grid, nodes, orders, steps in CASES:
        traces = [search(grid, order, Limits(nodes)) for order in orders]
        film = Film(traces, FilmSettings(pace=Pace(Fraction(steps)), panels=panels))
        _ = film.tallies
        runs = [measure(film) for _ in range(options.runs)]
        # All runs draw the same frames: the least time of each is free of other load.
        parts = {
            part: sum(map(min, *(run[part] for run in runs))) / len(runs[0][part])
            for part in runs[0]
        }
        playing, drawing = parts.pop("playing"), sum(parts.values())
        frames = len(runs[0]["playing"])
        print(
            f"{name}: {frames:,} frames, playing {playing * 1e6:.0f}, drawing {drawing * 1e6:.0f}"
        )
        for part, spent in sorted(parts.items(), key=lambda item: -item[1]):
            print(f"    {part:<14} {spent * 1e6:6.1f}")
        in_runs = [measure_runs(film) for _ in range(options.runs)]
        frames, batched, seconds = min(in_runs, key=lambda run: run[2])
        if batched:
            print(
                f"    {batched:,} of {frames:,} frames in runs: playing and drawing "
                f"{seconds / frames * 1e6:.1f}"
            )


if __name__ == "__main__":
    main()
