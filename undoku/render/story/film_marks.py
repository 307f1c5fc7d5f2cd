"""The list of all sentences of a film, from which chapters and marks for editors are made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from undoku.render.story.claims import sentence_of
from undoku.render.story.derived_claims import end_claim
from undoku.render.story.highlight_timing import seen
from undoku.render.story.highlights import Highlight
from undoku.render.timeline.notes import FILM, Note, NoteKind
from undoku.render.timeline.timeline import Timeline
from undoku.solver.trace.trace import Header, Tally
from undoku.texts import wording as say

__all__ = ["labelled_callout", "labelled_sentence", "marks_of"]


def labelled_sentence(labels: Sequence[str], search: int, sentence: str) -> str:
    """A sentence about a search of a film, with its name in front if there are several."""
    if len(labels) == 1:
        return sentence
    return say.LABELLED(label=labels[search], sentence=sentence)


def labelled_callout(labels: Sequence[str], callout: Note) -> str:
    """The sentence of a callout of a film, with the name of its search in front if there are
    several, unless it is about several of them."""
    if callout.others:
        return callout.text
    return labelled_sentence(labels, callout.search, callout.text)


def marks_of(
    timeline: Timeline,
    headers: Sequence[Header],
    tallies: Sequence[Tally],
    *,
    highlights: Iterable[Highlight] = (),
    callouts: Iterable[Note] = (),
    notices: Iterable[Note] = (),
) -> tuple[Note, ...]:
    """All marks of a film of these searches with these callouts, notices and highlights, by frame
    and search. If none of them states how a search ends, a mark for its end is added."""
    labels = [header.label for header in headers]
    found = [
        replace(
            callout,
            end=max(callout.end, callout.start + 1),
            search=FILM if callout.others else callout.search,
            kind=NoteKind.END if callout.result else NoteKind.CALLOUT,
            text=labelled_callout(labels, callout),
        )
        for callout in callouts
    ]
    found += [replace(notice, text=notice.one_line) for notice in notices]
    for frame, highlight in seen(timeline, highlights):
        kind = NoteKind.END if highlight.kind == "solution" else NoteKind.HIGHLIGHT
        found.append(Note(frame, frame + 1, highlight.search, kind, highlight.sentence))
    ended = {mark.search for mark in found if mark.kind is NoteKind.END}
    last = timeline.steps_at(timeline.race)
    for number, (header, tally) in enumerate(zip(headers, tallies, strict=True)):
        if number not in ended and last[number] == tally.steps:
            sentence = sentence_of(end_claim(number, tally), header.puzzle)
            frame = min(timeline.frame_of(number, tally.steps), timeline.frames - 1)
            sentence = labelled_sentence(labels, number, sentence)
            found.append(Note(frame, frame + 1, number, NoteKind.END, sentence))
    return tuple(sorted(found, key=lambda mark: (mark.start, mark.search)))
