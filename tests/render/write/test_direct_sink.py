"""Films written without an encoder: two foreign decoders show what the canvas held."""

from __future__ import annotations

import io
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from pathlib import Path
from threading import Event, Timer
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.support.amounts import few, long
from tests.support.decoding import (
    DECODERS,
    FilmIndex,
    by_ffmpeg,
    by_gstreamer,
    by_pyav,
    check_level,
    check_vectors,
    film_index,
    headers,
    vectors,
)
from tests.support.direct_films import decode, stored_pictures, write
from tests.support.films import HEIGHT, WIDTH, RunFilm, board_film, psnr, run_films, sink_context
from tests.support.puzzles import EASY, HARD, MEDIUM
from tests.support.system import ROOT, no_thread_left
from undoku import Limits, parse_puzzle, search
from undoku.errors import OutputError, SettingsError
from undoku.h264 import parameters, picture_encoder
from undoku.h264.gop_encoder import GopEncoder
from undoku.h264.picture_encoder import EncodedPart, MacroblockCounts
from undoku.render.delivery.outputs import context_of
from undoku.render.delivery.write import write_frames
from undoku.render.draw.canvas import Canvas, Change, Frame, Pixels, Rect, Sprite
from undoku.render.draw.film_parts import divided, frames_of
from undoku.render.draw.sprite_run import Sheet, SpriteRun
from undoku.render.film.film import Film
from undoku.render.panels.panel_registry import panels
from undoku.render.settings.settings import settings_of
from undoku.render.write import film_encoder
from undoku.render.write.encoder_choice import direct_refusal
from undoku.render.write.film_encoder import FilmEncoder
from undoku.render.write.mp4_direct import DirectSink
from undoku.render.write.mp4_writer import Mp4Writer
from undoku.render.write.part_queue import ThreadedWriter
from undoku.render.write.sink import SinkContext, Written
from undoku.render.write.staging import Staging
from undoku.render.write.yuv import Planes

SHAPE = sink_context(WIDTH, HEIGHT, Fraction(60), about=(("title", "Two boards"),))


@settings(
    few(6),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    film=run_films(),
    fps=st.sampled_from([Fraction(60), Fraction(30000, 1001), Fraction(1, 2)]),
    quality=st.sampled_from(["draft", "standard", "archive"]),
)
@example(RunFilm(2, 2, 1, False, False, (("frames", 1),), 0), Fraction(60), "standard")
def test_any_film_decodes_alike_and_near_the_canvas(
    tmp_path: Path, film: RunFilm, fps: Fraction, quality: str
) -> None:
    """Whatever is drawn: both decoders agree to the bit, and differ from the canvas by quantisation
    only, to which copying adds nothing. By ffmpeg's own reading every bit follows the syntax, and
    vectors stay in the picture and in the level's range."""
    shape = sink_context(film.width, film.height, fps, quality)
    path = tmp_path / f"{os.urandom(4).hex()}.mp4"
    written = write(path, shape, frames_of(film.play(whole=False)))
    first, second = (decode(path, shape, decoder) for decoder in DECODERS)
    assert np.array_equal(first, second)
    assert len(first) == written.frames
    # In a picture smaller than a macroblock the samples that are seen may have all its error.
    least = {"draft": 36, "standard": 42, "archive": 47}[quality]
    stored = stored_pictures(frames_of(film.play(whole=False)), shape)
    for picture, right in zip(first, stored, strict=True):
        assert psnr(picture, right) > least - 6 * (right.size < 384)
    assert written.duration == written.frames / fps
    sequence, parameters, *_ = headers(path)
    assert sequence["constraint_set1_flag"]
    names = ("colour_primaries", "transfer_characteristics", "matrix_coefficients")
    assert [sequence[name] for name in names] == [1, 1, 1]
    assert (sequence["video_full_range_flag"], sequence["aspect_ratio_idc"]) == (0, 1)
    rate = Fraction(sequence["time_scale"], 2 * sequence["num_units_in_tick"])
    assert rate == fps
    assert sequence["fixed_frame_rate_flag"]
    assert 12 <= 26 + parameters["pic_init_qp_minus26"] <= 24
    check_vectors(sequence, vectors(path))
    index = film_index(path)
    assert index.durations == [1 / fps] * written.frames
    check_level(sequence, index.sizes, index.durations)


