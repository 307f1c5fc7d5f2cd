"""How an MP4 is written where the film may choose: which way, why, and who is told."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from render.cli.main import main
from render.delivery.plan import OutputPlan
from render.delivery.write import write_film
from render.film import Film
from render.metadata.file_info import about_of
from render.settings import FilmSettings
from render.sinks.mp4.reader import read_mp4
from render.timing.timeline import Pace
from solver import Limits, search
from tests.support.command import Undoku
from tests.support.puzzles import EASY, MEDIUM

DIRECT, ENCODED = 66, 100
"""profile_idc of films written directly and by x264."""
STEPS = ("render", MEDIUM.grid, "-s", "row-major", "--panels", "board,counters", "--quality",
         "draft", "--max-nodes", "150", "--encoder", "auto")  # fmt: skip


def film(settings: FilmSettings) -> Film:
    return Film([search(MEDIUM.grid, "row-major", Limits(2000))], settings)


def test_a_film_of_single_steps_is_written_directly_and_one_of_many_is_encoded() -> None:
    """Where each frame has many new ghosts of digits, hardly anything can be copied."""
    panels = ("board", "counters")
    single = film(FilmSettings(panels=panels, encoder="auto"))
    many = film(FilmSettings(640, 360, pace=Pace(Fraction(20)), encoder="auto"))
    assert OutputPlan(single).way.direct
    assert not OutputPlan(many).way.direct
    for way in (OutputPlan(single).way, OutputPlan(many).way):
        assert "bytes a frame without an encoder, about" in way.why
        assert way.told.startswith("direct: " if way.direct else "x264: ")


@pytest.mark.parametrize(
    ("size", "nodes", "title"), [((1280, 720), 60, 2), ((640, 360), 60, 0), ((480, 270), 500, 1)]
)
def test_what_is_told_of_a_short_film_is_what_it_takes(
    tmp_path: Path, size: tuple[int, int], nodes: int, title: int
) -> None:
    """Most of its frames stand still, on cards too, and most of its bytes are few pictures."""
    traces = [search(MEDIUM.grid, order, Limits(nodes)) for order in ("row-major", "mrv")]
    made = Film(traces, FilmSettings(*size, title_card=Fraction(title)))
    told = float(OutputPlan(made).way.why.split(" bytes a frame")[0].replace(",", ""))
    asked = made.with_settings(replace(made.settings, encoder="direct"))
    written = write_film(asked, [tmp_path / "film.mp4"]).outputs[0]
    assert told == pytest.approx(written.bytes / asked.timeline.frames, rel=0.3)


def test_a_film_of_a_great_many_steps_a_frame_is_tried_too() -> None:
    """Its cells are copied, and copies are what a direct film is made of."""
    lapse = film(FilmSettings(480, 270, pace=Pace(Fraction(25)), panels=("board",)))
    assert "bytes a frame without an encoder" in OutputPlan(lapse).way.why


@pytest.mark.parametrize(
    "asked",
    [
        "8000, 8000, fps=Fraction(60)",
        "pace=Pace(Fraction(1)), encoder='x264'",
    ],
)
def test_no_loop_of_films_written_directly_is_loaded_for_one_that_plainly_is_not(
    asked: str,
) -> None:
    """Where these are used for the first time they take half a minute to compile."""
    code = (
        "import sys; from fractions import Fraction;"
        "from render.delivery.plan import Film, OutputPlan;"
        "from render.settings import FilmSettings; from render.timing.timeline import Pace;"
        "from solver import Limits, search;"
        f"traces = [search({MEDIUM.grid!r}, 'row-major', Limits(2000))];"
        f"print(OutputPlan(Film(traces, FilmSettings({asked}))).way.direct,"
        "'render.sinks.h264.picture_encoder' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent.parents[2])},
        check=True,
    )
    assert done.stdout == "False False\n"


def test_what_is_asked_for_is_done_and_needs_no_reason() -> None:
    for encoder in ("direct", "x264"):
        way = OutputPlan(film(FilmSettings(640, 360, encoder=encoder))).way
        assert (way.encoder, way.why, way.told) == (encoder, "", "")


def test_a_film_that_can_not_be_written_directly_is_encoded() -> None:
    huge = Film([search(EASY.grid, "mrv")], FilmSettings(8000, 8000, encoder="auto"))
    assert not OutputPlan(huge).way.direct
    assert "more than any level of H.264 allows" in OutputPlan(huge).way.why


def test_the_choice_is_told_on_standard_error_in_json_and_in_the_file(
    undoku: Undoku, tmp_path: Path
) -> None:
    done = undoku(*STEPS, "-o", "film.mp4", "-o", "film.gif", cwd=tmp_path)
    assert done.returncode == 0
    assert "MP4 is written directly: " in done.stderr
    assert read_mp4(tmp_path / "film.mp4").profile == DIRECT
    said = undoku("info", "film.mp4", cwd=tmp_path).stdout
    assert "encoder     direct: " in said
    assert "bytes a frame" in said
    assert "\nencoder " not in undoku("info", "film.gif", cwd=tmp_path).stdout
    done = undoku(*STEPS, "-o", "film.mp4", "-y", "--json", "-q", cwd=tmp_path)
    assert done.stderr == ""
    output = json.loads(done.stdout)["outputs"][0]
    assert output["encoder"] == "direct"
    assert "bytes a frame" in output["encoder_why"]


def test_a_film_that_was_asked_for_says_only_what_it_is(undoku: Undoku, tmp_path: Path) -> None:
    asked = [*STEPS[:-1], "x264", "--size", "320x180"]
    done = undoku(*asked, "-v", "--json", "-o", "film.mp4", cwd=tmp_path)
    assert done.returncode == 0
    assert "MP4 is written" not in done.stderr
    output = json.loads(done.stdout)["outputs"][0]
    assert (output["encoder"], output["encoder_why"]) == ("x264", "asked for")
    assert read_mp4(tmp_path / "film.mp4").profile == ENCODED
    assert "encoder" not in json.loads(undoku("info", "film.mp4", "--json", cwd=tmp_path).stdout)


@pytest.mark.parametrize("pace", [Pace(Fraction(1)), Pace(Fraction(25))])
def test_the_choice_is_the_same_each_time(pace: Pace) -> None:
    settings = FilmSettings(480, 270, pace=pace, encoder="auto")
    assert OutputPlan(film(settings)).way == OutputPlan(film(settings)).way


def test_the_encoder_that_is_told_of_a_fitted_film_is_the_one_that_wrote_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "film.mp4"
    asked = ["--panels", "board,counters", "--max-nodes", "2000", "--max-size", "3MB", "--json"]
    assert main(["render", MEDIUM.grid, *asked, "-o", str(path)]) == 0
    (row,) = json.loads(capsys.readouterr().out)["outputs"]
    assert about_of(path)["encoder"] == f"{row['encoder']}: {row['encoder_why']}"
