"""Counters show true numbers: in full, or in thousands where the largest has no room."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.panel_films import BOXES, LETTERS, PanelFilm, panel_film, reads
from tests.support.puzzles import MEDIUM
from tests.support.random_traces import guesses_in
from undoku import Limits, Op, search
from undoku.render.draw.canvas import Pixels, Rect
from undoku.render.draw.easel import Easel
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import glyph_box, line_height, text_width
from undoku.render.draw.run_draft import Draft
from undoku.render.draw.sprites import BoxedText, SpriteBook
from undoku.render.draw.theme import load_theme
from undoku.render.film.film import Film
from undoku.render.film.scene import Scene
from undoku.render.panels.counters import CounterPanel, Number, counts, number_width
from undoku.render.panels.lap_counter import LapCounter
from undoku.render.playback.player import Player
from undoku.render.settings.settings import FilmSettings, settings_of
from undoku.render.timeline.timeline import Pace
from undoku.solver.trace.state import COUNTS, DECISIONS, STEPS


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
    for step in range(trace.tally().steps + 1):
        registers = player.advance(step).registers[None]
        # To the nearest hundredth, halves up.
        assert counts("branching", registers) == int(
            slow_branching(events[:step]) * 100 + Fraction(1, 2)
        ), step
        guesses = guesses_in(trace.header, events[:step])
        assert counts("taken-back", registers) == step - len(guesses)
        assert counts("guessed", registers) == sum(guesses)
        assert counts("forced", registers) == len(guesses) - sum(guesses)


HEIGHT, SIZE = 40, 20
BOOK = SpriteBook(load_theme("dark"))
UNITS = {"k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}


def written(
    numbers: Sequence[int], most: int, width: int, name: str = "steps"
) -> Iterator[dict[int, str]]:
    """What is drawn of these numbers, one after the other: the character at each x."""
    registers = np.zeros((1, COUNTS), np.int64)
    number = Number(BOOK, name, most, Rect(7, 0, width, HEIGHT), SIZE, (255, 255, 255))
    draft = Draft(BOOK.index, number.most_rows)
    for each in numbers:
        easel = Easel(width + 7, HEIGHT, BOOK.theme)
        registers[0, [STEPS, DECISIONS]] = each
        draft.begin()
        number.put(registers, draft)
        draft.draw(easel)  # which is a failure beyond its edges
        marks = [drawn for drawn in easel.drawing().drawn if isinstance(drawn, BoxedText)]
        assert all(mark.rect.x >= 7 and mark.rect.right <= number.right for mark in marks)
        yield {mark.rect.x: mark.text for mark in marks}


def spelled(number: int, most: int, width: int, name: str = "steps") -> str:
    (marks,) = written([number], most, width, name)
    return "".join(marks[x] for x in sorted(marks))


@given(st.integers(0, 10**15) | st.integers(0, 99_999), st.integers(0, 10**6), st.integers(60, 400))
def test_a_number_is_written_in_full_or_rounded_down(number: int, more: int, width: int) -> None:
    """It is in full where the largest one has room, and never exceeds the count."""
    text = spelled(number, number + more, width)
    if number_width(len(str(number + more)), SIZE) <= width or text[-1].isdigit():
        assert text == f"{number:,}"
    else:
        unit = UNITS[text[-1]]
        assert text[:-1] == f"{number // unit:,}"


def test_branching_has_two_decimals() -> None:
    assert spelled(0, 999, 100, "branching") == "0.00"
    assert spelled(8, 999, 100, "branching") == "1.00"


def test_only_digits_that_change_are_drawn() -> None:
    first, *others = written([998, 999, 1000, 1000, 1001], 1001, 100)
    assert [len(each) for each in (first, *others)] == [3, 1, 4, 0, 1]
    assert max(first) == max(others[0]) == max(others[3])  # the last digit keeps its place


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


@pytest.mark.parametrize("size", [(1280, 720), (1080, 1920), (640, 360)])
def test_numbers_end_alike_and_within_their_places(size: tuple[int, int]) -> None:
    """The last digit of each counter, which changes most often, touches as few macroblocks as
    possible, and other characters begin at multiples of 4 pixels from there."""
    settings = FilmSettings(*size, pace=Pace(Fraction(1)), counters=("steps", "taken-back"))
    film = Film([search(MEDIUM.grid, "row-major", Limits(13_000))] * 2, settings)
    scene = Scene(film.script)
    players = [Player(trace, scene.recorders(n)) for n, trace in enumerate(film.traces)]
    panels = [each for each in scene.panels if isinstance(each, CounterPanel)]
    for panel, block in zip(panels, film.layout.blocks, strict=True):
        for number, box in zip(panel.numbers, block.counters, strict=True):
            assert box.x < number.right <= box.right
    easel = Easel(*size, film.theme)
    scene = Scene(film.script, easel)
    scene.paint(film.shot_of_step(12_345), [player.advance(12_345) for player in players])
    marks = [mark for mark in easel.drawing().drawn if isinstance(mark, BoxedText)]
    box = film.layout.blocks[0].counters[0]
    digits = [mark for mark in marks if box.contains(mark.rect) and mark.text[:1].isdigit()]
    lefts = sorted(mark.rect.x for mark in digits)
    assert [mark.text for mark in sorted(digits, key=lambda mark: mark.rect.x)] == [
        "1", "2,", "3", "4", "5",
    ]  # fmt: skip
    left, top, right, bottom = glyph_box("0", Face.REGULAR, film.layout.text.number)
    if size[0] > 1000:
        ink = Rect(lefts[-1] + left, digits[0].rect.y + top, right - left, bottom - top)
        assert ink.x % 16 == 0
        assert (ink.right + 15) // 16 - ink.x // 16 == -(-ink.width // 16)
        assert (ink.bottom + 15) // 16 - ink.y // 16 == -(-ink.height // 16)
    assert len({right - left for left, right in pairwise(lefts)}) == 2


def test_captions_of_charts_begin_on_the_right_in_a_language_that_is_read_from_there() -> None:
    settings = settings_of({"size": "640x360", "pace": "even", "language": "he"})
    film = Film([search(MEDIUM.grid, "mrv")], settings)
    _, drawing = film.still(film.shot_of_step(534))
    texts = [drawn for drawn in drawing.drawn if isinstance(drawn, BoxedText) and drawn.text]
    for name in ("depth", "tree"):
        box = film.layout.blocks[0].panels[name]
        caption, *numbers = [text.rect for text in texts if box.contains(text.rect)]
        assert caption.right == box.right
        assert all(number.right <= caption.x for number in numbers)
        assert len(numbers) == (3 if name == "tree" else 1)


# How many times the steps of another search the longest one has done.


DARK, BOX = load_theme("dark"), BOXES["laps"]


@lru_cache(maxsize=1)
def film_of(*strategies: str, limits: Limits | None = None) -> PanelFilm:
    return panel_film(LapCounter, *strategies, box="laps", limits=limits, seconds=Fraction(8))


@lru_cache(maxsize=1)
def frames_of(*strategies: str) -> list[Pixels]:
    return film_of(*strategies).frames()


def inked(pixels: Pixels, ink: tuple[int, int, int] = DARK.text) -> np.ndarray:
    """Where the box has a colour."""
    part = pixels[BOX.y : BOX.bottom, BOX.x : BOX.right]
    found: np.ndarray = (part == ink).all(axis=2)
    return found


def is_counted(pixels: Pixels, text: str) -> bool:
    """Whether the number is this text."""
    return reads(pixels[BOX.y : BOX.bottom, BOX.x : BOX.right], text, DARK.text)


def test_runs_show_the_same_pictures_as_single_frames() -> None:
    film = film_of("row-major", "mrv")
    frames, single = film.frames_of_runs()
    assert np.array_equal(frames, frames_of("row-major", "mrv"))
    assert single <= 3


def test_full_multiples_are_counted_and_the_end_is_the_rounded_ratio() -> None:
    film = film_of("row-major", "mrv")
    longest, lap = film.timeline.totals
    assert longest // lap == 32
    frames, shown = frames_of("row-major", "mrv"), set()
    for at, pixels in enumerate(frames):
        laps = film.timeline.shot_at(at).steps[0] // lap
        if not laps:
            assert not inked(pixels).any()
        elif laps not in shown:
            shown.add(laps)
            assert is_counted(pixels, f"{laps}×")
    assert shown == set(range(1, 33))
    assert film.timeline.shot_at(film.timeline.race - 1).steps[0] == longest
    assert is_counted(frames[-1], "33×")


def test_the_ratio_to_a_search_that_was_stopped_is_not_rounded_up() -> None:
    film = film_of("row-major", "mrv", limits=Limits(max_nodes=5300))
    longest, lap = film.timeline.totals
    assert longest * 10 // lap % 10 >= 5
    assert is_counted(film.frames()[-1], f"{longest // lap}×")


def test_few_laps_are_counted_in_tenths_up_to_the_ratio_of_the_card() -> None:
    """So that it does not stand at 1; it is never more than was done."""
    film = film_of("row-major", "mrv", limits=Limits(2000))
    longest, lap = film.timeline.totals
    frames = film.frames()
    for at in range(0, len(frames), 40):
        done = film.timeline.shot_at(at).steps[0]
        if lap <= done < longest:
            assert is_counted(frames[at], f"{10 * done // lap / 10:g}×")
    assert is_counted(frames[-1], "7.4×")


@pytest.mark.parametrize("strategies", [("row-major", "mrv"), ("row-major", "column-major", "mrv")])
def test_the_steps_of_the_fastest_search_are_below_the_number_of_times(
    strategies: tuple[str, ...],
) -> None:
    pixels = frames_of(*strategies)[-1]
    rows = np.flatnonzero(inked(pixels, DARK.muted).any(axis=1))
    assert rows.min() > np.flatnonzero(inked(pixels).any(axis=1)).max()
    assert np.ptp(rows) < 3 * line_height(Face.BOLD, LETTERS)
    top = BOX.y + rows.min()
    line = pixels[top : top + line_height(Face.BOLD, LETTERS) - 3, BOX.x : BOX.right]
    assert reads(line, "534 steps", DARK.muted)
