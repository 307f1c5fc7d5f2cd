"""Files beside a film with its marks, for editors and for YouTube, or its highlights, for scripts.

- EDL (CMX 3600), as DaVinci Resolve imports and exports markers: each mark is an event of one
  frame, followed by a line with its colour, name and length in Resolve's form, and by a locator
  (`* LOC:`), which Avid, Nucoda and OpenTimelineIO's reader of CMX 3600 take. OpenTimelineIO's
  writer makes only locators, in capital letters, and is therefore not used.
- FCPXML, for Final Cut Pro and DaVinci Resolve: a project with the film and its markers (Apple's
  FCPXML reference, version 1.9). OpenTimelineIO's writer is not used: it is a separate package
  without a release since 2024, starts ffprobe to get sizes, and marks all markers as completed
  tasks.
- OpenTimelineIO: a timeline with the film as its only clip, which has the markers.
- The list of chapters that YouTube reads in a description. Its rules: the first chapter begins at
  0:00, there are at least three, in order, and each lasts at least ten seconds; otherwise no
  chapters are shown.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby, pairwise
from math import ceil
from pathlib import Path
from typing import Any
from urllib.parse import quote

from undoku.errors import SettingsError
from undoku.render.delivery.outputs import Sidecar
from undoku.render.film.excerpt import notes_on
from undoku.render.film.film import Film
from undoku.render.timeline.notes import Note, NoteKind
from undoku.render.write.formats import known_format
from undoku.texts.text_lines import encodable, xml_text
from undoku.visible_text import visible_json

COLOURS = {NoteKind.END: "Green", NoteKind.HIGHLIGHT: "Yellow", NoteKind.CALLOUT: "Blue"}
"""The colours of marks in editors, by kind."""

MARK_ORDER = tuple(COLOURS)
"""The most important kind first."""


@dataclass(frozen=True, slots=True)
class MarkedFilm:
    """A film of `frames` frames, `fps` a second, `width` × `height` pixels, in the `file` of that
    name, a relative path; its marks by frame. The title is never empty."""

    title: str
    file: str
    width: int
    height: int
    fps: Fraction
    frames: int
    marks: tuple[Note, ...]
    first_number: int = 1
    """The number of the first picture, if each picture is a separate file."""
    sound: bool = False

    @property
    def markers(self) -> list[Note]:
        """The marks with at most one on each frame, as editors require: several are joined to one
        of the most important kind, with all of their texts."""
        found = []
        for _, group in groupby(self.marks, lambda mark: mark.start):
            same = list(group)
            first = min(same, key=lambda mark: MARK_ORDER.index(mark.kind))
            text = "; ".join(one_line(mark.text) for mark in same)
            found.append(replace(first, text=text, end=max(mark.end for mark in same)))
        return found


def one_line(text: str) -> str:
    """A text without line breaks and other control characters."""
    return " ".join(re.sub(r"[\x00-\x1f\x7f]", " ", encodable(text)).split())


_FIRST_SECOND = 3600
"""Seconds of the first frame: a timeline of Resolve begins at one hour unless set otherwise."""

_MAX_EVENTS = 999


def edl_text(film: MarkedFilm) -> str:
    """The list of a film's marks. Raises SettingsError for a frame rate without timecodes."""
    rate = _whole_rate(film.fps)
    lines = [f"TITLE: {one_line(film.title)}", "FCM: NON-DROP FRAME"]
    for number, mark in enumerate(film.markers[:_MAX_EVENTS], 1):
        at = _FIRST_SECOND * rate + mark.start
        start, end = timecode(at, rate), timecode(at + 1, rate)
        colour = COLOURS[mark.kind]
        name = mark.text.replace("|", "/")
        lines += [
            "",
            f"{number:03}  001      V     C        {start} {end} {start} {end}",
            f" |C:ResolveColor{colour} |M:{name} |D:{mark.frames}",
            f"* LOC: {start} {colour.upper():7} {name}",
        ]
    return "\n".join([*lines, ""])


def _whole_rate(fps: Fraction) -> int:
    """The frames in a second of timecode: 30 for 30000/1001."""
    rate = round(fps * Fraction(1001, 1000)) if fps.denominator == 1001 else round(fps)
    if not 1 <= rate <= 100 or fps not in (rate, Fraction(rate * 1000, 1001)):
        raise SettingsError(
            f"{fps} frames per second have no timecode, which an .edl needs",
            remedy="use a whole frame rate of 1 to 100 or an NTSC one, such as 30000/1001, or "
            "marks in .otio",
        )
    return rate


