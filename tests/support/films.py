"""Films of searches, as many tests need them."""

from __future__ import annotations

import math
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from tests.support.puzzles import MEDIUM
from undoku import Limits, Puzzle, search
from undoku.player.html_page import film_page
from undoku.render.draw.canvas import Canvas, Change, Frame, Pixels, Rect, Sprite
from undoku.render.draw.sprite_run import Sheet, SpriteRun
from undoku.render.film.acts import Act
from undoku.render.film.film import Film
from undoku.render.layout.page import Layout
from undoku.render.settings.fields import SettingFields
from undoku.render.settings.settings import FilmSettings, settings_of
from undoku.render.timeline.beats import Beat, BeatKind
from undoku.render.write.ffmpeg import executable
from undoku.render.write.further_tracks import NO_TRACKS, FurtherTracks
from undoku.render.write.sink import DIRECT, X264, SinkContext


def make_film(
    *strategies: str,
    puzzle: Puzzle | str = MEDIUM.grid,
    limits: Limits | None = None,
    **settings: Any,
) -> Film:
    """The film of `puzzle` searched by each of `strategies` within `limits`; `settings` are fields
    of FilmSettings."""
    traces = [search(puzzle, strategy, limits or Limits()) for strategy in strategies]
    return Film(traces, FilmSettings(**settings))


def film_of(
    *strategies: str,
    puzzle: Puzzle | str = MEDIUM.grid,
    limits: Limits | None = None,
    **options: object,
) -> Film:
    """Like `make_film`, with options as they are given to `undoku.compare`."""
    traces = [search(puzzle, strategy, limits or Limits()) for strategy in strategies]
    return Film(traces, settings_of(options))


def picture_at(film: Film, frame: int) -> Pixels:
    """The picture that the film, drawn from its beginning, shows on a frame."""
    frames, ends = film.frames(), 0
    while ends <= frame:
        shown = next(frames)
        ends += shown.ticks
    return shown.pixels


def act_at(film: Film, frame: int) -> Act:
    """The act of a frame."""
    return [act for act in film.acts if act.start <= frame][-1]


def beat_of(film: Film, kind: BeatKind) -> Beat:
    """The first beat of a kind, which the film has."""
    return next(beat for beat in film.timeline.beats if beat.kind is kind)


def assert_apart(layout: Layout) -> None:
    """No two regions overlap, and none extends into the margins."""
    regions = layout.regions()
    assert not any(one.overlaps(other) for one, other in combinations(regions, 2))
    assert all(layout.safe.contains(region) for region in regions)


# Small films that look like the real ones: boards with digits that come and go.


WIDTH, HEIGHT, CELL = 320, 180, 16


