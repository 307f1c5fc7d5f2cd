"""What a manifest comes to: drawing passes, each with its films and the files beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from render.options.option import Context
from render.options.table import option
from render.settings import FilmSettings
from render.sinks import format_of
from solver.backtracking import Limits
from solver.puzzle import Puzzle

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
"""What the name of a list of highlights ends in."""

MARKS = tuple(f".{name}" for name in option("marks", Context.MANIFEST).kind.choices)
"""What the names of files of marks end in."""

_BESIDE = (HIGHLIGHTS, *MARKS, *_CAPTIONS)


def is_beside(name: str) -> bool:
    """Whether this is the name of a file that lies beside a film and tells about it."""
    return name.lower().endswith(_BESIDE)


def suffix_of(name: str) -> str:
    """What a film's name, or that of a file beside one, ends in: its format tells."""
    beside = next((one for one in _BESIDE if name.lower().endswith(one)), "")
    return beside or format_of(Path(name)).suffix


def stem_of(name: str) -> str:
    """What the names of a film and of the files beside it have in common."""
    return name[: -len(suffix_of(name))] if is_beside(name) else name.rpartition(".")[0]


def film_beside(name: str, names: Sequence[str]) -> str:
    """The film among `names` that the file `name` lies beside; itself, where it is a film."""
    if not is_beside(name):
        return name
    films = (film for film in names if not is_beside(film) and stem_of(film) == stem_of(name))
    return next(films, name)


def in_segments(name: str) -> bool:
    """Whether the film of this name can be written in segments."""
    return not is_beside(name) and format_of(Path(name)).segments


@dataclass(frozen=True, slots=True)
class Extras:
    """What is asked of films besides their settings.

    `at_step` or `filmstrip` make single pictures: the state after so many steps, or so many moments
    of the search. `most_bytes` and `platform` are limits that each film is fitted to. `captions` is
    "srt", "vtt", or "" for none; `marks` are some of MARKS, without their dot. `any_size` says that
    nobody asked for a size, so that a platform may choose its shape.
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
        """Whether films are fitted to limits, each by itself."""
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
