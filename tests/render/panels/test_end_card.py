"""The end card's sentence and the clock's: true, and as a person says it."""

from __future__ import annotations

import dataclasses
import math
import subprocess
import sys
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from render.api import settings_of
from render.batch import make_films
from render.drawing.canvas import Pixels
from render.drawing.cells import ramp
from render.film import Film
from render.panels.end_card import ratio, summary
from render.panels.end_card_chart import Bar, CardChart, chart_figure, chart_pixels
from render.panels.end_card_process import CardPress
from render.panels.title_and_footer import clock_texts, number_text
from render.settings import FilmSettings
from render.story.highlight_timing import slowed
from render.style.theme import load_theme, theme_names
from render.timing.timeline import Clock, Pace, plan
from solver import Limits, Outcome, Tally, search
from tests.support.puzzles import MEDIUM


def tally(steps: int, outcome: Outcome = Outcome.SOLVED) -> Tally:
    places = -(-steps // 2)
    return Tally(outcome, 1, None, places, places, steps - places, 3, 1, 5, steps)


@pytest.mark.parametrize(
    ("steps", "sentence"),
    [
        ((17_536, 534), "mrv needed 1/33 of the steps of row-major"),
        ((534, 17_536), "row-major needed 1/33 of the steps of mrv"),
        ((100, 90), "mrv needed 90 % of the steps of row-major"),
        ((1000, 999), "mrv needed almost all of the steps of row-major"),
        ((44, 44), "all took 44 steps"),
        ((0, 44), "row-major took 0 steps, mrv 44"),
        ((1, 1), "all took 1 step"),
    ],
)
def test_two_searches_are_compared_by_their_steps(steps: tuple[int, int], sentence: str) -> None:
    assert summary(["row-major", "mrv"], [tally(n) for n in steps]) == sentence


def test_one_search_is_told_by_its_counts() -> None:
    assert summary(["mrv"], [tally(534)]) == "mrv solved it in 534 steps, 3 backtracks"
    assert (
        summary(["mrv"], [tally(534, Outcome.CAPPED)])
        == "mrv was stopped after 534 steps, 3 backtracks"
    )


def test_a_capped_search_is_never_called_the_shortest() -> None:
    """It did not arrive: a share of its steps is an upper bound, and says so."""
    capped = tally(1000, Outcome.CAPPED)
    assert (
        summary(["row-major", "mrv"], [capped, tally(10)])
        == "mrv needed less than 1/100 of the steps of row-major"
    )
    assert "capped" in summary(["row-major", "mrv"], [tally(10, Outcome.CAPPED), tally(5000)])
    three = [tally(100), tally(100), tally(100, Outcome.CAPPED)]
    assert summary(["a", "b", "c"], three) == "a and b took 100 steps; c was capped"
    assert summary(["a", "b"], [capped, capped]) == "no search came to its end: all were capped"


def test_ratios_are_rounded_fairly() -> None:
    assert ratio(1, 2) == "1/2"
    assert ratio(534, 17_536) == "1/33"
    assert ratio(2, 3) == "67 %"
    assert ratio(100, 250) == "40 %"
    assert ratio(100, 290) == "1/3"
    assert ratio(0, 5) == "0 %"


def test_numbers_are_written_as_people_write_them() -> None:
    assert number_text(Fraction(12)) == "12"
    assert number_text(Fraction(17_536, 870)) == "20.2"
    assert number_text(Fraction(123_456, 7)) == "17,637"
    assert number_text(Fraction(30000, 1001)) == "30"


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
    assert "slow at both ends" in clock_texts(ramp)[0]
    turning = slowed(plan([10_000], Fraction(60), Pace(duration=Fraction(20))), [(500, 520)])
    assert clock_texts(turning)[0].endswith(
        "steps per frame on average, slow at the highlights, 60 frames per second"
    )


def drawn_bars(pixels: Pixels, colour: tuple[int, int, int]) -> list[int]:
    """The lengths in pixels of the bars of this colour, from the top; marks cut through them."""
    lengths: list[int] = []
    before = False
    for row in (pixels == np.array(colour)).all(2):
        columns = np.flatnonzero(row)
        solid = len(columns) > 60 and len(columns) > 0.9 * (columns[-1] - columns[0])
        if solid and not before:
            lengths.append(int(columns[-1] - columns[0] + 1))
        before = solid
    return lengths


def chart(*steps: int, capped: Sequence[int] = (), width: int = 1000) -> CardChart:
    bars = [
        Bar(f"search {n}", count, (f"{count} of something",), n in capped)
        for n, count in enumerate(steps)
    ]
    return CardChart(tuple(bars), width, 400, 22, 15, load_theme("dark"))


def test_bars_are_as_long_as_the_totals() -> None:
    """On a plain axis where they are alike, on a log axis where they are far apart."""
    accent = load_theme("dark").accent
    longest, half = drawn_bars(chart_pixels(chart(800, 400)), accent)
    assert half == pytest.approx(longest / 2, abs=2)
    longest, short = drawn_bars(chart_pixels(chart(17_536, 534)), accent)
    share = math.log(534 / 0.7) / math.log(17_536 / 0.7)
    assert short == pytest.approx(longest * share, abs=2)


@pytest.mark.parametrize(("steps", "log"), [((100, 5), False), ((101, 5), True), ((30, 0), True)])
def test_totals_far_apart_stand_on_a_log_axis(steps: tuple[int, int], log: bool) -> None:
    (axes,) = chart_figure(chart(*steps)).axes
    assert (axes.get_xscale() == "log") == log


def texts_of(figure: Any) -> list[str]:
    (axes,) = figure.axes
    return [text.get_text() for text in axes.texts]


def test_a_chart_says_the_exact_numbers_and_which_search_was_capped() -> None:
    texts = texts_of(chart_figure(chart(1_234_567, 89, capped=[0])))
    assert texts[::3] == ["1,234,567 (capped)", "89"]
    assert texts[1::3] == ["search 0", "search 1"]
    assert texts[2::3] == ["1234567 of something", "89 of something"]
    narrow = texts_of(chart_figure(chart(1_234_567, 89, capped=[0], width=300)))
    assert narrow[::3] == ["1,234,567+", "89"]


def test_facts_that_are_too_wide_for_one_line_stand_on_two() -> None:
    """On a phone no fact is broken or left out while there is room below."""
    facts = ("8,797 nodes", "5,762 backtracks", "2,978 dead ends", "depth 56")
    bars = (Bar("row-major", 17_536, facts, False), Bar("mrv", 534, facts, False))
    film = CardChart(bars, 288, 200, 14, 11, load_theme("dark"))
    assert film.details == [["8,797 nodes, 5,762 backtracks, 2,978 dead ends", "depth 56"]] * 2
    assert [line for line in texts_of(chart_figure(film)) if "depth" in line] == ["depth 56"] * 2
    low = dataclasses.replace(film, height=150)
    assert low.details == [["8,797 nodes, 5,762 backtracks, 2,978 dead ends"]] * 2


@example([0, 0, 0], 1188, 258, (66, 45))
@settings(max_examples=15, deadline=None)
@given(
    st.lists(st.integers(0, 10**8), min_size=1, max_size=6),
    st.integers(200, 1600),
    st.integers(90, 900),
    st.sampled_from([(12, 11), (22, 15), (66, 45)]),
)
def test_texts_of_a_chart_stay_inside_and_apart(
    steps: list[int], width: int, height: int, sizes: tuple[int, int]
) -> None:
    """Names, numbers, details and the axis, whatever the totals and the size."""
    text, label = sizes
    assume(height >= 1.3 * text * len(steps) and width >= 18 * text)
    facts = ("12,345 nodes", "x" * 20, "6,789 dead ends", "depth 50")
    bars = tuple(Bar(f"strategy-{n}", count, facts, n % 2 == 1) for n, count in enumerate(steps))
    made = chart_figure(CardChart(bars, width, height, text, label, load_theme("dark")))
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    canvas = FigureCanvasAgg(made)
    canvas.draw()  # type: ignore[no-untyped-call]
    renderer = canvas.get_renderer()  # type: ignore[no-untyped-call]
    (axes,) = made.axes
    words = [*axes.texts]
    if axes.axison:
        words += [*axes.get_xticklabels(), axes.xaxis.label]
    boxes = [word.get_window_extent(renderer) for word in words if word.get_text()]
    for number, box in enumerate(boxes):
        assert box.x0 >= -1
        assert box.y0 >= -2
        assert box.x1 <= width + 2
        assert box.y1 <= height + 2
        for other in boxes[number + 1 :]:
            wide = min(box.x1, other.x1) - max(box.x0, other.x0)
            high = min(box.y1, other.y1) - max(box.y0, other.y0)
            assert wide <= 1 or high <= text * 0.3


def test_a_chart_has_no_colours_that_a_film_has_not() -> None:
    for name in theme_names():
        one = dataclasses.replace(chart(900, 3, capped=[0]), theme=load_theme(name))
        theme = one.theme
        known = {theme.track, theme.accent, theme.undoing, theme.line}
        for ink in (theme.text, theme.muted):
            known |= {tuple(colour) for colour in ramp(ink, theme.ground).tolist()}
        rows = np.unique(chart_pixels(one).reshape(-1, 3), axis=0)
        seen = {tuple(colour) for colour in rows.tolist()}
        assert seen <= known
        assert {theme.ground, theme.track, theme.accent, theme.undoing, theme.text} <= seen


def test_another_process_draws_the_same_chart(monkeypatch: pytest.MonkeyPatch) -> None:
    """And where it can't, the film's own does."""
    wanted = chart(700, 30)
    expected = chart_pixels(wanted)
    monkeypatch.delitem(sys.modules, "matplotlib")
    own = sys.executable
    for executable in (own, "", str(Path(__file__))):
        monkeypatch.setattr(CardPress, "_before", False)
        monkeypatch.setattr(sys, "executable", executable)
        press = CardPress(wanted)
        press.order()
        assert (press._process is not None) == (executable == own)
        assert (press.pixels() == expected).all()


def test_a_process_that_makes_many_films_draws_their_charts_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(sys.modules, "matplotlib")
    monkeypatch.setattr(CardPress, "_before", False)
    presses = [CardPress(chart(700, 30)) for _ in range(2)]
    for press in presses:
        press.order()
    started = [press._process is not None for press in presses]
    for press in presses:
        press.close()
    assert started == [True, False]

    monkeypatch.setattr(CardPress, "_before", False)
    press = CardPress(chart(700, 30), several=True)  # as a batch's worker says
    press.order()
    assert press._process is None


def test_a_batch_in_this_process_has_no_bearing_on_films_that_it_makes_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of the batch start no process for their cards, also where they are fitted to a size; a
    film after it does, unless a card has been drawn here by then."""
    monkeypatch.delitem(sys.modules, "matplotlib", raising=False)
    monkeypatch.setattr(CardPress, "_before", False)
    asked: list[bool] = []
    order = CardPress.order

    def ordered(press: CardPress) -> None:
        asked.append(press._several)
        CardPress._before = False
        order(press)
        assert (press._process is None) is press._several

    monkeypatch.setattr(CardPress, "order", ordered)
    monkeypatch.setattr(CardPress, "pixels", lambda press: np.zeros(_size(press), np.uint8))
    film = {"puzzles": [MEDIUM.grid], "formats": ["gif"], "size": "320x180", "duration": "1s"}
    fitted = {**film, "name": "fitted", "max_size": "1MB"}
    assert make_films({"jobs": [film, fitted]}, tmp_path / "out", jobs=0).exit_code == 0
    assert asked
    assert all(asked)
    asked.clear()
    frames = Film([search(MEDIUM.grid, "mrv")], FilmSettings(width=320, height=180)).frames()
    next(frames)
    frames.close()  # type: ignore[attr-defined]  # it is a generator
    assert asked == [False]


def _size(press: CardPress) -> tuple[int, int, int]:
    return press._chart.height, press._chart.width, 3


def test_a_chart_that_nobody_wants_any_more_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its process ends with the film."""
    monkeypatch.delitem(sys.modules, "matplotlib", raising=False)
    monkeypatch.setattr(CardPress, "_before", False)
    made = Film([search(MEDIUM.grid, "mrv")], FilmSettings(width=320, height=180))
    started: list[Any] = []
    start = subprocess.Popen

    def watched(*args: Any, **kwargs: Any) -> Any:
        started.append(start(*args, **kwargs))
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", watched)
    frames = made.frames()
    next(frames)
    frames.close()  # type: ignore[attr-defined]  # it is a generator
    assert len(started) == 1
    assert started[0].returncode is not None


@pytest.mark.parametrize("options", [[], ["--card", "0"]])
def test_a_process_that_makes_one_film_imports_no_matplotlib(
    tmp_path: Path, options: list[str]
) -> None:
    """Not for the card, and not at all without one."""
    words = ["render", MEDIUM.grid, "-s", "mrv", "--size", "320x180", "--fps", "25", "-q", *options,
             "--steps-per-frame", "9", "-o", str(tmp_path / "a.gif")]  # fmt: skip
    code = (
        "import sys; from render.cli.main import main; main(sys.argv[1:]); "
        "sys.exit('matplotlib' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code, *words], check=True)
    assert (tmp_path / "a.gif").exists()


@pytest.mark.parametrize(
    ("size", "count"),
    [("1280x720", 1), ("1280x720", 4), ("320x180", 2), ("720x1280", 4), ("3840x2160", 2)],
)
def test_the_card_shows_its_sentence_and_its_chart(size: str, count: int) -> None:
    """The chart's pixels, whole, below the sentence's; nothing is cut off."""
    strategies = ["row-major", "mrv", "mrv+singles", "random:3"][:count]
    traces = [search(MEDIUM.grid, name, Limits(3000)) for name in strategies]
    made = Film(traces, settings_of({"size": size}))
    *_, frame = made.draw([made.timeline.shot_at(made.timeline.frames - 1)])
    pixels, theme = frame.pixels, made.theme
    accent = (pixels == np.array(theme.accent)).all(2) | (pixels == np.array(theme.undoing)).all(2)
    rows = np.flatnonzero(accent.sum(1) > 1)
    text = (pixels == np.array(theme.text)).all(2).any(1)
    assert text[: rows[0]].any()
    border = np.concatenate([pixels[:2].reshape(-1, 3), pixels[-2:].reshape(-1, 3)])
    assert (border == np.array(theme.ground)).all()
    bands = 1 + int((np.diff(rows) > 1).sum())
    assert bands == count
