"""Formats of changed boxes take runs as they take their frames one by one."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from tests.support.run_films import RunFilm, run_films
from tests.support.sink_contexts import sink_context
from undoku.render.draw.sprite_run import SpriteRun
from undoku.render.write.apng import ApngSink
from undoku.render.write.gif import GifSink
from undoku.render.write.staging import Staging


@pytest.mark.parametrize("kind", [GifSink, ApngSink])
@settings(
    max_examples=15,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(film=run_films())
def test_a_film_of_runs_is_the_same_file_as_one_of_frames(
    kind: type[GifSink] | type[ApngSink], tmp_path: Path, film: RunFilm
) -> None:
    """Also where a format has no time for all frames: at 60 a second a GIF leaves some out."""
    fps = Fraction(60) if film.seed % 2 else Fraction(25)
    files = []
    for whole in (True, False):
        path = tmp_path / f"{whole}"
        shape = sink_context(film.width, film.height, fps)
        with kind(Staging(path, overwrite=True), shape) as sink:
            for part in film.play(whole=whole):
                if isinstance(part, SpriteRun):
                    sink.write_run(part)
                else:
                    sink.write(part)
            sink.finish()
        files.append(path.read_bytes())
    assert files[0] == files[1]
