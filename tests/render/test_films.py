"""Finished films: decoded frame by frame and compared with the trace."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.support.changed_films import by_pillow
from tests.support.decoding import decoded
from tests.support.films import make_film
from tests.support.puzzles import EASY, MEDIUM
from tests.support.reading import BoardReader
from undoku import Replay, SettingsError, compare
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


@pytest.mark.parametrize("name", FILMS)
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