def test_a_picture_that_holds_is_repeated_by_small_samples_and_has_key_frames(
    tmp_path: Path,
) -> None:
    """At the interval exactly, so that a player finds one however long nothing changes."""
    canvas = Canvas(64, 64)
    canvas.fill(Rect(0, 0, 64, 64), (20, 20, 20))

    def frames() -> Iterator[Frame]:
        yield canvas.frame(90)
        yield canvas.frame(30)
        canvas.fill(Rect(0, 0, 9, 9), (20, 20, 20))  # drawn over, yet nothing changes
        yield canvas.frame()
        canvas.fill(Rect(0, 0, 9, 9), (90, 20, 20))
        yield canvas.frame(4)

    shape = sink_context(64, 64, Fraction(60), key_interval=Fraction(1, 2))
    written = write(tmp_path / "film.mp4", shape, frames())
    index = film_index(written.path)
    assert index.durations == [Fraction(1, 60)] * 125
    assert index.key_frames == [0, 30, 60, 90, 120]
    assert max(index.sizes[number] for number in range(121) if number % 30) <= 12
    decoded = decode(written.path, shape, "h264")
    assert (decoded[:121] == decoded[0]).all()
    assert (decoded[121:] == decoded[121]).all()
    assert not np.array_equal(decoded[0], decoded[121])


@pytest.mark.parametrize("decoder", DECODERS)
def test_the_film_can_be_entered_at_every_key_frame(tmp_path: Path, decoder: str) -> None:
    """They are as far apart as requested, and decoding from each of them gives the same pictures as
    decoding from the start."""
    shape = sink_context(WIDTH, HEIGHT, Fraction(4), key_interval=Fraction(10))
    path = write(tmp_path / "film.mp4", shape, board_film(130)).path
    whole = decode(path, shape, "h264")
    keys = film_index(path).key_frames
    assert keys == [0, 40, 80, 120]
    for key in keys[1:]:
        part = decode(path, shape, decoder, "-ss", str(key / 4 - 0.05))
        assert np.array_equal(part, whole[key:])


@pytest.mark.parametrize(
    ("width", "height", "further", "sentence"),
    [
        (321, 180, {}, "odd side"),
        (320, 180, {"quality": "best"}, "no quality 'best'"),
        (16000, 16000, {}, "more than any level of H.264 allows"),
        (1280, 720, {"level": "3.1"}, "needs level 4.0 of H.264, more than the 3.1"),
    ],
)
def test_impossible_films_are_refused_before_they_are_drawn(
    tmp_path: Path, width: int, height: int, further: dict[str, Any], sentence: str
) -> None:
    shape = sink_context(width, height, Fraction(60), **further)
    if "quality" not in further:
        assert sentence in direct_refusal(shape.settings)
    with pytest.raises(SettingsError, match=sentence):
        DirectSink(Staging(tmp_path / "film.mp4"), shape)
    assert not list(tmp_path.iterdir())


def test_a_film_that_a_level_allows_is_not_refused() -> None:
    assert direct_refusal(SHAPE.settings) == ""
    assert direct_refusal(replace(SHAPE.settings, width=1280, height=720, level="4.2")) == ""


# Films written directly, of all paces, panels and sizes, are decoded by every decoder that is
# installed: all show the same pictures, and these are the canvas's.


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
ALWAYS = ("charts", "time-lapse", "no atlas", "1920x1080 cells")
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
    luma, fps = filmed.size[0] * filmed.size[1], filmed.context.settings.fps
    stored = stored_pictures(filmed.frames(), filmed.context)
    for picture, right in zip(filmed.pictures, stored, strict=True):
        assert psnr(picture[:luma], right[:luma]) >= filmed.least
    assert filmed.index.durations == [1 / fps] * filmed.written.frames
    assert filmed.written.frames == len(filmed.pictures)
    assert filmed.written.duration == filmed.written.frames / fps


