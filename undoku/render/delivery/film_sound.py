"""The soundtrack of a film."""

from __future__ import annotations

from math import ceil, isfinite
from pathlib import Path

from undoku.errors import SettingsError
from undoku.render.film.film import Film
from undoku.render.sound.ducking import SpokenTake
from undoku.render.sound.score import Composition
from undoku.render.story.highlight_timing import seen
from undoku.render.write.sound_filter import integrated_loudness
from undoku.render.write.sound_reader import read_sound
from undoku.render.write.soundtrack import Soundtrack

__all__ = ["soundtrack_of"]


def soundtrack_of(film: Film) -> Soundtrack | None:
    """The sound of the film; None if none was requested. Raises ReadError, InputError for a take
    that can't be read, SettingsError for a take that is silent or longer than the film."""
    settings, timeline = film.settings, film.timeline
    if not (settings.sound or settings.voice):
        return None
    take = _take(film) if settings.voice else None
    if not settings.sound:
        return Soundtrack(Composition((), (), timeline), film.mix, take)
    accents = [(one.search, one.start) for one in film.callouts if not one.result]
    accents += [
        (one.search, frame)
        for frame, one in seen(timeline, film.highlights)
        if one.kind != "solution"
    ]
    return Soundtrack(Composition(film.traces, film.tallies, timeline, accents), film.mix, take)


def _take(film: Film) -> SpokenTake:
    path, seconds = film.settings.voice, float(film.timeline.duration)
    loudness = integrated_loudness(read_sound(Path(path)))
    if not isfinite(loudness):
        raise SettingsError(f"there is no sound in {path!r}", remedy="give another take")
    take = SpokenTake(lambda: read_sound(Path(path)), loudness)
    if take.seconds > seconds:
        raise SettingsError(
            f"the voice in {path!r} goes on for {take.seconds:.2f} s, the film for {seconds:.2f} s",
            remedy=f"make the film longer, as with --duration {ceil(take.seconds)}s",
        )
    return take
