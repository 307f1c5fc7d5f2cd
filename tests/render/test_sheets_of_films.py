"""Contact sheets, one picture a second, that `make sheets` writes of default films."""

from __future__ import annotations

import runpy
from fractions import Fraction
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace

import numpy as np
from PIL import Image

from tests.support.paths import ROOT
from tests.support.puzzles import EASY
from undoku import compare, read_frames

SCRIPT = ROOT / "examples" / "sheets" / "contact_sheets.py"


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
    sheet = SHEETS.sheet_of(film, "easy", 3, 320)
    assert sheet.width == 8 + 3 * 328


def test_a_sheet_takes_at_most_two_megabytes() -> None:
    noise = np.random.default_rng(1).integers(0, 256, (900, 900, 3), np.uint8)
    written = SHEETS.small_png(Image.fromarray(noise))
    assert len(written) <= 2_000_000
    with Image.open(BytesIO(written)) as picture:
        assert picture.width == picture.height > 500
