"""Names that don't fit are shortened so that they can still be told apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import undoku.render.draw.line_breaks
from tests.support.films import act_at, film_of, make_film
from tests.support.made_fonts import forget_fonts
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import fitted_name, text_width
from undoku.render.draw.line_breaks import name_lines
from undoku.render.draw.sprites import BoxedText
from undoku.render.layout.story_page import least_name_size
from undoku.render.timeline.beats import BeatKind, first_beat


@given(st.text("abcdefg+-/:019", min_size=1, max_size=60), st.integers(20, 400))
def test_a_name_fits_and_keeps_both_its_ends(name: str, width: int) -> None:
    shown = fitted_name(name, Face.BOLD, 17, width)
    assert text_width(shown, Face.BOLD, 17) <= width
    if shown != name and len(shown) > 4:
        head, tail = shown.split("…")
        assert name.startswith(head)
        assert name.endswith(tail)


@given(
    st.lists(st.text("abcdefghij", min_size=1, max_size=9), min_size=1, max_size=8).map(" ".join),
    st.integers(30, 400),
    st.integers(1, 3),
)
def test_a_name_is_set_on_as_few_lines_as_it_needs_and_cut_last(
    name: str, width: int, most: int
) -> None:
    lines = name_lines(name, Face.BOLD, 17, width, most)
    assert 1 <= len(lines) <= most
    assert all(text_width(line, Face.BOLD, 17) <= width for line in lines)
    if len(lines) > 1:
        assert text_width(name, Face.BOLD, 17) > width
    if "…" not in "".join(lines) and all(lines):
        assert " ".join(lines) == name


def test_words_are_left_out_of_the_middle_before_any_is_cut() -> None:
    width = text_width("Fewest…", Face.BOLD, 12) + 4
    names = "Fewest options first", "Fewest options at the end"
    shown = [name_lines(name, Face.BOLD, 12, width, 2) for name in names]
    assert shown == [("Fewest…", "first"), ("Fewest…", "the end")]
    assert name_lines(names[0], Face.BOLD, 12, 2 * width, 1) == ("Fewest… first",)


def test_two_lines_are_about_equally_long() -> None:
    name = "Fewest options first, forced digits, pairs"
    assert name_lines(name, Face.BOLD, 24, 400) == (
        "Fewest options first,",
        "forced digits, pairs",
    )


def test_the_name_the_spec_and_the_colour_of_each_search_are_beside_its_board() -> None:
    made = make_film("row-major", "mrv+singles", width=1280, height=720)
    _, drawing = made.still(made.shot_of_step(30))
    lines = [drawn for drawn in drawing.drawn if isinstance(drawn, BoxedText)]
    pixels = made.still(made.shot_of_step(30))[0].pixels
    for number, block in enumerate(made.layout.blocks):
        box = block.name
        spot = pixels[box.y : box.bottom, box.x : box.x + 4].reshape(-1, 3)
        assert made.theme.search_colour(number) in set(map(tuple, spot.tolist()))
        inside = [
            line.text
            for line in lines
            if box.x <= line.rect.x < box.right and box.y <= line.rect.y < block.status.bottom
        ]
        assert (
            "".join(inside).replace(" ", "").startswith(made.labels[number].replace(" ", "")[:20])
        )
        assert made.headers[number].strategy in inside


def test_the_name_above_a_lit_board_is_whole() -> None:
    """Its box is in the middle of the board, which is on the grid and not quite in the middle of
    the place of both."""
    made = film_of("row-major", "column-major", "mrv", "mrv+singles", size="1280x720")
    lit = first_beat(made.timeline.beats, BeatKind.SECOND)
    assert lit
    layout, name = act_at(made, lit.start).script.layout, "Fewest options first, forced digits"
    assert made.labels[lit.subject] == name
    size, width = least_name_size(layout.text.name), layout.blocks[lit.subject].name.width
    assert name_lines(name, Face.BOLD, size, width, 1) == (name,)


def test_a_long_name_is_divided_without_trying_every_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 50 words on three lines there are more than a thousand ways to divide each of a thousand
    ways to leave words out."""
    measured = 0

    def counted(text: str, face: Face, size: int) -> int:
        nonlocal measured
        measured += 1
        return text_width(text, face, size)

    monkeypatch.setattr(undoku.render.draw.line_breaks, "text_width", counted)
    forget_fonts()  # and with them the names that were divided before
    name = " ".join(f"w{number}" for number in range(50))
    lines = name_lines(name, Face.BOLD, 17, 300, 3)
    assert lines[0].startswith("w0 ") and lines[-1].endswith(" w49")
    assert all(text_width(line, Face.BOLD, 17) <= 300 for line in lines)
    assert measured < 6_000
