"""Where the typeface comes from."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import metadata

import pytest
from PIL import ImageFont

from render.style import lettering
from render.style.lettering import Face, font_file


@pytest.fixture(autouse=True)
def forgetting() -> Iterator[None]:
    """What is known of the fonts is forgotten before and after."""
    lettering._shipped_fonts.cache_clear()
    yield
    lettering._shipped_fonts.cache_clear()


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
    assert ImageFont.truetype(str(font_file(face))).getname() == NAMES[face]


def test_a_listed_font_that_is_gone_is_looked_for_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = font_file(Face.BOLD)
    monkeypatch.setattr(lettering, "_shipped_fonts", lambda: {Face.BOLD: real.with_name("gone")})
    assert font_file(Face.BOLD).name == real.name
    monkeypatch.undo()
