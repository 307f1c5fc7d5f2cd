"""An excerpt of a film: the frames that are written, and the notes on them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

from undoku.errors import SettingsError, did_you_mean
from undoku.render.settings.number_kinds import parse_seconds
from undoku.render.timeline.notes import Note
from undoku.render.timeline.timeline import Timeline

_N = TypeVar("_N", bound=Note)


def excerpt_frames(timeline: Timeline, excerpt: str) -> range:
    """The frames of an excerpt: a beat ("laps"), from one to another ("race..laps"), or from one
    time to another ("3s..9s"); without a begin or an end ("laps..") from the first frame or to the
    last; "" for all. Raises SettingsError for other texts and for an excerpt without a frame."""
    first, between, last = (part.strip() for part in excerpt.partition(".."))
    last = last if between else first
    begin = _part(timeline, first).start if first else 0
    end = _part(timeline, last).stop if last else timeline.frames
    frames = range(begin, min(end, timeline.frames))
    if not frames:
        raise SettingsError(
            f"excerpt {excerpt!r} of a film of {float(timeline.duration):.4g} s has no frames",
            remedy="give a beat, two beats or two times, such as laps, race..laps or 3s..9s",
        )
    return frames


def _part(timeline: Timeline, text: str) -> range:
    """The frames of the beats of this name; none, from its frame on, for a time."""
    found = [beat for beat in timeline.beats if beat.kind == text]
    if found:
        return range(found[0].start, found[-1].end)
    if not text[:1].isdigit():
        names = [*dict.fromkeys(str(beat.kind) for beat in timeline.beats)]
        times = "give times, such as 3s..9s"
        known = f"known: {', '.join(names)}; or {times}" if names else f"only stories do: {times}"
        raise SettingsError(
            f"this film has no beat {text!r}", remedy=did_you_mean(text, names, known)
        )
    frame = round(parse_seconds(text) * timeline.fps)
    return range(frame, frame)


def notes_on(frames: range, notes: Iterable[_N]) -> tuple[_N, ...]:
    """The notes that are shown on some of `frames`, cut to them, with times from the first of them
    on."""
    return tuple(
        replace(
            note,
            start=max(note.start, frames.start) - frames.start,
            end=min(note.end, frames.stop) - frames.start,
        )
        for note in notes
        if note.start < frames.stop and note.end > frames.start
    )
