"""Films written without an encoder: two foreign decoders show what the canvas held."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.support.board_films import HEIGHT, WIDTH, board_film, psnr
from tests.support.direct_films import (
    DECODERS,
    decode,
    drawn,
    films,
    samples,
    stream,
    write,
)
from tests.support.film_index import film_index
from tests.support.h264.bits import Bits
from tests.support.h264.limits import check_level, check_vectors
from tests.support.sink_contexts import sink_context
from undoku.errors import EncoderError, SettingsError
from undoku.h264.bits import escape
from undoku.h264.levels import CodedSize, LevelError, StreamLoad, coded_size, level_for
from undoku.h264.picture_encoder import PictureEncoder
from undoku.render.draw.canvas import Canvas, Change, Frame, Rect, Sprite
from undoku.render.write.encoder_choice import direct_refusal
from undoku.render.write.mp4_direct import DirectSink, DirectStream
from undoku.render.write.sink import SinkContext, Written
from undoku.render.write.staging import Staging
from undoku.render.write.yuv import Planes

SHAPE = sink_context(WIDTH, HEIGHT, Fraction(60), about=(("title", "Two boards"),))


@settings(
    max_examples=25,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(film=films())
@example(film=(sink_context(2, 2, Fraction(60), "standard"), [([(1, 0, 0, 1, 1, 0)], 1)], 0))
def test_any_film_decodes_alike_and_near_the_canvas(tmp_path: Path, film: Any) -> None:
    """Whatever is drawn: both decoders agree to the bit, and differ from the canvas by quantisation
    only, to which copying adds nothing."""
    shape = film[0]
    path = tmp_path / f"{os.urandom(4).hex()}.mp4"
    written = write(path, shape, drawn(*film))
    first, second = (decode(path, shape, decoder) for decoder in DECODERS)
    assert np.array_equal(first, second)
    assert len(first) == written.frames
    assert written.duration == sum(ticks for _, ticks in film[1]) / shape.settings.fps
    planes = Planes(shape.settings.width, shape.settings.height)
    shown = -1
    before = None
    for frame in drawn(*film):
        planes.update(frame.pixels, frame.changes)
        alike = 1
        if not shape.settings.variable_rate:
            alike = frame.ticks
            shown += frame.ticks
        elif before is None or not np.array_equal(before, frame.pixels):
            shown += 1
            before = frame.pixels.copy()
        # In a picture smaller than a macroblock the samples that are seen may have all its error.
        least = {"draft": 36, "standard": 42, "archive": 47}[shape.settings.quality]
        for picture in first[shown - alike + 1 : shown + 1]:
            assert psnr(picture, planes.bytes) > least - 6 * (planes.bytes.size < 384)
    assert shown == len(first) - 1


def test_the_decoder_holds_what_the_coder_believes() -> None:
    """The coder's reference pictures are the decoder's, including the atlas; otherwise errors would
    grow from copy to copy."""
    size = coded_size(64, 48, Fraction(60))
    shape = sink_context(16 * size.width, 16 * size.height, Fraction(60))
    coder = PictureEncoder(size, (64, 48), 20)
    believed, units = [], []
    for number, frame in enumerate(_busy(60)):
        units.append(bytes(coder.picture(frame.pixels, frame.changes, key=number == 0)))
        believed.append(coder.decoded().copy())
    decoded = _decode_units(units, size, shape)
    for picture, right in zip(decoded, believed, strict=True):
        luma = picture[: shape.settings.width * shape.settings.height].reshape(
            size.height, 16, size.width, 16
        )
        assert np.array_equal(luma.swapaxes(1, 2).reshape(-1, 256), right[:, :256])


def _busy(frames: int) -> list[Frame]:
    """Coloured squares of the macroblock grid that come, go, and come again."""
    random = np.random.default_rng(5)
    looks = random.integers(0, 256, (9, 16, 16, 3), np.uint8)
    canvas = Canvas(64, 48)
    canvas.touch(Rect(0, 0, 64, 48))
    found = []
    for _ in range(frames):
        column, row, look = random.integers(0, (4, 3, 9)).tolist()
        canvas.put(looks[look], 16 * column, 16 * row)
        frame = canvas.frame()
        found.append(Frame(frame.pixels.copy(), frame.changes))
    return found


def _cells(frames: int, seed: int) -> list[Frame]:
    """Cells of three macroblocks a side that come, go, and come again, and now and then something
    that crosses them."""
    random = np.random.default_rng(seed)
    looks = [Sprite(n, random.integers(0, 256, (48, 48, 3), np.uint8)) for n in range(30)]
    canvas = Canvas(192, 144)
    canvas.touch(Rect(0, 0, 192, 144))
    found = []
    for _ in range(frames):
        for _ in range(random.integers(0, 4)):
            column, row, look = random.integers(0, (4, 3, 30)).tolist()
            canvas.blit(looks[look], 48 * column, 48 * row)
        if random.random() < 0.1:
            x, y = random.integers(0, (180, 130)).tolist()
            canvas.fill(Rect(x, y, 9, 7), (200, 10, 10))
        frame = canvas.frame()
        found.append(Frame(frame.pixels.copy(), frame.changes))
    return found


@pytest.mark.parametrize("seed", range(4))
def test_cells_that_are_copied_whole_are_decoded_as_believed(seed: int) -> None:
    """Kept and brought back between pictures, crossed by other drawing, over a key frame."""
    size = coded_size(192, 144, Fraction(60))
    shape = sink_context(16 * size.width, 16 * size.height, Fraction(60))
    coder = PictureEncoder(size, (192, 144), 20)
    believed, units = [], []
    for number, frame in enumerate(_cells(150, seed)):
        units.append(bytes(coder.picture(frame.pixels, frame.changes, key=number in (0, 100))))
        believed.append(coder.decoded().copy())
    decoded = _decode_units(units, size, shape)
    assert len(decoded) == len(believed)
    for picture, right in zip(decoded, believed, strict=True):
        luma = picture[: shape.settings.width * shape.settings.height].reshape(
            size.height, 16, size.width, 16
        )
        assert np.array_equal(luma.swapaxes(1, 2).reshape(-1, 256), right[:, :256])


def test_a_cell_that_comes_back_takes_one_vector_and_no_new_picture() -> None:
    """Of its nine macroblocks five are written, and four follow from these."""
    random = np.random.default_rng(3)
    one, other = (Sprite(n, random.integers(0, 256, (48, 48, 3), np.uint8)) for n in range(2))
    canvas = Canvas(192, 144)
    coder = PictureEncoder(coded_size(192, 144, Fraction(60)), (192, 144), 20)
    canvas.touch(Rect(0, 0, 192, 144))
    sizes, tallies = [], []
    for number, sprite in enumerate((one, other, one, other, one)):
        canvas.blit(sprite, 48, 48)
        frame = canvas.frame()
        sizes.append(len(coder.picture(frame.pixels, frame.changes, key=number == 0)))
        tallies.append(coder.counts())
    assert tallies[1].coded == 9  # the other sprite is new
    assert tallies[2].coded == tallies[4].coded == 9
    assert tallies[4].copied - tallies[3].copied == 5
    assert sizes[1] > 1000
    assert sizes[4] <= 32


def test_of_cells_that_take_turns_the_atlas_keeps_as_many_as_it_has_room_for() -> None:
    """Three of seven. Were the one that was unused for longest overwritten each time, none would
    be left when it comes back."""
    random = np.random.default_rng(5)
    looks = [Sprite(n, random.integers(0, 256, (48, 48, 3), np.uint8)) for n in range(7)]
    canvas = Canvas(192, 144)
    coder = PictureEncoder(coded_size(192, 144, Fraction(60)), (192, 144), 20)
    canvas.touch(Rect(0, 0, 192, 144))
    coded = []
    for number in range(12 * len(looks)):
        canvas.blit(looks[number % len(looks)], 48, 48)
        frame = canvas.frame()
        coder.picture(frame.pixels, frame.changes, key=number == 0)
        coded.append(coder.counts().coded)
    assert coded[-1] - coded[-1 - 6 * len(looks)] <= 6 * 9 * (len(looks) - 3)


def _decode_units(units: list[bytes], size: CodedSize, shape: SinkContext) -> Any:
    """A bare stream with nothing cropped, decoded by ffmpeg."""
    from undoku.h264.levels import LEVELS
    from undoku.h264.parameters import picture_parameters, sequence_parameters
    from undoku.render.write.ffmpeg import executable

    sequence = sequence_parameters(
        LEVELS[0], size, (shape.settings.width, shape.settings.height), Fraction(60)
    )
    stream = b"".join(b"\0\0\0\1" + unit for unit in (sequence, picture_parameters(20), *units))
    done = subprocess.run(
        [
            *(executable(), "-v", "error", "-f", "h264", "-i", "-"),
            *("-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-"),
        ],
        input=stream,
        capture_output=True,
        check=True,
    )
    return np.frombuffer(done.stdout, np.uint8).reshape(
        -1, shape.settings.width * shape.settings.height * 3 // 2
    )


@settings(
    max_examples=20,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(film=films())
def test_every_bit_follows_the_syntax(tmp_path: Path, film: Any) -> None:
    """A second reading of each slice: headers, macroblocks, vectors that stay in the picture and in
    the level's range, no macroblock above its bits."""
    shape = film[0]
    path = tmp_path / f"{os.urandom(4).hex()}.mp4"
    write(path, shape, drawn(*film))
    found = stream(path)
    sequence = found.sequence
    assert sequence.visible == (shape.settings.width, shape.settings.height)
    assert sequence.profile == (66, 0xC0)
    usability = sequence.usability
    assert (usability.colours, usability.limited, usability.square) == ((1, 1, 1), True, True)
    assert Fraction(usability.ticks[1], 2 * usability.ticks[0]) == shape.settings.fps
    assert usability.fixed_rate == (not shape.settings.variable_rate)
    assert not usability.over_edges
    assert 12 <= found.parameters.qp <= 24
    check_vectors(sequence, found.pictures)
    check_level(
        sequence,
        [len(unit) + 4 for unit in samples(path)],
        film_index(path).durations,
    )


