"""Transparent films, composited over backgrounds and compared with films drawn on these."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import imageio_ffmpeg
import numpy as np
import pytest
from PIL import Image

from tests.support.command import Undoku
from tests.support.puzzles import EASY, MEDIUM
from undoku import search
from undoku.errors import SettingsError
from undoku.render.delivery.filmstrip import filmstrip
from undoku.render.delivery.fit import limits_for, write_fitted
from undoku.render.delivery.write import write_film, write_still
from undoku.render.draw.canvas import Pixels
from undoku.render.film.film import Film
from undoku.render.settings.settings import settings_of
from undoku.render.write.film_reader import read_frames

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
        (BLUE, {"theme": "light", "heat": "overlay", "pace": "even", "duration": 4}),
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
    film = film_on("none", duration=4)
    fitted = write_fitted(film, path, limits_for(path, 150_000, None))
    assert path.stat().st_size <= 150_000
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
