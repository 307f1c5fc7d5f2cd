"""The header of a recorded trace: what it may say, and how a wrong one is refused."""

from __future__ import annotations

import io
import json

import pytest

from solver.errors import TraceError
from solver.puzzle import Geometry, Puzzle, Unit, standard_geometry
from solver.trace import Header
from solver.tracefile import StreamTrace, parse_header
from solver.tracefile.header import header_object


@pytest.mark.parametrize(
    ("header", "says"),
    [
        ("", "the header is missing"),
        ("\n", "the header is missing"),
        ("53..7\n", "the header is no JSON object"),
        ("[1]\n", "the header is no JSON object"),
        ('{"undoku":1\n', "the header is no JSON object"),
        ("{}\n", 'does not say "undoku":1'),
        ('{"undoku":true}\n', 'does not say "undoku":1'),
        ('{"undoku":2}\n', "version 2 of the trace format"),
        ('{"undoku":1}\n', 'no text "givens"'),
        ('{"undoku":1,"size":3,"givens":""}\n', "size 3 is not a number from 4 to 25"),
        ('{"undoku":1,"size":"9","givens":""}\n', "size '9' is not a number"),
        ('{"undoku":1,"size":1e99,"givens":""}\n', "size 1e+99 is not a number"),
        ('{"undoku":1,"size":4,"box":[2,3],"givens":""}\n', "boxes of 2×3 cells"),
        ('{"undoku":1,"size":4,"box":[-2,-2],"givens":""}\n', "is not [rows, columns]"),
        ('{"undoku":1,"size":4,"box":4,"givens":""}\n', "box 4 is not [rows, columns]"),
        ('{"undoku":1,"size":7,"givens":""}\n', "no rectangular boxes"),
        ('{"undoku":1,"size":4,"givens":"123"}\n', "3 cells, but a board of size 4 has 16"),
        ('{"undoku":1,"size":4,"givens":"12345..........."}\n', "r2c1 holds 5"),
        ('{"undoku":1,"size":4,"givens":"1x.............."}\n', "givens hold 'x'"),
        ('{"undoku":1,"size":4,"givens":"11.............."}\n', "r1c1 and r1c2 both hold 1"),
        ('{"undoku":1,"size":4,"givens":"................","title":7}\n', "title 7 is no text"),
        (
            '{"undoku":1,"size":4,"givens":"................","title":"a\\u0000b"}\n',
            "no text of printable characters",
        ),
        (
            '{"undoku":1,"size":4,"givens":"................","exhaustive":1}\n',
            "exhaustive 1 is neither true nor false",
        ),
        (
            '{"undoku":1,"size":4,"units":[],"givens":"................"}\n',
            "cell 0 is in no unit",
        ),
        (
            '{"undoku":1,"size":4,"units":[{"cells":[1,1]}],"givens":"................"}\n',
            "unit 1 does not hold 1 to 4 different cells",
        ),
        (
            '{"undoku":1,"size":4,"units":[{"cells":[16]}],"givens":"................"}\n',
            "unit 1 names cell 16",
        ),
    ],
)
def test_a_header_that_is_wrong_is_refused_with_what_is_wrong(header: str, says: str) -> None:
    with pytest.raises(TraceError) as caught:
        StreamTrace(io.BytesIO(header.encode()), "t.jsonl")
    assert says in str(caught.value)
    assert caught.value.place is not None
    assert caught.value.place.line == 1


def test_a_board_with_other_units_than_rows_columns_and_boxes_keeps_them_in_the_header() -> None:
    plain = standard_geometry(4)
    diagonal = Unit("diagonal", 1, (0, 5, 10, 15))
    geometry = Geometry(4, (*plain.units, diagonal), (2, 2))
    latin = Geometry(4, plain.units[:8])
    for board in (plain, geometry, latin):
        header = Header(Puzzle((0,) * 16, board))
        assert parse_header(json.dumps(header_object(header)), "t").puzzle.geometry == board


@pytest.mark.parametrize("size", [4, 6, 8, 9, 10, 12, 15, 16, 25])
def test_boards_of_all_sizes_are_told_by_size_box_and_givens(size: int) -> None:
    givens = (size,) + (0,) * (size * size - 2) + (size - 1,)
    header = Header(Puzzle(givens, standard_geometry(size)), "mrv", "a title", exhaustive=True)
    content = header_object(header)
    assert "units" not in content
    assert parse_header(json.dumps(content), "t") == header


def test_givens_may_be_written_with_small_letters_and_zeros() -> None:
    capital = "G" + "." * 254 + "A"
    line = json.dumps({"undoku": 1, "size": 16, "givens": capital.lower().replace(".", "0")})
    assert str(parse_header(line, "t").puzzle) == capital
