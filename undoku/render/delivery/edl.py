"""Marks as an edit decision list (CMX 3600), as DaVinci Resolve imports and exports markers.

Each mark is an event of one frame, followed by a line with its colour, name and length in Resolve's
form, and by a locator (`* LOC:`), which Avid, Nucoda and OpenTimelineIO's reader of CMX 3600 take.
OpenTimelineIO's writer makes only locators, in capital letters, and is therefore not used.
"""

from __future__ import annotations

from fractions import Fraction

from undoku.errors import SettingsError
from undoku.render.delivery.marked_film import COLOURS, MarkedFilm, one_line

__all__ = ["edl_text", "timecode"]

_START = 3600
"""Seconds of the first frame: a timeline of Resolve begins at one hour unless set otherwise."""

_MAX_EVENTS = 999


def edl_text(film: MarkedFilm) -> str:
    """The list of a film's marks. Raises SettingsError for a frame rate without timecodes."""
    rate = _whole_rate(film.fps)
    lines = [f"TITLE: {one_line(film.title)}", "FCM: NON-DROP FRAME"]
    for number, mark in enumerate(film.markers[:_MAX_EVENTS], 1):
        at = _START * rate + mark.start
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
