"""The figure: true numbers, readable files, the same bytes each time; and the notebook's film."""

from __future__ import annotations

import base64
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from html import unescape
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from PIL import Image

from tests.support.amounts import long
from tests.support.command import run_undoku
from tests.support.decoding import decoded
from tests.support.figures import (
    assert_labels_are_at_their_ticks,
    assert_readable,
    assert_texts_do_not_overlap,
    journal_of,
    random_study,
    rgb,
    texts_of,
    ticks_of,
    value_of,
)
from tests.support.marked_texts import keys_in, write_marked
from tests.support.puzzles import EASY, HARD, MEDIUM
from undoku import Limits, NotebookFilm, OutputError, SettingsError, Trace, compare, search
from undoku.cli.chart import chart
from undoku.player.html_page import film_page
from undoku.render.delivery.write import Report
from undoku.render.draw.colour_space import contrast
from undoku.render.draw.fonts import DEFAULT
from undoku.render.draw.theme import load_theme, theme_names
from undoku.render.draw.typesetting import Typesetting
from undoku.render.figures.chart import figure
from undoku.render.figures.chart_panels import COLUMNS, SearchResult
from undoku.render.figures.matplotlib_parts import ShownFigure
from undoku.render.figures.scales import count_text
from undoku.render.figures.study_figure import MAX_DOTS, draw_study
from undoku.render.figures.wins_figure import draw_wins
from undoku.render.playback.choices import Choices
from undoku.render.playback.history import Depths
from undoku.solver.problem.sources import parse_puzzle
from undoku.solver.study.journal import Journal
from undoku.solver.study.summary import summarise, wins_of
from undoku.solver.trace.trace import Header, Outcome
from undoku.texts.language_files import load_language


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Figure]:
    """The figures that are saved, open to questions. Their files are empty: making pixels of them
    takes as long as all else."""
    figures: list[Figure] = []

    def kept(figure: Figure, path: Path, **_: object) -> None:
        figures.append(figure)
        figure.draw_without_rendering()
        path.touch()

    monkeypatch.setattr(Figure, "savefig", kept)
    return figures


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
        tally = trace.tally()._replace(
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
        trace.header = trace.header._replace(title=title)
        traces.append(trace)
    theme = theme_names()[seed % len(theme_names())]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("undoku.render.figures.chart.search_result", synthetic(seed))
        return figure(traces, theme, title=" ".join(dice.choices(WORDS, k=seed)))


@pytest.fixture(
    scope="module",
    params=[pytest.param(seed, marks=pytest.mark.long if seed else ()) for seed in range(10)],
)
def seeded(request: pytest.FixtureRequest) -> tuple[int, ShownFigure]:
    """A seed and the figure of random results made with it: one figure in the short run, ten
    in the long one."""
    return request.param, random_figure(request.param)


def test_texts_of_any_figure_are_apart_and_can_be_read_on_a_phone(
    seeded: tuple[int, ShownFigure],
) -> None:
    """Over eight decades, too; and every tick is at its value: "1.5" at 1.5, not at 2."""
    _, made = seeded
    assert_readable(made)
    assert len([tick for axes in made.axes for tick in ticks_of(axes)]) > 8


def test_every_point_is_at_its_value(seeded: tuple[int, ShownFigure]) -> None:
    """And the searches share their scales, which begin at zero unless they are logarithmic."""
    seed, made = seeded
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
        return replace(made, tally=made.tally._replace(places=places, undos=0))

    monkeypatch.setattr("undoku.render.figures.chart.search_result", account)
    traces = []
    for number in range(len(steps)):
        trace = search(EASY.grid, "mrv")
        trace.header = trace.header._replace(title=str(number))
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
        long(["." * 256], Limits()),
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


# Figures and tables in other languages: every text is translated, and begins on the side where
# reading begins.


def searches(name: str) -> list[Trace]:
    """Searches of one puzzle: alone, two that differ much or little, capped ones."""
    if name == "alone":
        return [search(EASY.grid, "mrv")]
    if name == "far apart":
        return [search(MEDIUM.grid, "row-major"), search(EASY.solution, "mrv"),
                search(HARD.grid, "row-major", Limits(max_nodes=50_000))]  # fmt: skip
    return [search(MEDIUM.grid, one, Limits(max_nodes=250)) for one in ("row-major", "mrv")]


def study_journal(folder: Path, seeds: int, puzzles: int) -> Journal:
    """Counts of two strategies that span many decades, some of them capped."""
    dice = np.random.default_rng(seeds)
    nodes = np.exp(dice.uniform(0, 12, (puzzles, 2))).astype(np.int64).clip(1, 100_000)
    return journal_of(folder / f"{seeds}-{puzzles}.journal", nodes, ("1", "2"), 100_000, seeds)


def drawn_study(folder: Path, seeds: int, puzzles: int, *, wins: bool) -> None:
    journal = study_journal(folder, seeds, puzzles)
    if wins:
        draw_wins(journal, wins_of(journal), folder / "f.png", ".png")
    else:
        draw_study(journal, summarise(journal), folder / "f.png", ".png")
    journal.close()


def chart_of(name: str) -> Callable[[Path, str], Figure | None]:
    return lambda folder, texts: figure(searches(name), texts=texts)


def study_of(seeds: int, puzzles: int, *, wins: bool) -> Callable[[Path, str], Figure | None]:
    return lambda folder, texts: drawn_study(folder, seeds, puzzles, wins=wins)


FIGURES = {
    "one search": chart_of("alone"),
    "searches far apart": chart_of("far apart"),
    "capped searches": chart_of("capped"),
    "a small study": study_of(1, 30, wins=False),
    "a large study with seeds": study_of(3, 300, wins=False),
    "wins": study_of(1, 30, wins=True),
    "wins of searches with seeds": study_of(3, 300, wins=True),
}


@pytest.mark.parametrize("name", [long(n) if "seeds" in n else n for n in FIGURES])
def test_no_text_of_a_figure_escapes_the_table(
    name: str, tmp_path: Path, drawn: list[Figure]
) -> None:
    """In a language in which every text is a mark no English word is drawn."""
    texts = write_marked(tmp_path)
    with Typesetting(load_language(texts), DEFAULT).within():
        made = FIGURES[name](tmp_path, texts) or drawn[-1]
    reported = {text.text for text in texts_of(made)}
    specs = ("row-major", "mrv")
    words = {word for text in reported for word in re.findall(r"[A-Za-z-]{2,}", text)}
    assert words <= {*specs}
    assert len({key for text in reported for key in keys_in(text)}) > 4


GERMAN, RIGHT_TO_LEFT = ("one search",), ("wins",)
"""The figures that `make test` draws in these languages."""


@pytest.mark.parametrize(
    ("name", "language"),
    [
        (name, language) if name in always else long(name, language)
        for language, always in (("de", GERMAN), ("he", RIGHT_TO_LEFT))
        for name in FIGURES
    ],
)
def test_texts_of_other_languages_do_not_overlap(
    name: str, language: str, tmp_path: Path, drawn: list[Figure]
) -> None:
    with Typesetting(load_language(language), DEFAULT).within():
        made = FIGURES[name](tmp_path, language) or drawn[-1]
    assert_labels_are_at_their_ticks(made, assert_texts_do_not_overlap(made))


def test_texts_on_the_left_in_english_are_on_the_right_in_hebrew() -> None:
    """Names, the squares of their colours, and bars; but charts run from left to right."""
    traces = [search(MEDIUM.grid, name) for name in ("row-major", "mrv")]
    ends = {}
    for texts in ("", "he"):
        made = figure(traces, texts=texts, labels=("One", "Two"))
        made.draw_without_rendering()
        (name, *_) = [text for text in texts_of(made) if text.text == "One"]
        box = name.get_path().get_extents(name.get_transform())
        (_, bar) = [patch.get_window_extent() for patch in made.axes[0].patches]
        width = made.bbox.width
        ends[texts] = [(box.x0, bar.x0), (width - box.x1, width - bar.x1)]
        low, high = made.axes[1].get_xlim()
        assert low < high
    assert ends[""][0] == pytest.approx(ends["he"][1], abs=4)
    assert ends[""][0][0] < ends[""][1][0]


def test_a_figure_takes_labels_texts_and_a_font_as_a_film_does(tmp_path: Path) -> None:
    words = [EASY.grid, "-s", "mrv", "-s", "mrv", "--label", "Erste", "--language", "de"]
    path = tmp_path / "c.svg"
    code, _, complaint = run_undoku("chart", *words, "--label", "Erste", "-o", str(path))
    assert code == 0, complaint
    code, out, _ = run_undoku("solve", *words[:5], "--language", "de", "--label", "Erste")
    assert out.splitlines()[0].split()[:2] == ["Strategie", "Ergebnis"]
    assert [line.split()[0] for line in out.splitlines()[1:3]] == ["Erste", "mrv"]
    assert out.splitlines()[-1].startswith("Lösung ")
    code, out, _ = run_undoku("stats", *words)
    assert re.search(r"^Schritt +\d+  Erste: nach \d+ Schritten gelöst$", out, re.MULTILINE)
    for command in ("chart", "solve", "stats"):
        wrong = [command, EASY.grid, "-s", "mrv", *["--label", "a"] * 2]
        more = ["-o", str(tmp_path / "d.png")] if command == "chart" else []
        code, _, complaint = run_undoku(*wrong, *more)
        assert code == 2 and "2 labels for 1 search" in complaint
        code, _, complaint = run_undoku(command, EASY.grid, "--language", "xx", *more)
        assert code == 2 and "there is no language 'xx'" in complaint


def test_a_study_calls_its_strategies_by_their_labels_in_tables_and_figures(
    tmp_path: Path, drawn: list[Figure]
) -> None:
    """But rows of its file have their specs."""
    collection = tmp_path / "p.sdm"
    collection.write_text(f"{EASY.grid}\n{MEDIUM.grid}\n")
    words = ["study", str(collection), "-s", "row-major", "mrv", "-j0", "-q", "--label", "Plain",
             "--label", "Plain", "--language", "de", "-o", str(tmp_path / "s.csv"),
             "--wins", str(tmp_path / "w.png"), "--figure", str(tmp_path / "f.png")]  # fmt: skip
    code, _, complaint = run_undoku(*words)
    assert code == 0, complaint
    for made in drawn:
        reported = " ".join(text.text for text in texts_of(made))
        assert "Plain (1)" in reported and "Plain (2)" in reported and "Rätsel" in reported
        assert "mrv" not in reported
    assert ",mrv," in (tmp_path / "s.csv").read_text()
    code, _, complaint = run_undoku(*words, "-y", "--label", "x")
    assert code == 2 and "3 labels for 2 strategies" in complaint


def test_characters_of_a_figure_that_no_font_has_are_named_in_one_warning(tmp_path: Path) -> None:
    code, _, complaint = run_undoku(
        "chart", EASY.grid, "-s", "mrv", "--label", "a \U0010fffd", "--title", "\U0010fffd",
        "-o", str(tmp_path / "c.png"),
    )  # fmt: skip
    assert code == 0
    assert complaint.count("U+10FFFD") == complaint.count("warning") == 1
    assert "--font" in complaint


# The figures of a study, and of who wins where: dots, curves and bars stand at the numbers, texts
# apart.


LONG = "mrv+singles+locked+pairs+triples+x-wing+cbj"
CAP = 1000


def draw(folder: Path, nodes: list[list[int]], names: list[str], cap: int = CAP) -> None:
    """The figure of these nodes, (puzzles, strategies), capped where they are `cap`."""
    journal = journal_of(folder / "j", nodes, names, cap)
    draw_study(journal, summarise(journal), folder / "f.png", ".png")
    journal.close()


def dots(axes: Axes) -> list[tuple[float, bool]]:
    """(value, whether it is hollow) of every dot in a row, ascending."""
    background = axes.get_facecolor()
    return sorted(
        (float(value), rgb(line.get_markerfacecolor()) == rgb(background))
        for line in axes.lines
        if line.get_marker() == "o"
        for value in np.asarray(line.get_xdata(), float)
    )


def test_every_puzzle_is_a_dot_in_every_row_at_its_number(
    tmp_path: Path, drawn: list[Figure]
) -> None:
    nodes = [[2, 1000, 7], [50, 3, 1000], [4, 1, 999]]
    draw(tmp_path, nodes, ["a", "b", "c"])
    (figure,) = drawn
    assert len(figure.axes) == 3 + 2
    for number in range(3):
        expected = sorted((float(row[number]), row[number] == CAP) for row in nodes)
        assert dots(figure.axes[number]) == expected
    for number in (1, 2):
        ratios = sorted((row[number] / row[0], CAP in (row[number], row[0])) for row in nodes)
        found = dots(figure.axes[2 + number])
        assert [hollow for _, hollow in found] == [hollow for _, hollow in ratios]
        assert [value for value, _ in found] == pytest.approx([value for value, _ in ratios])


@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=pytest.mark.long if seed else ()) for seed in range(8)]
)
def test_texts_of_any_study_are_apart_and_can_be_read_on_a_phone(
    seed: int, tmp_path: Path, drawn: list[Figure]
) -> None:
    """And every tick stands at its value, and all rows of a section share their axis."""
    nodes, names, cap = random_study(seed)
    draw(tmp_path, nodes, names, cap)
    (figure,) = drawn
    assert_readable(figure)
    count = len(names)
    for section in (figure.axes[:count], figure.axes[count:]):
        assert len({axes.get_xlim() for axes in section}) <= 1
    for axes in figure.axes:
        low, high = axes.get_xlim()
        assert all(low <= value <= high for value, _ in dots(axes))
        assert len(dots(axes)) == min(len(nodes), MAX_DOTS)
        for line in axes.lines:
            if line.get_marker() == "o":
                places = line.get_transform().transform(np.asarray(line.get_xydata(), float))
                assert (places[:, 1] <= axes.bbox.y1).all()


