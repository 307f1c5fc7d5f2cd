"""The figure: true numbers, readable files, the same bytes each time; and the notebook's film."""

from __future__ import annotations

import base64
import random
import re
from collections.abc import Callable
from dataclasses import replace
from html import unescape
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from PIL import Image

from tests.support.decoding import decoded
from tests.support.figures import (
    assert_readable,
    assert_texts_do_not_overlap,
    rgb,
    texts_of,
    ticks_of,
    value_of,
)
from tests.support.puzzles import EASY, MEDIUM
from undoku import Limits, NotebookFilm, OutputError, SettingsError, Trace, compare, search
from undoku.cli.chart import chart
from undoku.player.html_page import film_page
from undoku.render.delivery.write import Report
from undoku.render.draw.colour_space import contrast
from undoku.render.draw.theme import load_theme, theme_names
from undoku.render.figures.chart import figure
from undoku.render.figures.chart_panels import COLUMNS, SearchResult
from undoku.render.figures.matplotlib_parts import ShownFigure
from undoku.render.figures.scales import count_text
from undoku.render.playback.choices import Choices
from undoku.render.playback.history import Depths
from undoku.solver.problem.sources import parse_puzzle
from undoku.solver.trace.trace import Header, Outcome


def test_a_figure_says_the_counts() -> None:
    traces = [search(MEDIUM.grid, name) for name in ("row-major", "mrv", "mrv+locked")]
    made = figure(traces, title="Two $orders$ of one_puzzle")
    texts = {text.text for text in texts_of(made)}
    assert "Two $orders$ of one_puzzle" in texts
    assert {"17,536 steps", "534 steps", "Row by row", "Fewest options first"} <= texts
    whole = " ".join(text.text for text in texts_of(made))
    for sentence in (
        "Row by row: 3,227 of 8,796 digits had no alternative (37%), 5,569 were guessed.",
        "Fewest options first: 256 of 295 digits had no alternative (87%), 39 were guessed.",
    ):
        assert sentence in whole
    assert "row-major: 8,797 nodes, 5,762 backtracks" in texts
    assert "mrv: 296 nodes, 222 backtracks" in texts
    nodes, _, choices = made.axes[-3:]
    assert np.sum(nodes.lines[-1].get_ydata()) == 139
    # Of 131 choices of the third search 120 had one candidate, and 11 had two.
    shares = [patch.get_height() for patch in choices.patches if isinstance(patch, Rectangle)]
    assert shares == pytest.approx([0, 12000 / 131, 1100 / 131, 0])


SIX = (
    *("row-major", "mrv", "mrv+singles", "mrv/lcv+locked+pairs+triples", "static/descending"),
    "dom-wdeg/most-constraining+forward+cbj",
)


def test_texts_of_a_tall_figure_do_not_overlap() -> None:
    traces = [search(MEDIUM.grid, name) for name in SIX[:3]]
    title = "A title of some length, as people write them, and longer than one line of the figure"
    assert_texts_do_not_overlap(figure(traces, title=title, size=(7.5, 10.0)))


def synthetic(seed: int) -> Callable[[Trace, Header, str], SearchResult]:
    """What makes results of searches that were never run: up to 10^8 steps, some capped, of many
    depths, with long names."""
    dice = np.random.default_rng(seed)

    def account(trace: Trace, header: Header, colour: str) -> SearchResult:
        undos = int(10 ** dice.uniform(0, 8)) - 1
        depth = int(dice.integers(0, 60))
        tally = replace(
            trace.tally(),
            outcome=Outcome.CAPPED if dice.random() < 0.3 else Outcome.SOLVED,
            decisions=undos + depth, guessed=undos,
            places=undos + depth, undos=undos, backtracks=undos // 2,
            max_depth=depth,
        )  # fmt: skip
        reached = np.sort(dice.integers(0, depth + 1, COLUMNS))
        nodes = np.concatenate([[1], 10 ** dice.uniform(0, 8, depth)]).astype(np.int64)
        depths = SimpleNamespace(
            low=reached // 2, high=reached, reached=COLUMNS - 1, nodes=nodes,
            total=max(1, tally.steps),
        )  # fmt: skip
        choices = Choices(header.puzzle)
        choices.counts[1:] = dice.integers(0, 100, len(choices.counts) - 1)
        return SearchResult(header, tally, cast(Depths, depths), choices, colour)

    return account


