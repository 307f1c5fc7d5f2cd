"""Whatever the format: a file that the disk keeps only a part of does not appear."""

from __future__ import annotations

import os
from fractions import Fraction
from pathlib import Path

import pytest

from tests.support.changed_films import scribble
from undoku.errors import OutputError
from undoku.render.write.formats import open_sink
from undoku.render.write.sink import ClosedFile, FilmShape, FrameSink

SHAPE = FilmShape(32, 32, Fraction(25), about=(("title", "A film"),))


@pytest.mark.parametrize(
    ("name", "direct"),
    [
        *(
            (f"a.{suffix}", False)
            for suffix in ("gif", "webp", "apng", "png", "mp4", "webm", "mov")
        ),
        ("a.mp4", True),
        ("frames/%02d.png", False),
    ],
)
def test_a_file_that_lost_bytes_does_not_appear(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, direct: bool
) -> None:
    shape = FilmShape(32, 32, Fraction(25), about=SHAPE.about, direct=direct)
    with open_sink(tmp_path / name, shape) as sink:
        assert isinstance(sink, FrameSink)
        for frame in scribble(1, 32, 32, 5):
            sink.write(frame)
        close = sink.close_file

        def cut() -> ClosedFile:
            closed = close()
            written = sink.staging.temporary
            file = max(written.iterdir()) if written.is_dir() else written
            os.truncate(file, file.stat().st_size - 1)
            return closed

        monkeypatch.setattr(sink, "close_file", cut)
        with pytest.raises(OutputError, match="was damaged while it was written; check the disk"):
            sink.finish()
    assert not list(tmp_path.iterdir())