def timecode(frame: int, rate: int) -> str:
    """hours:minutes:seconds:frames, non-drop, at `rate` frames per second."""
    seconds, frames = divmod(frame, rate)
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}:{frames:02}"


def fcpxml_text(film: MarkedFilm) -> str:
    """The document. Times are exact: fractions of a second."""

    def seconds(frames: int) -> str:
        time = Fraction(frames) / film.fps
        return f"{time}s" if time.denominator == 1 else f"{time.numerator}/{time.denominator}s"

    length, title = seconds(film.frames), xml_text(one_line(film.title))
    source = xml_text(quote(film.file))
    sound = ' hasAudio="1" audioSources="1" audioChannels="2" audioRate="48k"' if film.sound else ""
    markers = [
        f'              <marker start="{seconds(mark.start)}" duration="{seconds(mark.frames)}" '
        f'value="{xml_text(mark.text)}"/>'
        for mark in film.markers
    ]
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        "<!DOCTYPE fcpxml>",
        '<fcpxml version="1.9">',
        "  <resources>",
        f'    <format id="r1" frameDuration="{seconds(1)}" width="{film.width}" '
        f'height="{film.height}" colorSpace="1-1-1 (Rec. 709)"/>',
        f'    <asset id="r2" name="{title}" start="0s" duration="{length}" hasVideo="1" '
        f'format="r1" videoSources="1"{sound}>',
        f'      <media-rep kind="original-media" src="{source}"/>',
        "    </asset>",
        "  </resources>",
        "  <library>",
        f'    <event name="{title}">',
        f'      <project name="{title}">',
        f'        <sequence format="r1" duration="{length}" tcStart="0s" tcFormat="NDF">',
        "          <spine>",
        f'            <asset-clip ref="r2" name="{title}" offset="0s" start="0s" '
        f'duration="{length}" tcFormat="NDF">',
        *markers,
        "            </asset-clip>",
        "          </spine>",
        "        </sequence>",
        "      </project>",
        "    </event>",
        "  </library>",
        "</fcpxml>",
        "",
    ]
    return "\n".join(lines)


def check_otio() -> None:
    """Raise SettingsError if the library is not installed."""
    try:
        import opentimelineio  # noqa: F401
    except ImportError:
        raise SettingsError(
            "marks in .otio need the library OpenTimelineIO",
            remedy="pip install 'undoku[editing]', or use .edl or .fcpxml",
        ) from None


def _media(film: MarkedFilm, whole: Any) -> Any:
    """The reference to the pictures: a file, or the numbered files of a sequence with their
    rate."""
    from opentimelineio import schema

    sequence = re.fullmatch(r"(.*/)?([^/%]*)%0?(\d*)d([^/%]*)", film.file)
    if not sequence:
        return schema.ExternalReference(quote(film.file), whole)
    folder, before, digits, after = sequence.groups()
    return schema.ImageSequenceReference(
        target_url_base=quote(folder or ""),
        name_prefix=before,
        name_suffix=after,
        start_frame=film.first_number,
        rate=float(film.fps),
        frame_zero_padding=int(digits or 0),
        available_range=whole,
    )


def otio_text(film: MarkedFilm) -> str:
    """The timeline as OpenTimelineIO's JSON. Raises SettingsError without the library."""
    check_otio()
    from opentimelineio import adapters, opentime, schema

    def range_of(start: int, frames: int) -> opentime.TimeRange:
        rate = float(film.fps)
        return opentime.TimeRange(
            opentime.RationalTime(start, rate), opentime.RationalTime(frames, rate)
        )

    whole = range_of(0, film.frames)
    clip = schema.Clip(
        name=film.title,
        media_reference=_media(film, whole),
        source_range=whole,
    )
    clip.markers.extend(
        schema.Marker(
            name=mark.text,
            marked_range=range_of(mark.start, mark.frames),
            color=COLOURS[mark.kind].upper(),
            metadata={"undoku": {"kind": str(mark.kind)}},
        )
        for mark in film.markers
    )
    timeline = schema.Timeline(name=film.title)
    track = schema.Track(name="V1", kind=schema.TrackKind.Video)
    track.append(clip)
    timeline.tracks.append(track)
    text: str = adapters.write_to_string(timeline, "otio_json")
    return text + "\n"


