"""The player in Firefox and in WebKit, where they are installed."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.support.player_pages import made, puzzle_of, saved
from tests.support.puzzles import MEDIUM
from tests.support.web_drivers import DRIVEN, opened_in, why_not
from undoku.solver.problem.puzzle import SYMBOLS
from undoku.solver.trace.replay import state_at

STEPS = 8


@pytest.mark.parametrize("name", DRIVEN)
def test_pages_load_seek_play_and_take_keys(name: str, tmp_path: Path) -> None:
    """Boards are those of the traces, the film plays to its end card, and nothing goes wrong."""
    if why_not(name):
        pytest.skip(why_not(name))
    film = made(puzzle_of(MEDIUM.grid), "row-major", "mrv")
    dice = random.Random(19)
    steps = sorted(dice.randint(0, film.timeline.longest) for _ in range(STEPS))
    with opened_in(name) as page:
        page.open(saved(film, tmp_path) + "#step=132")
        page.until("window.undoku?.step === 132")
        assert page.run("document.querySelectorAll('.board .cell').length") == 162
        for step in steps:
            page.run(f"undoku.seek({step})")
            reported = page.run("[undoku.board(0), undoku.board(1)]")
            for trace, board in zip(film.traces, reported, strict=True):
                held = state_at(trace, min(step, trace.tally().steps)).board
                assert board == "".join(SYMBOLS[v - 1] if v else "." for v in held)
        page.run("undoku.seek(100)")
        page.press("ArrowRight")
        page.until("undoku.step === 101")
        page.until("document.querySelector('.step').value === '101'")
        page.press("End")
        page.until(f"undoku.step === {film.timeline.longest}")
        digits = "[...document.querySelectorAll('.search:first-child .digit')]"
        shown = f"{digits}.map((digit) => digit.textContent).join('')"
        page.until(f"{shown} === '{MEDIUM.solution}'")
        page.run("undoku.seek(0)")
        page.run("undoku.play()")
        page.until("undoku.playing && undoku.step >= 1")
        page.press(" ")
        page.until("!undoku.playing")
    assert page.wrong == []
