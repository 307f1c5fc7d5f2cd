"""Files of texts: mistakes are reported with file, line, column and remedy."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command import Undoku
from tests.support.puzzles import EASY
from undoku.errors import ReadError, SettingsError
from undoku.texts import wording as say
from undoku.texts.language import speaking
from undoku.texts.language_files import language_names, load_language


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
    assert str(caught.value.place).endswith(f"own.toml, {where}")


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