def test_contents_that_return_are_copied(tmp_path: Path) -> None:
    """A content that was lost and comes back is kept: from then on it is copied."""
    canvas = Canvas(64, 64)
    canvas.fill(Rect(0, 0, 64, 64), (20, 20, 20))
    looks = np.random.default_rng(1).integers(0, 256, (4, 16, 16, 3), np.uint8)

    def frames() -> Any:
        yield canvas.frame()
        for number in range(60):
            canvas.put(looks[number % 4], 16, 32)
            yield canvas.frame()

    write(tmp_path / "film.mp4", sink_context(64, 64, Fraction(60)), frames())
    assert all(len(unit) < 24 for unit in samples(tmp_path / "film.mp4")[16:])
    for picture in stream(tmp_path / "film.mp4").pictures[16:]:
        assert set(picture.kinds) <= {"skip", "copy"}
        assert picture.kinds.count("copy") == 1


def _holding(path: Path, *, variable_rate: bool, key_interval: Fraction | None = None) -> Written:
    """A film at 60 frames per second: a picture of 121 ticks, and one of four."""
    canvas = Canvas(64, 64)
    canvas.fill(Rect(0, 0, 64, 64), (20, 20, 20))
    holds = [canvas.frame(90), canvas.frame(30)]
    shape = sink_context(
        64, 64, Fraction(60), variable_rate=variable_rate, key_interval=key_interval
    )
    with DirectSink(Staging(path), shape) as sink:
        for frame in holds:
            sink.write(frame)
        canvas.fill(Rect(0, 0, 9, 9), (20, 20, 20))  # drawn over, yet nothing changes
        sink.write(canvas.frame())
        canvas.fill(Rect(0, 0, 9, 9), (90, 20, 20))
        sink.write(canvas.frame(4))
        return sink.finish()


