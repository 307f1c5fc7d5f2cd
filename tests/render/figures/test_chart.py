"""The figure: true numbers, readable files, the same bytes each time; and the notebook's film."""

from __future__ import annotations

import base64
import re
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.colors import to_rgb
from matplotlib.lines import Line2D
from PIL import Image

from render import Shown, compare
from render.figures.chart import figure, write_chart
from render.playback.recorders.candidate_counts import Choices
from render.style.theme import contrast, load_theme, theme_names
from solver import Limits, Op, OutputError, SettingsError, Trace, search
from solver.formats import parse_puzzle
from tests.support.decoding import decoded
from tests.support.figures import titles_of
from tests.support.puzzles import EASY, MEDIUM


def slow_choices(trace: Trace) -> list[int]:
    """Nodes by the candidates of the chosen cell, from the board before each first guess."""
    puzzle = trace.header.puzzle
    board, counts = list(puzzle.givens), [0] * (puzzle.size + 1)
    removed: set[tuple[int, int]] = set()
    before: tuple[int, int] | None = None
    for op, value, cell in trace.read().tolist():
        if op == Op.ELIMINATE:
            removed.add((cell, value))
        elif op == Op.RESTORE:
            removed.discard((cell, value))
        elif op == Op.UNDO:
            board[cell] = 0
            before = (op, cell)
        else:
            if op == Op.GUESS and before != (Op.UNDO, cell):
                peers = {board[peer] for peer in puzzle.geometry.peers[cell]}
                counts[
                    sum(
                        number not in peers and (cell, number) not in removed
                        for number in range(1, puzzle.size + 1)
                    )
                ] += 1
            board[cell] = value
            before = (op, cell)
    return counts


@settings(max_examples=12)
@given(st.sampled_from(["row-major", "mrv", "mrv+singles", "random:3+locked"]), st.integers(1, 400))
def test_candidates_at_choice_are_what_a_slow_account_says(strategy: str, cut: int) -> None:
    trace = search(MEDIUM.grid, strategy, Limits(max_nodes=200))
    choices = Choices(trace.header.puzzle)
    events = trace.read().view(np.uint32)
    choices.record(events[:cut])
    choices.record(events[cut:])
    assert choices.counts.tolist() == slow_choices(trace)


def test_a_figure_says_the_counts() -> None:
    traces = [search(MEDIUM.grid, name) for name in ("row-major", "mrv")]
    made = figure(traces, title="Two orders")
    texts = {text.get_text() for axes in made.axes for text in axes.texts}
    assert {"17,536", "534", "8,797", "296", "5,762", "222"} <= texts
    assert [axes.get_title(loc="left") for axes in made.axes] == [
        "Depth over time",
        "Nodes per depth",
        "Branching",
        "Candidates of the chosen cell",
        "Totals",
    ]
    assert {text.get_text() for text in made.legends[0].get_texts()} == {"row-major", "mrv"}


SIX = (
    *("row-major", "mrv", "mrv+singles", "mrv/lcv+locked+pairs+triples", "static/descending"),
    "dom-wdeg/most-constraining+forward+cbj",
)


@pytest.mark.parametrize(
    ("count", "size"),
    [(1, (10.0, 7.5)), (3, (20.0, 15.0)), (4, (7.5, 10.0)), (6, (10.0, 7.5)), (6, (16.0, 9.0))],
)
def test_texts_of_a_figure_do_not_overlap(count: int, size: tuple[float, float]) -> None:
    """Titles, axis labels, legend and numbers, in their final places."""
    traces = [search(MEDIUM.grid, name) for name in SIX[:count]]
    made = figure(traces, title="A title of some length, as people write them", size=size)
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    canvas = FigureCanvasAgg(made)
    canvas.draw()  # type: ignore[no-untyped-call]
    renderer = canvas.get_renderer()  # type: ignore[no-untyped-call]
    boxes = [text.get_window_extent(renderer) for text in made.texts]
    boxes += [legend.get_window_extent(renderer) for legend in made.legends]
    for axes in made.axes:
        for text in (*titles_of(axes), axes.xaxis.label, axes.yaxis.label, *axes.texts):
            if text.get_text():
                boxes.append(text.get_window_extent(renderer))
    for number, box in enumerate(boxes):
        assert box.x0 >= 0
        assert box.y0 >= 0
        assert box.x1 <= made.bbox.x1 + 1
        assert box.y1 <= made.bbox.y1 + 1
        for other in boxes[number + 1 :]:
            wide = min(box.x1, other.x1) - max(box.x0, other.x0)
            high = min(box.y1, other.y1) - max(box.y0, other.y0)
            # The numbers of neighbouring bars may touch.
            assert min(wide, high) <= made.bbox.height / 500


@pytest.mark.parametrize("suffix", [".svg", ".pdf"])
def test_charts_are_written_and_written_the_same_again(tmp_path: Path, suffix: str) -> None:
    for name in ("one", "two"):
        write_chart([search(EASY.grid, "mrv")], tmp_path / f"{name}{suffix}", "dark")
    first = (tmp_path / f"one{suffix}").read_bytes()
    assert first == (tmp_path / f"two{suffix}").read_bytes()
    start = {".svg": b"<?xml", ".pdf": b"%PDF"}[suffix]
    assert first.startswith(start)


