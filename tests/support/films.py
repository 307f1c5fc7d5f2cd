"""Films of searches, as many tests need them."""

from __future__ import annotations

from typing import Any, Protocol

from tests.support.puzzles import MEDIUM
from undoku import Limits, Puzzle, search
from undoku.render.film.film import Film
from undoku.render.settings.settings import FilmSettings

__all__ = ["MakeFilm", "make_film"]


def make_film(
    *strategies: str,
    puzzle: Puzzle | str = MEDIUM.grid,
    limits: Limits | None = None,
    **settings: Any,
) -> Film:
    """The film of `puzzle` searched by each of `strategies` within `limits`; `settings` are fields
    of FilmSettings."""
    traces = [search(puzzle, strategy, limits or Limits()) for strategy in strategies]
    return Film(traces, FilmSettings(**settings))


class MakeFilm(Protocol):
    """The fixture `film`: see `make_film`."""

    def __call__(
        self,
        *strategies: str,
        puzzle: Puzzle | str = MEDIUM.grid,
        limits: Limits | None = None,
        **settings: Any,
    ) -> Film: ...
