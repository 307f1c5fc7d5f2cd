"""The film of the encoder benchmarks: two searches of the fifty-minutes puzzle, 1280x720."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from undoku.render.film.film import Film
from undoku.render.settings.settings import FilmSettings
from undoku.render.timeline.timeline import Pace
from undoku.render.write.yuv import Planes
from undoku.solver.trace.search_trace import Limits, search

WIDTH, HEIGHT = 1280, 720
PUZZLE = "000060080020000000001000000070000102500030000000000400004201000300700600000000050"


def comparison(frames: int, pace: int = 1, theme: str = "dark", quality: str = "standard") -> Film:
    """`frames` frames of row-major beside mrv, `pace` steps each, without cards and holds."""
    none = Fraction(0)
    settings = FilmSettings(
        WIDTH,
        HEIGHT,
        pace=Pace(Fraction(pace)),
        theme=theme,
        quality=quality,
        intro=none,
        hold=none,
        card=none,
    )
    # About half of the steps are nodes, so the searches last longer than the film.
    limits = Limits(max_nodes=frames * pace)
    return Film([search(PUZZLE, strategy, limits) for strategy in ("row-major", "mrv")], settings)


def batches(
    film: Film, frames: int, length: int = 1500, *, full_chroma: bool = False
) -> Iterator[NDArray[np.uint8]]:
    """The film's first `frames` frames as planes, (n, bytes) uint8 with n <= length; each item is a
    view of the same buffer."""
    planes = Planes(film.settings.width, film.settings.height, full_chroma=full_chroma)
    finished = np.empty((min(length, frames), planes.bytes.size), np.uint8)
    filled = 0
    for frame in islice(film.frames(), frames):
        planes.update(frame.pixels, frame.changes)
        finished[filled] = planes.bytes
        filled += 1
        if filled == len(finished):
            yield finished
            filled = 0
    if filled:
        yield finished[:filled]
