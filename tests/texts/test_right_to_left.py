"""In a language that runs from right to left, texts that are on the left in English are on the
right.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.support.films import film_of
from undoku.render.delivery.captions import captions
from undoku.render.film.film import Film
from undoku.render.timeline.timeline import Phase


def film(texts: str, *strategies: str, **given: Any) -> Film:
    even: dict[str, Any] = {"size": "640x360", "pace": "even", "duration": "2s", "card": "2s"}
    return film_of(*strategies or ("mrv",), language=texts, **even, **given)


def picture(made: Film, phase: Phase) -> Any:
    """The last picture of a phase."""
    shots = [shot for shot in made.timeline.shots() if shot.phase is phase]
    *_, frame = made.draw(shots[-1:])
    return frame.pixels


def edges(pixels: Any, rect: Any) -> tuple[int, int]:
    """How far the ink in a rectangle is from its left and its right edge."""
    part = pixels[rect.y : rect.bottom, rect.x : rect.right].astype(int)
    inked = np.flatnonzero((np.abs(part - part[0, 0]).sum(2) > 60).any(0))
    return int(inked[0]), rect.width - 1 - int(inked[-1])


@pytest.mark.parametrize(("texts", "begin"), [("en", 0), ("he", 1)])
def test_headings_and_counters_begin_on_the_side_where_one_begins_to_read(
    texts: str, begin: int
) -> None:
    made = film(texts)
    pixels = picture(made, Phase.RACE)
    block = made.layout.blocks[0]
    for box in (block.name, *block.counters):
        near = edges(pixels, box)
        assert near[begin] <= 3
        assert near[begin] < near[1 - begin]


def test_the_first_counter_is_where_reading_begins() -> None:
    """Of a row of counters, in Hebrew the right one counts the steps, which are more."""
    english, hebrew = (film(name, "row-major", panels="board,counters") for name in ("en", "he"))
    block = english.layout.blocks[0]
    assert block.counters[0].y == block.counters[1].y
    left, right = block.counters[0], block.counters[-1]

    def wide(made: Film, box: Any) -> int:
        """The width of the number in a box, below its label."""
        high = box.height // 4
        lower = box._replace(y=box.y + high, height=box.height - high)
        return int(lower.width - sum(edges(picture(made, Phase.RACE), lower)))

    assert wide(english, left) > wide(english, right)
    assert wide(hebrew, right) > wide(hebrew, left)


def test_bars_of_the_end_card_grow_from_the_right() -> None:
    sides = []
    for texts in ("en", "he"):
        made = film(texts, "row-major", "mrv")
        pixels = picture(made, Phase.CARD)
        colour = np.array(made.theme.search_colour(1))
        # The bar is higher than the letters of the name above it, which have the same colour.
        columns = np.flatnonzero((pixels == colour).all(2).sum(0) > 24)
        sides.append((int(columns[0]), 639 - int(columns[-1])))
    assert sides[0][0] < sides[0][1]
    assert sides[1] == sides[0][::-1]


@pytest.mark.parametrize(
    ("language", "labels", "marked"),
    [("he", "first,second", "\u200ffirst"), ("en", "ראשון,שני", "\u200eראשון")],
)
def test_captions_are_marked_as_running_as_their_language_after_a_name_of_the_other_direction(
    language: str, labels: str, marked: str
) -> None:
    made = film(language, "row-major", "mrv", labels=labels)
    reported = [caption.text for caption in captions(made)]
    assert any(line.startswith(marked) for text in reported for line in text.split("\n"))
    assert not any("\\u200" in text for text in reported)
