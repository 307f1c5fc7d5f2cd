"""The frame rate of films written directly: constant unless a variable one is asked for, however
they are written."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from tests.support.film_index import film_index
from tests.support.puzzles import EASY
from undoku import Limits, search
from undoku.cli.main import main
from undoku.errors import SettingsError
from undoku.render.delivery.outputs import context_of
from undoku.render.delivery.write import write_frames
from undoku.render.film.film import Film
from undoku.render.settings.settings import FilmSettings
from undoku.render.timeline.timeline import Pace
from undoku.render.write.mp4_direct import DirectSink
from undoku.render.write.staging import Staging

FPS = Fraction(30000, 1001)


def film(*, variable_rate: bool = False) -> Film:
    """With title, intro, hold and card, and frames of the race that change nothing."""
    settings = FilmSettings(
        *(320, 240, FPS, Pace(Fraction(1, 4), last=40)),
        panels=("board", "counters"),
        title_card=Fraction(1),
        quality="draft",  # no key frame but the first
        encoder="direct",
        variable_rate=variable_rate,
    )
    return Film([search(EASY.grid, "row-major", Limits(300))], settings)


def test_a_variable_rate_stores_fewer_samples_of_the_same_film(tmp_path: Path) -> None:
    sizes = []
    for variable_rate in (False, True):
        made = film(variable_rate=variable_rate)
        path = tmp_path / f"{variable_rate}.mp4"
        with DirectSink(Staging(path), context_of(made)) as sink:
            write_frames(made.parts(runs=True), sink, None, 0)
            sink.finish()
        index = film_index(path)
        sizes.append((index.frames, index.duration, path.stat().st_size))
    (frames, seconds, size), (fewer, same, smaller) = sizes
    assert fewer < frames / 2
    assert seconds == same
    assert smaller < size < smaller + 20 * (frames - fewer)


@pytest.mark.parametrize("variable_rate", [False, True])
def test_the_command_writes_a_constant_rate_by_default(tmp_path: Path, variable_rate: bool) -> None:
    path = tmp_path / "film.mp4"
    options = ["--size", "320x240", "--to-step", "20", "--encoder", "direct", "-q", "-o", str(path)]
    more = ["--variable-rate"] if variable_rate else []
    assert main(["render", EASY.grid, *options, *more]) == 0
    assert (len(set(film_index(path).durations)) > 1) == variable_rate


def test_a_variable_rate_and_x264_contradict_each_other() -> None:
    with pytest.raises(SettingsError, match="x264 can't write a variable frame rate"):
        FilmSettings(encoder="x264", variable_rate=True)
