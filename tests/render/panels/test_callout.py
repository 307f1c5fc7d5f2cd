"""Sentences below the boards."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from undoku.render.panels.callout import CalloutPanel, SharedCalloutPanel

from tests.support.puzzles import MEDIUM
from undoku import search
from undoku.render.draw.canvas import Canvas, Pixels, Rect
from undoku.render.draw.colour_space import Colour
from undoku.render.draw.sprites import SpriteBook
from undoku.render.draw.theme import load_theme
from undoku.render.film.film import Film
from undoku.render.panels.panel import Moment, PanelContext
from undoku.render.settings.settings import settings_of
from undoku.render.timeline.notes import Note, NoteKind
from undoku.render.timeline.timeline import Phase, Shot, Timeline


def drawn(panel: type[CalloutPanel], box: Rect, sentence: str, label: str = "") -> Any:
    """Which pixels of a canvas a panel draws that shows a sentence in a box."""
    book = SpriteBook(load_theme("dark"))
    timeline = Timeline(Fraction(10), (1,), 0, 9, 0, 0, last=1)
    text = SimpleNamespace(name=20, sentence=20, label=16, footer=11, title=20)
    script: Any = SimpleNamespace(
        layout=SimpleNamespace(text=text, sentence=box, sentence_size=20),
        callouts=[Note(0, 9, 0, NoteKind.CALLOUT, sentence)],
        headers=[SimpleNamespace(label=label)],
        timeline=timeline,
    )
    canvas = Canvas(box.right + box.x, box.bottom)
    canvas.fill(Rect(0, 0, canvas.width, canvas.height), book.theme.background)
    moment = Moment(Shot(Phase.RACE, 0, 1, (1,)), timeline, ())
    panel(PanelContext(script, 0, box, script, book)).draw(canvas, moment)
    return canvas.pixels != np.array(book.theme.background)


@pytest.mark.parametrize(
    ("sentence", "message"),
    [
        ("Only 5 fits here.", True),
        ("Takes the smallest choice among cells, " * 3, False),
        ("Only 5 fits here. " + "Takes the smallest choice among cells, " * 3, True),
    ],
)
def test_a_sentence_without_room_is_not_shown_in_part(sentence: str, message: bool) -> None:
    """But the first of several sentences is, alone."""
    assert drawn(CalloutPanel, Rect(0, 0, 240, 60), sentence).any() == message


@pytest.mark.parametrize(
    ("label", "width", "shown"),
    [("W" * 200, 300, True), ("Z" + "\u0301\u0323" * 90, 300, True), ("W" * 200, 12, False)],
)
@pytest.mark.parametrize("height", [24, 60])
def test_a_long_name_is_shortened_so_that_its_sentence_is_shown(
    label: str, width: int, shown: bool, height: int
) -> None:
    """On one line and above the sentence; if nothing fits, nothing is drawn."""
    box = Rect(20, 0, width, height)
    seen = drawn(SharedCalloutPanel, box, "Only 5 fits here.", label)
    assert seen[:, box.x : box.right].any() == shown
    assert not np.delete(seen, np.s_[box.x : box.right], axis=1).any()


def share_of(pixels: Pixels, box: Rect, colour: Colour) -> float:
    """The share of a box that has a colour."""
    part = pixels[box.y : box.bottom, box.x : box.right]
    return float((part == colour).all(2).mean())


@pytest.mark.parametrize("texts", ["en", "he"])
def test_the_name_before_a_sentence_and_the_name_of_its_board_are_on_bars(texts: str) -> None:
    """In the colour of the search, so that a sentence about one of six boards has one place."""
    names = ("row-major", "column-major", "mrv", "mrv+singles")
    options = {"size": "640x360"} | ({} if texts == "en" else {"language": texts})
    film = Film([search(MEDIUM.grid, name) for name in names], settings_of(options))
    colours = [film.theme.search_colour(number) for number in range(len(names))]
    of_one = [callout for callout in film.callouts if not callout.others]
    for callout in (of_one[0], of_one[3]):
        at = min(callout.end - 1, callout.start + 20)
        (frame,) = film.draw([film.timeline.shot_at(at)])
        pixels = frame.pixels
        blocks = enumerate(film.layout.blocks)
        filled = [share_of(pixels, block.name, colours[number]) for number, block in blocks]
        assert filled.index(max(filled)) == callout.search
        assert filled[callout.search] > 0.2 > 1.5 * sorted(filled)[-2]
        assert film.layout.sentence
        assert share_of(pixels, film.layout.sentence, colours[callout.search]) > 0.02
