"""The sound of a film: its soundtrack, its encoded files while films are written, and its stems."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from math import ceil, isfinite
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from undoku.errors import SettingsError
from undoku.render.delivery.outputs import film_tracks, with_sound
from undoku.render.film.film import Film
from undoku.render.playback.verdict import fastest
from undoku.render.timeline.beats import Beat, BeatKind, first_beat
from undoku.render.timeline.notes import FILM
from undoku.render.timeline.speed import steps_through
from undoku.render.write.formats import format_of
from undoku.render.write.further_tracks import FurtherTracks
from undoku.temporary_files import temporary_folder

if TYPE_CHECKING:  # imported only for films with sound
    from undoku.render.sound.ducking import SpokenTake
    from undoku.render.sound.score import Accent
    from undoku.render.write.soundtrack import Soundtrack

_TICKS_APART = Fraction(1, 12)
"""The minimum time in seconds from one tick of a lap to the next one."""


@contextmanager
def tracks_with_sound(film: Film, paths: Sequence[Path]) -> Iterator[FurtherTracks]:
    """The tracks of the film beside its pictures for `paths`, with its sound, if it has one, which
    is encoded when a file needs it. The encoded files are removed at the end. Raises SettingsError
    if there is a sound that none of the files can contain; the errors of soundtrack_of;
    EncoderError, OSError.
    """
    tracks, settings = film_tracks(film), with_sound(film.settings, paths)
    if not paths or not (settings.sound or settings.voice):
        yield tracks
        return
    if not any(format_of(path).sound for path in paths):
        name = format_of(paths[0]).name
        raise SettingsError(
            f"{str(paths[0])!r} can't contain sound: {name} has none",
            remedy="write an MP4, a WebM or a WAV, or leave out --sound and --voice",
        )
    from undoku.render.write.sound_encoder import EncodedSound

    heard = film if settings == film.settings else film.with_settings(settings)
    soundtrack = soundtrack_of(heard)
    assert soundtrack is not None
    codecs = {codec for path in paths if (codec := format_of(path).sound)}
    with temporary_folder() as folder, EncodedSound(soundtrack, folder, codecs) as sound:
        yield tracks._replace(sound=sound)


def stems_folder(film: Film, folder: str | Path | None) -> Path | None:
    """The folder of the stems; None if there are none. Raises SettingsError for a film without the
    sound of a search."""
    if folder is None:
        return None
    if not film.settings.sound:
        raise SettingsError("stems need a film with sound", remedy="add --sound")
    return Path(folder)


def stem_paths(film: Film, folder: Path) -> list[Path]:
    """The files of the stems: 1-row-by-row.wav for the first search, and so on, with the letters
    and digits of all scripts."""
    plain = [re.sub(r"[\W_]+", "-", label.lower()).strip("-")[:60] for label in film.labels]
    return [
        folder / f"{number}{'-' * bool(name)}{name}.wav" for number, name in enumerate(plain, 1)
    ]


def soundtrack_of(film: Film) -> Soundtrack | None:
    """The sound of the film; None if none was requested. Raises ReadError, InputError for a take
    that can't be read, SettingsError for a take that is silent or longer than the film."""
    settings, timeline = film.settings, film.timeline
    if not (settings.sound or settings.voice):
        return None
    from undoku.render.sound.score import Composition
    from undoku.render.write.soundtrack import Soundtrack

    take = _take(film) if settings.voice else None
    heard = range(film.excerpt.start, film.excerpt.start + film.length)
    if not settings.sound:
        return Soundtrack(
            Composition((), (), timeline, heard=heard), film.mix, take, settings.loudness
        )
    composition = Composition(
        film.traces, film.tallies, timeline, accents_of(film), film.board_places, heard
    )
    return Soundtrack(composition, film.mix, take, settings.loudness)


def accents_of(film: Film) -> list[Accent]:
    """The accents of a film: its sentences, except those about the ends of searches, which have
    chords; and the laps of the longest search."""
    from undoku.render.sound.score import Accent, AccentKind

    notes = [*film.sentences, *film.highlights]
    accents = [
        Accent(one.search, one.start, AccentKind.BAD if one.wrong else AccentKind.GOOD)
        for one in notes
        if one.search != FILM and not one.result
    ]
    laps = first_beat(film.timeline.beats, BeatKind.LAPS)
    ticks = _lap_frames(film, laps) if laps else []
    return accents + [Accent(laps.subject, frame, AccentKind.TICK) for frame in ticks if laps]


def _lap_frames(film: Film, laps: Beat) -> list[int]:
    """The frames on which a further lap is counted, those that can be heard one by one."""
    timeline, lap = film.timeline, film.tallies[fastest(film.tallies)].steps
    done = steps_through(timeline, laps.start - timeline.intro, laps.frames + 1)[:, laps.subject]
    found: list[int] = []
    for at in np.flatnonzero(np.diff(done // lap)).tolist():
        if not found or laps.start + at - found[-1] >= _TICKS_APART * timeline.fps:
            found.append(laps.start + at)
    return found


def _take(film: Film) -> SpokenTake:
    path, seconds = film.settings.voice, float(film.duration)
    # Imported here because only films with a voice need them.
    from undoku.render.sound.ducking import SpokenTake
    from undoku.render.write.sound_samples import integrated_loudness, read_sound

    loudness = integrated_loudness(read_sound(Path(path)))
    if not isfinite(loudness):
        raise SettingsError(f"there is no sound in {path!r}", remedy="give another take")
    take = SpokenTake(lambda: read_sound(Path(path)), loudness)
    if take.seconds > seconds:
        raise SettingsError(
            f"the voice in {path!r} is longer ({take.seconds:.2f} s) than the film "
            f"({seconds:.2f} s)",
            remedy=f"make the film longer, as with --duration {ceil(take.seconds)}s",
        )
    return take
