"""Films read back from their files."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.support.puzzles import EASY
from undoku import InputError, Picture, ReadError, compare, frames, read_frames
from undoku.render.delivery.write import Report

# imageio-ffmpeg leaves it to Python to close the pipes of an ffmpeg that has ended.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

FILM: dict[str, Any] = {"size": (192, 160), "fps": 25, "duration": "2s"}


def joined(pictures: list[Picture]) -> list[Picture]:
    found: list[Picture] = []
    for picture in pictures:
        if found and np.array_equal(found[-1].pixels, picture.pixels):
            found[-1] = Picture(picture.pixels, found[-1].seconds + picture.seconds)
        else:
            found.append(picture)
    return found


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("films")
    names = [f"film.{suffix}" for suffix in ("gif", "webp", "apng", "mp4", "webm", "444.mp4")]
    compare(EASY.grid, ["mrv"], *(folder / name for name in names), **FILM)
    return folder


@pytest.mark.parametrize("suffix", ["gif", "webp", "apng"])
def test_an_exact_format_gives_back_the_frames_it_was_made_of(films: Path, suffix: str) -> None:
    """Every pixel, and every time."""
    wanted = joined(list(frames(EASY.grid, ["mrv"], **FILM)))
    found = list(read_frames(films / f"film.{suffix}"))
    assert [picture.seconds for picture in found] == [picture.seconds for picture in wanted]
    for one, other in zip(found, wanted, strict=True):
        assert one.pixels.dtype == np.uint8
        np.testing.assert_array_equal(one.pixels, other.pixels)


@pytest.mark.parametrize("suffix", ["mp4", "webm", "444.mp4"])
def test_a_video_gives_back_nearly_the_frames_it_was_made_of(films: Path, suffix: str) -> None:
    found = list(read_frames(str(films / f"film.{suffix}")))
    assert sum(picture.seconds for picture in found) == 2
    wanted = list(frames(EASY.grid, ["mrv"], **FILM))
    for one, other in ((found[0], wanted[0]), (found[-1], wanted[-1])):
        assert one.pixels.shape == (160, 192, 3)
        difference = np.abs(one.pixels.astype(np.int16) - other.pixels).mean()
        assert difference < 4


@pytest.mark.parametrize(
    ("encoder", "rate"),
    [("direct", "60000/1001"), ("x264", "30000/1001")],
)
def test_pictures_that_hold_keep_their_time_however_an_mp4_is_written(
    tmp_path: Path, encoder: str, rate: str
) -> None:
    """Written directly they are stored once, by x264 as often as there are frames."""
    settings: dict[str, Any] = {
        "size": (192, 160),
        "fps": rate,
        "steps_per_second": 5,
        "to_step": 20,
    }
    path = tmp_path / "film.mp4"
    report = compare(EASY.grid, ["mrv"], path, encoder=encoder, **settings)
    assert isinstance(report, Report)
    seconds = [picture.seconds for picture in read_frames(path)]
    assert sum(seconds) == report.outputs[0].duration
    assert all((each * Fraction(rate)).denominator == 1 for each in seconds)


def test_pictures_are_ones_own_to_keep_and_change(films: Path) -> None:
    for suffix in ("gif", "mp4"):
        first, second, *_ = read_frames(films / f"film.{suffix}")
        before = second.pixels.copy()
        first.pixels[:] = 0
        np.testing.assert_array_equal(second.pixels, before)


def test_a_single_picture_has_no_time(tmp_path: Path) -> None:
    Image.new("P", (4, 3)).save(tmp_path / "one.png")
    (picture,) = read_frames(tmp_path / "one.png")
    assert picture.pixels.shape == (3, 4, 3)
    assert picture.seconds == 0


def test_a_name_that_means_something_else_to_ffmpeg_is_a_name(
    films: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("http:x.mp4", "-%03d.mp4"):
        (tmp_path / name).write_bytes((films / "film.mp4").read_bytes())
        assert sum(picture.seconds for picture in read_frames(name)) == 2


def test_an_unreadable_file_is_reported_in_one_sentence(films: Path, tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=r"there is no file '.*gone.mp4'"):
        read_frames(tmp_path / "gone.mp4")
    with pytest.raises(InputError, match=r"frames can be read.*end"):
        read_frames(tmp_path / "film.svg")
    for suffix in ("gif", "mp4", "apng", "webp", "webm"):
        path = tmp_path / f"nonsense.{suffix}"
        path.write_bytes(b"nonsense")
        with pytest.raises(InputError, match="can't be read as a film"):
            list(read_frames(path))
    folder = tmp_path / "folder.gif"
    folder.mkdir()
    with pytest.raises(ReadError, match="directory"):
        read_frames(folder)


@pytest.mark.parametrize("suffix", ["gif", "apng", "mp4", "webm"])
def test_a_truncated_film_is_not_mistaken_for_a_complete_one(
    films: Path, tmp_path: Path, suffix: str
) -> None:
    content = (films / f"film.{suffix}").read_bytes()
    path = tmp_path / f"cut.{suffix}"
    path.write_bytes(content[: len(content) * 2 // 3])
    with pytest.raises(InputError, match=r"breaks off|can't be read as a film"):
        list(read_frames(path))
