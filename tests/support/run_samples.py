"""Films of runs for the direct writer, and the samples that it makes of them."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from tests.support.run_films import RunFilm
from tests.support.sink_contexts import sink_context
from undoku.render.draw.canvas import Frame
from undoku.render.draw.sprite_run import SpriteRun
from undoku.render.write.film_encoder import FilmEncoder
from undoku.render.write.sink import SinkContext


class Kept:
    """A writer that keeps its samples: bytes, duration, whether it is a key frame."""

    def __init__(self) -> None:
        self.samples: list[tuple[bytes, int, bool]] = []

    def add(self, units: Any, sizes: Any, durations: Any, keys: Any) -> None:
        at = 0
        for size, ticks, key in zip(sizes, durations, keys, strict=True):
            assert int.from_bytes(units[at : at + 4]) == size - 4
            self.samples.append((bytes(units[at + 4 : at + size]), int(ticks), bool(key)))
            at += size
        assert at == len(units)

    def extend(self, duration: int) -> None:
        unit, ticks, key = self.samples.pop()
        self.samples.append((unit, ticks + duration, key))


def encoded(
    context: SinkContext, parts: Iterable[Frame | SpriteRun], threads: int = 1
) -> tuple[list[tuple[bytes, int, bool]], tuple[Any, ...]]:
    """The samples of a film, and its counts."""
    kept = Kept()
    film = FilmEncoder(context.settings, kept, threads)
    for part in parts:
        film.write(part)
    film.end()
    return kept.samples, (film.ticks, film.samples, film.bytes, film.counts)


def shape_of(film: RunFilm, key_interval: int = 20) -> SinkContext:
    fps = (Fraction(60), Fraction(7), Fraction(30000, 1001))[film.seed % 3]
    return sink_context(
        *(film.width, film.height, fps, "draft"),
        key_interval=key_interval / fps,
        variable_rate=film.seed % 2 == 1,
    )
