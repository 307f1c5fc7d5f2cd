"""Snippets in a page, as a real browser shows them."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from tests.support.command import Undoku
from tests.support.puzzles import EASY

WIDTH, HEIGHT = 320, 180
MARGIN = 20
GREEN = (0, 128, 0)
"""The page's background, a colour that no film has."""
STYLE = f"margin:{MARGIN}px;background:rgb{GREEN};line-height:0"

pytestmark = pytest.mark.long


def snippet_for(undoku: Undoku, folder: Path, name: str, *options: str) -> str:
    size = ("--size", f"{WIDTH}x{HEIGHT}", "--fps", "25", "--duration", "2s")
    words = ("render", EASY.grid, "-s", "mrv", "-o", name, "--embed", "html", *size, *options)
    return undoku(*words, cwd=folder, code=0).stdout


def shown(browser: Any, folder: Path, snippet: str, **preferred: str) -> NDArray[np.uint8]:
    """What a page with the snippet shows in place of it, which must have the position and size of
    the film, (height, width, 3); as readers see it who have set the browser to this."""
    path = folder / "page.html"
    path.write_text(f'<!doctype html><meta charset="utf-8"><body style="{STYLE}">{snippet}')
    page = browser.new_page(viewport={"width": 480, "height": 300}, **preferred)
    page.goto(path.as_uri(), wait_until="networkidle")
    if "autoplay" in snippet:
        page.wait_for_function("document.querySelector('video').currentTime > 0.5")
    with Image.open(BytesIO(page.screenshot())) as picture:
        pixels = np.asarray(picture.convert("RGB"))
    page.close()
    rows, columns = (np.flatnonzero((pixels != GREEN).any(axis=(axis, 2))) for axis in (1, 0))
    assert len(rows), "the page is blank"
    assert (columns[0], columns[-1] + 1) == (MARGIN, MARGIN + WIDTH)
    assert (rows[0], rows[-1] + 1) == (MARGIN, MARGIN + HEIGHT)
    return pixels[MARGIN : MARGIN + HEIGHT, MARGIN : MARGIN + WIDTH]


def pictures(path: Path) -> list[NDArray[np.int64]]:
    """All pictures of a file."""
    found = []
    with Image.open(path) as file:
        for number in range(getattr(file, "n_frames", 1)):
            file.seek(number)
            found.append(np.asarray(file.convert("RGB")).astype(int))
    return found


@pytest.mark.parametrize("name", ["film.gif", "film.webp", "film.apng"])
def test_a_moving_picture_is_shown_in_its_size(
    undoku: Undoku, browser: Any, tmp_path: Path, name: str
) -> None:
    """It is one of the film's own frames, pixel for pixel."""
    seen = shown(browser, tmp_path, snippet_for(undoku, tmp_path, name))
    assert any((frame == seen).all() for frame in pictures(tmp_path / name))


def test_readers_who_prefer_reduced_motion_see_the_still(
    undoku: Undoku, browser: Any, tmp_path: Path
) -> None:
    snippet = snippet_for(undoku, tmp_path, "film.gif")
    seen = shown(browser, tmp_path, snippet, reduced_motion="reduce")
    assert (seen == pictures(tmp_path / "film.still.png")[0]).all()


def test_a_film_shows_its_poster_until_it_plays(
    undoku: Undoku, browser: Any, tmp_path: Path
) -> None:
    """The browser shades the lower part for its controls, and draws a circle in the middle."""
    waiting = snippet_for(undoku, tmp_path, "film.mp4")
    off = shown(browser, tmp_path, waiting) - pictures(tmp_path / "film.still.png")[0]
    assert np.abs(off[: HEIGHT // 4, : WIDTH // 3]).max() <= 2
    playing = waiting.replace("<video controls", "<video autoplay muted")
    playing = playing.replace(' poster="film.still.png"', "").replace(' preload="none"', "")
    seen = shown(browser, tmp_path, playing)
    assert len(np.unique(seen.reshape(-1, 3), axis=0)) > 20
    background = np.array([18, 21, 28])
    assert np.abs(seen[2:6, 2:40] - background).max() <= 4  # the theme's, not shifted


def test_a_step_is_shown_in_its_size_and_as_an_svg_looks_like_the_picture(
    undoku: Undoku, browser: Any, tmp_path: Path
) -> None:
    svg, png = (
        shown(browser, tmp_path, snippet_for(undoku, tmp_path, name, "--at-step", "20"))
        for name in ("step.svg", "step.png")
    )
    assert (png == pictures(tmp_path / "step.png")[0]).all()
    assert (np.abs(svg.astype(int) - png).max(axis=2) > 16).mean() < 0.12  # the edges of letters