WORDS = (
    *("fewest", "options", "singles+locked+pairs/lcv", "row"),
    *("w" * 30, "first,", "ÄÖ", "$a$"),
)


def random_figure(seed: int) -> ShownFigure:
    """The figure of random results, with random titles, in one of the themes."""
    dice = random.Random(seed)
    traces = []
    for _ in range(dice.randint(1, 6)):
        trace = search(EASY.grid, "mrv")
        title = " ".join(dice.choices(WORDS, k=dice.randint(1, 12)))
        trace.header = replace(trace.header, title=title)
        traces.append(trace)
    theme = theme_names()[seed % len(theme_names())]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("undoku.render.figures.chart.search_result", synthetic(seed))
        return figure(traces, theme, title=" ".join(dice.choices(WORDS, k=seed)))


@pytest.fixture(
    scope="module",
    params=[pytest.param(seed, marks=pytest.mark.long if seed > 1 else ()) for seed in range(10)],
)
def drawn(request: pytest.FixtureRequest) -> tuple[int, ShownFigure]:
    """A seed and the figure of random results made with it: two figures in the short run, ten
    in the long one."""
    return request.param, random_figure(request.param)


def test_texts_of_any_figure_are_apart_and_can_be_read_on_a_phone(
    drawn: tuple[int, ShownFigure],
) -> None:
    """Over eight decades, too; and every tick is at its value: "1.5" at 1.5, not at 2."""
    _, made = drawn
    assert_readable(made)
    assert len([tick for axes in made.axes for tick in ticks_of(axes)]) > 8


def test_every_point_is_at_its_value(drawn: tuple[int, ShownFigure]) -> None:
    """And the searches share their scales, which begin at zero unless they are logarithmic."""
    seed, made = drawn
    make = synthetic(seed)
    charts = made.axes[1:] if len(made.axes) % 4 else made.axes
    count = len(charts) // 4
    header = search(EASY.grid, "mrv").header
    accounts = [make(search(EASY.grid, "mrv"), header, "red") for _ in range(count)]
    for kind in range(4):
        assert len({(a.get_xlim(), a.get_ylim()) for a in charts[kind::4]}) == 1
    for account, nodes, branching in zip(accounts, charts[1::4], charts[2::4], strict=True):
        assert (nodes.get_yscale(), nodes.get_ylim()[0]) == ("log", 1)
        assert (branching.get_yscale(), branching.get_ylim()[0]) == ("linear", 0)
        for axes, values in ((nodes, account.nodes), (branching, account.branching)):
            assert axes.get_xlim()[0] == 0
            points = np.asarray(axes.lines[-1].get_xydata(), float)
            assert points.tolist() == [*map(list, enumerate(values.tolist()))]
    if count > 1:
        assert_totals(made.axes[0], [account.tally.steps for account in accounts])


def assert_totals(axes: Axes, steps: list[int]) -> None:
    if max(steps) > 1000 * max(1, min(steps)):
        assert not axes.patches  # no bars on a log axis
        assert (axes.get_xscale(), axes.get_xlim()[0]) == ("log", 1)
        dots = [line.get_xdata() for line in axes.lines if line.get_marker() == "o"]
        assert [int(x) for (x,) in map(np.asarray, dots)] == [count for count in steps if count]
        return
    assert axes.get_xscale() == "linear" and axes.get_xlim() == (0, max(1, *steps))
    for bar, count in zip(axes.patches, steps, strict=True):
        assert isinstance(bar, Rectangle) and bar.get_x() == 0
        assert bar.get_width() == count or bar.get_window_extent().width < 5  # can be seen


