"""A GIF holds every frame's pixels and times exactly, with any decoder."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from tests.support.changed_films import ABOUT, by_ffmpeg, by_pillow, scribble, write
from tests.support.sink_contexts import sink_context
from undoku.render.draw.canvas import Canvas, Rect
from undoku.render.write.file_info import about_of
from undoku.render.write.gif import GifSink
from undoku.render.write.staging import Staging


def test_large_noisy_pictures_survive_a_full_dictionary(tmp_path: Path) -> None:
    random = np.random.default_rng(5)
    palette = random.integers(0, 256, (254, 3), np.uint8)
    canvas = Canvas(300, 200)
    path = tmp_path / "noise.gif"
    pictures = []
    with GifSink(Staging(path), sink_context(300, 200, Fraction(25))) as sink:
        for number in range(4):
            picture = palette[random.integers(0, (254, 30)[number % 2], (200, 300))]
            picture[50:90] = 0
            canvas.put(picture, 0, 0)
            pictures.append(picture)
            sink.write(canvas.frame())
        sink.finish()
    for wanted, (read, _), other in zip(
        pictures, by_pillow(path), by_ffmpeg(path, 300, 200)[0], strict=True
    ):
        assert np.array_equal(wanted, read)
        assert np.array_equal(wanted, other)


def test_sixty_frames_a_second_become_fifty_that_show_the_frame_of_their_time(
    tmp_path: Path,
) -> None:
    canvas = Canvas(60, 4)
    path = tmp_path / "film.gif"
    with GifSink(Staging(path), sink_context(60, 4, Fraction(60))) as sink:
        for number in range(60):
            canvas.fill(Rect(number, 0, 1, 4), (255, 0, 0))
            sink.write(canvas.frame())
        written = sink.finish()
    decoded = by_pillow(path)
    assert written.fps == 50
    assert written.frames == len(decoded) == 50
    assert {delay for _, delay in decoded} == {20}
    for slot, (picture, _) in enumerate(decoded):
        shown = int((picture[0, :, 0] > 0).sum()) - 1
        assert shown / 60 <= (slot + 0.5) / 50 < (shown + 1) / 60
    assert (decoded[-1][0][..., 0] == 255).all()


@pytest.mark.parametrize("ticks", [1, 2, 3, 4, 5, 601])
def test_the_last_frame_is_shown_even_when_it_is_shorter_than_a_slot(
    tmp_path: Path, ticks: int
) -> None:
    canvas = Canvas(3, 3)
    path = tmp_path / "film.gif"
    film = sink_context(3, 3, Fraction(240))
    with GifSink(Staging(path), film) as sink:
        canvas.fill(Rect(0, 0, 3, 3), (9, 9, 9))
        sink.write(canvas.frame(ticks))
        canvas.fill(Rect(1, 1, 1, 1), (90, 200, 9))
        sink.write(canvas.frame())
        written = sink.finish()
    decoded = by_pillow(path)
    assert np.array_equal(decoded[-1][0], canvas.pixels)
    assert min(delay for _, delay in decoded) >= 20
    assert abs(written.duration - Fraction(ticks + 1, 240)) <= Fraction(2, 100)


def test_a_frame_that_changes_nothing_makes_the_previous_one_longer(tmp_path: Path) -> None:
    canvas = Canvas(5, 5)
    path = tmp_path / "film.gif"
    with GifSink(Staging(path), sink_context(5, 5, Fraction(25))) as sink:
        for colour in (7, 7, 7, 8, 8):
            canvas.fill(Rect(0, 0, 5, 5), (colour, colour, colour))
            sink.write(canvas.frame())
        written = sink.finish()
    assert [delay for _, delay in by_pillow(path)] == [120, 80]
    assert (written.frames, written.duration) == (2, Fraction(1, 5))


def test_main_colours_are_exact_however_many_others_come_before_them(tmp_path: Path) -> None:
    canvas = Canvas(300, 2)
    for x in range(300):
        canvas.fill(Rect(x, 0, 1, 2), (x % 256, 100 + x // 256, 7))
    main = (0x0A2B4C, 0xFE0102)
    shape = sink_context(300, 2, Fraction(10), main_colours=lambda: main)
    with GifSink(Staging(tmp_path / "a.gif"), shape) as sink:
        sink.write(canvas.frame())
        canvas.fill(Rect(0, 0, 150, 2), (0x0A, 0x2B, 0x4C))
        canvas.fill(Rect(150, 0, 150, 2), (0xFE, 0x01, 0x02))
        sink.write(canvas.frame())
        sink.finish()
    (first, _), (last, _) = by_pillow(tmp_path / "a.gif")
    assert np.array_equal(last, canvas.pixels)
    assert len(np.unique(first.reshape(-1, 3), axis=0)) == 253


def test_more_than_255_colours_are_shown_as_the_nearest_always_the_same(tmp_path: Path) -> None:
    """A grey ramp fills the palette; each red is then shown as the same grey in every frame."""
    canvas = Canvas(256, 3)
    path = tmp_path / "film.gif"
    with GifSink(Staging(path), sink_context(256, 3, Fraction(25))) as sink:
        canvas.put(np.arange(256, dtype=np.uint8)[None, :, None].repeat(3, 0).repeat(3, 2), 0, 0)
        sink.write(canvas.frame())
        for number in range(6):
            canvas.fill(Rect(0, 1, 256, 1), (number % 2 * 100 + 50, 60, 70))
            sink.write(canvas.frame())
        sink.finish()
    pictures = [picture for picture, _ in by_pillow(path)]
    assert np.array_equal(pictures[0][:, :255], canvas.pixels[:1, :255].repeat(3, 0))
    assert pictures[0][0, 255].tolist() == [254, 254, 254]
    seen = {tuple(picture[1, 9].tolist()) for picture in pictures[1::2]}
    others = {tuple(picture[1, 9].tolist()) for picture in pictures[2::2]}
    assert seen == {(61, 61, 61)}
    assert others == {(83, 83, 83)}


@pytest.mark.parametrize("colours", [3, 120, 250])
def test_a_comment_says_what_the_film_is_about(tmp_path: Path, colours: int) -> None:
    """It is stored in the unused entries of a small palette, or at the end."""
    path = tmp_path / "film.gif"
    write(path, scribble(1, 90, 90, 300, colours=colours))
    assert about_of(path) == dict(ABOUT)


def test_the_same_film_gives_the_same_bytes(tmp_path: Path) -> None:
    path = tmp_path / "film.gif"
    write(path, scribble(11, 160, 90, 50, colours=60))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert digest.startswith("e57b041c721f")


PLAIN = """
import sys
from fractions import Fraction
from pathlib import Path
from tests.render.write.test_animations import ABOUT, write
from tests.support.changed_films import scribble, write

write(Path(sys.argv[1]), scribble(21, 90, 50, 12, colours=300, fills=12))
"""


def test_compiled_and_plain_loops_write_the_same_bytes(tmp_path: Path) -> None:
    files = []
    for name, plain in (("compiled", ""), ("plain", "1")):
        files.append(tmp_path / f"{name}.gif")
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "UNDOKU_PLAIN": plain}
        command = [sys.executable, "-W", "error", "-c", PLAIN, str(files[-1])]
        subprocess.run(command, env=environment, check=True)
    assert files[0].read_bytes() == files[1].read_bytes()
