"""An option of a film is declared once, and everything about it comes from its declaration: also
the texts that people type, and the refusals."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Set
from dataclasses import fields, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import options_of
from tests.support.documentation import documents
from tests.support.puzzles import EASY
from tests.support.system import ROOT
from undoku import InputError, SettingsError, frames, search
from undoku.api import film
from undoku.cli.film_options import asked_settings, words_of
from undoku.cli.parser import command_line
from undoku.render.batch.manifest import JOB
from undoku.render.panels.panel_registry import shown_panels
from undoku.render.settings.fields import FilmOptions
from undoku.render.settings.number_kinds import parse_bytes, parse_fps, parse_seconds, parse_size
from undoku.render.settings.option import Context, Option
from undoku.render.settings.settings import FilmSettings, settings_of
from undoku.render.settings.table import OPTIONS, by_field, options_in
from undoku.render.timeline.pace import Clock, PaceKind
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


def test_the_page_of_batches_names_the_keys_that_are_no_options() -> None:
    batch = (ROOT / "docs" / "batch.md").read_text("utf-8")
    assert all(f"`{name}`" in batch for name in JOB.keys() - options_in(Context.COMMAND))


@pytest.mark.parametrize(
    ("lacks", "known"),
    [
        ("Manifests lack", options_in(Context.MANIFEST).keys()),
        ("Python lacks", options_in(Context.PYTHON).keys() | inspect.signature(frames).parameters),
    ],
)
def test_the_page_of_films_names_the_options_of_the_command_alone(
    lacks: str, known: Set[str]
) -> None:
    page = (ROOT / "docs" / "film.md").read_text("utf-8")
    (listed,) = re.findall(rf"{lacks} (.*?)[;.]", page, re.DOTALL)
    options = options_in(Context.COMMAND)
    assert re.findall(r"`(--[a-z-]+)`", listed) == [
        option.command_line for name, option in options.items() if name not in known
    ]


@pytest.mark.parametrize(
    ("parse", "text", "value"),
    [
        (parse_seconds, "20s", 20),
        (parse_seconds, "1.5", Fraction(3, 2)),
        (parse_seconds, "2m", 120),
        (parse_seconds, "1m30s", 90),
        (parse_seconds, "1:30", 90),
        (parse_seconds, "1:00:00.5", Fraction(7201, 2)),
        (parse_seconds, " 20 s ", 20),
        (parse_seconds, "2min", 120),
        (parse_seconds, "0", 0),
        (parse_size, "1280x720", (1280, 720)),
        (parse_size, "1280 × 720", (1280, 720)),
        (parse_fps, "30000/1001", Fraction(30000, 1001)),
        (parse_fps, "23.976", Fraction(23976, 1000)),
        (parse_bytes, "5MB", 5_000_000),
        (parse_bytes, "5 MiB", 5 << 20),
        (parse_bytes, "800k", 800_000),
        (parse_bytes, "1.5m", 1_500_000),
        (parse_bytes, "99", 99),
    ],
)
def test_values_are_read_as_people_write_them(
    parse: Callable[[str], object], text: str, value: object
) -> None:
    assert parse(text) == value


@pytest.mark.parametrize(
    ("parse", "texts", "message"),
    [
        (
            parse_seconds,
            ["", "s", "abc", "-3s", "1e9", "nan", "1::2", "20 parsecs"],
            "write it as 20s",
        ),
        (parse_size, ["1280", ""], "write WIDTHxHEIGHT"),
        (parse_fps, ["0/0", "60/0", "-1", "nan", "60fps"], "not a valid frame rate"),
        (parse_bytes, ["", "0", "-5MB", "5 PB", "lots", "nan"], "write it as 5MB or 800k"),
    ],
)
def test_other_values_are_refused(
    parse: Callable[[str], object], texts: list[str], message: str
) -> None:
    for text in texts:
        with pytest.raises(SettingsError, match=message):
            parse(text)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"fps": 0}, "frames per second is out of range"),
        ({"fps": 10_000}, "frames per second is out of range"),
        ({"fps": float("nan")}, "fps: nan is not a valid number"),
        ({"steps_per_frame": 0}, "must be more than 0"),
        ({"duration": 0}, "duration: 0 seconds is out of range"),
        ({"duration": 10**7}, "out of range"),
        ({"hold": -1}, "hold: -1 seconds is out of range"),
        ({"size": 720}, "not a valid size"),
        ({"clock": "wall"}, "known: steps, finish, time"),
        ({"from_step": -1}, "from_step: -1 is not a whole number of 0 or more"),
        ({"steps_per_frame": 2, "steps_per_second": 10}, "give one of the two"),
        ({"steps_per_frame": "12", "duration": "20s"}, "give one of the two"),
        ({"sise": "1280x720"}, "no option 'sise'; did you mean size"),
        ({"last_state": 1}, "last_state: 1 is not true or false"),
        ({"loop": 1 << 16}, "loop: 65536 is not a whole number from 0 to 65535"),
        ({"colours": 1}, "colours: 1 is not 0 or a whole number from 2 to 255"),
        ({"colours": 5, "flash_safe": True}, "leave out one of them"),
        ({"every": 3, "duration": 9}, "leave out other rates"),
        ({"ramp": True, "highlights": True}, "both change the speed"),
        ({"segments": True}, "no option 'segments'"),
        ({"pace": "story", "panels": "board"}, "story can't be combined with a choice of panels"),
        ({"pace": "short", "counters": "depth"}, "short can't be combined with a choice of count"),
    ],
)
def test_impossible_settings_are_refused(settings: dict[str, object], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        settings_of(settings)


STORY = Pace(duration=Fraction(20), kind=PaceKind.STORY)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"steps_per_frame": "12"}, {"pace": Pace(Fraction(12))}),
        ({"steps_per_frame": "1/4"}, {"pace": Pace(Fraction(1, 4))}),
        ({"duration": "20s"}, {"pace": STORY}),
        ({"duration": "20s", "pace": "even"}, {"pace": Pace(duration=Fraction(20))}),
        ({"duration": "20s", "clock": "finish"},
         {"pace": Pace(duration=Fraction(20)), "clock": Clock.FINISH}),
        # The same speed at any frame rate.
        ({"fps": 30, "steps_per_second": 90}, {"pace": Pace(Fraction(3))}),
        ({"fps": "30000/1001", "steps_per_second": "12"},
         {"pace": Pace(12 / Fraction(30000, 1001))}),
        ({"fps": 23.976}, {"fps": Fraction(23976, 1000)}),
        ({"size": (640, 360)}, {"width": 640, "height": 360}),
    ],
)  # fmt: skip
def test_settings_are_taken_as_numbers_or_texts(
    options: dict[str, object], expected: dict[str, object]
) -> None:
    settings = settings_of(options)
    assert {name: getattr(settings, name) for name in expected} == expected


@pytest.mark.parametrize(
    ("arguments", "settings", "message"),
    [
        ((None, ["mrv"]), {}, "NoneType is not a puzzle"),
        (([0.5] * 81, ["mrv"]), {}, "0.5 in row or cell 1 is not a value"),
        ((EASY.grid, [3]), {}, "3 is not a strategy"),
        ((EASY.grid, ["mrv"]), {"title": 5}, "title: 5 is not a text"),
        ((EASY.grid, ["mrv"]), {"theme": 5}, "theme: 5 is not a text"),
        ((EASY.grid, ["mrv"]), {"quality": "best"}, "no quality 'best'"),
        ((EASY.grid, ["mrv"]), {"size": ("a", "b")}, "is not a valid size"),
        ((EASY.grid, ["mrv"]), {"size": (1280.5, 720)}, "is not a valid size"),
        ((EASY.grid, ["mrv"]), {"duration": True}, "duration: True is not a valid number"),
        ((EASY.grid, ["mrv"]), {"steps_per_frame": 1e-9}, "the film would have"),
    ],
)
def test_slips_in_python_are_one_sentence_too(
    arguments: tuple[Any, Any], settings: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        next(frames(*arguments, **settings))


def test_one_strategy_may_be_given_without_a_list() -> None:
    assert next(frames(EASY.grid, "mrv", size="320x180")).pixels.shape == (180, 320, 3)


@pytest.mark.parametrize(("rate", "shows"), [("1/15", True), ("1/14", False), (None, False)])
def test_reasons_are_shown_where_they_can_be_read(rate: str | None, shows: bool) -> None:
    """At 60 frames a second 1/15 step a frame is four a second."""
    pace = Pace(Fraction(rate)) if rate else Pace(duration=Fraction(600))
    usual = [kind.name for kind in shown_panels(FilmSettings(pace=pace))]
    assert usual == ["board", "counters", "depth", "tree", *["why"] * shows]
    asked = shown_panels(FilmSettings(pace=pace, panels=("heat", "board")))
    assert [kind.name for kind in asked] == ["board", "heat"]
