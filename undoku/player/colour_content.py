"""Themes as CSS custom properties, by name."""

from __future__ import annotations

from undoku.render.draw.colour_space import Colour
from undoku.render.draw.theme import Theme, load_theme
from undoku.render.film.film import Film

__all__ = ["theme_content"]

_PLAIN = (
    "ground", "text", "muted", "track", "accent", "given_cell", "given", "line",
    "strong_line", "trying_cell", "trying", "undoing_cell", "undoing", "passing_cell",
)  # fmt: skip


def theme_content(film: Film) -> dict[str, object]:
    """The colours of the film's theme ("film") and of those that a reader can choose ("dark",
    "light", "contrast"), and whether the page follows the system's setting: it does if the theme of
    the film is dark or light."""
    own = film.settings.theme
    themes = {
        "dark": load_theme("dark"),
        "light": load_theme("light"),
        "contrast": load_theme("high-contrast"),
        "film": film.theme,
    }
    return {
        "colours": {name: _properties(theme, len(film.labels)) for name, theme in themes.items()},
        "schemes": {name: _scheme(theme) for name, theme in themes.items()},
        "system": own in ("dark", "light"),
    }


def _properties(theme: Theme, searches: int) -> dict[str, str]:
    found = {name.replace("_", "-"): _css(getattr(theme, name)) for name in _PLAIN}
    found["cell-colour"] = _css(theme.cell)
    for number, (ink, ground) in enumerate(zip(theme.scale, theme.scale_cells, strict=True)):
        found[f"tint-{number}"] = _css(ink)
        found[f"tint-cell-{number}"] = _css(ground)
    for number, ground in enumerate(theme.heats):
        found[f"warm-{number}"] = _css(ground)
    for number, (shade, ink) in enumerate(zip(theme.shades, theme.shade_inks, strict=True)):
        found[f"shade-{number}"] = _css(shade)
        found[f"shade-ink-{number}"] = _css(ink)
    for number in range(searches):
        found[f"search-{number}"] = _css(theme.search_colour(number))
    return found


def _scheme(theme: Theme) -> str:
    return "dark" if sum(theme.ground) < sum(theme.text) else "light"


def _css(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)
