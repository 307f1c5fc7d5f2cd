"""Messages are safe to print: nothing in them moves the cursor, is invisible, or reverses text."""

from __future__ import annotations

import pickle
import unicodedata

import pytest

from undoku.errors import Place, PuzzleError
from undoku.visible_text import columns, visible


def test_a_message_and_a_remedy_are_cut_where_they_quote_a_long_text() -> None:
    for quoted in ("x" * 9000, "\u202e" * 900):
        error = PuzzleError(quoted, remedy=f"did you mean {quoted}?")
        assert 2000 < len(str(error)) < 2010
        assert str(pickle.loads(pickle.dumps(error))) == str(error)


C0_AND_C1 = [chr(code) for code in (*range(0x20), *range(0x7F, 0xA0))]
DIRECTIONS = ["\u200e", "\u200f", "\u061c", *map(chr, range(0x202A, 0x202F))]
ISOLATES = list(map(chr, range(0x2066, 0x206A)))
LINE_ENDS = ["\u2028", "\u2029", "\x85"]


@pytest.mark.parametrize("mark", [*C0_AND_C1, *DIRECTIONS, *ISOLATES, *LINE_ENDS, "\ufeff"])
def test_control_characters_are_shown_as_escapes(mark: str) -> None:
    shown = visible(f"a{mark}b")
    assert shown.startswith("a\\") and shown.endswith("b")
    assert shown.isascii() and shown.isprintable()


@pytest.mark.parametrize(
    "text", ["", "r1c1 × 9 – ✓", "数独 スドク", "C:\\puzzles\\new.txt", "👩‍👧", "می‌خواهم"]
)
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert visible(text) == text


def test_the_escapes_are_those_of_python() -> None:
    assert visible("\x1b[31m\n\u202e\udcff") == "\\x1b[31m\\n\\u202e\\udcff"
    assert visible(visible("\x1b")) == "\\x1b"


def test_an_error_shows_no_control_character_of_what_it_quotes() -> None:
    """Neither in its sentence, its remedy, its place, nor in the line with the caret; also after
    it crossed to another process."""
    evil = "\x1b[2J\u202e\n\x9b1A"
    place = Place(f"{evil}.txt", 3, 5, f"12{evil}34")
    error = PuzzleError(f"there is no {evil}", place=place, remedy=f"leave {evil} out")
    for shown in (error, pickle.loads(pickle.dumps(error))):
        printed = f"{shown}{shown.message}{shown.remedy}{shown.args[0]}"
        assert printed.isprintable() and "\\x1b[2J" in printed
        assert shown.place and shown.place.source == place.source
        assert shown.place.excerpt().replace("\n", "").isprintable()


@pytest.mark.parametrize("at", [0, 5, 47, 48, 49, 4_000, 9_999])
@pytest.mark.parametrize("fill", ["7", "\x1b", "数", "\u0301"])
def test_an_excerpt_is_short_and_its_caret_is_under_the_column(fill: str, at: int) -> None:
    """However long the line is, and whatever it holds."""
    text = fill * at + "X" + fill * (10_000 - at)
    line, under = Place("here", 1, at + 1, text).excerpt().split("\n")
    assert len(line) <= 200
    caret = under.index("^")
    assert columns(line[: line.index("X")]) == caret
    assert unicodedata.name(line[line.index("X")]) == "LATIN CAPITAL LETTER X"


def test_the_name_of_a_source_is_bounded() -> None:
    assert len(str(Place("9" * 100_000, 1, 1))) < 250
