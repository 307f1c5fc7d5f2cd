"""A mix file changes what it names, and mistakes are reported with their line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.puzzles import EASY
from undoku import search
from undoku.errors import ReadError, SettingsError
from undoku.render.film.film import Film
from undoku.render.settings.settings import settings_of
from undoku.render.sound.mix import DEFAULT_MIX, Instrument, Pitch, SearchMix, load_mix

WHOLE = """
scale = "pentatonic"
root = 196
low = 100
high = 1000
width = 0.4

[place]
timbre = "wood"
volume = -3

[texture]
volume = -60

[[search]]
volume = -6

[[search]]
pan = 0.9
"""


def test_a_file_changes_what_it_names(tmp_path: Path) -> None:
    path = tmp_path / "mix.toml"
    path.write_text(WHOLE)
    mix, usual = load_mix(str(path)), load_mix(DEFAULT_MIX)
    assert mix.pitch == Pitch(100, 1000, "pentatonic", 196)
    assert mix.width == 0.4
    assert mix.place == Instrument("wood", -3)
    assert mix.texture == Instrument(usual.texture.timbre, -60)
    assert mix.undo == usual.undo
    assert mix.searches == (SearchMix(-6), SearchMix(0, 0.9))
    assert mix.pan(0, -0.5) == -0.2
    assert mix.pan(1, -0.5) == 0.9


@pytest.mark.parametrize(
    ("text", "place", "sentence"),
    [
        ('scale = "blues"', "scale", "scale = 'blues' is not valid in a mix"),
        ("width = 2", "width", "width = 2 is not valid in a mix"),
        ("\nvolum = 3", "volum", "a mix has no 'volum'"),
        ("[place]\ntimbre = 4", "place.timbre", "timbre = 4 is not valid in a mix"),
        ("[place]\nvolume = 40", "place.volume", "volume = 40 is not valid in a mix"),
        ("[place]\npitch = 4", "place.pitch", "a mix has no 'pitch' in [place]"),
        ("place = 3", "place", "place = 3 is not valid in a mix"),
        (
            "[[search]]\n[[search]]\npan = true",
            "search[1].pan",
            "pan = true is not valid in a mix",
        ),
        ("[search]\npan = 1", "search", "search = a table is not valid in a mix"),
        ("high = 100", "high", "low = 120 is not below high = 100"),
        ("[place\n", "line 1, column 7", "it is not valid TOML"),
    ],
)
def test_a_mistake_is_reported_with_its_line(
    tmp_path: Path, text: str, place: str, sentence: str
) -> None:
    path = tmp_path / "mix.toml"
    path.write_text(text)
    with pytest.raises(SettingsError) as output:
        load_mix(str(path))
    assert place in str(output.value)
    assert sentence in str(output.value)
    assert "\n" not in output.value.message


def test_a_film_looks_at_its_mix_before_anything_is_searched(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="there is no file"):
        Film([search(EASY.grid, "mrv")], settings_of({"sound": str(tmp_path / "no.toml")}))
