"""Films written directly, of all paces, panels and sizes, are decoded by every decoder that is
installed: all show the same pictures, and these are the canvas's."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support.board_films import psnr
from tests.support.direct_films import samples, stream, write
from tests.support.film_decoders import by_ffmpeg, by_gstreamer, by_pyav
from tests.support.film_index import FilmIndex, film_index
from tests.support.h264.foreign_vectors import vectors
from tests.support.h264.limits import check_level, check_vectors
from tests.support.h264.reader import Stream
from tests.support.paths import ROOT
from tests.support.puzzles import EASY, HARD, MEDIUM
from undoku import Limits, parse_puzzle, search
from undoku.render.delivery.plan import OutputPlan
from undoku.render.draw.canvas import Frame
from undoku.render.film.film import Film
from undoku.render.panels.panel_registry import panels
from undoku.render.settings.settings import settings_of
from undoku.render.write.ffmpeg import executable
from undoku.render.write.mp4_direct import DirectStream
from undoku.render.write.sink import SinkContext, Written
from undoku.render.write.yuv import Planes

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
    "2560x1440": Case(
        *(EASY.grid, PLAIN, {"size": "2560x1440", "fps": 60, "duration": 1, "pace": "even"})
    ),
    "3840x2160": Case(
        *(EASY.grid, PLAIN, {"size": "3840x2160", "fps": 60, "duration": "0.5", "pace": "even"})
    ),
}
ALWAYS = ("charts", "time-lapse")
"""The cases of every run; the others are long."""


@dataclass
class Filmed:
    """A film, and how to read it."""

    name: str
    path: Path
    film: Film
    written: Written
    least: float

    @property
    def shape(self) -> SinkContext:
        return OutputPlan(self.film).context

    def frames(self) -> Iterator[Frame]:
        return self.film.frames()

    @cached_property
    def pictures(self) -> NDArray[np.uint8]:
        """All stored pictures as ffmpeg's own decoder shows them, (n, bytes) I420."""
        return self.as_planes(by_ffmpeg(executable(), "h264", self.path))

    @cached_property
    def digests(self) -> list[str]:
        return [digest(picture) for picture in self.pictures]

    def as_planes(self, raw: bytes) -> NDArray[np.uint8]:
        return np.frombuffer(raw, np.uint8).reshape(
            -1, self.shape.settings.width * self.shape.settings.height * 3 // 2
        )

    @cached_property
    def index(self) -> FilmIndex:
        return film_index(self.path)

    @cached_property
    def stream(self) -> Stream:
        """The file's stream, read down to every macroblock."""
        return stream(self.path)

    @cached_property
    def holds(self) -> list[Fraction]:
        """Seconds of each picture, as the film has them."""
        if not self.shape.settings.variable_rate:
            ticks = sum(frame.ticks for frame in self.frames())
            return [1 / self.shape.settings.fps] * ticks
        found = [0]
        before = None
        for frame in self.frames():
            if before is None or not np.array_equal(before, frame.pixels):
                found.append(0)
                before = frame.pixels.copy()
            found[-1] += frame.ticks
        return [ticks / self.shape.settings.fps for ticks in found[1:]]


def digest(picture: NDArray[np.uint8]) -> str:
    return hashlib.md5(picture.tobytes()).hexdigest()


@pytest.fixture(
    scope="module",
    params=[pytest.param(name, marks=() if name in ALWAYS else pytest.mark.long) for name in CASES],
)
def filmed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Filmed:
    case = CASES[request.param]
    film = case.film
    path = tmp_path_factory.mktemp("films") / "film.mp4"
    return Filmed(
        request.param, path, film, write(path, OutputPlan(film).context, film.frames()), case.least
    )


def test_every_frame_of_a_real_film_is_the_canvas(filmed: Filmed) -> None:
    planes = Planes(filmed.shape.settings.width, filmed.shape.settings.height)
    luma = filmed.shape.settings.width * filmed.shape.settings.height
    shown, before = -1, None
    worst = 99.0
    for frame in filmed.frames():
        planes.update(frame.pixels, frame.changes)
        alike = 1
        if not filmed.shape.settings.variable_rate:
            alike = frame.ticks
            shown += frame.ticks
        elif before is None or not np.array_equal(before, frame.pixels):
            shown += 1
            before = frame.pixels.copy()
        for number in range(shown - alike + 1, shown + 1):
            worst = min(worst, psnr(filmed.pictures[number, :luma], planes.bytes[:luma]))
    assert shown == len(filmed.pictures) - 1
    assert worst >= filmed.least


@pytest.mark.parametrize(
    "witness", ["openh264", "ffmpeg of the system", "PyAV", "openh264dec", "avdec_h264"]
)
def test_all_decoders_show_the_same_pictures(filmed: Filmed, witness: str) -> None:
    if witness == "openh264":
        raw = by_ffmpeg(executable(), "libopenh264", filmed.path)
    elif witness == "PyAV":
        raw = by_pyav(filmed.path)
    elif witness.startswith("ffmpeg"):
        program = shutil.which("ffmpeg")
        if program is None:
            pytest.skip("there is no ffmpeg but our own")
        raw = by_ffmpeg(program, "h264", filmed.path)
    else:
        raw = by_gstreamer(witness, filmed.path, filmed.stream.sequence.visible)
    assert [digest(picture) for picture in filmed.as_planes(raw)] == filmed.digests


