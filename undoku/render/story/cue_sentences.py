"""The sentences of cues and their frames."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from undoku.errors import SettingsError
from undoku.render.playback.reading_time import reading_time
from undoku.render.timeline.cues import Cue
from undoku.render.timeline.notes import FILM, Note, NoteKind
from undoku.render.timeline.timeline import Timeline
from undoku.solver.trace.trace import Header

__all__ = ["cue_notes", "cue_search"]

_MIN_SECONDS = Fraction(2)
"""The minimum time in seconds for which a sentence is shown, unless another one follows."""


def cue_search(cue: Cue, headers: Sequence[Header]) -> int | None:
    """The number, from 0, of the search to which a cue's sentence refers; None for the film as a
    whole. In a film of one search all sentences refer to it. Raises SettingsError, with the cue's
    place, for a search that does not exist."""
    if not cue.search:
        return 0 if len(headers) == 1 else None
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
    timeline: Timeline, cues: Sequence[Cue], headers: Sequence[Header], search: int | None
) -> tuple[Note, ...]:
    """The sentences of cues about a search, below its board, or with None those in the line below
    the film, by frame. A sentence is shown from its step on while the clock is stopped, and at
    least until it can be read, but not after the next sentence begins or the hold after the race
    ends."""
    longest = timeline.totals.index(timeline.longest)
    last = timeline.frames - timeline.card
    timed = []
    for cue in cues:
        if cue.say and cue_search(cue, headers) == search:
            step = timeline.last if cue.step is None else cue.step
            at = timeline.intro if step == timeline.first else timeline.frame_of(longest, step)
            timed.append((min(at, last), cue))
    timed.sort(key=lambda one: one[0])
    notes = []
    afters = [*(start for start, _ in timed), last][1:]
    for (start, cue), after in zip(timed, afters, strict=True):
        # The step is shown for one frame, then the clock stops.
        seconds = max(_MIN_SECONDS, cue.pause + 1 / timeline.fps, reading_time(cue.say))
        end = min(start + round(seconds * timeline.fps), after)
        if end > start:
            number = FILM if search is None else search
            notes.append(Note(start, end, number, NoteKind.CALLOUT, cue.say))
    return tuple(notes)
