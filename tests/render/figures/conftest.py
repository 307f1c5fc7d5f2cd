"""Figures that tests look at."""

from __future__ import annotations

import pytest
from matplotlib.figure import Figure


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Figure]:
    """The figures that are saved, open to questions."""
    figures: list[Figure] = []
    save = Figure.savefig

    def kept(figure: Figure, *arguments: object, **named: object) -> None:
        figures.append(figure)
        save(figure, *arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(Figure, "savefig", kept)
    return figures
