"""Films of runs for the direct writer, and where their samples are kept."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tests.support.run_films import RunFilm
from tests.support.sink_contexts import sink_context
from undoku.render.write.sink import SinkContext

__all__ = ["CELLS", "Kept", "shape_of"]


class Kept:
    """A muxer that keeps its samples."""

    def __init__(self) -> None:
        self.samples: list[tuple[bytes, int, bool]] = []

    def add(self, unit: bytes | memoryview, ticks: int, *, key: bool) -> None:
        self.samples.append((bytes(unit), ticks, key))

    def add_many(self, units: Any, sizes: Any, durations: Any, keys: Any) -> None:
        at = 0
        for size, ticks, key in zip(sizes, durations, keys, strict=True):
            assert int.from_bytes(units[at : at + 4]) == size - 4
            self.add(units[at + 4 : at + size], int(ticks), key=bool(key))
            at += size
        assert at == len(units)


def shape_of(film: RunFilm, key_interval: int = 20) -> SinkContext:
    fps = (Fraction(60), Fraction(7), Fraction(30000, 1001))[film.seed % 3]
    return sink_context(
        *(film.width, film.height, fps, "draft"),
        key_interval=key_interval / fps,
        variable_rate=film.seed % 2 == 1,
    )


CELLS = RunFilm(
    *(192, 144, 16), few=True, flash=False, parts=(("run", 90), ("frames", 3)) * 4, seed=3
)
