"""Texts are in the current language, in the form that a number requires, with its separators;
mistakes in files of texts are reported with their place."""

from __future__ import annotations

import pickle
import re
from fractions import Fraction
from pathlib import Path

import pytest

from tests.support.command import Undoku
from tests.support.puzzles import EASY
from undoku.errors import ReadError, SettingsError
from undoku.render.draw.unicode_text import direction_of
from undoku.solver.search.part_registry import REPERTOIRE
from undoku.solver.search.strategy import Strategy
from undoku.solver.search.strategy_part import PartKind
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
from undoku.texts.strategy_texts import strategy_name, strategy_sentence
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


@pytest.mark.parametrize(
    "spec",
    ["row-major", "mrv", "mrv/lcv+singles", "random:7/random:3+forward+cbj", "mrv+singles+pairs",
     "static/descending+naked-singles+lds", "mrv+singles@root+pairs", "propagation"],
)  # fmt: skip
def test_english_descriptions_of_strategies_are_the_solvers(spec: str) -> None:
    strategy = Strategy.parse(spec)
    assert strategy_name(strategy) == strategy.plain_name
    assert strategy_sentence(strategy) == strategy.sentence


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


def test_strategies_are_described_in_other_languages() -> None:
    with speaking(load_language("de")):
        assert strategy_name(Strategy.parse("mrv")) == "Engste Zelle zuerst"
        singles = strategy_name(Strategy.parse("mrv+singles@root"))
        assert singles == "Engste Zelle zuerst, erzwungene Ziffern zu Beginn"


def test_every_part_of_strategies_has_a_text_for_its_name_and_for_what_it_does() -> None:
    assert {"cells-mrv", "cells-mrv-does", "back-cbj-does"} <= {*english()}
    for part in REPERTOIRE:
        key = part_key(part)
        # Rules are told by their names alone.
        assert {key} if part.kind is PartKind.INFERENCE else {key, f"{key}-does"} <= {*english()}


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
