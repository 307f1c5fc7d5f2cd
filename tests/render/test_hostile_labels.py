"""Labels of any characters and lengths: every frame is drawn, inside the
picture."""

from __future__ import annotations

from typing import Any

import pytest

from render.film import Film
from render.settings import settings_of
from solver import search
from tests.support.puzzles import EASY

LONG = ("A solver with a name that does not end " * 6)[:200]
UNBROKEN = "W" * 200
HEBREW = "פותר עם שם " * 8
STACKED = "Z" + "\u0301\u0323\u0335" * 12 + "algo"
CONTROLS = "one\ntwo\tthree\x1b[31mred\x07\u202eback"
EMOJI = "\U0001f600 \U0001f468\u200d\U0001f469\u200d\U0001f467"


def film(*labels: str, **given: Any) -> Film:
    names = ["row-major", "mrv", "dom-wdeg", "column-major"][: max(2, len(labels))]
    settings = settings_of({"size": "640x360", "pace": "story", "fps": "5", "labels": labels,
                            **given})  # fmt: skip
    return Film([search(EASY.grid, name) for name in names], settings)


@pytest.mark.parametrize("size", ["640x360", "270x480"])
@pytest.mark.parametrize(
    "labels",
    [(LONG, HEBREW), (UNBROKEN, EMOJI), (STACKED, CONTROLS), ("same", "same"),
     (LONG, UNBROKEN, HEBREW, EMOJI), ("same",) * 4],
)  # fmt: skip
def test_films_with_any_labels_are_drawn(labels: tuple[str, ...], size: str) -> None:
    """No change lies outside the picture."""
    wide, high = map(int, size.split("x"))
    made = film(*labels, size=size)
    assert len({*made.labels}) == len(labels)
    for frame in made.frames():
        for rect, _ in frame.changes:
            assert rect.x >= 0 and rect.y >= 0
            assert rect.right <= wide and rect.bottom <= high
