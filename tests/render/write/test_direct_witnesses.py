"""Films written directly, of all paces, panels and sizes, are decoded by every decoder that is
installed: all show the same pictures, and these are the canvas's."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, partial
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support.amounts import long
from tests.support.board_films import psnr
from tests.support.decoded_streams import check_level, check_vectors, headers, vectors
from tests.support.direct_films import stored_pictures, write
from tests.support.film_decoders import by_ffmpeg, by_gstreamer, by_pyav
from tests.support.film_index import FilmIndex, film_index
from tests.support.paths import ROOT
from tests.support.puzzles import EASY, HARD, MEDIUM
from tests.support.sink_contexts import sink_context
from undoku import Limits, parse_puzzle, search
from undoku.render.delivery.outputs import context_of
from undoku.render.draw.canvas import Canvas, Frame, Rect, Sprite
from undoku.render.film.film import Film
from undoku.render.panels.panel_registry import panels
from undoku.render.settings.settings import settings_of
from undoku.render.write.sink import SinkContext, Written

EXAMPLES = ROOT / "examples" / "puzzles"
PLAIN = ("row-major", "mrv")
LIMITS = Limits(1000)
SHORT = {"intro": "0.25", "hold": "0.5", "card": "1"}


@dataclass(frozen=True)
class Case:
    """What is filmed: a grid or a puzzle's file, strategies, and options of the film."""

    puzzle: str
    strategies: tuple[str, ...] = PLAIN
    options: dict[str, object] = field(default_factory=dict)
    limits: Limits = LIMITS
    least: float = 50
    """The minimum luma PSNR of any frame, in dB."""

    @property
    def film(self) -> Film:
        text = (EXAMPLES / self.puzzle).read_text() if self.puzzle.endswith(".txt") else self.puzzle
        puzzle = parse_puzzle(text)
        traces = [search(puzzle, name, self.limits) for name in self.strategies]
        return Film(traces, settings_of(self.options))


CASES = {
    "charts": Case(EASY.grid, PLAIN, {"size": "640x360", "fps": 15, "pace": "even", **SHORT}),
    "time-lapse": Case(
        *(MEDIUM.grid, PLAIN),
        {
            "size": "480x270",
            "fps": 25,
            "duration": 4,
            "pace": "even",
            "quality": "draft",
            "theme": "light",
        },
    ),
    "long-holds": Case(
        *(EASY.grid, ("mrv",)),
        {
            "size": "272x480",
            "fps": 24,
            "steps_per_frame": "1/20",
            "to_step": 15,
            "quality": "archive",
            "theme": "paper",
            "variable_rate": True,
        },
        least=52,
    ),
    "story": Case(MEDIUM.grid, PLAIN, {"size": "640x360", "fps": 12}),
    "story in full": Case(MEDIUM.grid, PLAIN, {"size": "1920x1080", "fps": 10, "duration": 15}),
    "story upright": Case(HARD.grid, PLAIN, {"size": "1080x1920", "fps": 10, "duration": 15}),
    "story of one": Case(EASY.grid, ("mrv",), {"size": "854x480", "fps": 10, "theme": "light"}),
    "story of six": Case(
        *(MEDIUM.grid, ("row-major", "column-major", "spiral", "mrv", "mrv+singles", "dom-wdeg")),
        {"size": "1280x720", "fps": 10},
    ),
    "all solutions": Case(
        *(MEDIUM.grid, PLAIN, {"size": "1280x720", "fps": 10}),
        limits=Limits(exhaustive=True),
    ),
    "all panels": Case(
        *(MEDIUM.grid, PLAIN),
        {
            "size": "1280x720",
            "fps": 30,
            "steps_per_second": 60,
            "to_step": 240,
            "panels": [panel.name for panel in panels()],
            **SHORT,
        },
    ),
    "all panels, fast": Case(
        *(HARD.grid, PLAIN),
        {
            "size": "1920x1080",
            "fps": 30,
            "duration": 4,
            "pace": "even",
            "panels": [panel.name for panel in panels()],
        },
    ),
    "a ramp": Case(HARD.grid, PLAIN, {"size": "1280x720", "fps": 20, "duration": 10, "ramp": True}),
    "small": Case(MEDIUM.grid, PLAIN, {"size": "240x160", "fps": 20, "duration": 8}),
    "jigsaw": Case("jigsaw.txt", PLAIN, {"size": "720x720", "fps": 10, "duration": 12}),
    "sixteen values": Case("sixteen.txt", ("mrv+singles",), {"size": "960x540", "fps": 10}),
    "no atlas": Case(
        *(EASY.grid, PLAIN),
        {"size": "1920x1080", "fps": 60, "duration": "0.5", "pace": "even", "level": "4.2"},
    ),
    "2560x1440": Case(
        *(EASY.grid, PLAIN, {"size": "2560x1440", "fps": 60, "duration": 1, "pace": "even"})
    ),
    "3840x2160": Case(
        *(EASY.grid, PLAIN, {"size": "3840x2160", "fps": 60, "duration": "0.5", "pace": "even"})
    ),
}
SIZES = {f"{width}x{height} cells": (width, height) for width, height in
         ((1920, 1080), (1080, 1920), (2560, 1440), (3840, 2160))}  # fmt: skip
