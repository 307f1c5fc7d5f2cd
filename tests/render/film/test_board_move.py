"""Boards on their way from one layout to the next."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from undoku.render.draw.canvas import Canvas, Rect
from undoku.render.film.board_move import BoardMove, crosses

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
    """A line that both pictures have beside a tall figure that differs is not cut into pieces."""
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
    assert GROUND[0] in shown
    assert len(shown) == 3


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