def test_a_film_has_a_constant_rate_and_a_sample_for_each_tick(tmp_path: Path) -> None:
    """Pictures that hold included: they are repeated by samples of a few bytes."""
    written = _holding(tmp_path / "film.mp4", variable_rate=False)
    assert (written.frames, written.duration) == (125, Fraction(125, 60))
    assert film_index(written.path).durations == [Fraction(1, 60)] * 125
    held = samples(written.path)[1:121]
    assert max(map(len, held)) <= 8
    found = stream(written.path)
    assert found.sequence.usability.fixed_rate
    for picture in found.pictures[1:121]:
        assert set(picture.kinds) == {"skip"}
    for decoder in DECODERS:
        decoded = decode(written.path, sink_context(64, 64, Fraction(60)), decoder)
        assert (decoded[:121] == decoded[0]).all()
        assert (decoded[121:] == decoded[121]).all()
        assert not np.array_equal(decoded[0], decoded[121])


def test_a_picture_that_holds_for_long_has_key_frames_too(tmp_path: Path) -> None:
    """At the interval exactly, so that a player finds one however long nothing changes."""
    written = _holding(tmp_path / "film.mp4", variable_rate=False, key_interval=Fraction(1, 2))
    assert film_index(written.path).key_frames == [0, 30, 60, 90, 120]
    decoded = decode(written.path, sink_context(64, 64, Fraction(60)), "h264")
    assert (decoded[:121] == decoded[0]).all()


