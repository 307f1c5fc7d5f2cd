"""Chooses how an MP4 of a film is written: directly, or by an encoder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from render.drawing.canvas import Frame
from render.sinks.contract import FilmShape
from render.sinks.h264.levels import coded_size
from render.sinks.h264.quality import quality
from render.timing.timeline import Shot, Timeline
from solver.errors import SettingsError

__all__ = ["Way", "way_of", "why_not_direct"]

_PARTS, _LENGTH = 3, 120
"""Stretches of the race, and frames of each, that show how the film is best written."""


@dataclass(frozen=True, slots=True)
class Way:
    """How an MP4 is written: `direct`, without an encoder, or by x264. `why` is a part of a
    sentence, for people; "" when it was asked for."""

    direct: bool
    why: str = ""

    @property
    def encoder(self) -> str:
        return "direct" if self.direct else "x264"

    @property
    def told(self) -> str:
        """What was chosen and why; "" when nobody chose."""
        return f"{self.encoder}: {self.why}" if self.why else ""


def way_of(
    encoder: str,
    shape: FilmShape,
    timeline: Timeline,
    draw: Callable[[Sequence[Shot]], Iterable[Frame]],
) -> Way:
    """What `encoder` asks for; for "auto", directly when stretches of the film, made by `draw`,
    come out no larger than x264 would make them (render.sinks.h264.size_trial)."""
    if encoder != "auto":
        return Way(encoder == "direct")
    if refusal := why_not_direct(shape):
        return Way(False, refusal)
    parts = _stretches(timeline.intro, timeline.race)
    if not parts:
        return Way(True, "nothing moves in it")
    from render.sinks.h264.size_trial import direct_trial  # loops: no other film has use for them

    # Each by itself: a jump would look like a frame of many steps, and what follows would, too.
    frames = (
        frame for part in parts for frame in draw([timeline.shot_at(number) for number in part])
    )
    firsts = {sum(map(len, parts[:number])) for number in range(len(parts))}
    trial = direct_trial(shape, frames, firsts)
    # The title card, the first picture of the searches, and the card at the end.
    fresh = sum(map(bool, (timeline.title, timeline.race, timeline.card)))
    film = trial.of_film(timeline.frames, timeline.race, fresh)
    return Way(
        film.pays,
        f"{film.direct:,.0f} bytes a frame without an encoder, about {film.encoded:,.0f} with",
    )


def why_not_direct(shape: FilmShape) -> str:
    """Why a film of this shape can't be written directly, as a sentence; "" when it can."""
    try:
        quality(shape.quality)
        coded_size(shape.width, shape.height, shape.fps)
    except SettingsError as error:
        return error.message
    return ""


def _stretches(first: int, frames: int) -> list[range]:
    """Parts of the `frames` frames from number `first` on, spread evenly; all, if there are few."""
    if frames <= _PARTS * _LENGTH:
        return [range(first, first + frames)] if frames else []
    gap = frames // _PARTS
    starts = [first + gap * number + (gap - _LENGTH) // 2 for number in range(_PARTS)]
    return [range(start, start + _LENGTH) for start in starts]
