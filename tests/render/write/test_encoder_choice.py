"""The encoder of an MP4 with `auto`: what is chosen, for which reason, and where it is reported."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

import pytest

import undoku.render.delivery.write
import undoku.render.write.encoder_choice
from tests.support.command import Undoku
from tests.support.film_index import film_index
from tests.support.puzzles import MEDIUM
from undoku import Limits, search
from undoku.cli.main import main
from undoku.render.delivery.write import write_film
from undoku.render.film.film import Film
from undoku.render.settings.settings import FilmSettings
from undoku.render.timeline.timeline import Pace
from undoku.render.write.encoder_choice import choice_after, fixed_choice
from undoku.render.write.file_info import about_of

DIRECT, ENCODED = "Constrained Baseline", "High"
"""profile_idc of films written directly and by x264."""
STEPS = ("render", MEDIUM.grid, "-s", "row-major", "--panels", "board,counters", "--quality",
         "draft", "--max-nodes", "60", "--size", "640x360", "--encoder", "auto")  # fmt: skip


def film(settings: FilmSettings) -> Film:
    return Film([search(MEDIUM.grid, "row-major", Limits(2000))], settings)


@dataclass(frozen=True)
class Beginning:
    """As much of a film as was written directly."""

    ticks: int
    bytes: int
    copied: int


def test_x264_is_chosen_where_it_saves_much() -> None:
    """More than 15 % of its own bytes, and more than 2 MB of the whole film."""
    settings = FilmSettings()
    new = Beginning(1000, 2_000_000, 0)  # what is coded anew takes x264 half of the bytes
    assert choice_after(new, 1000, settings).direct
    assert not choice_after(new, 4000, settings).direct
    assert choice_after(new, 4000, replace(settings, quality="draft")).direct
    copies = Beginning(1000, 2_000_000, 400_000)
    assert choice_after(copies, 40_000, settings).direct


def test_the_reported_size_of_a_film_is_its_size(tmp_path: Path) -> None:
    """It is written directly, and then known."""
    traces = [search(MEDIUM.grid, order, Limits(60)) for order in ("row-major", "mrv")]
    made = Film(traces, FilmSettings(480, 270))
    (written,) = write_film(made, [tmp_path / "film.mp4"]).outputs
    found_texts = float(written.encoder[1].split(" bytes a frame")[0].replace(",", ""))
    index = film_index(tmp_path / "film.mp4")
    assert found_texts == pytest.approx(sum(index.sizes) / made.timeline.frames, abs=1)
    asked = made.with_settings(replace(made.settings, encoder="direct"))
    write_film(asked, [tmp_path / "asked.mp4"])
    assert index.sizes == film_index(tmp_path / "asked.mp4").sizes


def test_a_film_is_encoded_when_its_beginning_shows_that_this_is_better(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was written directly until then is removed; all other files are as usual."""
    monkeypatch.setattr(undoku.render.write.encoder_choice, "WORTH_SHARE", 0)
    monkeypatch.setattr(undoku.render.write.encoder_choice, "WORTH_BYTES", -(10**9))
    monkeypatch.setattr(undoku.render.delivery.write, "TRIAL", 30)
    made = film(FilmSettings(320, 180, pace=Pace(Fraction(20)), encoder="auto"))
    seen: list[int] = []
    files = [tmp_path / "film.mp4", tmp_path / "film.gif"]
    report = write_film(made, files, progress=lambda done, _: seen.append(done))
    assert film_index(files[0]).profile == ENCODED
    assert report.outputs[0].encoder_summary.startswith("x264: ")
    assert max(seen[: seen.index(30) + 1]) == 30
    assert seen[-1] == made.timeline.frames
    assert sorted(path.name for path in tmp_path.iterdir()) == ["film.gif", "film.mp4"]
    write_film(made, [tmp_path / "alone.gif"])
    assert files[1].read_bytes() == (tmp_path / "alone.gif").read_bytes()


@pytest.mark.parametrize(
    ("settings", "encoder", "reason"),
    [
        (FilmSettings(640, 360, encoder="direct"), "direct", ""),
        (FilmSettings(640, 360, encoder="x264"), "x264", ""),
        (FilmSettings(8000, 8000, encoder="auto"), "x264", "more than any level of H.264 allows"),
    ],
)
def test_a_requested_or_only_possible_encoder_is_chosen_before_anything_is_drawn(
    settings: FilmSettings, encoder: str, reason: str
) -> None:
    choice = fixed_choice(settings)
    assert choice is not None
    assert choice.encoder == encoder
    assert reason in choice.reason and bool(choice.reason) == bool(reason)


def test_the_choice_is_reported_on_standard_error_in_json_and_in_the_file(
    undoku: Undoku, tmp_path: Path
) -> None:
    done = undoku(*STEPS, "-o", "film.mp4", "-o", "film.gif", cwd=tmp_path)
    assert done.returncode == 0
    assert "MP4 is written directly: " in done.stderr
    assert film_index(tmp_path / "film.mp4").profile == DIRECT
    message = undoku("info", "film.mp4", cwd=tmp_path).stdout
    assert "encoder     direct: " in message
    assert "bytes a frame" in message
    assert "\nencoder " not in undoku("info", "film.gif", cwd=tmp_path).stdout
    done = undoku(*STEPS, "-o", "film.mp4", "-y", "--json", "-q", cwd=tmp_path)
    assert done.stderr == ""
    output = json.loads(done.stdout)["outputs"][0]
    assert output["encoder"] == "direct"
    assert "bytes a frame" in output["encoder_why"]


def test_a_requested_encoder_is_recorded_without_a_reason(undoku: Undoku, tmp_path: Path) -> None:
    asked = [*STEPS[:-1], "x264", "--size", "320x180"]
    done = undoku(*asked, "-v", "--json", "-o", "film.mp4", cwd=tmp_path)
    assert done.returncode == 0
    assert "MP4 is written" not in done.stderr
    output = json.loads(done.stdout)["outputs"][0]
    assert (output["encoder"], output["encoder_why"]) == ("x264", "asked for")
    assert film_index(tmp_path / "film.mp4").profile == ENCODED
    assert "encoder" not in json.loads(undoku("info", "film.mp4", "--json", cwd=tmp_path).stdout)


def test_the_encoder_that_is_reported_for_a_fitted_film_is_the_one_that_wrote_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "film.mp4"
    asked = ["--panels", "board,counters", "--max-nodes", "60", "--size", "480x270",
             "--fps", "15", "--max-size", "150kB", "--json"]  # fmt: skip
    assert main(["render", MEDIUM.grid, *asked, "-o", str(path)]) == 0
    (row,) = json.loads(capsys.readouterr().out)["outputs"]
    assert about_of(path)["encoder"] == f"{row['encoder']}: {row['encoder_why']}"
