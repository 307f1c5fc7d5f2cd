"""What you see: films and pictures of a search.

>>> from render import compare
>>> compare(puzzle, ["row-major", "mrv"], "film.mp4")        # doctest: +SKIP

The names below are loaded when first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from render.api import compare, frames
    from render.canvas import Canvas, Frame, Rect
    from render.chart import figure, write_chart
    from render.film import Film, Picture
    from render.filmstrip import write_filmstrip
    from render.notebook import Shown
    from render.pipeline import write_film, write_still
    from render.report import Report
    from render.settings import FilmSettings
    from render.snapshot import Player, Snapshot
    from render.theme import Theme, load_theme
    from render.timeline import Clock, Pace, Phase, Shot, Timeline, plan

_ROOM_OF = {
    name: room
    for room, names in {
        "api": "compare frames",
        "canvas": "Canvas Frame Rect",
        "filmstrip": "write_filmstrip",
        "chart": "figure write_chart",
        "notebook": "Shown",
        "film": "Film Picture",
        "pipeline": "write_film write_still",
        "report": "Report",
        "settings": "FilmSettings",
        "snapshot": "Player Snapshot",
        "theme": "Theme load_theme",
        "timeline": "Clock Pace Phase Shot Timeline plan",
    }.items()
    for name in names.split()
}

__all__ = [
    "Canvas",
    "Clock",
    "Film",
    "FilmSettings",
    "Frame",
    "Pace",
    "Phase",
    "Picture",
    "Player",
    "Rect",
    "Report",
    "Shot",
    "Shown",
    "Snapshot",
    "Theme",
    "Timeline",
    "compare",
    "figure",
    "frames",
    "load_theme",
    "plan",
    "write_chart",
    "write_film",
    "write_filmstrip",
    "write_still",
]


def __getattr__(name: str) -> Any:
    if name not in _ROOM_OF:
        raise AttributeError(f"module 'render' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"render.{_ROOM_OF[name]}"), name)
    globals()[name] = value
    return value
