"""Texts are in the current language, in the form that a number requires, with its separators;
mistakes in files of texts are reported with their place."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable, Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.amounts import long
from tests.support.command import Undoku
from tests.support.films import film_of
from tests.support.marked_texts import drawn_texts, keys_in, write_marked
from tests.support.puzzles import EASY, MEDIUM
from undoku import Limits, Puzzle
from undoku.errors import ReadError, SettingsError
from undoku.player.html_page import page_script
from undoku.render.delivery.captions import captions
from undoku.render.delivery.filmstrip import filmstrip
from undoku.render.draw.unicode_text import direction_of
from undoku.render.film.film import Film
from undoku.render.panels.panel_registry import panels
from undoku.render.timeline.timeline import Phase
from undoku.solver.problem.variants import jigsaw_geometry, with_diagonals
from undoku.solver.search.part_registry import REPERTOIRE
from undoku.solver.search.strategy import Strategy
from undoku.texts import wording as say
from undoku.texts.counter_kinds import COUNTERS
from undoku.texts.language import (
    ENGLISH,
    FORMS,
    decimal,
    forms_of,
    number,
    places_in,
    plural_form,
    speaking,
    spoken,
)
from undoku.texts.language_files import language_names, load_language
from undoku.texts.strategy_texts import strategy_name
from undoku.texts.wording import NOUNS, Text, english, part_key


def test_english_is_spoken_where_nothing_else_is() -> None:
    assert spoken() == ENGLISH == load_language("")
    assert say.STEPS(count=17536) == "17,536 steps"
    assert say.STEPS(count=1) == "1 step"
    assert say.STEPS(count=0) == "0 steps"


def test_german_separates_thousands_by_points_and_decimals_by_commas() -> None:
    with speaking(load_language("de")):
        assert say.STEPS(count=17536) == "17.536 Schritte"
        assert say.STEPS(count=1) == "1 Schritt"
        assert number(1234567) == "1.234.567"
        assert decimal(Fraction(3, 2)) == "1,5"
        assert decimal(1234.5) == "1.234,5"
        assert decimal(2) == "2"
        assert say.short_number(3_400_000) == "3,4 Mio."
    assert number(1234567) == "1,234,567"


def test_hebrew_has_a_form_for_two_and_runs_from_right_to_left() -> None:
    language = load_language("he")
    assert language.right_to_left
    with speaking(language):
        reported = [say.STEPS(count=count) for count in (1, 2, 3)]
    assert len(set(reported)) == 3
    assert "2" not in reported[1] and "3" in reported[2]


@pytest.mark.parametrize(
    ("language", "name", "direction"), [("he", "row-major", "R"), ("en", "שורות", "L")]
)
def test_a_sentence_runs_in_its_direction_also_after_a_name_of_the_other_one(
    language: str, name: str, direction: str
) -> None:
    with speaking(load_language(language)):
        assert direction_of(say.INSTEAD_OF(best="mrv", worst=name)) == direction
        assert direction_of(say.INSTEAD_OF(best=name, worst="mrv")) == direction
        assert say.STEPS(count=3)[0] not in "\u200e\u200f"


@pytest.mark.parametrize(
    ("language", "forms"),
    [
        ("en", {0: "other", 1: "one", 2: "other", 101: "other"}),
        ("pt-BR", {0: "one", 1: "one", 2: "other"}),
        ("ja", {0: "other", 1: "other"}),
        ("ru", {1: "one", 2: "few", 5: "many", 11: "many", 21: "one", 22: "few", 112: "many"}),
        ("pl", {1: "one", 2: "few", 5: "many", 12: "many", 21: "many", 22: "few"}),
        ("cs", {1: "one", 4: "few", 5: "other"}),
        ("ar", {0: "zero", 1: "one", 2: "two", 3: "few", 11: "many", 100: "other", 103: "few"}),
        ("he", {1: "one", 2: "two", 10: "other"}),
        ("unknown", {1: "one", 2: "other"}),
    ],
)
def test_numbers_take_the_forms_of_their_language(language: str, forms: dict[int, str]) -> None:
    assert {count: plural_form(language, count) for count in forms} == forms
    assert {*forms.values()} <= {*forms_of(language)} <= {*FORMS}


@pytest.mark.parametrize("language", language_names())
def test_every_text_can_be_said_in_every_language(language: str) -> None:
    """With any number, and its values are in it; counted forms may spell one and two."""
    with speaking(load_language(language)):
        for key, forms in english().items():
            places = places_in(forms["other"]) - {*NOUNS}
            for count in (0, 1, 2, 3, 5, 11, 100):
                values: dict[str, int | str] = {place: f"<{place}>" for place in places}
                if "one" in forms:
                    values["count"] = count
                reported = Text(key)(**values)
                assert reported.strip()
                for place in places - {"count"}:
                    assert f"<{place}>" in reported, key
                if "one" in forms and "count" in places and count > 2:
                    assert str(count) in reported, key


SAME_AS_ENGLISH = {"seconds", "milliseconds", "microseconds", "nanoseconds", "inference-x-wing"}


@pytest.mark.parametrize("name", ["de", "he"])
def test_built_in_languages_have_every_text(name: str) -> None:
    """Except those without a word."""
    missing = {
        key
        for key, forms in english().items()
        if key not in load_language(name).wordings
        and re.search("[A-Za-z]{2}", re.sub(r"\{\w+\}", "", forms["other"]))
    }
    assert missing <= SAME_AS_ENGLISH


@pytest.mark.parametrize("name", language_names())
def test_cells_and_digits_are_named_only_by_the_nouns_of_the_problem(name: str) -> None:
    """So that a map has regions and colours, in every language; a Hebrew noun may have an article
    or a preposition before it."""
    language = load_language(name)
    with speaking(language):
        forms = {
            form for key in ("noun-cell", "noun-digit") for form in Text(key).forms()[0].values()
        }
        texts = {
            form
            for key in english()
            if not key.startswith("noun-")
            for form in Text(key).forms()[0].values()
        }
    noun = re.compile(rf"(?<!\w)[הלבוש]?({'|'.join(forms)})(?!\w)")
    assert [text for text in texts if noun.search(re.sub(r"{\w+}", "", text))] == []


def test_strategies_have_names_in_other_languages() -> None:
    with speaking(load_language("de")):
        assert strategy_name(Strategy.parse("mrv")) == "Engste Zelle zuerst"
        singles = strategy_name(Strategy.parse("mrv+singles@root"))
        assert singles == "Engste Zelle zuerst, Erzwungenes zu Beginn"


def test_every_part_of_strategies_has_a_text_for_its_name() -> None:
    assert {part_key(part) for part in REPERTOIRE} <= {*english()}


def test_counters_that_were_sent_to_another_process_are_the_same() -> None:
    """They are compared, with their labels."""
    assert pickle.loads(pickle.dumps(COUNTERS)) == COUNTERS


def written(folder: Path, content: str) -> str:
    path = folder / "own.toml"
    path.write_text(content, encoding="utf-8")
    return str(path)


def test_texts_that_the_users_file_lacks_are_english(tmp_path: Path) -> None:
    own = written(tmp_path, 'language = "nl"\nthousands = "."\n[texts]\nsteps = "{count} stappen"')
    with speaking(load_language(own)):
        assert say.STEPS(count=2000) == "2.000 stappen"
        assert say.SOLUTIONS(count=2000) == "2.000 solutions"


def test_a_file_may_spell_a_number_out_in_the_form_for_it(tmp_path: Path) -> None:
    own = written(tmp_path, 'texts.steps = { one = "a single step", other = "{count} steps" }')
    with speaking(load_language(own)):
        assert say.STEPS(count=1) == "a single step"
        assert say.STEPS(count=2) == "2 steps"


@pytest.mark.parametrize(
    ("content", "where", "message"),
    [
        ('[texts]\nsolutionz = "x"', "texts.solutionz", "'solutionz'; did you mean solutions?"),
        ('[texts]\nqqqqq = "x"', "texts.qqqqq", "undoku list texts"),
        ('[texts]\nsteps = "steps"', "texts.steps", "the place {count} is missing"),
        ('[texts]\nsteps = "{count} {name}"', "texts.steps", "has no place {name}; it has {count}"),
        ('[texts]\nsteps = "{count"', "texts.steps", "can't be filled in"),
        ('[texts]\nsteps = "{count:>99}"', "texts.steps", "is not a place"),
        ('[texts]\nsteps = "{count.real}"', "texts.steps", "is not a place"),
        ("[texts]\nsteps = 3", "texts.steps", "is not a text, or a table of its forms"),
        ('[texts]\ntwo = { one = "x" }', "texts.two", "is not a text"),
        (
            '[texts]\nsteps = { few = "{count}" }',
            "texts.steps.few",
            "'few' is a form of another language",
        ),
        ('[texts]\nsteps = { any = "{count}" }', "texts.steps.any", "'any' is not a form"),
        ('[texts]\nsteps = { one = "{count}" }', "texts.steps", "no form 'other'"),
        ('[texts]\ntwo = "a\\nb"', "texts.two", "is not a line of text"),
        ('language = "de"\ndirection = "up"', "direction", "is not a direction"),
        ('thousands = "ab"', "thousands", "one character"),
        ("texts = 3", "texts", "must be a table"),
        ('steps = "x"', "steps", "texts belong below [texts]"),
        ("[texts", "line 1, column 6", "not valid TOML"),
    ],
)
def test_a_mistake_is_reported_with_its_place(
    tmp_path: Path, content: str, where: str, message: str
) -> None:
    with pytest.raises(SettingsError) as caught:
        load_language(written(tmp_path, content))
    assert message in str(caught.value)
    assert f"own.toml, {where}, " in f"{caught.value.place}, "


def test_a_language_that_is_not_known_is_reported() -> None:
    with pytest.raises(SettingsError, match=r"there is no language 'da'; known: de, en, he, or"):
        load_language("da")
    with pytest.raises(ReadError, match=r"no file 'gone\.toml'"):
        load_language("gone.toml")


def test_the_command_reports_a_mistake_in_texts_and_makes_no_film(
    undoku: Undoku, tmp_path: Path
) -> None:
    own = written(tmp_path, '[texts]\nsteps = "{cuont} steps"')
    done = undoku(
        "render", EASY.grid, "-s", "mrv", "-o", "a.gif", "--language", own, cwd=tmp_path, code=2
    )
    assert "own.toml, texts.steps" in done.stderr
    assert not (tmp_path / "a.gif").exists()


def test_the_list_of_texts_has_languages_and_all_keys(undoku: Undoku, tmp_path: Path) -> None:
    output = undoku("list", "texts", cwd=tmp_path).stdout
    for word in (*language_names(), "head-fewer", "cells-mrv", "{count} steps ({count} step)"):
        assert word in output


# In a language that runs from right to left, texts that are on the left in English are on the
# right.


def film(texts: str, *strategies: str, **given: Any) -> Film:
    even: dict[str, Any] = {"size": "640x360", "pace": "even", "duration": "2s", "card": "2s"}
    return film_of(*strategies or ("mrv",), language=texts, **even, **given)


def picture(made: Film, phase: Phase) -> Any:
    """The last picture of a phase."""
    shots = [shot for shot in made.timeline.shots() if shot.phase is phase]
    *_, frame = made.draw(shots[-1:])
    return frame.pixels


def edges(pixels: Any, rect: Any) -> tuple[int, int]:
    """How far the ink in a rectangle is from its left and its right edge."""
    part = pixels[rect.y : rect.bottom, rect.x : rect.right].astype(int)
    inked = np.flatnonzero((np.abs(part - part[0, 0]).sum(2) > 60).any(0))
    return int(inked[0]), rect.width - 1 - int(inked[-1])


@pytest.mark.parametrize(("texts", "begin"), [("en", 0), ("he", 1)])
def test_headings_and_counters_begin_on_the_side_where_one_begins_to_read(
    texts: str, begin: int
) -> None:
    made = film(texts)
    pixels = picture(made, Phase.RACE)
    block = made.layout.blocks[0]
    for box in (block.name, *block.counters):
        near = edges(pixels, box)
        assert near[begin] <= 3
        assert near[begin] < near[1 - begin]


def test_the_first_counter_is_where_reading_begins() -> None:
    """Of a row of counters, in Hebrew the right one counts the steps, which are more."""
    english, hebrew = (film(name, "row-major", panels="board,counters") for name in ("en", "he"))
    block = english.layout.blocks[0]
    assert block.counters[0].y == block.counters[1].y
    left, right = block.counters[0], block.counters[-1]

    def wide(made: Film, box: Any) -> int:
        """The width of the number in a box, below its label."""
        high = box.height // 4
        lower = box._replace(y=box.y + high, height=box.height - high)
        return int(lower.width - sum(edges(picture(made, Phase.RACE), lower)))

    assert wide(english, left) > wide(english, right)
    assert wide(hebrew, right) > wide(hebrew, left)


def test_bars_of_the_end_card_grow_from_the_right() -> None:
    sides = []
    for texts in ("en", "he"):
        made = film(texts, "row-major", "mrv")
        pixels = picture(made, Phase.CARD)
        colour = np.array(made.theme.search_colour(1))
        # The bar is higher than the letters of the name above it, which have the same colour.
        columns = np.flatnonzero((pixels == colour).all(2).sum(0) > 24)
        sides.append((int(columns[0]), 639 - int(columns[-1])))
    assert sides[0][0] < sides[0][1]
    assert sides[1] == sides[0][::-1]


@pytest.mark.parametrize(
    ("language", "labels", "marked"),
    [("he", "first,second", "\u200ffirst"), ("en", "ראשון,שני", "\u200eראשון")],
)
def test_captions_are_marked_as_running_as_their_language_after_a_name_of_the_other_direction(
    language: str, labels: str, marked: str
) -> None:
    made = film(language, "row-major", "mrv", labels=labels)
    reported = [caption.text for caption in captions(made)]
    assert any(line.startswith(marked) for text in reported for line in text.split("\n"))
    assert not any("\\u200" in text for text in reported)


# Texts of films, captions and cards come from the table of texts, and every entry is used.


REGIONS = [1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4]
JIGSAW = Puzzle((0,) * 16, with_diagonals(jigsaw_geometry(REGIONS)))
PANELS = ",".join(kind.name for kind in panels())


def made(
    texts: str, puzzle: Any, strategies: Iterable[str], limits: Limits | None = None, **given: Any
) -> Film:
    options = {"language": texts, "size": "640x360", **given}
    return film_of(*strategies, puzzle=puzzle, limits=limits, **options)


def few_shots(film: Film) -> list[Any]:
    """Some shots of each phase of a film, in order, and those that its beats begin with."""
    shots = list(film.timeline.shots())
    step = max(1, len(shots) // 24)
    return [
        shot for number, shot in enumerate(shots) if number % step == 0 or number > len(shots) - 3
    ]


FILMS: dict[str, Callable[[str], Film]] = {
    "two": lambda texts: made(texts, MEDIUM.grid, ["row-major", "mrv"],
                              duration="4s", card="1s", panels=PANELS, size="1280x720"),
    "two-small": lambda texts: made(texts, MEDIUM.grid, ["row-major", "mrv"],
                                    duration="4s", card="1s", size="360x640"),
    "slow": lambda texts: made(texts, EASY.grid, ["mrv+singles", "row-major"],
                               steps_per_second="2", to_step=6, panels="board,why,counters"),
    "highlights": lambda texts: made(texts, MEDIUM.grid, ["row-major", "mrv"], highlights=True,
                                     duration="9s"),
    "ramp": lambda texts: made(texts, MEDIUM.grid, ["row-major", "mrv"], ramp=True, duration="4s"),
    "finish": lambda texts: made(texts, MEDIUM.grid, ["row-major", "mrv", "mrv+singles@root"],
                                 clock="finish", duration="2s"),
    "time": lambda texts: made(texts, MEDIUM.grid, ["row-major", "mrv"], clock="time",
                               duration="2s"),
    "heat": lambda texts: made(texts, MEDIUM.grid, ["row-major"], heat="overlay", duration="1s"),
    "heat-map": lambda texts: made(texts, MEDIUM.grid, ["row-major"], heat="beside", duration="1s"),
    "capped": lambda texts: made(texts, MEDIUM.grid, ["row-major", "mrv"], Limits(40),
                                 duration="1s"),
    "exhausted": lambda texts: made(texts, JIGSAW, ["fewest-options-first"], Limits(3000),
                                    duration="1s"),
    "tree": lambda texts: made(texts, EASY.grid, ["mrv"], panels="board,tree,depth", duration="1s"),
    "counters": lambda texts: made(
        texts, EASY.grid, ["mrv"], duration="1s", size="1280x720",
        counters="steps,taken-back,solutions,depth,dead-ends,backtracks,branching"),
    "story": lambda texts: made(texts, MEDIUM.grid, ["row-major", "mrv"], size="1280x720"),
    "story-of-one": lambda texts: made(texts, EASY.grid, ["mrv"]),
}  # fmt: skip


def foreign(text: str, film: Film | None = None) -> list[str]:
    """The words of a text that are in English: not of specs, which may be cut."""
    specs = " ".join(header.strategy for header in film.headers) if film else ""
    return [word for word in re.findall(r"[A-Za-z]{2,}", text) if word not in specs]


@pytest.mark.parametrize(
    "name",
    [long(name) if name in ("ramp", "time", "heat", "two-small") else name for name in FILMS],
)
def test_no_text_escapes_the_table(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A film in a language in which every text is a mark draws no English word, nor do its captions
    and filmstrips have one."""
    film = FILMS[name](write_marked(tmp_path))
    with drawn_texts(monkeypatch) as drawn:
        for _ in film.draw(few_shots(film)):
            pass
        if film.settings.width > 1000:
            filmstrip(film, 2)
            filmstrip(film, 3)
        film.still(film.shot_of_step(2))
    reported = drawn.texts | {caption.text for caption in captions(film)} | {film.title}
    reported |= {highlight.text for highlight in film.highlights}
    assert not sorted({word for text in reported for word in foreign(text, film)})
    assert len({key for text in reported for key in keys_in(text)}) > 5


def test_every_text_of_the_player_is_said_by_its_script() -> None:
    """By its key, or by the name of a panel or of a theme."""
    said = set(re.findall(r'"(?:player-)?([\w-]+)"', page_script()))
    keys = {key.removeprefix("player-") for key in english() if key.startswith("player-")}
    assert {re.sub("^(panel|theme)-", "", key) for key in keys - said} <= said
