"""A story on the screen: what moves, what changes, and what its clock says."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice, pairwise
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest

from tests.support.films import beat_of, film_of, picture_at
from undoku.render.delivery.outputs import with_rate
from undoku.render.draw.unit_marks import strong_width
from undoku.render.film.acts import Acts
from undoku.render.film.film import Film
from undoku.render.panels.title_and_footer import speed_texts
from undoku.render.settings.settings import settings_of
from undoku.render.timeline.beats import BeatKind


def story(*strategies: str, **given: object) -> Film:
    names = strategies or ("row-major", "mrv")
    return film_of(*names, **{"size": "640x360", "fps": 30, **given})  # type: ignore[arg-type]


def test_boards_move_from_one_layout_to_the_next_and_arrive() -> None:
    """The last picture on the way is the first of the new layout; no picture jumps."""
    made = story()
    beat = beat_of(made, BeatKind.SPOTLIGHT)
    first, second = made.acts
    assert second.start == beat.start
    assert 0 < second.moving <= made.timeline.fps / 2
    end = second.start + second.moving
    shots = [made.timeline.shot_at(frame) for frame in range(beat.start - 1, end + 1)]
    pictures = [frame.pixels.astype(int) for frame in made.draw(shots)]
    act = replace(second, start=0, moving=0)
    alone = Acts([act]).play(made.traces, [made.timeline.shot_at(beat.start)])
    assert np.array_equal(next(alone).pixels, pictures[-2])
    steps = [abs(after - before).mean() for before, after in pairwise(pictures[:-1])]
    assert all(step > 0 for step in steps)
    assert max(steps) < abs(pictures[-2] - pictures[0]).mean()
    blocks = first.script.layout.blocks, second.script.layout.blocks
    assert blocks[0][0].board.width == blocks[0][1].board.width
    assert blocks[1][1].board.width < 0.5 * blocks[0][1].board.width
    assert blocks[1][0].board.width > 2 * blocks[1][1].board.width


def test_a_story_continues_from_any_frame() -> None:
    """Half a second later it shows what the whole film shows."""
    made = story(size="480x270", fps=20)
    wanted = dict(pictures_from(made, 0))
    for first in (70, 200, 320, 335, 470):
        compared = [each for each in pictures_from(made, first, 60) if each[0] >= first + 14]
        assert compared
        assert compared == [(start, wanted[start]) for start, _ in compared]


def pictures_from(made: Film, first: int, most: int | None = None) -> list[tuple[int, int]]:
    """The numbers of the first `most` frames from a frame on, each with a digest of its picture."""
    shots = list(islice(made.timeline.shots(first), most))
    frames = made.draw(shots)
    return [
        (shot.start, crc32(frame.pixels.tobytes()))
        for shot, frame in zip(shots, frames, strict=True)
    ]


def test_the_board_of_the_first_to_finish_changes_often_while_one_learns() -> None:
    """On at least 40 % of the frames of the race's first half."""
    made = story(fps=60)
    timeline = made.timeline
    half = range(timeline.intro, timeline.intro + timeline.race // 2)
    board = made.layout.blocks[1].board
    shown = [
        frame.pixels[board.y : board.bottom, board.x : board.right].copy()
        for frame in made.draw([timeline.shot_at(number) for number in half])
    ]
    changed = sum(not np.array_equal(one, other) for one, other in pairwise(shown))
    assert changed >= 0.4 * len(half)


def test_the_speed_that_is_shown_is_the_speed_of_the_clock() -> None:
    made = story(fps=60)
    timeline = made.timeline
    reported = set()
    for part in timeline.stretches:
        frame = timeline.intro + part.start
        if part.steps and timeline.beat_at(frame).kind is not BeatKind.FIRST_STEP:  # type: ignore[union-attr]
            text = speed_texts(timeline, frame)[-1]
            number = float(text.split()[0].replace(",", ""))
            counted = max(timeline.steps_at(part.start + part.frames)) - max(
                timeline.steps_at(part.start)
            )
            exact = counted / (part.frames / 60)
            assert abs(number - exact) <= 0.5
            reported.add(text)
    assert len(reported) > 10


def test_panels_that_are_requested_stay_where_they_are() -> None:
    made = story(panels="board,counters,depth")
    assert len(made.acts) == 1
    assert [kind.name for kind in made.layout.panels] == ["depth"]
    assert made.callouts == ()


def test_a_gif_tells_the_story_in_short() -> None:
    made = story(pace="short", fps=25)
    assert abs(made.timeline.duration - 10) <= 1
    kinds = {beat.kind for beat in made.timeline.beats}
    assert BeatKind.RULES in kinds and BeatKind.LAST_STEPS not in kinds


def test_a_ring_sweeps_around_the_board_that_is_solved() -> None:
    """From nothing to all of it, never less than before."""
    made = story()
    timeline, block = made.timeline, made.layout.blocks[1]
    finish = beat_of(made, BeatKind.FINISH)
    shots = [timeline.shot_at(frame) for frame in range(finish.start - 1, finish.start + 14)]
    width = strong_width(block.cell)
    outer = block.board.inset(-width)
    lit = []
    for frame in made.draw(shots):
        ring = frame.pixels[outer.y : outer.bottom, outer.x : outer.right].copy()
        ring[width:-width, width:-width] = 0
        lit.append(int((ring == made.theme.accent).all(2).sum()))
    whole = 2 * width * (outer.width + outer.height - 2 * width)
    assert lit == sorted(lit)
    assert lit[0] < 0.1 * whole
    assert lit[-1] == whole
    assert len(set(lit)) > 8


@pytest.mark.parametrize("fps", [25, 60])
def test_the_first_step_lights_up_its_cell_while_the_clock_stops(fps: int) -> None:
    """At any frame rate."""
    made = story(fps=fps)
    beat = beat_of(made, BeatKind.FIRST_STEP)
    shots = [made.timeline.shot_at(frame) for frame in range(beat.start, beat.start + 5)]
    *_, frame = made.draw(shots)
    block = made.layout.blocks[0]
    middle = block.board.y + block.cell // 2, block.board.x + block.cell // 4
    assert tuple(frame.pixels[middle]) == made.theme.trying_cell


@pytest.mark.parametrize(
    ("names", "kind"),
    [
        (["a.mp4"], "story"),
        (["a.gif", "a.mp4"], "story"),
        (["a.gif"], "short"),
        (["a.webp", "a.apng", "a.png"], "short"),
        (["a.png", "a.svg"], "even"),
    ],
)
def test_the_formats_determine_whether_a_story_is_short(names: list[str], kind: str) -> None:
    """Films tell a story, pictures that repeat a short one, single pictures none."""
    assert with_rate(settings_of({}), [Path(name) for name in names]).pace.kind == kind


def test_a_ring_is_whole_though_the_boards_move_while_it_sweeps() -> None:
    """The second of three searches ends on the frame on which the last one's board begins to
    grow."""
    made = story("row-major", "mrv", "mrv+singles", fps=60)
    beat = beat_of(made, BeatKind.SPOTLIGHT)
    block = made.acts[-1].script.layout.blocks[1]
    outer = block.board.inset(-strong_width(block.cell))
    ring = picture_at(made, beat.end + 1)[outer.y : outer.bottom, outer.x : outer.right]
    for side in (ring[0], ring[-1], ring[:, 0], ring[:, -1]):
        assert (side == made.theme.accent).all()
