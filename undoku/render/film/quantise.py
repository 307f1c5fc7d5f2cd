"""The colours of a film: its theme, and frames in few colours, between the canvas and the files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

import numpy as np

from undoku.h264.loops import I64_2D, U8_3D, U32, inner, loop
from undoku.render.draw.canvas import Frame, Pixels
from undoku.render.draw.theme import Theme, load_theme
from undoku.render.film.palette import Palette, main_colours, palette_of
from undoku.render.settings.settings import FilmSettings


@inner
def _nearest(rgb: int, colours: U32) -> int:
    """The nearest colour by the distance 2 r² + 4 g² + 3 b²; of equally near ones the lowest."""
    best, least = 0, 1 << 30
    for number in range(len(colours)):
        colour = int(colours[number])
        red = (rgb >> 16) - (colour >> 16)
        green = (rgb >> 8 & 255) - (colour >> 8 & 255)
        blue = (rgb & 255) - (colour & 255)
        distance = 2 * red * red + 4 * green * green + 3 * blue * blue
        if distance < least:
            best, least = colour, distance
    return best


@inner
def _shown_as(
    rgb: int,
    known: U32,
    becomes: U32,
    colours: U32,
) -> int:
    """The colour that represents `rgb`: according to the palette, otherwise its nearest colour."""
    low, high = 0, len(known)
    while low < high:
        middle = (low + high) // 2
        if known[middle] < rgb:
            low = middle + 1
        else:
            high = middle
    if low < len(known) and known[low] == rgb:
        return int(becomes[low])
    return _nearest(rgb, colours)


@loop
def _posterise(
    pixels: U8_3D,
    rects: I64_2D,
    known: U32,
    becomes: U32,
    colours: U32,
    shown: U8_3D,
) -> None:
    """Copy the pixels in `rects` (n, 4: x, y, right, bottom) to `shown` in the colours of the
    palette."""
    last, colour = -1, 0
    for rect in range(len(rects)):
        for y in range(rects[rect, 1], rects[rect, 3]):
            for x in range(rects[rect, 0], rects[rect, 2]):
                rgb = int(pixels[y, x, 0]) << 16 | int(pixels[y, x, 1]) << 8 | int(pixels[y, x, 2])
                if rgb != last:
                    last = rgb
                    colour = _shown_as(rgb, known, becomes, colours)
                shown[y, x, 0] = colour >> 16
                shown[y, x, 1] = colour >> 8 & 255
                shown[y, x, 2] = colour & 255


def posterised(frames: Iterable[Frame], palette: Palette) -> Iterator[Frame]:
    """The frames in the palette's colours, in a separate buffer. The sprite numbers of changes
    remain."""
    shown: Pixels | None = None
    for frame in frames:
        if shown is None:
            shown = np.zeros_like(frame.pixels)
        rects = np.array(
            [(rect.x, rect.y, rect.right, rect.bottom) for rect, _ in frame.changes], np.int64
        ).reshape(-1, 4)
        _posterise(frame.pixels, rects, palette.known, palette.becomes, palette.colours, shown)
        yield frame._replace(pixels=shown)


def film_theme(settings: FilmSettings) -> Theme:
    """The theme of a film, with the background of its settings. Raises SettingsError or ReadError
    for a wrong theme."""
    theme = load_theme(settings.theme)
    if not settings.background or settings.transparent:
        return theme
    red, green, blue = bytes.fromhex(settings.background.removeprefix("#"))
    return theme.on((red, green, blue))


def reduced(frames: Iterator[Frame], settings: FilmSettings, theme: Theme) -> Iterator[Frame]:
    """The frames, reduced to the number of colours in the settings."""
    if not settings.colours:
        return frames
    return posterised(frames, palette_of(theme, settings.colours, overlay=_overlay(settings)))


def written_colours(
    settings: FilmSettings, theme: Theme, searches: int
) -> Callable[[], tuple[int, ...]]:
    """A function that returns the colours that a palette must hold. Only stories, whose texts fade
    and whose boards move, have more colours than a palette holds."""
    if not settings.pace.story or settings.colours:
        return tuple
    return partial(main_colours, theme, searches, overlay=_overlay(settings))


def _overlay(settings: FilmSettings) -> bool:
    """Whether boards show heat."""
    return settings.heat == "overlay"
