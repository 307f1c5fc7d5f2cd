"""The end card: its words are true, its bars are as long as the totals, and all of it fits."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from undoku.render.panels.end_card import EndCardPanel
from undoku.render.panels.end_card_plan import FAR_APART, plan_card

from undoku import Outcome, Tally
from undoku.errors import SettingsError
from undoku.render.draw.canvas import Canvas, Rect
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import line_height, text_width
from undoku.render.draw.sprites import SpriteBook
from undoku.render.draw.theme import load_theme, theme_names
from undoku.render.layout.page import arrange
from undoku.render.panels.panel import Moment
from undoku.render.playback.search_texts import verdict_of
from undoku.render.timeline.race_plan import plan
from undoku.render.timeline.timeline import Pace, Phase
from undoku.texts.wording import short_number

CAPPED, EXHAUSTED = Outcome.CAPPED, Outcome.EXHAUSTED
ONE, STOPPED = "that there is only one solution", "row-major was stopped by the limit"


def tally(steps: int, outcome: Outcome = Outcome.SOLVED, solutions: int = 1) -> Tally:
    places = -(-steps // 2)
    return Tally(outcome, solutions, None, places, places, places, steps - places, 3, 1, 5, steps)


@pytest.mark.parametrize(
    ("tallies", "headline", "sentence"),
    [
        *(
            ([tally(few), tally(many)], headline, sentence)
            for few, many, headline, sentence in (
                (17_536, 534, "33× fewer steps", "mrv instead of row-major"),
                (534, 17_536, "33× fewer steps", "row-major instead of mrv"),
                (300, 200, "1.5× fewer steps", "mrv instead of row-major"),
                (400, 200, "2× fewer steps", "mrv instead of row-major"),
                (998, 100, "10× fewer steps", "mrv instead of row-major"),
                (1_234_567, 1, "1,234,567× fewer steps", "mrv instead of row-major"),
                (1000, 999, "Almost the same", "mrv: 999 steps, row-major: 1,000 steps"),
                (44, 44, "A tie: 44 steps each", "row-major and mrv"),
                (1, 1, "A tie: 1 step each", "row-major and mrv"),
                (0, 44, "No step against 44", "row-major instead of mrv"),
            )
        ),
        *(
            ([tally(534, outcome, solutions)], headline, "row-major took back 267 digits")
            for outcome, solutions, headline in (
                (Outcome.SOLVED, 1, "Solved in 534 steps"),
                (CAPPED, 1, "Stopped after 534 steps"),
                (EXHAUSTED, 0, "Everything tried in 534 steps: no solution"),
                (EXHAUSTED, 1, "Everything tried in 534 steps: 1 solution"),
                (EXHAUSTED, 288, "Everything tried in 534 steps: 288 solutions"),
            )
        ),
        # A search of the whole tree says what it proved, with its share of the steps, if known.
        *(
            ([tally(many, other), tally(100, EXHAUSTED)], headline, f"mrv proved {share} {ONE}")
            for many, other, headline, share in (
                (2100, EXHAUSTED, "21× fewer steps", "in 1/21 of the steps"),
                (150, EXHAUSTED, "1.5× fewer steps", "in 67% of the steps"),
                (200, EXHAUSTED, "2× fewer steps", "in 1/2 of the steps"),
                (240, EXHAUSTED, "2.4× fewer steps", "in 42% of the steps"),
                (2100, CAPPED, "More than 21× fewer steps", "in 100 steps"),
            )
        ),
        *(
            ([tally(many, EXHAUSTED, found) for many in (200, 100)], "2× fewer steps", sentence)
            for found, sentence in (
                (0, "mrv proved in 1/2 of the steps that there is no solution"),
                (12, "mrv found all 12 solutions in 1/2 of the steps"),
            )
        ),
        # A search that was stopped did not finish: a ratio to its steps is a lower bound, rounded
        # down, and says so, and it is never called the shortest.
        *(
            ([tally(capped, CAPPED), *map(tally, others)], headline, sentence)
            for capped, others, headline, sentence in (
                (1999, [100], "More than 19× fewer steps", "mrv instead of row-major"),
                (199, [100], "More than 1.9× fewer steps", "mrv instead of row-major"),
                (10, [5000], "mrv: 5,000 steps", STOPPED),
                (100, [100, 100], "mrv and spiral: 100 steps", STOPPED),
            )
        ),
        ([tally(1999, CAPPED)] * 2, "No search finished", "all were stopped by their limit"),
    ],
)
def test_searches_are_compared_by_their_steps_and_one_is_described_by_its_outcome(
    tallies: list[Tally], headline: str, sentence: str
) -> None:
    verdict = verdict_of(["row-major", "mrv", "spiral"][: len(tallies)], tallies)
    assert (verdict.headline, verdict.sentence) == (headline, sentence)
    assert verdict.text == f"{headline}: {sentence}"


class Card:
    """A card of searches with these steps, its plan, and its pixels after some of its frames."""

    def __init__(
        self,
        *steps: int,
        theme: str = "dark",
        stopped: Sequence[int] = (),
        frames: int | None = None,
    ) -> None:
        tallies = [tally(count, CAPPED if n in stopped else Outcome.SOLVED)
                   for n, count in enumerate(steps)]  # fmt: skip
        names = [f"strategy-{n}" for n in range(len(steps))]
        self.theme, canvas = load_theme(theme), Canvas(1280, 720)
        self.plan = plan_card(names, tallies, arrange(1280, 720, len(steps)).text, 1280, 720)
        timeline = plan([*steps], Fraction(60), Pace(Fraction(10**6)), card=Fraction(7, 2))
        self.shots = [shot for shot in timeline.shots() if shot.phase is Phase.CARD]
        self.growth = timeline.growth
        panel = EndCardPanel(self.plan, SpriteBook(self.theme))
        panel.start(canvas)
        for shot in self.shots[:frames]:
            panel.draw(canvas, Moment(shot, timeline, []))
        self.pixels = canvas.pixels

    def length(self, number: int) -> int:
        """The number of pixels in the middle row of a bar that have the colour of its search."""
        rect = self.plan.bars[number].rect
        row = self.pixels[rect.y + rect.height // 2]
        return int((row == np.array(self.theme.search_colour(number))).all(1).sum())


@pytest.mark.parametrize("theme", theme_names())
def test_bars_are_as_long_as_the_totals_from_zero(theme: str) -> None:
    card = Card(17_536, 534, theme=theme)
    longest = card.length(0)
    assert longest == card.plan.axis.width
    assert card.length(1) == pytest.approx(longest * 534 / 17_536, abs=1)
    assert Card(44, 0, theme=theme).length(1) == 0


@given(
    st.lists(st.integers(0, 10**9), min_size=2, max_size=6),
    st.integers(80, 960),
    st.integers(80, 540),
)
def test_texts_are_inside_and_do_not_overlap_whatever_the_totals_and_the_size(
    steps: list[int], half_width: int, half_height: int
) -> None:
    size = 2 * half_width, 2 * half_height
    try:
        text = arrange(*size, len(steps)).text
    except SettingsError:
        assume(False)
    names = [f"strategy-{n}" for n in range(len(steps))]
    made = plan_card(names, [tally(n, CAPPED if n % 3 == 2 else Outcome.SOLVED) for n in steps],
                     text, *size)  # fmt: skip
    boxes = [
        Rect(line.x, line.y, text_width(line.text, line.face, line.size),
             line_height(line.face, line.size))
        for line in [*made.lines, *(line for bar in made.bars for line in bar.end)]
    ]  # fmt: skip
    for number, box in enumerate(boxes):
        assert Rect(0, 0, *size).contains(box)
        assert not any(box.overlaps(other) for other in boxes[number + 1 :])
        # Nor does the line of a log scale go through a number.
        for bar in made.bars:
            line = Rect(made.axis.x, bar.rect.y + bar.rect.height // 2 - 1, made.axis.width, 2)
            assert not box.overlaps(line if made.powers else bar.rect)


@given(
    st.integers(4, 12),
    st.integers(2, 6),
    st.integers(80, 960),
    st.integers(80, 540),
)
def test_the_numbers_of_a_log_scale_leave_none_out_or_leave_out_as_many_each_time(
    powers: int, searches: int, half_width: int, half_height: int
) -> None:
    """1, 10, 100, … or 1, 100, 10k, …; each is below its mark, unless the picture ends there."""
    size = 2 * half_width, 2 * half_height
    try:
        text = arrange(*size, searches).text
    except SettingsError:
        assume(False)
    tallies = [tally(10**powers - 7), *[tally(7)] * (searches - 1)]
    plan = plan_card([f"strategy-{n}" for n in range(searches)], tallies, text, *size)
    assume(plan.powers)
    assert plan.powers == powers
    foot = max(line.y for line in plan.lines if line.text == "1")
    written = {line.text: line for line in plan.lines if line.y == foot}
    numbers = [*written]
    exact = [f"{10**power:,}" for power in range(powers + 1)]
    short = [short_number(10**power) for power in range(powers + 1)]
    steps = [step for step in range(1, powers + 2) if numbers in (exact[::step], short[::step])]
    assert steps, numbers
    for at, line in enumerate(written.values()):
        wide = text_width(line.text, line.face, line.size)
        mark = plan.axis.x + plan.axis.width * at * steps[0] / powers
        if line.x > 0 and line.x + wide < size[0]:
            assert line.x + wide / 2 == pytest.approx(mark, abs=1)


@pytest.mark.parametrize("steps", [(17_536, 56, 9000), (427_254, 56, 9000)])
@pytest.mark.parametrize("size", [(1280, 720), (1080, 1920), (640, 360), (720, 720)])
def test_a_long_name_continues_on_the_next_line_before_it_is_cut(
    steps: tuple[int, ...], size: tuple[int, int]
) -> None:
    names = ("The way in which Grandmother fills her grids", "Fewest options first, forced digits")
    plan = plan_card([*names, "mrv"], [tally(n) for n in steps], arrange(*size, 3).text, *size)
    for name in names:
        bold = [line.text for line in plan.lines if line.face is Face.BOLD]
        parts = [part for part in bold if part in name]
        assert " ".join(parts) == name


@pytest.mark.parametrize(
    ("steps", "ratios"),
    [
        ((17_536, 534, 56), ["33×", "313×"]),
        ((427_254, 56, 534, 17_536), ["24×", "800×", "7,630×"]),
        ((534, 530, 60), ["8.9×"]),
        ((17_536, 534), []),
    ],
)
def test_each_of_three_or_more_searches_is_compared_with_the_longest_one(
    steps: tuple[int, ...], ratios: list[str]
) -> None:
    names = ["Row by row", "Fewest options first", "Forced digits first", "Spiral"][: len(steps)]
    text = arrange(1280, 720, len(steps)).card_text
    card = plan_card(names, [tally(count) for count in steps], text, 1280, 720)
    notes = [line.text for bar in card.bars for line in bar.end if " fewer" in line.text]
    assert [next(each for each in note.split() if "×" in each) for note in notes] == ratios
    stopped = [tally(steps[0], CAPPED), *map(tally, steps[1:])]
    card = plan_card(names, stopped, text, 1280, 720)
    assert not any(" fewer" in line.text for bar in card.bars for line in bar.end)


def test_rows_of_many_searches_are_in_the_order_of_their_steps() -> None:
    """Each in the colour of its search; two stay in the order of their boards."""
    card = Card(17_536, 190_204, 534, 56)
    assert [bar.search for bar in card.plan.bars] == [1, 0, 2, 3]
    assert [bar.search for bar in Card(534, 17_536).plan.bars] == [0, 1]
    for bar in card.plan.bars:
        middle = bar.rect.y + bar.rect.height // 2
        dot = card.plan.axis.x + bar.rect.width - 2
        assert tuple(card.pixels[middle, dot]) == card.theme.search_colour(bar.search)


@pytest.mark.parametrize("fewest", [56, 5_600])
def test_the_card_of_six_searches_explains_steps_and_scale(fewest: int) -> None:
    """Dots and bars alike, in the usual size."""
    card = Card(17_536, 190_204, 427_254, 54_482, 5_634, fewest)
    reported = " ".join(line.text for line in card.plan.lines)
    assert "One step: a digit is written or taken back." in reported
    assert ("ten times the one before" in reported) == (fewest == 56)


@given(st.lists(st.integers(0, 10**6), min_size=2, max_size=6))
def test_a_total_is_a_length_from_zero_or_a_place_on_a_log_scale(steps: list[int]) -> None:
    """Bars are never on a log scale; a search that took a step has a visible bar."""
    card, longest = Card(*steps, frames=0).plan, max(steps)
    assert bool(card.powers) == (longest > FAR_APART * max(1, min(steps)))
    assert sorted(bar.search for bar in card.bars) == list(range(len(steps)))
    for bar in card.bars:
        count = steps[bar.search]
        if card.powers:
            expected = card.axis.width * np.log10(max(1, count)) / card.powers
        else:
            expected = max(3, card.axis.width * count / longest) if count else 0
        assert bar.rect.width == pytest.approx(expected, abs=1)


def test_bars_grow_at_one_rate_and_short_ones_stop_first() -> None:
    """A number appears when its bar is complete, and the finished card stands for two seconds."""
    whole = Card(1000, 250)
    assert whole.shots[-1].ticks >= 2 * 60
    assert len(whole.shots) == 1 + whole.growth > 60
    before, (_, short) = (0, 0), whole.plan.bars
    number, *_ = short.end
    for frame in range(1, len(whole.shots), 7):
        card = Card(1000, 250, frames=frame)
        now = card.length(0), card.length(1)
        assert now >= before
        assert now[1] == min(short.rect.width, now[0])
        box = card.pixels[number.y : number.y + 20, number.x :][:, : text_width(*number[:3])]
        assert (box != np.array(card.theme.background)).any() == (now[1] == short.rect.width)
        before = now


def test_the_bar_of_a_search_that_was_stopped_is_broken_off() -> None:
    """It says so in words, too."""
    card, whole = Card(1000, 400, stopped=[0]), Card(1000, 400)
    assert card.length(0) < card.plan.axis.width
    assert [bar.end[0].text for bar in card.plan.bars] == ["1,000 steps, stopped", "400 steps"]
    assert whole.length(0) == whole.plan.axis.width


def test_a_film_imports_no_matplotlib() -> None:
    """It takes a third of a second and 40 MB, and nothing in a film is drawn by it."""
    import subprocess
    import sys

    from tests.support.puzzles import EASY

    code = (
        "import sys; from undoku import frames; "
        f"list(frames({EASY.grid!r}, ['mrv', 'row-major'], size='320x180', duration='2s')); "
        "sys.exit('matplotlib' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
