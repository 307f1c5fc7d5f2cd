"""Boards: their units, their peers, and what makes two of them the same."""

from __future__ import annotations

import pickle
from itertools import pairwise

import pytest
from hypothesis import given

from tests.support.random_puzzles import SIZES, boards, puzzles
from undoku.errors import PuzzleError
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
    assert box_shape(size) == shape
    geometry = standard_geometry(size)
    assert geometry.box == shape and len(geometry.units) == 3 * size


@pytest.mark.parametrize("size", SIZES)
def test_every_cell_is_in_one_row_one_column_and_one_box(size: int) -> None:
    geometry = standard_geometry(size)
    assert geometry.cell_units.shape == (size * size, 3)
    for kind in ("row", "column", "box"):
        cells = [cell for unit in geometry.units if unit.kind == kind for cell in unit.cells]
        assert sorted(cells) == list(range(size * size))


@pytest.mark.parametrize("size", [-1, 0, 1, 3, 26, 36, 10**9])
def test_a_size_out_of_range_is_refused(size: int) -> None:
    for make in (standard_geometry, latin_geometry, box_shape):
        with pytest.raises(PuzzleError, match="out of range"):
            make(size)


@pytest.mark.parametrize("size", [5, 7, 11, 13, 23])
def test_a_prime_size_has_no_boxes(size: int) -> None:
    with pytest.raises(PuzzleError, match="no rectangular boxes"):
        standard_geometry(size)


def test_boxes_that_do_not_fit_are_refused() -> None:
    for box in ((2, 4), (-3, -3), (0, 9)):
        with pytest.raises(PuzzleError, match="don't fit"):
            standard_geometry(9, box)


def test_a_latin_square_has_rows_and_columns_alone() -> None:
    geometry = latin_geometry(5)
    assert {unit.kind for unit in geometry.units} == {"row", "column"}
    assert len(geometry.peers[12]) == 8 and geometry.box is None


def test_regions_are_units_in_the_order_of_their_first_cells() -> None:
    regions = [unit for unit in jigsaw_geometry(JIGSAW).units if unit.kind == "region"]
    assert [unit.cells for unit in regions] == [
        (0, 1, 2, 4),
        (3, 7, 11, 15),
        (5, 6, 10, 14),
        (8, 9, 12, 13),
    ]
    assert regions[0].name == "region 1"


def test_regions_that_are_boxes_give_the_standard_board() -> None:
    assert jigsaw_geometry("1122 1122 3344 3344") == standard_geometry(4)
    assert jigsaw_geometry("AABBCC/AABBCC/AABBCC/DDEEFF/DDEEFF/DDEEFF").box == (3, 2)


@pytest.mark.parametrize("regions", ["", "AAB", "A" * 16, "AAAA BBBB CCCC DDDA", "ABC" * 3])
def test_regions_of_the_wrong_number_or_size_are_refused(regions: str) -> None:
    with pytest.raises(PuzzleError):
        jigsaw_geometry(regions)


def test_diagonals_cross_in_the_middle() -> None:
    units = with_diagonals(standard_geometry()).units[27:]
    assert [unit.name for unit in units] == ["diagonal 1", "diagonal 2"]
    assert units[0].cells[:2] == (0, 10) and units[1].cells[:2] == (72, 64)
    assert set(units[0].cells) & set(units[1].cells) == {40}


def test_equal_givens_on_a_diagonal_are_a_clash() -> None:
    givens = (5, *[0] * 79, 5)
    Puzzle(givens)
    with pytest.raises(PuzzleError, match=r"r1c1 and r9c9 both hold 5, but diagonal 1"):
        Puzzle(givens, with_diagonals(standard_geometry()))


def test_windows_lie_one_cell_in_and_one_apart() -> None:
    windows = with_windows(standard_geometry()).units[27:]
    assert [unit.cells[0] for unit in windows] == [10, 14, 46, 50]
    assert windows[0].cells == (10, 11, 12, 19, 20, 21, 28, 29, 30)
    assert len(with_windows(standard_geometry(16)).units) == 48 + 9


def test_groups_take_the_same_place_of_every_box() -> None:
    groups = with_groups(standard_geometry()).units[27:]
    assert len(groups) == 9 and groups[0].cells == (0, 3, 6, 27, 30, 33, 54, 57, 60)


def test_additional_units_define_peers_like_any_other() -> None:
    geometry = with_units(standard_geometry(), [Unit("ring", 7, (0, 40, 80))])
    assert 40 in geometry.peers[0] and geometry.units[-1].name == "ring 1"


def test_adding_what_is_there_changes_nothing() -> None:
    crossed = with_diagonals(standard_geometry())
    assert with_diagonals(crossed) is crossed


def test_the_order_of_adding_does_not_matter() -> None:
    board = standard_geometry()
    assert with_windows(with_diagonals(board)) == with_diagonals(with_windows(board))


def test_windows_and_groups_need_boxes() -> None:
    for add in (with_windows, with_groups):
        with pytest.raises(PuzzleError, match="need boxes"):
            add(latin_geometry(9))


@pytest.mark.parametrize(
    "cells", [(0, 0), (81,), (-1,), tuple(range(10))], ids=["twice", "off", "minus", "ten"]
)
def test_an_impossible_unit_is_refused(cells: tuple[int, ...]) -> None:
    with pytest.raises(PuzzleError):
        with_units(standard_geometry(), [Unit("ring", 1, cells)])


def test_a_cell_without_a_unit_is_refused() -> None:
    with pytest.raises(PuzzleError, match="in no unit"):
        Geometry(4, (Unit("row", 1, (0, 1, 2, 3)),))


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
    assert puzzle.geometry.clash(puzzle.givens) is None
    assert len(puzzle.empty_cells) == puzzle.givens.count(0)
    assert puzzle.board.tolist() == list(puzzle.givens)
    assert len(str(puzzle)) == puzzle.geometry.cells


def test_values_above_nine_are_letters() -> None:
    geometry = standard_geometry(25)
    assert str(Puzzle((10, 25, *[0] * 623), geometry)).startswith("AP.")


def test_values_make_a_puzzle_on_the_usual_board_of_their_number() -> None:
    assert as_puzzle([0] * 36).geometry == standard_geometry(6)
    assert as_puzzle([0] * 81).geometry == standard_geometry()
    with pytest.raises(PuzzleError, match="80 cells"):
        as_puzzle([0] * 80)


def test_cells_are_counted_row_by_row_and_have_their_neighbours() -> None:
    """Left, above, right, below; -1 beyond the edge."""
    board = standard_geometry(6)
    assert [board.position(cell) for cell in (0, 5, 6, 35)] == [(0, 0), (0, 5), (1, 0), (5, 5)]
    assert board.neighbours(0) == (-1, -1, 1, 6)
    assert board.neighbours(14) == (13, 8, 15, 20)
    assert board.neighbours(35) == (34, 29, -1, -1)
