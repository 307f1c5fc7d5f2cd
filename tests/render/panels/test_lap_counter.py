"""How many times the steps of another search the longest one has done."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import numpy as np
import pytest

from tests.support.panel_films import BOXES, LETTERS, PanelFilm, panel_film, reads
from undoku import Limits
from undoku.render.draw.canvas import Pixels
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import line_height
from undoku.render.draw.theme import load_theme
from undoku.render.panels.lap_counter import LapCounter

DARK, BOX = load_theme("dark"), BOXES["laps"]


@lru_cache(maxsize=1)
def film_of(*strategies: str, limits: Limits | None = None) -> PanelFilm:
    return panel_film(LapCounter, *strategies, box="laps", limits=limits, seconds=Fraction(8))


@lru_cache(maxsize=1)
def frames_of(*strategies: str) -> list[Pixels]:
    return film_of(*strategies).frames()


def inked(pixels: Pixels, ink: tuple[int, int, int] = DARK.text) -> np.ndarray:
    """Where the box has a colour."""
    part = pixels[BOX.y : BOX.bottom, BOX.x : BOX.right]
    found: np.ndarray = (part == ink).all(axis=2)
    return found


def counts(pixels: Pixels, text: str) -> bool:
    """Whether the number is this text."""
    return reads(pixels[BOX.y : BOX.bottom, BOX.x : BOX.right], text, DARK.text)


def test_runs_show_the_same_pictures_as_single_frames() -> None:
    film = film_of("row-major", "mrv")
    frames, single = film.frames_of_runs()
    assert np.array_equal(frames, frames_of("row-major", "mrv"))
    assert single <= 3


def test_full_multiples_are_counted_and_the_end_is_the_rounded_ratio() -> None:
    film = film_of("row-major", "mrv")
    longest, lap = film.timeline.totals
    assert longest // lap == 32
    frames, shown = frames_of("row-major", "mrv"), set()
    for at, pixels in enumerate(frames):
        laps = film.timeline.shot_at(at).steps[0] // lap
        if not laps:
            assert not inked(pixels).any()
        elif laps not in shown:
            shown.add(laps)
            assert counts(pixels, f"{laps}×")
    assert shown == set(range(1, 33))
    assert film.timeline.shot_at(film.timeline.race - 1).steps[0] == longest
    assert counts(frames[-1], "33×")


def test_the_ratio_to_a_search_that_was_stopped_is_not_rounded_up() -> None:
    film = film_of("row-major", "mrv", limits=Limits(max_nodes=5300))
    longest, lap = film.timeline.totals
    assert longest * 10 // lap % 10 >= 5
    assert counts(film.frames()[-1], f"{longest // lap}×")


def test_few_laps_are_counted_in_tenths_up_to_the_ratio_of_the_card() -> None:
    """So that it does not stand at 1; it is never more than was done."""
    film = film_of("row-major", "mrv", limits=Limits(2000))
    longest, lap = film.timeline.totals
    frames = film.frames()
    for at in range(0, len(frames), 40):
        done = film.timeline.shot_at(at).steps[0]
        if lap <= done < longest:
            assert counts(frames[at], f"{10 * done // lap / 10:g}×")
    assert counts(frames[-1], "7.4×")


@pytest.mark.parametrize(
    ("strategies", "text"),
    [
        (("row-major", "mrv"), "the steps of the other"),
        (("row-major", "column-major", "mrv"), "the steps of Fewest options first"),
    ],
)
def test_what_is_counted_is_written_below_the_number(
    strategies: tuple[str, ...], text: str
) -> None:
    pixels = frames_of(*strategies)[-1]
    rows = np.flatnonzero(inked(pixels, DARK.muted).any(axis=1))
    assert rows.min() > np.flatnonzero(inked(pixels).any(axis=1)).max()
    assert np.ptp(rows) < 3 * line_height(Face.BOLD, LETTERS)
    words = text.split()
    top = BOX.y + rows.min()
    first = pixels[top : top + line_height(Face.BOLD, LETTERS) - 3, BOX.x : BOX.right]
    assert any(reads(first, " ".join(words[:end]), DARK.muted) for end in range(1, len(words)))
