"""Sentences below the boards."""

from __future__ import annotations

from fractions import Fraction

import pytest

from render.drawing.canvas import Canvas, Rect
from render.drawing.sprites import SpriteBook
from render.panels.callout import CalloutPanel
from render.panels.contract import Callout, Moment
from render.style.theme import load_theme
from render.timing.timeline import Phase, Shot, Timeline


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
    panel = CalloutPanel(
        box, [Callout(0, 0, 9, sentence)], SpriteBook(theme), (20, 16), Fraction(10)
    )
    timeline = Timeline(Fraction(10), (1,), 0, 9, 0, 0, last=1)
    canvas.fill(box, theme.ground)
    panel.draw(canvas, Moment(Shot(Phase.RACE, 0, 1, (1,)), timeline, ()))
    assert bool((canvas.pixels != theme.ground).any()) is message
