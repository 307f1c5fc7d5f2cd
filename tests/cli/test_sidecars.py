"""Captions and lists of highlights appear with their film or not at all, and belong to it."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from tests.support.command import Done, Undoku
from tests.support.puzzles import EASY, MEDIUM
from undoku import search
from undoku.errors import OutputError
from undoku.render.delivery.captions import captions_sidecar
from undoku.render.delivery.fit import limits_for, write_fitted
from undoku.render.delivery.marks import highlights_sidecar
from undoku.render.delivery.write import write_film
from undoku.render.film.film import Film
from undoku.render.settings.settings import FilmSettings
from undoku.render.timeline.timeline import Pace
from undoku.render.write.file_info import chapters_of

SMALL = ("--size", "320x180", "--fps", "20", "-s", "mrv", "--duration", "4s")
TOLD = ("--captions", "a.srt", "--highlights")


def rendered(undoku: Undoku, *arguments: str, cwd: Path, code: int = 0) -> Done:
    return undoku("render", MEDIUM.grid, *SMALL, *arguments, cwd=cwd, code=code)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_film_comes_with_its_texts_and_names_them(undoku: Undoku, tmp_path: Path) -> None:
    done = rendered(undoku, *TOLD, "-o", "a.mp4", cwd=tmp_path)
    assert done.stdout.splitlines() == ["a.mp4", "a.srt", "a.highlights.json"]
    assert names(tmp_path) == ["a.highlights.json", "a.mp4", "a.srt"]
    done = rendered(undoku, *TOLD, "-o", "a.mp4", "-y", "--json", cwd=tmp_path)
    assert json.loads(done.stdout)["beside"] == ["a.srt", "a.highlights.json"]


def test_a_film_or_text_that_exists_is_refused_before_the_film_is_made(
    undoku: Undoku, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for existing in ("a.srt", "a.highlights.json", "a.mp4"):
        for path in tmp_path.iterdir():
            path.unlink()
        (tmp_path / existing).write_text("mine")
        with monkeypatch.context() as patch:
            patch.setattr(Film, "parts_from", None)  # nothing is drawn
            done = rendered(undoku, *TOLD, "-o", "a.mp4", cwd=tmp_path, code=3)
        assert done.stderr.strip().endswith("give another name, or -y to replace it")
        assert f"'{existing}' exists already" in done.stderr
        assert names(tmp_path) == [existing]
        assert (tmp_path / existing).read_text() == "mine"
    done = rendered(undoku, *TOLD, "-o", "a.mp4", "-y", cwd=tmp_path)
    assert names(tmp_path) == ["a.highlights.json", "a.mp4", "a.srt"]


def film() -> Film:
    settings = FilmSettings(320, 180, Fraction(20), Pace(duration=Fraction(4)), highlights=True)
    return Film([search(MEDIUM.grid, "mrv")], settings)


@pytest.mark.parametrize("failing", ["a.gif", "a.srt", "a.highlights.json"])
def test_when_one_file_fails_none_appears(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    """Another program makes a file of that name while the film is drawn."""
    made = film()
    sidecars = [captions_sidecar(tmp_path / "a.srt"), highlights_sidecar(tmp_path / "a.gif")]
    drawn = Film.parts_from

    def draw(*arguments: object, **named: object) -> object:
        (tmp_path / failing).write_text("theirs")
        return drawn(*arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(Film, "parts_from", draw)
    with pytest.raises(OutputError, match="exists already"):
        write_film(made, [tmp_path / "b.gif", tmp_path / "a.gif"], sidecars=sidecars)
    assert names(tmp_path) == [failing]
    assert (tmp_path / failing).read_text() == "theirs"


def test_the_texts_of_a_fitted_film_describe_the_fitted_film(tmp_path: Path) -> None:
    settings = FilmSettings(
        320, 180, Fraction(60), Pace(Fraction(20)), hold=Fraction(1), highlights=True
    )
    made = Film([search(MEDIUM.grid, "row-major")], settings)
    path = tmp_path / "a.mp4"
    sidecars = [captions_sidecar(tmp_path / "a.vtt"), highlights_sidecar(path)]
    fitted = write_fitted(made, path, limits_for(path, 250_000, None), sidecars=sidecars)
    assert path.stat().st_size <= 250_000
    assert not fitted.unchanged
    seconds = fitted.report.outputs[0].duration
    message = (tmp_path / "a.vtt").read_text("utf-8").rstrip().splitlines()
    ends = [line.split(" --> ")[1] for line in message if " --> " in line]
    minutes, end = ends[-1].removeprefix("00:").split(":")
    assert abs(int(minutes) * 60 + Fraction(end) - seconds) <= Fraction(1, 1000)
    found = json.loads((tmp_path / "a.highlights.json").read_text("utf-8"))["highlights"]
    starts = {round(float(start), 6) for start, _ in chapters_of(path)}
    assert {entry["seconds"] for entry in found} == starts - {0.0}
    assert names(tmp_path) == ["a.highlights.json", "a.mp4", "a.vtt"]


@pytest.mark.parametrize("single", [("--at-step", "9"), ("--filmstrip", "2")])
def test_a_single_picture_has_no_list(
    undoku: Undoku, tmp_path: Path, single: tuple[str, ...]
) -> None:
    rendered(undoku, *single, "--highlights", "-o", "a.png", cwd=tmp_path)
    assert names(tmp_path) == ["a.png"]


def test_a_search_without_highlights_has_an_empty_list(undoku: Undoku, tmp_path: Path) -> None:
    undoku(
        *("render", EASY.grid, "-s", "mrv", "--max-nodes", "5", "--highlights"),
        *("--size", "320x180", "--duration", "2s", "-o", "frames/%03d.png"),
        cwd=tmp_path,
        code=0,
    )
    assert json.loads((tmp_path / "frames.highlights.json").read_text("utf-8")) == {
        "title": "One search, step by step",
        "highlights": [],
    }
