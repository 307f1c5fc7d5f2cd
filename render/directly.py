"""Chooses how an MP4 of a film is written: directly, or by an encoder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from render.canvas import Frame
from render.sinks.contract import FilmShape
from render.timeline import Shot, Timeline

__all__ = ["Way", "way_of"]

_TRIAL = 300
"""Frames from the middle of the race that show how the film is best written."""


@dataclass(frozen=True, slots=True)
class Way:
    """How an MP4 is written: `direct`, without an encoder, or by x264. `why` is a part of a
    sentence, for people."""

    direct: bool
    why: str

    @property
    def encoder(self) -> str:
        return "direct" if self.direct else "x264"

    def __str__(self) -> str:
        return f"{'directly' if self.direct else 'by x264'}: {self.why}"


def way_of(
    encoder: str,
    shape: FilmShape,
    timeline: Timeline,
    draw: Callable[[Sequence[Shot]], Iterable[Frame]],
) -> Way:
    """What `encoder` asks for; for "auto", directly when a stretch of the film, made by `draw`,
    comes out no larger than x264 would make it."""
    if encoder != "auto":
        return Way(encoder == "direct", "asked for")
    from render.sinks.h264.trial import direct_trial, why_not_direct

    if refusal := why_not_direct(shape):
        return Way(False, refusal)
    first, last = timeline.intro, timeline.intro + timeline.race
    middle = first + timeline.race // 2
    stretch = range(middle, min(middle + _TRIAL, last))
    if not stretch:
        return Way(True, "no race, hardly a change")
    trial = direct_trial(shape, draw([timeline.shot_at(number) for number in stretch]))
    return Way(
        trial.pays,
        f"{trial.frame_bytes:,.0f} bytes a frame without an encoder, "
        f"about {trial.encoded_bytes:,.0f} with",
    )