@pytest.mark.parametrize("nodes", [[[5, 5]] * 9, [[200, 300]]])
def test_labels_of_an_axis_do_not_overlap_though_all_values_are_equal(
    tmp_path: Path, drawn: list[Figure], nodes: list[list[int]]
) -> None:
    """And the caption has their mean ratio."""
    draw(tmp_path, nodes, ["a", "b"])
    (figure,) = drawn
    assert_texts_do_not_overlap(figure)
    for axes in (figure.axes[1], figure.axes[2]):
        assert len(ticks_of(axes)) >= 2
    mean = f"geometric mean {nodes[0][1] / nodes[0][0]:g}"
    assert any(f"{text.text},".startswith(f"{mean},") for text in texts_of(figure))


def test_capped_searches_are_said_and_hollow(tmp_path: Path, drawn: list[Figure]) -> None:
    names = [f"{LONG}:{number}" for number in range(7)]
    spread = [[CAP, *(7 * number + row for number in range(6))] for row in range(1, 40)]
    draw(tmp_path, spread, names)
    (figure,) = drawn
    message = [text.text for text in texts_of(figure)]
    assert "median ≥1,000, 100.00% capped (hollow)" in message
    assert all(hollow for _, hollow in dots(figure.axes[0]))
    assert not any(hollow for _, hollow in dots(figure.axes[1]))
    assert all(hollow for _, hollow in dots(figure.axes[7]))


