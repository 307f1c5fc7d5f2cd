"""Films of searches that go on after a solution show what they find."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tests.support.films import make_film
from tests.support.puzzles import MEDIUM, UNSOLVABLE
from undoku import Limits, Outcome
from undoku.render.draw.canvas import Pixels, Rect
from undoku.render.draw.cell_look import CellKind
from undoku.render.draw.easel import Shaped
from undoku.render.draw.shapes import Stroke
from undoku.render.draw.sprites import BoxedText, Cell
from undoku.render.draw.unit_marks import strong_width
from undoku.render.film.film import Film
from undoku.render.playback.player import Player
from undoku.render.timeline.timeline import Pace, Phase, Shot

MANY = MEDIUM.grid[:-2] + "00"
WHOLE = Limits(exhaustive=True)


def film(*strategies: str, puzzle: str = MANY, **settings: Any) -> Film:
    given: dict[str, Any] = {
        "limits": WHOLE, "fps": Fraction(30), "pace": Pace(duration=Fraction(8)),
        "width": 640, "height": 360,
    }  # fmt: skip
    return make_film(*strategies, puzzle=puzzle, **{**given, **settings})


def ring(made: Film, number: int, pixels: Pixels) -> set[tuple[int, ...]]:
    """The colours of the frame around a board."""
    block = made.layout.blocks[number]
    width = strong_width(block.cell)
    outer = block.board.inset(-width)
    frame = pixels[outer.y : outer.bottom, outer.x : outer.right].reshape(-1, 3)
    inside = np.zeros((outer.height, outer.width), bool)
    inside[width:-width, width:-width] = True
    return set(map(tuple, frame[~inside.reshape(-1)].tolist()))


def race(made: Film) -> Iterator[tuple[Shot, list[int], list[set[tuple[int, ...]]]]]:
    """Frames of the race: the shot, the solutions that each search has found, the rings."""
    players = [Player(trace) for trace in made.traces]
    for shot, frame in zip(made.timeline.shots(), made.frames(), strict=True):
        now = zip(players, shot.steps, strict=True)
        found = [player.advance(step).solutions for player, step in now]
        if shot.phase is Phase.RACE:
            rings = [ring(made, number, frame.pixels) for number in range(len(made.traces))]
            yield shot, found, rings


def texts(made: Film, step: int) -> list[BoxedText]:
    return [one for one in drawn(made, step) if isinstance(one, BoxedText)]


def test_a_frame_around_the_board_marks_each_solution_and_disappears() -> None:
    """It is lit on the solution's own frame, and gone half a second after the last."""
    made = film("row-major", "mrv")
    lit, dark = {made.theme.accent}, {made.theme.background}
    before, since, gone = [0, 0], [99, 99], 0
    for shot, counts, rings in race(made):
        for search, (found, shown) in enumerate(zip(counts, rings, strict=True)):
            if shot.steps[search] == made.tallies[search].steps:
                continue  # the frame of a finished board
            since[search] = 0 if found > before[search] else since[search] + 1
            before[search] = found
            if since[search] <= 10:
                assert shown == lit
            elif since[search] > 15:
                assert shown == dark
                gone += found > 0
    assert gone


def test_the_frame_of_solutions_never_flashes_more_than_three_times_a_second() -> None:
    """However fast solutions follow, the frame of each search lights up at most three times a
    second."""
    made = film("row-major", puzzle=MEDIUM.grid[:-4] + "0000", pace=Pace(duration=Fraction(10)))
    assert made.tallies[0].solutions > 10
    levels = [max(map(sum, rings[0])) for _, _, rings in race(made)]
    low, turns = False, list[int]()
    bright, dark = sum(made.theme.accent), sum(made.theme.background)
    for number, level in enumerate(levels):
        if level - dark < (bright - dark) / 2:
            low = True
        elif low:
            low = False
            turns.append(number)
    assert turns
    for first in turns:
        assert sum(first <= other < first + 30 for other in turns) <= 3


def drawn(made: Film, step: int) -> list[Any]:
    _, drawing = made.still(made.shot_of_step(step))
    return list(drawing.drawn)


