"""The errors of the pictures of directly written films."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from undoku import search
from undoku.render.delivery.write import write_film
from undoku.render.film.film import Film
from undoku.render.settings.settings import FilmSettings
from undoku.render.timeline.timeline import Pace
from undoku.render.write.yuv import Planes
from undoku.solver.problem.sources import parse_puzzle

PUZZLE = Path(__file__).parent.parent / "examples/puzzles/comparison.txt"


def film_of(panels: str, first: int, last: int, quality: str = "draft") -> Film:
    """Two searches from step `first` to step `last`, one step per frame, 1280x720; the whole film
    if `first` is 0, otherwise only the race."""
    still: dict[str, Any] = {name: Fraction(0) for name in ("intro", "hold", "card")}
    pace = Pace(Fraction(1), first=first, last=last)
    puzzle = parse_puzzle(PUZZLE.read_text())
    traces = [search(puzzle, order) for order in ("row-major", "mrv")]
    chosen = {} if first == 0 else still
    settings = FilmSettings(pace=pace, panels=tuple(panels.split(",")), quality=quality, **chosen)
    return Film(traces, settings)


def _error(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> tuple[int, int]:
    """The sum of squared differences, and the largest difference."""
    off = one.astype(np.int32) - other
    return int((off * off).sum(dtype=np.int64)), int(np.abs(off).max())


def _shown(path: Path) -> Iterator[tuple[Fraction, NDArray[np.uint8]]]:
    """(seconds, luma) of each stored picture, as decoded by libavcodec."""
    import av

    with av.open(str(path)) as film:
        track = film.streams.video[0]
        track.thread_type = "AUTO"
        for frame in film.decode(track):
            plane = frame.planes[0]
            rows = np.frombuffer(bytes(plane), np.uint8).reshape(plane.height, plane.line_size)
            assert frame.pts is not None
            assert frame.time_base is not None
            yield frame.pts * frame.time_base, rows[:, : plane.width]


def worst_luma(film: Film, path: Path) -> str:
    """Write the film to `path` and compare every frame of the file with the canvas; returns a
    text."""
    try:
        import av  # noqa: F401
    except ImportError:
        return "  picture: not compared, PyAV is missing"
    write_film(film, [path])
    settings = film.settings
    planes = Planes(settings.width, settings.height)
    pictures = _shown(path)
    _, shown = next(pictures)
    following = next(pictures, None)
    count = settings.width * settings.height
    most, largest, tick = 0, 0, 0
    for frame in film.frames():
        planes.update(frame.pixels, frame.changes)
        luma = planes.bytes[:count].reshape(settings.height, settings.width)
        for _ in range(frame.ticks):
            while following and following[0] <= tick / settings.fps:
                shown, following = following[1], next(pictures, None)
            total, off = _error(shown, luma)
            most, largest = max(most, total), max(largest, off)
            tick += 1
    assert following is None
    worst = 10 * math.log10(255**2 / max(most / count, 1e-9))
    return (
        f"  picture: of {tick:,} frames the worst has a luma PSNR of {worst:.2f} dB (budget 50), "
        f"the largest error is {largest} of 255"
    )
