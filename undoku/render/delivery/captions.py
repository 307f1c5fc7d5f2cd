"""Subtitles that describe the searches, at a readable rate."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

from undoku.errors import SettingsError
from undoku.render.delivery.outputs import Sidecar
from undoku.render.film.excerpt import notes_on
from undoku.render.film.film import Film
from undoku.render.playback.player import Player
from undoku.render.playback.reading_time import reading_time
from undoku.render.playback.step_reasons import reason
from undoku.render.playback.verdict import verdict_of
from undoku.render.story.film_notes import labelled
from undoku.render.timeline.beats import EXPLAINING, BeatKind
from undoku.render.timeline.notes import FILM, Note, NoteKind
from undoku.render.timeline.timeline import EYE, Phase, Shot
from undoku.texts import wording as say
from undoku.texts.language import LEFT_TO_RIGHT, RIGHT_TO_LEFT
from undoku.visible_text import visible as escaped

SUFFIXES = (".srt", ".vtt")

_DIRECTIONS = (LEFT_TO_RIGHT, RIGHT_TO_LEFT)
_AT_DIRECTIONS = re.compile(f"([{''.join(_DIRECTIONS)}])")

_MIN_SECONDS = Fraction(2, 5)
"""The minimum length of a caption in seconds, if the next phase of the film cuts it short; shorter
ones are left out."""

_MAX_LINES = 2
"""The maximum number of searches in one caption. If there are more, it describes only the first
one that is still running."""


def visible(text: str) -> str:
    """A text without characters that players could misread. The marks of a line's direction remain:
    players need them, and they hide nothing."""
    return "".join(
        part if part in _DIRECTIONS else escaped(part) for part in _AT_DIRECTIONS.split(text)
    )


_BETWEEN = (BeatKind.FINISH, BeatKind.END)
"""Beats in which the clock is stopped between fast passages."""


def captions(film: Film) -> list[Note]:
    """The captions of a film in order, without overlaps. Each is shown for as long as it takes to
    read, or until the phase of the film changes, and describes the step at its beginning, or, in
    fast passages of a story, the counts so far. While the film shows a callout or a highlight, its
    sentence is the caption."""
    changes = [*film.typesetting.each(_changes(film)), (film.timeline.frames, "")]
    found: list[Note] = []
    for number, ((start, text), (end, _)) in enumerate(pairwise(changes), 2):
        long = end - start >= _MIN_SECONDS * film.timeline.fps or number == len(changes)
        if text and end > start and long:
            found.append(Note(start, end, FILM, NoteKind.CAPTION, text))
        elif found:
            found[-1] = replace(found[-1], end=end)  # it stays instead of one that is too short
    return [*notes_on(film.excerpt, found)]


def _changes(film: Film) -> Iterator[tuple[int, str]]:
    """The texts of a film and the frames from which on they describe it."""
    text, phase, until = "", None, Fraction(0)
    standing: dict[int, Note] = {}
    players = [Player(trace, explained=False) for trace in film.traces]
    answer = film.timeline.answer
    for shot in film.timeline.shots():
        now = shot.start
        if answer and now == answer.frames:  # the searches begin again
            players = [Player(trace, explained=False) for trace in film.traces]
        before = standing
        standing = {
            note.search: note
            for note in film.sentences
            if note.start <= now < note.end and shot.phase is not Phase.CARD
        }
        if shot.phase is phase and standing == before and now < until:
            continue
        for player, step in zip(players, shot.steps, strict=True):
            player.advance(step)
        notice = standing.get(FILM)
        lines = _lines(notice) if notice else _sentences(film, shot, players, standing)
        words = "\n".join(map(visible, lines))
        # Before the first step of a search there is nothing to describe: the last caption stays.
        if words not in ("", text):
            text = words
            yield now, text
        phase, until = shot.phase, now + (reading_time(words) if words else 0) * film.timeline.fps


def _lines(notice: Note) -> Sequence[str]:
    """The lines of a notice, or all of it on one line if they are too many."""
    return notice.lines if len(notice.lines) <= _MAX_LINES else [notice.one_line]


def _sentences(
    film: Film,
    shot: Shot,
    players: Sequence[Player],
    standing: Mapping[int, Note],
) -> Sequence[str]:
    """The lines about a shot without a notice."""
    beat = film.timeline.beat_at(shot.start)
    if beat and beat.kind is BeatKind.REWIND:
        return ()
    if beat and beat.kind is BeatKind.ANSWER:
        seconds = say.SECONDS(number=Fraction(round(10 * beat.frames / film.timeline.fps), 10))
        return [say.ALL_STEPS_IN(count=film.timeline.longest, time=seconds)]
    if shot.phase is Phase.INTRO and not standing:
        return [film.heading]
    if shot.phase is Phase.CARD:
        verdict = verdict_of(film.headers, film.tallies)
        answers = beat and beat.kind is BeatKind.RATIO  # the reason is what the film shows next
        return [verdict.text, *filter(None, () if answers else [verdict.reason])]
    lines, searching = [], []
    for number, player in enumerate(players):
        snapshot = player.snapshot
        callout = standing.get(number)
        if callout:
            line = callout.one_line
        elif shot.phase is Phase.INTRO or (beat and beat.kind in EXPLAINING and standing):
            continue  # the others are dimmed
        elif snapshot.finished:
            line = snapshot.status_texts[0]
        elif _counts(film, shot):
            steps = say.STEPS(count=snapshot.steps)
            back = say.BAR_TAKEN_BACK(count=snapshot.undos)
            line = say.LIST_MIDDLE(first=steps, rest=back)
        else:
            line = reason(film.headers[number].puzzle, snapshot, snapshot.given)
        if line:
            sentence = labelled(film.labels, number, line)
            lines.append(sentence)
            if not snapshot.finished:
                searching.append(sentence)
    return (searching or lines)[:1] if len(lines) > _MAX_LINES else lines


def _counts(film: Film, shot: Shot) -> bool:
    """Whether captions give counts instead of single steps: in a story when its clock runs fast, or
    stops between fast passages."""
    beat = film.timeline.beat_at(shot.start)
    if beat is None:
        return False
    return film.timeline.speed_at(shot.start) > EYE or beat.kind in _BETWEEN


def captions_sidecar(path: Path) -> Sidecar:
    """A film's captions as SubRip (.srt) or WebVTT (.vtt), to be written with the film. Raises
    SettingsError for another suffix."""
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise SettingsError(
            f"{str(path)!r} has no format of captions",
            remedy="give a name that ends in .srt or .vtt",
        )
    return Sidecar(path, lambda film: _formatted(captions(film), film.timeline.fps, suffix))


_VTT_MARKS = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_SRT_MARKS = str.maketrans("<>{}", "‹›()")
"""Characters that players interpret as markup. SubRip has no escapes for them."""


def _formatted(found: Sequence[Note], fps: Fraction, suffix: str) -> str:
    point = "," if suffix == ".srt" else "."
    blocks = []
    for number, caption in enumerate(found, 1):
        times = f"{_time(caption.start / fps, point)} --> {_time(caption.end / fps, point)}"
        text = caption.text.translate(_SRT_MARKS if suffix == ".srt" else _VTT_MARKS)
        blocks.append(f"{number}\n{times}\n{text}\n")
    head = "" if suffix == ".srt" else "WEBVTT\n\n"
    return head + "\n".join(blocks)


def _time(seconds: Fraction, point: str) -> str:
    """hours:minutes:seconds with milliseconds, rounded to the nearest."""
    whole = round(seconds * 1000)
    rest, milliseconds = divmod(whole, 1000)
    minutes, rest = divmod(rest, 60)
    return f"{minutes // 60:02}:{minutes % 60:02}:{rest:02}{point}{milliseconds:03}"
