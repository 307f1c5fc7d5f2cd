"""The chapters of a film: where its highlights begin."""

from __future__ import annotations

from collections.abc import Iterable

from render.metadata.chapter_list import Chapter, titled
from render.story.highlight_timing import seen
from render.story.highlights import Highlight
from render.timing.timeline import Timeline

__all__ = ["chapters_at"]


def chapters_at(
    timeline: Timeline, highlights: Iterable[Highlight], title: str
) -> tuple[Chapter, ...]:
    """The parts of the film that its highlights make, without a gap: the first, called `title`,
    begins with the film, each further one on the frame that first shows a highlight, or several.
    None without highlights."""
    at: dict[int, list[str]] = {}
    for frame, highlight in seen(timeline, highlights):
        at.setdefault(frame, []).append(highlight.sentence)
    if not at:
        return ()
    told = [(frame, "; ".join(at[frame])) for frame in sorted(at)]
    if told[0][0]:
        told.insert(0, (0, title))
    ends = [start for start, _ in told[1:]] + [timeline.frames]
    return tuple(
        Chapter(start, end, titled(text)) for (start, text), end in zip(told, ends, strict=True)
    )
