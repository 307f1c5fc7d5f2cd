"""The flash meter follows the flash thresholds of WCAG 2.3.1, in frames and in runs."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.amounts import few
from tests.support.films import RunFilm, run_films
from undoku.render.draw.canvas import Canvas, Change, Frame, Rect
from undoku.render.draw.colour_space import Colour
from undoku.render.draw.sprite_run import Sheet, SpriteRun
from undoku.render.film.flash_meter import Flashes, FlashMeter

BLACK, WHITE, GREY = (0, 0, 0), (255, 255, 255), (40, 40, 40)


WHOLE = Rect(0, 0, 640, 360)
Fill = tuple[Rect, Colour]


def measured(
    frames: Iterable[Iterable[Fill]],
    size: tuple[int, int] = (640, 360),
    background: Colour = BLACK,
    ticks: int = 1,
) -> Flashes:
    """A film of 60 frames per second, each of which fills some rectangles."""
    canvas, meter = Canvas(*size), FlashMeter(*size, Fraction(60))
    canvas.fill(Rect(0, 0, *size), background)
    for fills in frames:
        for fill in fills:
            canvas.fill(*fill)
        meter.watch(canvas.frame(ticks=ticks))
    return meter.flashes()


def flashing(
    rects: list[Rect],
    *,
    every: int,
    size: tuple[int, int] = (640, 360),
    colours: tuple[Colour, Colour] = (BLACK, WHITE),
    background: Colour = BLACK,
) -> Flashes:
    """Rectangles that change colour together, at regular intervals."""
    frames = (
        [(rect, colours[number // every % 2]) for rect in rects if number % every == 0]
        for number in range(120)
    )
    return measured(frames, size, background)


CELLS = [Rect(11 + 60 * (cell % 4), 16 + 60 * (cell // 4), 53, 53) for cell in range(8)]
LEFT, BESIDE, FAR = Rect(0, 0, 110, 100), Rect(110, 0, 110, 100), Rect(500, 0, 110, 100)
RED, DARK_RED = (255, 0, 0), (100, 0, 0)
SMALL, LARGER = Rect(0, 0, 140, 140), Rect(0, 0, 150, 150)


@pytest.mark.parametrize(
    ("rects", "every", "safe", "more"),
    [
        # 60/(2 × every) flashes a second: 1, 2.5, 3 and 3.75; three are the limit.
        *(([WHOLE], every, every > 8, {}) for every in (30, 12, 10, 8)),
        # Eight cells of 53 pixels that flash together are too many, also in red.
        *((CELLS[:count], 5, count < 8, {}) for count in (7, 8)),
        *((CELLS[:count], 5, count < 8, {"colours": (BLACK, DARK_RED)}) for count in (7, 8)),
        # Distant fields are not added up.
        ([LEFT, FAR], 5, True, {}),
        ([LEFT, BESIDE], 5, False, {}),
        # A change of luminance counts from 0.1 on (these are 0.08 and 0.13), ...
        ([WHOLE], 3, True, {"colours": (BLACK, (80, 80, 80))}),
        ([WHOLE], 3, False, {"colours": (BLACK, (100, 100, 100))}),
        # ... if the darker one is below 0.8.
        ([WHOLE], 3, True, {"colours": ((232, 232, 232), WHITE), "background": (232, 232, 232)}),
        ([WHOLE], 3, False, {"colours": ((220, 220, 220), WHITE), "background": WHITE}),
        # It is that of light, not of samples: full blue has 7 % of the luminance of white.
        ([WHOLE], 3, True, {"colours": (BLACK, (0, 0, 255))}),
        ([WHOLE], 3, False, {"colours": (BLACK, (0, 255, 0))}),
        # A picture that is smaller than a field is measured against the whole field.
        ([SMALL], 4, True, {"size": (140, 140)}),
        ([LARGER], 4, False, {"size": (150, 150)}),
    ],
)
def test_rectangles_that_flash_together_are_safe_within_the_limits(
    rects: list[Rect], every: int, safe: bool, more: dict[str, Any]
) -> None:
    assert flashing(rects, every=every, **more).safe == safe


def test_the_report_says_when_the_limit_was_first_passed() -> None:
    found = flashing([WHOLE], every=6)
    # The first change is at frame 6, the seventh at frame 42.
    assert found.over[0] == Fraction(42, 60)
    assert found.most == Fraction(7, 2)


def test_cells_that_flash_one_after_the_other_are_not_added_up() -> None:
    cells = [Rect(20 + 60 * (number // 2 % 4), 20, 53, 53) for number in range(120)]
    fills = [[(cell, (WHITE, BLACK)[number % 2])] for number, cell in enumerate(cells)]
    assert measured(fills).safe


def test_a_slow_fade_is_one_change() -> None:
    """Many small steps one way add up to one change, not to many."""
    levels = [round(255 * (1 - abs(number - 60) / 60)) for number in range(120)]
    assert measured([(WHOLE, (level,) * 3)] for level in levels) == Flashes(Fraction(1), ())


def test_a_field_that_brightens_part_by_part_changes_once() -> None:
    """Four quarters that turn white one after the other are one change of the field."""
    parts = [[(Rect(left, 0, 88, 256), WHITE)] for left in range(0, 352, 88)]
    assert measured([[], *parts], (352, 256)) == Flashes(Fraction(1, 2), ())


def test_flashes_of_a_held_frame_are_counted_in_time_and_not_in_frames() -> None:
    fills = [[(WHOLE, (BLACK, WHITE)[number % 2])] for number in range(40)]
    assert measured(fills, ticks=12) == Flashes(Fraction(5, 2), ())


EVEN_GREY = (127, 127, 127)  # as much light as full red


def test_red_that_alternates_with_a_grey_of_the_same_light_is_a_red_flash() -> None:
    found = flashing([WHOLE], every=5, colours=(EVEN_GREY, RED))
    assert not found.safe
    assert found.red == found.most == Fraction(7, 2)
    assert flashing([WHOLE], every=5, colours=(EVEN_GREY, (128, 128, 128))).most == 0
    # At three a second it is within the limit, as other flashes are.
    assert flashing([WHOLE], every=10, colours=(EVEN_GREY, RED)) == Flashes(
        Fraction(3), (), Fraction(3)
    )


def test_dark_red_flashes_although_its_light_hardly_changes() -> None:
    found = flashing([WHOLE], every=5, colours=(BLACK, DARK_RED))
    assert not found.safe
    assert found.red == Fraction(7, 2)


@pytest.mark.parametrize(
    "colours",
    [
        (RED, (255, 0, 90)),  # both saturated, and near each other
        ((120, 60, 60), (60, 120, 60)),  # neither is saturated
        ((150, 100, 60), (92, 58, 18)),  # browns
        ((0, 0, 255), (0, 60, 255)),
    ],
)
def test_changes_without_a_saturated_red_or_too_near_are_not_red_flashes(
    colours: tuple[Colour, Colour],
) -> None:
    assert flashing([WHOLE], every=4, colours=colours, background=colours[0]).red == 0


def test_a_slow_change_to_red_and_back_is_one_red_flash() -> None:
    shares = [1 - abs(number - 30) / 30 for number in range(60)]
    others = [round(127 - 127 * share) for share in shares]
    reds = [127 + round(128 * share) for share in shares]
    fills = [[(WHOLE, (red, other, other))] for red, other in zip(reds, others, strict=True)]
    assert measured(fills).red == 1


def test_red_and_other_flashes_are_not_added_up() -> None:
    """Each has its own limit: two of one kind and two of the other are within both."""
    pairs = (BLACK, DARK_RED), (BLACK, (120, 120, 120))
    found = measured([(WHOLE, pairs[n // 30 % 2][n // 15 % 2])] for n in range(120))
    assert found.safe
    assert found.red > 0


def test_fewer_pixels_give_the_same_result() -> None:
    for colours in ((BLACK, WHITE), (EVEN_GREY, RED)):
        canvas = Canvas(640, 360)
        meters = [FlashMeter(640, 360, Fraction(60), every) for every in (1, 2, 8)]
        for number in range(60):
            canvas.fill(Rect(40, 40, 320, 240), colours[number // 5 % 2])
            frame = canvas.frame()
            for meter in meters:
                meter.watch(frame)
        assert meters[0].flashes() == meters[1].flashes() == meters[2].flashes()


def watched(film: RunFilm, every: int, *, runs: bool) -> Flashes:
    meter = FlashMeter(film.width, film.height, Fraction(10), every)
    for part in meter.watched(film.play(whole=runs)):
        if isinstance(part, SpriteRun):
            part.play()
    return meter.flashes()


@few(12)
@given(film=run_films() | run_films(flash=True), every=st.sampled_from([1, 2, 3, 8]))
def test_the_meter_finds_what_the_rule_says_in_frames_and_in_runs(
    film: RunFilm, every: int
) -> None:
    plain = PlainMeter(film.width, film.height, Fraction(10), every)
    for part in film.play(whole=False):
        assert not isinstance(part, SpriteRun)
        plain.watch(part)
    found = watched(film, every, runs=True)
    assert found == watched(film, every, runs=False) == plain.flashes()


def test_runs_flash_too() -> None:
    """The films of these tests do, in luminance and in red."""
    film = RunFilm(*(240, 180, 2), few=False, flash=True, parts=(("run", 60), ("run", 60)), seed=3)
    found = watched(film, 8, runs=True)
    assert not found.safe
    assert found.red > 0


def test_frames_that_change_in_a_great_many_places_flash_as_whole_ones_do() -> None:
    """In runs and frame by frame: 360×270 pixels in squares of 15 alternate between black and
    white."""
    sheet = Sheet()
    shades = [sheet.add([np.full((15, 15, 3), shade, np.uint8)]) for shade in (0, 255)]
    places = [(x, y) for y in range(0, 270, 15) for x in range(0, 360, 15)]
    canvas = np.zeros((270, 360, 3), np.uint8)
    placed = [(shades[frame % 2], *place) for frame in range(1, 21) for place in places]
    first = np.arange(21, dtype=np.int64) * len(places)
    run = SpriteRun(canvas, sheet, first, np.array(placed, np.int32))
    whole = (Change(Rect(0, 0, 360, 270)),)
    meters = [FlashMeter(360, 270, Fraction(10)) for _ in range(3)]
    with pytest.raises(ValueError, match="first frame"):
        meters[0].watch_run(run)
    for meter in meters:
        meter.watch(Frame(canvas, whole))
    meters[0].watch_run(run)
    for frame in run.frames():
        assert len(frame.changes) == 432
        meters[1].watch(frame)
        meters[2].watch(frame._replace(changes=whole))
    assert not meters[2].flashes().safe
    assert meters[0].flashes() == meters[1].flashes() == meters[2].flashes()


# The thresholds of WCAG 2.3.1 once more, pixel by pixel in arrays of numpy: what the flash meter
# must find, by a way of its own.


QUARTER = 341 * 256 / 4


class PlainMeter:
    """Looks at every `every`-th pixel of each frame, changed or not."""

    def __init__(self, width: int, height: int, fps: Fraction, every: int) -> None:
        self._fps, self._every, self._ticks = fps, every, 0
        self._turns: list[list[tuple[int, Any, Any]]] = [[], []]
        """Of general and of red flashes: the ticks of frames with many turns, and the fields, as
        masks, that turned forth and back in it."""
        self._seen: Any = None

    def watch(self, frame: Frame) -> None:
        shown = frame.pixels[:: self._every, :: self._every]
        sample = np.arange(256) / 255
        light = np.where(sample <= 0.04045, sample / 12.92, ((sample + 0.055) / 1.055) ** 2.4)
        linear = light.astype(np.float32)[shown].astype(np.float64)
        red, green, blue = np.moveaxis(linear, 2, 0)
        x = 0.4124 * red + 0.3576 * green + 0.1805 * blue
        y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
        z = 0.0193 * red + 0.1192 * green + 0.9505 * blue
        whole = x + 15 * y + 3 * z
        lit = whole > 0
        u = np.where(lit, 4 * x / np.where(lit, whole, 1), 0.1978).astype(np.float32)
        v = np.where(lit, 9 * y / np.where(lit, whole, 1), 0.4683).astype(np.float32)
        saturated = (red > 0) & (red >= 0.8 * (red + green + blue))
        light_now = y.astype(np.float32)
        if self._seen is None:
            self._dark, self._bright = light_now.copy(), light_now.copy()
            self._least = np.stack((u, v, saturated), -1).astype(np.float32)
            self._most = self._least.copy()
            self._way = np.zeros(u.shape, int)
            self._red_way = np.zeros(u.shape, int)
        else:
            new = (shown != self._seen).any(2)
            self._follow(new, light_now, u, v, saturated)
        self._seen = shown.copy()
        self._ticks += frame.ticks

    def _follow(self, new: Any, light: Any, u: Any, v: Any, saturated: Any) -> None:
        low, high = np.minimum(self._dark, light), np.maximum(self._bright, light)
        up = new & (self._way <= 0) & (light - low >= 0.1) & (low < 0.8)
        down = new & ~up & (self._way >= 0) & (high - light >= 0.1) & (light < 0.8)
        turned = up | down
        self._way[up], self._way[down] = 1, -1
        self._dark = np.where(turned, light, low)
        self._bright = np.where(turned, light, high)

        def far(from_: Any) -> Any:
            return (u - from_[..., 0]) ** 2 + (v - from_[..., 1]) ** 2 > 0.2**2

        redder = new & saturated & (self._red_way <= 0) & far(self._least)
        redder &= u > self._least[..., 0]
        plainer = new & ~redder & (self._most[..., 2] != 0) & (self._red_way >= 0)
        plainer &= far(self._most) & (u < self._most[..., 0])
        red_turned = redder | plainer
        self._red_way[redder], self._red_way[plainer] = 1, -1
        state = np.stack((u, v, saturated), -1).astype(np.float32)
        less = new & (red_turned | (u < self._least[..., 0]))
        more = new & (red_turned | (u > self._most[..., 0]))
        self._least[less], self._most[more] = state[less], state[more]
        kinds = [self._fields(kind) for kind in (up, down, redder, plainer)]
        for turns, forth, back in zip(self._turns, kinds[::2], kinds[1::2], strict=True):
            turns.append((self._ticks, forth, back))

    def _fields(self, turned: Any) -> Any:
        """For each field, whether a quarter of it turned."""
        field = -(-256 // self._every), -(-341 // self._every)
        size = tuple(map(min, turned.shape, field))
        windows = np.lib.stride_tricks.sliding_window_view(turned, size)
        return windows.sum((2, 3)) * self._every**2 >= QUARTER

    def flashes(self) -> Flashes:
        """A field's changes are its turns that oppose the one before; seven in a second are too
        many."""
        most, over = [0, 0], set()
        for kind, turns in enumerate(self._turns):
            fields = np.stack([np.stack(pair[1:]) for pair in turns]) if turns else np.zeros((0,))
            for place in np.ndindex(fields.shape[2:]):
                way, changes = 0, list[int]()
                for (ticks, _, _), both in zip(turns, fields[(..., *place)], strict=True):
                    for new, turned in zip((1, -1), both, strict=True):
                        if turned and way != new:
                            way = new
                            changes.append(ticks)
                            recent = sum(ticks - one < self._fps for one in changes)
                            most[kind] = max(most[kind], min(recent, 7))
                            if recent >= 7:
                                over.add(ticks / self._fps)
        return Flashes(Fraction(max(most), 2), tuple(sorted(over)), Fraction(most[1], 2))
