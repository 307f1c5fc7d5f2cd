"""Puzzle texts as people write them, and every refusal with its place and its remedy."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import pytest

from undoku.errors import PuzzleError, ReadError, UndokuError
from undoku.solver.problem.sources import collection, parse_puzzle, read
from undoku.solver.trace.search_trace import Limits, search

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
ROWS = [LINE[start : start + 9] for start in range(0, 81, 9)]


def refusal(text: str) -> PuzzleError:
    with pytest.raises(PuzzleError) as caught:
        parse_puzzle(text, source="sample.txt")
    error = caught.value
    assert "\n" not in str(error)
    assert error.remedy
    assert str(error).startswith("sample.txt")
    return error


def caret(error: UndokuError) -> str:
    """The character of the faulty line that the caret stands under."""
    assert error.place
    line, under = error.place.excerpt().split("\n")
    return line[under.index("^")]


BOXES = [" | ".join(" ".join(row[c : c + 3]) for c in (0, 3, 6)) for row in ROWS]
BARS = ["|" + "|".join(row[c : c + 3] for c in (0, 3, 6)) + "|" for row in ROWS]
RULE, LINED = "------+-------+------", "|---+---+---|"

TEXTS = {
    **{f"{empty} is an empty cell": LINE.replace(".", empty) for empty in ".0*_"},
    **{f"{end!r} at the end": LINE + end for end in ("", "\n", "\r\n", "\n\n", "  \n")},
    "spaces between cells": " ".join(LINE),
    "spaces between rows": " ".join(ROWS),
    "a comment after the cells": LINE + "   # an easy one, 30 givens",
    "comments before the cells": f"# first\n; second\n\n{LINE}\n",
    "nine lines of nine": "\n".join(ROWS),
    "Windows line breaks": "\r\n".join(ROWS),
    "comments and empty lines": "# title\n" + "\n\n".join(f"{row}  # row" for row in ROWS),
    "frames between the boxes": "\n".join([*BOXES[:3], RULE, *BOXES[3:6], RULE, *BOXES[6:]]),
    "a frame around the board": "\n".join(
        [" *-----------*", *BARS[:3], LINED, *BARS[3:6], LINED, *BARS[6:], " *-----------*"]
    ),
    "box-drawing characters": "\n".join(
        ["┌───┬───┬───┐", *BARS[:3], "├───┼───┼───┤", *BARS[3:], "└───┴───┴───┘"]
    ).replace("|", "│"),
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_puzzle_is_read_as_people_write_it(name: str) -> None:
    assert str(parse_puzzle(TEXTS[name])) == LINE


@pytest.mark.parametrize(
    ("text", "words", "line", "column"),
    [
        (LINE[:-1], "80 cells where 81", 1, 80),
        (LINE + ".", "82 cells", 1, 82),
        ("# comment\n" + LINE[:10] + "?" + LINE[11:], "'?' is neither a value", 2, 11),
        (LINE[:80] + "A", "out of range: a 9×9 puzzle has the values 1 to 9", 1, 81),
        (LINE[:80] + "a", "out of range", 1, 81),
        (LINE[:80] + "P", "out of range", 1, 81),
        (LINE[:3] + "\a" + LINE[4:], "U+0007", 1, 4),
        (LINE[:3] + "٣" + LINE[4:], "neither a value", 1, 4),
        ("\n".join([*ROWS[:4], ROWS[4][:8], *ROWS[5:]]), "8 cells in this line", 5, 8),
        *(("\n".join((ROWS * 2)[:count]), f"{count} lines", None, None) for count in (2, 8)),
        *(("\n".join((ROWS * 2)[:count]), f"{count} lines", 10, None) for count in (10, 18)),
        ("", "it is empty", 0, 0),
        (" \n\t\n", "it is empty", 0, 0),
        ("\ufeff", "it is empty", 0, 0),
        ("# nothing\n------\n", "no cells", 0, 0),
    ],
)
def test_a_wrong_text_is_refused_at_its_place(
    text: str, words: str, line: int | None, column: int | None
) -> None:
    error = refusal(text)
    assert words in error.message and error.place
    assert line in (None, error.place.line) and column in (None, error.place.column)
    if column == 11:
        assert caret(error) == "?"


@pytest.mark.parametrize(
    ("cells", "unit"),
    [((0, 8), "row 1"), ((0, 72), "column 1"), ((60, 80), "box 9")],
)
def test_two_equal_givens_name_both_cells_and_the_unit(cells: tuple[int, int], unit: str) -> None:
    marks = ["."] * 81
    for cell in cells:
        marks[cell] = "4"
    error = refusal("\n".join("".join(marks)[row : row + 9] for row in range(0, 81, 9)))
    for cell in cells:
        assert f"r{cell // 9 + 1}c{cell % 9 + 1}" in error.message
    assert unit in error.message and "4" in error.message
    second = cells[1]
    assert error.place
    assert (error.place.line, error.place.column) == (second // 9 + 1, second % 9 + 1)
    assert caret(error) == "4"


def test_the_argument_may_be_the_puzzle_itself() -> None:
    assert str(read(LINE)) == LINE
    assert str(read("\n".join(ROWS))) == LINE


def test_the_argument_may_be_a_file(tmp_path: Path) -> None:
    file = tmp_path / "grid.txt"
    file.write_bytes(b"\xef\xbb\xbf" + "\r\n".join(ROWS).encode())
    assert str(read(str(file))) == LINE


def test_a_dash_is_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LINE.encode())))
    assert str(read("-")) == LINE


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        (LINE[:-1], "the puzzle argument.*80 cells"),
        ("nowhere/puzzle.txt", r"no file 'nowhere/puzzle\.txt'"),
        ("nowhere.sdm:3", r"no file 'nowhere\.sdm:3'"),
        ("x" * 5000 + ".txt", "neither a value"),
        ("a\0b", "can't be read"),
        ("/", "can't be read.*directory"),
    ],
)
def test_an_argument_that_is_no_puzzle_is_refused(argument: str, message: str) -> None:
    with pytest.raises(UndokuError, match=message):
        read(argument)


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_a_file_without_permission_is_refused_by_name(tmp_path: Path) -> None:
    file = tmp_path / "secret.txt"
    file.write_text(LINE)
    file.chmod(0)
    with pytest.raises(ReadError, match="can't be read"):
        read(str(file))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "it is empty"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "is not text"),
        (bytes(range(256)) * 400, "is not text"),
        (b"\xff\xfe\xfd\xfc" * 20, "is not text"),
        (LINE.encode("utf-16"), "UTF-16; save it as UTF-8"),
    ],
    ids=["empty", "picture", "every byte", "no utf-8", "utf-16"],
)
def test_a_file_that_is_no_text_is_refused(content: bytes, message: str, tmp_path: Path) -> None:
    file = tmp_path / "junk.bin"
    file.write_bytes(content)
    with pytest.raises(PuzzleError, match=message) as caught:
        read(str(file))
    assert str(caught.value).startswith(str(file)) and "\n" not in str(caught.value)


PUBLISHED = {
    "easy": 38,
    "medium": 25,
    "hard": 24,
    "very-hard": 30,
    "extreme": 27,
    "fifty-minutes": 17,
    "worlds-hardest": 23,
}


@pytest.fixture
def folder(request: pytest.FixtureRequest) -> Path:
    return request.config.rootpath / "examples" / "puzzles"


def test_the_published_puzzles_have_the_givens_that_were_published(folder: Path) -> None:
    givens = {name: 81 - len(read(str(folder / f"{name}.txt")).empty_cells) for name in PUBLISHED}
    assert givens == PUBLISHED


def test_the_published_collection_holds_the_same_puzzles(folder: Path) -> None:
    found = list(collection(folder / "published.sdm"))
    assert found == [read(str(folder / f"{name}.txt")) for name in PUBLISHED]
    assert [puzzle.title for puzzle in found] == list(PUBLISHED)


def test_every_example_but_the_quasigroup_has_one_solution(folder: Path) -> None:
    files = sorted(folder.glob("*.txt"))
    files.remove(folder / "quasigroup.txt")
    assert len(files) >= 14
    for file in files:
        tally = search(read(str(file)), "mrv", Limits(exhaustive=True)).tally()
        assert (file.stem, tally.solutions) == (file.stem, 1)


def test_every_example_board_is_one_of_a_kind(folder: Path) -> None:
    boards = {read(str(file)).problem for file in folder.glob("*.txt")}
    assert len(boards) == 10
