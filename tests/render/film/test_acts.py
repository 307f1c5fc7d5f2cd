"""A story on the screen: what moves, what is dimmed, and what its clock says."""

from __future__ import annotations

import tracemalloc
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from tests.support.amounts import long
from tests.support.films import act_at, beat_of, film_of
from undoku import board_at
from undoku.render.delivery.outputs import with_rate
from undoku.render.draw.canvas import Canvas, Pixels, Rect
from undoku.render.draw.cell_look import CellKind
from undoku.render.draw.easel import Easel
from undoku.render.draw.look import Look
from undoku.render.draw.sprites import Cell
from undoku.render.draw.unit_marks import strong_width
from undoku.render.film.acts import Acts
from undoku.render.film.board_move import BoardMove, crosses
from undoku.render.film.film import Film
from undoku.render.panels.title_and_footer import speed_text
from undoku.render.settings.settings import settings_of
from undoku.render.timeline.beats import EXPLAINING, BeatKind


@cache
def story(*strategies: str, **given: object) -> Film:
    names = strategies or ("row-major", "mrv")
    return film_of(*names, **{"size": "640x360", "fps": 30, **given})  # type: ignore[arg-type]


def shown(made: Film, *frames: int) -> list[Pixels]:
    """The pictures of some frames, in order."""
    shots = [made.timeline.shot_at(frame) for frame in frames]
    return [frame.pixels.copy() for frame in made.draw(shots)]


def part(pixels: Pixels, box: Rect) -> Pixels:
    return pixels[box.y : box.bottom, box.x : box.right]


@pytest.mark.parametrize("size", ["640x360", "360x640"])
def test_boards_move_from_one_layout_to_the_next_and_arrive(size: str) -> None:
    """The last picture on the way is the first of the new layout; no picture jumps."""
    made = story(size=size)
    beat = beat_of(made, BeatKind.LAPS)
    laps = act_at(made, beat.start)
    assert laps.start == beat.start
    assert 0 < laps.moving <= made.timeline.fps * 0.6
    pictures = shown(made, *range(beat.start - 1, laps.start + laps.moving + 1))
    act = laps._replace(start=0, moving=0)
    alone = Acts([act]).play(made.traces, [made.timeline.shot_at(beat.start)])
    assert np.array_equal(next(alone).pixels, pictures[-2])
    wide = [picture.astype(int) for picture in pictures[:-1]]
    steps = [abs(after - before).mean() for before, after in pairwise(wide)]
    assert sum(step > 0 for step in steps) >= 0.8 * len(steps)
    assert max(steps) < abs(wide[-1] - wide[0]).mean()


def test_only_the_board_that_a_beat_is_about_is_lit() -> None:
    """The other one has 35 % of its contrast to the background, its name as well."""
    made = story()
    background = np.array(made.theme.background, int)
    first = made.timeline.beats[4].start
    (even,) = shown(made, beat_of(made, BeatKind.QUESTION).start)
    for kind in EXPLAINING[:3]:
        beat = beat_of(made, kind)
        assert beat.kind is kind and beat.start >= first
        (picture,) = shown(made, beat.end - 1)
        for number, block in enumerate(act_at(made, beat.start).script.layout.blocks):
            strengths = [
                abs(part(pixels, block.name).astype(int) - background).max()
                for pixels in (picture, even)
            ]
            share = strengths[0] / strengths[1]
            assert share == pytest.approx(1 if number == beat.subject else 0.35, abs=0.02)


def test_all_pictures_of_a_transition_but_the_last_may_be_inexact() -> None:
    """Also where boards stay, as before an explanation."""
    made = story()
    act = act_at(made, beat_of(made, EXPLAINING[0]).start)
    frames = range(act.start - 1, act.start + act.moving)
    drawn = made.draw(made.timeline.shot_at(frame) for frame in frames)
    expected = [False, *[True] * (act.moving - 1), False]
    assert [frame.passing for frame in drawn] == expected


