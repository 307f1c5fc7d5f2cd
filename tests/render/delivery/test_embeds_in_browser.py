"""Snippets in a page, as a real browser shows them."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from tests.support.command import Undoku
from tests.support.puzzles import EASY
from tests.support.waiting import PATIENCE

NAMES = ("chromium", "chromium-browser", "google-chrome")
BROWSER = next(filter(None, map(shutil.which, NAMES)), "")
QUIET = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--run-all-compositor-stages-before-draw", "--hide-scrollbars",
         "--force-device-scale-factor=1",
         "--autoplay-policy=no-user-gesture-required")  # fmt: skip
SIZE = (320, 180)
PAGE = (480, 300)
MARGIN = 20
GREEN = (0, 128, 0)
"""The page's background, a colour that no film has."""

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not BROWSER, reason="there is no Chromium on this machine"),
]


def shown(folder: Path, snippet: str, *options: str) -> NDArray[np.uint8]:
    """The page with the snippet as the browser draws it, (height, width, 3)."""
    style = f"margin:{MARGIN}px;background:rgb{GREEN};line-height:0"
    page = folder / "page.html"
    page.write_text(
        f'<!doctype html><meta charset="utf-8"><title>x</title><body style="{style}">{snippet}'
    )
    picture = folder / "page.png"
    subprocess.run(
        [BROWSER, *QUIET, f"--user-data-dir={folder / 'profile'}", f"--screenshot={picture}",
         f"--window-size={PAGE[0]},{PAGE[1]}", "--virtual-time-budget=3000", *options,
         page.as_uri()],
        check=True,
        capture_output=True,
        timeout=PATIENCE,
    )  # fmt: skip
    with Image.open(picture) as found:
        return np.asarray(found.convert("RGB"))


def snippet_for(undoku: Undoku, folder: Path, name: str, *options: str) -> str:
    done = undoku("render", EASY.grid, "-s", "mrv", "-o", name, "--size", f"{SIZE[0]}x{SIZE[1]}",
                  "--fps", "25", "--duration", "2s", "--embed", "html", *options,
                  cwd=folder)  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def in_place(page: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The part of the page that is not background, which must have the position and size of the
    film."""
    other = (page != GREEN).any(axis=2)
    rows, columns = np.flatnonzero(other.any(axis=1)), np.flatnonzero(other.any(axis=0))
    assert len(rows), "the page is blank"
    assert (columns[0], columns[-1] + 1) == (MARGIN, MARGIN + SIZE[0])
    assert (rows[0], rows[-1] + 1) == (MARGIN, MARGIN + SIZE[1])
    return page[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def still(folder: Path, name: str) -> NDArray[np.uint8]:
    with Image.open(folder / name) as picture:
        return np.asarray(picture.convert("RGB"))


@pytest.mark.parametrize("name", ["film.gif", "film.webp", "film.apng"])
def test_a_moving_picture_is_shown_in_its_size(undoku: Undoku, tmp_path: Path, name: str) -> None:
    seen = in_place(shown(tmp_path, snippet_for(undoku, tmp_path, name)))
    assert len(np.unique(seen.reshape(-1, 3), axis=0)) > 20
    with Image.open(tmp_path / name) as film:
        count = getattr(film, "n_frames", 1)
        frames = []
        for number in range(count):
            film.seek(number)
            frames.append(np.asarray(film.convert("RGB")).astype(int))
    # It is one of the film's own frames, pixel for pixel.
    assert any((frame == seen).all() for frame in frames)


def test_readers_who_prefer_reduced_motion_see_the_still(undoku: Undoku, tmp_path: Path) -> None:
    snippet = snippet_for(undoku, tmp_path, "film.gif")
    seen = in_place(shown(tmp_path, snippet, "--force-prefers-reduced-motion"))
    assert (seen == still(tmp_path, "film.still.png")).all()


def test_a_film_shows_its_poster_until_it_plays(undoku: Undoku, tmp_path: Path) -> None:
    seen = in_place(shown(tmp_path, snippet_for(undoku, tmp_path, "film.mp4")))
    poster = still(tmp_path, "film.still.png").astype(int)
    # The browser's controls shade the lower part.
    upper = slice(0, SIZE[1] // 4)
    assert np.abs(seen[upper].astype(int) - poster[upper]).max() <= 2


def test_a_film_plays(undoku: Undoku, tmp_path: Path) -> None:
    playing = snippet_for(undoku, tmp_path, "film.mp4").replace(
        "<video controls", "<video autoplay"
    )
    playing = playing.replace(' poster="film.still.png"', "").replace(' preload="none"', "")
    seen = in_place(shown(tmp_path, playing))
    assert len(np.unique(seen.reshape(-1, 3), axis=0)) > 20
    background = np.array([18, 21, 28])
    assert np.abs(seen[2:6, 2:40].astype(int) - background).max() <= 4  # the theme's, not shifted


@pytest.mark.parametrize("name", ["step.svg", "step.png"])
def test_a_picture_is_shown_in_its_size(undoku: Undoku, tmp_path: Path, name: str) -> None:
    seen = in_place(shown(tmp_path, snippet_for(undoku, tmp_path, name, "--at-step", "20")))
    assert len(np.unique(seen.reshape(-1, 3), axis=0)) > 20


def test_an_svg_looks_like_the_picture_in_a_browser(undoku: Undoku, tmp_path: Path) -> None:
    for name in ("step.svg", "step.png"):
        snippet = snippet_for(undoku, tmp_path, name, "--at-step", "20")
        if name == "step.svg":
            seen = in_place(shown(tmp_path, snippet)).astype(int)
    off = np.abs(seen - still(tmp_path, "step.png")).max(axis=2)
    assert (off > 16).mean() < 0.12  # the edges of letters
