"""Settings: the texts that people type, and the refusals."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from tests.support.puzzles import EASY
from undoku import InputError, SettingsError, frames
from undoku.render.panels.panel_registry import shown_panels
from undoku.render.settings.number_kinds import parse_bytes, parse_fps, parse_seconds, parse_size
from undoku.render.settings.settings import FilmSettings, settings_of
from undoku.render.timeline.pace import Clock, PaceKind
from undoku.render.timeline.timeline import Pace


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
