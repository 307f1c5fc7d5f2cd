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
    ("content", "line", "column", "message"),
    [
        ('[texts]\nsolutionz = "x"', 2, 1, "'solutionz'; did you mean solutions?"),
        ('[texts]\nqqqqq = "x"', 2, 1, "undoku list texts"),
        ('[texts]\nsteps = "steps"', 2, 9, "the place {count} is missing"),
        ('[texts]\nsteps = "{count} {name}"', 2, 9, "has no place {name}; it has {count}"),
        ('[texts]\nsteps = "{count"', 2, 9, "can't be filled in"),
        ('[texts]\nsteps = "{count:>99}"', 2, 9, "is not a place"),
        ('[texts]\nsteps = "{count.real}"', 2, 9, "is not a place"),
        ('[texts]\nsteps = 3', 2, 9, "is not a text, or a table of its forms"),
        ('[texts]\ntwo = { one = "x" }', 2, 7, "is not a text"),
        ('[texts]\nsteps = { few = "{count}" }', 2, 11, "'few' is a form of another language"),
        ('[texts]\nsteps = { any = "{count}" }', 2, 11, "'any' is not a form"),
        ('[texts]\nsteps = { one = "{count}" }', 2, 9, "no form 'other'"),
        ('[texts]\ntwo = "a\\nb"', 2, 7, "is not a line of text"),
        ('language = "de"\ndirection = "up"', 2, 13, "is not a direction"),
        ('thousands = "ab"', 1, 13, "one character"),
        ('texts = 3', 1, 9, "must be a table"),
        ('steps = "x"', 1, 1, "texts stand below [texts]"),
        ('[texts', 1, 6, "not valid TOML"),
    ],
)  # fmt: skip
def test_a_mistake_is_reported_with_its_place(
    tmp_path: Path, content: str, line: int, column: int, message: str
) -> None:
    with pytest.raises(SettingsError) as caught:
        load_language(written(tmp_path, content))
    assert message in str(caught.value)
    place = caught.value.place
    assert place is not None
    assert (place.line, place.column) == (line, column)
    assert place.source.endswith("own.toml")


def test_a_language_that_is_not_known_is_reported() -> None:
    with pytest.raises(SettingsError, match=r"there are no texts 'da'; known: en, de, he, or"):
        load_language("da")
    with pytest.raises(ReadError, match=r"no file 'gone\.toml'"):
        load_language("gone.toml")


def test_the_command_reports_a_mistake_in_texts_and_makes_no_film(
    undoku: Undoku, tmp_path: Path
) -> None:
    own = written(tmp_path, '[texts]\nsteps = "{cuont} steps"')
    done = undoku("render", EASY.grid, "-s", "mrv", "-o", "a.gif", "--language", own, cwd=tmp_path)
    assert done.returncode == 2
    assert "own.toml, line 2, column 9" in done.stderr
    assert not (tmp_path / "a.gif").exists()


def test_the_list_of_texts_has_languages_and_all_keys(undoku: Undoku, tmp_path: Path) -> None:
    output = undoku("list", "texts", cwd=tmp_path).stdout
    for word in (*language_names(), "head-fewer", "cells-mrv", "{count} steps ({count} step)"):
        assert word in output