def test_small_boards_of_the_first_solutions_stay() -> None:
    """Digit by digit, in the order in which they were found, and a number for the others."""
    made = film("mrv", width=1280, height=720)
    box = made.layout.blocks[0].panels["solutions"]
    cells = [one for one in drawn(made, made.timeline.longest) if isinstance(one, Cell)]
    small = [one for one in cells if box.contains(one.rect)]
    assert len(small) % 81 == 0
    shown, total = len(small) // 81, made.tallies[0].solutions
    assert 2 <= shown <= total
    # The cells of the first small board, row by row, are the first solution.
    left = min(one.rect.x for one in small)
    side = small[0].rect.width
    first = [one for one in small if one.rect.x < left + 9 * side]
    ordered = sorted(first, key=lambda one: (one.rect.y, one.rect.x))
    assert tuple(one.look.value for one in ordered) == made.tallies[0].solution
    lines = [one.text for one in texts(made, made.timeline.longest)]
    assert f"{total} solutions found" in lines
    assert shown == total or f"+{total - shown}" in lines


def test_before_the_first_solution_there_are_neither_small_boards_nor_a_number() -> None:
    made = film("mrv", width=1280, height=720)
    box = made.layout.blocks[0].panels["solutions"]
    assert not [one for one in drawn(made, 3) if isinstance(one, Cell) and box.contains(one.rect)]
    assert "0 solutions found" in [one.text for one in texts(made, 3)]


@pytest.mark.parametrize("strategy", ["row-major", "mrv+singles"])
def test_in_the_end_the_board_shows_a_solution_and_says_that_the_whole_tree_was_searched(
    strategy: str,
) -> None:
    """Not the board that the search has emptied; the frame and the words are those of success."""
    made = film(strategy, puzzle=MEDIUM.grid)
    board = made.layout.blocks[0].board
    shown = drawn(made, made.timeline.longest)
    cells = {
        (one.rect.y, one.rect.x): one.look for one in shown
        if isinstance(one, Cell) and board.contains(one.rect)
    }  # fmt: skip
    looks = [look for _, look in sorted(cells.items())]
    assert "".join(str(look.value) for look in looks) == MEDIUM.solution
    assert {look.kind for look in looks} <= {CellKind.GIVEN, CellKind.GUESS, CellKind.FORCED}
    lines = texts(made, made.timeline.longest)
    (message,) = (one for one in lines if one.text.startswith("everything tried: 1 solution"))
    assert message.ink == made.theme.accent
    frame, _ = made.still(made.shot_of_step(made.timeline.longest))
    assert ring(made, 0, frame.pixels) == {made.theme.accent}


def test_a_whole_tree_without_a_solution_says_so_in_the_colour_of_failure() -> None:
    made = film("row-major", puzzle=UNSOLVABLE)
    assert made.tallies[0].outcome is Outcome.EXHAUSTED
    lines = texts(made, made.timeline.longest)
    (message,) = (one for one in lines if one.text.startswith("everything tried: no solution"))
    assert message.ink == made.theme.undoing


def test_solutions_are_leaves_in_the_colour_of_success() -> None:
    """As shapes, and as pixels."""
    small = film("mrv+singles", puzzle=MANY)
    (figure,) = (
        one for one in drawn(small, small.timeline.longest)
        if isinstance(one, Shaped) and one.rect.overlaps(small.layout.blocks[0].panels["tree"])
    )  # fmt: skip
    leaves = [one for one in figure.shapes
              if isinstance(one, Stroke) and one.colour == small.theme.accent
              and len(one.lines[0]) == 1]  # fmt: skip
    assert [len(one.lines) for one in leaves] == [small.tallies[0].solutions]
    large = film("row-major")
    box: Rect = large.layout.blocks[0].panels["tree"]
    frame, _ = large.still(large.shot_of_step(large.timeline.longest))
    seen = frame.pixels[box.y : box.bottom, box.x : box.right]
    lit = (seen == large.theme.accent).all(axis=2).any(axis=0)
    assert 1 <= int((np.diff(lit.astype(int)) == 1).sum()) <= large.tallies[0].solutions


def test_films_of_searches_that_stop_at_the_first_solution_have_no_panel_of_solutions() -> None:
    made = make_film("mrv")
    assert "solutions" not in made.layout.blocks[0].panels
    assert "solutions" in film("mrv").layout.blocks[0].panels
