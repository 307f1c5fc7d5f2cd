"""The list of all sentences of a film, from which chapters and marks for editors are made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from undoku.render.panels.panel import Callout, Notice
from undoku.render.story.claims import sentence_of
from undoku.render.story.derived_claims import end_claim
from undoku.render.story.highlight_timing import seen
from undoku.render.story.highlights import Highlight
from undoku.render.timeline.timeline import Timeline
from undoku.solver.trace.trace import Header, Tally
from undoku.texts import wording as say

__all__ = ["FilmMark", "MarkKind", "labelled_callout", "labelled_sentence", "marks_of"]


class MarkKind(StrEnum):
    """The kinds of marks, the most important first."""

    END = "end"
    """A search has ended."""
    HIGHLIGHT = "highlight"
    """A turning point of a search (`undoku.render.story.highlights`)."""
    CALLOUT = "callout"
    """Another sentence about a search."""


@dataclass(frozen=True, slots=True)
class FilmMark:
    """The sentence `text` on frame `frame` of a film (from 0), for `frames` >= 1 frames. It is the
    same as in the picture and in captions, after the search's name if a film has several. `search`
    is the number of the search, from 0; -1 for a sentence about the film or about several
    searches."""

    frame: int
    frames: int
    kind: MarkKind
    search: int
    text: str


def labelled_sentence(labels: Sequence[str], search: int, sentence: str) -> str:
    """A sentence about a search of a film, with its name in front if there are several."""
    if len(labels) == 1:
        return sentence
    return say.LABELLED(label=labels[search], sentence=sentence)


def labelled_callout(labels: Sequence[str], callout: Callout) -> str:
    """The sentence of a callout of a film, with the name of its search in front if there are
    several, unless it is about several of them."""
    if callout.others:
        return callout.sentence
    return labelled_sentence(labels, callout.search, callout.sentence)


def marks_of(
    timeline: Timeline,
    headers: Sequence[Header],
    tallies: Sequence[Tally],
    *,
    highlights: Iterable[Highlight] = (),
    callouts: Iterable[Callout] = (),
    notices: Iterable[Notice] = (),
) -> tuple[FilmMark, ...]:
    """All marks of a film of these searches with these callouts, notices and highlights, by frame
    and search. If none of them states how a search ends, a mark for its end is added."""
    labels = [header.label for header in headers]
    found = [
        FilmMark(
            callout.start,
            max(1, callout.end - callout.start),
            MarkKind.END if callout.result else MarkKind.CALLOUT,
            -1 if callout.others else callout.search,
            labelled_callout(labels, callout),
        )
        for callout in callouts
    ]
    for frame, highlight in seen(timeline, highlights):
        kind = MarkKind.END if highlight.kind == "solution" else MarkKind.HIGHLIGHT
        found.append(FilmMark(frame, 1, kind, highlight.search, highlight.sentence))
    found += [
        FilmMark(notice.start, notice.end - notice.start, MarkKind.CALLOUT, -1, notice.sentence)
        for notice in notices
    ]
    ended = {mark.search for mark in found if mark.kind is MarkKind.END}
    last = timeline.steps_at(timeline.race)
    for number, (header, tally) in enumerate(zip(headers, tallies, strict=True)):
        if number not in ended and last[number] == tally.steps:
            sentence = sentence_of(end_claim(number, tally), header.puzzle)
            frame = min(timeline.frame_of(number, tally.steps), timeline.frames - 1)
            sentence = labelled_sentence(labels, number, sentence)
            found.append(FilmMark(frame, 1, MarkKind.END, number, sentence))
    return tuple(sorted(found, key=lambda mark: (mark.frame, mark.search)))