ALWAYS = ("charts", "time-lapse", "no atlas", "1920x1080 cells", "1080x1920 cells")
"""The cases of every run; the others are long."""


def cells(width: int, height: int) -> Iterator[Frame]:
    """Cells near both sides and in the middle, whose looks return, two of them after they were not
    in the picture, and one cell that slides by a pixel a frame."""
    random = np.random.default_rng(width)
    looks = [
        Sprite(n, random.integers(0, 256, (6, 6, 3), np.uint8).repeat(16, 0).repeat(16, 1))
        for n in range(6)
    ]
    canvas = Canvas(width, height)
    canvas.fill(Rect(0, 0, width, height), (18, 20, 28))
    places = [(at * (width // 96 - 1) // 4 * 96, 96 * (at % 3 + 1)) for at in range(5)]
    for frame in range(8):
        for at, (x, y) in enumerate(places):
            canvas.blit(looks[(frame + at) % 4 if at < 4 else 4 + frame % 2], x, y)
        canvas.put(looks[0].pixels, 31 + frame, height - 131)
        yield canvas.frame()


@dataclass
class Filmed:
    """A film, and how to read it."""

    path: Path
    context: SinkContext
    frames: Callable[[], Iterator[Frame]]
    written: Written
    least: float

    @property
    def size(self) -> tuple[int, int]:
        return self.context.settings.width, self.context.settings.height

    @cached_property
    def pictures(self) -> NDArray[np.uint8]:
        """All stored pictures as ffmpeg's own decoder shows them, (n, bytes) I420."""
        return self.as_planes(by_ffmpeg(self.path, "h264"))

    def as_planes(self, raw: bytes) -> NDArray[np.uint8]:
        return np.frombuffer(raw, np.uint8).reshape(-1, self.size[0] * self.size[1] * 3 // 2)

    @cached_property
    def index(self) -> FilmIndex:
        return film_index(self.path)


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(name, marks=() if name in ALWAYS else pytest.mark.long)
        for name in (*CASES, *SIZES)
    ],
)
def filmed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Filmed:
    path = tmp_path_factory.mktemp("films") / "film.mp4"
    if request.param in SIZES:
        size = SIZES[request.param]
        context, least = sink_context(*size, Fraction(60)), 50.0
        frames: Callable[[], Iterator[Frame]] = partial(cells, *size)
    else:
        case = CASES[request.param]
        film = case.film
        context, frames, least = context_of(film), film.frames, case.least
    return Filmed(path, context, frames, write(path, context, frames()), least)


def test_every_frame_is_the_canvas_and_lasts_as_long(filmed: Filmed) -> None:
    luma, held = filmed.size[0] * filmed.size[1], []
    stored = stored_pictures(filmed.frames(), filmed.context)
    for picture, (right, ticks) in zip(filmed.pictures, stored, strict=True):
        assert psnr(picture[:luma], right[:luma]) >= filmed.least
        held.append(ticks / filmed.context.settings.fps)
    assert filmed.index.durations == held
    assert filmed.written.frames == len(held)
    assert filmed.written.duration == sum(held)


@pytest.mark.parametrize(
    "witness",
    ["openh264", "openh264dec", long("ffmpeg of the system"), long("PyAV"), long("avdec_h264")],
)
def test_all_decoders_show_the_same_pictures(filmed: Filmed, witness: str) -> None:
    if witness == "openh264":
        raw = by_ffmpeg(filmed.path, "libopenh264")
    elif witness == "PyAV":
        raw = by_pyav(filmed.path)
    elif witness.startswith("ffmpeg"):
        program = shutil.which("ffmpeg")
        if program is None:
            pytest.skip("there is no ffmpeg but our own")
        raw = by_ffmpeg(filmed.path, "h264", program=program)
    else:
        raw = by_gstreamer(witness, filmed.path, filmed.size)
    assert np.array_equal(filmed.as_planes(raw), filmed.pictures)


def test_the_stream_keeps_to_its_level(filmed: Filmed) -> None:
    """Vectors, sizes, speeds, and the bytes of each second."""
    sequence, _, *slices = headers(filmed.path)
    check_vectors(sequence, vectors(filmed.path))
    check_level(sequence, filmed.index.sizes, filmed.index.durations)
    keys = [number for number, one in enumerate(slices) if one["nal_unit_type"] == 5]
    assert keys == filmed.index.key_frames
