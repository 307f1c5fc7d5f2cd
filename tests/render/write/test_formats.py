"""Formats are declared once: how names select them, what another package may declare; and what
sinks of all formats have in common: what fails leaves nothing, no older file is lost."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import undoku.render.write.formats
from tests.support.changed_films import scribble
from tests.support.film_index import film_index
from tests.support.manifests import QUICK, groups
from tests.support.open_files import deleted_while_open
from tests.support.puzzles import EASY
from tests.support.sink_contexts import sink_context
from tests.support.threads import no_thread_left
from undoku.errors import EncoderError, OutputError, SettingsError
from undoku.render.batch.batch import make_films
from undoku.render.delivery.fit import limits_for, write_fitted
from undoku.render.delivery.write import write_film
from undoku.render.draw.canvas import Canvas
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
from undoku.render.write.sink import ClosedFile, FrameSink, open_sink
from undoku.solver.trace.search_trace import search

OURS = OutputFormat("Ours", ".ours", "A format of ours.", FormatKind.VIDEO, "nowhere:Sink")
HIGH_444 = "High 4:4:4 Predictive"
"""The profile of films in 4:4:4."""
PARTS = ("begun", "write", "release")


@pytest.fixture(autouse=True)
def only_closed_files_are_deleted() -> Iterator[None]:
    with deleted_while_open() as found:
        yield
    assert not found


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


SIDE = 320
FORMATS = {
    "gif": "a.gif",
    "webp": "a.webp",
    "apng": "a.apng",
    "png": "a.png",
    "x264": "a.mp4",
    "direct": "b.mp4",
    "webm": "a.webm",
    "mov": "a.mov",
    "prores": "a.prores.mov",
    "sequence": "frames/%02d.png",
}
every_format = pytest.mark.parametrize("kind", FORMATS)


def opened(folder: Path, kind: str, *, overwrite: bool = False) -> FrameSink:
    shape = sink_context(SIDE, SIDE, Fraction(25), about=(("title", "A"),), direct=kind == "direct")
    sink = open_sink(folder / FORMATS[kind], shape, overwrite=overwrite)
    assert isinstance(sink, FrameSink)
    return sink


def draw(sink: FrameSink, frames: int = 5) -> None:
    for frame in scribble(1, SIDE, SIDE, frames, colours=250, fills=20):
        sink.write(frame)


def files(folder: Path) -> dict[str, bytes]:
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


@every_format
def test_the_same_film_has_the_same_bytes_and_replaces_a_file_only_when_it_is_complete(
    tmp_path: Path, kind: str
) -> None:
    with opened(tmp_path, kind) as sink:
        draw(sink)
        sink.finish()
        sink.abort()
    first = files(tmp_path)
    with pytest.raises(OutputError, match=r"exists already|holds files already"):
        opened(tmp_path, kind)
    with opened(tmp_path, kind, overwrite=True) as sink:
        draw(sink, 3)
    assert files(tmp_path) == first
    with pytest.raises(EncoderError, match="is closed already"):
        sink.finish()
    with opened(tmp_path, kind, overwrite=True) as sink:
        draw(sink)
        sink.finish()
    assert files(tmp_path) == first


def cut(sink: FrameSink) -> Callable[[], ClosedFile]:
    """Closes the file; then one byte of it is lost."""
    close = sink.close_file

    def closed() -> ClosedFile:
        counted = close()
        written = sink.staging.temporary
        file = max(written.iterdir()) if written.is_dir() else written
        os.truncate(file, file.stat().st_size - 1)
        return counted

    return closed


@every_format
def test_a_file_that_lost_bytes_does_not_appear(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    with opened(tmp_path, kind) as sink:
        draw(sink)
        monkeypatch.setattr(sink, "close_file", cut(sink))
        with pytest.raises(OutputError, match="was damaged while it was written; check the disk"):
            sink.finish()
    assert not list(tmp_path.iterdir())


@every_format
def test_a_film_without_frames_or_an_interrupted_one_leaves_nothing(
    tmp_path: Path, kind: str
) -> None:
    with (
        opened(tmp_path, kind) as sink,
        pytest.raises(
            (OutputError, EncoderError), match=r"no frames? to write|would have no frame"
        ),
    ):
        sink.finish()
    with no_thread_left(), pytest.raises(KeyboardInterrupt), opened(tmp_path, kind) as sink:
        draw(sink)
        raise KeyboardInterrupt
    assert not list(tmp_path.iterdir())


@every_format
def test_a_full_disk_is_one_sentence_and_leaves_nothing(full_disk: Path, kind: str) -> None:
    with (
        pytest.raises(OutputError, match="the disk is full"),
        opened(full_disk, kind) as sink,
    ):
        canvas, random = Canvas(SIDE, SIDE), np.random.default_rng(1)
        for _ in range(12):
            canvas.put(random.integers(0, 256, (SIDE, SIDE, 3), np.uint8), 0, 0)
            sink.write(canvas.frame())
        sink.finish()
    assert not list(full_disk.iterdir())
