"""Where the typeface comes from."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest
from PIL import ImageFont

from undoku.render.draw import font_files
from undoku.render.draw.font_files import DEFAULT, Face


@pytest.fixture(autouse=True)
def forgetting() -> Iterator[None]:
    """Clear the cached fonts before and after the test."""
    font_files._shipped_fonts.cache_clear()
    font_files.shipped_font.cache_clear()
    yield
    font_files._shipped_fonts.cache_clear()
    font_files.shipped_font.cache_clear()


NAMES = {
    Face.REGULAR: ("DejaVu Sans", "Book"),
    Face.BOLD: ("DejaVu Sans", "Bold"),
    Face.OBLIQUE: ("DejaVu Sans", "Oblique"),
}


@pytest.mark.parametrize("listed", [True, False])
@pytest.mark.parametrize("face", Face)
def test_a_face_is_found_whether_or_not_matplotlib_has_a_list_of_its_files(
    face: Face, listed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some systems' packages of matplotlib have none."""
    if not listed:
        monkeypatch.setattr(metadata, "files", lambda name: None)
    assert ImageFont.truetype(DEFAULT.font(face).path).getname() == NAMES[face]


def test_a_listed_font_that_is_gone_is_searched_for_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = Path(DEFAULT.font(Face.BOLD).path)
    font_files.shipped_font.cache_clear()
    monkeypatch.setattr(font_files, "_shipped_fonts", lambda: {Face.BOLD: real.with_name("gone")})
    assert Path(DEFAULT.font(Face.BOLD).path).name == real.name
    monkeypatch.undo()
