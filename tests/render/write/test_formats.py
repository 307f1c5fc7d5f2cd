"""Formats are declared once: how names select them, and what another package may declare."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import undoku.render.write.formats
from tests.support.film_index import film_index
from tests.support.manifests import QUICK, groups
from tests.support.puzzles import EASY
from undoku.errors import SettingsError
from undoku.render.batch.batch import make_films
from undoku.render.delivery.fit import limits_for, write_fitted
from undoku.render.delivery.write import write_film
from undoku.render.film.film import Film
from undoku.render.settings.settings import settings_of
from undoku.render.write.formats import (
    FormatKind,
    OutputFormat,
    format_named,
    format_of,
    formats,
    register,
)
from undoku.solver.trace.search_trace import search

OURS = OutputFormat("Ours", ".ours", "A format of ours.", FormatKind.VIDEO, "nowhere:Sink")
HIGH_444 = "High 4:4:4 Predictive"
"""The profile of films in 4:4:4."""
PARTS = ("begun", "write", "release")


@pytest.fixture
def no_lasting_formats(monkeypatch: pytest.MonkeyPatch) -> None:
    formats()
    monkeypatch.setattr(
        undoku.render.write.formats, "REGISTERED", list(undoku.render.write.formats.REGISTERED)
    )


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("film.mp4", "MP4"),
        ("FILM.MP4", "MP4"),
        ("a.b.444.mp4", "MP4 4:4:4"),
        ("film.png", "PNG"),
        ("frames/%06d.png", "PNG sequence"),
        ("frames/%d.PNG", "PNG sequence"),
    ],
)
def test_a_name_asks_for_the_format_with_the_longest_suffix(name: str, expected: str) -> None:
    assert format_of(Path(name)).name == expected


@pytest.mark.usefixtures("no_lasting_formats")
@pytest.mark.parametrize(
    ("added", "message"),
    [
        (replace(OURS, suffix=".gif"), "the suffix '.gif' conflicts with '.gif'"),
        (replace(OURS, suffix=".small.gif"), "'.small.gif' conflicts with '.gif'"),
        (replace(OURS, suffix="ours"), "can't have the suffix 'ours'"),
        (replace(OURS, suffix=".Ours"), "can't have the suffix '.Ours'"),
        (replace(OURS, suffix="%d.ours"), "can't have the suffix '%d.ours'"),
        (replace(OURS, kind=FormatKind.SEQUENCE), "'Ours' can't be a second sequence"),
    ],
)
def test_an_invalid_declaration_is_refused(added: OutputFormat, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        register(added)


@pytest.mark.usefixtures("no_lasting_formats")
def test_a_format_of_another_package_is_known_by_its_suffix() -> None:
    register(OURS)
    assert format_of(Path("film.ours")) is OURS
    assert format_named("ours") is OURS
    with pytest.raises(SettingsError, match=r"did you mean film\.ours\?"):
        format_of(Path("film.our"))


WRITERS = """
from undoku.render.write.sink import FrameSink

class Broken(FrameSink):
    def __init__(self, staging, context):
        super().__init__(staging, context)
        staging.temporary.write_bytes(b"begun")
        {begun}

    def write(self, frame):
        {write}

    def close_file(self):
        raise ZeroDivisionError

    def release(self):
        {release}

def no_sink(staging, context):
    return staging
"""


@pytest.mark.usefixtures("no_lasting_formats")
@pytest.mark.parametrize("fails", ["begun", "write", "release", "no_sink", "close_file"])
def test_a_writer_of_another_package_that_fails_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    parts = {name: "raise ZeroDivisionError" if name == fails else "pass" for name in PARTS}
    (tmp_path / f"writer_{fails}.py").write_text(WRITERS.format(**parts))
    monkeypatch.syspath_prepend(tmp_path)
    writer = "no_sink" if fails == "no_sink" else "Broken"
    register(replace(OURS, writer=f"writer_{fails}:{writer}"))
    (tmp_path / "out").mkdir()
    settings = settings_of({"size": "160x160", "fps": 10, "duration": "1s", "pace": "even"})
    film = Film([search(EASY.grid, "mrv")], settings)
    with pytest.raises((ZeroDivisionError, SettingsError)):
        write_film(film, [tmp_path / "out" / "a.ours", tmp_path / "out" / "a.gif"])
    assert not [*(tmp_path / "out").iterdir()]


def test_a_film_in_full_chroma_is_one_also_when_it_is_made_to_fit(tmp_path: Path) -> None:
    """A name in `.mp4` alone would select another format on the way."""
    path = tmp_path / "film.444.mp4"
    settings = settings_of({"size": "160x160", "fps": 10, "duration": "1s", "pace": "even"})
    write_fitted(Film([search(EASY.grid, "mrv")], settings), path, limits_for(path, 10**6, None))
    assert film_index(path).profile == HIGH_444


def test_a_batch_writes_films_in_full_chroma(tmp_path: Path) -> None:
    job = '[[jobs]]\npuzzles = "easy.txt"\nname = "film"\nformats = ["444.mp4", "mp4"]\n'
    make_films(groups(tmp_path, QUICK + job), tmp_path / "out", jobs=0)
    assert film_index(tmp_path / "out" / "film.444.mp4").profile == HIGH_444
    assert film_index(tmp_path / "out" / "film.mp4").profile != HIGH_444
