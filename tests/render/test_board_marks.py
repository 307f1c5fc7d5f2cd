"""What a slow film shows beside the digits: candidates, struck ones, dead ends, failed units."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from render.canvas import Pixels
from render.cells import draw_cell
from render.looks import CellLook, Kind
from render.panels.board import ground_looks
from render.pipeline import Film
from render.reasons import candidates
from render.settings import FilmSettings
from render.theme import load_theme
from render.timeline import Pace
from solver import Op, Puzzle, board_at, search
from tests.puzzles import MEDIUM


def still(strategy: str, step: int, **settings: Any) -> tuple[Film, Pixels]:
    made = Film([search(MEDIUM.grid, strategy)], FilmSettings(width=1280, height=720, **settings))
    *_, frame = made.draw([made.shot_of_step(step)])
    return made, frame.pixels


def cell_of(made: Film, pixels: Pixels, cell: int) -> Pixels:
    block = made.layout.blocks[0]
    x = block.board.x + cell % 9 * block.cell
    y = block.board.y + cell // 9 * block.cell
    return pixels[y : y + block.cell, x : x + block.cell]


@pytest.mark.parametrize("step", [3, 30, 31, 60])
@pytest.mark.parametrize("strategy", ["mrv", "mrv+locked"])
def test_pencil_marks_are_the_candidates_and_struck_ones_what_inference_removed(
    strategy: str, step: int
) -> None:
    made, pixels = still(strategy, step)
    trace = made.traces[0]
    puzzle, board = made.headers[0].puzzle, board_at(trace, step)
    removed: set[tuple[int, int]] = set()
    done = 0
    last = -1
    for op, value, cell in trace.read().tolist():
        if op <= Op.UNDO:
            if done == step:
                break
            done, last = done + 1, cell
        elif op == Op.ELIMINATE:
            removed.add((cell, value))
        else:
            removed.discard((cell, value))
    theme, side = load_theme("dark"), made.layout.blocks[0].cell
    looks = ground_looks(puzzle)
    seen = 0
    for cell in range(81):
        if board[cell] or cell == last:
            continue
        masks = {True: 0, False: 0}
        for value in candidates(puzzle, board, cell):
            masks[(cell, value) in removed] |= 1 << (value - 1)
        look = CellLook(
            Kind.PENCIL,
            left=looks[cell].left,
            top=looks[cell].top,
            candidates=masks[False],
            struck=masks[True],
        )
        assert (cell_of(made, pixels, cell) == draw_cell(look, side, theme)).all()
        seen += 1
    assert seen > 10


def test_a_unit_without_a_place_for_a_value_is_ringed() -> None:
    """After step 6 row 1 of the medium puzzle has no place left for 9."""
    made, pixels = still("row-major", 6)
    ring = load_theme("dark").undoing
    ringed = {
        cell
        for cell in range(81)
        if (cell_of(made, pixels, cell)[-1, made.layout.blocks[0].cell // 2] == ring).all()
    }
    # The cell that is tried has its own ring.
    assert ringed == set(range(9)) - {5}


def test_a_cell_without_candidates_is_crossed_out_whatever_the_speed() -> None:
    grid = "12345678." + "." * 17 + "9" + "." * 54  # r1c9 sees the 9 of r3c9
    puzzle = Puzzle.parse(grid)
    for pace in (Pace(Fraction(1, 30)), Pace(Fraction(1))):
        made = Film([search(puzzle, "row-major")], FilmSettings(pace=pace))
        *_, frame = made.draw([made.timeline.shot_at(0)])
        block = made.layout.blocks[0]
        seen = cell_of(made, frame.pixels, 8)
        expected = draw_cell(CellLook(Kind.PENCIL, top=True), block.cell, load_theme("dark"))
        assert (seen == expected).all()


def test_fast_films_have_no_pencil_marks() -> None:
    made = Film([search(MEDIUM.grid, "mrv")], FilmSettings(pace=Pace(Fraction(1))))
    shots = [made.timeline.shot_at(number) for number in range(100, 110)]
    *_, frame = made.draw(shots)
    empty = draw_cell(CellLook(Kind.EMPTY), made.layout.blocks[0].cell, load_theme("dark"))
    board = board_at(made.traces[0], shots[-1].steps[0])
    looks = ground_looks(made.headers[0].puzzle)
    plain = [
        cell
        for cell in range(81)
        if not board[cell] and not looks[cell].left and not looks[cell].top
    ]
    assert sum(bool((cell_of(made, frame.pixels, c) == empty).all()) for c in plain) > 10
