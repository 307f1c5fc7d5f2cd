"""Marks as the list of chapters that YouTube reads in a description.

Its rules: the first chapter begins at 0:00, there are at least three, in order, and each lasts at
least ten seconds; otherwise no chapters are shown.
"""

from __future__ import annotations

from itertools import pairwise
from math import ceil

from undoku.errors import SettingsError
from undoku.render.delivery.marked_film import MARK_ORDER, MarkedFilm, one_line
from undoku.render.timeline.notes import Note

__all__ = ["youtube_chapters"]

_MIN_SECONDS = 10
"""The minimum length of a chapter in seconds."""

_MIN_CHAPTERS = 3
"""The minimum number of chapters."""


def youtube_chapters(film: MarkedFilm) -> str:
    """The chapters, one per line: "0:00 Title". The first has the film's title. Of marks too close
    to each other, to the beginning or to the end, the most important one is kept: ends come
    before highlights, highlights before callouts, and earlier marks before later ones. Raises
    SettingsError if fewer than three are left.
    """
    length = int(film.frames / film.fps)
    starts: dict[int, Note] = {}
    for mark in sorted(film.marks, key=lambda mark: (MARK_ORDER.index(mark.kind), mark.start)):
        # The next whole second, in which the sentence is already shown.
        at = ceil(mark.start / film.fps)
        if all(abs(at - other) >= _MIN_SECONDS for other in (0, length, *starts)):
            starts[at] = mark
    if len(starts) + 1 < _MIN_CHAPTERS:
        raise SettingsError(
            f"YouTube requires at least {_MIN_CHAPTERS} chapters of {_MIN_SECONDS} s each, and "
            f"this film of {length} s has marks for {len(starts) + 1}",
            remedy="make a longer film, as by --duration 60s, or more marks, as by --highlights",
        )
    chapters = [(0, film.title), *((at, starts[at].text) for at in sorted(starts))]
    assert all(second - first >= _MIN_SECONDS for (first, _), (second, _) in pairwise(chapters))
    return "".join(f"{_clock(at)} {one_line(text)}\n" for at, text in chapters)


def _clock(seconds: int) -> str:
    hours, rest = divmod(seconds, 3600)
    minutes, rest = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
