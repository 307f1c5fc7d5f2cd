"""Stories of the published puzzles, and their passages, for tests."""

from __future__ import annotations

from functools import cache
from typing import Any

from tests.support.puzzles import MEDIUM
from undoku import search
from undoku.render.film.film import Film
from undoku.render.settings.settings import settings_of
from undoku.render.timeline.beats import Beat, BeatKind, first_beat

PAIR = ("row-major", "mrv")
"""The searches that films compare by default."""


@cache
def medium_story(*names: str, **settings: Any) -> Film:
    """The film of searches on the medium puzzle, by default of the usual pair."""
    return Film([search(MEDIUM.grid, name) for name in names or PAIR], settings_of(settings))


def beat_of(film: Film, kind: BeatKind) -> Beat:
    """The first passage of a kind, which the film must have."""
    found = first_beat(film.timeline.beats, kind)
    assert found
    return found