def dashes(line: Line2D) -> bytes:
    """Where a straight black line of the line's style has ink, along its length."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    plain = Figure(figsize=(4, 0.2), dpi=100)
    straight = Line2D([0, 1], [0.5, 0.5])
    straight.update_from(line)
    straight.set(color="black", marker="", drawstyle="default", clip_on=False)
    straight.set_transform(plain.transFigure)
    plain.add_artist(straight)
    canvas = FigureCanvasAgg(plain)
    canvas.draw()  # type: ignore[no-untyped-call]
    pixels = np.asarray(canvas.buffer_rgba())[..., 0].min(0)  # type: ignore[no-untyped-call]
    return bytes(pixels < 160)


@pytest.mark.parametrize("theme", theme_names())
@pytest.mark.parametrize("count", [2, 6])
def test_lines_and_bars_are_seen_on_their_ground_and_told_apart(theme: str, count: int) -> None:
    """WCAG 2.2 asks for a contrast of 3; neighbours also differ by their dashes or their place."""
    made = figure([search(EASY.grid, name) for name in SIX[:count]], theme)
    lines = [line for line in made.axes[1].lines if isinstance(line, Line2D)]
    colours = [to_rgb(line.get_color()) for line in lines]
    assert len({dashes(line) for line in lines}) == len(lines)
    cell = load_theme(theme).cell
    for red, green, blue in colours:
        assert contrast((round(255 * red), round(255 * green), round(255 * blue)), cell) >= 3
    for first, second in pairwise(colours):
        assert max(abs(a - b) for a, b in zip(first, second, strict=True)) > 0.1


def test_a_search_of_one_choice_is_drawn_with_whole_numbers() -> None:
    made = figure([search(MEDIUM.grid, "mrv+singles")])
    for axes in made.axes[:3]:
        low, high = axes.get_xlim()
        assert low == 0
        ticks = [tick for tick in axes.get_xticks() if low <= tick <= high]
        assert all(tick == int(tick) for tick in ticks)
    assert made.axes[1].lines[0].get_marker() == "o"


def test_a_chart_has_the_size_and_the_ground_that_were_asked_for(tmp_path: Path) -> None:
    path = write_chart([search(EASY.grid, "mrv")], tmp_path / "c.png", "blackboard", size=(8, 6))
    with Image.open(path) as picture:
        assert picture.size == (8 * 144, 6 * 144)
        assert picture.convert("RGB").getpixel((2, 2)) == (0x1E, 0x35, 0x29)


def test_a_chart_that_can_not_be_is_refused(tmp_path: Path) -> None:
    trace = search(EASY.grid, "mrv")
    with pytest.raises(SettingsError, match="7 searches in one chart"):
        figure([trace] * 7)
    with pytest.raises(SettingsError, match="not a chart"):
        write_chart([trace], tmp_path / "c.gif")
    with pytest.raises(OutputError, match="no folder"):
        write_chart([trace], tmp_path / "no" / "c.png")


def test_compare_without_outputs_shows_itself_in_a_notebook(tmp_path: Path) -> None:
    """As a film, as its last picture, and as any step."""
    shown = compare(parse_puzzle(EASY.grid), ["row-major", "mrv"], size="320x180", duration="2s")
    assert isinstance(shown, Shown)
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
    assert "mrv" in repr(shown)


def test_a_film_too_large_for_a_notebook_is_a_picture_and_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown = compare(EASY.grid, "mrv", size="320x180", duration="1s")
    assert isinstance(shown, Shown)
    assert "<video" in shown._repr_html_()
    monkeypatch.setattr("render.figures.notebook._MOST_BYTES", 1000)
    html = shown._repr_html_()
    assert "<video" not in html
    assert len(html) < 2 * len(shown._repr_png_())
    assert "name a file for it" in html


def test_a_notebook_displays_figures_reports_and_puzzles_in_few_words(tmp_path: Path) -> None:
    made = figure([search(EASY.grid, "mrv")])
    with Image.open(BytesIO(made._repr_png_())) as picture:
        assert picture.size == (960, 720)
    report = compare(EASY.grid, ["mrv"], tmp_path / "a <b>.gif", size="320x180", duration="1s")
    html = report._repr_html_()
    (gif,) = report.outputs
    assert f"a &lt;b&gt;.gif</td><td>{gif.frames}</td><td>1.00</td><td>{gif.bytes:,}<" in html
    assert "<td>mrv</td><td>solved</td><td>44</td>" in html
    assert len(repr(report)) < 500
    assert len(repr(parse_puzzle(EASY.grid))) < 400


def test_a_notebooks_film_is_short_and_small_unless_told_otherwise() -> None:
    shown = compare(MEDIUM.grid)
    assert shown.film.timeline.duration == 15
    assert (shown.film.settings.width, shown.film.settings.height) == (960, 540)