def test_a_large_collection_has_a_dot_for_each_hundredth(
    tmp_path: Path, drawn: list[Figure]
) -> None:
    draw(tmp_path, [[number] for number in range(1, 1000)], ["a"], cap=10**9)
    (figure,) = drawn
    values = [value for value, _ in dots(figure.axes[0])]
    assert len(values) == MAX_DOTS
    assert np.allclose(values, np.arange(5, 1000, 9.99) + 0.5, atol=1)
    assert "999 puzzles; each dot is one in 100 of them" in [text.text for text in texts_of(figure)]


def draw_figure(path: Path, nodes: list[list[int]], names: Sequence[str], cap: int = 1000) -> None:
    """The figure of these nodes; `cap` of them are a capped search."""
    journal = journal_of(path.with_suffix(".journal"), nodes, names, cap, ones=1 + len(nodes) % 3)
    try:
        draw_wins(journal, wins_of(journal), path, path.suffix)
    finally:
        journal.remove()


def points_of(line: Line2D) -> dict[float, float]:
    """The last y of each x of a curve."""
    xs, ys = (np.asarray(end, float).tolist() for end in (line.get_xdata(), line.get_ydata()))
    return dict(zip(xs, ys, strict=True))


def test_curves_bars_and_pairs_are_at_their_numbers(tmp_path: Path, drawn: list[Figure]) -> None:
    draw_figure(tmp_path / "f.png", [[1, 5], [10, 5], [100, 5], [1000, 50]], ("a", "b"))
    (figure,) = drawn
    *charts, pair = figure.axes
    theme = load_theme("light")
    for number, shares in enumerate([[(1, 25), (10, 50), (100, 75)], [(5, 75), (50, 100)]]):
        own, own_left = charts[number].lines[-1], charts[2 + number].lines[-1]
        assert rgb(own.get_color()) == rgb(own_left.get_color()) == theme.search_colour(number)
        points, left = points_of(own), points_of(own_left)
        assert {(x, points[x]) for x, _ in shares} == set(shares)
        assert all(np.isnan(left[x]) if y == 100 else left[x] == 100 - y for x, y in shares)
    (marked,) = [line for line in pair.lines if line.get_marker() == "o"]
    assert list(points_of(marked)) == [0.25]
    bars = [
        patch.get_width()
        for patch in figure.artists
        if isinstance(patch, Rectangle) and patch.get_width() > 0.1
    ]
    whole = max(bars)  # a group's bar, and on it what each strategy wins
    assert sorted(round(bar / whole, 6) for bar in bars) == [0.25, 0.25, 0.75, 0.75, 1, 1]


