"""The chapters of a film, which begin at its marks."""

from __future__ import annotations

from collections.abc import Iterable

from render.metadata.chapter_list import Chapter, titled
from render.story.film_marks import FilmMark

__all__ = ["chapters_at"]


def chapters_at(marks: Iterable[FilmMark], frames: int, title: str) -> tuple[Chapter, ...]:
    """The parts of a film of so many `frames` that its marks make, without a gap: the first, called
    `title`, begins with the film, each further one on the frame of a mark, or of several. None
    without marks."""
    at: dict[int, list[str]] = {}
    for mark in marks:
        at.setdefault(mark.frame, []).append(mark.text)
    if not at:
        return ()
    told = [(frame, "; ".join(at[frame])) for frame in sorted(at)]
    if told[0][0]:
        told.insert(0, (0, title))
    ends = [start for start, _ in told[1:]] + [frames]
    return tuple(
        Chapter(start, end, titled(text)) for (start, text), end in zip(told, ends, strict=True)
    )
