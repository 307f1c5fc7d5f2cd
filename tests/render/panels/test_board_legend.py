"""The legend of the boards names the marks that occur; headings of stories give plain names."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.puzzles import EASY, MEDIUM
from undoku import search
from undoku.render.draw.canvas import Pixels, Rect
from undoku.render.draw.colour_space import Colour
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import text_width
from undoku.render.film.film import Film
from undoku.render.settings.settings import settings_of


def story(*strategies: str, grid: str = MEDIUM.grid, **given: object) -> Film:
    return Film([search(grid, name) for name in strategies], settings_of({"fps": 10, **given}))


def opening(film: Film) -> Pixels:
    (frame,) = film.draw([film.timeline.shot_at(0)])
    return frame.pixels.copy()


def part(pixels: Pixels, box: Rect) -> Pixels:
    return pixels[box.y : box.bottom, box.x : box.right]


def legend(film: Film) -> Pixels:
    assert film.layout.board_legend
    return part(opening(film), film.layout.board_legend)


def has(pixels: Pixels, colour: Colour) -> bool:
    return bool((pixels == np.array(colour)).all(axis=2).any())


def test_the_legend_of_the_usual_pair_names_all_marks_but_slanted_digits() -> None:
    """On a line of its own below the footer, because beside it there is no room for all marks."""
    film = story("row-major", "mrv")
    shown, theme, footer = legend(film), film.theme, film.layout.footer
    marks: dict[object, Colour] = {
        "taken back": theme.heats[-1],
        "the ring of a wrong digit": theme.undoing,
        "the cross of a dead end": theme.text,
        "the ring of a changed cell": theme.search_colour(0),
        "in the colour of its search": theme.search_colour(1),
        "the tried cell": theme.trying_cell,
        **dict(enumerate(theme.scale)),
    }
    for mark, colour in marks.items():
        assert has(shown, colour), mark
    assert footer and film.layout.board_legend
    assert film.layout.board_legend.y == footer.bottom
    for text in (
        "A step writes a digit or takes one back.",
        "Small digits: what still fits in a cell.",
    ):
        assert text_width(text, Face.REGULAR, film.layout.text.footer) <= footer.width


def test_marks_that_do_not_occur_are_not_in_the_legend() -> None:
    """This search guesses, but takes nothing back."""
    film = story("mrv", grid=EASY.grid)
    assert not film.tallies[0].undos
    shown, theme = legend(film), film.theme
    assert has(shown, theme.scale[0])
    for colour in (theme.heats[-1], theme.undoing, theme.text):
        assert not has(shown, colour)


def test_slanted_digits_are_explained_where_inference_places_some() -> None:
    usual, inferring = story("row-major", "mrv"), story("row-major", "mrv+singles")
    boxes = [film.layout.board_legend for film in (usual, inferring)]
    assert boxes[0] and boxes[1]
    assert not np.array_equal(opening(usual)[boxes[0].y :], opening(inferring)[boxes[0].y :])
    # The cross and the slanted digit have the colour of texts.
    inked = [int((legend(film) == np.array(film.theme.text)).all(axis=2).sum())
             for film in (usual, inferring)]  # fmt: skip
    assert inked[1] > 1.2 * inked[0]


@pytest.mark.parametrize("pace", ["story", "even"])
def test_only_films_of_even_speed_show_specifications_beside_names(pace: str) -> None:
    """`mrv` means nothing to those for whom stories are made."""
    headings: list[Pixels] = []
    for strategy in ("row-major", "mrv"):
        film = story(strategy, pace=pace, labels=["Mine"], title="A title")
        (block,) = film.layout.blocks
        headings.append(part(opening(film), block.name))
    assert np.array_equal(headings[0], headings[1]) is (pace == "story")


@pytest.mark.parametrize("strategies", [("row-major", "mrv"), ("row-major", "mrv", "mrv+singles")])
def test_a_line_for_the_legend_makes_neither_boards_nor_names_smaller(
    strategies: tuple[str, ...],
) -> None:
    film = story(*strategies)
    usual = story(*strategies, pace="even", panels="board,counters,callout").layout
    for one, other in zip(film.layout.blocks, usual.blocks, strict=True):
        assert one.cell >= other.cell
        assert one.name.height >= other.name.height


def test_no_unit_is_framed_in_a_story_without_a_sentence_about_it() -> None:
    """In step 10 `row-major` leaves the first row without a place for 9: a slow film of even speed
    frames the row; a story lights up the units that its sentences name."""
    framed = []
    for given in ({"pace": "even", "steps_per_frame": "1/10"}, {"pace": "story"}):
        film = story("row-major", **given)
        (block,) = film.layout.blocks
        (frame,) = film.draw([film.timeline.shot_at(film.timeline.frame_of(0, 10))])
        edge = part(frame.pixels, block.board._replace(height=block.cell // 4))
        framed.append(int((edge == np.array(film.theme.undoing)).all(axis=2).any(axis=0).sum()))
    assert framed[0] > block.board.width * 3 / 4 > framed[1]