@lru_cache
def sprite(value: int, tint: int) -> Sprite:
    picture = Image.new("RGB", (CELL, CELL), (26 + tint, 30 + tint // 2, 40))
    if value:
        ImageDraw.Draw(picture).text((5, 2), str(value), fill=(240, 240, 250))
    return Sprite(value * 256 + tint, np.asarray(picture).copy())


def board_film(
    frames: int, *, size: tuple[int, int] = (WIDTH, HEIGHT), ticks: int = 1, seed: int = 3
) -> Iterator[Frame]:
    """Two 9 x 9 boards where each frame places or removes a digit on both, after a first frame
    that is drawn whole. Each frame stands for `ticks`."""
    random = np.random.default_rng(seed)
    canvas = Canvas(*size)
    canvas.fill(Rect(0, 0, *size), (18, 20, 28))
    for number in range(frames):
        for left in (8, size[0] - 9 * CELL - 8):
            cell, value, tint = random.integers(0, (81, 10, 3))
            x, y = left + CELL * int(cell % 9), 16 + CELL * int(cell // 9)
            canvas.blit(sprite(int(value), 80 * int(tint)), x, y)
        canvas.fill(Rect(number % size[0], size[1] - 9, 1, 5), (90, 160, 240))
        yield canvas.frame(ticks)


def pictures(frames: Iterator[Frame]) -> list[Pixels]:
    """Copies of the pictures, each as often as it has ticks."""
    return [pixels for frame in frames for pixels in [frame.pixels.copy()] * frame.ticks]


def decode(path: Path, pixel_format: str, frame_bytes: int) -> NDArray[np.uint8]:
    """(frames, frame_bytes) uint8: the stored frames, no more and no fewer, decoded by ffmpeg."""
    command = [executable(), "-v", "error", "-i", f"file:{path}", "-fps_mode", "passthrough"]
    command += ["-f", "rawvideo", "-pix_fmt", pixel_format, "-"]
    decoded = subprocess.run(command, check=True, capture_output=True).stdout
    return np.frombuffer(decoded, np.uint8).reshape(-1, frame_bytes)


def psnr(found: NDArray[np.uint8], right: NDArray[np.uint8]) -> float:
    """Peak signal-to-noise ratio in dB over all samples."""
    error = float(np.mean((found.astype(np.float32) - right.astype(np.float32)) ** 2))
    return 10 * math.log10(255**2 / max(error, 1e-9))


# The film, made and opened in pages of the player for tests.


def made(puzzle: Puzzle, *strategies: str, limits: Limits | None = None, **given: Any) -> Film:
    """A film of searches with these strategies and settings."""
    return Film([search(puzzle, one, limits or Limits()) for one in strategies], settings_of(given))


def puzzle_of(grid: str) -> Puzzle:
    """A standard puzzle of digits, 0 for empty cells."""
    return Puzzle(tuple(map(int, grid)))


def saved(film: Film, folder: Path, name: str = "page.html") -> str:
    """The address of a film's page in a folder."""
    (folder / name).write_text(film_page(film), encoding="utf-8")
    return (folder / name).as_uri()


# The context of a sink for frames that no film drew.


def sink_context(
    width: int,
    height: int,
    fps: Fraction,
    quality: str = "standard",
    about: tuple[tuple[str, str], ...] = (),
    *,
    direct: bool = False,
    main_colours: Callable[[], tuple[int, ...]] = tuple,
    tracks: FurtherTracks = NO_TRACKS,
    **settings: Any,
) -> SinkContext:
    """The context of frames of `width` × `height` pixels, with further settings, which may also be
    some that no film can have."""
    fields = SettingFields(width=width, height=height, fps=fps, quality=quality, **settings)
    encoder = DIRECT if direct else X264
    return SinkContext(fields, about, encoder, main_colours, tracks)


# Films of runs with frames between them, for what takes either.


_SIZES = ((48, 48), (32, 32), (16, 27), (48, 32), (16, 16), (1, 4), (7, 5), (64, 48), (33, 20))

_LOUD = ((0, 0, 0), (255, 255, 255), (255, 0, 0), (90, 0, 0))
"""The colours of films that flash."""


@dataclass(frozen=True)
class RunFilm:
    """A film of a random size, in parts: runs, and frames drawn otherwise. `few` colours make
    pictures alike; a step of `grid` pixels is from place to place."""

    width: int
    height: int
    grid: int
    few: bool
    flash: bool
    parts: tuple[tuple[str, int], ...]
    seed: int

    def play(self, *, whole: bool) -> Iterator[Frame | SpriteRun]:
        """Its parts, runs as such when `whole`, else as the frames they hold. The next part is
        made when it is asked for: the one before must have been played."""
        random = np.random.default_rng(self.seed)
        canvas = np.full((self.height, self.width, 3), 18, np.uint8)
        sheet = Sheet()
        yield Frame(canvas, (Change(Rect(0, 0, self.width, self.height)),), 2)
        for what, length in self.parts:
            if what == "frames":
                for _ in range(length):
                    yield self._drawn(canvas, random)
                continue
            run = self._run(canvas, sheet, length, random, fresh=what == "fresh")
            if whole:
                yield run
            else:
                yield from run.frames()

    def _picture(self, random: np.random.Generator) -> Pixels:
        size = _SIZES[random.integers(len(_SIZES))]
        width, height = min(size[0], self.width), min(size[1], self.height)
        shade = random.integers(0, 256, (height, width, 3), np.uint8)
        return shade // 100 * 100 if self.few else shade

    def _drawn(self, canvas: Pixels, random: np.random.Generator) -> Frame:
        changes = []
        for _ in range(random.integers(0, 3)):
            picture = self._picture(random)
            height, width, _ = picture.shape
            x, y = self._place(width, height, random)
            canvas[y : y + height, x : x + width] = picture
            changes.append(Change(Rect(x, y, width, height), int(random.integers(-1, 3))))
        return Frame(canvas, tuple(changes), int(random.integers(1, 4)))

    def _place(self, width: int, height: int, random: np.random.Generator) -> tuple[int, int]:
        x = random.integers(0, self.width - width + 1) // self.grid * self.grid
        y = random.integers(0, self.height - height + 1) // self.grid * self.grid
        return int(x), int(y)

    def _run(
        self, canvas: Pixels, sheet: Sheet, length: int, random: np.random.Generator, *, fresh: bool
    ) -> SpriteRun:
        if fresh:
            sheet.clear()
        sheet.drop()
        if self.flash and not sheet.kept:
            for colour in _LOUD:
                sheet.add([np.tile(np.array(colour, np.uint8), (self.height, self.width, 1))])
            sheet.keep()
        if random.random() < 0.7:
            for _ in range(random.integers(0, 6)):
                sheet.add([self._picture(random)])
            sheet.keep()
        for _ in range(random.integers(1, 4)):
            sheet.add([self._picture(random)])
        first, placed = [0], []
        for _ in range(length):
            taken: list[Rect] = []
            for _ in range(random.integers(0, 5)):
                number = int(random.integers(sheet.count))
                _, width, height = sheet.shapes[number].tolist()
                rect = Rect(*self._place(width, height, random), width, height)
                if not any(rect.overlaps(other) for other in taken):
                    taken.append(rect)
                    placed.append((number, rect.x, rect.y))
            first.append(len(placed))
        numbers = np.array(placed, np.int32).reshape(-1, 3)
        return SpriteRun(canvas, sheet, np.array(first, np.int64), numbers)


def run_films(*, flash: bool = False) -> st.SearchStrategy[RunFilm]:
    parts = st.tuples(st.sampled_from(["run", "run", "fresh", "frames"]), st.integers(1, 12))
    return st.builds(
        RunFilm,
        width=st.integers(90 if flash else 1, 120).map(lambda n: 2 * n),
        height=st.integers(70 if flash else 1, 90).map(lambda n: 2 * n),
        grid=st.sampled_from([1, 2, 4, 8, 16, 16, 16]),
        few=st.booleans(),
        flash=st.just(flash),
        parts=st.lists(parts, min_size=1, max_size=7).map(tuple),
        seed=st.integers(0, 10_000),
    )
