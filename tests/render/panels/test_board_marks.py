"""What a slow film shows beside the digits: candidates, struck ones, dead ends, failed units."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from render.drawing.canvas import Pixels
from render.drawing.cells import draw_cell
from render.film import Film
from render.panels.unit_lines import ground_looks
from render.playback.player import Player
from render.playback.reasons import candidates, reason
from render.settings import FilmSettings
from render.style.cell_look import CellLook, Kind
from render.style.theme import load_theme
from render.timing.timeline import Pace
from solver import Header, MemoryTrace, Op, Outcome, Puzzle, board_at, search
from solver.formats import parse_puzzle
from solver.puzzle import Unit, standard_geometry
from solver.variants import with_groups, with_units, with_windows
from tests.support.puzzles import MEDIUM

PUZZLES = Path(__file__).parent.parent.parent.parent / "examples" / "puzzles"


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
    puzzle = parse_puzzle(grid)
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


WINDOWS = parse_puzzle((PUZZLES / "windows.txt").read_text("utf-8"))


Events = Sequence[tuple[int, int, int]]


def drawn(puzzle: Puzzle, events: Events, **settings: Any) -> tuple[Film, Pixels]:
    """The picture after all of these events, with the marks of slow films."""
    trace = MemoryTrace(Header(puzzle), [*events, (Op.GUESS, 1, 0)], Outcome.CAPPED)
    made = Film([trace], FilmSettings(width=1280, height=720, **settings))
    *_, frame = made.draw([made.shot_of_step(len(events))])
    return made, frame.pixels


def dashes(made: Film, pixels: Pixels, cell: int, colour: object) -> set[str]:
    """The sides along which a cell has dashes: pixels of a mark that come and go."""
    seen = (cell_of(made, pixels, cell) == np.array(colour)).all(2)
    edges = {"left": seen[:, 2:6].any(1), "right": seen[:, -3:].any(1),
             "top": seen[2:6].any(0), "bottom": seen[-3:].any(0)}  # fmt: skip
    return {name for name, line in edges.items() if 0.3 < line[8:-8].mean() < 0.8}


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("heat", ["", "overlay"])
def test_windows_are_outlined_by_dashes(theme: str, heat: str) -> None:
    """On the sides on which they end, and nowhere else; whatever the ground tells."""
    made, pixels = drawn(WINDOWS, [], theme=theme, heat=heat)
    windows = [unit for unit in WINDOWS.geometry.units if unit.kind == "window"]
    assert len(windows) == 4
    steps = {"left": -1, "right": 1, "top": -9, "bottom": 9}
    for cell in range(81):
        own = next((unit.cells for unit in windows if cell in unit.cells), ())
        expected = {side for side, step in steps.items() if own and cell + step not in own}
        assert dashes(made, pixels, cell, made.theme.strong_line) == expected


def test_scattered_units_have_tabs_in_places_of_their_own() -> None:
    """Cells of one group have their tab in one place, those of two groups in two."""
    puzzle = Puzzle((0,) * 81, with_groups(standard_geometry()))
    made, pixels = drawn(puzzle, [])
    places: dict[int, set[tuple[int, ...]]] = {}
    for unit in puzzle.geometry.units:
        if unit.kind == "group":
            for cell in unit.cells:
                foot = cell_of(made, pixels, cell)[-1, 6:] == np.array(made.theme.strong_line)
                places.setdefault(unit.index, set()).add(
                    tuple(np.flatnonzero(foot.all(1)).tolist())
                )
    assert all(len(found) == 1 for found in places.values())
    assert len({next(iter(found)) for found in places.values()}) == 9
    assert all(next(iter(found)) for found in places.values())


def test_units_that_overlap_have_an_outline_each() -> None:
    rings = [Unit("ring", 1, (30, 31, 39, 40)), Unit("ring", 2, (40, 41, 49, 50))]
    looks = ground_looks(Puzzle((0,) * 81, with_units(standard_geometry(), rings)))
    assert looks[40].cages == (4 | 8) | (1 | 2) << 4
    assert (looks[30].cages, looks[50].cages) == (1 | 2, (4 | 8) << 4)
    assert not any(look.tabs for look in looks)


def ringed(made: Film, pixels: Pixels) -> set[int]:
    side, ring = made.layout.blocks[0].cell, made.theme.undoing
    return {
        cell for cell in range(81) if (cell_of(made, pixels, cell)[-1, side // 2] == ring).all()
    }


def test_a_window_without_a_place_for_a_value_is_ringed() -> None:
    """9s outside the first window see all of its empty cells; every row, column and box still has
    a place for one."""
    puzzle = Puzzle((0,) * 81, with_windows(standard_geometry()))
    window = puzzle.geometry.units[-4]
    assert window.name == "window 1"
    # The rows 2 and 3 and the column 4 of the window r2c2-r4c4 are taken; r4c2 and r4c3 filled.
    events = [(Op.GUESS, 9, 17), (Op.GUESS, 9, 18), (Op.GUESS, 9, 75),
              (Op.GUESS, 1, 28), (Op.GUESS, 2, 29)]  # fmt: skip
    made, pixels = drawn(puzzle, events)
    assert ringed(made, pixels) == set(window.cells) - {29}


def test_a_short_unit_with_fewer_values_than_cells_is_ringed() -> None:
    """Three cells that may hold two values."""
    pair = Unit("trio", 1, (0, 40, 80))
    events = [
        (Op.GUESS, value, cell)
        for cells in (range(1, 8), (41, 42, 43, 44, 36, 37, 38), range(79, 72, -1))
        for value, cell in zip(range(3, 10), cells, strict=True)
    ]
    plain = Puzzle((0,) * 81, standard_geometry())
    made, pixels = drawn(plain, events)
    assert ringed(made, pixels) == set()
    made, pixels = drawn(Puzzle((0,) * 81, with_units(standard_geometry(), [pair])), events)
    assert ringed(made, pixels) == {0, 40, 80}
    undo = (Op.UNDO, *events[-1][1:])
    undone = Player(MemoryTrace(made.headers[0], [*events, undo], Outcome.CAPPED))
    said = reason(made.headers[0].puzzle, undone.advance(len(events) + 1))
    assert said == "trio 1 has 3 cells for 2 values: back to r9c2"
