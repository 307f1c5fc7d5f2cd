"""Films of searches, as many tests need them."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from tests.support.puzzles import MEDIUM
from undoku import Limits, Puzzle, search
from undoku.render.draw.canvas import Pixels
from undoku.render.film.acts import Act
from undoku.render.film.film import Film
from undoku.render.layout.page import Layout
from undoku.render.settings.settings import FilmSettings, settings_of
from undoku.render.timeline.beats import Beat, BeatKind


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


def film_of(
    *strategies: str,
    puzzle: Puzzle | str = MEDIUM.grid,
    limits: Limits | None = None,
    **options: object,
) -> Film:
    """Like `make_film`, with options as they are given to `undoku.compare`."""
    traces = [search(puzzle, strategy, limits or Limits()) for strategy in strategies]
    return Film(traces, settings_of(options))


def picture_at(film: Film, frame: int) -> Pixels:
    """The picture that the film, drawn from its beginning, shows on a frame."""
    frames, ends = film.frames(), 0
    while ends <= frame:
        shown = next(frames)
        ends += shown.ticks
    return shown.pixels


def act_at(film: Film, frame: int) -> Act:
    """The act of a frame."""
    return [act for act in film.acts if act.start <= frame][-1]


def beat_of(film: Film, kind: BeatKind) -> Beat:
    """The first beat of a kind, which the film has."""
    return next(beat for beat in film.timeline.beats if beat.kind is kind)


def assert_apart(layout: Layout) -> None:
    """No two regions overlap, and none extends into the margins."""
    regions = layout.regions()
    assert not any(one.overlaps(other) for one, other in combinations(regions, 2))
    assert all(layout.safe.contains(region) for region in regions)
