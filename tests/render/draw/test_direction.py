"""Lines of both directions are ordered as the Unicode Bidirectional Algorithm specifies."""

from __future__ import annotations

import pytest

from undoku.render.draw.direction import is_right_to_left, mirrored, stretches


def seen(text: str) -> str:
    """What a line looks like, letter for letter from left to right."""
    return "".join(
        mirrored(text[start:end]) if leftwards else text[start:end]
        for start, end, leftwards in stretches(text)
    )


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("two ways", "two ways"),
        ("שלום", "םולש"),
        ("שלום abc", "abc םולש"),
        ("abc שלום", "abc םולש"),
        ("אב 1,234 גד", "דג 1,234 בא"),
        ("אב (גד)", "(דג) בא"),
        ("אב (mrv) 12 גד", "דג 12 (mrv) בא"),
        ("a (אב) b", "a (בא) b"),
        ("צעד 5.", ".5 דעצ"),
        ("سلام ١٢٣", "١٢٣ مالس"),
        ("אב  ", "  בא"),
        ("mrv: אב", "mrv: בא"),
        ("50% אב", "בא 50%"),
        ("אב 50%", "50% בא"),
        ("", ""),
    ],
)
def test_letters_are_in_visual_order(written: str, shown: str) -> None:
    assert seen(written) == shown


@pytest.mark.parametrize("text", ["12 שלום", "سلام abc", "(אב"])
def test_a_line_runs_as_its_first_letter_does(text: str) -> None:
    assert is_right_to_left(text)


@pytest.mark.parametrize("text", ["", "12", "abc שלום", "x"])
def test_other_lines_run_from_left_to_right(text: str) -> None:
    assert not is_right_to_left(text)
