"""Malformed texts of every kind give a puzzle or one sentence, never a traceback, and soon."""

from __future__ import annotations

import io
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.random_puzzles import fill
from undoku.errors import PuzzleError, UndokuError
from undoku.solver.problem.puzzle import Puzzle, standard_geometry
from undoku.solver.problem.sources import FORMATS, parse_puzzle, read, write
from undoku.solver.problem.variants import jigsaw_geometry, with_diagonals

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
    texts += [write(puzzle, "f-puzzles") for puzzle in made[3:]]
    texts += [write(made[0], name) for name in FORMATS]
    texts += [write(made[:2], known.name) for known in FORMATS.values() if known.several]
    numbers = [str(value or ".") for value in made[3].givens]
    texts += ["\n".join(" ".join(numbers[row * 16 : row * 16 + 16]) for row in range(16))]
    texts += ['{"size":4,"grid":[[{"value":1,"given":true},{},{},{}],[{},{},{},{}]]}']
    return texts


def mutated(text: str, other: str, dice: random.Random) -> str:
    for _ in range(dice.choice([1, 1, 1, 2, 3, 8])):
        at = dice.randrange(len(text) + 1)
        reach = min(len(text), at + dice.choice([0, 1, 1, 2, 9, 40]))
        change = dice.randrange(7)
        if change <= 2:
            text = text[:at] + dice.choice(SPICE) + text[reach:]
        elif change == 3:
            text = text[:at] + text[reach:]
        elif change == 4:
            text = text[:at] + text[at:reach] * dice.choice([2, 3, 50]) + text[reach:]
        elif change == 5:
            text = text[:at] + other[dice.randrange(len(other)) :]
        else:
            lines = text.splitlines(keepends=True)
            dice.shuffle(lines)
            text = "".join(lines)
    return text


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


@pytest.mark.parametrize("count", [2000, pytest.param(10_000, marks=pytest.mark.long)])
def test_thousands_of_malformed_texts_give_a_puzzle_or_one_sentence(count: int) -> None:
    dice = random.Random(1)
    texts = seeds()
    assert sum(map(check, texts)) == len(texts) - 8  # seven collections and a short grid don't
    outcomes = [check(mutated(dice.choice(texts), dice.choice(texts), dice)) for _ in range(count)]
    # Both happen often, or the mutations are too tame or too wild to show anything.
    assert 0.05 < sum(outcomes) / count < 0.95


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
    ],
    ids=lambda text: text[:24].encode("unicode_escape").decode(),
)
def test_a_million_characters_of_anything_are_refused(text: str) -> None:
    """Anything slower than linear time would take minutes here."""
    assert not check(text)
