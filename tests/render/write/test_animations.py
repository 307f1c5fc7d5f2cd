"""GIF, animated PNG and WebP hold every frame's pixels and times exactly, with any decoder."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import imageio_ffmpeg
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image

from tests.support.amounts import few, long
from tests.support.changed_films import (
    ABOUT,
    SINKS,
    Scribble,
    by_ffmpeg,
    by_pillow,
    scribble,
    write,
)
from tests.support.command import Undoku
from tests.support.films import RunFilm, run_films, sink_context
from tests.support.plain_loops import plain_and_compiled
from tests.support.puzzles import EASY, MEDIUM
from undoku import search
from undoku.errors import OutputError, SettingsError
from undoku.render.delivery.filmstrip import filmstrip
from undoku.render.delivery.fit import limits_for, write_fitted
from undoku.render.delivery.write import write_film, write_frames, write_still
from undoku.render.draw.canvas import Canvas, Pixels, Rect
from undoku.render.film.film import Film
from undoku.render.settings.settings import settings_of
from undoku.render.write.file_info import about_of
from undoku.render.write.film_reader import read_frames
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
        write(path, scribble(21, 60, 40, 8, colours=300, fills=12))
        sys.stdout.buffer.write(path.read_bytes())
    """)
    assert plain == compiled and len(plain) > 100


# Transparent films, composited over backgrounds and compared with films drawn on these.


BLUE, YELLOW = "#3070a0", "#f0e040"
BACKGROUNDS = {BLUE: (0x30, 0x70, 0xA0), YELLOW: (0xF0, 0xE0, 0x40)}
"""Two that no theme has, and that differ in every colour."""

ROUNDING = 2
"""Of 255: three pictures are rounded, alpha and colour are."""


def film_on(background: str, **settings: Any) -> Film:
    """A short story of two searches on a background."""
    chosen = {"size": "320x240", "fps": 5, "duration": 7, "pace": "story", **settings}
    traces = [search(MEDIUM.grid, strategy) for strategy in ("row-major", "mrv")]
    return Film(traces, settings_of({**chosen, "background": background}))


def composed(picture: Pixels, background: tuple[int, int, int]) -> Pixels:
    """A picture with alpha laid over a background, as an editor does it."""
    share = picture[..., 3:].astype(np.float64) / 255
    mixed = picture[..., :3] * share + np.array(background) * (1 - share)
    return np.rint(mixed).astype(np.uint8)


def far(first: Pixels, second: Pixels) -> int:
    return int(np.abs(first.astype(np.int16) - second).max())


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        (YELLOW, {}),
        long(BLUE, {"theme": "light", "heat": "overlay", "pace": "even", "duration": 4}),
        (BLUE, {"size": "240x400", "theme": "paper", "panels": "board,counters,depth,tree,heat",
                "pace": "even", "duration": 3}),
    ],
    ids=["story", "overlay", "all panels"],
)  # fmt: skip
def test_on_any_background_it_is_the_film_that_is_drawn_there(
    name: str, settings: dict[str, Any]
) -> None:
    """Callouts, rules, moves of boards, ghosts and cards show no trace of another background. Clear
    pixels are black, and opaque ones exact."""
    clear = list(film_on("none", **settings).pictures())
    opaque = film_on(name, **settings).pictures()
    for number, (one, other) in enumerate(zip(clear, opaque, strict=True)):
        assert one.seconds == other.seconds
        difference = far(composed(one.pixels, BACKGROUNDS[name]), other.pixels)
        assert difference <= ROUNDING, f"picture {number}"
        assert not one.pixels[one.pixels[..., 3] == 0].any()
        solid = one.pixels[..., 3] == 255
        assert solid.any() and (one.pixels[solid][:, :3] == other.pixels[solid]).all()
    alphas = np.unique([one.pixels[..., 3] for one in clear])
    assert {0, 255} < set(alphas.tolist()), "letters have edges between clear and opaque"


@pytest.mark.parametrize("name", ["film.apng", "film.webp"])
def test_lossless_formats_hold_every_pixel_and_its_alpha(tmp_path: Path, name: str) -> None:
    film, path = film_on("none", duration=2), tmp_path / name
    write_film(film, [path])
    shown = [one.pixels for one in film.pictures()]
    shown = [one for at, one in enumerate(shown) if not at or (one != shown[at - 1]).any()]
    found = [picture.pixels for picture in read_frames(path)]
    assert len(found) == len(shown)
    assert all((one == other).all() for one, other in zip(found, shown, strict=True))


def test_numbered_pictures_and_single_ones_have_alpha(tmp_path: Path) -> None:
    film = film_on("none", duration=1)
    write_film(film, [tmp_path / "frames" / "%04d.png"])
    files = sorted((tmp_path / "frames").glob("*.png"))
    assert len(files) == film.timeline.frames
    first = next(film.pictures()).pixels
    with Image.open(files[0]) as picture:
        assert picture.mode == "RGBA"
        assert (np.asarray(picture) == first).all()
    write_still(film, 20, [tmp_path / "still.png"])
    with Image.open(tmp_path / "still.png") as picture:
        assert picture.mode == "RGBA"
        assert np.asarray(picture)[..., 3].min() == 0


def test_a_filmstrip_has_a_transparent_background_too() -> None:
    clear, _ = filmstrip(film_on("none", size="640x360"), 4)
    opaque, _ = filmstrip(film_on(YELLOW, size="640x360"), 4)
    assert far(composed(clear.pixels, BACKGROUNDS[YELLOW]), opaque.pixels) <= ROUNDING


