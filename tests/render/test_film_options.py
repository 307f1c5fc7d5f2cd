"""An option of a film is declared once, and everything about it comes from its declaration."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable
from dataclasses import fields, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import options_of
from tests.support.documentation import documents
from tests.support.paths import ROOT
from tests.support.puzzles import EASY
from undoku import search
from undoku.api import film, frames
from undoku.cli.film_options import asked_settings, words_of
from undoku.cli.parser import command_line
from undoku.errors import SettingsError
from undoku.render.batch.manifest import DEFAULTS as MANIFEST_KEYS
from undoku.render.settings.fields import FilmOptions
from undoku.render.settings.option import Context, Option
from undoku.render.settings.settings import FilmSettings, settings_of
from undoku.render.settings.table import OPTIONS, by_field, options_in
from undoku.render.timeline.timeline import Pace
from undoku.render.write.recipe import recipe_of, traces_and_settings

OF_SETTINGS = [known for known in options_in(Context.PYTHON).values() if known.fields]


def given(option: Option) -> object:
    """A value of the option other than its default, as typed."""
    return True if option.flag else option.example


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_the_example_of_an_option_is_a_value_of_it_and_not_its_default(option: Option) -> None:
    assert bool(option.example) != option.flag
    assert option.value(given(option)) != option.default
    assert option.sentence[0] != option.sentence[0].upper() or not option.sentence[0].isalpha()
    assert not option.sentence.endswith(".")


def test_no_two_options_of_a_context_have_one_name() -> None:
    for context in Context:
        names = [option.name for option in OPTIONS if context in option.contexts]
        assert sorted(names) == sorted(set(names))


def test_a_pace_has_the_defaults_of_its_options() -> None:
    assert set(by_field("pace.")) == {field.name for field in fields(Pace)}
    for field in fields(Pace):
        assert field.default == by_field("pace.")[field.name].default


@pytest.mark.parametrize("function", [film, frames])
def test_every_option_of_python_is_a_keyword_argument(function: Callable[..., Any]) -> None:
    named = {*FilmOptions.__annotations__}
    assert named == {name for known in OF_SETTINGS for name in known.names}
    assert set(options_in(Context.PYTHON)) - named <= {*inspect.signature(function).parameters}


@pytest.mark.parametrize("option", OF_SETTINGS, ids=lambda option: option.name)
def test_an_option_does_the_same_from_wherever_it_is_given(option: Option) -> None:
    """From Python, a manifest and the command line; and again from the film's own recipe."""
    asked = settings_of({option.name: given(option)})
    assert asked != FilmSettings()
    assert all(settings_of({alias: given(option)}) == asked for alias in option.aliases)
    words = [option.command_line, *([] if option.flag else [option.example])]
    options = command_line().parse_args(["render", "x", *words])
    assert settings_of(asked_settings(options)) == asked
    assert list(words_of(options)) == words
    if Context.MANIFEST in option.contexts:
        assert settings_of({option.name: given(option)}, context=Context.MANIFEST) == asked
    recipe = recipe_of([search(EASY.grid, "mrv")], asked)
    assert traces_and_settings(recipe, "film")[1] == asked


def test_recipes_of_earlier_versions_are_understood() -> None:
    asked = settings_of({"language": "de", "background": "none"})
    recipe = recipe_of([search(EASY.grid, "mrv")], asked)
    former = recipe.replace('"language"', '"texts"').replace('"background"', '"ground"')
    assert former != recipe
    assert traces_and_settings(former, "film")[1] == asked


@pytest.mark.parametrize("pace", ["story", "short"])
def test_a_story_with_panels_of_an_earlier_version_becomes_a_film_of_even_pace(pace: str) -> None:
    """Of half a minute, as a film with these panels has now, unless it had a duration."""
    asked = settings_of({"panels": "board,depth"})
    assert asked.pace == Pace(duration=Fraction(30))
    now = json.loads(recipe_of([search(EASY.grid, "mrv")], asked))
    for given, duration in (({}, 30), ({"duration": "12"}, 12)):
        now["settings"]["pace"] = {"kind": pace} | given
        restored = traces_and_settings(json.dumps(now), "film")[1]
        assert restored.pace == replace(asked.pace, duration=Fraction(duration))


def test_a_command_is_recorded_with_its_zeros_and_empty_texts() -> None:
    """A still of step 0 is one of step 0."""
    words = ["--title", "", "--loop", "0", "--at-step", "0"]
    assert list(words_of(command_line().parse_args(["render", "x", *words]))) == words


def test_the_command_line_has_all_its_options_and_every_spelling() -> None:
    listed = {name for name, _ in options_of("render")}
    for option in options_in(Context.COMMAND).values():
        spellings = {name.replace("_", "-") for name in option.aliases}
        assert {option.command_line, *(f"--{name}" for name in spellings)} <= listed


def test_a_manifest_has_all_its_options() -> None:
    for name, option in options_in(Context.MANIFEST).items():
        assert MANIFEST_KEYS[name].kind is option.kind
        assert MANIFEST_KEYS[name].sentence.endswith(".")


@pytest.mark.parametrize("option", OF_SETTINGS, ids=lambda option: option.name)
def test_a_value_of_another_type_is_refused_by_the_option_and_by_the_settings(
    option: Option,
) -> None:
    with pytest.raises(SettingsError):
        option.value(object())
    if not option.sets_pace:
        with pytest.raises(SettingsError):
            FilmSettings(**dict.fromkeys(option.fields, object()))  # type: ignore[arg-type]


@pytest.mark.parametrize("path", documents(ROOT / "docs"), ids=lambda path: path.name)
def test_the_documentation_describes_the_current_options(path: Path) -> None:
    """`make docs` writes it."""
    assert path.read_text(encoding="utf-8") == documents(ROOT / "docs")[path]


def test_the_documentation_has_the_tables() -> None:
    written = documents(ROOT / "docs")
    film = written[ROOT / "docs" / "film.md"]
    for option in options_in(Context.COMMAND).values():
        assert len(re.findall(rf"^\| `{option.command_line}[ `]", film, re.MULTILINE)) == 1
    batch = written[ROOT / "docs" / "batch.md"]
    keys = {name: "--" + name.replace("_", "-") for name in MANIFEST_KEYS}
    assert all(f"| `{name}` |" in batch or f"| `{line}" in film for name, line in keys.items())
