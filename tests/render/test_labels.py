"""The names of searches in a film: plain names, given labels, all different."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.amounts import long
from tests.support.command import run_undoku
from tests.support.figures import assert_texts_do_not_overlap
from tests.support.films import film_of, make_film
from tests.support.manifests import QUICK, groups
from tests.support.puzzles import EASY, MEDIUM
from undoku import Header, SettingsError, parse_puzzle, search
from undoku.render.delivery.captions import captions
from undoku.render.draw.canvas import Rect
from undoku.render.figures.chart import figure
from undoku.render.film.film import Film
from undoku.render.film.search_labels import labelled
from undoku.render.settings.settings import FilmSettings
from undoku.render.write.recipe import about_film
from undoku.solver.trace.stream import StreamTrace

SMALL = ("--size", "320x180", "-y")


def test_a_film_calls_its_searches_by_given_labels_and_by_their_plain_names() -> None:
    made = make_film("row-major", "mrv+singles", labels=("The  plain\none",))
    assert made.labels == ("The plain one", "Fewest options first, forced digits")
    assert made.names == ("row-major", "mrv+singles")
    assert [header.label for header in made.headers] == list(made.labels)


@pytest.mark.parametrize(
    ("headers", "reported"),
    [
        ([("mrv", ""), ("mrv", "")], ["Fewest options first (1)", "Fewest options first (2)"]),
        (
            [("mrv", ""), ("fewest-options-first", "")],
            ["Fewest options first (mrv)", "Fewest options first (fewest-options-first)"],
        ),
        ([("dlx", ""), ("", "")], ["dlx", "My solver"]),
        ([("mrv", "Mine"), ("mrv", "")], ["Mine", "Fewest options first"]),
        ([("", "a"), ("", "a"), ("", "a (1)")], ["a (1)", "a (2)", "a (1) (1)"]),
    ],
)
def test_no_two_searches_have_one_label(
    headers: list[tuple[str, str]], reported: list[str]
) -> None:
    puzzle = parse_puzzle(EASY.grid)
    found = labelled([Header(puzzle, *texts) for texts in headers], ())
    assert len({header.label for header in found}) == len(headers)
    if reported[-1] != "a (1) (1)":
        assert [header.label for header in found] == reported


def test_one_strategy_on_two_puzzles_is_distinguished_by_their_titles() -> None:
    puzzles = [
        replace(parse_puzzle(grid.grid), title=title)
        for grid, title in ((EASY, "easy"), (MEDIUM, "medium"))
    ]
    made = Film([search(puzzle, "mrv") for puzzle in puzzles], FilmSettings())
    assert made.labels == ("Fewest options first (easy)", "Fewest options first (medium)")


def test_a_label_is_kept_in_the_header_of_a_trace_and_used_by_films() -> None:
    header = search(EASY.grid, "mrv").header._replace(given_label="Norvig, 2006")
    from undoku.solver.trace.header import header_object

    lines = json.dumps(header_object(header)) + '\n["place",2,4]\n'
    read = StreamTrace(io.BytesIO(lines.encode()))
    assert read.header == header
    assert Film([read], FilmSettings()).labels == ("Norvig, 2006",)


def test_titles_and_captions_of_files_use_the_labels() -> None:
    made = make_film("row-major", "mrv", labels=("Plain", "Clever"), title="", highlights=True)
    about = dict(about_film(made.title, made.headers, made.tallies, "", ""))
    assert about["title"] == "Plain vs Clever"
    assert about["strategies"] == "row-major, mrv"
    assert about["counts"].startswith("Plain: solved")
    assert any(highlight.text.startswith("Plain: ") for highlight in made.highlights)
    reported = "\n".join(caption.text for caption in captions(made))
    assert "Plain: " in reported
    assert "row-major" not in reported


def test_a_recorded_command_has_its_labels_and_again_keeps_them(tmp_path: Path) -> None:
    film, again = tmp_path / "film.gif", tmp_path / "again.gif"
    words = ["--label", "Plain", "--label", "With, comma"]
    run_undoku("render", EASY.grid, *words, "-o", str(film), "--duration", "1s", *SMALL, code=0)
    about = json.loads(run_undoku("info", str(film), "--json")[1])
    assert "--label Plain --label 'With, comma'" in about["command"]
    run_undoku("render", "--again", str(film), "-o", str(again), code=0)
    assert json.loads(run_undoku("info", str(again), "--json")[1])["counts"] == about["counts"]


def test_a_trace_is_written_with_its_label_and_read_with_it(tmp_path: Path) -> None:
    """Two of them with one label are distinguished by their files, and by numbers if these have the
    same name."""
    for name in ("one.jsonl", "two.jsonl"):
        words = ("trace", EASY.grid, "-s", "mrv", "--label", "My  solver")
        run_undoku(*words, "-o", str(tmp_path / name), code=0)
    assert '"label":"My solver"' in (tmp_path / "one.jsonl").read_text().splitlines()[0]
    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / "one.jsonl").write_bytes((tmp_path / "one.jsonl").read_bytes())
    files = [str(tmp_path / "one.jsonl"), str(tmp_path / "two.jsonl"), str(copy / "one.jsonl")]
    results = json.loads(run_undoku("stats", *files, "--json")[1])["results"]
    labels = [row["label"] for row in results]
    assert labels == ["My solver (one) (1)", "My solver (two)", "My solver (one) (2)"]
    rows = run_undoku("stats", *files)[1].splitlines()[1:4]
    assert len({row.partition("  ")[0] for row in rows}) == 3


@pytest.mark.parametrize(
    "label",
    [
        "w" * 200,
        long("\u05e9\u05dc " * 60),
        *(long("a+b/c" * 39), long("long " * 39), long("\u6570" * 99), long("e\u0301" * 99)),
    ],
    ids=["a word", "Hebrew", "a spec", "words", "Chinese", "combining marks"],
)
def test_any_two_labels_are_drawn_apart_in_films_and_figures(label: str) -> None:
    """Long ones are wrapped, and those without room are cut in the middle, so that numbers remain
    visible."""
    made = make_film("mrv", "mrv", labels=(label, label))
    assert len(set(made.labels)) == 2
    drawn = figure([search(EASY.grid, "mrv") for _ in range(2)], labels=(label, label))
    texts = [text.text for text, _ in assert_texts_do_not_overlap(drawn)]
    first, second = (sum(number in text for text in texts) for number in ("(1)", "(2)"))
    assert first == second >= 2


# Labels of any characters and lengths: every frame is drawn, inside the picture; those that can't
# be seen are refused.


LONG = ("A solver with a name that does not end " * 6)[:200]
UNBROKEN = "W" * 200
HEBREW = "פותר עם שם " * 8
STACKED = "Z" + "\u0301\u0323\u0335" * 12 + "algo"
CONTROLS = "one\ntwo\tthree\x1b[31mred\x07\u202eback"
EMOJI = "\U0001f600 \U0001f468\u200d\U0001f469\u200d\U0001f467"


WIDE = {"size": "640x360", "language": "en"}
# As for Shorts: the margins on the left and on the right differ.
TALL = {"size": "270x480", "language": "he", "margins": "4,10,11,25"}


@pytest.mark.parametrize(
    ("labels", "settings"),
    [
        ((LONG, HEBREW), TALL),
        long((UNBROKEN, EMOJI), TALL),
        ((STACKED, CONTROLS), TALL),
        long(("same",) * 3, WIDE),
        long((LONG, UNBROKEN, HEBREW, EMOJI), WIDE),
        long(("same",) * 4, TALL),
        long((LONG, HEBREW), WIDE),
        long((UNBROKEN, EMOJI), WIDE),
        long((STACKED, CONTROLS), WIDE),
        long(("same", "same"), TALL),
        long((LONG, UNBROKEN, HEBREW, EMOJI), TALL),
        long(("same",) * 4, WIDE),
    ],
)
def test_films_with_any_labels_are_drawn(
    labels: tuple[str, ...], settings: dict[str, object]
) -> None:
    """No change lies outside the picture: it would make compiled loops read other memory."""
    names = ["row-major", "mrv", "dom-wdeg", "column-major"][: len(labels)]
    made = film_of(*names, puzzle=EASY.grid, pace="story", fps="3", labels=labels, **settings)  # type: ignore[arg-type]
    assert len({*made.labels}) == len(labels)
    whole = Rect(0, 0, made.settings.width, made.settings.height)
    assert all(whole.contains(rect) for frame in made.frames() for rect, _ in frame.changes)


@pytest.mark.parametrize(
    ("labels", "mistake"),
    [
        (["a", ""], "labels: '' is blank"),
        (" \n\t", "is blank"),
        (["\u200b\u2060"], r"labels: '\\u200b\\u2060' is blank"),
        (["a", "\u202e\u2067"], "is blank"),
        (["\0\x1b"], "is blank"),
        (["W" * 100_000], "a text of 100,000 characters"),
        (["a", "b", "c"], "3 labels for 2 searches"),
        ([1], "labels is not a text or a list of texts"),
        ([], "labels is not a text or a list of texts"),
    ],
)
def test_a_mistake_in_the_labels_of_a_manifest_has_its_line(
    tmp_path: Path, labels: object, mistake: str
) -> None:
    given = json.dumps(labels, ensure_ascii=True)
    with pytest.raises(SettingsError, match=mistake) as caught:
        groups(tmp_path, f'{QUICK}[[jobs]]\npuzzles = "easy.txt"\nlabels = {given}\n')
    place = caught.value.place
    assert "films.toml, jobs[0].labels, line " in str(place)
    assert caught.value.remedy
    assert str(caught.value).isprintable() and "\n" not in str(caught.value)


@pytest.mark.parametrize("label", [CONTROLS, HEBREW, EMOJI, STACKED, LONG, UNBROKEN, "\u202ea"])
def test_a_manifest_takes_any_label_that_can_be_seen(tmp_path: Path, label: str) -> None:
    given = json.dumps([label], ensure_ascii=False).replace("\x7f", "\\u007f")
    (one,) = groups(tmp_path, f'{QUICK}[[jobs]]\npuzzles = "easy.txt"\nformats = "gif"\n'
                    f"labels = {given}\n")  # fmt: skip
    assert one.settings.labels == (label,)
