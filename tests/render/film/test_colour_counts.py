"""Films of every theme have so few colours that one palette of 255 holds them all exactly; of a
story, which has more, it holds the main ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.support.films import film_of
from tests.support.puzzles import MEDIUM
from undoku import Limits, compare
from undoku.render.draw.theme import load_theme, theme_names
from undoku.render.film.palette import all_colours

PALETTE = 255
"""A GIF's 256, one of them clear."""


def colours_in(pixels: Any) -> set[int]:
    wide = np.asarray(pixels).reshape(-1, 3).astype(np.uint32)
    return set(np.unique(wide[:, 0] << 16 | wide[:, 1] << 8 | wide[:, 2]).tolist())


@pytest.mark.parametrize("overlay", [False, True])
@pytest.mark.parametrize("name", theme_names())
def test_all_colours_of_a_film_of_three_searches_fit_one_palette(name: str, overlay: bool) -> None:
    assert len(all_colours(load_theme(name), overlay=overlay, searches=3)) <= PALETTE - 5


LARGE = "1280x720"


@pytest.mark.parametrize("name", theme_names())
@pytest.mark.parametrize(
    "given",
    [
        {"size": "480x270", "steps_per_frame": 1},
        {"size": "480x480", "steps_per_frame": 20},
        {"size": LARGE, "steps_per_frame": "1/2", "panels": "counters,depth,tree,why,heat"},
        {"size": "480x480", "steps_per_frame": 20, "heat": "overlay"},
        {"size": LARGE, "steps_per_frame": "1/2", "heat": "overlay"},
        {"size": LARGE, "steps_per_frame": 2, "heat": "overlay"},
    ],
    ids=["steps", "ghosts", "slow", "overlay", "slow overlay", "fast overlay"],
)
def test_no_film_has_a_colour_that_its_theme_does_not_have(
    name: str, given: dict[str, Any]
) -> None:
    limits = Limits(20 if given["size"] == LARGE else 200)
    options: dict[str, Any] = {"fps": 25, "theme": name, "intro": 0, **given}
    found: set[int] = set()
    for frame in film_of("row-major", "mrv", limits=limits, **options).frames():
        for (x, y, width, height), _ in frame.changes:
            found |= colours_in(frame.pixels[y : y + height, x : x + width])
    assert len(found) > 40
    assert found <= all_colours(load_theme(name), overlay="heat" in given).keys()


def test_a_palette_with_all_colours_loses_none(tmp_path: Any) -> None:
    """The last frame of a GIF is the PNG's, colour for colour."""
    compare(MEDIUM.grid, ["mrv"], tmp_path / "a.gif", tmp_path / "a.png", size="320x180", fps=25,
            duration="2s", theme="light")  # fmt: skip
    with Image.open(tmp_path / "a.gif") as film, Image.open(tmp_path / "a.png") as still:
        film.seek(getattr(film, "n_frames", 1) - 1)
        assert (np.asarray(film.convert("RGB")) == np.asarray(still.convert("RGB"))).all()