def test_a_picture_that_holds_is_one_long_frame_at_a_variable_rate(tmp_path: Path) -> None:
    written = _holding(tmp_path / "film.mp4", variable_rate=True)
    assert written.frames == 2
    assert written.duration == Fraction(125, 60)
    assert film_index(written.path).durations == [Fraction(121, 60), Fraction(4, 60)]


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


def test_the_file_says_what_it_is(tmp_path: Path) -> None:
    written = write(tmp_path / "film.mp4", SHAPE, board_film(40, ticks=3))
    film = film_index(written.path)
    assert film.index_first
    assert (film.profile, film.colour) == ("Constrained Baseline", (1, 1, 1, 1))
    assert (film.width, film.height) == (written.width, written.height) == (WIDTH, HEIGHT)
    assert film.frames == written.frames == 120
    assert film.duration == written.duration == Fraction(2)
    assert b"Two boards" in written.path.read_bytes()
    assert written.bytes == written.path.stat().st_size


def test_plain_and_compiled_kernels_write_the_same_bytes() -> None:
    program = """if True:
        import sys, hashlib
        import numpy as np
        from fractions import Fraction
        from undoku.render.draw.canvas import Change, Rect
        from undoku.h264.picture_encoder import PictureEncoder
        from undoku.h264.levels import coded_size
        np.seterr(over="ignore")  # the fingerprint's products wrap on purpose
        random = np.random.default_rng(4)
        pixels = np.zeros((32, 48, 3), np.uint8)
        coder = PictureEncoder(coded_size(48, 32, Fraction(60)), (48, 32), 12)
        for number in range(5):
            x = 8 * number
            pixels[4:30, x:x + 12] = random.integers(0, 256, (26, 12, 3))
            pixels[2, x] = number
            unit = coder.picture(pixels, [Change(Rect(0, 0, 48, 32))], key=number == 0)
            sys.stdout.buffer.write(bytes(unit))
    """
    environment = {**os.environ, "UNDOKU_PLAIN": ""}
    runs = [
        subprocess.run(
            [sys.executable, "-c", program],
            env={**environment, "UNDOKU_PLAIN": plain},
            capture_output=True,
            check=True,
        ).stdout
        for plain in ("", "1")
    ]
    assert len(runs[0]) > 2000
    assert runs[0] == runs[1]


def test_a_stream_holds_the_same_pictures(tmp_path: Path) -> None:
    shape = sink_context(WIDTH, HEIGHT, Fraction(4))
    whole = write(tmp_path / "film.mp4", shape, board_film(50, ticks=2))
    stream = io.BytesIO()
    sink = DirectStream(stream, shape)
    for frame in board_film(50, ticks=2):
        sink.write(frame)
    written = sink.finish()
    assert (written.frames, written.duration) == (whole.frames, whole.duration)
    assert written.bytes == len(stream.getvalue())
    assert stream.getvalue().count(b"moof") == 25
    (tmp_path / "stream.mp4").write_bytes(stream.getvalue())
    for decoder in DECODERS:
        assert np.array_equal(
            decode(tmp_path / "stream.mp4", shape, decoder), decode(whole.path, shape, decoder)
        )


@pytest.mark.parametrize(
    ("shape", "sentence"),
    [
        (sink_context(321, 180, Fraction(60)), "odd side"),
        (sink_context(320, 180, Fraction(60), "best"), "no quality 'best'"),
        (sink_context(16000, 16000, Fraction(60)), "more than any level of H.264 allows"),
    ],
)
def test_impossible_films_are_refused(tmp_path: Path, shape: SinkContext, sentence: str) -> None:
    with pytest.raises(SettingsError, match=sentence):
        DirectSink(Staging(tmp_path / "film.mp4"), shape)
    assert not list(tmp_path.iterdir())


def test_frames_of_another_size_and_films_without_frames_are_refused(tmp_path: Path) -> None:
    wrong = Frame(np.zeros((20, 20, 3), np.uint8), (Change(Rect(0, 0, 20, 20)),))
    with DirectSink(Staging(tmp_path / "film.mp4"), SHAPE) as sink:
        with pytest.raises(EncoderError, match="doesn't fit"):
            sink.write(wrong)
        with pytest.raises(EncoderError, match="would have no frame"):
            sink.finish()
    assert not list(tmp_path.iterdir())


