"""The bars: of a film's steps below it, of a search's steps and of the digits on its board below
boards."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tests.support.films import film_of, make_film
from tests.support.panel_films import BOXES, LETTERS, Make, PanelFilm, panel_film
from tests.support.puzzles import EASY
from undoku import Limits, Op, board_at
from undoku.render.draw.canvas import Pixels, Rect
from undoku.render.draw.colour_space import Colour
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import text_width
from undoku.render.draw.sprites import Align, SpriteBook
from undoku.render.draw.theme import load_theme
from undoku.render.film.film import Film
from undoku.render.panels.tally_bar import StepsBar, TallyBar
from undoku.render.playback.step_reasons import candidates
from undoku.render.timeline.pace import Clock
from undoku.render.timeline.timeline import Pace, Phase
from undoku.texts.language import speaking
from undoku.texts.language_files import load_language

SMALL: dict[str, Any] = {"width": 480, "height": 270, "panels": ("board", "counters", "depth")}


def filled(film: Film, pixels: np.ndarray) -> int:
    """The number of filled pixels of the bar, which are its left part."""
    bar = film.layout.progress
    assert bar
    row = pixels[bar.y, bar.x : bar.right]
    lit = (row == film.theme.accent).all(axis=1)
    assert not np.diff(lit.astype(int)).clip(0).any()
    assert ((row == film.theme.track).all(axis=1) | lit).all()
    return int(lit.sum())


@pytest.mark.parametrize(
    ("pace", "clock"),
    [
        (Pace(Fraction(7)), Clock.FINISH),
        (Pace(duration=Fraction(6)), Clock.STEPS),
        (Pace(duration=Fraction(6), ramp=True), Clock.STEPS),
    ],
    ids=["rate", "fitted", "ramp"],
)
def test_the_bar_shows_which_share_of_the_longest_searchs_steps_is_done(
    pace: Pace, clock: Clock
) -> None:
    made = make_film(
        "row-major", "mrv", pace=pace, clock=clock, limits=Limits(max_nodes=600),
        fps=Fraction(25), **SMALL,
    )  # fmt: skip
    assert made.layout.progress
    wide, longest = made.layout.progress.width, made.timeline.longest
    for shot, frame in zip(made.timeline.shots(), made.frames(), strict=True):
        if shot.phase is Phase.CARD:
            break
        done = filled(made, frame.pixels)
        assert abs(done - wide * max(shot.steps) / longest) <= max(1, wide / longest)
        if shot.phase is Phase.INTRO:
            assert done == 0
        if shot.phase is Phase.HOLD or max(shot.steps) == longest:
            assert done == wide


def test_a_part_of_a_race_fills_the_bar_from_nothing_to_its_end() -> None:
    made = make_film(
        "row-major", pace=Pace(Fraction(5), first=400, last=900), fps=Fraction(25), **SMALL
    )
    found = [
        filled(made, frame.pixels)
        for shot, frame in zip(made.timeline.shots(), made.frames(), strict=True)
        if shot.phase is not Phase.CARD
    ]
    assert made.layout.progress
    assert found[0] == 0
    assert found[-2:] == [made.layout.progress.width] * 2
    middle = found[len(found) // 2]
    assert abs(middle - made.layout.progress.width / 2) <= 5


def test_the_bar_does_not_move_while_the_clock_is_stopped() -> None:
    cues = [{"step": 500, "at": 3, "pause": 1}]
    made = film_of("row-major", limits=Limits(600), size="480x270", fps=25, cues=cues)
    shots = [made.timeline.shot_at(at) for at in range(60, 130)]
    found = [filled(made, frame.pixels) for frame in made.draw(shots)]
    assert len({*found[15:40]}) == 1
    assert found[0] < found[15] < found[-1]


def test_a_race_without_steps_is_done_at_once() -> None:
    made = make_film("mrv", puzzle=EASY.solution, fps=Fraction(25), **SMALL)
    *_, last = made.draw([made.timeline.shot_at(made.timeline.intro)])
    assert made.layout.progress
    assert filled(made, last.pixels) == made.layout.progress.width


DARK = load_theme("dark")
BAR, LINE = BOXES["bar"], BOXES["facts"]
BOTH = pytest.mark.parametrize("make", [StepsBar, TallyBar])
LIMITS = Limits(max_nodes=700)


def film_with(
    make: Make, number: int = 0, boxes: dict[str, Rect] | None = None, *, centred: bool = True
) -> PanelFilm:
    return panel_film(
        make, "row-major", "mrv", number=number, limits=LIMITS, boxes=boxes, centred=centred
    )


def lengths(pixels: Pixels, colours: Sequence[Colour]) -> list[int]:
    """The lengths of the parts of a bar, which have these colours from left to right."""
    row = pixels[BAR.y : BAR.bottom, BAR.x : BAR.right]
    assert (row == row[:1]).all()
    parts = [int((row[0] == colour).all(axis=1).sum()) for colour in colours]
    wanted = np.repeat(np.array(colours, np.uint8), parts, axis=0)
    assert np.array_equal(row[0], wanted)
    return parts


def written(pixels: Pixels, box: Rect = LINE) -> Pixels:
    return pixels[box.y : box.bottom, box.x : box.right]


def line(text: str, size: int = LETTERS, align: Align = Align.CENTRE, box: Rect = LINE) -> Pixels:
    """The box of the text with a text."""
    pixels = np.empty((box.height, box.width, 3), np.uint8)
    pixels[:] = DARK.background
    if text:
        shown = SpriteBook(DARK).text(text, Face.BOLD, size, DARK.text, box.width, align=align)
        pixels[: len(shown.pixels)] = shown.pixels
    return pixels


@BOTH
def test_runs_show_the_same_pictures_as_single_frames(make: Make) -> None:
    film = film_with(make, 1)
    frames, single = film.frames_of_runs()
    assert np.array_equal(frames, film.frames())
    assert single <= 3  # the first frame, and those on which a search ends


@pytest.mark.parametrize("number", [0, 1])
def test_a_bar_of_steps_is_as_long_as_its_share_of_the_longest_search(number: int) -> None:
    film = film_with(StepsBar, number)
    ink, longest = DARK.search_colour(number), film.timeline.longest
    for at, pixels in enumerate(film.frames()):
        steps = film.timeline.shot_at(at).steps[number]
        filled = BAR.width * steps // longest
        assert lengths(pixels, [ink, DARK.track]) == [filled, BAR.width - filled]
        text = "1 step" if steps == 1 else f"{steps:,} steps" if steps else ""
        assert np.array_equal(written(pixels), line(text))


@pytest.mark.parametrize("number", [0, 1])
def test_a_tally_divides_the_digits_written_so_far_into_forced_and_guessed(number: int) -> None:
    film = film_with(TallyBar, number)
    trace = film.film.traces[number]
    cells = 81 - int(np.count_nonzero(trace.header.puzzle.board))
    guesses = [*guessed_after_each_step(film, number)]
    for at, pixels in enumerate(film.frames()):
        steps = film.timeline.shot_at(at).steps[number]
        filled = int(np.count_nonzero(board_at(trace, steps))) - (81 - cells)
        places, guessed = guesses[steps]
        end = filled * BAR.width // cells
        ends = [end * (places - guessed) // max(1, places), end]
        grey, orange, _ = lengths(pixels, [DARK.muted, DARK.undoing, DARK.track])
        assert [grey, grey + orange] == ends
        assert np.array_equal(written(pixels), line(f"{filled} of {cells} cells"))


def guessed_after_each_step(film: PanelFilm, number: int) -> list[tuple[int, int]]:
    """How many digits were written so far, and how many of them were guesses: their cells had
    another option when they were taken."""
    trace = film.film.traces[number]
    puzzle = trace.header.puzzle
    counts, board, places, guesses = [(0, 0)], puzzle.board.copy(), 0, 0
    for op, value, cell in trace.read().tolist():
        if op > Op.UNDO:
            continue
        places += op != Op.UNDO
        guesses += op == Op.GUESS and len(candidates(puzzle, board, cell)) > 1
        board[cell] = 0 if op == Op.UNDO else value
        counts.append((places, guesses))
    return counts


def test_a_text_without_room_is_shorter_and_only_then_smaller() -> None:
    whole = text_width("88 of 56 cells", Face.BOLD, LETTERS)
    brief = text_width("88 of 56", Face.BOLD, LETTERS)
    shown = []
    for width in (whole, whole - 1, brief, brief - 1):
        box = LINE._replace(width=width)
        pixels = film_with(TallyBar, 1, {"facts": box}).frames()[-1]
        shown.append(
            [
                (text, size)
                for text in ("56 of 56 cells", "56 of 56")
                for size in range(LETTERS - 2, LETTERS + 1)
                if np.array_equal(written(pixels, box), line(text, size, box=box))
            ]
        )
    assert shown[0] == [("56 of 56 cells", LETTERS)]
    assert shown[1] == shown[2] == [("56 of 56", LETTERS)]
    assert shown[3] and shown[3][0][1] < LETTERS


@BOTH
def test_a_picture_without_room_for_texts_has_the_bar_alone(make: Make) -> None:
    pixels = film_with(make, boxes={"facts": Rect(0, 0, 0, 0)}).frames()[-1]
    outside = pixels.copy()
    outside[BAR.y : BAR.bottom, BAR.x : BAR.right] = DARK.background
    assert (outside == DARK.background).all()


@BOTH
def test_the_text_begins_where_its_box_does_beside_a_board(make: Make) -> None:
    pixels = film_with(make, 1, centred=False).frames()[-1]
    inked = (written(pixels) != DARK.background).any(axis=(0, 2)).nonzero()[0]
    assert inked.min() < 6


@BOTH
def test_bars_grow_from_the_right_in_languages_that_are_read_from_there(make: Make) -> None:
    film = film_with(make)
    english = film.frames()[40]
    with speaking(load_language("he")):
        hebrew = film.frames()[40]
    left, right = (written(pixels, BAR) for pixels in (english, hebrew))
    assert np.array_equal(left, right[:, ::-1])
    assert not np.array_equal(left, right)
