"""The notes of a film: the sentences of cues, and the marks from which chapters are made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from undoku.errors import SettingsError
from undoku.render.playback.reading_time import notes_until_read
from undoku.render.story.claims import sentence_of
from undoku.render.story.derived_claims import end_claim
from undoku.render.timeline.notes import FILM, Note, NoteKind
from undoku.render.timeline.pace import Cue
from undoku.render.timeline.timeline import Timeline
from undoku.solver.trace.trace import Header, Tally
from undoku.texts import wording as say


def cue_search(cue: Cue, headers: Sequence[Header]) -> int:
    """The number, from 0, of the search to which a cue's sentence refers; FILM for the film as a
    whole. In a film of one search all sentences refer to it. Raises SettingsError, with the cue's
    place, for a search that does not exist."""
    if not cue.search:
        return 0 if len(headers) == 1 else FILM
    if cue.search.isascii() and cue.search.isdigit() and 1 <= int(cue.search) <= len(headers):
        return int(cue.search) - 1
    for number, header in enumerate(headers):
        if cue.search in (header.label, header.name, header.strategy):
            return number
    raise SettingsError(
        f"there is no search {cue.search!r}",
        place=cue.place,
        remedy=f"take 1 to {len(headers)}, or one of {', '.join(one.label for one in headers)}",
    )


def cue_notes(
    timeline: Timeline, cues: Sequence[Cue], headers: Sequence[Header]
) -> tuple[Note, ...]:
    """The sentences of cues, those about the same search by frame. A sentence is shown from its
    step on while the clock is stopped, and at least until it can be read, but not after the next
    sentence about the same search begins or the hold after the race ends."""
    longest = timeline.totals.index(timeline.longest)
    last = timeline.frames - timeline.card
    timed: dict[int, list[tuple[int, str, Fraction]]] = {}
    for cue in cues:
        if cue.say:
            step = timeline.last if cue.step is None else cue.step
            at = timeline.intro if step == timeline.first else timeline.frame_of(longest, step)
            # The step is shown for one frame, then the clock stops.
            shown = min(at, last), cue.say, cue.pause + 1 / timeline.fps
            timed.setdefault(cue_search(cue, headers), []).append(shown)
    return tuple(
        note
        for search, own in timed.items()
        for note in notes_until_read(
            sorted(own, key=lambda one: one[0]), last, timeline.fps, search, NoteKind.CALLOUT
        )
    )


def labelled(labels: Sequence[str], search: int, sentence: str) -> str:
    """A sentence about a search of a film, with its name in front if there are several; one about
    the film as it is."""
    if len(labels) == 1 or search == FILM:
        return sentence
    return say.LABELLED(label=labels[search], sentence=sentence)


def joined(notes: Iterable[Note]) -> Sequence[Note]:
    """The notes; those that say the same of a search one after the other are one."""
    found: list[Note] = []
    for note in notes:
        said = (note.search, note.text, note.start)
        if found and (found[-1].search, found[-1].text, found[-1].end) == said:
            found[-1] = replace(found[-1], end=note.end)
        else:
            found.append(note)
    return found


def marks_of(
    timeline: Timeline,
    headers: Sequence[Header],
    tallies: Sequence[Tally],
    notes: Iterable[Note],
    highlights: Iterable[Note],
) -> tuple[Note, ...]:
    """All marks of a film of these searches, by frame and search: its `notes`, but each of the
    `highlights` by itself. If none of them states how a search ends, a mark for its end is
    added."""
    labels = [header.label for header in headers]
    found = [
        replace(
            note,
            end=max(note.end, note.start + 1),
            kind=NoteKind.END if note.result else NoteKind.CALLOUT,
            text=labelled(labels, note.search, note.one_line),
        )
        for note in notes
        if note.kind is not NoteKind.HIGHLIGHT
    ]
    found += highlights
    ended = {mark.search for mark in found if mark.kind is NoteKind.END}
    last = timeline.steps_at(timeline.race)
    for number, tally in enumerate(tallies):
        if number not in ended and last[number] == tally.steps:
            sentence = sentence_of(end_claim(number, tally), headers)
            frame = min(timeline.frame_of(number, tally.steps), timeline.frames - 1)
            sentence = labelled(labels, number, sentence)
            found.append(Note(frame, frame + 1, number, NoteKind.END, sentence))
    return tuple(sorted(found, key=lambda mark: (mark.start, mark.search)))