@pytest.mark.parametrize(
    "witness",
    [
        "openh264",
        long("openh264dec"),
        long("ffmpeg of the system"),
        long("PyAV"),
        long("avdec_h264"),
    ],
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


# Films are encoded as if frame by frame, however they come in runs and in how many threads.


SHORT_GROUPS = sink_context(64, 48, Fraction(60), key_interval=Fraction(1, 60))


def growing(frames: int) -> list[Frame]:
    """Frames with a coloured area that grows, each on pixels of its own."""
    canvas, found = Canvas(64, 48), []
    for number in range(frames):
        canvas.fill(Rect(2 * number, 0, 2, 48), (200, 9 * number, 90))
        frame = canvas.frame()
        found.append(Frame(frame.pixels.copy(), frame.changes))
    return found


@given(
    film=run_films(),
    cuts=st.sets(st.integers(1, 80)).map(sorted),
    key_interval=st.integers(1, 40),
    threads=st.integers(1, 3),
    most=st.sampled_from([0, 20_000]),
    batch=st.integers(0, 2000),
)
def test_runs_cut_anywhere_give_the_samples_of_their_frames_in_any_number_of_threads(
    film: RunFilm, cuts: list[int], key_interval: int, threads: int, most: int, batch: int
) -> None:
    """Also where the sheet changes while an earlier run still waits, in pictures of which one group
    is encoded after the other, and whenever the loop returns its samples."""
    shape = shape_of(film, key_interval)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parameters, "MAX_MACROBLOCKS", most)
        expected = encoded(shape, film.play(whole=False))
        patch.setattr(picture_encoder, "BATCH_BYTES", batch)
        assert encoded(shape, divided(film.play(whole=True), cuts), threads) == expected


