"""Estimates for a batch: frames, time and disk space.

Frames are exact. Bytes and seconds are estimates from measurements of each format on comparisons of
one to three boards, on one core at 2.5 GHz; from the durations of the searches, which are run to
count their steps; and from the sizes of films of an earlier run in the folder of the batch. Bytes
are mostly within a factor of two.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf, sqrt
from pathlib import Path
from statistics import median

from undoku.batch.digests import Entry
from undoku.batch.passes import Pass, in_segments, is_beside, suffix_of
from undoku.batch.search_cache import MAX_CACHED
from undoku.errors import UndokuError
from undoku.render.delivery.fit import limits_for, suited
from undoku.render.delivery.segment_files import spans
from undoku.render.film.film import Film
from undoku.render.settings.settings import FilmSettings
from undoku.render.timeline.even_timeline import plan
from undoku.render.timeline.timeline import Timeline
from undoku.render.write.formats import format_of
from undoku.render.write.output_format import FilmCost, PictureCost
from undoku.render.write.splice import SEGMENT
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.trace.search_trace import Limits, SearchTrace, search

__all__ = ["FilmEstimate", "effort", "estimate", "total_seconds"]

_PIXELS = 1280 * 720
_DRAWING = 0.0003  # seconds of a frame of the race at 720p
_START = 0.3  # seconds of each pass: sprites, the encoder's start
_ALIKE = 6  # steps per frame from which on the change per frame is at its maximum


_FILM = FilmCost(0.01, True, 60_000, 5000)
_PICTURE = PictureCost(0.15, 15_000, grows=True)
"""Assumptions for formats without measurements."""


class _Direct:
    """An MP4 that is written directly, of any picture size: bytes of its first frame, of a frame of
    the race, and of its new contents while the atlas fills. A frame of the race takes more bytes
    and seconds if it covers more steps."""

    first, race, step, new, filling = 30_000, 230, 25, 250, 400
    churn = 20  # steps per frame above which new contents do not increase, since cells are sampled
    seconds, steps = 0.0002, 6

    @classmethod
    def frame(cls, rate: float) -> float:
        """Bytes of a frame of the race."""
        return cls.race + cls.step * min(rate, cls.churn)


@dataclass(frozen=True, slots=True)
class FilmEstimate:
    """The estimate for a film: the exact frames of its clock (a format may store a still passage as
    one frame), and about how many bytes and seconds of one core; the seconds include the searches
    and the drawing if it is the first of the films that are drawn `together` by one worker, or in
    several `pieces` by several workers. `kept` states that it exists already, `problem` why it
    can't be made."""

    name: str
    frames: int
    width: int
    height: int
    fps: Fraction
    seconds: float
    bytes: int
    kept: bool = False
    problem: str = ""
    together: int = 0
    pieces: int = 1


_Traces = dict[tuple[Puzzle, str, Limits], SearchTrace]


def estimate(
    passes: Sequence[Pass], known: Mapping[str, Entry] | None = None, kept: Container[str] = ()
) -> list[FilmEstimate]:
    """The films of each pass, without files beside them. `known` are the films of an earlier run by
    name, `kept` the names of those that would be kept. Necessary searches run once."""
    found: list[FilmEstimate] = []
    traces: _Traces = {}
    uses = Counter(pair for one in passes for pair in _pairs(one))
    for number, one in enumerate(passes):
        settings = one.settings
        shape = settings.width, settings.height, settings.fps
        films = [name for name in one.names if not is_beside(name)]
        try:
            timeline = _timeline(one, traces)
        except UndokuError as error:
            found += [
                FilmEstimate(name, 0, *shape, 0.0, 0, problem=str(error), together=number)
                for name in films
            ]
            continue
        # Shared by the films of the pass:
        seconds = _START + _searching(one, traces, uses)
        if not one.extras.single and not all(_direct(name, one) for name in films):
            seconds += _DRAWING * timeline.race * _share(settings)
        for name in films:
            cost = None if one.extras.single else _film_cost(name)
            frames = timeline.frames if cost else 1
            own = _shaped(one, name)
            size = _bytes(name, cost, own, timeline)
            pieces = 1
            if settings.closed and in_segments(name):
                length = SEGMENT if _direct(name, own) else 0
                pieces = len(spans(frames, length))
            if name in kept:
                spent = 0.0
            else:
                spent, seconds = seconds + _seconds(name, cost, own, timeline), 0.0
            shape = own.settings.width, own.settings.height, settings.fps
            found.append(
                FilmEstimate(
                    name, frames, *shape, spent, size, name in kept, together=number, pieces=pieces
                )
            )
        most = one.extras.most_bytes
        if most is not None:
            found[-len(films) :] = [
                replace(film, bytes=min(film.bytes, most)) for film in found[-len(films) :]
            ]
    return _corrected(found, known or {})


def _film_cost(name: str) -> FilmCost | None:
    """The cost of a film by its name; None for a picture and for a file beside a film."""
    if is_beside(name) or (form := format_of(Path(name))).still:
        return None
    return form.cost or _FILM


