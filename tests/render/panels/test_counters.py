"""Counters show true numbers: in full, or shortened where a full one has no room."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.puzzles import MEDIUM
from tests.support.random_traces import guesses_in
from undoku import Limits, Op, search
from undoku.render.draw.canvas import Rect
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import line_height, text_width
from undoku.render.film.film import Film
from undoku.render.film.scene import Scene
from undoku.render.panels.counter_loops import (
    BRANCHING,
    MARKS,
    NUMBERS,
    SLOTS,
    read_numbers,
    spell,
)
from undoku.render.panels.counters import CounterPanel
from undoku.render.playback.player import Player
from undoku.render.settings.settings import FilmSettings
from undoku.render.timeline.timeline import Pace
from undoku.texts.counter_kinds import COUNTERS


def slow_branching(events: list[tuple[int, int, int]]) -> Fraction:
    """Children per node that has any, from the tree after these events."""
    children, path = [0], [0]
    for op, _, _ in events:
        if op == Op.UNDO:
            path.pop()
        else:
            children[path[-1]] += 1
            path.append(len(children))
            children.append(0)
    parents = [count for count in children if count]
    return Fraction(sum(parents), max(1, len(parents)))


@pytest.mark.parametrize("strategy", ["row-major", "mrv"])
def test_counters_are_those_of_a_slow_computation_after_every_step(
    strategy: str,
) -> None:
    trace = search(MEDIUM.grid, strategy, Limits(150))
    player, events = Player(trace), trace.read().tolist()
    numbers = np.zeros(NUMBERS, np.int64)
    names = [kind.name for kind in COUNTERS]
    for step in range(trace.tally().steps + 1):
        read_numbers(player.advance(step).registers, numbers)
        # To the nearest hundredth, halves up.
        assert numbers[BRANCHING] == int(slow_branching(events[:step]) * 100 + Fraction(1, 2)), step
        guesses = guesses_in(trace.header, events[:step])
        assert numbers[names.index("taken-back")] == step - len(guesses)
        assert numbers[names.index("guessed")] == sum(guesses)
        assert numbers[names.index("forced")] == len(guesses) - sum(guesses)


def spelled(number: int, room: int, field: int = 0) -> str:
    """The characters for a number, where a digit takes 10 pixels, a separator 4, a letter 13."""
    marks = np.zeros(SLOTS, np.uint8)
    length = spell(field, number, room, np.array([10, 4, 13]), marks)
    return "".join(MARKS[mark] for mark in marks[:length])


def width(text: str) -> int:
    return sum(10 if mark.isdigit() else 4 if mark in ",." else 13 for mark in text)


UNITS = {"k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}


@given(st.integers(0, 2**63 - 1) | st.integers(0, 99_999), st.integers(0, 200))
def test_a_number_is_shortened_exactly_where_it_has_no_room(number: int, room: int) -> None:
    """Then it is rounded down, and never exceeds the count."""
    text = spelled(number, room)
    assert width(text) <= room
    full = f"{number:,}"
    assert (text == full) == (width(full) <= room)
    if text and text != full:
        unit = UNITS[text[-1]]
        value, step = Fraction(text[:-1].replace(",", "")), Fraction(unit)
        if "." in text:
            step /= 10 ** len(text[text.index(".") + 1 : -1])
        assert value * unit <= number < value * unit + step
    if not text:
        assert number < 1000 or width(spelled(number, 1000)) > room


@pytest.mark.parametrize(
    ("number", "texts"),
    [
        (17_536, ["17,536", "17.5k", "17k"]),
        (1_234_567, ["1,234,567", "1.23M", "1M"]),
        (123_456_789, ["123,456,789", "123M"]),
        (999, ["999"]),
    ],
)
def test_shorter_forms_of_a_number_come_one_after_the_other(number: int, texts: list[str]) -> None:
    found = [text for room in range(200, -1, -1) if (text := spelled(number, room))]
    assert list(dict.fromkeys(found)) == texts


@given(st.integers(0, 999))
def test_branching_is_spelled_with_two_decimals(number: int) -> None:
    assert spelled(number, 100, BRANCHING) == f"{number // 100}.{number % 100:02}"


def ink_in(pixels: Any, box: Rect) -> Any:
    """The positions of letters in a box."""
    return pixels[box.y : box.bottom, box.x : box.right].max(2) > 100


def test_a_long_search_in_a_small_picture_shows_its_steps_in_millions() -> None:
    """The number is shortened, and stays within its box."""
    trace = search(MEDIUM.grid, "random:7", Limits(700_000))
    film = Film([trace] * 4, FilmSettings(640, 360, Fraction(60), Pace(duration=Fraction(6))))
    steps = film.layout.blocks[0].counters[0]
    total = f"{film.tallies[0].steps:,}"
    assert text_width(total, Face.REGULAR, film.layout.text.number) > steps.width
    last = film.timeline.shot_at(film.timeline.intro + film.timeline.race)
    frame, _ = film.still(last)
    columns = ink_in(frame.pixels, steps)[-film.layout.text.number :].any(0).nonzero()[0]
    assert columns.max() < steps.width - 1


@pytest.mark.parametrize("size", [(1280, 720), (1080, 1080), (640, 360)])
def test_numbers_are_left_aligned_below_their_labels_whatever_their_length(
    size: tuple[int, int],
) -> None:
    trace = search(MEDIUM.grid, "row-major", Limits(3000))
    film = Film([trace], FilmSettings(*size))
    text = film.layout.text
    height = line_height(Face.REGULAR, text.label)
    begins = set()
    for step in (1, 9, 20, 200, 888, 4000):
        frame, _ = film.still(film.shot_of_step(step))
        for box in film.layout.blocks[0].counters:
            ink = ink_in(frame.pixels, box)
            label, number = ink[:height].any(0), ink[height:].any(0)
            begins.add(int(number.argmax()) - int(label.argmax()))
    # A 1 begins a little later than an 8, and numbers are shifted slightly for encoders.
    assert max(map(abs, begins)) <= text.number // 6 + text.number // 16


def test_digits_have_one_pitch() -> None:
    trace = search(MEDIUM.grid, "row-major", Limits(9000))
    film = Film([trace], FilmSettings())
    scene = Scene(film.script)
    (panel,) = [each for each in scene.panels if isinstance(each, CounterPanel)]
    shot, player = film.shot_of_step(17_000), Player(trace, scene.recorders(0))
    scene.paint(shot, [player.advance(shot.steps[0])])
    marks, lefts = panel.numbers.arrays.shown[0, :6].T.tolist()
    digit, comma = panel.numbers.arrays.sizes[:2].tolist()
    assert "".join(MARKS[mark] for mark in marks) == "17,000"
    assert np.diff(lefts).tolist() == [digit, digit, comma, digit, digit]


def test_a_film_has_two_counters_and_others_by_name() -> None:
    trace = search(MEDIUM.grid, "mrv", Limits(300))
    usual = Film([trace], FilmSettings())
    assert [kind.label() for kind in usual.layout.counters] == ["steps", "taken back"]
    wanted = ("depth", "dead-ends", "branching")
    asked = Film([trace], FilmSettings(counters=wanted))
    assert tuple(kind.name for kind in asked.layout.counters) == wanted
    assert len(asked.layout.blocks[0].counters) == 3
    every = search(MEDIUM.grid, "mrv", Limits(300, exhaustive=True))
    assert [kind.name for kind in Film([every], FilmSettings()).layout.counters] == [
        "steps",
        "taken-back",
        "solutions",
    ]


def test_equal_digits_are_equal_blocks_for_encoders() -> None:
    """Below a board each counter begins on a macroblock, and its characters, whatever their number,
    at multiples of 4 pixels from there."""
    settings = FilmSettings(pace=Pace(Fraction(1)), panels=("board", "counters"))
    film = Film([search(MEDIUM.grid, order) for order in ("row-major", "mrv")], settings)
    for block in film.layout.blocks:
        assert [box.x % 16 for box in block.counters] == [0] * len(block.counters)
    panels = [each for each in Scene(film.script).panels if isinstance(each, CounterPanel)]
    assert len(panels) == 2
    for panel in panels:
        assert (panel.numbers.arrays.sizes[:2] % 4 == 0).all()
