"""Sentences below the boards."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.support.puzzles import MEDIUM
from undoku import search
from undoku.render.draw.canvas import Canvas, Rect
from undoku.render.draw.sprites import SpriteBook
from undoku.render.draw.theme import load_theme
from undoku.render.film.film import Film
from undoku.render.panels.callout import CalloutPanel, SharedCalloutPanel
from undoku.render.panels.panel import Moment, PanelContext
from undoku.render.settings.settings import settings_of
from undoku.render.timeline.notes import Note, NoteKind
from undoku.render.timeline.timeline import Phase, Shot, Timeline

HISTORY: Any = None


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
    theme = load_theme("dark")
    canvas, box = Canvas(240, 60), Rect(0, 0, 240, 60)
    timeline = Timeline(Fraction(10), (1,), 0, 9, 0, 0, last=1)
    text = SimpleNamespace(name=20, sentence=20, label=16)
    script: Any = SimpleNamespace(
        layout=SimpleNamespace(text=text),
        callouts=[Note(0, 9, 0, NoteKind.CALLOUT, sentence)],
        timeline=timeline,
    )
    panel = CalloutPanel(PanelContext(script, 0, box, HISTORY, SpriteBook(theme)))
    canvas.fill(box, theme.ground)
    panel.draw(canvas, Moment(Shot(Phase.RACE, 0, 1, (1,)), timeline, ()))
    assert bool((canvas.pixels != theme.ground).any()) is message


@pytest.mark.parametrize(
    ("label", "width", "drawn"),
    [("W" * 200, 300, True), ("Z" + "\u0301\u0323" * 90, 300, True), ("W" * 200, 12, False)],
)
@pytest.mark.parametrize("height", [24, 60])
def test_a_long_name_is_shortened_so_that_its_sentence_is_shown(
    label: str, width: int, drawn: bool, height: int
) -> None:
    """On one line and above the sentence; if nothing fits, nothing is drawn."""
    theme = load_theme("dark")
    canvas, box = Canvas(width + 40, height), Rect(20, 0, width, height)
    timeline = Timeline(Fraction(10), (1,), 0, 9, 0, 0, last=1)
    layout = SimpleNamespace(
        sentence=box, sentence_size=20, text=SimpleNamespace(footer=11, title=20)
    )
    script: Any = SimpleNamespace(
        layout=layout,
        callouts=[Note(0, 9, 0, NoteKind.CALLOUT, "Only 5 fits here.")],
        headers=[SimpleNamespace(label=label)],
        title="",
        timeline=timeline,
    )
    panel = SharedCalloutPanel(PanelContext(script, 0, box, HISTORY, SpriteBook(theme)))
    canvas.fill(box, theme.ground)
    panel.draw(canvas, Moment(Shot(Phase.RACE, 0, 1, (1,)), timeline, ()))
    inside = canvas.pixels[:, box.x : box.right]
    assert bool((inside != theme.ground).any()) is drawn
    outside = np.delete(canvas.pixels, np.s_[box.x : box.right], axis=1)
    assert (outside == 0).all()


@pytest.mark.parametrize("texts", ["en", "he"])
def test_the_name_before_a_sentence_and_the_name_of_its_board_are_on_bars(texts: str) -> None:
    """In the colour of the search, so that a sentence about one of six boards has one place."""
    names = ("row-major", "column-major", "mrv", "mrv+singles")
    options = {"size": "640x360"} | ({} if texts == "en" else {"language": texts})
    film = Film([search(MEDIUM.grid, name) for name in names], settings_of(options))
    frames = film.timeline.intro + film.timeline.race
    of_one = [callout for callout in film.callouts if not callout.others]
    for callout in (of_one[0], of_one[3]):
        at = min(callout.end - 1, callout.start + 20)
        assert at < frames
        (frame,) = film.draw([film.timeline.shot_at(at)])
        filled = []
        for number, block in enumerate(film.layout.blocks):
            name, colour = block.name, film.theme.search_colour(number)
            part = frame.pixels[name.y : name.bottom, name.x : name.right]
            filled.append(float((part == colour).all(2).mean()))
        assert filled.index(max(filled)) == callout.search
        assert filled[callout.search] > 0.2 > 1.5 * sorted(filled)[-2]
        box = film.layout.sentence
        assert box
        part = frame.pixels[box.y : box.bottom, box.x : box.right]
        colour = film.theme.search_colour(callout.search)
        assert (part == colour).all(2).mean() > 0.02
