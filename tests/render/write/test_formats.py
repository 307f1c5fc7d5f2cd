"""Formats are declared once: how names select them, what another package may declare; and what
sinks of all formats have in common: what fails leaves nothing, no older file is lost."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

import undoku.render.write.formats
from tests.support.changed_films import scribble
from tests.support.decoding import film_index
from tests.support.films import sink_context
from tests.support.manifests import QUICK, groups
from tests.support.puzzles import EASY
from tests.support.system import deleted_while_open, no_thread_left
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
    is_sequence,
    register,
)
from undoku.render.write.png import PngSink, encode_png, open_sequence
from undoku.render.write.sink import ClosedFile, FrameSink, open_sink
from undoku.render.write.staging import Staging
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
        (OURS._replace(suffix=".gif"), "the suffix '.gif' conflicts with '.gif'"),
        (OURS._replace(suffix=".small.gif"), "'.small.gif' conflicts with '.gif'"),
        (OURS._replace(suffix="ours"), "can't have the suffix 'ours'"),
        (OURS._replace(suffix=".Ours"), "can't have the suffix '.Ours'"),
        (OURS._replace(suffix="%d.ours"), "can't have the suffix '%d.ours'"),
        (OURS._replace(kind=FormatKind.SEQUENCE), "'Ours' can't be a second sequence"),
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
    register(OURS._replace(writer=f"writer_{fails}:{writer}"))
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


# PNG files hold a frame's pixels exactly, alone and in sequence.


ABOUT = (("Title", "Zwei Wege – two ways"), ("Command", "undoku render p.txt -o a.png"))
SHAPE = sink_context(31, 17, Fraction(25), about=ABOUT)


@given(
    seed=st.integers(0, 1 << 32),
    width=st.integers(1, 40),
    height=st.integers(1, 40),
    colours=st.sampled_from([1, 2, 3, 4, 5, 16, 17, 255, 256, 257, 5000]),
)
def test_pictures_of_any_size_and_number_of_colours_are_read_as_they_were(
    tmp_path_factory: pytest.TempPathFactory, seed: int, width: int, height: int, colours: int
) -> None:
    random = np.random.default_rng(seed)
    palette = random.integers(0, 256, (colours, 3), np.uint8)
    picture = palette[random.integers(0, colours, (height, width))]
    path = tmp_path_factory.mktemp("png") / "one.png"
    path.write_bytes(encode_png(picture))
    with Image.open(path) as file:
        assert np.array_equal(np.asarray(file.convert("RGB")), picture)
        many = len(np.unique(picture.reshape(-1, 3), axis=0)) > 256
        assert file.mode == ("RGB" if many else "P")


@pytest.mark.parametrize(
    ("colours", "bits"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 4), (16, 4), (17, 8), (256, 8)]
)
def test_a_palette_takes_as_few_bits_as_its_colours_need(
    tmp_path: Path, colours: int, bits: int
) -> None:
    """By the header's fields: bits of a sample, and the colour type "indexed"."""
    shades = np.arange(colours, dtype=np.uint8)
    picture = np.repeat(shades, 3).reshape(1, colours, 3)
    path = tmp_path / "one.png"
    path.write_bytes(encode_png(picture))
    assert path.read_bytes()[24:26] == bytes((bits, 3))
    with Image.open(path) as file:
        assert bytes(file.getpalette() or ())[: 3 * colours] == picture.tobytes()


def test_the_same_picture_gives_the_same_file_whatever_memory_it_lies_in() -> None:
    picture = np.random.default_rng(3).integers(0, 5, (31, 17, 3), np.uint8)
    other = np.asfortranarray(picture)
    wide = np.zeros((31, 40, 3), np.uint8)
    wide[:, 10:27] = picture
    assert encode_png(picture) == encode_png(other) == encode_png(wide[:, 10:27])


def test_the_last_frame_is_the_picture_and_the_texts_are_in_it(tmp_path: Path) -> None:
    film = scribble(4, 31, 17, 9)
    path = tmp_path / "last.png"
    with PngSink(Staging(path), SHAPE) as sink:
        for frame in film:
            sink.write(frame)
        frame.pixels[:] = 99  # the canvas goes on, the picture doesn't
        written = sink.finish()
    with Image.open(path) as file:
        assert np.array_equal(np.asarray(file.convert("RGB")), film.pictures()[-1])
        assert file.text == dict(ABOUT)  # type: ignore[attr-defined]
    assert (written.frames, written.bytes) == (1, path.stat().st_size)
    assert list(tmp_path.iterdir()) == [path]


def test_texts_of_any_language_and_names_of_any_length_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "one.png"
    texts = (("n" * 100, "数独"), ("Name ✓", "a\nb"))
    path.write_bytes(encode_png(np.zeros((4, 4, 3), np.uint8), texts))
    with Image.open(path) as file:
        assert file.text == {"n" * 79: "数独", "Name ?": "a\nb"}  # type: ignore[attr-defined]


def test_a_sequence_has_one_file_for_every_tick(tmp_path: Path) -> None:
    film = scribble(4, 31, 17, 9, longest=3)
    folder = tmp_path / "frames"
    with open_sequence(folder / "a-%04d.png", SHAPE) as sink:
        for frame in film:
            sink.write(frame)
        assert not folder.exists()
        written = sink.finish()
    wanted = [
        picture
        for picture, (_, ticks) in zip(film.pictures(), film.frames, strict=True)
        for _ in range(ticks)
    ]
    names = sorted(path.name for path in folder.iterdir())
    assert names == [f"a-{number:04d}.png" for number in range(1, len(wanted) + 1)]
    for name, picture in zip(names, wanted, strict=True):
        with Image.open(folder / name) as file:
            assert np.array_equal(np.asarray(file.convert("RGB")), picture)
    assert written.frames == len(wanted)
    assert written.duration == film.duration
    assert written.bytes == sum(path.stat().st_size for path in folder.iterdir())
    assert list(tmp_path.iterdir()) == [folder]


def test_a_folder_is_replaced_only_when_asked_and_only_when_it_is_a_sequence(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "frames"
    folder.mkdir()
    pattern = folder / "%d.png"

    def film(count: int, *, overwrite: bool) -> None:
        with open_sequence(pattern, SHAPE, overwrite=overwrite) as sink:
            for frame in scribble(4, 31, 17, count):
                sink.write(frame)
            sink.finish()

    film(5, overwrite=False)
    with pytest.raises(OutputError, match="holds files already"):
        film(2, overwrite=False)
    film(2, overwrite=True)
    assert sorted(path.name for path in folder.iterdir()) == ["1.png", "2.png"]
    (folder / "letter.txt").write_text("dear")
    with pytest.raises(OutputError, match=r"holds 'letter.txt'"):
        film(2, overwrite=True)
    assert len(list(folder.iterdir())) == 3
    assert list(tmp_path.iterdir()) == [folder]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        *((name, "not a pattern") for name in ("f/%s.png", "f/%06d%d.png", "f/%.png", "f/1%.png")),
        ("%06d.png", "names no folder for the frames"),
    ],
)
def test_a_pattern_has_one_number_and_a_folder_of_its_own(name: str, message: str) -> None:
    assert is_sequence(Path(name))
    with pytest.raises(SettingsError, match=message):
        open_sequence(Path(name), SHAPE)
