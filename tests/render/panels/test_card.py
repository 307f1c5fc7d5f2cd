"""The pictures of the ratio and of the end card: all fits, is large, and is drawn as planned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.films import film_of
from tests.support.puzzles import EASY, MEDIUM
from undoku import Header, Limits, Outcome, SettingsError, Tally, parse_puzzle, search
from undoku.render.draw.canvas import Canvas, Rect
from undoku.render.draw.lettering import glyph_box
from undoku.render.draw.sprites import SpriteBook
from undoku.render.draw.theme import load_theme
from undoku.render.film.film import Film
from undoku.render.layout.page import arrange
from undoku.render.panels.card import CardPanel
from undoku.render.panels.card_plan import CardPlan, CardText, plan_card, plan_ratio
from undoku.render.panels.panel import Moment, Script
from undoku.render.panels.title_and_footer import clock_texts
from undoku.render.settings.settings import settings_of
from undoku.render.timeline.pace import Clock
from undoku.render.timeline.race_plan import plan
from undoku.render.timeline.timeline import Pace, Phase
from undoku.texts.language import quantity, speaking
from undoku.texts.language_files import load_language

NAMES = ("row-major", "mrv", "spiral", "mrv-degree", "column-major", "mrv+singles")
STOPPED = Outcome.CAPPED


def script(
    steps: Sequence[int],
    size: tuple[int, int] = (1280, 720),
    theme: str = "dark",
    outcome: Outcome = Outcome.SOLVED,
    margins: Sequence[Fraction] = (),
) -> Script:
    """The script of a film of searches that took so many steps, each digit guessed; `outcome` is
    that of the first one."""
    puzzle = parse_puzzle(EASY.grid)
    tallies = []
    for number, count in enumerate(steps):
        places = -(-count // 2)
        each = Outcome.SOLVED if number else outcome
        undos = count - places
        tallies.append(Tally(each, 1, None, places, places, places, undos, 3, 1, 5, count))
    return Script(
        settings_of({"size": "{}x{}".format(*size), "theme": theme}),
        arrange(*size, len(steps), margins=margins),
        load_theme(theme),
        "",
        [Header(puzzle, spec) for spec in NAMES[: len(steps)]],
        tallies,
        plan([*steps], Fraction(30), Pace(Fraction(10**5)), card=Fraction(3)),
    )


def lines_of(card: CardPlan) -> list[CardText]:
    return [*card.headline, *card.texts]


def letters(line: CardText) -> Rect:
    """The box of the pixels of a line."""
    left, top, right, bottom = glyph_box(line.text, line.face, line.size)
    return Rect(line.x + left, line.y + top, right - left, bottom - top)


@given(
    st.lists(st.integers(0, 10**9), min_size=1, max_size=6),
    st.sampled_from(["en", "de", "he"]),
    st.integers(80, 960),
    st.integers(80, 540),
    st.sampled_from([Outcome.SOLVED, STOPPED, Outcome.EXHAUSTED]),
)
def test_all_of_it_is_inside_and_nothing_overlaps(
    steps: list[int], language: str, half_width: int, half_height: int, outcome: Outcome
) -> None:
    size, margins = (2 * half_width, 2 * half_height), [Fraction(n) for n in (2, 8, 9, 12)]
    with speaking(load_language(language)):
        try:
            made = script(steps, size, outcome=outcome, margins=margins)
        except SettingsError:
            return
        for card in (plan_ratio(made), plan_card(replace(made, lost=[n // 2 for n in steps]))):
            lines = lines_of(card)
            assert lines
            boxes = [letters(line) for line in lines]
            for number, box in enumerate(boxes):
                assert made.layout.safe.contains(box)
                assert not any(box.overlaps(other) for other in boxes[number + 1 :])
                inside = lines[number].background is not None
                for bar in card.bars:
                    assert made.layout.safe.contains(bar.rect)
                    assert inside or not box.overlaps(bar.rect)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("size", [(1280, 720), (720, 720), (1080, 1920)])
@pytest.mark.parametrize("steps", [(17_536, 534), (12_000, 10_000), (534, 534), (534,)])
def test_all_letters_are_large_enough_for_a_picture_of_390_pixels(
    language: str, size: tuple[int, int], steps: tuple[int, ...]
) -> None:
    with speaking(load_language(language)):
        made = script(steps, size)
        for card in (plan_ratio(made), plan_card(replace(made, lost=[9000, 0][: len(steps)]))):
            for line in lines_of(card):
                assert line.size * 0.56 * 390 / size[0] >= 8


def test_the_ratio_is_the_largest_of_all() -> None:
    first, *others = lines_of(plan_ratio(script((17_536, 534))))
    assert first.text == "33×"
    assert letters(first).height > 720 / 5
    assert others[0].text == "fewer steps. Why?"
    assert first.size > 3 * max(line.size for line in others)


@pytest.mark.parametrize("steps", [(534, 534), (534,)])
def test_a_tie_and_a_single_search_are_said_in_the_middle(steps: tuple[int, ...]) -> None:
    card = plan_ratio(script(steps))
    assert card.bars == ()
    for line in lines_of(card):
        assert 2 * line.x + line.box.width == pytest.approx(1280, abs=1)


@pytest.mark.parametrize(
    "steps", [(17_536, 534), (534, 17_536, 56), (28_000_000, 1000), (5, 4, 3, 2, 1, 9)]
)
def test_bars_are_as_long_as_the_totals_the_longest_first(
    steps: tuple[int, ...],
) -> None:
    for card in (plan_ratio(script(steps)), plan_card(script(steps))):
        assert [steps[bar.search] for bar in card.bars] == sorted(steps, reverse=True)
        longest = card.bars[0].rect.width
        for bar in card.bars:
            expected = max(4, longest * steps[bar.search] / max(steps))
            assert bar.rect.width == pytest.approx(expected, abs=1)


def test_a_bar_has_its_whole_name_where_the_line_of_its_number_has_no_room_for_it() -> None:
    made = script((318_763_008, 24_421), (390, 390), outcome=STOPPED)
    for card in (plan_ratio(made), plan_card(made)):
        assert {"Row by row", "Fewest options first"} <= {line.text for line in card.texts}


def test_the_steps_after_wrong_first_digits_are_a_part_of_the_first_bar() -> None:
    for lost, inside in ((14_288, True), (9000, False)):
        card = plan_card(replace(script((534, 17_536)), lost=(0, lost)))
        (line,) = (line for line in card.texts if "wrong first digit" in line.text)
        assert line.text == f"{100 * lost / 17_536:.0f}% with a wrong first digit"
        assert (card.bars[0].search, card.bars[0].warm) == (1, Fraction(lost, 17_536))
        assert bool(line.background) == card.bars[0].rect.contains(line.box) == inside
    assert not any("wrong first" in line.text for line in plan_card(script((17_536, 534))).texts)


def test_both_pictures_say_that_a_search_was_stopped() -> None:
    made = script((5978, 4105), outcome=STOPPED)
    for card in (plan_ratio(made), plan_card(made)):
        assert {"5,978+", "4,105"} <= {line.text for line in card.texts}


def test_the_first_picture_of_a_single_search_says_how_many_guesses_it_made() -> None:
    first, last = lines_of(plan_ratio(script([534], size=(2560, 720))))
    assert (first.text, last.text) == ("267 guesses.", "Solved in 534 steps.")


@pytest.mark.parametrize(
    ("grid", "limits", "asked", "large"),
    [
        (MEDIUM.grid, Limits(exhaustive=True), "How many solutions are there?", "Everything tried"),
        ("4" + MEDIUM.grid[1:], Limits(), "Is there a solution?", "Everything tried"),
    ],
)
def test_the_first_picture_of_a_single_search_answers_what_was_asked(
    grid: str, limits: Limits, asked: str, large: str
) -> None:
    made = film_of("mrv", puzzle=grid, limits=limits)
    assert made.title == asked
    with made.typesetting.within():
        assert " ".join(line.text for line in plan_ratio(made.script).headline).startswith(large)


def test_the_bar_of_a_single_search_has_its_guesses() -> None:
    (bar,) = plan_card(script([534])).bars
    assert bar.warm == 1


class Painted:
    """The pixels of a card after some of its frames."""

    def __init__(self, made: Script, frames: int | None = None) -> None:
        self.plan, self.timeline = plan_card(made), made.timeline
        self.shots = [shot for shot in made.timeline.shots() if shot.phase is Phase.CARD]
        canvas = Canvas(made.layout.width, made.layout.height)
        panel = CardPanel(self.plan, SpriteBook(made.theme))
        panel.start(canvas)
        for shot in self.shots[:frames]:
            panel.draw(canvas, Moment(shot, made.timeline, []))
        self.pixels = canvas.pixels

    def area_of(self, colour: tuple[int, int, int]) -> Rect:
        """The rectangle that contains all pixels of a colour."""
        found = (self.pixels == np.array(colour, np.uint8)).all(2)
        rows, columns = np.flatnonzero(found.any(1)), np.flatnonzero(found.any(0))
        x, y = int(columns[0]), int(rows[0])
        return Rect(x, y, int(columns[-1]) + 1 - x, int(rows[-1]) + 1 - y)


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_the_bars_are_drawn_where_they_are_planned(theme: str) -> None:
    made = replace(script((17_536, 9000), theme=theme), lost=(14_288, 0))
    card = Painted(made)
    first, second = (bar.rect for bar in card.plan.bars)
    row = card.pixels[second.y + second.height // 2, second.x : second.right]
    assert (row == np.array(made.theme.search_colour(1))).all()
    row = card.pixels[first.y + 1, first.x : first.right]
    warm = (row == np.array(made.theme.undoing)).all(1)
    assert warm.sum() == round(first.width * Fraction(14_288, 17_536))
    assert warm[: warm.sum()].all()


def test_bars_grow_from_the_places_of_their_trees_without_passing_each_other() -> None:
    """In 0.6 seconds, slowly at both ends; then the card stands for two seconds and more."""
    chart = Rect(32, 260, 576, 70)
    made = script((17_536, 9000), (640, 360))
    made = replace(made, layout=made.layout._replace(chart=chart))
    whole = Painted(made)
    *moving, standing = whole.shots
    assert len(moving) <= 0.6 * 30 + 1
    assert standing.ticks >= 2 * 30
    colours = [made.theme.search_colour(bar.search) for bar in whole.plan.bars]
    ends = []
    for frames in range(1, len(moving)):
        areas = [*map(Painted(made, frames).area_of, colours)]
        assert all(above.bottom <= below.y for above, below in pairwise(areas))
        ends.append(areas)
    for bar, first, last in zip(whole.plan.bars, ends[0], ends[-1], strict=True):
        assert first.y > bar.rect.y
        assert abs(last.y - bar.rect.y) <= 4
        assert abs(first.y - bar.start.y) <= 4
    nodes = [made.tallies[bar.search].nodes for bar in whole.plan.bars]
    for bar, own in zip(whole.plan.bars, nodes, strict=True):
        assert chart.contains(bar.start)
        assert bar.start.height == pytest.approx(0.9 * chart.height * own / sum(nodes), abs=8)


@pytest.mark.parametrize("passed", [False, True])
def test_texts_that_bars_pass_appear_when_these_are_in_their_places(passed: bool) -> None:
    """Others are there from the first picture on, so that no ratio stands without its words."""
    made = script((17_536, 534))
    if passed:
        made = replace(made, layout=made.layout._replace(chart=Rect(32, 260, 576, 70)))
    early, late = Painted(made, 5), Painted(made)
    for line in early.plan.texts:
        if passed and line.ink != made.theme.text:
            continue  # a bar on its way has the colour of its name
        x, y, width, height = line.box
        part = np.s_[y : y + height, x : x + width]
        ink = np.array(line.ink)
        assert bool((early.pixels[part] == ink).all(2).any()) is not passed
        assert (late.pixels[part] == ink).all(2).any()
    for line in early.plan.headline:
        x, y, width, height = line.box
        part = np.s_[y : y + height, x : x + width]
        assert (early.pixels[part] == late.pixels[part]).all()


def test_a_film_imports_no_matplotlib() -> None:
    """It takes a third of a second and 40 MB, and nothing in a film is drawn by it."""
    import subprocess
    import sys

    code = (
        "import sys; from undoku import frames; "
        f"list(frames({EASY.grid!r}, ['mrv', 'row-major'], size='320x180', fps=5)); "
        "sys.exit('matplotlib' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_picture_without_room_for_bars_has_a_card() -> None:
    traces = [search(MEDIUM.grid, spec) for spec in ("row-major", "mrv")]
    made = Film(traces, settings_of({"size": "180x320", "fps": 5, "pace": "short"}))
    assert sum(frame.ticks for frame in made.frames()) == made.timeline.frames


# The line that states the clock: correct, and in natural words.


def test_numbers_are_written_as_people_write_them() -> None:
    assert quantity(Fraction(12)) == "12"
    assert quantity(Fraction(17_536, 870)) == "20.2"
    assert quantity(Fraction(123_456, 7)) == "17,637"
    assert quantity(Fraction(30000, 1001)) == "30"


def test_the_clock_is_stated_with_its_rate() -> None:
    timeline = plan([100, 50], Fraction(60), Pace(Fraction(12)))
    assert clock_texts(timeline)[0] == "12 steps per frame in every panel, 60 frames per second"
    alone = plan([100], Fraction(60), Pace(Fraction(1)))
    assert clock_texts(alone)[0] == "1 step per frame, 60 frames per second"
    slowest = plan([100], Fraction(60), Pace(Fraction(1, 60)))
    assert clock_texts(slowest)[0] == "1 step per second, 60 frames per second"
    slow = plan([100], Fraction(60), Pace(Fraction(1, 4)))
    assert clock_texts(slow)[0] == "15 steps per second, 60 frames per second"
    finish = plan([100, 50], Fraction(60), Pace(Fraction(12)), clock=Clock.FINISH)
    assert "all finish together" in clock_texts(finish)[0]
    time = plan([1000, 50], Fraction(60), Pace(Fraction(10)), clock=Clock.TIME,
                seconds=[Fraction(1, 100), Fraction(1, 1000)])  # fmt: skip
    assert clock_texts(time)[1] == "100 µs of search per frame, each as fast as it was"
    ramp = plan([10_000], Fraction(60), Pace(duration=Fraction(20), ramp=True))
    assert clock_texts(ramp)[0].endswith("steps per frame on average, 60 frames per second")


def test_a_card_of_a_tiny_tall_picture_has_its_bars_without_what_has_no_room() -> None:
    """It was a headline alone."""
    made = film_of("row-major", "mrv", size="180x320")
    card = plan_card(made.script)
    assert len(card.bars) == 2
    shown = " ".join(line.text for line in lines_of(card))
    assert "39 guesses instead of 5,569" in shown
    assert "wrong first digit" not in shown