def with_alpha(path: Path, *decoder: str) -> Iterator[Pixels]:
    """Every frame of a 320x240 film, RGBA, as ffmpeg's decoder shows it."""
    flags = "accurate_rnd+full_chroma_int+bitexact"
    command = [
        imageio_ffmpeg.get_ffmpeg_exe(),
        *("-v", "error", *decoder, "-i", f"file:{path}"),
        *("-vf", f"scale=in_color_matrix=bt709:flags={flags}"),
        *("-f", "rawvideo", "-pix_fmt", "rgba", "-"),
    ]
    raw = subprocess.run(command, capture_output=True, check=True).stdout
    yield from np.frombuffer(raw, np.uint8).reshape(-1, 240, 320, 4)


@pytest.mark.parametrize(
    ("name", "decoder", "mean", "most", "clear"),
    [
        # ProRes: alpha is lossless, colours are off by a rounding to 10 bits.
        ("film.prores.mov", (), 0.6, 14, 0),
        ("film.mov", (), ROUNDING, ROUNDING, ROUNDING),
        # VP9 halves chroma, so that coloured pixels are off by much; grey edges are not.
        ("film.webm", ("-c:v", "libvpx-vp9"), 2.0, 180, 14),
    ],
)
def test_videos_leave_no_fringe(
    tmp_path: Path, name: str, decoder: tuple[str, ...], mean: float, most: int, clear: int
) -> None:
    """On two backgrounds, decoded, they are the opaque film's pixels: on average `mean` of 255 off
    where letters end, nowhere more than `most`, and `clear` where there is nothing."""
    film, path = film_on("none", duration=2), tmp_path / name
    written = write_film(film, [path]).outputs[0]
    found = list(with_alpha(path, *decoder))
    assert len(found) == written.frames == film.timeline.frames
    shown = [one.pixels for one in film.pictures() for _ in range(round(one.seconds * 5))]
    for setting, background in BACKGROUNDS.items():
        opaque = film_on(setting, duration=2).pictures()
        drawn = [one.pixels for one in opaque for _ in range(round(one.seconds * 5))]
        off = [
            np.abs(composed(one, background).astype(np.int16) - other)
            for one, other in zip(found, drawn, strict=True)
        ]
        edges = [(one[..., 3] > 0) & (one[..., 3] < 255) for one in shown]
        at_edges = [one[edge].mean() for one, edge in zip(off, edges, strict=True) if edge.any()]
        assert np.mean(at_edges) <= mean
        assert max(one.max() for one in off) <= most
        nothing = [one[picture[..., 3] == 0].max() for one, picture in zip(off, shown, strict=True)]
        assert max(nothing) <= clear


@pytest.mark.parametrize(
    ("name", "named"),
    [
        ("film.mov", ["qtrle", "argb"]),
        ("film.prores.mov", ["prores (4444)", "ap4h / ", "bt709"]),
    ],
)
def test_a_mov_has_the_codec_of_its_suffix_and_metadata(
    tmp_path: Path, undoku: Undoku, name: str, named: list[str]
) -> None:
    path = tmp_path / name
    write_film(film_on("none", duration=1), [path])
    done = subprocess.run(
        [imageio_ffmpeg.get_ffmpeg_exe(), "-hide_banner", "-i", str(path)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert all(one in done.stderr for one in named), done.stderr
    again = undoku("info", str(path), cwd=tmp_path)
    assert "strategies  row-major, mrv" in again.stdout


def test_formats_without_alpha_are_refused_in_one_sentence(tmp_path: Path) -> None:
    film = film_on("none", duration=1)
    for suffix in ("mp4", "gif", "444.mp4", "svg", "pdf"):
        with pytest.raises(SettingsError, match="can't store a transparent film"):
            write_film(film, [tmp_path / "good.webp", tmp_path / f"film.{suffix}"])
        assert not list(tmp_path.iterdir())


def test_the_command_refuses_before_it_searches(tmp_path: Path, undoku: Undoku) -> None:
    asked = ("render", EASY.grid, "--background", "none", "-o", "film.mp4")
    done = undoku(*asked, cwd=tmp_path)
    assert done.returncode == 2
    assert not list(tmp_path.iterdir())
    assert done.stderr.count("\n") == 1
    assert "MP4 can't store a transparent film" in done.stderr
    assert ".webm" in done.stderr


@pytest.mark.parametrize("other", [{"colours": 31}, {"flash_safe": True}])
def test_options_that_depend_on_the_background_are_refused(other: dict[str, Any]) -> None:
    with pytest.raises(SettingsError, match="transparent film can't be combined"):
        settings_of({"background": "none", **other})


def test_a_film_without_background_can_be_fitted(tmp_path: Path) -> None:
    """A limit is met by other means than fewer colours."""
    path = tmp_path / "film.webp"
    film = film_on("none", duration=2)
    fitted = write_fitted(film, path, limits_for(path, 60_000, None))
    assert path.stat().st_size <= 60_000
    assert not fitted.settings.colours


def test_a_mov_of_a_film_with_a_background_is_opaque_and_exact(tmp_path: Path) -> None:
    film = film_on("", duration=1)
    write_film(film, [tmp_path / "film.mov", tmp_path / "film.prores.mov"])
    shown = next(film.pictures()).pixels
    found = list(with_alpha(tmp_path / "film.mov"))
    assert all((one[..., 3] == 255).all() for one in found)
    assert (found[0][..., :3] == shown).all()
    # ProRes transforms blocks: at the edges of small coloured letters some pixels are off by more.
    found = list(with_alpha(tmp_path / "film.prores.mov"))
    error = np.abs(found[0][..., :3].astype(np.int16) - shown)
    assert error.max() <= 30
    assert (error.max(axis=2) > 10).mean() < 0.001
    assert error.mean() < 1