def test_the_rewind_empties_the_boards_from_the_last_cell_to_the_first() -> None:
    """Cells that are empty stay empty; at its end the boards have their givens alone."""
    made = story(fps=60)
    beat = beat_of(made, BeatKind.REWIND)
    frames = range(beat.start - 1, beat.end)
    pictures = shown(made, *frames)[1:]
    (givens,) = shown(made, beat_of(made, BeatKind.QUESTION).start)
    for header, block, trace in zip(made.headers, made.layout.blocks, made.traces, strict=True):
        squares = Look(header.puzzle.problem).squares(block.board.x, block.board.y, block.cell)
        places = [Rect(square.x, square.y, block.cell, block.cell) for square in squares]
        inside = [place.inset(4) for place in places]
        empty: list[set[int]] = [
            {
                cell
                for cell in header.puzzle.empty_cells
                if np.array_equal(part(picture, inside[cell]), part(givens, inside[cell]))
            }
            for picture in pictures
        ]
        assert all(before <= after for before, after in pairwise(empty))
        assert empty[-1] == set(header.puzzle.empty_cells)
        assert len(empty[0]) < 8
        # The cells that are filled last are emptied first.
        order = dict.fromkeys(cell for op, _, cell in trace.read().tolist()[::-1] if op <= 2)
        late = [cell for cell in order if cell in empty[len(empty) // 3]]
        ranks = [list(order).index(cell) for cell in late]
        assert len(ranks) > 4
        assert sorted(ranks)[len(ranks) // 2] < len(order) / 2


@pytest.mark.parametrize("names", [("row-major", "mrv"), long(("mrv",))])
def test_boards_of_fast_passages_are_real_boards(names: tuple[str, ...]) -> None:
    """All digits of a picture belong to one state of the search, reached on one of the frames of
    the last fifth of a second; so no digit is twice in a unit."""
    made = story(*names, fps=20)
    timeline, turn = made.timeline, 4
    easel = Easel(made.settings.width, made.settings.height, made.theme)
    shots = [*map(timeline.shot_at, range(timeline.intro, timeline.intro + timeline.race))]
    seen = warm = 0
    for shot, _ in zip(shots, made.draw(shots, easel), strict=False):
        if shot.start % 3:
            continue
        cells = [one for one in easel.drawing().drawn if isinstance(one, Cell)]
        for number, block in enumerate(made.layout.blocks):
            own = {
                (one.rect.y - block.board.y) // block.cell * 9
                + (one.rect.x - block.board.x) // block.cell: one.look
                for one in cells if block.board.contains(one.rect)
            }  # fmt: skip
            kinds = {look.kind for look in own.values()}
            if CellKind.GHOST not in kinds:
                continue
            whens = range(shot.start, max(timeline.intro, shot.start - turn) - 1, -1)
            states = [board_at(made.traces[number], timeline.shot_at(at).steps[number])
                      for at in whens]  # fmt: skip
            assert any(
                all(look.value == board[cell] for cell, look in own.items()) for board in states
            ), shot
            seen += 1
            warm += CellKind.GHOST in kinds
        if seen > 20:
            break
    assert seen and warm


def test_the_speed_that_is_shown_is_the_speed_of_the_clock() -> None:
    made = story(fps=60)
    timeline = made.timeline
    reported = set()
    for stretch in timeline.stretches:
        frame = timeline.intro + stretch.start
        beat = timeline.beat_at(frame)
        if stretch.steps and beat and beat.kind not in EXPLAINING:
            text = speed_text(timeline, frame)
            number = float(text.split()[0].replace(",", ""))
            exact = stretch.steps / (stretch.frames / 60)
            assert abs(number - exact) <= 0.5
            reported.add(text)
    assert len(reported) > 10


def test_a_ring_sweeps_around_the_board_that_is_solved() -> None:
    """From nothing to all of it, never less than before."""
    made = story()
    block, finish = made.layout.blocks[1], beat_of(made, BeatKind.FINISH)
    width = strong_width(block.cell)
    outer = block.board.inset(-width)
    lit = []
    for pixels in shown(made, *range(finish.start - 1, finish.start + 14)):
        ring = part(pixels, outer)
        ring[width:-width, width:-width] = 0
        lit.append(int((ring == made.theme.accent).all(2).sum()))
    whole = 2 * width * (outer.width + outer.height - 2 * width)
    assert lit == sorted(lit)
    assert lit[0] < 0.1 * whole
    assert lit[-1] == whole
    assert len(set(lit)) > 8


def test_a_ring_is_whole_though_the_boards_move_while_it_sweeps() -> None:
    """The second of three searches ends on the frame on which the last one's board begins to
    grow."""
    made = story("row-major", "mrv", "mrv+singles", fps=30)
    beat = beat_of(made, BeatKind.LAPS)
    block = act_at(made, beat.start).script.layout.blocks[1]
    *_, last = shown(made, *range(beat.start - 30, beat.end))
    ring = part(last, block.board.inset(-strong_width(block.cell)))
    for side in (ring[0], ring[-1], ring[:, 0], ring[:, -1]):
        assert (side == made.theme.accent).all()


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


# Boards on their way from one layout to the next.


OLD, NEW = [Rect(4, 8, 32, 32), Rect(52, 8, 32, 32)], [Rect(36, 4, 52, 52), Rect(6, 6, 12, 12)]
GROUND = (10, 20, 30)


def test_while_boards_move_nothing_else_is_visible() -> None:
    """Also not what both pictures show: letters of two texts may have pixels in common."""
    before, after = np.full((2, 64, 96, 3), GROUND, np.uint8)
    before[60:, :3], after[60:, 3:6] = 250, 240
    after[60:, 6:8] = before[60:, 6:8] = 200
    canvas = Canvas(96, 64)
    canvas.pixels[:] = before
    move = BoardMove(before.copy(), after.copy(), OLD, NEW, GROUND, 60)
    for frame in range(1, 60):
        move.draw(canvas, frame)
        assert (canvas.pixels[63, :6] == GROUND).all()
    assert move.draw(canvas, 60)
    assert (canvas.pixels == after).all()


@pytest.mark.parametrize(
    ("old", "new", "crossing"),
    [
        ([(0, 0), (50, 0)], [(0, 40), (50, 40)], False),
        ([(0, 0), (50, 0)], [(50, 0), (0, 0)], True),
    ],
)
def test_boards_cross_if_they_would_cover_each_other_on_the_way(
    old: list[tuple[int, int]], new: list[tuple[int, int]], *, crossing: bool
) -> None:
    places = ([Rect(x, y, 30, 30) for x, y in each] for each in (old, new))
    assert crosses(*places) == crossing


def test_what_fades_disappears_as_a_whole() -> None:
    """A line that both pictures have beside a tall figure that differs is not cut into pieces. It
    is half as bright in the old picture and then in the new one."""
    before, after = np.full((2, 300, 96, 3), GROUND, np.uint8)
    before[:, 90] = after[:, 90] = 200
    before[20, :], before[30::10, :4] = 250, 250
    canvas = Canvas(96, 300)
    canvas.pixels[:] = before
    move = BoardMove(before.copy(), after.copy(), [], [], GROUND, 60)
    shown = set()
    for frame in range(1, 60):
        move.draw(canvas, frame)
        (shade,) = np.unique(canvas.pixels[30:290, 90, 0])
        shown.add(int(shade))
    assert len(shown) == 2
    assert GROUND[0] not in shown  # the picture is never dark


@pytest.mark.parametrize("boards", [0, 2])
def test_a_transition_needs_less_memory_than_one_more_picture(boards: int) -> None:
    """Of 3840x2160, a picture has 25 MB."""
    canvas = Canvas(960, 640)
    before, after = canvas.pixels.copy(), np.full_like(canvas.pixels, 200)
    old, new = (
        [Rect(*(10 * side for side in board)) for board in boards_of[:boards]]
        for boards_of in (OLD, NEW)
    )
    tracemalloc.start()
    try:
        move = BoardMove(before, after, old, new, GROUND, 15)
        for frame in range(1, 16):
            move.draw(canvas, frame)
        assert tracemalloc.get_traced_memory()[1] < canvas.pixels.nbytes
    finally:
        tracemalloc.stop()
