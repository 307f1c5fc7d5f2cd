"""Collections: a puzzle by its number, all of them in turn, and unreadable puzzles among them."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import pytest

from tests.support.amounts import long
from tests.support.puzzles import collection_text
from tests.support.system import peak_of
from undoku.errors import PuzzleError, ReadError
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.problem.sources import FORMATS, collection, parse_puzzle, read, readings, write
from undoku.solver.trace.recorded import holds_trace, open_trace

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
