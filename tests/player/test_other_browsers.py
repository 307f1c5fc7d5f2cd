"""The player in Firefox and in WebKit, where they are installed."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from tests.support.other_browsers import BROWSERS, found_by
from tests.support.player_pages import made, puzzle_of, saved
from tests.support.puzzles import MEDIUM
from undoku.solver.problem.appearance import SYMBOLS
from undoku.solver.trace.replay import state_at

STEPS = 8

SCRIPT = """async (page, until) => {
  await until(() => page.undoku?.step === 132);
  const {undoku, document} = page;
  const press = (key) => (document.activeElement ?? document.body).dispatchEvent(
    new page.KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
  const digits = () => [...document.querySelectorAll(".search:first-child .digit")];
  const found = {cells: document.querySelectorAll(".board .cell").length, boards: []};
  for (const step of STEPS) {
    undoku.seek(step);
    found.boards.push([undoku.board(0), undoku.board(1)]);
  }
  undoku.seek(100);
  press("ArrowRight");
  await until(() => undoku.step === 101);
  await until(() => document.querySelector(".step").value === "101");
  press("End");
  await until(() => undoku.step === LONGEST);
  await until(() => digits().map((digit) => digit.textContent).join("") === "SOLUTION");
  undoku.seek(0);
  undoku.play();
  await until(() => undoku.playing && undoku.step >= 1);
  press(" ");
  await until(() => !undoku.playing);
  return found;
}"""


@pytest.mark.parametrize("browser", BROWSERS)
def test_pages_load_seek_play_and_take_keys(browser: str, tmp_path: Path) -> None:
    """Boards are those of the traces, the film plays to its end card, and nothing goes wrong."""
    if not BROWSERS[browser]:
        pytest.skip(f"there is no {browser} on this machine")
    film = made(puzzle_of(MEDIUM.grid), "row-major", "mrv")
    saved(film, tmp_path)
    dice = random.Random(19)
    steps = sorted(dice.randint(0, film.timeline.longest) for _ in range(STEPS))
    script = SCRIPT.replace("STEPS", json.dumps(steps)).replace("SOLUTION", MEDIUM.solution)
    script = script.replace("LONGEST", str(film.timeline.longest))
    found, wrong = found_by(browser, tmp_path, "page.html#step=132", script)
    assert wrong == []
    assert found["cells"] == 162
    for step, boards in zip(steps, found["boards"], strict=True):
        for trace, board in zip(film.traces, boards, strict=True):
            held = state_at(trace, min(step, trace.tally().steps)).board
            assert board == "".join(SYMBOLS[v - 1] if v else "." for v in held)