def _picture_cost(name: str) -> PictureCost:
    return format_of(Path(name)).picture or _PICTURE


def _share(settings: FilmSettings) -> float:
    """The number of pixels of a frame relative to 720p."""
    return settings.width * settings.height / _PIXELS


def _shaped(one: Pass, name: str) -> Pass:
    """The pass in the shape that its platform requires for this film, if no size is set."""
    if one.extras.platform is None:
        return one
    limits = limits_for(Path(name), one.extras.most_bytes, one.extras.platform)
    return replace(one, settings=suited(limits, one.settings, any_size=one.extras.any_size))


def _pairs(one: Pass) -> list[tuple[Puzzle, str, Limits]]:
    """The searches of a pass."""
    return [(one.puzzle, name, one.limits) for name in dict.fromkeys(one.strategies)]


def _timeline(one: Pass, traces: _Traces) -> Timeline:
    """The timeline of a pass. `traces` are the searches so far, which cache their counts."""
    for puzzle, name, limits in _pairs(one):
        if (puzzle, name, limits) not in traces:
            traces[puzzle, name, limits] = search(puzzle, name, limits)
    found = [traces[one.puzzle, name, one.limits] for name in one.strategies]
    settings = one.settings
    if settings.highlights or settings.pace.story:  # they change the speed
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


def _searching(one: Pass, traces: _Traces, uses: Mapping[tuple[Puzzle, str, Limits], int]) -> float:
    """Seconds for the searches of a pass: each runs once to be counted, shared by all passes that
    show it, and, if it is not cached, once more to be drawn."""
    seconds = 0.0
    for pair in _pairs(one):
        tally = traces[pair].tally()
        kept = uses[pair] > 1 and tally.events <= MAX_CACHED
        seconds += tally.seconds * (1 / uses[pair] + (not kept))
    return seconds


def _direct(name: str, one: Pass) -> bool:
    """Whether a film of a pass is an MP4 that is written without an encoder."""
    return bool(format_of(Path(name)).direct_writer) and one.settings.encoder != "x264"


def _seconds(name: str, cost: FilmCost | None, one: Pass, timeline: Timeline) -> float:
    """Seconds for a format, without the work that it shares with others of its pass."""
    share = _share(one.settings)
    if cost is None:
        return _picture_cost(name).seconds * sqrt(share)
    if _direct(name, one):
        more = 1 + float(timeline.mean_rate) / _Direct.steps
        return _Direct.seconds * timeline.race * more * sqrt(share)
    return cost.seconds * (timeline.frames if cost.standing else timeline.race) * share


def _bytes(name: str, cost: FilmCost | None, one: Pass, timeline: Timeline) -> int:
    """Bytes of a film. Most of a picture does not change, and changes take little more in larger
    pictures."""
    share, rate = _share(one.settings), float(timeline.mean_rate)
    if cost is None:
        picture = _picture_cost(name)
        return round(picture.bytes * sqrt(share)) if picture.grows else picture.bytes
    if _direct(name, one):
        new = _Direct.new * min(timeline.race, _Direct.filling)
        return round(_Direct.first + new + _Direct.frame(rate) * timeline.race)
    changing = min(1.0, 0.4 + 0.6 * rate / _ALIKE)
    if cost.boards:
        changing *= 0.6 + 0.2 * len(one.strategies)
    return round((cost.first + cost.race * timeline.race * changing) * sqrt(share))


def _corrected(films: Sequence[FilmEstimate], known: Mapping[str, Entry]) -> list[FilmEstimate]:
    """The estimates corrected by an earlier run: a film takes as many bytes per second as it did
    then, and other films of its format deviate from the measurements by the same factor."""

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
            shares.setdefault(suffix_of(film.name), []).append(size / film.bytes)
    found = []
    for film in films:
        size = then(film)
        if size is None:
            size = film.bytes * median(shares.get(suffix_of(film.name), [1.0]))
        found.append(replace(film, bytes=round(size)))
    return found


def effort(drawn: Pass, span: range | None = None) -> float:
    """The approximate work of drawing a pass, or a `span` of its frames, in seconds of one core,
    estimated without searching; infinite if its length is unknown."""
    settings = drawn.settings
    share = _share(settings)
    costs = [cost for name in drawn.names if (cost := _film_cost(name))]
    if drawn.extras.single or not costs:
        return _PICTURE.seconds * share
    if span is not None:
        frames = len(span)
    elif settings.pace.duration is not None:
        frames = round(settings.pace.duration * settings.fps)
    else:
        return inf
    return frames * share * (_DRAWING + sum(cost.seconds for cost in costs))


def total_seconds(films: Sequence[FilmEstimate], jobs: int) -> float:
    """Wall time with a number of workers, each on its own core; films that are drawn together are
    not divided among them, except films in pieces."""
    alone: defaultdict[int, float] = defaultdict(float)
    for film in films:
        alone[film.together] += film.seconds / film.pieces
    return max(*alone.values(), 0.0, sum(film.seconds for film in films) / max(1, jobs))
