"""Figures that tests look at."""

from __future__ import annotations

from pathlib import Path

import pytest
from matplotlib.figure import Figure


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Figure]:
    """The figures that are saved, open to questions. Their files are empty: making pixels of them
    takes as long as all else."""
    figures: list[Figure] = []

    def kept(figure: Figure, path: Path, **_: object) -> None:
        figures.append(figure)
        figure.draw_without_rendering()
        path.touch()

    monkeypatch.setattr(Figure, "savefig", kept)
    return figures
