"""Boards on their way from one layout to the next."""

from __future__ import annotations

import numpy as np
import pytest

from undoku.render.draw.canvas import Canvas, Rect
from undoku.render.film.board_move import BoardMove, crosses

OLD, NEW = [Rect(4, 8, 32, 32), Rect(52, 8, 32, 32)], [Rect(36, 4, 52, 52), Rect(6, 6, 12, 12)]
GROUND = (10, 20, 30)


def moved(frames: int) -> tuple[list[np.ndarray], np.ndarray, np.ndarray]:
    """The pictures of a move, and those before and after it. Fails if a picture differs
    outside of the reported changes."""
    random = np.random.default_rng(1)
    before, after = random.integers(0, 256, (2, 64, 96, 3), np.uint8)
    canvas = Canvas(96, 64)
    canvas.pixels[:] = before
    move = BoardMove(before.copy(), after.copy(), OLD, NEW, GROUND, frames)
    pictures = [before]
    for frame in range(1, frames + 1):
        done = move.draw(canvas, frame)
        alike = np.ones((64, 96), bool)
        for x, y, width, height in (change.rect for change in canvas.frame().changes):
            alike[y : y + height, x : x + width] = False
        pictures.append(canvas.pixels.copy())
        if frame > 1:
            assert np.array_equal(pictures[-1][alike], pictures[-2][alike])
        if done:
            break
    return pictures[1:], before, after


@pytest.mark.parametrize("frames", [36, 12, 1])
def test_a_move_has_a_picture_for_each_frame_and_ends_with_the_new_one(frames: int) -> None:
    pictures, _, after = moved(frames)
    assert len(pictures) == frames
    assert np.array_equal(pictures[-1], after)
    assert all(not np.array_equal(picture, after) for picture in pictures[:-1])
    assert len({picture.tobytes() for picture in pictures}) >= 0.7 * frames


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
