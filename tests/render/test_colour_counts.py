"""Films of every theme have so few colours that one palette of 255 holds them all exactly."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PIL import Image

from render import compare
from render.api import settings_of
from render.cells import draw_cell, ramp
from render.looks import FADES, CellLook, Kind, Mark
from render.panels import nodelink
from render.panels.tree import colours_of_rows
from render.pipeline import Film
from render.theme import HEATS, SHADES, TINTS, Theme, load_theme, mix, theme_names
from solver import Limits, search
from tests.puzzles import MEDIUM

PALETTE = 255
"""A GIF's 256, one of them clear."""


def colours_in(pixels: Any) -> set[int]:
    wide = np.asarray(pixels).reshape(-1, 3).astype(np.uint32)
    return set(np.unique(wide[:, 0] << 16 | wide[:, 1] << 8 | wide[:, 2]).tolist())


def looks(overlay: bool) -> list[CellLook]:
    """One look for every ground and every ink that a cell can have."""
    found = [CellLook(Kind.EMPTY, down=True, up=True), CellLook(Kind.GIVEN, 8, left=True, top=True)]
    found += [
        CellLook(kind, 8, tint) for kind in (Kind.GUESS, Kind.FORCED) for tint in range(TINTS)
    ]
    found += [CellLook(Kind.GUESS, 8, mark=Mark.TRYING), CellLook(Kind.EMPTY, 8, mark=Mark.UNDOING)]
    found += [CellLook(Kind.FADING, 8, level) for level in range(1, FADES + 1)]
    found += [
        CellLook(Kind.GHOST, heat=heat, shares=(1, 2, 3, 0, 0, 0, 0, 1, 3)) for heat in range(HEATS)
    ]
    found += [CellLook(Kind.PENCIL), CellLook(Kind.PENCIL, candidates=0b111011, struck=0b100)]
    found += [CellLook(Kind.EMPTY, failed=True), CellLook(Kind.GIVEN, 8, cages=15, slots=3, tabs=2)]
    if not overlay:
        return found
    found = [look for look in found if look.kind is Kind.GIVEN or look.mark is not Mark.NONE]
    for tries in range(1, SHADES + 1):
        found += [
            CellLook(Kind.GUESS, 8, tries=tries, failed=True),
            CellLook(Kind.GUESS, 8, tries=tries, cages=15),
        ]
    return [*found, CellLook(Kind.PENCIL)]


def all_colours(theme: Theme, overlay: bool = False) -> set[int]:
    """Every colour that any panel can draw: the cells', the letters', the charts'."""
    found = set()
    for look in looks(overlay):
        found |= colours_in(draw_cell(look, 96, theme))
    inks = (theme.text, theme.muted, theme.accent, theme.undoing)
    for ink in inks:
        found |= colours_in(ramp(ink, theme.ground))
    for ink in (theme.text, mix(theme.cell, theme.muted, nodelink.DEAD), theme.accent):
        found |= colours_in(ramp(ink, theme.cell))
    found |= colours_in(colours_of_rows(theme, 2 * TINTS, 2 * TINTS))
    charts = list(theme.shades)
    return found | colours_in([*charts, *theme.scale, *theme.scale_cells, theme.track])


@pytest.mark.parametrize("overlay", [False, True])
@pytest.mark.parametrize("name", theme_names())
def test_all_that_a_theme_can_show_fits_one_palette(name: str, overlay: bool) -> None:
    assert len(all_colours(load_theme(name), overlay)) <= PALETTE - 20


@pytest.mark.parametrize("name", theme_names())
@pytest.mark.parametrize(
    "given",
    [
        {"size": "640x360", "steps_per_frame": 1},
        {"size": "480x480", "steps_per_frame": 20},
        {"size": "1280x720", "steps_per_frame": "1/4", "panels": "counters,depth,tree,why,heat"},
        {"size": "480x480", "steps_per_frame": 20, "heat": "overlay"},
        {"size": "1280x720", "steps_per_frame": "1/4", "heat": "overlay"},
    ],
    ids=["steps", "ghosts", "slow", "overlay", "slow overlay"],
)
def test_no_film_has_a_colour_that_its_theme_does_not_tell_of(
    name: str, given: dict[str, Any]
) -> None:
    settings = settings_of({"fps": 25, "theme": name, "intro": 0, **given})
    traces = [search(MEDIUM.grid, strategy, Limits(300)) for strategy in ("row-major", "mrv")]
    found: set[int] = set()
    for frame in Film(traces, settings).frames():
        for (x, y, width, height), _ in frame.changes:
            found |= colours_in(frame.pixels[y : y + height, x : x + width])
    assert len(found) > 40
    assert found <= all_colours(load_theme(name), "heat" in given)


def test_a_palette_with_all_colours_loses_none(tmp_path: Any) -> None:
    """The last frame of a GIF is the PNG's, colour for colour."""
    compare(MEDIUM.grid, ["mrv"], tmp_path / "a.gif", tmp_path / "a.png", size="320x180", fps=25,
            duration="2s", theme="light")  # fmt: skip
    with Image.open(tmp_path / "a.gif") as film, Image.open(tmp_path / "a.png") as still:
        film.seek(getattr(film, "n_frames", 1) - 1)
        assert (np.asarray(film.convert("RGB")) == np.asarray(still.convert("RGB"))).all()
