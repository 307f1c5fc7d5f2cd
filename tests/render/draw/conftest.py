"""Fonts that a test installs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.made_fonts import forget_fonts


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A folder: the only fonts of the machine, besides the default typeface, are those in it."""
    import matplotlib.font_manager

    folder = tmp_path / "fonts"
    folder.mkdir()
    monkeypatch.setattr(
        matplotlib.font_manager, "findSystemFonts", lambda: [str(one) for one in folder.iterdir()]
    )
    forget_fonts()
    yield folder
    forget_fonts()
