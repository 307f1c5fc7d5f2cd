"""Figures and tables in other languages: every text is translated, and begins on the side where
reading begins.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

from tests.support.amounts import long
from tests.support.command import run_undoku
from tests.support.figures import (
    assert_labels_are_at_their_ticks,
    assert_texts_do_not_overlap,
    journal_of,
    texts_of,
)
from tests.support.marked_texts import keys_in, write_marked
from tests.support.puzzles import EASY, HARD, MEDIUM
from undoku import Limits, Trace, search
from undoku.render.draw.fonts import DEFAULT
from undoku.render.draw.typesetting import Typesetting
from undoku.render.figures.chart import figure
from undoku.render.figures.study_figure import draw_study
from undoku.render.figures.wins_figure import draw_wins
from undoku.solver.study.journal import Journal
from undoku.solver.study.summary import summarise, wins_of
from undoku.texts.language_files import load_language


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


@pytest.mark.parametrize("name", FIGURES)
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


GERMAN = ("searches far apart", "a large study with seeds")
RIGHT_TO_LEFT = ("one search", "wins")
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