_MIN_SECONDS = 10
"""The minimum length of a chapter in seconds."""

_MIN_CHAPTERS = 3
"""The minimum number of chapters."""


def youtube_chapters(film: MarkedFilm) -> str:
    """The chapters, one per line: "0:00 Title". The first has the film's title. Of marks too close
    to each other, to the beginning or to the end, the most important one is kept: ends come
    before highlights, highlights before callouts, and earlier marks before later ones. Raises
    SettingsError if fewer than three are left.
    """
    length = int(film.frames / film.fps)
    starts: dict[int, Note] = {}
    for mark in sorted(film.marks, key=lambda mark: (MARK_ORDER.index(mark.kind), mark.start)):
        # The next whole second, in which the sentence is already shown.
        at = ceil(mark.start / film.fps)
        if all(abs(at - other) >= _MIN_SECONDS for other in (0, length, *starts)):
            starts[at] = mark
    if len(starts) + 1 < _MIN_CHAPTERS:
        raise SettingsError(
            f"YouTube requires at least {_MIN_CHAPTERS} chapters of {_MIN_SECONDS} s each, and "
            f"this film of {length} s has marks for {len(starts) + 1}",
            remedy="make a longer film, as by --duration 90s, or more marks, as by --highlights",
        )
    chapters = [(0, film.title), *((at, starts[at].text) for at in sorted(starts))]
    assert all(second - first >= _MIN_SECONDS for (first, _), (second, _) in pairwise(chapters))
    return "".join(f"{_clock(at)} {one_line(text)}\n" for at, text in chapters)


def _clock(seconds: int) -> str:
    hours, rest = divmod(seconds, 3600)
    minutes, rest = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


_WRITERS: dict[str, Callable[[MarkedFilm], str]] = {
    ".edl": edl_text,
    ".otio": otio_text,
    ".fcpxml": fcpxml_text,
    ".chapters.txt": youtube_chapters,
}

MARK_SUFFIXES = tuple(_WRITERS)
"""The suffixes of files of marks."""


def marks_sidecar(path: Path, output: Path) -> Sidecar:
    """The marks of the film `output`, to be written to `path` with it, in the format of its suffix.
    Raises SettingsError for another suffix, and for a format whose library is not installed."""
    suffix = next((one for one in _WRITERS if path.name.lower().endswith(one)), "")
    if not suffix:
        raise SettingsError(
            f"{str(path)!r} has no format of marks",
            remedy=f"give a name that ends in {', '.join(MARK_SUFFIXES)}",
        )
    if suffix == ".otio":
        check_otio()

    def marks_text(film: Film) -> str:
        return _WRITERS[suffix](_marked(film, path, output))

    return Sidecar(path, marks_text, marks_text)


def _marked(film: Film, path: Path, output: Path) -> MarkedFilm:
    settings, form = film.settings, known_format(output)
    try:
        file = output.absolute().relative_to(path.absolute().parent).as_posix()
    except ValueError:
        file = output.name
    return MarkedFilm(
        film.heading,
        file,
        settings.width,
        settings.height,
        settings.fps,
        film.length,
        film.marks,
        settings.image_sequence,
        bool((settings.sound or settings.voice) and form and form.sound),
    )


def highlights_sidecar(output: Path) -> Sidecar:
    """The list of highlights to be written with the film `output`: film.highlights.json for
    film.mp4, and for the pictures frames/%06d.png frames.highlights.json."""
    named = output.parent if "%" in output.name and output.parent.name else output
    return Sidecar(named.with_suffix(".highlights.json"), highlights_text)


def highlights_text(film: Film) -> str:
    """The highlights as JSON: when each is shown (`frame` from 0, `seconds`), its search (name and
    `label`), its step, the number of steps of the passage (`steps`), and its sentence."""
    found = [
        {
            "frame": note.start,
            "seconds": round(float(note.start / film.settings.fps), 6),
            "kind": note.claim.kind,
            "search": film.names[note.search],
            "label": film.labels[note.search],
            "step": note.claim.step,
            "steps": note.claim.count,
            "sentence": note.text,
        }
        for note in notes_on(film.excerpt, film.highlights)
    ]
    content = {"title": film.title, "highlights": found}
    return visible_json(json.dumps(content, ensure_ascii=False, indent=2)) + "\n"