@pytest.mark.parametrize("steps", [(1, 999), (0, 1001)])
def test_bars_begin_at_zero_and_beyond_a_thousand_times_are_dots(
    steps: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    def account(trace: Trace, header: Header, colour: str) -> SearchResult:
        made = synthetic(1)(trace, header, colour)
        places = steps[int(header.title)]
        return replace(made, tally=replace(made.tally, places=places, undos=0))

    monkeypatch.setattr("undoku.render.figures.chart.search_result", account)
    traces = []
    for number in range(len(steps)):
        trace = search(EASY.grid, "mrv")
        trace.header = replace(trace.header, title=str(number))
        traces.append(trace)
    made = figure(traces)
    made.draw_without_rendering()
    assert_totals(made.axes[0], list(steps))
    assert_texts_do_not_overlap(made)


def test_charts_are_written_and_written_the_same_again(tmp_path: Path) -> None:
    for name in ("one", "two"):
        chart(EASY.grid, "mrv", tmp_path / f"{name}.svg", tmp_path / f"{name}.pdf", theme="dark")
    for suffix, start in ((".svg", b"<?xml"), (".pdf", b"%PDF")):
        one, two = ((tmp_path / f"{name}{suffix}").read_bytes() for name in ("one", "two"))
        assert one == two and one.startswith(start)


@pytest.mark.parametrize(
    ("puzzles", "limits"),
    [
        ([EASY.solution, MEDIUM.grid], Limits()),
        ([MEDIUM.grid], Limits(max_nodes=1)),
        (["." * 256], Limits()),
    ],
)
def test_searches_of_no_step_and_of_large_boards_are_drawn(
    puzzles: list[str], limits: Limits
) -> None:
    made = figure([search(puzzle, "mrv", limits) for puzzle in puzzles])
    assert_texts_do_not_overlap(made)
    assert len(made.axes) == 4 * len(puzzles) + (len(puzzles) > 1)


def test_each_search_has_the_colour_that_films_give_it() -> None:
    """For its mark, its curves and its bars; 3:1 from what they are drawn on (WCAG 2.2)."""
    made = figure([search(EASY.grid, name) for name in SIX], "colour-blind")
    loaded = load_theme("colour-blind")
    charts = made.axes[1:]
    for number in range(6):
        colour = loaded.search_colour(number)
        depths, nodes, branching, choices = charts[4 * number : 4 * number + 4]
        shown = [axes.lines[-1].get_color() for axes in (depths, nodes, branching)]
        shown += [patch.get_facecolor() for patch in choices.patches]
        assert {rgb(one) for one in shown} == {colour}
        assert contrast(colour, rgb(nodes.get_facecolor())) >= 3


def test_a_search_of_one_choice_is_drawn_with_whole_numbers() -> None:
    made = figure([search(MEDIUM.grid, "mrv+singles")])
    for axes in made.axes[:3]:
        low, high = axes.get_xlim()
        assert low == 0
        ticks = [tick for tick in axes.get_xticks() if low <= tick <= high]
        assert all(tick == int(tick) for tick in ticks)
    assert made.axes[1].lines[0].get_marker() == "o"


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (1.5, "1.5"), (9999, "9,999"), (20_000, "20k"), (1_500_000, "1.5M"),
     (10**9, "1G"), (0.02, "0.02"), (0.005, "1/200"), (1e-8, "1/100M")],
)  # fmt: skip
def test_ticks_are_short_and_exact(value: float, text: str) -> None:
    assert count_text(value) == text
    assert value_of(text) == pytest.approx(value)


