"""Puzzle texts as people write them, and every refusal with its place and its remedy."""

from __future__ import annotations

import gzip
import io
import itertools
import os
import random
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.amounts import long
from tests.support.puzzles import PAIRS, SDK_PLAIN, SIMPLE, X_LINK, collection_text, damaged, fill
from undoku.errors import InputError, PuzzleError, ReadError, TraceError, UndokuError
from undoku.solver.problem.puzzle import Puzzle, standard_geometry
from undoku.solver.problem.puzzle_text import MAX_BLANK
from undoku.solver.problem.sources import FORMATS, collection, parse_puzzle, read, write
from undoku.solver.problem.variants import jigsaw_geometry, with_diagonals
from undoku.solver.trace.header import MAX_LINE_BYTES
from undoku.solver.trace.recorded import FileTrace
from undoku.solver.trace.search_trace import Limits, search
from undoku.solver.trace.stream import StreamTrace

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


# Malformed texts of every kind give a puzzle or one sentence, never a traceback, and soon; so
# does endless input without content.


SPICE = [
    *("", " ", "\n", "\t", "\0", "\x1a", "\ufeff", "\udcff", "\ud800", "é", "𝟗", "٣", "½", "²"),
    *(".", "0", "9", "A", "Z", "+", "-", "|", ":", ";", "#", "*", "=", "<", ">", "&", '"', "{"),
    *("10", "99", "-1", "1e9", "r1c1", "[Puzzle]", "[State]", "box: 3x2", "box: none", "size: 6"),
    *("regions:", "extra: windows", "unit a: r1c1 r2c2", "title:", "<!DOCTYPE a>", "&#0;", "]]>"),
    *("null", "true", "[[", "\\ud800", '"given":true', '"region":1', "?load=", "classic", "---"),
]


def seeds() -> list[str]:
    dice = random.Random(20)
    boards = [standard_geometry(), standard_geometry(), standard_geometry(6), standard_geometry(16)]
    boards += [with_diagonals(standard_geometry()), jigsaw_geometry("AAAB ACCB DDCB DDCB")]
    made = [fill(board, "A title", 0.3, dice) for board in boards]
    texts = [write(puzzle, "grid") for puzzle in made]
    texts += [
        write(made[0], "list"),
        f"https://sudokupad.app/classic{PAIRS}",
        X_LINK,
        SDK_PLAIN,
        SIMPLE,
    ]
    texts += [write(parse_puzzle(name), "problem") for name in ("queens:5:a1", "map:australia")]
    texts += [collection_text(made[:2], known.name) for known in FORMATS.values() if known.several]
    numbers = [str(value or ".") for value in made[3].givens]
    texts += ["\n".join(" ".join(numbers[row * 16 : row * 16 + 16]) for row in range(16))]
    texts += ['{"size":4,"grid":[[{"value":1,"given":true},{},{},{}],[{},{},{},{}]]}']
    return texts


def check(text: str) -> bool:
    """Whether it reads; a refusal is one sentence that begins with the source's name."""
    try:
        assert isinstance(parse_puzzle(text, source="sample"), Puzzle)
    except PuzzleError as error:
        sentence = str(error)
        assert sentence.startswith("sample") and "\n" not in sentence and len(sentence) < 500
        if error.place:
            assert error.place.excerpt().count("\n") in (0, 1)
        return False
    return True


@pytest.mark.parametrize("count", [1000, long(10_000)])
def test_thousands_of_malformed_texts_give_a_puzzle_or_one_sentence(count: int) -> None:
    dice = random.Random(1)
    texts = seeds()
    assert sum(map(check, texts)) == len(texts) - 5  # four collections and a short grid don't
    outcomes = [
        check(damaged(dice.choice(texts), dice.choice(texts), SPICE, dice)) for _ in range(count)
    ]
    # Both happen often, or the mutations are too tame or too wild to show anything.
    assert 0.05 < sum(outcomes) / count < 0.95