def test_every_macroblock_of_a_real_film_is_read_again(filmed: Filmed) -> None:
    found = filmed.stream
    check_vectors(found.sequence, found.pictures)
    check_level(found.sequence, [len(unit) + 4 for unit in samples(filmed.path)], filmed.holds)
    assert [picture.number for picture in found.pictures if picture.key] == list(
        filmed.index.key_frames
    )
    kinds = {kind for picture in found.pictures for kind in picture.kinds}
    assert {"skip", "copy"} <= kinds


def test_vectors_are_where_a_foreign_decoder_finds_them(filmed: Filmed) -> None:
    for picture, right in zip(filmed.stream.pictures, vectors(filmed.path), strict=True):
        # Of quarters that are cut again, ffmpeg tells the first part, as if it were the whole.
        read = {
            (part.x, part.y, max(8, part.width), max(8, part.height), *part.vector)
            for part in picture.parts
            if part.x % 8 == part.y % 8 == 0
        }
        assert read == right


def test_packets_and_pictures_have_the_same_times_and_kinds(filmed: Filmed) -> None:
    """Count, kind, key flags, times and durations, in packets and in decoded pictures."""
    av = pytest.importorskip("av", reason="needs PyAV")
    keys, at = set(filmed.index.key_frames), Fraction(0)
    with av.open(str(filmed.path)) as film:
        track = film.streams.video[0]
        assert track.frames == filmed.written.frames == len(filmed.holds)
        assert track.duration * track.time_base == filmed.written.duration
        packets = [packet for packet in film.demux(track) if packet.size]
        assert len(packets) == track.frames
        for number, (packet, stands) in enumerate(zip(packets, filmed.holds, strict=True)):
            assert packet.pts == packet.dts
            assert packet.pts * packet.time_base == at
            assert packet.duration * packet.time_base == stands
            assert packet.is_keyframe == (number in keys)
            at += stands
        assert at == filmed.written.duration
    with av.open(str(filmed.path)) as film:
        for number, (frame, packet) in enumerate(zip(film.decode(video=0), packets, strict=True)):
            assert frame.pts == packet.pts
            assert frame.key_frame == (number in keys)
            assert frame.pict_type == (1 if number in keys else 2)


def test_ffprobe_counts_what_was_written(filmed: Filmed) -> None:
    program = shutil.which("ffprobe")
    if program is None:
        pytest.skip("there is no ffprobe on this machine")
    done = subprocess.run(
        [program, "-v", "error", "-of", "json", "-show_packets", "-show_frames", "-show_streams",
         str(filmed.path)],
        capture_output=True, check=True,
    )  # fmt: skip
    assert done.stderr == b""
    found: dict[str, Any] = json.loads(done.stdout)
    both = found.get("packets_and_frames", [])
    packets = [row for row in both if row["type"] == "packet"]
    frames = [row for row in both if row["type"] == "frame"]
    (track,) = found["streams"]
    assert int(track["nb_frames"]) == len(packets) == len(frames) == filmed.written.frames
    assert (track["profile"], track["has_b_frames"]) == ("Constrained Baseline", 0)
    assert (track["color_space"], track["color_range"]) == ("bt709", "tv")
    assert (track["width"], track["height"]) == (
        filmed.shape.settings.width,
        filmed.shape.settings.height,
    )
    keys = set(filmed.index.key_frames)
    for number, (packet, frame) in enumerate(zip(packets, frames, strict=True)):
        assert packet["pts"] == packet["dts"] == frame["pts"]
        assert packet["flags"].startswith("K") == (number in keys) == bool(frame["key_frame"])
        assert frame["pict_type"] == ("I" if number in keys else "P")
    assert sum(int(packet["size"]) for packet in packets) == sum(filmed.index.sizes)


def test_a_stream_of_a_real_film_shows_the_same(filmed: Filmed) -> None:
    path = filmed.path.with_suffix(".stream.mp4")
    with path.open("wb") as file:
        sink = DirectStream(file, filmed.shape)
        for frame in filmed.frames():
            sink.write(frame)
        sink.finish()
    for decoder in ("h264", "libopenh264"):
        raw = by_ffmpeg(executable(), decoder, path)
        assert [digest(picture) for picture in filmed.as_planes(raw)] == filmed.digests


def test_another_process_writes_the_same_bytes(filmed: Filmed) -> None:
    """With hashes seeded otherwise: nothing depends on the order of a set."""
    if filmed.name != "charts":
        pytest.skip("one film is enough for this")
    program = f"""if True:
        from pathlib import Path
        from undoku.render.delivery.plan import OutputPlan
        from tests.support.direct_films import write
        from tests.render.write.test_direct_witnesses import CASES
        film = CASES["charts"].film
        path = Path({str(filmed.path.with_suffix(".again.mp4"))!r})
        write(path, OutputPlan(film).context, film.frames())
    """
    subprocess.run([sys.executable, "-c", program], check=True, cwd=ROOT)
    assert filmed.path.with_suffix(".again.mp4").read_bytes() == filmed.path.read_bytes()
