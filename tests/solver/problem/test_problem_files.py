"""Problems by name and from files: what they say, what they refuse, and how they are written."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path

import pytest

from tests.support.amounts import long
from tests.support.puzzles import collection_text
from tests.support.system import ROOT, peak_of
from undoku.errors import PuzzleError, ReadError
from undoku.render.draw.look import Look
from undoku.solver.problem.appearance import Form
from undoku.solver.problem.problem import MAX_UNITS_OF_A_CELL, Problem, Unit
from undoku.solver.problem.problem_content import problem_of, problem_options
from undoku.solver.problem.problem_file import puzzle_of
from undoku.solver.problem.puzzle import Puzzle, standard_geometry
from undoku.solver.problem.sources import (
    FORMATS,
    collection,
    is_literal,
    parse_puzzle,
    read,
    readings,
    write,
)
from undoku.solver.problem.variants import with_diagonals
from undoku.solver.trace.recorded import holds_trace, open_trace
from undoku.solver.trace.replay import state_at
from undoku.solver.trace.search_trace import Limits, search
from undoku.solver.trace.subjects import traces_of
from undoku.solver.trace.tracer import Tracer
from undoku.texts.wording import solution_text

EXAMPLES = [
    f"graph:{path}:3" if path.suffix == ".col" else str(path)
    for path in sorted((ROOT / "examples" / "problems").iterdir())
]
NAMES = ("queens:1", "queens:8:a1,c5", "map:australia", "map:usa:3", *EXAMPLES)


@pytest.mark.parametrize("name", NAMES)
def test_a_problem_survives_its_file_and_the_options_of_a_header(name: str) -> None:
    puzzle = read(name)
    for again in (
        parse_puzzle(write(puzzle, "problem")),
        Puzzle(
            puzzle.givens,
            problem_of(json.loads(json.dumps(problem_options(puzzle.problem)))),
            puzzle.title,
        ),
    ):
        assert again == puzzle and again.title == puzzle.title
        assert again.problem.variables == puzzle.problem.variables
        assert again.problem.appearance == puzzle.problem.appearance
        units = again.problem.units
        assert [unit.name for unit in units] == [unit.name for unit in puzzle.problem.units]


def test_a_board_has_the_options_that_it_had() -> None:
    board = with_diagonals(standard_geometry(4))
    assert problem_of(problem_options(board)) == board
    with pytest.raises(PuzzleError, match="write it as grid"):
        write(Puzzle((0,) * 16, board), "problem")
    for name in ("grid", "sdm", "list"):
        with pytest.raises(PuzzleError, match="write it as problem"):
            write(read("queens:4"), name)


def test_fields_of_queens_are_named_as_in_a_spreadsheet() -> None:
    assert read("queens:8:c1, A5").givens == (3, 0, 0, 0, 1, 0, 0, 0)
    problem = read("queens:3").problem
    assert problem.appearance.form is Form.FIELDS
    assert problem.fields(1) == ((1, 0), (1, 1), (1, 2))
    assert solution_text(problem, (1, 2, 3)) == "row 1 a, row 2 b, row 3 c"
    assert is_literal("queens:8") and not is_literal("castles:8")


def test_areas_of_a_picture_that_touch_have_a_border() -> None:
    puzzle = parse_puzzle("values = 2\npicture = '''\na a .\nb . c\n'''\n")
    problem = puzzle.problem
    assert [(unit.kind, unit.cells) for unit in problem.units] == [
        ("alone", (2,)),
        ("border", (0, 1)),
    ]
    assert (problem.appearance.form, problem.extent) == (Form.REGIONS, (2, 3))
    assert [variable.place for variable in problem.variables] == [(0, 0), (1, 0), (1, 2)]


def test_rows_and_columns_are_the_variables_of_a_board(tmp_path: Path) -> None:
    text = 'rows = 2\ncolumns = 3\nvalues = 2\npairs = [["r1c1", "r2c3"]]\ngivens = {r1c2 = 2}'
    puzzle = parse_puzzle(text)
    assert puzzle.problem.appearance.form is Form.GRID and puzzle.problem.extent == (2, 3)
    assert puzzle.givens == (0, 2, 0, 0, 0, 0) and puzzle.problem.peers[0] == (5,)
    assert solution_text(puzzle.problem, (1, 2, 1, 2, 0, 1)) == "1212.1"
    board = tmp_path / "board.json"  # no trace without a header
    board.write_text('{"rows": 2, "columns": 3, "values": 2, "pairs": [["r1c1", "r2c3"]]}')
    assert traces_of([str(board), "mrv"])[0].header.puzzle.problem == puzzle.problem
    tour = parse_puzzle('{"rows": 2, "columns": 5, "values": 10}').problem
    assert tour.is_free and Look(tour).symbols[8:] == ("9", "10")
    assert solution_text(tour, (10, *[0] * 8, 2)) == "\n 10  .  .  .  .\n  .  .  .  .  2"
    maze = parse_puzzle('{"rows": 2, "columns": 3, "values": ["●", "█"]}').problem
    assert solution_text(maze, (1, 2, 2, 1, 0, 2)) == "\n●██\n●.█"


def test_pairs_exclude_the_differences_that_they_name() -> None:
    """b is not below a, nor the same, nor one above; c is 2 or 3."""
    content = {
        "values": 4,
        "variables": ["a", "b", "c"],
        "pairs": [["a", "b", [-3, -2, -1, 0, 1]]],
        "domains": {"c": [2, 3]},
    }
    found = {(a, b, c) for a in range(1, 5) for b in range(a + 2, 5) for c in (2, 3)}
    for strategy in ("row-major", "mrv", "row-major/descending", "mrv/random:4+cbj", "spiral"):
        trace = search(puzzle_of(content, "test"), strategy, Limits(exhaustive=True))
        tally = trace.tally()
        assert tally.solutions == len(found)
        replayed = state_at(trace, tally.places + tally.undos)
        assert (replayed.solutions, replayed.guessed) == (tally.solutions, tally.guessed)
    assert puzzle_of(content, "test").problem.candidates([0, 3, 0]) == [0b0001, 0b0100, 0b0110]


BASE = 'values = 3\nvariables = ["a", "b", "c"]\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("variables = 3", r"values: there are no values; give 1 to 25 values"),
        ("variables = 3\nvalues = 26", "26 values; give 1 to 25 values"),
        ("variables = 1001\nvalues = 2", "1,001 variables; give 1 to 1,000 variables"),
        (
            'variables = ["a", "a"]\nvalues = 2',
            r"variables\[1\], line 1, column 1: 'a' is there twice",
        ),
        ('variables = ["a", 2]\nvalues = 2', r"variables\[1\], line 1, column 1: 2 is not a name"),
        (BASE + "domain = 3", "there is no key 'domain'; did you mean domains"),
        (BASE + "pairs = 3", "pairs, line 3, column 1: 3 is not a list of pairs"),
        (BASE + 'pairs = [["a", "d"]]', r"pairs\[0\], line 3, column 1: there is no variable 'd'"),
        (BASE + 'pairs = [["a", "a"]]', r"pairs\[0\], line 3, column 1: pair has a cell twice"),
        (BASE + 'pairs = [["a", "b", [3]]]', "3 values differ by -2 to 2"),
        (
            BASE + 'different = [["a", "b"], []]',
            r"different\[1\], line 3, column 1: \[\] is not a list of variables",
        ),
        (BASE + 'values = 2\ndifferent = [["a"]]', "not valid TOML"),
        (BASE + "domains = { a = [4] }", r"domains\.a, line 3, column 13: there is no value 4"),
        (
            BASE + "givens = { a = 1, b = 1 }\npairs = [['a', 'b']]",
            "givens, line 3, column 1: a and b both hold 1",
        ),
        (BASE + "domains = { a = [1] }\ngivens = { a = 2 }", "a can't take 2"),
        (BASE + "positions = { a = [0, 0] }", "positions, line 3, column 1: b has no position"),
        (
            BASE + "positions = { a = [0, 0], b = [0, 0.0], c = [1, 1] }",
            "positions, line 3, column 1: two variables have the same position",
        ),
        (
            BASE + "positions = { a = [0, -1] }",
            r"positions\.a, line 3, column 15: \[0, -1\] is not a row and a column",
        ),
        (BASE + 'form = "cube"', "there is no form 'cube'; choose grid"),
        (BASE + 'form = "regions"', "regions and a picture need each other"),
        (
            'values = 2\nvariables = ["a"]\npicture = "a b"',
            "b is not in both variables and picture",
        ),
        ('{"variables": 3, "values": ', "not valid JSON"),
        ("rows = 3\nvalues = 2", "rows, line 1, column 1: a board of 3×0 cells; give rows and col"),
        ("rows = 9\ncolumns = 999\nvalues = 2", "9×999 cells; .*at most 1,000 cells"),
        (BASE + "rows = 2\ncolumns = 2", "variables.*: rows and columns are there in place of var"),
        ("queens:0", "'0' is not a number of queens; write queens:8"),
        ("queens:8:i1", "no field 'i1'.*a1 to h8"),
        ("queens:8:a1,b1", "row 1 is given two queens"),
        ("queens:8:a1,b2", "row 1 and row 2 hold a and b, which diagonal 2 excludes"),
        ("map:austria", "no map called 'austria'; did you mean australia"),
        ("map:usa:none", "'none' is not a number of colours"),
        ("graph:file.col", "number of colours is missing; write graph:file.col:3"),
    ],
)
def test_a_wrong_problem_is_refused_with_the_place_and_the_remedy(text: str, message: str) -> None:
    with pytest.raises(PuzzleError, match=message):
        parse_puzzle(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("e 1 2\n", "line 1.*no line of a DIMACS graph"),
        (
            "p edge 3 1\ne 1 4\n",
            "line 2.*joins no two of 3 nodes; name two different nodes, 1 to 3",
        ),
        (
            "p edge 3 1\ne 2 2\n",
            "line 2.*joins no two of 3 nodes; name two different nodes, 1 to 3",
        ),
        ("p edge 9999 1\n", "line 1.*9,999 nodes is too large"),
        ("c nothing\n", "no line p edge"),
    ],
)
def test_a_wrong_graph_is_refused(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "wrong.col").write_text(text)
    with pytest.raises(PuzzleError, match=message):
        read(f"graph:{tmp_path / 'wrong.col'}:3")


def test_a_graph_without_edges_and_a_single_queen_are_searched(tmp_path: Path) -> None:
    (tmp_path / "apart.col").write_text("p edge 5 0\n")
    tally = search(read(f"graph:{tmp_path / 'apart.col'}:3"), "mrv").tally()
    assert tally.solution == (1,) * 5
    assert traces_of([f"graph:{tmp_path / 'apart.col'}:2", "queens:1", "mrv"])


def test_a_node_may_have_as_many_edges_as_there_are_nodes(tmp_path: Path) -> None:
    """All others are joined with the first and the last one: a clash of it with any is noticed."""
    (tmp_path / "wheel.col").write_text(
        "p edge 100 197\n"
        + "".join(f"e 1 {node}\ne {node} 100\n" for node in range(2, 100))
        + "e 1 100\n"
    )
    puzzle = read(f"{tmp_path / 'wheel.col'}:3")  # graph: is implied
    for spec, nodes in (("row-major", 101), ("mrv", 101), ("mrv+naked-singles+cbj", 3)):
        assert search(puzzle, spec).tally().nodes == nodes
    tracer = Tracer(puzzle)
    for cell in range(99):
        tracer.place(cell, 1 + (cell > 0))
    for value in (2, 2, 1):
        tracer.place(99, value)
        tracer.undo()
    tracer.place(99, 3)
    assert tracer.trace().tally().solutions == 1


def test_a_variable_in_too_many_units_is_refused() -> None:
    units = (Unit("pair", 1, (0, 1)),) * (MAX_UNITS_OF_A_CELL + 1)
    with pytest.raises(PuzzleError, match="1,001 units of one variable are out of range: 1 to 1,0"):
        Problem(3, units, variables=read("queens:2").problem.variables)


def test_a_part_that_changes_nothing_is_named_with_the_reason() -> None:
    with pytest.warns(RuntimeWarning, match="x-wing changes nothing.*no rows and columns"):
        search("queens:4", "row-major+x-wing")
    with pytest.warns(RuntimeWarning, match="hidden-singles.*no set of variables must have every"):
        search("map:australia", "mrv+singles")


# Collections: a puzzle by its number, all of them in turn, and unreadable puzzles among them.


LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def moved(count: int) -> Puzzle:
    """A puzzle that differs from the others: the values are renamed in turn."""
    digits = "123456789"
    turn = count % 9
    return parse_puzzle(LINE.translate(str.maketrans(digits, digits[turn:] + digits[:turn])))


@pytest.fixture(params=[known.name for known in FORMATS.values() if known.several])
def five(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    file = tmp_path / f"five{(FORMATS[request.param].suffixes or ('.txt',))[0]}"
    file.write_text(collection_text(map(moved, range(5)), request.param), encoding="utf-8")
    return file


def test_a_puzzle_is_named_by_its_number_from_one(five: Path) -> None:
    assert [read(f"{five}:{number}") for number in range(1, 6)] == list(map(moved, range(5)))


@pytest.mark.parametrize(
    ("number", "message"),
    [
        (":0", "no puzzle 0"),
        (":6", "holds 5 puzzles, so there is no number 6"),
        ("", r"more than one puzzle; name one.*five.*:1"),
    ],
)
def test_a_number_that_is_not_there_or_missing_is_refused(
    five: Path, number: str, message: str
) -> None:
    with pytest.raises(PuzzleError, match=message):
        read(f"{five}{number}")


def test_standard_input_may_be_a_collection(monkeypatch: pytest.MonkeyPatch) -> None:
    def pipe() -> None:
        text = write(map(moved, range(3)), "sdm").encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))

    pipe()
    assert read("-:2") == moved(1)
    assert not sys.stdin.closed
    pipe()
    assert list(collection("-")) == list(map(moved, range(3)))


def test_a_file_whose_name_ends_in_a_number_is_that_file(tmp_path: Path) -> None:
    (tmp_path / "list").write_text(write(moved(1), "sdm"))
    (tmp_path / "list:1").write_text(write(moved(2), "sdm"))
    assert read(str(tmp_path / "list:1")) == moved(2)


LINES = (LINE, LINE[:-1], "# a comment", LINE.replace("7", "?", 1), LINE.replace("8", "5", 1))


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    file = tmp_path / "mixed.sdm"
    file.write_text("\n".join([*LINES, LINE]) + "\n")
    return file


def test_the_first_puzzle_that_cannot_be_read_is_named(mixed: Path) -> None:
    found = collection(mixed)
    assert next(found) == moved(0)
    with pytest.raises(PuzzleError, match=r"mixed\.sdm, line 2, column 80: 80 cells"):
        next(found)


def test_puzzles_that_cannot_be_read_are_left_out_on_request(mixed: Path) -> None:
    assert list(collection(mixed, skip=True)) == [moved(0), moved(0)]


def test_readings_have_an_entry_for_every_puzzle(mixed: Path) -> None:
    found = list(readings(mixed))
    for number, reading in enumerate(found, 1):
        if isinstance(reading, PuzzleError):
            with pytest.raises(PuzzleError, match=re.escape(str(reading))):
                read(f"{mixed}:{number}")
        else:
            assert reading == read(f"{mixed}:{number}")
    assert len(found) == 5


def test_a_puzzle_keeps_its_number(mixed: Path) -> None:
    assert read(f"{mixed}:5") == moved(0)
    with pytest.raises(PuzzleError, match=r"line 4, column 5: '\?' is neither a value"):
        read(f"{mixed}:3")
    with pytest.raises(PuzzleError, match=r"line 5.*both hold 5") as caught:
        read(f"{mixed}:4")
    assert caught.value.place and caught.value.place.excerpt().endswith("^")


def test_an_endless_line_is_one_line_that_cannot_be_read(tmp_path: Path) -> None:
    file = tmp_path / "endless.sdm"
    file.write_text(f"{LINE}\n{'1' * 3_000_000}\n{LINE}\n")
    assert list(collection(file, skip=True)) == [moved(0), moved(0)]
    with pytest.raises(PuzzleError, match=r"line 2.* cells where 625 are needed"):
        list(collection(file))


def test_a_remark_in_an_older_encoding_is_not_an_obstacle(tmp_path: Path) -> None:
    file = tmp_path / "old.sdk"
    rows = "\n".join(LINE[start : start + 9] for start in range(0, 81, 9))
    file.write_bytes(b"#AJos\xe9\n#DR\xe4tsel\n" + rows.encode())
    assert read(str(file)).title == "Rätsel"


def test_a_broken_xml_file_is_read_up_to_the_break(tmp_path: Path) -> None:
    file = tmp_path / "cut.opensudoku"
    file.write_text(
        collection_text(map(moved, range(3)), "opensudoku")[:-20].replace("</folder", "")
    )
    found = collection(file)
    assert [next(found) for _ in range(3)] == list(map(moved, range(3)))
    with pytest.raises(PuzzleError, match="not well-formed XML"):
        next(found)


def test_a_title_is_beside_its_cells_and_neither_comments_nor_title_lines_give_one(
    tmp_path: Path,
) -> None:
    file = tmp_path / "titles.sdm"
    file.write_text(f"# a comment\n{LINE}  # its own\n; another\n{LINE}\ntitle: none\n{LINE}\n")
    found = list(readings(file))
    assert [getattr(puzzle, "title", None) for puzzle in found] == ["its own", "", None, ""]
    assert "line 5" in str(found[2])


@pytest.mark.parametrize(("form", "count"), [("sdm", 25_000), long("opensudoku", 20_000)])
def test_a_long_collection_is_read_in_flat_memory(form: str, count: int, tmp_path: Path) -> None:
    begin, game, end = re.split(r"(.*5.*\n)", collection_text([moved(4)], form))
    file = tmp_path / f"long.{form}"
    file.write_text(begin + game * count + end)
    assert read(f"{file}:{count}") == moved(4)
    assert peak_of(lambda: read(f"{file}:{count}")) < 2 << 20


def test_closed_standard_input_is_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    for reading in (read, holds_trace, open_trace):
        with pytest.raises(ReadError, match="standard input is closed"):
            reading("-")