@pytest.mark.parametrize(
    "seed",
    [pytest.param(seed, marks=() if seed == 1 else pytest.mark.long) for seed in range(9)],
)
def test_each_strategy_has_charts_of_its_own_on_common_scales(
    seed: int, tmp_path: Path, drawn: list[Figure]
) -> None:
    """Its curve alone is in colour, on top of the others; and whatever the numbers and the names
    are, texts stand apart and can be read on a phone."""
    nodes, names, cap = random_study(seed, least=2)
    draw_figure(tmp_path / "f.png", nodes, names, cap)
    (figure,) = drawn
    theme, count = load_theme("light"), len(names)
    for charts in (figure.axes[:count], figure.axes[count : 2 * count]):
        assert len({(axes.get_xlim(), axes.get_ylim()) for axes in charts}) == 1
        for number, axes in enumerate(charts):
            *others, own = axes.lines
            assert rgb(own.get_color()) == theme.search_colour(number)
            (pale,) = {rgb(line.get_color()) for line in others}
            assert contrast(rgb(own.get_color()), pale) > 1.5
            assert len(others) == count - 1
            assert all(line.get_linewidth() < own.get_linewidth() for line in others)
    assert_readable(figure)
    assert not any(axes.patches for axes in figure.axes)  # no bar stands on an axis


