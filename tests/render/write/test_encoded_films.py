"""Films of external encoders hold every frame of the canvas and say what they are."""

from __future__ import annotations

import subprocess
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from tests.support.decoding import decoded, film_index
from tests.support.films import (
    HEIGHT,
    WIDTH,
    board_film,
    decode,
    psnr,
    sink_context,
)
from undoku.errors import EncoderError, SettingsError
from undoku.render.draw.canvas import Change, Frame, Rect
from undoku.render.write.ffmpeg import FfmpegProcess, executable, raw_input
from undoku.render.write.file_info import about_of
from undoku.render.write.mp4_direct import DirectSink
from undoku.render.write.mp4_x264 import Mp4FullChromaSink, Mp4Sink
from undoku.render.write.quality import quality
from undoku.render.write.sink import FrameSink, SinkContext, Written
from undoku.render.write.staging import Staging
from undoku.render.write.webm import WebmSink
from undoku.render.write.yuv import Planes

SHAPE = sink_context(WIDTH, HEIGHT, Fraction(60))


def film(
    path: Path,
    frames: int = 40,
    ticks: int = 1,
    shape: SinkContext = SHAPE,
    kind: type[FrameSink] = Mp4Sink,
) -> Written:
    with kind(Staging(path), shape) as sink:
        for frame in board_film(
            frames, size=(shape.settings.width, shape.settings.height), ticks=ticks
        ):
            sink.write(frame)
        return sink.finish()


@pytest.mark.parametrize(
    ("kind", "name", "floor"),
    [
        (Mp4Sink, "draft", 40.0),
        (Mp4Sink, "standard", 40.0),
        (Mp4Sink, "archive", 45.0),
        (WebmSink, "draft", 36.0),
        (WebmSink, "standard", 40.0),
        (WebmSink, "archive", 46.0),
    ],
)
def test_every_decoded_frame_is_the_canvas_frame(
    tmp_path: Path, kind: type[FrameSink], name: str, floor: float
) -> None:
    """Each as often as it has ticks."""
    context = sink_context(WIDTH, HEIGHT, Fraction(60), quality=name)
    written = film(tmp_path / "film.mkv", 20, 2, context, kind)
    planes = Planes(WIDTH, HEIGHT)
    stored = decode(written.path, "yuv420p", planes.bytes.size)
    assert len(stored) == written.frames == 40
    for number, frame in enumerate(board_film(20, ticks=2)):
        planes.update(frame.pixels, frame.changes)
        for found in stored[2 * number : 2 * number + 2]:
            assert psnr(found, planes.bytes) > floor


@pytest.mark.parametrize("kind", [Mp4Sink, WebmSink])
@pytest.mark.parametrize(
    "fps",
    [Fraction(60), Fraction(24000, 1001), Fraction(1, 2)],
)
def test_the_file_lasts_its_frames(tmp_path: Path, kind: type[FrameSink], fps: Fraction) -> None:
    """Exactly; a WebM to the millisecond."""
    shape = sink_context(WIDTH, HEIGHT, fps)
    written = film(tmp_path / "film.mp4", 11, 1, shape, kind)
    assert written.duration == 11 / fps
    index = film_index(written.path)
    assert index.frames == 11
    assert kind is WebmSink or index.durations == [1 / fps] * 11
    assert abs(index.duration - 11 / fps) <= max(Fraction(1, 1000), 1 / fps)


@pytest.mark.parametrize(
    ("name", "kind", "profile", "codec"),
    [
        ("film.mp4", Mp4Sink, "High", "h264 (High)"),
        ("film.mp4", DirectSink, "Constrained Baseline", "h264 (Constrained Baseline)"),
        ("film.webm", WebmSink, "Profile 0", "vp9 (Profile 0)"),
    ],
)
def test_the_file_is_what_browsers_and_phones_play_and_says_what_it_is(
    tmp_path: Path, name: str, kind: type[FrameSink], profile: str, codec: str
) -> None:
    about = (
        ("title", "Zwei Suchen – 数独"),
        ("comment", "53..7"),
        ("strategies", "mrv, row-major"),
    )
    shape = sink_context(WIDTH, HEIGHT, Fraction(60), about=about)
    written = film(tmp_path / name, shape=shape, kind=kind)
    found = film_index(written.path)
    assert found.index_first or kind is WebmSink
    assert (found.profile, found.colour) == (profile, (1, 1, 1, 1))
    assert (found.width, found.height, found.frames) == (WIDTH, HEIGHT, 40)
    assert found.key_frames[0] == 0
    assert about_of(written.path) == dict(about)
    command = [executable(), "-hide_banner", "-i", f"file:{written.path}"]
    message = subprocess.run(command, capture_output=True, text=True, check=False).stderr
    assert codec in message
    assert "yuv420p(tv, bt709, progressive)" in message or kind is WebmSink
    assert written.bytes == written.path.stat().st_size


