"""Which font draws a character: one with outlines if there is one, otherwise one with colours."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from undoku.errors import SettingsError
from undoku.render.draw.clusters import drawn_characters
from undoku.render.draw.colour_glyphs import can_draw
from undoku.render.draw.font_files import (
    DEFAULT,
    Face,
    FontFile,
    Typeface,
    characters,
    installed_fonts,
)
from undoku.render.draw.text_engine import reading, sized

__all__ = ["font_for", "fonts_for", "installed_font_for"]

_TRIED = 32
"""Pixels per em at which outlines are tried."""


def font_for(cluster: str, typeface: Typeface, face: Face) -> FontFile | None:
    """The font for a cluster of characters: the first that has all of it among the font of the
    face, the upright font of the typeface, the default font, the coloured font of the typeface and
    the fonts of this machine. None if no font has it."""
    wanted = frozenset(map(ord, drawn_characters(cluster)))
    for near in (typeface, DEFAULT):
        for cut in (face, Face.REGULAR):
            if wanted <= characters(near.font(cut)):
                return near.font(cut)
    coloured = typeface.coloured
    if coloured and wanted <= characters(coloured) and can_draw(cluster, coloured):
        return coloured
    return installed_font_for(cluster)


def fonts_for(cluster: str, typeface: Typeface, face: Face) -> list[tuple[str, FontFile | None]]:
    """The parts of a cluster with their fonts: the whole, or its characters if no font has all of
    it. The font is None for what no font has."""
    whole = font_for(cluster, typeface, face)
    if whole or len(drawn_characters(cluster)) < 2:
        return [(cluster, whole)]
    found: list[tuple[str, FontFile | None]] = []
    for mark in cluster:
        if found and not drawn_characters(mark):
            found[-1] = (found[-1][0] + mark, found[-1][1])
        else:
            found.append((mark, font_for(mark, typeface, face)))
    return found


@lru_cache(maxsize=4096)
def installed_font_for(cluster: str) -> FontFile | None:
    """The first font of this machine that has outlines for a cluster of characters, otherwise the
    first that has pictures for it; None if there is none."""
    wanted = frozenset(map(ord, drawn_characters(cluster)))
    for font in installed_fonts():
        if wanted <= characters(font) and _draws(cluster, font):
            return font
    for font in installed_fonts():
        coloured = replace(font, coloured=True)
        if wanted <= characters(coloured) and can_draw(cluster, coloured):
            return coloured
    return None


def _draws(cluster: str, font: FontFile) -> bool:
    """Whether the outlines of an installed font can be read."""
    try:
        with reading(font):
            sized(font, _TRIED, joined=False).getmask(drawn_characters(cluster))
    except SettingsError:
        return False
    return True