@pytest.mark.filterwarnings("error")
def test_one_puzzle_has_charts_with_axes_of_two_ends(tmp_path: Path, drawn: list[Figure]) -> None:
    draw_figure(tmp_path / "f.png", [[7, 70]], ("a", "b"))
    (figure,) = drawn
    assert [axes.get_ylim() for axes in figure.axes[2:4]] == [(10.0, 100.0)] * 2
    texts = {text.text for text, _ in assert_texts_do_not_overlap(figure)}
    assert {"10%", "100%"} <= texts


@pytest.mark.filterwarnings("error")
def test_any_names_leave_the_texts_apart(tmp_path: Path, drawn: list[Figure]) -> None:
    names = ("red\x07\x1b[31m\u202eback", "w" * 200, "$x^$ \\frac", "\u05e9\u05dd " * 30,
             "\u200b")  # fmt: skip
    draw_figure(tmp_path / "f.png", [[1, 2, 3, 4, 5], [5, 4, 3, 2, 1000]], names)
    (figure,) = drawn
    assert_texts_do_not_overlap(figure)


def test_a_study_of_one_strategy_has_no_wins(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="needs two strategies"):
        draw_figure(tmp_path / "f.png", [[1]], ("a",))
    assert not (tmp_path / "f.png").exists()
