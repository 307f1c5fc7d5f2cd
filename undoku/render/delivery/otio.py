"""Marks as OpenTimelineIO: a timeline with the film as its only clip, which has the markers."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote

from undoku.errors import SettingsError
from undoku.render.delivery.marked_film import COLOURS, MarkedFilm

__all__ = ["check_otio", "otio_text"]


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