def test_a_film_above_all_levels_is_refused_before_it_is_drawn() -> None:
    assert direct_refusal(SHAPE.settings) == ""
    assert "odd side" in direct_refusal(sink_context(321, 180, Fraction(60)).settings)
    assert "any level" in direct_refusal(sink_context(16000, 16000, Fraction(60)).settings)
    assert direct_refusal(replace(SHAPE.settings, width=1280, height=720, level="4.2")) == ""
    refused = direct_refusal(replace(SHAPE.settings, width=1280, height=720, level="3.1"))
    assert "needs level 4.0 of H.264, more than the 3.1 that was asked for" in refused


@pytest.mark.parametrize(
    ("size", "fps", "remedy"),
    [
        ((16000, 16000), 60, "take at most 5936x5936"),
        ((8192, 4320), 60, "take at most 8176x4310"),
        ((1280, 720), 10_000, "take at most 828x464 or fewer frames per second"),
        ((2, 2), 10**9, "take fewer frames per second"),
    ],
)
def test_a_number_out_of_range_is_refused_with_the_valid_ones(
    size: tuple[int, int], fps: int, remedy: str
) -> None:
    """The message has the requested size and the largest possible one of about the same
    proportions, which is indeed possible."""
    with pytest.raises(LevelError) as caught:
        coded_size(*size, Fraction(fps))
    assert str(caught.value).startswith(f"{size[0]}x{size[1]} at {fps:g} frames per second is more")
    assert caught.value.remedy == remedy
    if found := re.search(r"(\d+)x(\d+)", remedy):
        width, height = map(int, found.groups())
        coded_size(width, height, Fraction(fps))
        with pytest.raises(LevelError):
            coded_size(width + 16, height + 16, Fraction(fps))


@pytest.mark.parametrize(
    ("size", "fps", "number", "spare"),
    [
        ((1280, 720), 60, 42, 32),
        ((1920, 1080), 60, 51, 32),
        ((1080, 1920), 60, 51, 32),
        ((2560, 1440), 60, 52, 32),
        ((640, 360), 60, 31, 32),
        ((160, 160), 30, 31, 16),
        ((3840, 2160), 60, 52, 16),
        ((7680, 4320), 60, 61, 32),
        ((8192, 4304), 30, 60, 5),
    ],
)
def test_the_level_is_the_least_that_suffices(
    size: tuple[int, int], fps: int, number: int, spare: int
) -> None:
    """Figures of table A-1 for common sizes; the atlas shrinks where it would cost a level."""
    coded = coded_size(*size, Fraction(fps))
    assert (coded.columns, coded.height) == (-(-size[0] // 16), -(-size[1] // 16))
    assert coded.width - coded.columns == spare
    load = StreamLoad(coded.width, coded.height, Fraction(fps))
    assert level_for(load, size).number == number


@pytest.mark.parametrize(("most", "spare"), [(42, 8), (50, 24), (51, 32), (62, 32)])
def test_an_atlas_asks_for_no_level_above_the_highest_allowed(most: int, spare: int) -> None:
    coded = coded_size(1920, 1080, Fraction(60), most)
    assert coded.width - coded.columns == spare
    load = StreamLoad(coded.width, coded.height, Fraction(60))
    assert level_for(load, (1920, 1080), most).number <= most


def test_large_pictures_raise_the_level() -> None:
    """MinCR bounds a picture's bytes, MaxBR those of a second."""
    small = StreamLoad(88, 45, Fraction(60))
    assert level_for(small, (1280, 720)).number == 40
    assert level_for(replace(small, largest=500_000), (1280, 720)).number == 41
    assert level_for(replace(small, busiest=4_000_000), (1280, 720)).number == 41
    assert level_for(replace(small, busiest=10_000_000), (1280, 720)).number == 50


@given(content=st.binary(max_size=60).map(lambda b: bytes(byte & 3 for byte in b)))
def test_no_nal_unit_holds_a_start_code(content: bytes) -> None:
    """Emulation prevention: no three bytes are 0, 0, 0..2, and the payload is read unchanged."""
    page = np.frombuffer(content + b"\x80", np.uint8)
    unit = np.zeros(200, np.uint8)
    unit[0] = 0x41
    size = escape(page, len(page), unit, 1)
    text = Bits(unit[:size].tobytes()).text
    assert int(text, 2).to_bytes(len(page)) == page.tobytes()


def test_the_atlas_takes_all_the_room_that_the_level_of_the_picture_leaves() -> None:
    """256 x 135 macroblocks, 60 times a second, are the limit of level 5.2."""
    assert coded_size(3840, 2160, Fraction(60)) == CodedSize(240, 256, 135)
