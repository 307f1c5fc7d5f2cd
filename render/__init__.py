"""Films and pictures of searches. The public names are in `undoku`, too.

>>> from undoku import compare
>>> compare(puzzle, ["row-major", "mrv"], "film.mp4")        # doctest: +SKIP

The names below are loaded when first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from render.api import compare, frames
    from render.delivery.report import Report
    from render.delivery.write import write_film, write_still
    from render.drawing.canvas import Canvas, Frame, Rect
    from render.figures.chart import figure, write_chart
    from render.figures.contact_sheet import write_filmstrip
    from render.figures.notebook import NotebookFilm
    from render.film import Film
    from render.film_reader import read_frames
    from render.picture import Picture
    from render.playback.player import Player, Snapshot
    from render.settings import FilmSettings
    from render.style.theme import Theme, load_theme
    from render.timing.even_timeline import plan
    from render.timing.timeline import Clock, Pace, Phase, Shot, Timeline

_MODULE_OF = {
    name: module
    for module, names in {
        "api": "compare frames",
        "drawing.canvas": "Canvas Frame Rect",
        "figures.contact_sheet": "write_filmstrip",
        "figures.chart": "figure write_chart",
        "figures.notebook": "NotebookFilm",
        "film": "Film",
        "film_reader": "read_frames",
        "picture": "Picture",
        "delivery.write": "write_film write_still",
        "delivery.report": "Report",
        "settings": "FilmSettings",
        "playback.player": "Player Snapshot",
        "style.theme": "Theme load_theme",
        "timing.even_timeline": "plan",
        "timing.timeline": "Clock Pace Phase Shot Timeline",
    }.items()
    for name in names.split()
}

__all__ = [
    "Canvas",
    "Clock",
    "Film",
    "FilmSettings",
    "Frame",
    "NotebookFilm",
    "Pace",
    "Phase",
    "Picture",
    "Player",
    "Rect",
    "Report",
    "Shot",
    "Snapshot",
    "Theme",
    "Timeline",
    "compare",
    "figure",
    "frames",
    "load_theme",
    "plan",
    "read_frames",
    "write_chart",
    "write_film",
    "write_filmstrip",
    "write_still",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'render' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"render.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