@pytest.mark.parametrize("odd", ["\udcfc", "\ud800"])
def test_a_problem_with_bytes_that_are_no_text_is_read_or_refused_in_one_sentence(odd: str) -> None:
    problem = 'variables = ["a"]\nvalues = ["x"]\n'
    assert check(problem + f"# a remark{odd}\n")
    assert not check(problem + f'title = "f{odd}r"\n')


@given(st.text() | st.text("0123456789.ABP|-+ \n#:", max_size=400))
def test_any_text_gives_a_puzzle_or_one_sentence(text: str) -> None:
    check(text)


@given(st.text(max_size=120) | st.text("0123456789.:-/\\", max_size=100))
def test_any_argument_gives_a_puzzle_or_one_sentence(argument: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(argument.encode(errors="replace"))))
        try:
            assert isinstance(read(argument), Puzzle)
        except UndokuError as error:
            assert "\n" not in str(error)


MILLION = 1_000_000


@pytest.mark.parametrize(
    "text",
    [
        " " * MILLION,
        "\n" * MILLION,
        "." * MILLION,
        "a " * (MILLION // 2),
        "|" * MILLION,
        "#" * MILLION,
        ":" * MILLION,
        "a" * MILLION + ":",
        (" " * 16_000 + "\n") * 60,
        ("a " * 8_000 + "\n") * 60,
        ("a:\n") * (MILLION // 3),
        "regions:\n" + "A" * MILLION,
        "unit a:" + " r1c1" * (MILLION // 5),
        "extra:" + " diagonals" * (MILLION // 10) + "\n" + "." * 81,
        "unit a: r1c1\n" * (MILLION // 13) + "." * 81,
        "*" + "-" * MILLION,
        ("*" + "-" * 500 + "\n") * 2_000,
        "[" * MILLION,
        "{" * MILLION,
        '{"a":' * (MILLION // 5),
        '{"size":9,"x":"' + "\\" * MILLION,
        "<" * MILLION,
        "<opensudoku>" + "<a>" * (MILLION // 3),
        "<opensudoku>" + "<game/>" * (MILLION // 7),
        "<opensudoku " + "a='1' " * (MILLION // 6),
        "<opensudoku>" + "&lt;" * (MILLION // 4),
        "<opensudoku><game data='version: 1 " + "1|0|1|" * (MILLION // 8) + "'/></opensudoku>",
        "https://f-puzzles.com/?load=" + "A" * MILLION,
        "https://f-puzzles.com/?load=" + "%" * MILLION,
        "https://f-puzzles.com/?load=" + "N4Ig" * (MILLION // 4),
        "https://sudokupad.app/" + "x" * MILLION,
        "https://sudokupad.app/classic" + "x" * MILLION,
        "quizzes,solutions\n" + '"' * MILLION,
        "quizzes,solutions\n" + "," * MILLION,
        ":0000:x:" + "+" * MILLION,
        ":0000:x:" + ":" * MILLION,
        # Lists of programs.
        "[[" * 400_000,
        "[(" * 10_000,
        "[" + "1," * 60_000,
        "[" + "'" * 60_000,
        "1," * 60_000,
        "[" + "[]," * 40_000,
        "[" + "9" * 100_000 + "]",
        "a = " * 30_000 + "[1",
        "[1" + ")" * 10_000,
        "[" + '"' + "." * 100_000 + '"]',
        "[\n" * 60_000,
        "[" + " " * 120_000 + "1",
        "[1, 2\0]",
        "[None" * 9_000,
        "x" * 100_000 + "[1",
        "[٣, ½, ²]",
        "[1, \udcff]",
        "b: " + ":" * 99_999 + "=[1",
    ],
    ids=lambda text: text[:24].encode("unicode_escape").decode(),
)
def test_very_many_characters_of_anything_are_refused(text: str) -> None:
    """Anything slower than linear time would take minutes here."""
    assert not check(text)


HEADER = b'{"undoku":1,"size":4,"givens":"1..............."}\n'
OUTCOME = b'{"outcome":"capped"}\n'


class Endless(io.RawIOBase):
    """A stream that begins with `first` and repeats `then` for ever; fails when somebody reads
    more than 64 MiB of it."""

    def __init__(self, first: bytes, then: bytes) -> None:
        self._parts = itertools.chain([first], itertools.repeat(then * (4096 // len(then))))
        self._left = b""
        self._given = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        part = self._left or next(self._parts)
        count = min(len(part), len(buffer))
        buffer[:count], self._left = part[:count], part[count:]
        self._given += count
        assert self._given < 64 << 20, "nobody stops reading"
        return count


def endless(first: bytes, then: bytes) -> io.BufferedReader:
    return io.BufferedReader(Endless(first, then))


@pytest.mark.parametrize(
    ("first", "then"),
    [
        (b"\n", b"#" * 63 + b"\n"),
        (b"\n", b"\t"),
        long(b"\n", b"\n"),
        (f"{LINE}\n".encode(), b"; nothing but blanks" + b" " * 43 + b"\n"),
        (f":0000:x:{LINE}:::\n".encode(), b" " * 62 + b"\r\n"),
    ],
)
def test_a_puzzle_text_that_says_nothing_more_is_refused(
    first: bytes, then: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before its first puzzle, after its only one, and in a collection."""
    for reader in (lambda: read("-"), lambda: read("-:2"), lambda: list(collection("-"))):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(endless(first, then)))
        with pytest.raises(PuzzleError) as caught:
            reader()
        assert "\n" not in str(caught.value) and len(str(caught.value)) < 200


def test_a_line_of_a_collection_that_never_ends_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(endless(f"{LINE}\n".encode(), b"1")))
    with pytest.raises(PuzzleError, match=r"line 2: the line is over 16,777,216 characters long"):
        list(collection("-", skip=True))


@pytest.mark.parametrize(
    ("first", "then", "message"),
    [
        (HEADER, b"\n", "1 MiB of blank lines"),
        (HEADER + b'["place",1,2]\n', b" " * 62 + b"\r\n", "1 MiB of blank lines"),
        (HEADER + OUTCOME, b" " * 63 + b"\n", "1 MiB of blank lines"),
        (HEADER, b" ", f"line 2.*over {MAX_LINE_BYTES} bytes"),
        (gzip.compress(HEADER + OUTCOME, mtime=0), b"\0", "1 MiB of zero bytes"),
    ],
)
def test_a_trace_that_says_nothing_more_is_refused(first: bytes, then: bytes, message: str) -> None:
    with pytest.raises(TraceError, match=message):
        StreamTrace(endless(first, then)).tally()


def test_a_small_gzip_file_of_very_many_blank_lines_is_refused_at_once(tmp_path: Path) -> None:
    file = tmp_path / "blank.jsonl.gz"
    file.write_bytes(gzip.compress(HEADER + b"\n" * (64 << 20), 1))
    with pytest.raises(InputError, match=r"blank\.jsonl\.gz: .*1 MiB of blank lines"):
        FileTrace(str(file)).tally()


def test_many_blank_lines_below_the_limit_do_not_matter(tmp_path: Path) -> None:
    blank = "       \n" * (MAX_BLANK // 16)  # half of what is allowed
    puzzle = tmp_path / "puzzle.sdm"
    puzzle.write_text(f"{blank}{LINE}\n{blank}{LINE}\n{blank}")
    assert len(list(collection(puzzle))) == 2
    trace = tmp_path / "trace.jsonl"
    trace.write_bytes(HEADER + blank.encode() + b'["place",1,2]\n' + blank.encode() + OUTCOME)
    assert FileTrace(str(trace)).tally().steps == 1
