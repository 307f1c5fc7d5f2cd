"""Chooses settings for which a film is within the limits of a platform, in few passes.

Settings are reduced in a stated order: first the frame rate (the duration is the same, with more
steps in each frame), then the length (more steps per frame at that rate), then the size of the
picture, and finally the colours, in formats with palettes. The first settings in that order that
are within all limits are chosen. (Colours come last because they save least, since the palette of a
film is already small: reduced from some 100 colours to 31, a GIF has 94 to 96 % of its bytes, with
15 colours 82 to 92 %, with 7 colours 72 to 85 %; WebP and APNG are similar.)
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from math import ceil

from undoku.errors import SettingsError
from undoku.render.delivery.platforms import Dimensions, PlatformLimits

__all__ = ["COLOURS", "Fitted", "Sample", "SizeChoice", "choices", "fit", "predicted"]

GIF_RATES = tuple(Fraction(100, delay) for delay in (2, 3, 4, 5, 6, 8, 10))
VIDEO_RATES = tuple(Fraction(rate) for rate in (60, 50, 30, 25))
"""The frame rates to which a film may be reduced."""
_MORE_STEPS = tuple(
    Fraction(half, 2) for half in (3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512, 1024)
)
_MIN_SECONDS = 4
"""The minimum length of the search in a shortened film, in seconds."""
COLOURS = (31, 15, 7)
"""The reduced numbers of colours; with the transparent colour of a GIF each is a power of two."""
_SCALES = (Fraction(5, 6), Fraction(3, 4), Fraction(2, 3), Fraction(1, 2))
MARGIN = Fraction(97, 100)
"""A prediction must be below this share of the limit."""
MAX_PASSES = 4


@dataclass(frozen=True, slots=True)
class SizeChoice:
    """Candidate settings. `width` and `height` are even numbers of pixels; the film shows `steps`
    steps at `steps_per_frame`, and still passages and titles for `still` seconds, in at most
    `colours` colours (0: no limit)."""

    width: int
    height: int
    fps: Fraction
    steps_per_frame: Fraction
    steps: int
    still: Fraction = Fraction(0)
    colours: int = 0

    @property
    def moving_frames(self) -> int:
        return ceil(self.steps / self.steps_per_frame)

    @property
    def frames(self) -> int:
        return self.moving_frames + ceil(self.still * self.fps)

    def dimensions(self, size: int | None = None) -> Dimensions:
        return Dimensions(
            self.width, self.height, self.fps, self.frames, self.frames / self.fps, size
        )

    def __str__(self) -> str:
        return (
            f"{self.width}×{self.height}, {float(self.fps):.4g} frames/s, "
            f"{float(self.steps_per_frame):.4g} steps per frame, "
            f"{float(self.frames / self.fps):.4g} s"
            + (f", {self.colours} colours" if self.colours else "")
        )


@dataclass(frozen=True, slots=True)
class Fitted:
    """The choice, its size in bytes, the predicted size, and the number of passes."""

    choice: SizeChoice
    bytes: int
    predicted: int
    passes: int


def _scaled(choice: SizeChoice, scale: Fraction) -> SizeChoice:
    """The settings with a smaller picture, with even sides."""
    width, height = (max(2, int(side * scale) // 2 * 2) for side in (choice.width, choice.height))
    return replace(choice, width=width, height=height)


def _with_rate(choice: SizeChoice, fps: Fraction) -> SizeChoice:
    """The settings at another frame rate, with as many steps per second as before."""
    steps_per_frame = choice.steps_per_frame * choice.fps / fps
    return replace(choice, fps=fps, steps_per_frame=steps_per_frame)


def _check_shape(requested: SizeChoice, limits: PlatformLimits) -> None:
    """Raise SettingsError for a picture that is too wide for its height, which no reduction
    changes."""
    widest, shape = limits.at_most("shape"), Fraction(requested.width, requested.height)
    if widest and shape > widest:
        raise SettingsError(
            f"{requested.width}×{requested.height} is {float(shape):.3g} times as wide as high, "
            f"and {limits.name} takes at most {widest}",
            remedy="give a --size that is not so wide, such as 1080x1920",
        )


def _within(requested: SizeChoice, limits: PlatformLimits) -> SizeChoice:
    """The requested settings in a size and at a rate within the limits."""
    scale = Fraction(1)
    for limit, side in (("width", requested.width), ("height", requested.height)):
        if (most := limits.at_most(limit)) and side > most:
            scale = min(scale, Fraction(most, side))
    pixels = limits.at_most("pixels")
    if pixels and requested.width * requested.height > pixels:
        scale = min(scale, Fraction((pixels / (requested.width * requested.height)) ** 0.5))
    fps = limits.at_most("fps")
    if fps and requested.fps > fps:
        requested = _with_rate(requested, Fraction(fps))
    return _scaled(requested, scale) if scale < 1 else requested


def _ladder(
    requested: SizeChoice,
    rates: Sequence[Fraction],
    keep_length: bool,
    smallest_side: int,
    colours: Sequence[int],
) -> Iterator[SizeChoice]:
    """The requested settings, followed by more and more reduced ones."""
    step = requested
    yield step
    for fps in sorted(rates, reverse=True):
        if fps < requested.fps:
            step = _with_rate(requested, fps)
            yield step
    slow = step
    for factor in () if keep_length else _MORE_STEPS:
        shorter = replace(slow, steps_per_frame=slow.steps_per_frame * factor)
        if shorter.moving_frames < _MIN_SECONDS * shorter.fps:
            break
        step = shorter
        yield step
    full = step
    for scale in _SCALES:
        smaller = _scaled(full, scale)
        if min(smaller.width, smaller.height) >= smallest_side:
            step = smaller
            yield step
    for most in sorted(colours, reverse=True):
        if not requested.colours or most < requested.colours:
            yield replace(step, colours=most)


def choices(
    requested: SizeChoice,
    limits: PlatformLimits | None = None,
    *,
    rates: Sequence[Fraction] = GIF_RATES,
    keep_length: bool = False,
    smallest_side: int = 160,
    colours: Sequence[int] = COLOURS,
) -> list[SizeChoice]:
    """The candidates in the order of preference, without those that exceed a limit that can be
    checked before rendering. `rates` are those that the format supports; `keep_length` forbids a
    shorter film; `smallest_side` is in pixels; `colours` are the allowed numbers of colours. Raises
    SettingsError, with the nearest possible film, if none is left.
    """
    if limits is None:
        return list(_ladder(requested, rates, keep_length, smallest_side, colours))
    _check_shape(requested, limits)
    within = _within(requested, limits)
    ladder = list(_ladder(within, rates, keep_length, smallest_side, colours))
    kept = [step for step in ladder if not limits.broken_by(step.dimensions())]
    if not kept:
        nearest = ladder[-1]
        broken = "; ".join(limits.broken_by(nearest.dimensions()))
        raise SettingsError(
            f"this film can't be made within the limits: even with {nearest} it has {broken}",
            remedy="film fewer steps, or allow a shorter film"
            if keep_length
            else "film fewer steps",
        )
    return kept


@dataclass(frozen=True, slots=True)
class Sample:
    """A part of a film written to its own file: the bytes with only its first frame, the bytes with
    all frames, and their number (>= 2)."""

    first: int
    all: int
    frames: int


def predicted(samples: Sequence[Sample], frames: int) -> int:
    """The predicted bytes of a film with a number of moving frames, from samples spread over it."""
    first = max(sample.first for sample in samples)
    further = sum(sample.frames - 1 for sample in samples)
    growth = sum(sample.all - sample.first for sample in samples)
    return first + ceil(Fraction(growth, further) * (frames - 1))


def fit(
    candidates: Sequence[SizeChoice],
    limit: int,
    predict: Callable[[SizeChoice], int],
    render: Callable[[SizeChoice], int],
) -> Fitted:
    """The first of the candidates whose file has at most `limit` bytes.

    `predict` estimates the bytes of a choice from a sample; `render` writes the film and returns
    its bytes. Every miss corrects the predictions; there are at most four passes. Raises
    SettingsError with the nearest possible size if none fits.
    """
    estimate = cache(predict)
    correction, start = Fraction(1), 0
    smallest: tuple[int, SizeChoice] | None = None
    for passes in range(1, MAX_PASSES + 1):
        room = limit * MARGIN / correction
        # Sizes decrease in the order of preference. Predictions can be wrong: the last candidate is
        # rendered before it is refused.
        found = len(candidates) - 1
        if passes < MAX_PASSES:
            found = bisect_left(
                candidates, True, start, found, key=lambda choice: estimate(choice) <= room
            )
        choice = candidates[found]
        size = render(choice)
        if size <= limit:
            return Fitted(choice, size, estimate(choice), passes)
        if smallest is None or size < smallest[0]:
            smallest = size, choice
        correction = max(correction, Fraction(size, max(1, estimate(choice))))
        start = found + 1
        if start == len(candidates):
            break
    assert smallest is not None
    size, choice = smallest
    raise SettingsError(
        f"no film of these searches was found that fits into {limit:,} bytes",
        remedy=f"the nearest has {size:,} bytes: {choice}",
    )