@pytest.mark.parametrize("group", [1, 2])
def test_an_error_in_any_thread_is_raised_and_ends_all_threads(group: int) -> None:
    class _Failing(GopEncoder):
        def begin(self, number: int, known: NDArray[np.int64] | None) -> None:
            if number == group:
                raise MemoryError("no memory for a group")
            super().begin(number, known)

    with no_thread_left(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(film_encoder, "GopEncoder", _Failing)
        film = FilmEncoder(SHORT_GROUPS.settings, Kept(), 2)
        with pytest.raises(MemoryError, match="no memory for a group"):
            for frame in growing(20):
                film.write(frame)
            film.end()
        film.close()


@pytest.mark.parametrize(
    ("size", "fps", "seconds"),
    [((640, 360), 30, 20), ((1280, 720), 60, 20), ((1920, 1080), 60, 11.8), ((3840, 2160), 60, 5)],
)
def test_larger_and_faster_films_have_nearer_key_frames(
    size: tuple[int, int], fps: int, seconds: float
) -> None:
    """What a player must decode to seek takes about as long for all, but key frames are never
    nearer than five seconds."""
    film = FilmEncoder(sink_context(*size, Fraction(fps)).settings, Kept(), 1)
    assert film.key_interval / fps == pytest.approx(seconds, rel=0.03)


@given(sizes=st.lists(st.integers(1, 1000), min_size=1, max_size=60), count=st.integers(1, 70))
def test_the_load_of_a_film_is_its_largest_sample_and_its_busiest_window(
    sizes: list[int], count: int
) -> None:
    writer = Mp4Writer(io.BytesIO())
    none = np.empty(0, np.uint8)
    writer.add(EncodedPart(none, np.array(sizes), key=False, counts=MacroblockCounts(0, 0, 0)))
    within = [sum(sizes[at : at + count]) for at in range(len(sizes))]
    assert writer.load(count) == (max(sizes), max(within))


# What is written in a thread comes out as if it were written at once.


class _Kept:
    """A writer that keeps each frame as a picture, at most `most`. It waits until `gate` is
    opened, if there is one."""

    def __init__(self, gate: Event | None = None, most: int = 10_000) -> None:
        self._gate, self._most = gate, most
        self.seen: list[NDArray[np.uint8]] = []

    def write(self, frame: Frame) -> None:
        if self._gate:
            self._gate.wait(10)
        if len(self.seen) == self._most:
            raise OutputError("no further frame")
        self.seen += [frame.pixels.copy()] * frame.ticks

    def write_run(self, run: SpriteRun) -> None:
        for frame in run.frames():
            self.write(frame)


@given(film=run_films(), cuts=st.sets(st.integers(1, 80)).map(sorted))
def test_runs_cut_anywhere_give_the_pictures_of_their_frames(
    film: RunFilm, cuts: list[int]
) -> None:
    """Also where the sheet changes while an earlier run still waits."""
    at_once, found = _Kept(), _Kept()
    write_frames(film.play(whole=False), at_once, None, 0)
    thread = ThreadedWriter(found)
    write_frames(divided(film.play(whole=True), cuts), thread, None, 0)
    thread.drain()
    thread.close()
    assert np.array_equal(found.seen, at_once.seen)


def test_an_error_ends_the_film_and_nothing_is_written_after_it() -> None:
    canvas, writer = Canvas(64, 48), _Kept(most=2)
    thread = ThreadedWriter(writer)
    with pytest.raises(OutputError, match="no further frame"):
        for _ in range(8):
            thread.write(canvas.frame())
        thread.drain()
    with pytest.raises(OutputError, match="no further frame"):
        thread.drain()
    thread.close()
    assert len(writer.seen) == 2


def test_a_thread_that_is_closed_does_not_write_the_rest_of_a_long_run() -> None:
    canvas, sheet, gate = np.zeros((48, 64, 3), np.uint8), Sheet(), Event()
    number = sheet.add([np.full((16, 16, 3), 200, np.uint8)])
    placed = np.full((1000, 3), (number, 0, 0), np.int32)
    writer = _Kept(gate)
    thread = ThreadedWriter(writer)
    thread.write_run(SpriteRun(canvas, sheet, np.arange(1001), placed))
    Timer(0.1, gate.set).start()
    thread.close()
    assert len(writer.seen) < 100


# The planes are the exact BT.709 samples of the pixels, wherever a change lies.


def reference(pixels: Pixels, full_chroma: bool) -> list[NDArray[np.int64]]:
    """Luma, Cb and Cr of the standard's formulas in exact integers, rounded half upwards."""
    r, g, b = (pixels[..., i].astype(object) for i in range(3))
    count = 1
    luma = (219 * (2126 * r + 7152 * g + 722 * b) * 2 + 2550000) // (2 * 2550000) + 16
    if not full_chroma:
        r, g, b = (c[::2, ::2] + c[::2, 1::2] + c[1::2, ::2] + c[1::2, 1::2] for c in (r, g, b))
        count = 4
    grey = 2126 * r + 7152 * g + 722 * b
    planes = [luma]
    for colour, span in ((b, 18556), (r, 15748)):
        # 128 + 224 (C - E'Y) / span, all times 255 count span / 10000
        divisor = 255 * count * span
        planes.append(
            (2 * (224 * (10000 * colour - grey) + 128 * divisor) + divisor) // (2 * divisor)
        )
    return [plane.astype(np.int64) for plane in planes]


def whole(pixels: Pixels) -> list[Change]:
    return [Change(Rect(0, 0, pixels.shape[1], pixels.shape[0]))]


@pytest.mark.parametrize("full_chroma", [False, True])
def test_random_pixels_become_the_exact_samples(full_chroma: bool) -> None:
    pixels = np.random.default_rng(1).integers(0, 256, (90, 120, 3), np.uint8)
    planes = Planes(120, 90, full_chroma=full_chroma)
    planes.update(pixels, whole(pixels))
    for found, right in zip(
        (planes.luma, planes.blue, planes.red), reference(pixels, full_chroma), strict=True
    ):
        np.testing.assert_array_equal(found, right)


@given(
    st.lists(
        st.tuples(st.integers(0, 29), st.integers(0, 19), st.integers(1, 30), st.integers(1, 20)),
        max_size=6,
    ),
    st.booleans(),
    st.integers(0, 2**32 - 1),
)
def test_changed_rectangles_alone_bring_the_planes_up_to_date(
    corners: list[tuple[int, int, int, int]], full_chroma: bool, seed: int
) -> None:
    """Odd, overlapping and one-pixel rectangles included; the rest of the planes is not touched."""
    random = np.random.default_rng(seed)
    pixels = random.integers(0, 256, (20, 30, 3), np.uint8)
    planes = Planes(30, 20, full_chroma=full_chroma)
    planes.update(pixels, whole(pixels))
    changes = []
    for x, y, width, height in corners:
        rect = Rect(x, y, min(width, 30 - x), min(height, 20 - y))
        pixels[rect.y : rect.bottom, rect.x : rect.right] = random.integers(
            0, 256, (rect.height, rect.width, 3), np.uint8
        )
        changes.append(Change(rect))
    planes.update(pixels, changes)
    fresh = Planes(30, 20, full_chroma=full_chroma)
    fresh.update(pixels, whole(pixels))
    np.testing.assert_array_equal(planes.bytes, fresh.bytes)


@pytest.mark.parametrize(
    ("colour", "samples"),
    [
        ((0, 0, 0), (16, 128, 128)),
        ((255, 255, 255), (235, 128, 128)),
        ((255, 0, 0), (63, 102, 240)),
        ((0, 255, 0), (173, 42, 26)),
        ((0, 0, 255), (32, 240, 118)),
    ],
)
@pytest.mark.parametrize("full_chroma", [False, True])
def test_the_corners_of_the_colour_cube_reach_the_ends_of_the_range(
    colour: tuple[int, int, int], samples: tuple[int, int, int], full_chroma: bool
) -> None:
    pixels: Pixels = np.full((2, 2, 3), colour, np.uint8)
    planes = Planes(2, 2, full_chroma=full_chroma)
    planes.update(pixels, whole(pixels))
    for plane, sample in zip((planes.luma, planes.blue, planes.red), samples, strict=True):
        assert (plane == sample).all()


# Films of runs for the direct writer, and the samples that it makes of them.


class Kept:
    """A writer that keeps its samples: bytes, and whether it is a key frame."""

    def __init__(self) -> None:
        self.samples: list[tuple[bytes, bool]] = []

    def add(self, part: EncodedPart) -> None:
        units, at = part.bytes.tobytes(), 0
        for size in part.sizes.tolist():
            assert int.from_bytes(units[at : at + 4]) == size - 4
            self.samples.append((units[at + 4 : at + size], part.key))
            at += size
        assert at == len(units)
        assert len(part.sizes) == 1 or not part.key


def encoded(
    context: SinkContext, parts: Iterable[Frame | SpriteRun], threads: int = 1
) -> tuple[list[tuple[bytes, bool]], tuple[Any, ...]]:
    """The samples of a film, and its counts."""
    kept = Kept()
    film = FilmEncoder(context.settings, kept, threads)
    for part in parts:
        film.write(part)
    film.end()
    return kept.samples, (film.ticks, film.bytes, film.counts)


def shape_of(film: RunFilm, key_interval: int = 20) -> SinkContext:
    fps = (Fraction(60), Fraction(7), Fraction(30000, 1001))[film.seed % 3]
    return sink_context(
        *(film.width, film.height, fps, "draft"),
        key_interval=key_interval / fps,
    )
