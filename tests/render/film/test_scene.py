"""The scene: pixels show the snapshot, changes are what was drawn, and no text gives away how a
search ends before it has."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import pytest

from tests.support.films import film_of, make_film
from tests.support.puzzles import EASY, HARD, UNSOLVABLE
from tests.support.reading import BoardReader
from tests.support.system import ROOT
from undoku import (
    Limits,
    Op,
)
from undoku.render.draw.cell_look import StepMark
from undoku.render.draw.easel import Easel
from undoku.render.draw.sprites import BoxedText
from undoku.render.film.film import Film
from undoku.render.playback.player import Player
from undoku.render.timeline.pace import Clock
from undoku.render.timeline.timeline import Pace, Phase

SMALL: dict[str, Any] = {"puzzle": EASY.grid, "width": 640, "height": 360}


def test_the_cell_being_tried_or_undone_is_marked_until_the_search_is_done() -> None:
    made = make_film("row-major", **SMALL, pace=Pace(Fraction(1, 10)))
    steps = made.traces[0].read().tolist()
    reader = BoardReader(made.headers[0].puzzle, made.layout.blocks[0], "dark")
    seen = set()
    for shot, frame in zip(made.timeline.shots(), made.frames(), strict=True):
        if shot.phase is Phase.CARD:
            break
        reader.read(frame.pixels)
        step = shot.steps[0]
        if 0 < step < made.tallies[0].steps:
            op, _, cell = steps[step - 1]
            assert reader.marks == {cell: StepMark.UNDOING if op == Op.UNDO else StepMark.TRYING}
            seen.add(op)
        else:
            assert reader.marks == {}
    assert seen == {Op.GUESS, Op.UNDO}


def test_a_step_changes_few_cells() -> None:
    """One step a frame redraws the cell it touches, the one before, those that fade after an undo
    and those that it brought to a dead end or out of it: never the whole board."""
    made = make_film("row-major", **SMALL)
    side = made.layout.blocks[0].cell
    counts = []
    for shot, frame in zip(made.timeline.shots(), made.frames(), strict=True):
        if shot.phase is Phase.RACE and shot.steps[0] > 1 and not shot.steps[0] >= 59:
            cells = [c for c in frame.changes if c.rect.width == c.rect.height == side]
            counts.append(len(cells))
    assert min(counts) >= 1
    assert max(counts) < 20
    assert sorted(counts)[len(counts) // 2] <= 3


def test_a_finished_panel_holds_while_the_other_continues() -> None:
    """Its pixels, ring and status included, stay exactly as they were when it finished."""
    made = make_film("row-major", "mrv", **SMALL)
    left = made.layout.blocks[1].board.x - 8
    shown = [
        frame.pixels[:330, left:].copy()
        for shot, frame in zip(made.timeline.shots(), made.frames(), strict=True)
        if shot.phase is not Phase.CARD and shot.steps[1] == made.tallies[1].steps
    ]
    assert len(shown) > 5
    assert all((picture == shown[0]).all() for picture in shown)


@pytest.mark.parametrize(
    ("grid", "limits", "status"),
    [
        (EASY.grid, Limits(), "✓ solved in 59 steps"),
        (EASY.grid, Limits(max_nodes=10), "stopped after 11 steps"),
        (UNSOLVABLE, Limits(), "everything tried: no solution in 0 steps"),
    ],
)
def test_the_status_says_how_the_search_ended(grid: str, limits: Limits, status: str) -> None:
    made = make_film("row-major", limits=limits, **{**SMALL, "puzzle": grid})
    snapshot = Player(made.traces[0]).advance(made.tallies[0].steps)
    assert snapshot.status_texts[0] == status


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ({"heat": "beside"}, "heat"),
        ({"panels": "depth"}, "depth"),
        ({"heat": "overlay"}, "legend"),
        ({"counters": "backtracks"}, "backtracks"),
        ({"code": str(ROOT / "examples" / "code" / "recursive.txt")}, "code"),
    ],
)
def test_a_film_that_is_asked_for_panels_shows_them_and_has_no_story(
    asked: dict[str, Any], shown: str
) -> None:
    """At an even pace, with the panels in the same places throughout."""
    made = film_of("mrv", size="1280x720", **asked)
    assert not made.timeline.beats
    assert [act.script.layout for act in made.acts] == [made.layout]
    parts = {kind.name for kind in made.layout.panels} | {
        kind.name for kind in made.layout.counters
    }
    assert shown in parts or (shown == "legend" and made.layout.legend)


_NUMBER = re.compile(r"\d[\d,]*")
_SMALL = 9
"""Numbers up to this one stand in titles and on boards, too."""

_CASES: dict[str, dict[str, Any]] = {
    "default": {},
    "small trees": {"puzzle": HARD.grid, "strategies": ("mrv+singles", "mrv+singles+pairs")},
    "all panels": {
        "panels": ("board", "counters", "depth", "tree", "why"), "width": 1920, "height": 1080
    },
    "tall": {"width": 720, "height": 1280},
    "four": {"strategies": ("row-major", "mrv", "mrv/descending", "column-major")},
    "all finish together": {"clock": Clock.FINISH},
    "one": {"strategies": ("mrv",)},
    "exhaustive": {"strategies": ("mrv", "row-major"), "limits": Limits(exhaustive=True)},
}  # fmt: skip


_ALWAYS = ("all panels", "exhaustive")
"""The films that `make test` draws."""


def texts_on(easel: Easel) -> list[str]:
    """The texts, with adjacent characters joined: counters draw each character separately."""
    lines = [
        one for one in easel.drawing().drawn if isinstance(one, BoxedText) and one.text.strip()
    ]
    found: list[str] = []
    end = (0, 0)
    for line in sorted(lines, key=lambda one: (one.rect.y, one.rect.x)):
        if (line.rect.y, line.rect.x) == end:
            found[-1] += line.text
        else:
            found.append(line.text)
        end = line.rect.y, line.rect.right
    return found


def made_of(case: dict[str, Any]) -> Film:
    pace = Pace(duration=Fraction(6), ramp=True)
    given = {"strategies": ("row-major", "mrv"), "fps": Fraction(10), "pace": pace, **case}
    return make_film(*given.pop("strategies"), **given)


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=name, marks=() if name in _ALWAYS else pytest.mark.long)
        for name, case in _CASES.items()
    ],
)
def test_no_text_has_a_final_count_of_a_search_that_continues(case: dict[str, Any]) -> None:
    """Steps, nodes, backtracks, largest depth; unless one of the counts has just that value now."""
    film = made_of(case)
    easel = Easel(film.settings.width, film.settings.height, film.theme)
    players = [Player(trace) for trace in film.traces]
    fps, seen = int(film.settings.fps), set[int]()
    shots = list(film.timeline.shots())[::2]
    for shot, _ in zip(shots, film.draw(shots, easel), strict=True):
        if shot.phase in (Phase.HOLD, Phase.CARD):
            break
        snapshots = [player.advance(step) for player, step in zip(players, shot.steps, strict=True)]
        running, finals = {fps}, set[int]()
        for snapshot, tally in zip(snapshots, film.tallies, strict=True):
            running |= {
                snapshot.steps, snapshot.decisions + 1, snapshot.backtracks, snapshot.depth,
                snapshot.dead_ends, snapshot.max_depth, snapshot.undos, snapshot.solutions,
            }  # fmt: skip
            if not snapshot.finished:
                finals |= {tally.steps, tally.nodes, tally.backtracks, tally.max_depth}
        finals = {count for count in finals if count > _SMALL}
        for text in texts_on(easel):
            reported = {int(found.replace(",", "")) for found in _NUMBER.findall(text)}
            assert not reported & finals - running, (shot, text)
            seen |= reported
    assert max(tally.steps for tally in film.tallies) // 2 < max(seen)
