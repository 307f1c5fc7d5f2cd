"""What a batch would make: frames, and about how much time and room it would take.

Frames are exact. Bytes and seconds are estimates: what was measured for each format on comparisons
of one to three boards, on one core at 2.5 GHz; and, where the batch's folder holds films of an
earlier run, the room that those took. Bytes are mostly within a factor of two.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf, sqrt
from pathlib import PurePosixPath
from statistics import median
from typing import NamedTuple

from render.batch.passes import Pass, is_beside
from render.batch.record import Entry
from render.pipeline import Film
from render.timeline import Timeline, plan
from solver.backtracking import Limits, SearchTrace, search
from solver.errors import UndokuError
from solver.puzzle import Puzzle

__all__ = ["FilmEstimate", "effort", "estimate", "total_seconds"]

_PIXELS = 1280 * 720
_DRAWING = 0.0015  # seconds of a frame of the race at 720p
_START = 0.3  # seconds of each pass: sprites, the encoder's start
_ALIKE = 6  # steps a frame from which on a frame changes as much as a frame can


class _Cost(NamedTuple):
    """Of a format, for a comparison of two searches at 720p: seconds of a frame, whether those that
    stand cost as much as those of the race, bytes of the first frame and of one of the race."""

    seconds: float
    standing: bool
    first: int
    race: int


_COST = {
    ".mp4": _Cost(0.0048, True, 40_000, 2200),
    ".webm": _Cost(0.008, True, 60_000, 4800),
    ".gif": _Cost(0.002, False, 30_000, 6000),
    ".apng": _Cost(0.009, False, 20_000, 4200),
    ".webp": _Cost(0.012, False, 15_000, 2800),
}
_PICTURES = {".png": (0.15, 10_000), ".svg": (0.1, 80_000), ".pdf": (0.13, 65_000)}


@dataclass(frozen=True, slots=True)
class FilmEstimate:
    """A film that would be made: the exact frames of its clock (a format may hold a picture that
    stands as one), and about how many seconds of one core's work and
    bytes. `kept` says that it is there already, `problem` why it can't be made."""

    name: str
    frames: int
    width: int
    height: int
    fps: Fraction
    seconds: float
    bytes: int
    kept: bool = False
    problem: str = ""


_Traces = dict[tuple[Puzzle, str, Limits], SearchTrace]


def estimate(
    passes: Sequence[Pass], known: Mapping[str, Entry] | None = None, kept: Container[str] = ()
) -> list[FilmEstimate]:
    """The films of each pass; files beside them are left out. `known` are the films of an earlier
    run by name, `kept` the names of those that would be kept. What is needed of the searches runs
    once."""
    found: list[FilmEstimate] = []
    traces: _Traces = {}
    for one in passes:
        settings = one.settings
        shape = settings.width, settings.height, settings.fps
        films = [name for name in one.names if not is_beside(name)]
        try:
            timeline = _timeline(one, traces)
        except UndokuError as error:
            found += [FilmEstimate(name, 0, *shape, 0.0, 0, problem=str(error)) for name in films]
            continue
        share = settings.width * settings.height / _PIXELS
        seconds = _START + _DRAWING * timeline.race * share  # shared by the films of the pass
        for name in films:
            cost = None if one.extras.single else _COST.get(_suffix(name))
            size = _bytes(name, cost, timeline, share, len(one.strategies))
            seconds += _seconds(name, cost, timeline, share)
            frames = timeline.frames if cost else 1
            if name in kept:
                found.append(FilmEstimate(name, frames, *shape, 0.0, size, kept=True))
            else:
                found.append(FilmEstimate(name, frames, *shape, seconds, size))
                seconds = 0.0
        most = one.extras.most_bytes
        if most is not None:
            found[-len(films) :] = [
                replace(film, bytes=min(film.bytes, most)) for film in found[-len(films) :]
            ]
    return _corrected(found, known or {})


def _suffix(name: str) -> str:
    return PurePosixPath(name).suffix.lower()


def _timeline(one: Pass, traces: _Traces) -> Timeline:
    """The timeline of a pass. `traces` are the searches so far, which remember their counts."""
    found = []
    for name in one.strategies:
        pair = (one.puzzle, name, one.limits)
        if pair not in traces:
            traces[pair] = search(one.puzzle, name, one.limits)
        found.append(traces[pair])
    settings = one.settings
    if settings.highlights:  # which change the speed
        return Film(found, settings).timeline
    timeline = plan(
        [trace.tally().steps for trace in found],
        settings.fps,
        settings.pace,
        clock=settings.clock,
        seconds=[Fraction(1)] * len(found),
        intro=settings.intro,
        hold=settings.hold,
        card=settings.card,
        title=settings.title_card or Fraction(0),
    )
    if not one.extras.single:
        timeline.check_length()
    return timeline


def _seconds(name: str, cost: _Cost | None, timeline: Timeline, share: float) -> float:
    if cost is None:
        return _PICTURES.get(_suffix(name), _PICTURES[".png"])[0] * sqrt(share)
    return cost.seconds * (timeline.frames if cost.standing else timeline.race) * share


def _bytes(name: str, cost: _Cost | None, timeline: Timeline, share: float, panels: int) -> int:
    """Most of a picture stays as it is, and what changes takes little more where it is larger."""
    if cost is None:
        size = _PICTURES.get(_suffix(name), _PICTURES[".png"])[1]
        return round(size * sqrt(share)) if _suffix(name) == ".png" else size
    changing = min(1.0, 0.4 + 0.6 * float(timeline.mean_rate) / _ALIKE) * (0.6 + 0.2 * panels)
    return round((cost.first + cost.race * timeline.race * changing) * sqrt(share))


def _corrected(films: Sequence[FilmEstimate], known: Mapping[str, Entry]) -> list[FilmEstimate]:
    """The estimates in the light of an earlier run: a film takes the bytes a second that it took
    then, and others of its format are as far from the measured figures as those."""

    def then(film: FilmEstimate) -> float | None:
        entry = known.get(film.name)
        if entry is None or entry.duration <= 0:
            return None
        if film.kept or film.frames == 1:
            return entry.bytes
        return entry.bytes * float(film.frames / film.fps) / entry.duration

    shares: dict[str, list[float]] = {}
    for film in films:
        if film.bytes and (size := then(film)):
            shares.setdefault(_suffix(film.name), []).append(size / film.bytes)
    found = []
    for film in films:
        size = then(film)
        if size is None:
            size = film.bytes * median(shares.get(_suffix(film.name), [1.0]))
        found.append(replace(film, bytes=round(size)))
    return found


def effort(drawn: Pass, span: range | None = None) -> float:
    """About how much work it is to draw a pass, or a `span` of its frames, in seconds of one core,
    as far as can be said without searching; without end where its length isn't known."""
    settings = drawn.settings
    share = settings.width * settings.height / _PIXELS
    costs = [cost for name in drawn.names if (cost := _COST.get(_suffix(name)))]
    if drawn.extras.single or not costs:
        return _PICTURES[".png"][0] * share
    if span is not None:
        frames = len(span)
    elif settings.pace.duration is not None:
        frames = round(settings.pace.duration * settings.fps)
    else:
        return inf
    return frames * share * (_DRAWING + sum(cost.seconds for cost in costs))


def total_seconds(films: Sequence[FilmEstimate], jobs: int) -> float:
    """Wall time with so many workers, each on a core of its own."""
    return sum(film.seconds for film in films) / max(1, jobs)
