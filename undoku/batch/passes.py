"""Drawing passes, each with its films and the files beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from undoku.render.settings.lookup import option
from undoku.render.settings.option import Context
from undoku.render.settings.settings import FilmSettings
from undoku.render.write.formats import format_of
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.trace.search_trace import Limits

__all__ = [
    "HIGHLIGHTS",
    "MARKS",
    "Extras",
    "Pass",
    "film_beside",
    "in_segments",
    "is_beside",
    "stem_of",
    "suffix_of",
]

_CAPTIONS = tuple(f".{name}" for name in option("captions", Context.MANIFEST).kind.choices)

HIGHLIGHTS = ".highlights.json"
"""The suffix of a list of highlights."""

MARKS = tuple(f".{name}" for name in option("marks", Context.MANIFEST).kind.choices)
"""The suffixes of files of marks."""

_BESIDE = (HIGHLIGHTS, *MARKS, *_CAPTIONS)


def is_beside(name: str) -> bool:
    """Whether this is the name of a sidecar of a film."""
    return name.lower().endswith(_BESIDE)


def suffix_of(name: str) -> str:
    """The suffix of the name of a film or a sidecar, according to its format."""
    beside = next((one for one in _BESIDE if name.lower().endswith(one)), "")
    return beside or format_of(Path(name)).suffix


def stem_of(name: str) -> str:
    """The common part of the names of a film and its sidecars."""
    return name[: -len(suffix_of(name))] if is_beside(name) else name.rpartition(".")[0]


def film_beside(name: str, names: Sequence[str]) -> str:
    """The film among `names` to which the file `name` belongs; `name` itself if it is a film."""
    if not is_beside(name):
        return name
    films = (film for film in names if not is_beside(film) and stem_of(film) == stem_of(name))
    return next(films, name)


def in_segments(name: str) -> bool:
    """Whether the film of this name can be written in segments."""
    return not is_beside(name) and format_of(Path(name)).segments


@dataclass(frozen=True, slots=True)
class Extras:
    """The options of films that are not settings. `at_step` or `filmstrip` make single pictures:
    the state after a number of steps, or a number of moments of the search. `most_bytes` and
    `platform` are limits to which each film is fitted. `captions` is "srt", "vtt", or "" for none;
    `marks` are some of MARKS, without their dot. `any_size` states that no size was set, so that
    the platform may determine the shape.
    """

    at_step: int | None = None
    filmstrip: int | None = None
    most_bytes: int | None = None
    platform: str | None = None
    any_size: bool = False
    captions: str = ""
    marks: tuple[str, ...] = ()

    @property
    def single(self) -> bool:
        """Whether single pictures are made, not films."""
        return self.at_step is not None or self.filmstrip is not None

    @property
    def fitted(self) -> bool:
        """Whether films are fitted to limits, each separately."""
        return self.most_bytes is not None or self.platform is not None


@dataclass(frozen=True, slots=True)
class Pass:
    """Films that are drawn together: the same picture in one or more formats.

    `names` are the names of the films and of the files beside them, with suffixes, relative to the
    batch's folder.
    """

    puzzle: Puzzle
    strategies: tuple[str, ...]
    limits: Limits
    settings: FilmSettings
    names: tuple[str, ...]
    extras: Extras = Extras()