def test_a_chart_has_the_size_and_the_background_that_were_requested(tmp_path: Path) -> None:
    path = tmp_path / "c.png"
    chart(EASY.grid, "mrv", path, theme="blackboard", size=(8, 6))
    with Image.open(path) as picture:
        assert picture.size == (8 * 144, 6 * 144)
        assert picture.convert("RGB").getpixel((2, 2)) == (0x1E, 0x35, 0x29)


def test_an_impossible_chart_is_refused(tmp_path: Path) -> None:
    trace = search(EASY.grid, "mrv")
    with pytest.raises(SettingsError, match="a chart can't show 7 searches"):
        figure([trace] * 7)
    with pytest.raises(SettingsError, match="not a figure"):
        chart(trace, tmp_path / "c.gif")
    with pytest.raises(OutputError, match="no folder"):
        chart(trace, tmp_path / "no" / "c.png")


def test_compare_without_outputs_shows_the_player_in_a_notebook() -> None:
    """In a frame that may run its script and do nothing else."""
    shown = compare(EASY.grid, ["row-major", "mrv"], size="320x180", duration="2s")
    assert isinstance(shown, NotebookFilm)
    html = shown._repr_html_()
    assert html.startswith('<iframe sandbox="allow-scripts" title="Backtracking searches')
    page = unescape(html.split('srcdoc="')[1].removesuffix('"></iframe>'))
    assert page.startswith("<!doctype html>") and page == film_page(shown.film)
    assert "<video" not in html


def test_compare_of_long_searches_shows_a_film_in_a_notebook(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a film, as its last picture, and as any step."""
    monkeypatch.setattr("undoku.player.html_page.MAX_BYTES", 1000)
    shown = compare(parse_puzzle(EASY.grid), ["row-major", "mrv"], size="320x180", duration="2s")
    assert isinstance(shown, NotebookFilm)
    html = shown._repr_html_()
    film, still = (
        base64.b64decode(found) for found in re.findall(r"base64,([A-Za-z0-9+/=]+)", html)[::-1]
    )
    (tmp_path / "film.mp4").write_bytes(film)
    assert sum(1 for _ in decoded(tmp_path / "film.mp4", 320, 180)) == 120
    assert still == shown._repr_png_()
    with Image.open(BytesIO(still)) as picture:
        assert picture.size == (320, 180)
    assert shown.still(3) != still
    assert shown.still() == still
    assert shown.still(3)._repr_png_() == shown.still(3)
    assert len(repr(shown.still(3))) < 30
    assert "Fewest options first" in repr(shown)
    # A film that is too large is its last picture and a sentence.
    monkeypatch.setattr("undoku.render.delivery.notebook.MAX_BYTES", 1000)
    html = shown._repr_html_()
    assert "<video" not in html
    assert len(html) < 2 * len(shown._repr_png_())
    assert "name a file for it" in html


def test_a_notebook_displays_figures_reports_and_puzzles_in_few_words(tmp_path: Path) -> None:
    made = figure([search(EASY.grid, "mrv")])
    with Image.open(BytesIO(made._repr_png_())) as picture:
        assert picture.size[0] == 960
    report = compare(EASY.grid, ["mrv"], tmp_path / "a <b>.gif", size="320x180", duration="1s")
    assert isinstance(report, Report)
    html = report._repr_html_()
    (gif,) = report.outputs
    assert f"a &lt;b&gt;.gif</td><td>{gif.frames}</td><td>1.00</td><td>{gif.bytes:,}<" in html
    assert "<td>mrv</td><td>solved</td><td>44</td>" in html
    assert re.fullmatch(r"<.*a <b>\.gif, \d+ frames, \d+\.\d\d s, [\d,]+ bytes>", repr(report))
    assert len(repr(parse_puzzle(EASY.grid))) < 400


def test_a_notebooks_film_is_short_and_small_by_default() -> None:
    shown = compare(MEDIUM.grid)
    assert isinstance(shown, NotebookFilm)
    assert shown.film.timeline.duration == 15
    assert (shown.film.settings.width, shown.film.settings.height) == (960, 540)
