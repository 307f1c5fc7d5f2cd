"""The bar below a film: steps done of all steps of the race."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.support.films import MakeFilm
from undoku import Limits
from undoku.render.draw.canvas import Canvas, Rect
from undoku.render.draw.run_draft import Draft
from undoku.render.draw.sprites import SpriteBook
from undoku.render.draw.theme import load_theme
from undoku.render.film.film import Film
from undoku.render.panels.panel import Moment, PanelContext, show
from undoku.render.panels.title_and_footer import ProgressBar
from undoku.render.timeline.pace import Clock
from undoku.render.timeline.race_plan import plan
from undoku.render.timeline.stretches import Stretch
from undoku.render.timeline.timeline import Pace, Phase, Timeline

SMALL: dict[str, Any] = {"width": 480, "height": 270, "panels": ("board", "counters", "depth")}


def filled(film: Film, pixels: np.ndarray) -> int:
    """The number of filled pixels of the bar, which are its left part."""
    bar = film.layout.progress
    assert bar
    row = pixels[bar.y, bar.x : bar.right]
    lit = (row == film.theme.accent).all(axis=1)
    assert not np.diff(lit.astype(int)).clip(0).any()
    assert ((row == film.theme.track).all(axis=1) | lit).all()
    return int(lit.sum())


@pytest.mark.parametrize(
    "pace",
    [Pace(Fraction(7)), Pace(duration=Fraction(6)), Pace(duration=Fraction(6), ramp=True)],
    ids=["rate", "fitted", "ramp"],
)
@pytest.mark.parametrize("clock", [Clock.STEPS, Clock.FINISH])
def test_the_bar_shows_which_share_of_the_longest_searchs_steps_is_done(
    film: MakeFilm, pace: Pace, clock: Clock
) -> None:
    made = film(
        "row-major", "mrv", pace=pace, clock=clock, limits=Limits(max_nodes=600),
        fps=Fraction(25), **SMALL,
    )  # fmt: skip
    assert made.layout.progress
    wide, longest = made.layout.progress.width, made.timeline.longest
    for shot, frame in zip(made.timeline.shots(), made.frames(), strict=True):
        if shot.phase is Phase.CARD:
            break
        done = filled(made, frame.pixels)
        assert abs(done - wide * max(shot.steps) / longest) <= max(1, wide / longest)
        if shot.phase is Phase.INTRO:
            assert done == 0
        if shot.phase is Phase.HOLD or max(shot.steps) == longest:
            assert done == wide


def test_a_part_of_a_race_fills_the_bar_from_nothing_to_its_end(film: MakeFilm) -> None:
    made = film("row-major", pace=Pace(Fraction(5), first=400, last=900), fps=Fraction(25), **SMALL)
    found = [
        filled(made, frame.pixels)
        for shot, frame in zip(made.timeline.shots(), made.frames(), strict=True)
        if shot.phase is not Phase.CARD
    ]
    assert made.layout.progress
    assert found[0] == 0
    assert found[-2:] == [made.layout.progress.width] * 2
    middle = found[len(found) // 2]
    assert abs(middle - made.layout.progress.width / 2) <= 5


def drawn(timeline: Timeline) -> list[int]:
    """The pixels that are filled on each frame."""
    theme = load_theme("dark")
    canvas, rect = Canvas(320, 8), Rect(10, 2, 300, 4)
    book = SpriteBook(theme)
    anything: Any = SimpleNamespace(layout=SimpleNamespace(text=None))
    bar = ProgressBar(PanelContext(anything, 0, rect, anything, book))
    draft, found = Draft(book.index, 1), []
    for shot in timeline.shots():
        show([bar], canvas, Moment(shot, timeline, ()), draft)
        found.append(int((canvas.pixels[3] == theme.accent).all(axis=1).sum()))
    return found


def test_the_bar_does_not_move_while_the_clock_is_stopped() -> None:
    even = plan([1000], Fraction(25), Pace(duration=Fraction(8)))
    paused = replace(
        even,
        race=100,
        stretches=(Stretch(0, 40, 0, 500), Stretch(40, 20, 500, 0), Stretch(60, 40, 500, 500)),
    )
    found = drawn(paused)[1:]
    assert found[39:60] == [150] * 21
    assert found[38] < 150 < found[60]
    assert found[99] == 300


def test_a_race_without_steps_is_done_at_once() -> None:
    assert drawn(plan([0], Fraction(25), Pace(Fraction(1))))[-1] == 300