_LOOKING_AHEAD = (
    "ref=9 deblock=0:0:0 subme=0 8x8dct=1 deadzone=10,6 chroma_qp_offset=-4 bframes=3 b_pyramid=0 "
    "b_adapt=0 weightp=0 keyint=600 scenecut=0 rc_lookahead=40 mbtree=1 qcomp=0.45 aq=1:0.80 "
)


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        (
            "draft",
            "ref=1 deblock=0:0:0 subme=0 8x8dct=1 bframes=0 weightp=0 keyint=600 scenecut=0 "
            "rc=cqp mbtree=0 qp=24 ip_ratio=4.00 aq=0",
        ),
        ("standard", _LOOKING_AHEAD + "crf=22.0"),
        ("archive", _LOOKING_AHEAD + "crf=10.0"),
    ],
)
def test_x264_uses_the_settings_of_a_quality(tmp_path: Path, name: str, settings: str) -> None:
    """It ignores unknown ones silently, so the settings that it reports are checked. With a thread
    that looks ahead the bytes would depend on the load of the machine, too rarely for a test; x264
    does not report that there is none."""
    shape = sink_context(WIDTH, HEIGHT, Fraction(60), quality=name)
    sink = Mp4Sink(Staging(tmp_path / "film.mp4"), shape)
    arguments = [*sink.encoder_arguments(), "-bsf:v", "null"]
    sink.abort()
    assert "sync-lookahead=0" in arguments[arguments.index("-x264-params") + 1].split(":")
    source = raw_input(WIDTH, HEIGHT, shape.settings.fps, "yuv420p")
    process = FfmpegProcess([*source, *arguments], tmp_path / "film.mp4", Path("film.mp4"))
    process.write(np.zeros(WIDTH * HEIGHT * 3 // 2, np.uint8))
    process.finish()
    message = (tmp_path / "film.mp4").read_bytes()
    used = message[message.index(b"options: ") :].split(b"\0")[0].decode("latin-1").split()
    wanted = f"threads=4 lookahead_threads=1 sliced_threads=0 {settings}".split()
    assert [one for one in wanted if one not in used] == []


@pytest.mark.parametrize(
    ("size", "references"), [((1280, 720), 9), ((1920, 1080), 4), ((3840, 2160), 1), ((64, 64), 9)]
)
def test_no_film_needs_more_reference_frames_than_a_phone_holds(
    size: tuple[int, int], references: int
) -> None:
    assert quality("standard").x264(*size).endswith(f":ref={references}")


def test_full_chroma_keeps_coloured_edges(tmp_path: Path) -> None:
    """A red line one pixel wide is red; 4:2:0 would halve its colour."""
    pixels = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    pixels[:, 101] = (255, 0, 0)
    found = {}
    for kind in (Mp4Sink, Mp4FullChromaSink):
        shape = sink_context(WIDTH, HEIGHT, Fraction(25), quality="archive")
        with kind(Staging(tmp_path / f"{kind.__name__}.mp4"), shape) as sink:
            sink.write(Frame(pixels, (Change(Rect(0, 0, WIDTH, HEIGHT)),)))
            written = sink.finish()
        (shown,) = decoded(written.path, WIDTH, HEIGHT)
        found[kind] = shown[HEIGHT // 2, 101]
    assert film_index(tmp_path / "Mp4FullChromaSink.mp4").profile == "High 4:4:4 Predictive"
    assert found[Mp4FullChromaSink][0] > 240
    assert found[Mp4Sink][0] < 200


def test_full_chroma_takes_an_odd_size(tmp_path: Path) -> None:
    shape = sink_context(321, 181, Fraction(60))
    written = film(tmp_path / "film.mp4", frames=3, shape=shape, kind=Mp4FullChromaSink)
    assert (written.width, written.height) == (321, 181)
    assert len(list(decoded(written.path, 321, 181))) == 3


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        (sink_context(321, 180, Fraction(60)), "321x180 has an odd side.*ask for 322x180"),
        (sink_context(320, 181, Fraction(60)), "320x181 has an odd side.*ask for 320x182"),
        (sink_context(10000, 180, Fraction(60)), "10000x180.*16 to 8192"),
        (sink_context(320, 180, Fraction(0)), "at 0 frames/s.*and a rate above 0"),
        (sink_context(320, 180, Fraction(60), quality="best"), "no quality 'best'.*archive"),
    ],
)
def test_an_impossible_film_is_refused_and_leaves_nothing(
    tmp_path: Path, shape: SinkContext, words: str
) -> None:
    staging = Staging(tmp_path / "film.mp4")
    with pytest.raises(SettingsError, match=words):
        Mp4Sink(staging, shape)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("kind", [Mp4Sink, DirectSink])
@pytest.mark.parametrize(
    "pixels",
    [
        np.zeros((HEIGHT, WIDTH - 2, 3), np.uint8),
        np.zeros((HEIGHT, WIDTH), np.uint8),
        np.zeros((HEIGHT, WIDTH, 3), np.uint16),
    ],
)
def test_a_frame_of_another_size_or_type_never_reaches_the_encoder(
    tmp_path: Path, kind: type[FrameSink], pixels: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]
) -> None:
    with kind(Staging(tmp_path / "film.mp4"), SHAPE) as sink:
        for frame in board_film(3):
            sink.write(frame)
        with pytest.raises(EncoderError, match="doesn't fit a film of 320x180"):
            sink.write(Frame(pixels, ()))
        assert sink.finish().frames == 3


@pytest.mark.parametrize("name", ["a:b.mp4", "-x.mp4", "z%03d.mp4", "it's [me].mp4", "ä 独.MP4"])
def test_a_name_means_a_file_and_nothing_else(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "per%03d:cent"
    folder.mkdir()
    written = film(folder / name, frames=2)
    assert [path.name for path in folder.iterdir()] == [name]
    assert film_index(written.path).frames == 2
