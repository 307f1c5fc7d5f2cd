"""What a batch would make: frames, and about how much time and room it would take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, inf
from pathlib import Path

from render.batch.passes import Pass
from render.timeline import plan
from solver.backtracking import search

__all__ = ["FilmEstimate", "effort", "estimate", "total_seconds"]

_PIXELS = 1280 * 720
_DRAWING = 0.0006  # seconds a frame at 720p
# Seconds and bytes of a frame at 720p, measured on comparisons of 12 s on one core at 2.5 GHz.
_COST = {
    ".mp4": (0.0035, 700),
    ".webm": (0.02, 900),
    ".gif": (0.0006, 900),
    ".apng": (0.0015, 1800),
    ".webp": (0.002, 900),
}
_STILL = (0.15, 40_000)  # a whole picture
_START = 0.4  # seconds of each pass: sprites, the encoder's start


@dataclass(frozen=True, slots=True)
class FilmEstimate:
    """A film that would be made: exact frames, rough seconds of one core's work and bytes."""

    name: str
    frames: int
    width: int
    height: int
    fps: Fraction
    seconds: float
    bytes: int


def estimate(passes: Sequence[Pass]) -> list[FilmEstimate]:
    """The films of each pass. A film whose length depends on its searches is searched."""
    found = []
    counted: dict[tuple[object, ...], int] = {}
    for one in passes:
        settings = one.settings
        totals = []
        for strategy in one.strategies:
            pair = (one.puzzle, strategy, one.limits)
            if pair not in counted:
                tally = search(one.puzzle, strategy, one.limits).tally()
                counted[pair] = tally.steps
            totals.append(counted[pair])
        timeline = plan(
            totals,
            settings.fps,
            settings.pace,
            clock=settings.clock,
            seconds=[Fraction(1)] * len(totals),
            intro=settings.intro,
            hold=settings.hold,
            card=settings.card,
        )
        share = settings.width * settings.height / _PIXELS
        for number, name in enumerate(one.names):
            cost = _COST.get(Path(name).suffix.lower())
            frames = timeline.frames if cost else 1
            each, size = cost or _STILL
            seconds = each * frames * share
            if not number:  # the drawing is shared by the pass's films
                seconds += _START + (_DRAWING * timeline.frames * share if cost else 0)
            room = ceil(size * frames * share)
            width, height = settings.width, settings.height
            found.append(FilmEstimate(name, frames, width, height, settings.fps, seconds, room))
    return found


def effort(drawn: Pass, span: range | None = None) -> float:
    """About how much work it is to draw a pass, or a `span` of its frames, in seconds of one core,
    as far as can be said without searching; without end where its length isn't known."""
    settings = drawn.settings
    share = settings.width * settings.height / _PIXELS
    costs = [cost for name in drawn.names if (cost := _COST.get(Path(name).suffix.lower()))]
    if drawn.extras.single or not costs:
        return _STILL[0] * share
    if span is not None:
        frames = len(span)
    elif settings.pace.duration is not None:
        frames = round(settings.pace.duration * settings.fps)
    else:
        return inf
    return frames * share * (_DRAWING + sum(each for each, _ in costs))


def total_seconds(films: Sequence[FilmEstimate], jobs: int) -> float:
    """Wall time with so many workers, when nothing else runs."""
    return sum(film.seconds for film in films) / max(1, jobs)
