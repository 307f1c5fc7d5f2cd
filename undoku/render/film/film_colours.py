"""The colours of a film: its theme, and the few colours that its frames may be reduced to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from undoku.render.draw.canvas import Frame
from undoku.render.draw.theme import Theme, load_theme
from undoku.render.film.palette import main_colours, palette_of
from undoku.render.film.quantise import posterised
from undoku.render.settings.settings import FilmSettings

__all__ = ["film_theme", "reduced", "written_colours"]


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
