"""What sinks of all formats have in common: what fails leaves nothing, no older file is lost."""

from __future__ import annotations

import os
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from tests.support.changed_films import scribble
from tests.support.sink_contexts import sink_context
from tests.support.threads import no_thread_left
from undoku.errors import EncoderError, OutputError
from undoku.render.draw.canvas import Canvas
from undoku.render.write.sink import ClosedFile, FrameSink, open_sink

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
