"""Films of even pace show running totals: no text gives away how a search ends before it has."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import pytest

from tests.support.films import make_film
from tests.support.puzzles import HARD
from undoku import Limits
from undoku.render.draw.easel import Easel
from undoku.render.draw.sprites import BoxedText
from undoku.render.film.film import Film
from undoku.render.playback.player import Player
from undoku.render.timeline.pace import Clock
from undoku.render.timeline.timeline import Pace, Phase

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


@pytest.mark.parametrize("case", _CASES.values(), ids=_CASES.keys())
def test_no_text_has_a_final_count_of_a_search_that_continues(case: dict[str, Any]) -> None:
    """Steps, nodes, backtracks, largest depth; unless one of the counts has just that value now."""
    film = made_of(case)
    easel = Easel(film.settings.width, film.settings.height, film.theme)
    players = [Player(trace) for trace in film.traces]
    fps, seen = int(film.settings.fps), set[int]()
    shots = list(film.timeline.shots())
    for number, (shot, _) in enumerate(zip(shots, film.draw(shots, easel), strict=True)):
        if shot.phase in (Phase.HOLD, Phase.CARD):
            break
        snapshots = [player.advance(step) for player, step in zip(players, shot.steps, strict=True)]
        if number % 2:
            continue
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
