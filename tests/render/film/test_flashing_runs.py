"""The flash meter finds in a run what it finds in its frames, and what the rule says."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.support.flash_rule import PlainMeter
from tests.support.run_films import RunFilm, run_films
from undoku.render.draw.canvas import Change, Frame, Rect
from undoku.render.draw.sprite_run import Sheet, SpriteRun
from undoku.render.film.meter import FlashMeter
from undoku.render.film.tile_patterns import no_tiles
from undoku.render.film.tiles import expand_tiles


def pasts(meter: FlashMeter) -> NDArray[np.int32]:
    """The past of each pixel."""
    expand_tiles(meter._every, meter._turning, meter._tiles)
    now, known = meter._turning.now, meter._turning.pasts
    found: NDArray[np.int32] = known[now]
    return found


def watched(film: RunFilm, every: int, *, whole: bool) -> FlashMeter:
    meter = FlashMeter(film.width, film.height, Fraction(10), every=every)
    for part in film.play(whole=whole):
        if isinstance(part, SpriteRun):
            meter.watch_run(part)
            for _ in part.frames():
                pass
        else:
            meter.watch(part)
    return meter


@given(film=run_films() | run_films(flash=True), every=st.integers(1, 3))
def test_a_run_is_watched_as_its_frames_one_by_one(film: RunFilm, every: int) -> None:
    runs, frames = (watched(film, every, whole=whole) for whole in (True, False))
    assert runs.flashes() == frames.flashes()
    assert runs._ticks == frames._ticks
    np.testing.assert_array_equal(pasts(runs), pasts(frames))
    for one, other in ((runs._general, frames._general), (runs._red, frames._red)):
        np.testing.assert_array_equal(one._when, other._when)
        np.testing.assert_array_equal(one._last, other._last)


@given(film=run_films() | run_films(flash=True), every=st.integers(1, 3))
def test_the_meter_finds_what_the_rule_says(film: RunFilm, every: int) -> None:
    plain = PlainMeter(film.width, film.height, Fraction(10), every)
    for part in film.play(whole=False):
        assert not isinstance(part, SpriteRun)
        plain.watch(part)
    found = watched(film, every, whole=True)
    assert found.flashes() == plain.flashes()
    np.testing.assert_array_equal(found._general._when, plain._fields[0]._when)
    np.testing.assert_array_equal(found._red._when, plain._fields[1]._when)


def test_runs_flash_too() -> None:
    """The films of these tests do, in luminance and in red."""
    film = RunFilm(*(240, 180, 2), few=False, flash=True, parts=(("run", 60), ("run", 60)), seed=3)
    found = watched(film, 2, whole=True).flashes()
    assert not found.safe
    assert found.red > 0


def test_frames_that_change_in_a_great_many_places_flash_as_whole_ones_do() -> None:
    """In runs and frame by frame: 360×270 pixels in squares of 15 alternate between black and
    white."""
    sheet = Sheet()
    shades = [sheet.add(np.full((15, 15, 3), shade, np.uint8)) for shade in (0, 255)]
    places = [(x, y) for y in range(0, 270, 15) for x in range(0, 360, 15)]
    canvas = np.zeros((270, 360, 3), np.uint8)
    placed = [(shades[frame % 2], *place) for frame in range(1, 21) for place in places]
    first = np.arange(21, dtype=np.int64) * len(places)
    run = SpriteRun(canvas, sheet, first, np.array(placed, np.int32))
    whole = (Change(Rect(0, 0, 360, 270)),)
    meters = [FlashMeter(360, 270, Fraction(10)) for _ in range(3)]
    for meter in meters:
        meter.watch(Frame(canvas, whole))
    meters[0].watch_run(run)
    for frame in run.frames():
        assert len(frame.changes) == 432
        meters[1].watch(frame)
        meters[2].watch(frame._replace(changes=whole))
    assert not meters[2].flashes().safe
    assert meters[0].flashes() == meters[1].flashes() == meters[2].flashes()


def test_noise_that_is_never_the_same_is_followed_too() -> None:
    """There are more pasts than room for them: those that no pixel has any more are removed."""
    random = np.random.default_rng(1)
    frames = random.integers(0, 256, (12, 60, 80, 3), np.uint8)
    frames[:, :, :, 1:] //= 4  # reddish at times
    sheet = Sheet()
    for picture in frames:
        sheet.add(picture)
    canvas = frames[0].copy()
    placed = np.array([(n, 0, 0) for n in range(1, 12)], np.int32)
    run = SpriteRun(canvas, sheet, np.arange(12), placed)
    plain = PlainMeter(80, 60, Fraction(10), 1)
    meter = FlashMeter(80, 60, Fraction(10))
    for watch in (meter.watch, plain.watch):
        watch(next(SpriteRun(canvas, sheet, np.array([0, 1]), placed * 0).frames()))
    meter.watch_run(run)
    for frame in run.frames():
        plain.watch(frame)
    np.testing.assert_array_equal(pasts(meter)[..., 4] // 3 - 1, plain._way)
    np.testing.assert_array_equal(pasts(meter)[..., 4] % 3 - 1, plain._red_way)


@pytest.mark.parametrize("every", [1, 2, 3, 5])
@pytest.mark.parametrize("small", [False, True])
def test_sprites_that_replace_one_another_are_watched_as_their_pixels_are(
    every: int, small: bool
) -> None:
    """On a board of cells and on rectangles across them, by sprites that a sheet keeps or does not;
    all cells at times, so that more than a quarter of a field turns. With room for few states the
    result is the same."""
    random = np.random.default_rng(every)
    sheet = Sheet()
    colours = np.array([(0, 0, 0), (30, 30, 40), (250, 250, 250), (250, 0, 0), (90, 90, 90)])
    for number in range(40):
        side = (40, 48)[number % 2]
        blocks = colours[random.integers(0, 5, (side // 8, side // 8))]
        if number in (0, 2, 4):
            blocks[:] = colours[number // 2 + (number > 0)]  # black, white, red
        sheet.add(blocks.repeat(8, 0).repeat(8, 1).astype(np.uint8))
        if number == 30:
            sheet.keep()
    cells = [(x, y) for y in range(1, 241, 60) for x in range(1, 361, 60)]
    placed, first = [], [0]
    for frame in range(160):
        if frame % 20 == 13:
            placed += [(frame // 20 % 3 * 2, *cell) for cell in cells]
        elif frame % 7 == 5:
            placed.append((random.integers(0, 40), *random.integers(0, 190, 2)))
        else:
            chosen = random.choice(len(cells), 3, replace=False)
            # Cells that are often the same are in a state that has occurred before.
            placed += [(2 * random.integers(0, 3), *cells[cell]) for cell in chosen]
        first.append(len(placed))
    canvas = np.zeros((240, 360, 3), np.uint8)
    run = SpriteRun(canvas, sheet, np.array(first), np.array(placed, np.int32))
    meter = FlashMeter(360, 240, Fraction(10), every)
    plain = PlainMeter(360, 240, Fraction(10), every)
    if small:
        meter._tiles = no_tiles(32, 64, 1 << 16)
    for watch in (meter.watch, plain.watch):
        watch(Frame(canvas, (Change(Rect(0, 0, 360, 240)),)))
    meter.watch_run(run.part(0, 70))
    meter.watch_run(run.part(70, 160))
    tiles = int(meter._tiles.used[0])
    for frame_ in run.frames():
        plain.watch(frame_)
    assert meter.flashes() == plain.flashes()
    assert meter.flashes().red > 0
    np.testing.assert_array_equal(meter._general._when, plain._fields[0]._when)
    np.testing.assert_array_equal(meter._red._when, plain._fields[1]._when)
    np.testing.assert_array_equal(pasts(meter)[..., 4] // 3 - 1, plain._way)
    np.testing.assert_array_equal(pasts(meter)[..., 4] % 3 - 1, plain._red_way)
    assert (tiles > 0) == (every < 5)


def test_the_first_frame_is_not_a_run() -> None:
    run = SpriteRun(
        np.zeros((4, 4, 3), np.uint8), Sheet(), np.zeros(2, np.int64), np.empty((0, 3), np.int32)
    )
    with pytest.raises(ValueError, match="first frame"):
        FlashMeter(4, 4, Fraction(60)).watch_run(run)
