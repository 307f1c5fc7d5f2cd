"""Contact sheets, one picture a second, that `make sheets` makes of films of many kinds."""

from __future__ import annotations

import runpy
from fractions import Fraction
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

from tests.support.puzzles import EASY
from tests.support.system import ROOT
from undoku import compare, read_frames
from undoku.render.draw.theme import theme_names

SCRIPT = ROOT / "examples" / "sheets" / "contact_sheets.py"


ORANGE = (255, 176, 80)
SHEETS = SimpleNamespace(**runpy.run_path(str(SCRIPT)))


def test_a_sheet_shows_the_picture_at_each_second(tmp_path: Path) -> None:
    film = tmp_path / "film.gif"
    compare(EASY.grid, ["mrv"], film, size="320x180", duration="3.5s")
    moments = list(SHEETS.by_second(film))
    assert [float(second) for second, _ in moments] == [0, 1, 2, 3, 3.5]
    for second, shown in moments[:-1]:
        end = Fraction()
        for picture in read_frames(film):
            end += picture.seconds
            if end > second:
                assert np.array_equal(picture.pixels, np.asarray(shown))
                break
    sheet = SHEETS.sheet_of([film])
    assert sheet.width == 8 + 5 * 398


def test_films_of_a_sheet_may_be_in_a_folder_that_does_not_exist(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("FILMS", "SHEETS"):
        monkeypatch.setitem(SHEETS.make.__globals__, name, tmp_path / name)
    (tmp_path / "SHEETS").mkdir()
    film = tmp_path / "FILMS" / "several" / "a.gif"
    command = f"undoku render {EASY.grid} -s mrv --size 320x180 --duration 1s -q -o {film}"
    assert SHEETS.make("several", "several/*.gif", command).stat().st_size
    assert film.exists()


def test_a_rare_colour_stays_on_a_sheet_of_many_shades() -> None:
    shades = np.linspace(0, 255, 800 * 600, dtype=np.uint8).reshape(600, 800)
    pixels = np.stack([shades, shades[::-1], shades[:, ::-1]], axis=-1)
    pixels[300:306, 400:406] = ORANGE
    written = SHEETS.small_webp(Image.fromarray(pixels))
    assert len(written) <= SHEETS.MAX_BYTES
    with Image.open(BytesIO(written)) as picture:
        shown = np.asarray(picture.convert("RGB"), np.int16)[303, 403]
    assert np.abs(shown - ORANGE).max() <= 24


def test_the_page_has_a_small_sheet_of_each_film() -> None:
    named = SHEETS.commands().keys()
    assert len(named) >= 20
    assert f"for theme in {' '.join(theme_names())}; do" in SHEETS.commands()["themes"][1]
    written = {path.stem: path for path in SHEETS.SHEETS.iterdir()}
    assert written.keys() == named
    assert all(f"media/sheets/{name}.webp" in SHEETS.PAGE.read_text("utf-8") for name in named)
    assert all(path.stat().st_size <= SHEETS.MAX_BYTES for path in written.values())
