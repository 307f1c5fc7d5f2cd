"""What panels draw is recorded as shapes, but only what is still visible."""

from __future__ import annotations

import numpy as np

from undoku.render.draw.canvas import DrawnShapes, Rect
from undoku.render.draw.easel import Easel, Painted, Shaped
from undoku.render.draw.fonts import Face
from undoku.render.draw.shapes import Stroke
from undoku.render.draw.sprites import Area, BoxedText, SpriteBook
from undoku.render.draw.theme import load_theme
from undoku.render.draw.vector_cells import drawn_shapes, painted_shapes

THEME = load_theme("dark")
BOOK = SpriteBook(THEME)
RED, BLUE = (200, 0, 0), (0, 0, 200)


def easel() -> Easel:
    made = Easel(64, 48, THEME)
    made.fill(Rect(0, 0, 64, 48), THEME.background)
    return made


def test_covered_drawings_are_dropped() -> None:
    made = easel()
    sprite = BOOK.text("5", Face.REGULAR, 14, THEME.text, 20)
    made.blit(sprite, 4, 4)
    made.fill(Rect(4, 30, 8, 8), RED)
    made.fill(Rect(0, 0, 64, 48), BLUE)
    assert made.drawing().drawn == (Area(Rect(0, 0, 64, 48), BLUE),)


def test_a_text_in_the_same_box_takes_the_place_of_the_one_before() -> None:
    made = easel()
    for text in "123":
        made.blit(BOOK.text(text, Face.REGULAR, 14, THEME.text, 20), 4, 4)
    assert [drawn.text for drawn in made.drawing().drawn if isinstance(drawn, BoxedText)] == ["3"]


def test_pixels_that_are_painted_directly_are_recorded_in_their_final_state() -> None:
    made = easel()
    made.touch(Rect(10, 10, 4, 2))
    made.pixels[10:12, 10:14] = RED
    made.pixels[11, 12] = BLUE
    *_, painted = made.drawing().drawn
    assert isinstance(painted, Painted)
    assert (painted.pixels == made.pixels[10:12, 10:14]).all()


def test_figures_that_a_panel_declares_are_recorded_as_shapes() -> None:
    """In their final state, on the area below them."""
    made = easel()
    chart = Rect(10, 10, 20, 20)
    made.fill(chart, BLUE)
    ends: list[float] = []
    figure = DrawnShapes(chart, lambda: [Stroke((((12, 12), (end, 20)),), 2, RED) for end in ends])
    for end in (20, 25):
        ends.append(end)
        made.put(made.pixels[10:15, 10 : 10 + end].copy(), 10, 10, figure)
    _, background, shaped = made.drawing().drawn
    assert background == Area(chart, BLUE)
    assert isinstance(shaped, Shaped)
    assert [shape.lines[0][1][0] for shape in shaped.shapes if isinstance(shape, Stroke)] == [
        20,
        25,
    ]
    made.fill(chart, RED)
    assert made.drawing().drawn[1:] == (Area(chart, RED),)


def test_a_text_has_a_background_only_where_another_colour_lies_beneath() -> None:
    made = easel()
    sprite = BOOK.text("5", Face.REGULAR, 14, THEME.text, 20)
    made.blit(sprite, 4, 4)
    (_, _), (line, shapes) = drawn_shapes(made.drawing())
    assert isinstance(line, BoxedText) and shapes == []
    made.fill(Rect(0, 0, 30, 40), RED)
    made.blit(sprite, 4, 4)
    *_, (_, shapes) = drawn_shapes(made.drawing())
    assert [shape.colour for shape in shapes] == [THEME.background]


def test_pixels_become_rectangles_that_cover_each_of_them_once() -> None:
    pixels = np.random.default_rng(3).integers(0, 2, (23, 31, 1), np.uint8).repeat(3, 2) * 90
    again = np.zeros((23, 31, 3), np.uint8)
    times = np.zeros((23, 31), int)
    for polygon in painted_shapes(Rect(5, 7, 31, 23), pixels):
        for (x, y), _, (right, bottom), _ in polygon.contours:
            place = slice(int(y) - 7, int(bottom) - 7), slice(int(x) - 5, int(right) - 5)
            again[place] = polygon.colour
            times[place] += 1
    assert (times == 1).all()
    assert (again == pixels).all()
