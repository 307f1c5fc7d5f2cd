"""Marks as FCPXML, for Final Cut Pro and DaVinci Resolve: a project with the film and its markers.

Elements and attributes: Apple's FCPXML reference, version 1.9. OpenTimelineIO's writer is not used:
it is a separate package without a release since 2024, starts ffprobe to get sizes, and marks all
markers as completed tasks.
"""

from __future__ import annotations

from fractions import Fraction
from urllib.parse import quote

from undoku.render.delivery.marked_film import MarkedFilm, one_line
from undoku.texts.text_lines import xml_text

__all__ = ["fcpxml_text"]


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
