"""The reader of MP4 files detects damaged ones."""

from __future__ import annotations

import struct
from fractions import Fraction
from pathlib import Path

import pytest

from tests.support.board_films import HEIGHT, WIDTH, board_film
from undoku.render.write.encoded_mp4 import Mp4Sink
from undoku.render.write.reader import read_mp4
from undoku.render.write.sink import FilmShape
from undoku.render.write.staging import Staging


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("film") / "film.mp4"
    with Mp4Sink(Staging(path), FilmShape(WIDTH, HEIGHT, Fraction(60))) as sink:
        for frame in board_film(20):
            sink.write(frame)
        return sink.finish().path


def test_a_file_cut_short_anywhere_is_found_out(film: Path, tmp_path: Path) -> None:
    whole = film.read_bytes()
    cut = tmp_path / "cut.mp4"
    for length in (0, 5, 20, 40, 500, len(whole) // 2, len(whole) - 1):
        cut.write_bytes(whole[:length])
        with pytest.raises(ValueError, match=r"past the end|no index|damaged"):
            read_mp4(cut)


@pytest.mark.parametrize("box", [b"stsz", b"mdhd", b"stsd", b"stts", b"mvhd"])
def test_an_index_without_a_box_is_found_out(film: Path, tmp_path: Path, box: bytes) -> None:
    damaged = tmp_path / "damaged.mp4"
    damaged.write_bytes(film.read_bytes().replace(box, b"free"))
    with pytest.raises(ValueError, match="its index is damaged"):
        read_mp4(damaged)


def test_an_index_of_more_samples_than_there_are_is_detected(film: Path, tmp_path: Path) -> None:
    whole = film.read_bytes()
    at = whole.index(b"mdat") - 4
    (length,) = struct.unpack_from(">I", whole, at)
    shorter = tmp_path / "shorter.mp4"
    shorter.write_bytes(whole[:at] + struct.pack(">I", length - 100) + whole[at + 4 : -100])
    with pytest.raises(ValueError, match="names more bytes than it holds"):
        read_mp4(shorter)


def test_a_long_box_of_pictures_is_read(film: Path, tmp_path: Path) -> None:
    """Boxes of 4 GiB and more have a 64-bit length; a short one may have it too."""
    whole = film.read_bytes()
    at = whole.index(b"mdat") - 4
    (length,) = struct.unpack_from(">I", whole, at)
    long = tmp_path / "long.mp4"
    head = struct.pack(">I4sQ", 1, b"mdat", length + 8)
    long.write_bytes(whole[:at] + head + whole[at + 8 :])
    assert read_mp4(long) == read_mp4(film)


def test_other_files_are_not_mp4(tmp_path: Path) -> None:
    other = tmp_path / "other.mp4"
    other.write_bytes(b"GIF89a" + bytes(100))
    with pytest.raises(ValueError, match=r"past the end|no index|damaged"):
        read_mp4(other)
