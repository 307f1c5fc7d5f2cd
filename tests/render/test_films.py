"""Finished films: decoded frame by frame and compared with the trace."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.support.amounts import long
from tests.support.changed_films import by_pillow
from tests.support.decoding import decoded
from tests.support.films import make_film
from tests.support.puzzles import EASY, MEDIUM
from tests.support.reading import BoardReader
from undoku import (
    InputError,
    Picture,
    ReadError,
    Replay,
    SettingsError,
    compare,
    frames,
    read_frames,
)
from undoku.render.delivery.write import Report, write_film, write_still
from undoku.render.film.film import Film
from undoku.render.timeline.pace import Clock
from undoku.render.timeline.timeline import Pace, Phase, Shot

PANELS = [["mrv"], ["row-major", "mrv"], ["row-major", "mrv", "mrv", "row-major"]]


def boards_of(film: Film) -> list[list[np.ndarray]]:
    """For each panel, the board after each step, by plain replay."""
    found = []
    for trace in film.traces:
        replay = Replay(trace.header)
        boards = [replay.board.copy()]
        for op, value, cell in trace.read().tolist():
            replay.apply(op, value, cell)
            boards.append(replay.board.copy())
        found.append(boards)
    return found


class Replayed:
    """What every frame of a film must show on its boards."""

    def __init__(self, film: Film) -> None:
        self._boards = boards_of(film)
        self._readers = [
            BoardReader(header.puzzle, block, "dark")
            for header, block in zip(film.headers, film.layout.blocks, strict=True)
        ]

    def check(self, shot: Shot, picture: np.ndarray) -> None:
        """A picture of that shot shows the boards after its steps; the end card shows none."""
        if shot.phase is not Phase.CARD:
            for boards, reader, step in zip(self._boards, self._readers, shot.steps, strict=True):
                assert (reader.read(picture) == boards[step]).all()

    @property
    def worst(self) -> float:
        """The largest error of a colour so far."""
        return max(reader.worst for reader in self._readers)


def small_film(strategies: list[str], **settings: object) -> Film:
    values: dict[str, Any] = {"width": 640, "height": 360, "fps": Fraction(25), **settings}
    return make_film(*strategies, puzzle=EASY.grid, **values)


SAMPLED: dict[str, object] = {
    "width": 400, "height": 226, "fps": Fraction(12), "last_state": True, "encoder": "direct"
}  # fmt: skip
"""Sampled states, so that a frame of several steps shows one board."""

MODES: dict[str, dict[str, object]] = {
    "steps clock, three steps a frame": {"pace": Pace(Fraction(3))},
    "finish clock": {"pace": Pace(Fraction(2)), "clock": Clock.FINISH},
    "time clock, fitted": {"pace": Pace(duration=Fraction(6)), "clock": Clock.TIME},
    "ramp": {"pace": Pace(duration=Fraction(5), ramp=True)},
    "slower than a step a frame": {"pace": Pace(Fraction(1, 3), last=20)},
    "a part of the race": {"pace": Pace(Fraction(2), first=10, last=41)},
    "an odd rate": {"pace": Pace(Fraction(7, 3)), "fps": Fraction(30000, 1001)},
}

FILMS: dict[str, tuple[list[str], dict[str, object]]] = {
    **{
        f"{len(strategies)} searches": (strategies, {"fps": Fraction(10)})
        for strategies in PANELS[1:]
    },
    **{name: (PANELS[1], {**SAMPLED, **settings}) for name, settings in MODES.items()},
}


RARE = {"4 searches", "finish clock", "time clock, fitted", "a part of the race"}
"""For `make test-long`: other tests check their frames before they are encoded."""


@pytest.mark.parametrize("name", [long(n) if n in RARE else n for n in FILMS])
def test_every_frame_of_an_mp4_shows_the_replayed_boards(tmp_path: Path, name: str) -> None:
    """In every clock and pace."""
    strategies, settings = FILMS[name]
    film = small_film(strategies, **settings)
    width, height = film.settings.width, film.settings.height
    report = write_film(film, [tmp_path / "film.mp4"])
    replayed = Replayed(film)
    pictures = list(decoded(tmp_path / "film.mp4", width, height))
    for number, picture in enumerate(pictures):
        replayed.check(film.timeline.shot_at(number), picture)
    assert len(pictures) == film.timeline.frames == report.outputs[0].frames
    # Half the chroma of cells as small as twelve pixels is gone; the digits are not.
    assert replayed.worst < 25 or film.settings.last_state


@pytest.mark.parametrize("strategies", [PANELS[0], PANELS[2]], ids=["one", "four"])
def test_every_frame_of_a_gif_shows_the_replayed_boards_exactly(
    tmp_path: Path, strategies: list[str]
) -> None:
    film = small_film(strategies)
    write_film(film, [tmp_path / "film.gif"])
    replayed = Replayed(film)
    hundredths = 0
    for picture, delay in by_pillow(tmp_path / "film.gif"):
        # At 25 frames a second a frame is four hundredths.
        shot = film.timeline.shot_at(hundredths // 4)
        hundredths += delay // 10
        replayed.check(shot, picture)
    assert replayed.worst == 0
    assert hundredths == film.timeline.frames * 4


def test_a_single_step_is_a_picture(tmp_path: Path) -> None:
    film = small_film(["row-major", "mrv"])
    write_still(film, 30, [tmp_path / "step.png"])
    with Image.open(tmp_path / "step.png") as picture:
        Replayed(film).check(film.shot_of_step(30), np.asarray(picture.convert("RGB")))
    with pytest.raises(SettingsError, match=r"ends in \.png"):
        write_still(film, 30, [tmp_path / "step.mp4"])


def test_a_gif_of_a_capped_search_has_a_rate_that_gif_holds(tmp_path: Path) -> None:
    report = compare(MEDIUM.grid, ["row-major"], tmp_path / "film.gif", max_nodes=50,
                     size="320x180", fps=60, duration="2s")  # fmt: skip
    assert isinstance(report, Report)
    assert report.tallies[0].outcome == "capped"
    assert report.outputs[0].fps == 50
    assert report.outputs[0].duration == 2


# Films read back from their files.


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
def wanted() -> list[Picture]:
    """The pictures of `films`."""
    return list(frames(EASY.grid, ["mrv"], **FILM))


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("films")
    names = [f"film.{suffix}" for suffix in ("gif", "webp", "apng", "mp4", "webm", "444.mp4")]
    compare(EASY.grid, ["mrv"], *(folder / name for name in names), **FILM)
    return folder


@pytest.mark.parametrize("suffix", ["gif", "webp", "apng"])
def test_an_exact_format_gives_back_the_frames_it_was_made_of(
    films: Path, wanted: list[Picture], suffix: str
) -> None:
    """Every pixel, and every time."""
    wanted = joined(wanted)
    found = list(read_frames(films / f"film.{suffix}"))
    assert [picture.seconds for picture in found] == [picture.seconds for picture in wanted]
    for one, other in zip(found, wanted, strict=True):
        assert one.pixels.dtype == np.uint8
        np.testing.assert_array_equal(one.pixels, other.pixels)


@pytest.mark.parametrize("suffix", ["mp4", "webm", "444.mp4"])
def test_a_video_gives_back_nearly_the_frames_it_was_made_of(
    films: Path, wanted: list[Picture], suffix: str
) -> None:
    found = list(read_frames(str(films / f"film.{suffix}")))
    assert sum(picture.seconds for picture in found) == 2
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
        "to_step": 8,
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
