"""The chapters of a film, which begin at its marks."""

from __future__ import annotations

from collections.abc import Iterable

from undoku.render.story.film_marks import FilmMark
from undoku.render.timeline.chapter_list import Chapter, titled

__all__ = ["chapters_at"]


def chapters_at(marks: Iterable[FilmMark], frames: int, title: str) -> tuple[Chapter, ...]:
    """The chapters of a film of `frames` frames, without a gap: the first, called `title`, begins
    with the film, each further one on the frame of one or more marks. There are none without
    marks."""
    at: dict[int, list[str]] = {}
    for mark in marks:
        at.setdefault(mark.frame, []).append(mark.text)
    if not at:
        return ()
    titles = [(frame, "; ".join(at[frame])) for frame in sorted(at)]
    if titles[0][0]:
        titles.insert(0, (0, title))
    ends = [start for start, _ in titles[1:]] + [frames]
    return tuple(
        Chapter(start, end, titled(text)) for (start, text), end in zip(titles, ends, strict=True)
    )
