"""GIF, animated PNG and WebP hold every frame's pixels and times exactly, with any decoder."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image

from tests.support.amounts import few
from tests.support.changed_films import (
    ABOUT,
    SINKS,
    Scribble,
    by_ffmpeg,
    by_pillow,
    scribble,
    write,
)
from tests.support.films import RunFilm, run_films, sink_context
from tests.support.plain_loops import plain_and_compiled
from undoku.errors import OutputError
from undoku.render.delivery.write import write_frames
from undoku.render.draw.canvas import Canvas, Rect
from undoku.render.write.file_info import about_of
from undoku.render.write.gif import GifSink
from undoku.render.write.sink import Written
from undoku.render.write.staging import Staging
from undoku.temporary_files import Owner, leftovers

every_format = pytest.mark.parametrize("suffix", SINKS)


def expected(film: Scribble) -> list[tuple[NDArray[np.uint8], Fraction]]:
    """(picture, seconds until it ends), equal neighbours joined."""
    found: list[tuple[NDArray[np.uint8], Fraction]] = []
    ticks = 0
    for picture, (_, stands) in zip(film.pictures(), film.frames, strict=True):
        ticks += stands
        if found and np.array_equal(found[-1][0], picture):
            found.pop()
        found.append((picture, ticks / film.fps))
    return found


def check(path: Path, film: Scribble, written: Written) -> None:
    """A GIF has hundredths of a second; of the other delays Pillow rounds each."""
    wanted, decoded = expected(film), by_pillow(path)
    assert written.frames == len(wanted) == len(decoded)
    step, off = (10, 5.0) if path.suffix == ".gif" else (1, 1 + len(wanted) / 2)
    assert abs(written.duration - film.duration) <= Fraction(step, 1000)
    assert written.bytes == path.stat().st_size
    at = 0.0
    for (picture, end), (read, milliseconds) in zip(wanted, decoded, strict=True):
        assert np.array_equal(picture, read)
        at += milliseconds
        assert abs(at - end * 1000) <= off


@every_format
@given(
    seed=st.integers(0, 1 << 32),
    width=st.integers(1, 60),
    height=st.integers(1, 60),
    frames=st.integers(1, 12),
    fps=st.sampled_from([Fraction(1, 2), Fraction(24000, 1001), *map(Fraction, (7, 25, 33, 60))]),
    colours=st.sampled_from([1, 20, 250, 254, 255, 256, 1000]),
    longest=st.integers(1, 60),
)
def test_every_picture_and_delay_of_any_film_is_decoded_as_drawn(
    tmp_path_factory: pytest.TempPathFactory,
    suffix: str,
    seed: int,
    width: int,
    height: int,
    frames: int,
    fps: Fraction,
    colours: int,
    longest: int,
) -> None:
    path = tmp_path_factory.mktemp("film") / f"film{suffix}"
    if suffix == ".gif":  # black is one colour more: the canvas before the first fill
        fps, colours = min(fps, Fraction(50)), min(colours, 254)
    film = scribble(
        seed, width, height, frames, fps=fps, colours=colours, longest=longest, fills=40
    )
    check(path, film, write(path, film))


@pytest.mark.parametrize(
    ("suffix", "colours", "fills", "side"),
    [
        (".gif", 200, 30, 40),
        (".gif", 250, 12_000, 1),  # noise, of more codes than fit into a dictionary
        *((suffix, colours, 30, 40) for suffix in (".apng", ".webp") for colours in (60, 1500)),
    ],
)
def test_ffmpeg_decodes_the_same_pictures_at_the_same_times(
    tmp_path: Path, suffix: str, colours: int, fills: int, side: int
) -> None:
    film = scribble(
        8, 203, 117, 1800 // fills + 3, fps=Fraction(30), colours=colours, longest=3, fills=fills,
        side=side,
    )  # fmt: skip
    path = tmp_path / f"film{suffix}"
    check(path, film, write(path, film))
    wanted = expected(film)
    starts = [0.0, *(float(end) for _, end in wanted)][:-1]
    pictures, seconds = by_ffmpeg(path, film.width, film.height)
    assert seconds == pytest.approx(starts, abs=0.0051 if suffix == ".gif" else 0.001)
    for (picture, _), read in zip(wanted, pictures, strict=True):
        assert np.array_equal(picture, read)


@every_format
@few(6)
@given(film=run_films())
def test_a_film_of_runs_is_the_same_file_as_one_of_frames(
    tmp_path_factory: pytest.TempPathFactory, suffix: str, film: RunFilm
) -> None:
    """Also where a format has no time for all frames: at 60 a second a GIF leaves some out."""
    folder = tmp_path_factory.mktemp("runs")
    context = sink_context(film.width, film.height, Fraction(60) if film.seed % 2 else Fraction(25))
    for whole in (True, False):
        with SINKS[suffix](Staging(folder / f"{whole}"), context) as sink:
            write_frames(film.play(whole=whole), sink, None, 0)
            sink.finish()
    assert (folder / "True").read_bytes() == (folder / "False").read_bytes()


def test_a_picture_that_brings_the_256th_colour_turns_the_film_to_true_colour(
    tmp_path: Path,
) -> None:
    fills = [(((Rect(at, 0, 1, 2), (at, 255 - at, 7)),), 1) for at in range(256)]
    film, path = Scribble(256, 2, Fraction(10), tuple(fills)), tmp_path / "film.apng"
    check(path, film, write(path, film))
    with Image.open(path) as file:
        assert file.mode == "RGBA"
    context = sink_context(film.width, film.height, Fraction(10))
    with SINKS[".apng"](Staging(path, overwrite=True), context) as sink:
        for frame in film:
            sink.write(frame)
        assert [one.owner for one in leftovers(tmp_path)] == [Owner.ALIVE]


@pytest.mark.parametrize(
    ("suffix", "fps", "stored"),
    [(".gif", 60, Fraction(50)), *((s, 240, Fraction(1000, 11)) for s in (".apng", ".webp"))],
)
def test_of_more_frames_than_a_format_shows_those_of_the_time_are_stored(
    tmp_path: Path, suffix: str, fps: int, stored: Fraction
) -> None:
    """Browsers slow down APNG and WebP of more than about ninety frames a second."""
    fills = [(((Rect(at, 0, 1, 4), (255, 0, 0)),), 1) for at in range(fps)]
    film, path = Scribble(fps, 4, Fraction(fps), tuple(fills)), tmp_path / f"film{suffix}"
    written = write(path, film)
    decoded = by_pillow(path)
    assert (written.fps, written.frames) == (stored, len(decoded))
    assert abs(written.duration - 1) <= Fraction(6, 1000)
    assert {delay for _, delay in decoded} == {1000 // stored}
    for slot, (picture, _) in enumerate(decoded[:-1]):
        shown = int((picture[0, :, 0] > 0).sum()) - 1
        assert shown / fps <= (slot + 0.5) / stored < (shown + 1) / fps
    assert (decoded[-1][0][..., 0] == 255).all()


@pytest.mark.parametrize(
    ("suffix", "hold"),
    [(".apng", 5 * 3600), (".webp", 5 * 3600), *((".gif", hold / 100) for hold in
     (65535, 65536, 65537, 65538, 131071, 200000))],
)  # fmt: skip
def test_a_hold_longer_than_the_format_allows_is_split(
    tmp_path: Path, suffix: str, hold: float
) -> None:
    ticks = int(hold * 50)
    fills = (((Rect(0, 0, 6, 5), (1, 2, 3)),), 2), (((Rect(2, 1, 2, 2), (250, 2, 3)),), ticks)
    film = Scribble(6, 5, Fraction(50), fills)
    path = tmp_path / f"film{suffix}"
    written = write(path, film)
    (_, first), *rest = by_pillow(path)
    assert written.frames == 1 + len(rest)
    assert abs(written.duration - film.duration) <= Fraction(1, 1000)
    assert first + sum(delay for _, delay in rest) == pytest.approx(float(film.duration * 1000))
    assert len(rest) > 1 or hold <= 655.35
    assert min(delay for _, delay in rest) >= 20
    for picture, _ in rest:
        assert np.array_equal(picture, film.pictures()[-1])


@every_format
@pytest.mark.parametrize(
    ("plays", "loop", "colours"), [(0, 0, 3), (0, 0, 120), (1, None, 250), (3, 2, 40)]
)
def test_the_file_says_what_it_is_about_and_how_often_it_plays(
    tmp_path: Path, suffix: str, plays: int, loop: int | None, colours: int
) -> None:
    """A GIF counts repetitions after the first run, and stores what it is about in the unused
    entries of a small palette, or at the end."""
    path = tmp_path / f"film{suffix}"
    write(path, scribble(1, 90, 90, 60, colours=colours, fills=12), plays)
    assert about_of(path) == dict(ABOUT)
    with Image.open(path) as file:
        assert file.info.get("loop") == (loop if suffix == ".gif" else plays)


@pytest.mark.parametrize(("suffix", "width"), [(".gif", 65536), (".webp", 16384)])
def test_a_picture_too_large_for_the_format_is_refused(
    tmp_path: Path, suffix: str, width: int
) -> None:
    with pytest.raises(OutputError, match=f"{width}×9"):
        SINKS[suffix](Staging(tmp_path / "film"), sink_context(width, 9, Fraction(25)))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("ticks", [1, 2, 3, 4, 5, 601])
def test_the_last_frame_is_shown_even_when_it_is_shorter_than_a_slot(
    tmp_path: Path, ticks: int
) -> None:
    fills = (((Rect(0, 0, 3, 3), (9, 9, 9)),), ticks), (((Rect(1, 1, 1, 1), (90, 200, 9)),), 1)
    film, path = Scribble(3, 3, Fraction(240), fills), tmp_path / "film.gif"
    written = write(path, film)
    decoded = by_pillow(path)
    assert np.array_equal(decoded[-1][0], film.pictures()[-1])
    assert min(delay for _, delay in decoded) >= 20
    assert abs(written.duration - film.duration) <= Fraction(2, 100)


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


def test_compiled_and_plain_loops_write_the_same_bytes(tmp_path: Path) -> None:
    plain, compiled = plain_and_compiled(f"""
        import sys
        from pathlib import Path
        from tests.support.changed_films import scribble, write
        path = Path({str(tmp_path / "film.gif")!r})
        write(path, scribble(21, 90, 50, 12, colours=300, fills=12))
        sys.stdout.buffer.write(path.read_bytes())
    """)
    assert plain == compiled and len(plain) > 100
