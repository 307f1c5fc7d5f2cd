"""Boards: their units, their peers, and what makes two of them the same."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import partial
from itertools import pairwise

import pytest
from hypothesis import given

from tests.support.puzzles import boards, puzzles
from undoku.errors import PuzzleError
from undoku.render.draw.look import Look
from undoku.solver.problem.problem import Unit
from undoku.solver.problem.puzzle import Geometry, Puzzle, box_shape, standard_geometry
from undoku.solver.problem.sources import as_puzzle
from undoku.solver.problem.variants import (
    EXTRAS,
    geometry_of,
    geometry_options,
    jigsaw_geometry,
    latin_geometry,
    with_diagonals,
    with_groups,
    with_units,
    with_windows,
)

JIGSAW = "AAAB ACCB DDCB DDCB"


@pytest.mark.parametrize(
    ("size", "shape"),
    [
        (4, (2, 2)),
        (6, (2, 3)),
        (8, (2, 4)),
        (9, (3, 3)),
        (10, (2, 5)),
        (12, (3, 4)),
        (15, (3, 5)),
        (16, (4, 4)),
        (25, (5, 5)),
    ],
)
def test_each_size_has_the_box_that_people_print(size: int, shape: tuple[int, int]) -> None:
    """Every cell is in one row, one column and one box."""
    assert box_shape(size) == shape
    geometry = standard_geometry(size)
    assert geometry.box == shape and len(geometry.units) == 3 * size
    assert geometry.cell_units.shape == (size * size, 3)
    for kind in ("row", "column", "box"):
        cells = [cell for unit in geometry.units if unit.kind == kind for cell in unit.cells]
        assert sorted(cells) == list(range(size * size))


def square(first: int, row: int = 9, column: int = 1) -> tuple[int, ...]:
    """Three by three cells of a board of nine."""
    return tuple(first + row * down + column * across for down in range(3) for across in range(3))


NINE = standard_geometry()


@pytest.mark.parametrize(
    ("geometry", "kind", "cells"),
    [
        # Regions in the order of their first cells.
        (
            jigsaw_geometry(JIGSAW),
            "region",
            [(0, 1, 2, 4), (3, 7, 11, 15), (5, 6, 10, 14), (8, 9, 12, 13)],
        ),
        (with_diagonals(NINE), "diagonal", [tuple(range(0, 81, 10)), tuple(range(72, 0, -8))]),
        # Windows lie one cell in and one apart.
        (with_windows(NINE), "window", [square(first) for first in (10, 14, 46, 50)]),
        # Groups take the same place of every box.
        (
            with_groups(NINE),
            "group",
            [square(first, 27, 3) for first in (0, 1, 2, 9, 10, 11, 18, 19, 20)],
        ),
        (with_units(NINE, [Unit("ring", 7, (0, 40, 80))]), "ring", [(0, 40, 80)]),
        (latin_geometry(5), "box", []),
    ],
)
def test_units_of_a_kind_are_numbered(
    geometry: Geometry, kind: str, cells: list[tuple[int, ...]]
) -> None:
    units = [unit for unit in geometry.units if unit.kind == kind]
    assert [unit.cells for unit in units] == cells
    assert [unit.name for unit in units] == [f"{kind} {n}" for n in range(1, 1 + len(units))]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        *(
            (partial(make, size), "out of range")
            for make in (standard_geometry, latin_geometry, box_shape)
            for size in (-1, 0, 1, 3, 26, 36, 10**9)
        ),
        *((partial(standard_geometry, size), "no rectangular boxes") for size in (5, 7, 11, 23)),
        *((partial(standard_geometry, 9, box), "don't fit") for box in ((2, 4), (-3, -3), (0, 9))),
        *((partial(add, latin_geometry(9)), "need boxes") for add in (with_windows, with_groups)),
        *(
            (partial(jigsaw_geometry, regions), "region|80 cells|square")
            for regions in ("", "AAB", "A" * 16, "AAAA BBBB CCCC DDDA", "ABC" * 3)
        ),
        *(
            (partial(with_units, NINE, [Unit("ring", 1, cells)]), "ring|cell")
            for cells in ((0, 0), (81,), (-1,), tuple(range(10)))
        ),
        (partial(Geometry, 4, (Unit("row", 1, (0, 1, 2, 3)),)), "in no unit"),
    ],
)
def test_an_impossible_board_is_refused(make: Callable[[], object], message: str) -> None:
    with pytest.raises(PuzzleError, match=message):
        make()


def test_regions_that_are_boxes_give_the_standard_board() -> None:
    assert jigsaw_geometry("1122 1122 3344 3344") == standard_geometry(4)
    assert jigsaw_geometry("AABBCC/AABBCC/AABBCC/DDEEFF/DDEEFF/DDEEFF").box == (3, 2)


def test_equal_givens_on_a_diagonal_are_a_clash() -> None:
    givens = (5, *[0] * 79, 5)
    Puzzle(givens)
    with pytest.raises(PuzzleError, match=r"r1c1 and r9c9 both hold 5, which diagonal 1"):
        Puzzle(givens, with_diagonals(standard_geometry()))


def test_adding_what_is_there_changes_nothing_nor_does_the_order_of_adding() -> None:
    crossed = with_diagonals(NINE)
    assert with_diagonals(crossed) is crossed
    assert with_windows(crossed) == with_diagonals(with_windows(NINE))


@given(boards())
def test_options_spell_a_board_exactly(geometry: Geometry) -> None:
    again = geometry_of(geometry_options(geometry))
    assert again == geometry and again.box == geometry.box and hash(again) == hash(geometry)


@given(boards())
def test_a_pickled_board_is_the_same_board(geometry: Geometry) -> None:
    hash(geometry)
    assert pickle.loads(pickle.dumps(geometry)) == geometry


@given(boards())
def test_tables_agree_with_the_units(geometry: Geometry) -> None:
    for cell in range(0, geometry.cells, 7):
        mine = {k for k, unit in enumerate(geometry.units) if cell in unit.cells}
        assert set(geometry.cell_units[cell].tolist()) == mine
        together = {other for k in mine for other in geometry.units[k].cells} - {cell}
        assert geometry.peers[cell] == tuple(sorted(together))
        assert all(one < two for one, two in pairwise(geometry.peers[cell]))


def test_every_cell_knows_its_region() -> None:
    assert standard_geometry(4).region_of.tolist() == [0, 0, 1, 1] * 2 + [2, 2, 3, 3] * 2
    assert jigsaw_geometry(JIGSAW).region_of[:8].tolist() == [0, 0, 0, 1, 0, 2, 2, 1]
    assert set(latin_geometry(5).region_of.tolist()) == {-1}


@pytest.mark.parametrize("change", ["order", "regions", "diagonal", "kind", "box"])
def test_a_board_that_options_cannot_express_is_refused(change: str) -> None:
    board = standard_geometry()
    odd = {
        "order": board.units[::-1],
        "regions": (*board.units[:18], Unit("region", 1, (0, 1, 2))),
        "diagonal": (*board.units, Unit("diagonal", 5, (0, 10))),
        "kind": (*board.units, Unit("a:b", 1, (0, 10))),
        "box": board.units[18:],
    }[change]
    with pytest.raises(PuzzleError, match="can't be expressed"):
        geometry_options(Geometry(9, odd, None if change == "regions" else (3, 3)))


def test_boards_with_other_units_differ() -> None:
    board = standard_geometry()
    made = [board, standard_geometry(6), standard_geometry(6, (3, 2)), latin_geometry(9)]
    made += [add(board) for add in EXTRAS.values()]
    assert len(set(made)) == len(made)


@pytest.mark.parametrize(
    "options",
    [
        {"size": "9"},
        {"size": True},
        {"size": 10**30},
        {"size": 7},
        {"box": [3, 3], "regions": "A" * 81},
        {"box": [3]},
        {"box": "3x3"},
        {"box": [3.0, 3]},
        {"regions": 81},
        {"regions": "A" * 81},
        {"size": 9, "regions": JIGSAW},
        {"extra": "diagonals"},
        {"extra": ["zigzag"]},
        {"extra": [[]]},
        {"extra": 5},
        {"units": [5]},
        {"units": {}},
        {"units": [{"name": "row", "cells": [1]}]},
        {"units": [{"name": "a:b", "cells": [1]}]},
        {"units": [{"name": "ring", "cells": []}]},
        {"units": [{"name": "ring", "cells": [True]}]},
        {"units": [{"name": "ring", "cells": [99]}]},
    ],
)
def test_options_that_make_no_board_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(PuzzleError):
        geometry_of(options)


@given(puzzles())
def test_a_puzzle_holds_its_givens_and_nothing_else(puzzle: Puzzle) -> None:
    assert puzzle.problem.clash(puzzle.givens) is None
    assert len(puzzle.empty_cells) == puzzle.givens.count(0)
    assert puzzle.board.tolist() == list(puzzle.givens)
    assert len(str(puzzle)) == puzzle.problem.cells


def test_values_above_nine_are_letters() -> None:
    geometry = standard_geometry(25)
    assert str(Puzzle((10, 25, *[0] * 623), geometry)).startswith("AP.")


def test_values_make_a_puzzle_on_the_usual_board_of_their_number() -> None:
    assert as_puzzle([0] * 36).problem == standard_geometry(6)
    assert as_puzzle([0] * 81).problem == standard_geometry()
    with pytest.raises(PuzzleError, match="80 cells"):
        as_puzzle([0] * 80)


def test_cells_are_counted_row_by_row_and_have_their_neighbours() -> None:
    """Left, above, right, below; -1 beyond the edge."""
    board = standard_geometry(6)
    assert [board.position(cell) for cell in (0, 5, 6, 35)] == [(0, 0), (0, 5), (1, 0), (5, 5)]
    beside = Look(board).neighbours
    assert beside[0] == (-1, -1, 1, 6)
    assert beside[14] == (13, 8, 15, 20)
    assert beside[35] == (34, 29, -1, -1)
